"""Streams and deltas inside packs, as in gitformat-pack(5); unsound ones are a `ValueError` or an `IndexError`."""

from __future__ import annotations

import mmap
import zlib

COPY_START = ((1, 0), (2, 8), (4, 16), (8, 24))
COPY_LENGTH = ((16, 0), (32, 8), (64, 16))
"""Bits of a copy instruction that say which bytes of its start and its length follow, and by how much they count."""

PLAIN_COPIES = {
    0x80 | (1 << starts) - 1 | (1 << lengths) - 1 << 4: (starts, lengths) for starts in range(5) for lengths in range(4)
}
"""Copy instructions that leave out only high bytes, and how many bytes of the start and of the length follow them."""

LONGEST_COPY = 0x10000
"""What a copy of length 0 means."""

MAX_NUMBER_BITS = 63
"""Longer numbers than this are no sizes and no distances."""


def inflate(source: mmap.mmap, start: int, size: int) -> bytes:
    """Inflate a stream of exactly `size` bytes, and no more than that."""
    inflater = zlib.decompressobj()
    step = size + (size >> 6) + 64
    data = inflater.decompress(source[start : start + step], size + 1)
    while not inflater.eof and len(data) <= size:
        start += step
        more = source[start : start + step]
        if not more:
            raise ValueError("stream is cut short")
        data += inflater.decompress(inflater.unconsumed_tail + more, size + 1 - len(data))
    if len(data) != size:
        raise ValueError("stream has another size than it says")
    return data


def apply_delta(base: bytes, delta: bytes) -> bytes:
    """Build an object from its base by a delta's copy and insert instructions."""
    base_size, at = read_number(delta, 0)
    size, at = read_number(delta, at)
    if base_size != len(base):
        raise ValueError("delta for another base")
    pieces, left, end = [], size, len(delta)
    while at < end and left >= 0:
        instruction = delta[at]
        at += 1
        if instruction & 0x80:
            if instruction in PLAIN_COPIES:
                starts, lengths = PLAIN_COPIES[instruction]
                start = int.from_bytes(delta[at : at + starts], "little")
                at += starts + lengths
                length = int.from_bytes(delta[at - lengths : at], "little")
            else:
                start, length, at = read_copy(delta, at, instruction)
            length = length or LONGEST_COPY
            pieces.append(base[start : start + length])
            left -= length
        elif instruction:
            pieces.append(delta[at : at + instruction])
            at += instruction
            left -= instruction
        else:
            raise ValueError("delta with a reserved instruction")
    data = b"".join(pieces)
    if left or at != end or len(data) != size:
        raise ValueError("delta builds another size than it says")
    return data


def read_copy(delta: bytes, at: int, instruction: int) -> tuple[int, int, int]:
    """The start and the length of any copy instruction, and where it ends."""
    start = length = 0
    for bit, shift in COPY_START:
        if instruction & bit:
            start |= delta[at] << shift
            at += 1
    for bit, shift in COPY_LENGTH:
        if instruction & bit:
            length |= delta[at] << shift
            at += 1
    return start, length, at


def read_number(data: bytes, at: int) -> tuple[int, int]:
    """Read a little-endian number of seven bits a byte; the number, and where it ends."""
    value = shift = 0
    while shift <= MAX_NUMBER_BITS:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return value, at
    raise ValueError("number without an end")
