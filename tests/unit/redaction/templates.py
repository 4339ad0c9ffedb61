"""Expands templates such as `ghp_{base62:36}` into made secrets, so that no token stands in the repository.

`{kind:argument}` is replaced by characters drawn from a seeded generator, and so is `{~kind:argument}`, which
is no secret. Unknown names stay as they are.
"""

from __future__ import annotations

import base64
import json
import random
import re
import string
import uuid
import zlib
from collections.abc import Callable

_PIECE = re.compile(r"\{(~?)(\w+)(?::([^{}]*))?\}")
_BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
_ALPHABETS = {
    "base62": _BASE62,
    "base58": "".join(c for c in _BASE62 if c not in "0OIl"),
    "hex": "0123456789abcdef",
    "hexup": "0123456789ABCDEF",
    "b64": _BASE62 + "+/",
    "b64url": _BASE62 + "-_",
    "base32": string.ascii_uppercase + "234567",
    "base32low": string.ascii_lowercase + "234567",
    "digits": string.digits,
    "letters": string.ascii_letters,
    "lowdigits": string.ascii_lowercase + string.digits,
    "updigits": string.ascii_uppercase + string.digits,
    "bech32up": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
}
_NOUNS = "timber velvet harbor granite quartz nimbus lagoon umbra copper willow falcon meadow".split()
_SEED_WORDS = "abandon ability orbit zebra canyon velvet ribbon tunnel marble gadget lunar olive piano".split()


def expand(template: str, seed: str = "") -> tuple[str, tuple[str, ...]]:
    """The text of a template, and the secrets that were put into it."""
    generator = random.Random(template + seed)
    made: list[str] = []

    def replace(match: re.Match[str]) -> str:
        value = _piece(generator, match.group(2), match.group(3) or "")
        if value is None:
            return match.group(0)
        if not match.group(1):
            made.append(value)
        return value

    return _PIECE.sub(replace, template), tuple(made)


def _piece(generator: random.Random, name: str, argument: str) -> str | None:
    if name in _ALPHABETS:
        return draw(generator, _ALPHABETS[name], int(argument))
    special = _SPECIAL.get(name)
    return special(generator, argument) if special else None


def draw(generator: random.Random, alphabet: str, length: int) -> str:
    """Characters of the alphabet; eight or more hold a digit and letters of each case that it has."""
    classes = [set(alphabet) & set(kind) for kind in (string.digits, string.ascii_lowercase, string.ascii_uppercase)]
    while True:
        value = "".join(generator.choice(alphabet) for _ in range(length))
        edges = value[:1].isalnum() and value[-1:].isalnum()
        if edges and (length < 8 or all(not kind or kind & set(value) for kind in classes)):
            return value


def checksummed(generator: random.Random, prefix: str) -> str:
    """30 random characters and the six base-62 digits of their CRC-32, as in tokens of GitHub and npm."""
    body = draw(generator, _BASE62, 30)
    checksum, digits = zlib.crc32(body.encode()), ""
    for _ in range(6):
        checksum, rest = divmod(checksum, 62)
        digits = _BASE62[rest] + digits
    return body + digits


def _password(generator: random.Random, length: str) -> str:
    body = draw(generator, _BASE62, int(length) - 1)
    return body[:4] + generator.choice("!%^&*#") + body[4:]


def _typed(generator: random.Random, _: str) -> str:
    words = [generator.choice(_NOUNS).title() for _ in range(2)]
    return generator.choice("_@-$").join(words) + str(generator.randrange(100, 999))


def _human(generator: random.Random, _: str) -> str:
    return "-".join([*(generator.choice(_NOUNS) for _ in range(2)), str(generator.randrange(1000, 9999))])


def _encoded(value: dict[str, object]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value, separators=(",", ":")).encode()).decode().rstrip("=")


def _jwt(generator: random.Random, _: str) -> str:
    claims = {"sub": draw(generator, _BASE62, 12), "iat": 1767225600}
    return ".".join(
        (
            _encoded({"alg": "HS256", "typ": "JWT"}),
            _encoded(claims),
            draw(generator, _ALPHABETS["b64url"], 43),
        )
    )


def _wrapped(generator: random.Random, start: str) -> str:
    return base64.b64encode((start + draw(generator, _BASE62, 36)).encode()).decode()


def _hex_wrapped(generator: random.Random, start: str) -> str:
    return (start + draw(generator, _BASE62, 36)).encode().hex()


def _words(generator: random.Random, count: str) -> str:
    return " ".join(generator.choice(_SEED_WORDS) for _ in range(int(count)))


def _der(generator: random.Random, size: str) -> str:
    """A DER sequence of the size that opens as PKCS #8 does, with random contents."""
    contents = b"\x02\x01\x00" + generator.randbytes(int(size) - 3)
    return base64.b64encode(b"\x30\x82" + len(contents).to_bytes(2, "big") + contents).decode()


_SPECIAL: dict[str, Callable[[random.Random, str], str]] = {
    "github": checksummed,
    "pw": _password,
    "typed": _typed,
    "human": _human,
    "jwt": _jwt,
    "wrapped": _wrapped,
    "hexwrapped": _hex_wrapped,
    "words": _words,
    "der": _der,
    "uuid": lambda generator, _: str(uuid.UUID(int=generator.getrandbits(128), version=4)),
    "PRIVATE": lambda generator, _: "PRIVATE",
}
