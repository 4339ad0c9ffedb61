"""The fence around an item's text: a marker that the text cannot hold, and nothing inside that looks like one."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.render.escape import escape_text, escaped

CONSTANT = "kradle-ctx memory fence v1"
"""The constant part of every marker."""

BRACKETS = "\\[\u23a1\u23a3\u2045\u27e6\u2772\u298b\u300c\u300e\u3010\u3014\u3016\u3018\u301a\ufe47\ufe5d\uff3b\uff62"
"""Opening brackets that read like `[`."""

WINDOW = 160
"""Characters after a bracket, blanks aside, in which the rest of a marker would stand."""

REACH = 1_000
"""Characters after a bracket that are looked at, blanks and all."""

TWINS = {
    "a": "а",
    "b": "вьβʙ",
    "d": "ԁᴅ",
    "e": "еєεᴇ3",
    "g": "ɡɢ",
    "i": "іιɪı1",
    "m": "мμᴍ",
    "n": "пηνɴո",
    "o": "оοᴏօ0",
    "r": "гʀ",
    "s": "ѕꜱ5",
    "y": "уүυγʏ",
}
"""Letters and digits that pass for one of a marker's, in small letters (a part of Unicode's confusables.txt)."""

_SKELETON = str.maketrans({twin: letter for letter, twins in TWINS.items() for twin in twins})
BEGINNINGS = "mMeEbB3"
"""ASCII characters with which what reads as a marker, or as its beginning or end, can begin."""

_blank = lazy_expression(r"\s+")
_letter = lazy_expression(r"[^\W_]")
_bracket = lazy_expression(f"[{BRACKETS}]")
_ascii_bracket = lazy_expression(r"\[")
_closing = lazy_expression(
    "[\\]\u2046\u27e7\u2773\u298c\u300d\u300f\u3011\u3015\u3017\u3019\u301b\ufe48\ufe5e\uff3d\uff63]"
)
_lookalike = lazy_expression(r"(?:end|begin)?s?(?:of)?memory\w{0,80}?(?:begin|end)|(?:end|begin)s?(?:of)?memory")


@lru_cache(maxsize=128)
def fenced(text: str, digest: str) -> tuple[str, str]:
    """A text between its two markers, as lines; `digest` is that of the text as the bundle holds it."""
    shown = without_lookalikes(escape_text(text))
    marker = marker_of(digest, shown)
    body = shown if shown.endswith("\n") else shown + "\n"
    return f"[memory {marker} begins]", f"{body}[memory {marker} ends]"


def marker_of(digest: str, text: str) -> str:
    """32 hex digits from the content's digest; a counter goes on should the text hold the marker."""
    counter = 0
    while True:
        material = f"{CONSTANT}\n{digest}\n{counter}"
        marker = hashlib.sha256(material.encode()).hexdigest()[:32]
        if marker not in text:
            return marker
        counter += 1


def without_lookalikes(text: str) -> str:
    """The same text with the bracket escaped of whatever a reader could take for a marker."""
    # The expression for all of Unicode takes milliseconds to compile, and much text is ASCII.
    bracket = _ascii_bracket if text.isascii() else _bracket
    return bracket.sub(lambda found: shown_bracket(text, found), text)


def shown_bracket(text: str, found: re.Match[str]) -> str:
    """A bracket as it is, or by its code point where it opens a look-alike."""
    first = _letter.search(text, found.end(), found.end() + REACH)
    if first is None or (first.group().isascii() and first.group() not in BEGINNINGS):
        return found.group()
    after = _blank.sub("", text[found.end() : found.end() + REACH])[:WINDOW]
    closing = _closing.search(after)
    looks_alike = _lookalike.match(skeleton(after[: closing.start()] if closing else after))
    return escaped(found.group()) if looks_alike else found.group()


def skeleton(text: str) -> str:
    """The letters and digits that a text reads as: no case, width, accent, space or foreign twin."""
    bare = unicodedata.normalize("NFKD", text).casefold().translate(_SKELETON)
    return "".join(character for character in bare if character.isalnum())
