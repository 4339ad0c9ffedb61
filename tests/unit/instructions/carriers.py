"""Ways to carry a text into a document: in plain sight, where a page does not show it, or encoded."""

from __future__ import annotations

import base64
import codecs
import html
from collections.abc import Callable
from urllib.parse import quote

_LOOKALIKES = str.maketrans("aeopcxyiIS", "аеорсхуіІЅ")
_LATIN_TWINS = str.maketrans("оесарх", "oecapx")
_LEET = str.maketrans("aeiost", "431057")
_STEP = 3


def _bytes_of(text: str, form: str, separator: str = " ") -> str:
    return separator.join(format(byte, form) for byte in text.encode())


def _between(text: str, character: str) -> str:
    """The character after every third letter."""
    return "".join(letter + (character if index % _STEP == 1 else "") for index, letter in enumerate(text))


def _bold(text: str) -> str:
    """Mathematical bold letters."""
    bases = {True: (0x1D400, "A"), False: (0x1D41A, "a")}
    return "".join(
        chr(bases[c.isupper()][0] + ord(c) - ord(bases[c.isupper()][1])) if c.isascii() and c.isalpha() else c
        for c in text
    )


def _selectors(text: str) -> str:
    """One variation selector for each byte, behind an emoji."""
    return "\U0001f600" + "".join(chr(0xFE00 + b if b < 16 else 0xE0100 + b - 16) for b in text.encode())


def _wrapped(text: str, width: int = 30) -> str:
    """A block comment whose lines are at most about that wide."""
    lines, line = [], ""
    for word in text.split():
        if len(line) + len(word) > width:
            lines.append(line)
            line = ""
        line += " " + word
    return "/*\n" + "\n".join(f" *{line}" for line in [*lines, line]) + "\n */"


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


CARRIERS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "markup": str,
    "html-comment": lambda text: f"# Runbook\n\n<!-- {text} -->\n\nRestart the service.\n",
    "link-title": lambda text: f'See [the dashboard](https://dash.example/d "{text}") for details.',
    "image-alt": lambda text: f"The flow:\n\n![{text}](flow.png)\n",
    "yaml-comment": lambda text: f"id: service:orders\n# {text}\ntitle: Orders\n",
    "link-definition": lambda text: f"Nothing to see.\n\n[//]: # ({text})\n",
    "wrapped-comment": _wrapped,
    "base64": lambda text: f"checksum: {_base64(text)}\n",
    "base64-twice": lambda text: f"data: {_base64(_base64(text))}\n",
    "base64-lines": lambda text: "payload:\n" + base64.encodebytes(text.encode()).decode(),
    "base32": lambda text: f"key {base64.b32encode(text.encode()).decode()}",
    "hex": lambda text: f"blob={text.encode().hex()}",
    "hex-spaced": lambda text: _bytes_of(text, "02x"),
    "hex-escapes": lambda text: '"' + "".join(f"\\x{byte:02x}" for byte in text.encode()) + '"',
    "percent": lambda text: "https://example.invalid/?q=" + quote(text),
    "entities": lambda text: "".join(f"&#{ord(c)};" for c in text) + html.escape(" <b>"),
    "unicode-escapes": lambda text: '{"note": "' + "".join(f"\\u{ord(c):04x}" for c in text) + '"}',
    "rot13": lambda text: codecs.encode(text, "rot13"),
    "binary": lambda text: _bytes_of(text, "08b"),
    "decimal": lambda text: _bytes_of(text, "d", ", "),
    "reversed": lambda text: text[::-1],
    "tag-characters": lambda text: "Fine." + "".join(chr(0xE0000 + ord(c)) for c in text) + " Really.",
    "variation-selectors": _selectors,
    "zero-width-bits": lambda text: (
        "ok" + "".join("\u200b\u200c"[bit == "1"] for bit in _bytes_of(text, "08b", "")) + "."
    ),
    "zero-width": lambda text: _between(text, "\u200b"),
    "soft-hyphen": lambda text: _between(text, "\u00ad"),
    "full-width": lambda text: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text),
    "homoglyph": lambda text: text.translate(_LOOKALIKES),
    "homoglyph-reversed": lambda text: text.translate(_LATIN_TWINS),
    "bold-letters": _bold,
    "circled": lambda text: "".join(chr(0x24D0 + ord(c) - ord("a")) if "a" <= c <= "z" else c for c in text),
    "spaced": lambda text: "   ".join(" ".join(word) for word in text.split()),
    "dashed": lambda text: " ".join("-".join(word) for word in text.split()),
    "leet": lambda text: text.translate(_LEET),
    "emphasis": lambda text: " ".join(f"**{word}**" for word in text.split()),
    "accents": lambda text: _between(text, "\u0301"),
    "split-tags": lambda text: " ".join(word[:2] + "<b></b>" + word[2:] for word in text.split()),
}
