"""Byte-level changes to an input: the same number always makes the same change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

LONGEST_INPUT = 600_000
"""Bytes of an input; most limits of the product lie below."""

MOST_CHANGES = 5
GROWTH_CHANCE = 0.003
ODD_BYTES = b"\x00\x01\x1b\x7f\x80\xc0\xe2\xff\xfe\n\r\t \"'\\/:-*?[]{}<>#%@!&|~^$`"

Change = Callable[[Random, bytearray, Sequence[bytes], Sequence[bytes]], None]


def mutated(random: Random, pool: Sequence[bytes], scraps: Sequence[bytes]) -> bytes:
    """An input of the pool with a few changes; seldom one of them makes it very long."""
    data = bytearray(random.choice(pool))
    for _ in range(random.randint(1, MOST_CHANGES)):
        random.choice(CHANGES)(random, data, pool, scraps)
    if random.random() < GROWTH_CHANCE:
        grow(random, data, pool, scraps)
    return bytes(data[:LONGEST_INPUT])


def place_in(random: Random, data: bytearray) -> int:
    """A place in the input, its end included."""
    return random.randint(0, len(data))


def piece_of(random: Random, data: bytes | bytearray) -> bytes:
    """A run of the input's bytes, most often a short one."""
    start = random.randint(0, len(data))
    return bytes(data[start : start + int(random.expovariate(0.08)) + 1])


def put_scrap(random: Random, data: bytearray, pool: Sequence[bytes], scraps: Sequence[bytes]) -> None:
    """Put in a piece of the format."""
    place = place_in(random, data)
    data[place:place] = random.choice(scraps) if scraps else bytes([random.choice(ODD_BYTES)])


def put_bytes(random: Random, data: bytearray, pool: Sequence[bytes], scraps: Sequence[bytes]) -> None:
    """Put in bytes that formats trip over, or any."""
    place = place_in(random, data)
    made = random.randbytes(random.randint(1, 4)) if random.random() < 0.5 else bytes([random.choice(ODD_BYTES)])
    data[place:place] = made


def write_over(random: Random, data: bytearray, pool: Sequence[bytes], scraps: Sequence[bytes]) -> None:
    """Put one byte in the place of another, or flip one bit."""
    if data:
        place = random.randrange(len(data))
        data[place] = data[place] ^ 1 << random.randrange(8) if random.random() < 0.5 else random.choice(ODD_BYTES)


def take_out(random: Random, data: bytearray, pool: Sequence[bytes], scraps: Sequence[bytes]) -> None:
    """Take a run out."""
    start = place_in(random, data)
    del data[start : start + int(random.expovariate(0.08)) + 1]


def repeat(random: Random, data: bytearray, pool: Sequence[bytes], scraps: Sequence[bytes]) -> None:
    """Put a run of the input in again, here or elsewhere, once or several times."""
    place = place_in(random, data)
    data[place:place] = piece_of(random, data) * random.choice((1, 1, 2, 9, 70))


def splice(random: Random, data: bytearray, pool: Sequence[bytes], scraps: Sequence[bytes]) -> None:
    """Put in a run of another input, or go on as that one ends."""
    other, place = random.choice(pool), place_in(random, data)
    if random.random() < 0.5:
        data[place:place] = piece_of(random, other)
    else:
        data[place:] = other[random.randint(0, len(other)) :]


def grow(random: Random, data: bytearray, pool: Sequence[bytes], scraps: Sequence[bytes]) -> None:
    """Put in a piece so often that it comes near the limits."""
    piece = (random.choice(scraps) if scraps and random.random() < 0.7 else piece_of(random, data)) or b" "
    place = place_in(random, data)
    data[place:place] = piece * random.randint(1_000, max(1_001, LONGEST_INPUT // 2 // len(piece)))


CHANGES: tuple[Change, ...] = (put_scrap, put_scrap, put_bytes, write_over, take_out, repeat, splice)
