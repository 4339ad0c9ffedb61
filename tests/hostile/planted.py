"""Secrets that are made while a test runs, and the search for what is left of them."""

from __future__ import annotations

import random
import re
import string
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path

BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
KEY_ALPHABET = string.ascii_uppercase + "234567"
BASE64 = BASE62 + "+/"
DASHES = "-" * 5

RUN = 6
"""So many characters of a secret in a row are a leak."""

BETWEEN = re.compile(r"[\s|\\]+")
"""What wrapping, tables and escapes put between two pieces of a secret."""


def tail(seed: str, length: int, alphabet: str = BASE62) -> str:
    """Random-looking characters, the same for the same seed."""
    return "".join(random.Random(seed).choices(alphabet, k=length))


def token(seed: str) -> str:
    """A token in GitHub's form, its checksum included."""
    payload = tail(f"token {seed}", 30)
    number, digits = zlib.crc32(payload.encode()), ""
    for _ in range(6):
        number, digit = divmod(number, 62)
        digits = BASE62[digit] + digits
    return "gh" + "p_" + payload + digits


def key_id(seed: str) -> str:
    """The id of an access key in Amazon's form."""
    return "AK" + "IA" + tail(f"key {seed}", 16, KEY_ALPHABET)


def private_key(seed: str, lines: int = 6) -> list[str]:
    """The lines of a private key in PEM form."""
    body = [tail(f"pem {seed} {number}", 64, BASE64) for number in range(lines)]
    return [f"{DASHES}BEGIN PRIVATE KEY{DASHES}", *body, f"{DASHES}END PRIVATE KEY{DASHES}"]


def password(seed: str) -> str:
    """A password that no checksum and no prefix gives away."""
    return tail(f"password {seed}", 20)


CODE, CODE_LETTERS = "acme-", "ghjkmnpqrstvwxyz"
CODE_PATTERN = f"{CODE}[a-z]{{12}}"


def code(seed: str) -> str:
    """A code of an organisation, which is a secret to nobody else; its letters are no hex digits."""
    return CODE + tail(f"code {seed}", 12, CODE_LETTERS)


class Planted:
    """Secrets by the name of the place where each stands; `make` makes one from a name."""

    def __init__(self, make: Callable[[str], str] = token) -> None:
        self._make = make
        self._runs: dict[str, str] = {}

    def token(self, place: str) -> str:
        """The secret of a place."""
        return self.note(place, self._make(place))

    def note(self, place: str, secret: str, public: int = 4) -> str:
        """Enter a secret, whose first characters may be known to all, under its place."""
        for start in range(public, len(secret) - RUN + 1):
            self._runs[secret[start : start + RUN]] = place
        return secret

    @property
    def places(self) -> set[str]:
        """Every place that has a secret."""
        return set(self._runs.values())

    def shown(self, *outputs: bytes) -> set[str]:
        """The places whose secrets show in an output, wrapped or not."""
        return {place for output in outputs for text in readings(output) for place in self._found(text)}

    def _found(self, text: str) -> Iterable[str]:
        runs = {text[start : start + RUN] for start in range(len(text) - RUN + 1)}
        return (self._runs[run] for run in runs & self._runs.keys())


def readings(output: bytes) -> tuple[str, str]:
    """An output as it is, and without what can stand between two pieces of a secret."""
    text = output.decode("utf-8", "replace")
    return text, BETWEEN.sub("", text)


def written_below(folder: Path) -> list[bytes]:
    """The content of every file below a folder."""
    return [file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()]
