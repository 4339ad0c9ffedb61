"""Texts in which a border or an inlay divides a secret: lines, cells, escapes, invisible characters, documents."""

from __future__ import annotations

import string
from collections.abc import Callable

from tests.hostile.planted import Planted, password, private_key, tail

INVISIBLE = {
    "zero width space": "\u200b",
    "zero width joiner": "\u200d",
    "zero width non-joiner": "\u200c",
    "soft hyphen": "\u00ad",
    "word joiner": "\u2060",
    "byte order mark": "\ufeff",
    "right-to-left override": "\u202e",
    "left-to-right mark": "\u200e",
    "variation selector": "\ufe0f",
    "variation selector 17": "\U000e0100",
    "tag": "\U000e0041",
    "grapheme joiner": "\u034f",
    "hangul filler": "\u115f",
    "escape": "\x1b",
    "backspace": "\x08",
}

LINE_BORDERS = {
    "a continued line": "\\\n",
    "a continued line with CR": "\\\r\n",
    "a continued and indented line": "\\\n    ",
    "a line wrapped by mail": "\n",
    "a line wrapped by mail with CR": "\r\n",
    "a line wrapped by a lone CR": "\r",
    "a line wrapped in a quotation": "\n> ",
    "a table cell": " | ",
    "a no-break space": "\u00a0",
}


def split_secrets(planted: Planted) -> dict[str, str]:
    """Every text by name; each begins with the word that finds it."""
    texts = {name: f"petrel\ntoken={halves(planted, name, border)}\n" for name, border in LINE_BORDERS.items()}
    texts |= {name: f"petrel\nuse {halves(planted, name, mark)} now\n" for name, mark in INVISIBLE.items()}
    for part in (private_keys(planted), passwords(planted)):
        texts |= {name: f"petrel\n{text}" for name, text in part.items()}
    return texts


def halves(planted: Planted, name: str, border: str) -> str:
    """A token with something in its middle."""
    whole = planted.token(name)
    return whole[:20] + border + whole[20:]


def private_keys(planted: Planted) -> dict[str, str]:
    """Private keys in one line, in quotations, tables and documents, cut off at either end."""

    def lines(name: str) -> list[str]:
        made = private_key(name)
        for line in made[1:-1]:
            planted.note(name, line, public=0)
        return made

    shapes: dict[str, Callable[[list[str]], str]] = {
        "a key with CR": lambda key: "\r\n".join(key) + "\r\n",
        "a key in a quotation": lambda key: "".join(f"> {line}\n" for line in key),
        "a key in a table": lambda key: "| key |\n| --- |\n" + "".join(f"| {line} |\n" for line in key),
        "a key in JSON": lambda key: '{"key": "' + "\\n".join(key) + '\\n"}\n',
        "a key without its end": lambda key: "\n".join(key[:-1]) + "\n",
        "a key without its beginning": lambda key: "\n".join(key[1:]) + "\n",
        "a key over two documents": lambda key: "\n".join([*key[:4], "---", *key[4:]]) + "\n",
        "a key with a zero width space": lambda key: "\n".join("\u200b".join(line) for line in key) + "\n",
    }
    return {name: shape(lines(name)) for name, shape in shapes.items()}


def passwords(planted: Planted) -> dict[str, str]:
    """Passwords apart from the word that says what they are."""

    def made(name: str) -> str:
        return planted.note(name, password(name), public=0)

    scalars = {}
    for number in range(6):
        name = f"a folded scalar {number}"
        whole = planted.note(name, tail(name, 20, string.ascii_letters), public=0)
        scalars[name] = f"password: >-\n  {whole[:10]}\n  {whole[10:]}\n"
    return scalars | {
        "the next line": f"password:\n  {made('the next line')}\n",
        "a literal scalar": f"password: |\n  {made('a literal scalar')}\n",
        "a row of a table": f"| user | password |\n| --- | --- |\n| bob | {made('a row of a table')} |\n",
        "a row of CSV": f"user,password\nbob,{made('a row of CSV')}\n",
    }
