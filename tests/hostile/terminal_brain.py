"""A brain whose texts try to steer a terminal, and the characters that none may get."""

from __future__ import annotations

import json
import unicodedata

from tests.conftest import GitBuilder
from tests.hostile.secret_brain import FIRST, SECOND

MARKUP = (
    "[/etc/passwd]",
    "[link=https://evil.invalid]docs.md[/link]",
    "[bold red]loud[/]",
    "C:\\dir\\[/bold]",
    "key:lock: :smile:",
    "[@click=app.bell]x[/]",
)
"""What rich, or whoever takes its markup, would draw, follow, or fail on."""

STEERING = (
    "\x1b[38;5;201mred",
    "\x1b[3J",
    "\x1b]0;owned\x07",
    "\x1b]8;;https://evil.invalid\x1b\\docs\x1b]8;;\x1b\\",
    "\x1b]52;c;cGV0cmVs\x07",
    "\x1bPq#0;2;0;0;0\x1b\\",
    "\x9b31mred",
    "\x9d0;owned\x9c",
    "over\x08\x08\x08\x08write",
    "hide\rshow",
    "\x07\x0b\x0c\x0e\x7f\x85",
)
"""Sequences of ECMA-48 and of xterm, in seven and in eight bits."""

HIDING = (
    "user\u202enimda\u202c",
    "\u2066isolate\u2069\u200e\u200f\u061c",
    "zero\u200bwidth\u2060\ufeff",
    "soft\u00adhyphen",
    "tag\U000e0001\U000e0041\U000e007f",
    "select\ufe00\U000e0100",
)
"""What reorders text or cannot be seen: CVE-2021-42574 and its like."""

LETTERS = "\u115f\u3164\ufe00\U000e0100\u034f"
"""Invisible letters and marks that Python calls printable, so that they get into names."""

BLANK = {*"\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f"}
SELECTORS = (*range(0xFE00, 0xFE0F), *range(0xE0100, 0xE01F0))
NUMBER_SIGNS = {*"\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"}
"""Format characters that can be seen."""


def hidden(text: str) -> set[str]:
    """The characters of an output, by their numbers, that act on a terminal or cannot be seen; LF and TAB may stay."""
    return {f"U+{ord(character):04X}" for character in {*text} - {*"\n\t"} if acts(character)}


def acts(character: str) -> bool:
    """Whether a character acts or hides, by Unicode's categories and by the blanks that these do not tell."""
    if character in BLANK or ord(character) in SELECTORS:
        return True
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") and character not in NUMBER_SIGNS


def build(brain: GitBuilder) -> str:
    """Fill the brain; the commit of its first state."""
    all_of_it = " ".join((*MARKUP, *STEERING, *HIDING))
    title = json.dumps(f"petrel {' '.join((*MARKUP, *HIDING))}", ensure_ascii=False)
    names = f"id: runbook:{LETTERS}\nkind: Kind{LETTERS}\nstatus: status{LETTERS}\nowners: [team:{LETTERS}]\n"
    files = {
        "notes/heading.md": f"# petrel {all_of_it}\n\npetrel {all_of_it}\n",
        f"notes/{LETTERS}\u200b\u00ad[/b].md": "petrel\n",
        "runbooks/record.md": f"---\n{names}title: {title}\n---\npetrel {all_of_it}\n",
        "graph/start.yaml": f"nodeKind: Service\nid: service:start\nattributes:\n  title: {title}\n"
        f"edges:\n  tie{LETTERS}: [service:{LETTERS}]\n---\nnodeKind: Service\nid: service:{LETTERS}\n",
        f"graph/{LETTERS}.yaml": f"key{LETTERS}: 1\nkey{LETTERS}: 2\n",
    }
    branch = f"branch{LETTERS}"
    first = brain.add_commit(files, FIRST, branch=branch)
    brain.add_commit(files, SECOND, branch=branch)
    brain.set_head(branch)
    return first
