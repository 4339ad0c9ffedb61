"""A17, A21 and A22: objects that are bombs, damaged, or packed to mislead."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator

from tests.adapters.reading import zeros
from tests.fakes import StoredObject
from tests.hostile.attack import HOSTILE, SOUND, Attack, HostileBrain
from tests.hostile.git_cases import (
    BOMB,
    GIBIBYTE,
    TOO_MUCH,
    UNAVAILABLE,
    UNSOUND,
    Case,
    Harmless,
    Make,
    Refused,
    Withheld,
)

KINDS = {"commit": 1, "tree": 2, "blob": 3, "tag": 4}
OFFSET_DELTA, ID_DELTA = 6, 7
BASE = "ba" * 20

DAMAGE: dict[str, Callable[[bytes, bytes], bytes]] = {
    "other bytes": lambda kind, body: zlib.compress(b"%s %d\0%s" % (kind, len(body), body[::-1])),
    "larger size": lambda kind, body: zlib.compress(kind + b" 500\0" + body),
    "no bytes": lambda kind, body: b"",
    "cut short": lambda kind, body: zlib.compress(b"%s %d\0%s" % (kind, len(body), body))[:-6],
}
"""What becomes of a loose object's file, from its kind and its right content."""


def number(value: int) -> bytes:
    """A number of seven bits a byte, the low ones first."""
    low, rest = value & 127, value >> 7
    return bytes([low | 128]) + number(rest) if rest else bytes([low])


def entry(kind: int, size: int, data: bytes, base: bytes = b"") -> bytes:
    """An entry of a pack: its head, what names a delta's base, and its deflated data."""
    low, rest = kind << 4 | size & 15, size >> 4
    head = bytes([low | 128]) + number(rest) if rest else bytes([low])
    return head + base + data


def delta(instructions: bytes, base: bytes, kind: int = ID_DELTA) -> bytes:
    """An entry that is a delta."""
    return entry(kind, len(instructions), zlib.compress(instructions), base)


def packed(entries: dict[str, bytes], name: bytes = b"z.md", target: str = BOMB) -> Make:
    """Put entries into a pack, and name one in the tree."""

    def make(brain: HostileBrain, attack: Attack) -> None:
        brain.write_pack(entries)
        brain.hold_entries(("100644", name, target))

    return make


def loose_bomb(kind: str, size: int) -> Make:
    """A loose object of zeros, named where its kind belongs."""

    def make(brain: HostileBrain, attack: Attack) -> None:
        brain.write_loose(BOMB, zeros(f"{kind} {size}\0", size))
        name_bomb(brain, kind)

    return make


def packed_bomb(kind: str) -> Make:
    """A packed object of zeros, named where its kind belongs."""

    def make(brain: HostileBrain, attack: Attack) -> None:
        brain.write_pack({BOMB: entry(KINDS[kind], GIBIBYTE, zeros("", GIBIBYTE))})
        name_bomb(brain, kind)

    return make


def name_bomb(brain: HostileBrain, kind: str) -> None:
    """Name the bomb in the tree, as the tree, or by the branch."""
    if kind == "blob":
        brain.hold_entries(("100644", b"z.md", BOMB))
    elif kind == "tree":
        brain.add_raw_commit(BOMB)
    else:
        brain.set_ref("refs/heads/main", BOMB)


def damaged(kind: str, way: str) -> Make:
    """Damage the file of the object of a kind that the branch leads to."""

    def make(brain: HostileBrain, attack: Attack) -> None:
        commit = brain.hold({"z.md": HOSTILE})
        body = f"object {commit}\ntype commit\ntag H\n\nH\n".encode()
        if kind == "tag":
            brain.set_ref("refs/heads/main", brain.add_object("tag", body))
        for found in (brain.folder / "objects").glob("??/*"):
            head, _, right = zlib.decompress(found.read_bytes()).partition(b"\0")
            if head.startswith(kind.encode()) and right != SOUND.encode():
                brain.write_loose(found.parent.name + found.name, DAMAGE[way](kind.encode(), right))

    return make


def bombs() -> Iterator[Case]:
    """A17: a gigabyte that takes a megabyte, or less, on the disk."""
    listed, refused = Withheld({"z.md": "too-large"}), Refused(TOO_MUCH, "1073741824 bytes")
    for size in (1 << 21, GIBIBYTE):
        yield Case("A17", f"loose blob of {size}", loose_bomb("blob", size), listed)
    yield Case("A17", "packed blob", packed_bomb("blob"), listed)
    for kind in ("tree", "commit", "tag"):
        yield Case("A17", f"loose {kind}", loose_bomb(kind, GIBIBYTE), refused)
    yield Case("A17", "packed commit", packed_bomb("commit"), refused)
    base = entry(KINDS["blob"], GIBIBYTE, zeros("", GIBIBYTE))
    small = delta(number(GIBIBYTE) + number(5) + bytes([0b10010000, 5]), bytes.fromhex(BASE))
    yield Case("A17", "small delta on a bomb", packed({BASE: base, BOMB: small}), listed)
    base = entry(KINDS["blob"], 1 << 16, zlib.compress(bytes(1 << 16)))
    copies = number(1 << 16) + number(GIBIBYTE) + bytes([0b10000000]) * (GIBIBYTE >> 16)
    yield Case(
        "A17", "large delta on a small base", packed({BASE: base, BOMB: delta(copies, bytes.fromhex(BASE))}), listed
    )
    lies = Refused(UNSOUND, BOMB)
    yield Case("A17", "bomb that says it is small", understated, lies)


def understated(brain: HostileBrain, attack: Attack) -> None:
    """A gigabyte whose header says five bytes."""
    brain.write_loose(BOMB, zeros("blob 5\0", GIBIBYTE))
    brain.hold_entries(("100644", b"z.md", BOMB))


def damages() -> Iterator[Case]:
    """A21: objects of each kind, damaged."""
    for kind in ("blob", "tree", "commit", "tag"):
        for way in DAMAGE if kind == "blob" else list(DAMAGE)[:2]:
            yield Case("A21", f"{kind} {way}", damaged(kind, way), Refused(UNSOUND, "object "))


def packs() -> Iterator[Case]:
    """A22: packs that lead round in circles, or end too soon."""
    unsound, damaged_pack = Refused(UNSOUND, BOMB), Refused(UNSOUND, "a damaged pack")
    own, other = bytes.fromhex(BOMB), bytes.fromhex(BASE)
    five = number(5) + number(5) + b"\x05right"
    yield Case("A22", "delta on itself", packed({BOMB: delta(five, own)}), unsound)
    yield Case("A22", "two deltas on each other", packed({BOMB: delta(five, other), BASE: delta(five, own)}), unsound)
    yield Case("A22", "delta at distance 0", packed({BOMB: delta(five, b"\0", OFFSET_DELTA)}), unsound)
    yield Case("A22", "endless distance", packed({BOMB: delta(five, b"\xff" * 30, OFFSET_DELTA)}), unsound)
    yield Case("A22", "endless size", packed({BOMB: b"\xff" * 30}), unsound)
    borrowed = Refused(UNAVAILABLE, "borrows objects")
    for suffix in ("pack", "idx"):
        for way, right in (
            ("cut", Refused(UNSOUND)),
            ("empty", damaged_pack),
            ("pipe", damaged_pack),
            ("link", borrowed),
        ):
            yield Case("A22", f"{suffix} {way}", file_of_a_pack(suffix, way), right)
    yield Case(
        "A22", "index without a pack", lambda brain, attack: brain.write("objects/pack/pack-1.idx", b"x"), Harmless()
    )


def file_of_a_pack(suffix: str, way: str) -> Make:
    """A sound pack whose pack or index is cut in half, empty, a pipe or a link outside."""

    def make(brain: HostileBrain, attack: Attack) -> None:
        blob = StoredObject("blob", HOSTILE.encode())
        packed({blob.id: entry(3, len(blob.data), zlib.compress(blob.data))}, target=blob.id)(brain, attack)
        (found,) = (brain.folder / "objects/pack").glob(f"*.{suffix}")
        data = found.read_bytes()
        found.unlink()
        if way == "pipe":
            os.mkfifo(found)
        elif way == "link":
            outside = attack.folder / f"outside.{suffix}"
            outside.write_bytes(data)
            found.symlink_to(outside)
        else:
            found.write_bytes(data[: len(data) // 2] if way == "cut" else b"")

    return make


OBJECT_CASES = (*bombs(), *damages(), *packs())
