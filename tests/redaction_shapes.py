"""Texts that are made to slow redaction down: one unit over and over, lines that are drawn, or one long thing.

A rule that looks too far, or reads the same text again and again, takes minutes for a megabyte of one of them. The
bench measures how time grows on them; the tests check on a few kilobytes of each that offsets stay right.
"""

from __future__ import annotations

import base64
import string
from collections.abc import Callable, Mapping
from random import Random

Shape = Callable[[int, Random], str]
"""Makes about so many characters of text, from a source of chance."""

DASHES = "-" * 5
BEGIN, END = (f"{DASHES}{word} PRIVATE KEY{DASHES}" for word in ("BEGIN", "END"))
LETTERS = string.ascii_letters + string.digits
LOWER = string.ascii_lowercase
HEX = "0123456789abcdef"

WORDS = (
    "a", "a.", "x=", "\\", '"', "'", "`", "```", "(", "[", "{", "<", "-", "|", "|-", "://", " ", "\t", "\n", "\r\n",
    "\\\n", "a\\\n", "\\n", "%0A", "0", "a_", "abcd efgh ", "=", ":", "M", "N.", "A/b+", "aB3", "aB3/", "aB3-", "aB3_",
    "aB3+",
)  # fmt: skip
"""What could be the beginning of anything."""

FIELDS = (
    "password", "password ", "password.", "password,", "password=", "password: ", "password|", "password(",
    "(password", "password->", "password:\n", "password: \\\n", 'password="\\', '"password": ', '"password": "',
    "password: '", "password = '", 'password: """', "password: >\n", "password: |\n  a\n", "password: |#",
    "password: #", "password: [", "password: ['a',", "password: {", "password:\n  - a\n", "<password>",
    "<password>a</password>", "passwort: ", "密码: ", "token: ", "token::", "token\t", "token.", "tokenkey_", "key=",
    "key: value\r\n", "keykey", "<key>", "<key>token</key>", "~/<x-api-key", "x-api-key:", "secret=a&", "secret=a;",
    "secret:a,", "&token=", "?sig=", "pwd;", 'set_password("', "--password ", "--password=", "--token \\\n",
    "- name: TOKEN\n", "name: TOKEN value: ", 'variable "token" { ', "token=abbbbb/", "key:zzzzzzzzz,", "password=a,b",
    "password=a)b", 'password=a"b', "api.key.token.", "#A1b2C3login%3D",
)  # fmt: skip
"""Names of fields, and all that may stand between a name and a value."""

SENTENCES = (
    "the token ", "the password is ", "the password is Foo1!bar ", "password 1 ", 'password is "', "password is (",
    "pw ", "pin ", "api key ", "login: a:", "login / a1 ", "log in with a:", "user/pass: ", " is the a a a a ",
    "is is is is ", "$2b$pw = ", "seed phrase: ", "seed phrase: word word word ", "recovery codes: ",
    "recovery codes 1234\n",
)  # fmt: skip
"""Prose that tells a secret, or is about to."""

PROGRAMS = (
    "-p ", "mysql ", "mysql -p", "curl -u a:", "curl -u a:b ", "curl \\\n  -u a:b \\\n", "echo ", "echo a | sudo -S ",
    "ENV TOKEN ", "machine a login b password ", "git config a token ", "user a password b\n",
)  # fmt: skip
"""Command lines."""

FORMATS = (
    f"{BEGIN}\n", BEGIN, f"{END}\n", END, f"{DASHES}BEGIN X{DASHES}\n", f"{BEGIN}\\n", f"{BEGIN}\n{chr(10) * 100}",
    f"{BEGIN}\n{'Header: a' + chr(10)}", "Private-Lines: 9\n", "kind: Secret\n", "kind: Secret\n---\n",
    "kind: Secret\ndata:\n", "kind: Secret\ndata:\n  a: bcd\n", "  kind: Secret\n  data:\n    a: bcd\n",
    "data:\n  a: bcd\n", "|---|---|\n", "| password |", "| password |\n|---|\n",
    "| a | password |\n| --- | --- |\n| b | abcd1efg |\n", "user,password\n", "tokenpw\n  ,was eyJ", "cookie: ",
    "cookie: a=b;", "Cookie=a;", "Set-Cookie: -a=", "Authorization: Bearer ", "insert into t (password) values (",
    "INSERT INTO a(password)VALUES('a'),", "identified by '", '"d":"', "a:80:b:c:d\n", "jdbc:oracle:thin:a/",
    "http://a:", "http://a:b@", "://a:b@", "https://aaaaaaaaaaaaaaaaaaaaaaaa", "X-Hub-Signature: ", 'response="',
    "$2b$", "eyJ", "eyJaaaaaaaa-", "eyJaaaaaaaa.", "sk-", "sk_live_", "-us1", ":AA", ".atlasv1.", "xoxb-", "MII",
    "3Q~", "_mmk", "hooks.slack.com/services/", "a:b" * 3,
)  # fmt: skip
"""Formats of their own, and the beginnings of tokens."""

DISGUISES = (
    "[REDACTED:x]", "[", "password: [REDACTED:x]", "\u200b", "pass\u200bword: x", "\uff50", "\uff10\u200b", "\xad",
    "\u202e", "é", "а", "aа", "\U0001f642", "\ud800", "\x1b[31m", "\x1b[",
)  # fmt: skip
"""Markers, invisible and foreign characters."""


def repeated(unit: str) -> Shape:
    """One unit over and over."""
    return lambda size, chance: unit * max(1, size // len(unit))


def drawn(piece: Callable[[Random], str], before: str = "", after: str = "") -> Shape:
    """Pieces that are never the same, so that nothing that was judged once helps with the next."""

    def made(size: int, chance: Random) -> str:
        pieces, length = [before], len(before) + len(after)
        while length < size:
            pieces.append(piece(chance))
            length += len(pieces[-1])
        return "".join(pieces) + after

    return made


def letters(chance: Random, count: int, alphabet: str = LETTERS) -> str:
    """So many characters of an alphabet."""
    return "".join(chance.choices(alphabet, k=count))


def field(chance: Random) -> str:
    """A field of any name with a value of any length, its quote left open."""
    name = letters(chance, 4) + chance.choice(("_password", "_token", "_api_key", "_secret", "_auth", "_KEY"))
    return name + chance.choice((": ", "=", " = ", "=> ", ': "')) + letters(chance, chance.randint(4, 40))


def token(chance: Random) -> str:
    """A token as a vendor makes it, with the right prefix and length."""
    makers = (
        "gh" + "p_" + letters(chance, 36),
        "AK" + "IA" + letters(chance, 16, string.ascii_uppercase + "234567"),
        "glpat" + "-" + letters(chance, 20),
        "xoxb" + "-" + "-".join((letters(chance, 12, string.digits), letters(chance, 24))),
        "eyJ" + ".".join((letters(chance, 30), letters(chance, 60), letters(chance, 43))),
    )
    return chance.choice(makers)


def encoded(chance: Random, size: int) -> str:
    """Base64 of random bytes, about so long."""
    return base64.b64encode(chance.randbytes(size * 3 // 4)).decode()


def wrapped(chance: Random, size: int) -> str:
    """Base64 of random bytes in lines of 64."""
    text = encoded(chance, size)
    return "".join(f"{text[at : at + 64]}\n" for at in range(0, len(text), 64))


def column(steps: int, line: str) -> Shape:
    """Lines ever further in, from the left again after so many."""
    return lambda size, chance: ("".join(f"{'  ' * step}{line}\n" for step in range(steps)) * size)[:size]


DRAWN: Mapping[str, Shape] = {
    "fields": drawn(lambda chance: field(chance) + "\n"),
    "fields on one line": drawn(lambda chance: field(chance) + " "),
    "fields with commas": drawn(lambda chance: field(chance) + ","),
    "fields of words": drawn(lambda chance: f"{letters(chance, 5, LOWER)}_token: {letters(chance, 9, LOWER)}\n"),
    "fields of digests": drawn(lambda chance: f"token: {letters(chance, 40, HEX)}\n"),
    "fields between invisible characters": drawn(lambda chance: f"password: {letters(chance, 12)} \u200b"),
    "minified JSON": drawn(lambda chance: f'"{letters(chance, 4)}_token":"{letters(chance, 9, LOWER)}",', "{", "}"),
    "escaped JSON": drawn(lambda chance: f'\\"{letters(chance, 4)}_token\\":\\"{letters(chance, 9)}\\",', "{", "}"),
    "lines": drawn(lambda chance: f"{letters(chance, 6, LOWER)}: {letters(chance, 9, LOWER)}\n"),
    "sentences": drawn(lambda chance: f"the password of {letters(chance, 4, LOWER)} is {letters(chance, 9)}. "),
    "tokens": drawn(lambda chance: token(chance) + "\n"),
    "tokens in fields": drawn(lambda chance: f"password: {token(chance)} password: "),
    "tokens in brackets": drawn(lambda chance: f"token [{token(chance)}]{letters(chance, 6)}"),
    "random words": drawn(lambda chance: letters(chance, 40) + " "),
    "digests": drawn(lambda chance: letters(chance, 40, HEX) + " "),
    "addresses": drawn(lambda chance: f"https://e.invalid/{letters(chance, 40)}?x={letters(chance, 12)}\n"),
    "a table": drawn(lambda chance: f"| u | {letters(chance, 12)} |\n", "| user | password |\n|---|---|\n"),
    "delimited rows": drawn(lambda chance: f"u,{letters(chance, 12)}\n", "user,password\n"),
    "a Secret": drawn(lambda chance: f"  k{letters(chance, 3)}: {letters(chance, 20)}\n", "kind: Secret\ndata:\n"),
    "Secrets": drawn(lambda chance: f"kind: Secret\ndata:\n  a: {letters(chance, 20)}\n---\n"),
    "recovery codes": drawn(lambda chance: letters(chance, 5, string.digits) + "-12345\n", "recovery codes:\n"),
    "continued lines": drawn(lambda chance: letters(chance, 10) + "\\\n"),
    "encoded fields": drawn(lambda chance: base64.b64encode(f"password={letters(chance, 24)}".encode()).decode() + " "),
    "a path": drawn(lambda chance: letters(chance, 40) + "/", "https://e.invalid/"),
}  # fmt: skip

UNITS = (*WORDS, *FIELDS, *SENTENCES, *PROGRAMS, *FORMATS, *DISGUISES)


def fragments(size: int, chance: Random) -> str:
    """A few units in any order, over and over."""
    return repeated("".join(chance.choices(UNITS, k=12)))(size, chance)


LONG: Mapping[str, Shape] = {
    "a long value": lambda size, chance: "token: " + letters(chance, size),
    "a long quoted value": lambda size, chance: f'token: "{letters(chance, size)}"',
    "a long name": lambda size, chance: "x" * (size // 2) + "password" + "y" * (size // 2) + "=",
    "a long list": drawn(lambda chance: f"'{letters(chance, 9)}!',", "password: [", "]"),
    "a list in a list": lambda size, chance: "password: [\"token: ['\" , '\"a\"' , " * (size // 30),
    "a private key": lambda size, chance: f"{BEGIN}\n{wrapped(chance, size)}{END}\n",
    "the end of a private key": lambda size, chance: f"{wrapped(chance, size)}{END}\n",
    "base64": lambda size, chance: encoded(chance, size),
    "hexadecimal text": lambda size, chance: chance.randbytes(size // 2).hex(),
    "slashes": lambda size, chance: "password: " + "/" * size,
    "brackets": lambda size, chance: "password=" + ")" * size,
    "commas": lambda size, chance: "password=" + ",a" * (size // 2),
    "blanks before a value": lambda size, chance: "password" + " " * size + ": a",
    "backslashes before a quote": lambda size, chance: "token" + "\\" * size + '": a',
    "escaped quotes": lambda size, chance: "password: " + '\\"' * (size // 2),
    "a mask": lambda size, chance: "password: " + "*" * size,
    "a passphrase": lambda size, chance: "password: " + "word " * (size // 5),
    "verbs after a noun": lambda size, chance: "password 1 " + "is " * (size // 3),
    "headings in a row": lambda size, chance: "password|" * (size // 20) + "\n|---|---|\n" + "abc1def|" * (size // 20),
    "a web token without an end": lambda size, chance: "eyJaaaaaaaa-" * (size // 12) + ".aaaaaaaa.aaaaaaaa",
    "a masked token": lambda size, chance: "xoxb-" * (size // 5) + "a" * 24,
    "quotes with ever more backslashes": lambda size, chance: "".join(
        "password: " + "\\" * step + '"abc ' for step in range(1, int((2 * size) ** 0.5))
    ),
    "blocks in blocks": column(60, "password: |"),
    "kinds in kinds": column(30, "kind: Secret"),
    "lists in lists": column(60, "- token:"),
}  # fmt: skip

SHAPES: Mapping[str, Shape] = {
    **{repr(unit): repeated(unit) for unit in UNITS},
    **DRAWN,
    **LONG,
    "units in any order": drawn(lambda chance: chance.choice(UNITS)),
    **{f"units over and over, {number}": fragments for number in range(8)},
}
"""Every shape by its name."""
