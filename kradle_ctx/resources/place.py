"""Where a document stands, for messages."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    import yaml


def shown(text: str) -> str:
    """A text from outside as it may stand in a message: whole, with control and invisible characters escaped.

    A cut could leave a part of a secret that no rule knows.
    """
    return "".join(
        character if unicodedata.category(character) not in UNSEEN else character.encode("unicode_escape").decode()
        for character in text
    )


UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories that are escaped: control, format (bidi, zero width), surrogate, unassigned, separators."""


class Place(Struct, frozen=True):
    """A document of a text: the text's name for messages, and the document's first and last line (1-based)."""

    name: str
    line: int
    text: str
    last_line: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"

    def __repr__(self) -> str:
        # The text may hold secrets, and a traceback may show this.
        return f"Place({self})"

    @property
    def file(self) -> str:
        """The text's name as it may stand in a message."""
        return shown(self.name)

    def line_of(self, path: tuple[str | int, ...]) -> int:
        """The line of the field at `path`, or of the nearest thing around it.

        The document is read once more for this, because values carry no positions and faults are rare.
        """
        if not path:
            return self.line
        import yaml

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml where PyYAML was built with it
        body = "\n".join(self.text.split("\n")[self.line - 1 : self.last_line]).lstrip("\ufeff")
        try:
            node, position = yaml.compose(body, Loader=loader), 0
        except yaml.YAMLError:  # YAML 1.1 parts lines where 1.2 does not, and knows an anchor once
            return self.line
        for step in path:
            found = child(node, step)
            if found is None:
                break
            position, node = found
        return self.line + body.count("\n", 0, position)


def child(node: yaml.Node | None, step: str | int) -> tuple[int, yaml.Node] | None:
    """What is under a key of a mapping or at a position of a list: where it begins, in characters, and its value."""
    import yaml

    if isinstance(node, yaml.MappingNode):
        fields = ((key.start_mark.index, value) for key, value in node.value if key.value == step)
        return next(fields, None)
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int):
        value = node.value[step]
        return value.start_mark.index, value
    return None
