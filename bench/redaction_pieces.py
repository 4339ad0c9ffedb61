"""Random pieces of templates, so that no row stands in the repository with a token-shaped literal in it.

`{kind:argument}` in a template is replaced by characters drawn from a seeded generator; what names no kind stays.
"""

from __future__ import annotations

import base64
import json
import random
import re
import string
import textwrap
import uuid
import zlib
from collections.abc import Callable

BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
ALPHABETS = {
    "base62": BASE62,
    "base58": "".join(c for c in BASE62 if c not in "0OIl"),
    "hex": "0123456789abcdef",
    "hexup": "0123456789ABCDEF",
    "b64": BASE62 + "+/",
    "b64url": BASE62 + "-_",
    "base32": string.ascii_uppercase + "234567",
    "base32low": string.ascii_lowercase + "234567",
    "crockford": "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
    "digits": string.digits,
    "letters": string.ascii_letters,
    "low": string.ascii_lowercase,
    "lowdigits": string.ascii_lowercase + string.digits,
    "updigits": string.ascii_uppercase + string.digits,
    "symbols": BASE62 + "!#%^*+=?~",
}
WORDS = (
    "harbor velvet timber lagoon granite quartz nimbus umbra copper willow falcon meadow orchid basalt pebble ember "
    "zephyr delta yonder saffron cobalt juniper marble thistle canyon raven cedar amber onyx tundra"
).split()
_HALF = 0.5
_HARMLESS = str.maketrans("&%#@?", "+=~!^")
_PIECE = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
_AWS_SAMPLES = {"id": "IOSFODNN7EXAMPLE", "secret": "wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY"}
"""The endings of the sample keys in the AWS documentation."""
_BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_BECH32_STEPS = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)


def expand(template: str, generator: random.Random) -> str:
    """The template with its pieces drawn."""

    def piece(match: re.Match[str]) -> str:
        name, argument = match.group(1), match.group(2) or ""
        if name in ALPHABETS:
            return draw(generator, ALPHABETS[name], int(argument))
        made = _MADE.get(name)
        return made(generator, argument) if made else match.group(0)

    return _PIECE.sub(piece, template)


def draw(generator: random.Random, alphabet: str, length: int) -> str:
    """Characters of the alphabet that begin and end with a letter or digit; eight or more hold each of its classes."""
    classes = [set(alphabet) & set(kind) for kind in (string.digits, string.ascii_lowercase, string.ascii_uppercase)]
    while True:
        value = "".join(generator.choice(alphabet) for _ in range(length))
        if length < 8:
            return value
        if value[0].isalnum() and value[-1].isalnum() and all(not kind or kind & set(value) for kind in classes):
            return value


def github(generator: random.Random, _: str = "") -> str:
    """30 characters and the base-62 CRC-32 of them, as tokens of GitHub and npm end."""
    body = draw(generator, BASE62, 30)
    rest, digits = zlib.crc32(body.encode()), ""
    for _step in range(6):
        rest, digit = divmod(rest, 62)
        digits = BASE62[digit] + digits
    return body + digits


def age_body(generator: random.Random, prefix: str) -> str:
    """52 characters and the checksum of a bech32 string (BIP 173) in upper case, after the prefix and a 1."""
    data = [generator.randrange(32) for _ in range(52)]
    values = [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix] + data
    rest = _polymod([*values, 0, 0, 0, 0, 0, 0]) ^ 1
    return "".join(_BECH32[n] for n in data + [rest >> 5 * (5 - at) & 31 for at in range(6)]).upper()


def _polymod(values: list[int]) -> int:
    rest = 1
    for value in values:
        top, rest = rest >> 25, (rest & 0x1FFFFFF) << 5 ^ value
        for bit, step in enumerate(_BECH32_STEPS):
            rest ^= step if top >> bit & 1 else 0
    return rest


def human(generator: random.Random, _: str = "") -> str:
    """A password as people make them: words with digits and perhaps a symbol."""
    one, two = generator.sample(WORDS, 2)
    number = generator.randrange(100, 9999)
    return generator.choice(
        [
            f"{one}-{two}-{number:04d}",
            f"{one.title()}{generator.choice('@_-$!')}{two.title()}{number}",
            f"{one.title()}_{two.title()}_{number}",
            f"{one[:4]}{number % 90 + 10}${two.title()}#",
            f"{one.title()}{number:04d}!",
            f"Tr0ub4dour&{number}",
        ]
    )


def symbol_password(generator: random.Random, length: str = "14") -> str:
    """A random password with at least one symbol in it."""
    body = draw(generator, BASE62, int(length or 14) - 1)
    at = generator.randrange(3, len(body) - 2)
    return body[:at] + generator.choice("!#^*+=?~&%@") + body[at:]


def password(generator: random.Random, _: str = "") -> str:
    """A password of any make that stands in any place: no quotes, no blanks, nothing that a shell or URL reads."""
    if generator.random() < _HALF:
        return human(generator)
    if generator.random() < _HALF:
        return draw(generator, BASE62, generator.randrange(12, 26))
    return symbol_password(generator, "14").translate(_HARMLESS)


def plain_password(generator: random.Random, _: str = "") -> str:
    """A password that a URL can hold as it is."""
    one, two = generator.sample(WORDS, 2)
    return generator.choice(
        [f"{one}-{two}-{generator.randrange(1000, 9999)}", draw(generator, BASE62, generator.randrange(14, 28))]
    )


def passphrase(generator: random.Random, count: str = "4") -> str:
    """Words with blanks between them."""
    return " ".join(generator.sample(WORDS, int(count or 4)))


def url_json(value: object) -> str:
    """Compact JSON in base64 for URLs, without padding."""
    return base64.urlsafe_b64encode(json.dumps(value, separators=(",", ":")).encode()).decode().rstrip("=")


def jwt_claims(generator: random.Random, _: str = "") -> str:
    """Claims and signature of a JSON web token, without its header."""
    claims = {"sub": draw(generator, BASE62, 12), "iss": "corp", "iat": 1767225600, "exp": 2082758400}
    return f"{url_json(claims)}.{draw(generator, ALPHABETS['b64url'], 43)}"


def key_lines(generator: random.Random, argument: str) -> str:
    """Base64 of a key: a known beginning, so many bytes, lines of 64, and a prefix for every line but the first."""
    start, size, inset = (*argument.split(","), "", "")[:3]
    body = start + base64.b64encode(generator.randbytes(int(size))).decode()
    return ("\n" + inset).join(textwrap.wrap(body, 64))


def escaped_key(generator: random.Random, argument: str) -> str:
    """The lines of a key joined as in a JSON string."""
    return key_lines(generator, argument).replace("\n", "\\n")


def encoded(generator: random.Random, template: str) -> str:
    """Base64 of a template in which `[` and `]` stand for braces."""
    return base64.b64encode(expand(_braces(template), generator).encode()).decode()


def hex_encoded(generator: random.Random, template: str) -> str:
    """Hexadecimal form of a template in which `[` and `]` stand for braces."""
    return expand(_braces(template), generator).encode().hex()


def _braces(template: str) -> str:
    return template.replace("[", "{").replace("]", "}")


def image(generator: random.Random, magic: str) -> str:
    """Base64 of bytes that open as a file of some type, given in hexadecimal."""
    return base64.b64encode(bytes.fromhex(magic) + generator.randbytes(150)).decode()


_MADE: dict[str, Callable[[random.Random, str], str]] = {
    "github": github,
    "age": lambda generator, _: age_body(generator, "age-secret-key-"),
    "human": human,
    "sympw": symbol_password,
    "pw": password,
    "plainpw": plain_password,
    "phrase": passphrase,
    "word": lambda generator, _: generator.choice(WORDS),
    "jwthead": lambda generator, _: url_json({"alg": generator.choice(["HS256", "RS256", "ES256"]), "typ": "JWT"}),
    "jwtrest": jwt_claims,
    "keylines": key_lines,
    "escapedkey": escaped_key,
    "encoded": encoded,
    "hexencoded": hex_encoded,
    "image": image,
    "uuid": lambda generator, _: str(uuid.UUID(int=generator.getrandbits(128), version=4)),
    "octet": lambda generator, _: str(generator.randrange(1, 254)),
    "TAB": lambda *_: "\t",
    "CR": lambda *_: "\r",
    "ESC": lambda *_: "\x1b",
    "U": lambda _, code: chr(int(code, 16)),
    "AWS": lambda _, which: _AWS_SAMPLES[which],
    "PRIVATE": lambda generator, _: "PRIVATE",
}
