"""What a case of section A says: what is done to a repository, and how it has to be met. The tables stand beside it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.hostile.attack import Attack, HostileBrain

GIBIBYTE = 1 << 30
BOMB = "b0" * 20
"""The id of an object whose content is never looked at."""

NOWHERE = "1" * 40
"""The id of no object."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The run is refused with this code, and the message holds these words."""

    code: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class Withheld:
    """These paths are listed with the reason, and the sound file is served all the same."""

    listed: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Harmless:
    """The attack changes nothing: these paths are served beside the sound file."""

    served: tuple[str, ...] = ()


Right = Refused | Withheld | Harmless

Make = Callable[[HostileBrain, Attack], object]
"""Does the hostile thing to a brain that holds the sound file."""


@dataclass(frozen=True, slots=True)
class Case:
    """One attack: its number in the list, what it is, how it is made, what is right, and what is asked beside."""

    number: str
    title: str
    make: Make
    right: Right
    asked: tuple[str, ...] = ()

    @property
    def serves(self) -> bool:
        """Whether hostile files are rightly served."""
        return isinstance(self.right, Harmless) and bool(self.right.served)

    def __str__(self) -> str:
        return f"{self.number}-{self.title.replace(' ', '-')}"


UNRESOLVED, UNSOUND, TOO_MUCH = "MEMORY_REF_UNRESOLVED", "MEMORY_OBJECT_MISSING", "LIMIT_EXCEEDED"
UNAVAILABLE = "MEMORY_REPOSITORY_UNAVAILABLE"


def tip(brain: HostileBrain) -> str:
    """The commit of the sound branch."""
    return (brain.folder / "refs/heads/main").read_text().strip()


def ref(name: str, target: str) -> Make:
    """Write a ref's file; `TIP` stands for the id of the sound commit."""

    def make(brain: HostileBrain, attack: Attack) -> None:
        commit = tip(brain)
        brain.set_ref(name.replace("TIP", commit), target.replace("TIP", commit))

    return make


def file(name: str, content: str | bytes) -> Make:
    """Write a file of the repository's own folder."""
    return lambda brain, attack: brain.write(name, content)


def pipe(name: str) -> Make:
    """Put a pipe without a writer in a file's place: whoever opens it waits for ever."""

    def make(brain: HostileBrain, attack: Attack) -> None:
        place = brain.write(name, "")
        place.unlink()
        os.mkfifo(place)

    return make


def huge(name: str) -> Make:
    """Blow a file up to a gibibyte that takes no room on the disk."""

    def make(brain: HostileBrain, attack: Attack) -> None:
        place = brain.folder / name
        os.truncate(place if place.exists() else brain.write(name, ""), GIBIBYTE)

    return make


def link(name: str, target: str) -> Make:
    """Put a link in a file's place."""

    def make(brain: HostileBrain, attack: Attack) -> None:
        brain.write(name, "").unlink()
        (brain.folder / name).symlink_to(target)

    return make


def names(*given: bytes) -> Make:
    """Commit hostile files with these names."""
    return lambda brain, attack: brain.hold_names(given)


def configured(text: str) -> Make:
    """Add to the configuration; `PROGRAM` stands for a command line that leaves a mark."""
    return lambda brain, attack: brain.configure(text.replace("PROGRAM", attack.program))
