"""Packs: entries that lie about size, kind or base, chains and circles of deltas, damaged packs and indexes."""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass
from pathlib import Path

from hypothesis import strategies as st

from kradle_ctx.adapters.git_objects import ObjectReader
from kradle_ctx.errors import ErrorCode, KradleError
from tests.fuzz.pieces import Pieces
from tests.fuzz.scratch import repository
from tests.fuzz.target import Target, refusal, require
from tests.fuzz.targets.deltas import number

KIND_WORDS = {1: "commit", 2: "tree", 3: "blob", 4: "tag"}
OFFSET_DELTA, ID_DELTA = 6, 7
MOST_ENTRIES, MOST_READ = 12, 4 << 20

SCRAPS = (b"\x00", b"\x01", b"\x06", b"\x07", b"\xff", b"\x03\x04text", b"\x91\x00\x05", b"\x80" * 9)


@dataclass(slots=True)
class Made:
    """A pack while it is made: its entries by id, where each begins, and the right content where it is known."""

    entries: dict[str, bytes]
    offsets: list[int]
    ids: list[str]
    contents: list[tuple[int, bytes] | None]


def check(data: bytes) -> str:
    """Build a pack from an input, damage it as the input says, and read every object."""
    pieces = Pieces(data)
    made = Made({}, [], [], [])
    at = 12
    for _ in range(1 + pieces.number(MOST_ENTRIES)):
        entry = add_entry(pieces, made, at)
        at += len(entry)
    build = repository("packs")
    folder = build.folder / "objects" / "pack"
    build.write_pack(made.entries)
    try:
        damage(pieces, folder)
        return read_all(build.folder / "objects", made)
    finally:
        for file in folder.iterdir():
            file.unlink()


def add_entry(pieces: Pieces, made: Made, at: int) -> bytes:
    """Make the next entry as the input says, most often a sound one; its bytes."""
    kind, lie, content = pieces.number(8), pieces.number(), pieces.sized()
    base = pieces.number(len(made.ids) + 2)
    known: tuple[int, bytes] | None = (kind, content) if kind in KIND_WORDS else None
    link = b""
    if kind in (OFFSET_DELTA, ID_DELTA):
        link, known, content = delta_entry(made, kind, base, content, at)
    size = len(content) if lie % 8 else lie * 37
    squeezed = zlib.compress(content)
    entry = head(kind, size) + link + (squeezed[: lie % 40] if lie % 16 == 15 else squeezed)
    object_id = id_of(known) if known else hashlib.sha1(b"%d %d" % (at, kind)).hexdigest()
    if object_id not in made.entries:
        made.entries[object_id] = entry
        made.offsets.append(at)
        made.ids.append(object_id)
        made.contents.append(known if lie % 8 and lie % 16 != 15 else None)
        return entry
    return b""


def delta_entry(
    made: Made, kind: int, base: int, content: bytes, at: int
) -> tuple[bytes, tuple[int, bytes] | None, bytes]:
    """What links a delta to its base, what it builds if that is known, and its instructions.

    A base beyond those that were made is the entry itself, or one that never comes.
    """
    found = made.contents[base] if base < len(made.contents) else None
    if kind == OFFSET_DELTA:
        link = distance(at - made.offsets[base] if base < len(made.offsets) else (base - len(made.offsets)) * at)
    else:
        own = hashlib.sha1(b"%d %d" % (at, kind)).digest()
        link = bytes.fromhex(made.ids[base]) if base < len(made.ids) else own
    if found is None:
        return link, None, content
    copy = bytes([0x90, len(found[1]) & 0xFF]) if 0 < len(found[1]) < 256 else b""
    insert = content[:127]
    result = (found[1] if copy else b"") + insert
    steps = copy + (bytes([len(insert)]) + insert if insert else b"")
    return link, (found[0], result), number(len(found[1])) + number(len(result)) + steps


def damage(pieces: Pieces, folder: Path) -> None:
    """Write a few bytes over the pack and the index."""
    for suffix in ("*.pack", "*.idx"):
        (file,) = folder.glob(suffix)
        raw = bytearray(file.read_bytes())
        for _ in range(pieces.number(4)):
            place, junk = pieces.number(65_536) % len(raw), pieces.run(1 + pieces.number(4))
            raw[place : place + len(junk)] = junk
        if pieces.number(8) == 7:
            del raw[pieces.number(65_536) % len(raw) :]
        file.write_bytes(raw)


def read_all(folder: Path, made: Made) -> str:
    """The words for what is read: the right bytes or a refusal, for every id."""
    try:
        objects = ObjectReader(folder)
    except KradleError as error:
        return refusal(error, ErrorCode.MEMORY_OBJECT_MISSING)
    words = set()
    for object_id in [*made.ids, "0" * 40]:
        try:
            found = objects.find(object_id)
            if found is None:
                words.add("absent")
            elif found[1] <= MOST_READ:
                content = objects.read_sized(object_id)
                require(id_of((found[0], content)) == object_id, "an object has the hash of its name")
                words.add(KIND_WORDS[found[0]])
        except KradleError as error:
            words.add(refusal(error, ErrorCode.MEMORY_OBJECT_MISSING))
    return " ".join(sorted(words))


def id_of(known: tuple[int, bytes]) -> str:
    """The id of an object."""
    kind, content = known
    return hashlib.sha1(f"{KIND_WORDS[kind]} {len(content)}\0".encode() + content).hexdigest()


def head(kind: int, size: int) -> bytes:
    """Type and size of an entry."""
    first, rest = kind << 4 | size & 15, size >> 4
    return bytes([first | (0x80 if rest else 0)]) + (number(rest) if rest else b"")


def distance(back: int) -> bytes:
    """How far back the base of a delta stands, as in gitformat-pack(5)."""
    digits = [back & 0x7F]
    while back := back >> 7:
        back -= 1
        digits.append(0x80 | back & 0x7F)
    return bytes(reversed(digits))


TARGET = Target(
    name="packs",
    promise="a packed object has the hash of its name, or is refused in one line within time and memory",
    check=check,
    inputs=st.builds(
        lambda count, entries, rest: bytes([count]) + b"".join(entries) + rest,
        st.integers(0, 11),
        st.lists(
            st.builds(
                lambda kind, lie, content, base: bytes([kind, lie, len(content)]) + content + bytes([base]),
                st.sampled_from([1, 2, 3, 3, 6, 6, 7, 7, 0, 5]),
                st.integers(0, 255),
                st.binary(max_size=20),
                st.integers(0, 12),
            ),
            max_size=12,
        ),
        st.binary(max_size=24),
    ),
    seeds=lambda: [
        b"\x02\x03\x01\x04text\x00\x06\x01\x02ab\x00\x07\x01\x02cd\x01" + b"\0" * 8,
        b"\x04"
        + b"\x03\x01\x02xy\x00"
        + b"\x06\x01\x01z\x00\x06\x01\x01z\x01\x07\x01\x01z\x02"
        + b"\x01\x00\x30\x01\xff" * 4,
        b"\x01\x07\x01\x04text\x01\x06\x01\x04text\x02",
    ],
    scraps=SCRAPS,
)
