"""The values of the lint: the flags it sets and the rows of its rule table."""

from __future__ import annotations

from msgspec import Struct

INSTRUCTION_LIKE = "instruction-like"
"""The text addresses an agent; every other flag comes with this one."""

CHAT_MARKUP = "chat-markup"
"""The text imitates the structure of a chat: special tokens, role tags, turns, tool calls, ends of a fence."""

HIDDEN_INSTRUCTION = "hidden-instruction"
"""What was found stands where a rendered page does not show it, or in characters that are not displayed."""

DISGUISED_INSTRUCTION = "disguised-instruction"
"""What was found can be read only after an encoding or look-alike letters have been undone."""


class Rule(Struct, frozen=True):
    """One row of the rule table.

    `pattern` is an RE2 expression in the notation of `phrases.expression`, for folded text. A match does not count
    when the text before it ends with `preceded` or the text after it begins with `followed`. `hits` and `misses` run
    as tests.
    """

    id: str
    language: str
    pattern: str
    hits: tuple[str, ...]
    misses: tuple[str, ...]
    preceded: str = ""
    followed: str = ""
    flag: str = INSTRUCTION_LIKE


class Group(Struct, frozen=True, eq=False):
    """Rules that are looked for only around a keyword: how a word of the text begins, without accents."""

    keywords: tuple[str, ...]
    rules: tuple[Rule, ...]
