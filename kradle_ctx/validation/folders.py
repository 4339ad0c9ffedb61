"""Names that stand beside each other in folders and differ only in case or in the form of accents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping

from kradle_ctx.model.access import folded


class Folders:
    """The folders of a brain; `names_in` gives the names in a folder, none of what is no folder."""

    def __init__(self, names_in: Callable[[str], Iterable[str]]) -> None:
        self._names_in = names_in
        self._known: dict[str, Mapping[str, Collection[str]]] = {}

    def twins(self, path: str) -> Collection[str]:
        """What stands beside a path under its name, or one that some systems take for it; in the order of bytes."""
        folder, _, name = path.rpartition("/")
        if folder not in self._known:
            self._known[folder] = by_folded_name(folder, self._names_in(folder))
        return self._known[folder].get(folded(name), ())

    def first_file(self, path: str) -> str:
        """A file itself, or the first in a folder."""
        names = [name for name in self._names_in(path) if is_text(name)]
        while names:
            path = f"{path}/{min(names, key=str.encode)}"
            names = [name for name in self._names_in(path) if is_text(name)]
        return path


def by_folded_name(folder: str, names: Iterable[str]) -> Mapping[str, Collection[str]]:
    """The paths of what is in a folder, by what some systems make of their names; one path is found at once."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for name in sorted(filter(is_text, names), key=str.encode):
        found[folded(name)][f"{folder}/{name}" if folder else name] = None
    return dict(found)


def is_text(name: str) -> bool:
    """Whether a name is UTF-8."""
    return name.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in name)
