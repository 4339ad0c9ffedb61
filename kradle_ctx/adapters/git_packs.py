"""Packed objects, read with bounds on time and memory.

libgit2 1.9 follows a delta that leads back to itself for ever, and inflates a base of any size for a delta of a few
bytes; so packs are read here, by the layout in gitformat-pack(5). Every length is checked before it is used.
"""

from __future__ import annotations

import hashlib
import mmap
import struct
import zlib
from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from kradle_ctx.adapters.git_deltas import MAX_NUMBER_BITS, apply_delta, inflate, read_number
from kradle_ctx.adapters.git_files import open_regular

INDEX_MAGIC = b"\xfftOc\0\0\0\2"
FAN_OUT_END = 8 + 256 * 4
ID_BYTES = 20

OFFSET_DELTA = 6
ID_DELTA = 7
KIND_WORDS = {1: b"commit", 2: b"tree", 3: b"blob", 4: b"tag"}

MAX_CHAIN = 4096
"""Longest chain of deltas; Git writes none longer than 4,095."""

MAX_WEIGHT = 128 << 20
"""How many bytes may be built on the way to an object; fifty deltas of a file of 1 MiB take less than half."""

MAX_CACHED_BYTES = 48 << 20
"""How much of bases is kept for the deltas that follow."""

FEW_IDS = 512
"""So many ids of an index are searched as a run of bytes, which is faster than to halve further."""

DELTA_HEAD = 20
"""Two sizes of up to ten bytes each stand at the beginning of a delta."""

DEFLATED_HEAD = 1024
"""More than a deflated stream takes before its first bytes come out: its Huffman tables are under 600 bytes."""


LOOKS = 5
"""How often packs are listed when one goes between being listed and being opened."""


class Measure(NamedTuple):
    """What reading an object takes: its kind and size, and the bytes that are built on the way to it."""

    kind: int
    size: int
    weight: int


class Entry(NamedTuple):
    """One entry of a pack: its type, inflated size, where its data begins, and where the base of a delta stands."""

    kind: int
    size: int
    data: int
    base: int | None


class Pack:
    """One pack and its index, mapped into memory; anything unsound is a `ValueError` or an `IndexError`."""

    def __init__(self, index_path: Path) -> None:
        self.name = index_path.name
        self._index = _mapped(index_path)
        self._pack = _mapped(index_path.with_suffix(".pack"))
        if self._index[: len(INDEX_MAGIC)] != INDEX_MAGIC:
            raise ValueError("index of an unknown version")
        self._fan_out = struct.unpack(">256I", self._index[8:FAN_OUT_END])
        self._count = self._fan_out[255]
        if len(self._index) < FAN_OUT_END + self._count * 28 or list(self._fan_out) != sorted(self._fan_out):
            raise ValueError("index is cut short")
        self._measures: dict[int, Measure] = {}
        self._bases: OrderedDict[int, bytes] = OrderedDict()
        self._cached_bytes = 0
        self._lock = Lock()

    def find(self, raw_id: bytes) -> int | None:
        """Where an object stands in the pack, None when it does not."""
        place = self._place(raw_id)
        if place is None:
            return None
        offsets = FAN_OUT_END + self._count * 24
        offset = self._number(offsets + place * 4, 4)
        if offset >> 31:
            offset = self._number(offsets + self._count * 4 + (offset & 0x7FFFFFFF) * 8, 8)
        return offset

    def measure(self, offset: int) -> Measure:
        """What reading the object at an offset takes, without reading it."""
        waiting: list[tuple[int, Entry]] = []
        measure = self._measures.get(offset)
        while measure is None:
            entry = self._entry(offset)
            waiting.append((offset, entry))
            if entry.base is None:
                measure = Measure(entry.kind, entry.size, 0)
            elif len(waiting) > MAX_CHAIN:
                raise ValueError("chain of deltas does not end")
            else:
                offset = entry.base
                measure = self._measures.get(offset)
        for offset, entry in reversed(waiting):
            if entry.base is not None:
                weight = measure.weight + measure.size + entry.size
                measure = Measure(measure.kind, self._delta_result(entry), weight)
            self._measures[offset] = measure
        return measure

    def read(self, object_id: str, offset: int) -> bytes:
        """The object at an offset, which has been measured; its hash is checked."""
        measure = self.measure(offset)
        with self._lock:
            data = self._resolve(offset)
        whole = b"%s %d\0%s" % (KIND_WORDS[measure.kind], len(data), data)
        if hashlib.sha1(whole, usedforsecurity=False).hexdigest() != object_id:
            raise ValueError("packed object has another hash than its name")
        return data

    def _resolve(self, offset: int) -> bytes:
        """Apply the chain of deltas that ends at an offset; the results are kept for a while."""
        entries = []
        base = self._bases.get(offset)
        while base is None:
            entry = self._entry(offset)
            entries.append((offset, entry))
            if entry.base is None:
                break
            offset = entry.base
            base = self._bases.get(offset)
        for offset, entry in reversed(entries):
            data = inflate(self._pack, entry.data, entry.size)
            base = data if entry.base is None or base is None else apply_delta(base, data)
            self._keep(offset, base)
        return base or b""

    def _keep(self, offset: int, base: bytes) -> None:
        self._bases[offset] = base
        self._cached_bytes += len(base)
        while self._cached_bytes > MAX_CACHED_BYTES:
            self._cached_bytes -= len(self._bases.popitem(last=False)[1])

    def _entry(self, offset: int) -> Entry:
        """Parse an entry's head: type and size in a variable-length number, then what names a delta's base."""
        start = offset
        byte = self._pack[offset]
        kind, size, shift = byte >> 4 & 7, byte & 15, 4
        while byte & 0x80:
            offset += 1
            byte = self._pack[offset]
            size |= (byte & 0x7F) << shift
            shift += 7
            if shift > MAX_NUMBER_BITS:
                raise ValueError("entry with an endless size")
        offset += 1
        if kind in KIND_WORDS:
            return Entry(kind, size, offset, None)
        if kind == ID_DELTA:
            base = self.find(self._pack[offset : offset + ID_BYTES])
            offset += ID_BYTES
        elif kind == OFFSET_DELTA:
            distance, offset = self._distance(offset)
            base = start - distance if 0 < distance < start else None
        else:
            raise ValueError("entry of an unknown type")
        if base is None:
            raise ValueError("delta without a base")
        return Entry(kind, size, offset, base)

    def _distance(self, offset: int) -> tuple[int, int]:
        byte = self._pack[offset]
        distance = byte & 0x7F
        while byte & 0x80:
            offset += 1
            byte = self._pack[offset]
            distance = distance + 1 << 7 | byte & 0x7F
            if distance >> MAX_NUMBER_BITS:
                raise ValueError("delta with an endless distance")
        return distance, offset + 1

    def _delta_result(self, entry: Entry) -> int:
        """The size that a delta says its result has."""
        head = zlib.decompressobj().decompress(self._pack[entry.data : entry.data + DEFLATED_HEAD], DELTA_HEAD)
        return read_number(head, read_number(head, 0)[1])[0]

    def _place(self, raw_id: bytes) -> int | None:
        """Position of an id in the index: halved down to a few kilobytes, then searched as bytes."""
        first = raw_id[0]
        low, high = self._fan_out[first - 1] if first else 0, self._fan_out[first]
        while high - low > FEW_IDS:
            middle = (low + high) // 2
            start = FAN_OUT_END + middle * ID_BYTES
            low, high = (middle, high) if self._index[start : start + ID_BYTES] <= raw_id else (low, middle)
        ids = self._index[FAN_OUT_END + low * ID_BYTES : FAN_OUT_END + high * ID_BYTES]
        found = ids.find(raw_id)
        while found % ID_BYTES and found >= 0:
            found = ids.find(raw_id, found + 1)
        return None if found < 0 else low + found // ID_BYTES

    def _number(self, start: int, length: int) -> int:
        return int.from_bytes(self._index[start : start + length], "big")


class PackedObjects:
    """All packs of one `objects` folder; new ones are noticed when an object is not found."""

    def __init__(self, objects: Path) -> None:
        self._folder = objects / "pack"
        self._packs: dict[str, Pack] = {}
        self._found: dict[str, tuple[Pack, int]] = {}
        self.refresh()

    def refresh(self) -> None:
        """Map packs that have appeared since, and forget those that are gone; look again while Git repacks."""
        for look in range(LOOKS):
            names = sorted(path.name for path in self._folder.glob("*.idx") if path.with_suffix(".pack").exists())
            try:
                self._packs = {name: self._packs.get(name) or Pack(self._folder / name) for name in names}
                self._found.clear()
                return
            except FileNotFoundError:
                if look == LOOKS - 1:
                    raise

    def measure(self, object_id: str) -> Measure | None:
        """What reading an object takes, None when no pack holds it."""
        found = self._find(object_id)
        return None if found is None else found[0].measure(found[1])

    def read(self, object_id: str) -> bytes | None:
        """An object whose measure has been taken, None when no pack holds it."""
        found = self._find(object_id)
        return None if found is None else found[0].read(object_id, found[1])

    def place(self, object_id: str) -> tuple[str, int]:
        """The pack that holds an object and its offset there, the empty name and 0 where none does."""
        found = self._find(object_id)
        return ("", 0) if found is None else (found[0].name, found[1])

    def _find(self, object_id: str) -> tuple[Pack, int] | None:
        found = self._found.get(object_id)
        if found is None:
            raw_id = bytes.fromhex(object_id)
            for pack in self._packs.values():
                offset = pack.find(raw_id)
                if offset is not None:
                    found = self._found[object_id] = pack, offset
                    break
        return found


def _mapped(path: Path) -> mmap.mmap:
    with open_regular(path) as stream:
        return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
