"""Names that stand beside each other in folders and differ only in case or in the form of accents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from kradle_ctx.model.access import folded


class Folders:
    """The folders of a brain; `names_in` gives the names in a folder, none of what is no folder."""

    def __init__(self, names_in: Callable[[str], Iterable[str]]) -> None:
        self._names_in = names_in
        self._known: dict[str, Mapping[str, Sequence[str]]] = {}

    def twins(self, path: str) -> Sequence[str]:
        """What stands beside a path under its name, or one that some systems take for it; in the order of bytes."""
        folder, slash, name = path.rpartition("/")
        if folder not in self._known:
            self._known[folder] = by_folded_name(self._names_in(folder))
        return [f"{folder}{slash}{other}" for other in self._known[folder].get(folded(name), ())]

    def first_file(self, path: str) -> str:
        """A file itself, or the first in a folder."""
        names = [name for name in self._names_in(path) if is_text(name)]
        while names:
            path = f"{path}/{min(names, key=str.encode)}"
            names = [name for name in self._names_in(path) if is_text(name)]
        return path


def by_folded_name(names: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """Names by what some systems make of them."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in sorted(filter(is_text, names), key=str.encode):
        found[folded(name)].append(name)
    return found


def is_text(name: str) -> bool:
    """Whether a name is UTF-8."""
    return name.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in name)
