"""Deltas and deflated streams: what they build is what a literal reading of their instructions builds, or refused."""

from __future__ import annotations

import mmap
import zlib

from hypothesis import strategies as st

from kradle_ctx.adapters.git_deltas import apply_delta, inflate
from tests.fuzz.pieces import Pieces
from tests.fuzz.target import Target, require

LONGEST_BUILT = 1 << 20
"""Largest result that a delta of an input may say it has: a reader asks for the size before it applies one."""

COPIES = st.builds(lambda bits, rest: bytes([0x80 | bits]) + rest, st.integers(0, 127), st.binary(max_size=7))
INSERTS = st.binary(min_size=1, max_size=9).map(lambda data: bytes([len(data)]) + data)
STEPS = st.lists(COPIES | INSERTS | st.binary(max_size=2), max_size=6).map(b"".join)
SCRAPS = (
    b"\x00",
    b"\x7f",
    b"\x80",
    b"\xff",
    b"\x91\x00\x05",
    b"\xb0\xff\xff",
    b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01",
)


def check(data: bytes) -> str:
    """Apply a delta to a base, and inflate a stream that may say the wrong size."""
    pieces = Pieces(data)
    base, honest, said = pieces.sized(), pieces.number(), pieces.number(70_000)
    steps = pieces.run(pieces.left)
    expected = built(base, steps)
    size = len(expected) if honest % 4 and expected is not None else said
    words = [
        applied(base, number(len(base)) + number(size) + steps, expected if size == len(expected or b"") else None)
    ]
    words.append(applied(base, steps, None))
    return " ".join([*words, inflated(base * (1 + said % 9), honest, said)])


def applied(base: bytes, delta: bytes, expected: bytes | None) -> str:
    """The word for a delta that is applied: it builds what its instructions say, as long as it says."""
    if said_size(delta) > LONGEST_BUILT:
        return "huge"
    try:
        found = apply_delta(base, delta)
    except (ValueError, IndexError) as error:
        require(expected is None, "a sound delta is applied")
        return str(error)[:30]
    require(len(found) == said_size(delta), "a delta builds what it says in size")
    require(expected is None or found == expected, "a delta builds what its instructions say")
    return "applied"


def said_size(delta: bytes) -> int:
    """The size of the result that stands second in a delta, 0 where there is none."""
    for wanted in (False, True):
        value, shift, at = 0, 0, 0
        while at < len(delta) and shift < 64:
            value |= (delta[at] & 0x7F) << shift
            shift, at = shift + 7, at + 1
            if not delta[at - 1] & 0x80:
                break
        delta = delta[at:]
        if wanted:
            return value
    return 0


def built(base: bytes, steps: bytes) -> bytes | None:
    """What instructions build, read byte by byte; None where one is unsound, or copies what is not there."""
    pieces, result = Pieces(steps), b""
    while pieces.left:
        step = pieces.number()
        if step & 0x80:
            needed = (step & 0x7F).bit_count()
            given = list(pieces.run(needed))
            if len(given) < needed:
                return None
            start = sum(given.pop(0) << 8 * place for place in range(4) if step >> place & 1)
            length = sum(given.pop(0) << 8 * place for place in range(3) if step >> (4 + place) & 1) or 0x10000
            if start + length > len(base) or len(result) + length > LONGEST_BUILT:
                return None
            result += base[start : start + length]
        elif not step or pieces.left < step:
            return None
        else:
            result += pieces.run(step)
    return result


def inflated(content: bytes, honest: int, said: int) -> str:
    """The word for a stream in a pack that is inflated to a size which it may not have."""
    stream = b"before" + zlib.compress(content, honest % 10)
    cut = stream if honest % 3 else stream[: 6 + said % len(stream)]
    size = said if honest % 5 == 0 else len(content)
    with mmap.mmap(-1, len(cut) + (honest % 2) * 9) as mapped:
        mapped[: len(cut)] = cut
        try:
            found = inflate(mapped, 6, size)
        except (ValueError, IndexError, zlib.error) as error:
            require(cut != stream or size != len(content), "a sound stream is inflated")
            return type(error).__name__
    require(found == content and size == len(content), "a stream is inflated to what it holds")
    return "inflated"


def number(value: int) -> bytes:
    """A number in seven bits a byte, the lowest first."""
    digits = bytearray()
    while value > 0x7F:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*digits, value])


TARGET = Target(
    name="deltas",
    promise="a delta or a stream gives what a literal reading of it gives, of the size that it says, or is refused",
    check=check,
    inputs=st.builds(
        lambda base, honest, said, steps: bytes([len(base)]) + base + bytes([honest]) + said + steps,
        st.binary(max_size=60),
        st.integers(0, 255),
        st.binary(min_size=2, max_size=2),
        STEPS,
    ),
    seeds=lambda: [
        b"\x05hello\x01\x00\x05\x91\x01\x03\x03abc",
        b"\x05hello\x00\xff\xff\xb0\x00\x00",
        b"\xff" + b"x" * 300,
    ],
    scraps=SCRAPS,
)
