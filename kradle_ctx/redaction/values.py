"""Judging whether the value after a field name is a secret."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.redaction.keys import Strength
from kradle_ctx.redaction.model import Extent
from kradle_ctx.redaction.never_touch import (
    is_digest,
    is_expression,
    is_identifier,
    is_marker,
    is_placeholder,
    is_plain_datum,
    is_public_material,
    is_uuid,
    judged,
    without_markers,
)
from kradle_ctx.redaction.randomness import entropy, is_hex, looks_random, strangeness
from kradle_ctx.redaction.reading import Value, bare_value, read_values, space_end
from kradle_ctx.redaction.telling import is_told, is_two_words

# As in reading.py, every expression is possessive or bounded.
_scheme = lazy_expression(rb"(?i)(?:bearer|basic|token|apikey|digest|negotiate|aws4-hmac-sha256|key|base64:)[ \t]*+")
_WORDS_OF_PHRASE = r"[a-z]{3,32}+(?>(?:[ \-][a-z]{3,32}+){3,11})"
_passphrase = lazy_expression(_WORDS_OF_PHRASE)
_passphrase_line = lazy_expression(rb"(%b)[ \t.,;]*+(?=[\r\n]|\Z)" % _WORDS_OF_PHRASE.encode())
_WORDS = 0.2
_MOST_WORDS = 16
_MOST_PIECES = 8
_STRANGE_SEED = 0.35
_LONG_RUN = 14
_FEW_PLACES = 2
_STRANGE = 0.3
_digit_runs = lazy_expression(r"[0-9]++")
_hex_runs = lazy_expression(r"[0-9a-f]++")
_pair = lazy_expression(r"(?a)[\w.\-@\\]{2,40}+[:/](\S{6,}+)")
_base32 = lazy_expression(r"[A-Z2-7]++")
_BASE32_SIZES = (16, 26, 32, 52)
_groups = lazy_expression(r"[A-Z0-9]{4,8}+(?>(?:-[A-Z0-9]{4,8}+){2,7})")
_FILLER = frozenset(
    """
    the is are for and with not you your must from that this was has can should will may use when all any into
    but one per via its of to in on at by or be as it
    """.split()
)


def secrets(data: bytes, position: int, strength: Strength) -> Iterator[Extent]:
    """The values after a separator that are secrets, without a scheme such as `Bearer`."""
    values = list(read_values(data, position))
    if _is_folded(values, data, strength):
        yield from (value.extent(data) for value in values)
        return
    for read in values:
        value = _after_scheme(data, read)
        if strength is Strength.PASSWORD and not value.quoted:
            value = _passphrase_of_line(data, value)
        text = value.text(data)
        if is_secret(text, strength, quoted=value.quoted):
            yield value.extent(data)
        elif not is_marker(text):
            continue
        if not value.quoted:
            yield from _told_after(data, value.extent(data)[1])


def _is_folded(values: Sequence[Value], data: bytes, strength: Strength) -> bool:
    """Whether the lines of a YAML scalar are pieces of one secret."""
    if not 1 < len(values) <= _MOST_PIECES or any(value.opener != b"\n" for value in values):
        return False
    whole = "".join(value.text(data) for value in values)
    return not any(mark in whole for mark in " :=[") and is_secret(whole, strength, quoted=True)


def _told_after(data: bytes, position: int) -> Iterator[Extent]:
    """More words of a password that has blanks in it, and what stands behind a marker."""
    start = position
    for _ in range(_MOST_WORDS):
        value = bare_value(data, space_end(data, position))
        text = value.text(data)
        if any(mark in text for mark in ("=", ":", "%3")) or not is_told(text, quoted=False):
            break
        yield value.extent(data)
        position = value.extent(data)[1]
    if position > start:
        yield position, position


def _after_scheme(data: bytes, value: Value) -> Value:
    scheme = _scheme.match(data, value.start, value.end)
    if scheme is None:
        return value
    if scheme.end() == value.end:
        return value if value.quoted else bare_value(data, space_end(data, value.end))
    return replace(value, start=scheme.end()) if scheme[0][-1:] in (b" ", b":") else value


def _passphrase_of_line(data: bytes, value: Value) -> Value:
    """The words to the end of the line, where they are a passphrase."""
    line = _passphrase_line.match(data, value.start)
    words = line.group(1).decode("ascii") if line else ""
    return Value(value.start, max(value.end, value.start + len(words))) if is_passphrase(words) else value


def is_passphrase(text: str) -> bool:
    """Four or more plain words that form no sentence."""
    return _passphrase.fullmatch(text) is not None and not _FILLER & set(text.replace("-", " ").split())


def is_secret(value: str, strength: Strength, *, quoted: bool) -> bool:
    """Whether a value under a field name of this strength is worth hiding."""
    return _is_secret(judged(value).strip().rstrip("\\"), strength, quoted)


@lru_cache(maxsize=8192)
def _is_secret(value: str, strength: Strength, quoted: bool) -> bool:
    value = without_markers(value)
    if is_placeholder(value) or is_digest(value) or value.startswith("{") or is_public_material(value):
        return False
    if strength is Strength.PASSWORD and " " in value:
        return is_passphrase(value) or (quoted and is_typed_password(value) and len(value.split()) < 4)
    if " " in value or (not quoted and is_expression(value) and not _dotted_random(value)):
        return False
    if strength is Strength.PASSWORD:
        return is_typed_password(value)
    if strength is Strength.WEAK:
        return _is_clearly_random(value)
    if _is_code(value):
        return True
    if is_identifier(value) or is_plain_datum(value):
        return len(value) >= 16 and looks_random(value)
    if (
        strength is Strength.PAIR
        and (pair := _pair.fullmatch(value))
        and is_secret(pair.group(1), Strength.PASSWORD, quoted=quoted)
    ):
        return any(map(str.isdigit, pair.group(1)))
    return (
        is_two_words(value)
        or _is_scattered(value)
        or is_uuid(value)
        or is_hex(value)
        or (len(value) >= 8 and looks_random(value))
        or _mixed(value)
    )


def _is_scattered(value: str) -> bool:
    """Whether digits stand among letters of a long run that makes no words."""
    if len(value) < _LONG_RUN or not value.isalnum() or not value.isascii():
        return False
    places = len(_digit_runs.findall(value))
    return places > 1 and strangeness(value) >= (_WORDS if places > _FEW_PLACES else _STRANGE)


def _is_clearly_random(value: str) -> bool:
    if "/" in value or is_uuid(value) or any(len(run) >= 32 for run in _hex_runs.findall(value.lower())):
        return False
    return len(value) >= 20 and looks_random(value) and entropy(value) >= 3.2


def _dotted_random(value: str) -> bool:
    return "(" not in value and "[" not in value and looks_random(value)


def _is_code(value: str) -> bool:
    """Base-32 seeds of one-time passwords (RFC 4648) and licence keys in groups."""
    digits = any(map(str.isdigit, value))
    if len(value) in _BASE32_SIZES and _base32.fullmatch(value):
        return strangeness(value) >= (_WORDS if digits else _STRANGE_SEED)
    return digits and _groups.fullmatch(value) is not None


def _mixed(value: str) -> bool:
    kinds = (any(map(str.islower, value)), any(map(str.isupper, value)), any(map(str.isdigit, value)))
    symbols = any(c in "!@#$%^&*+=~?" for c in value)
    return len(value) >= 10 and sum(kinds) + symbols >= 3 and "/" not in value


def is_typed_password(value: str) -> bool:
    """What people type as passwords: letters with digits or symbols, or letters that form no word."""
    if len(value) < 5:
        return False
    if value.isdigit():
        return len(value) >= 6
    letters = any(map(str.isalpha, value))
    digits = any(map(str.isdigit, value))
    symbols = any(not c.isalnum() and c not in ("-_./: " if digits else "-_./: =+,") for c in value)
    if is_plain_datum(value):
        return False
    if is_identifier(value) and not looks_random(value):
        return sum(map(str.isdigit, value)) >= (2 if strangeness(value) < _WORDS else 1)
    return letters and (digits or symbols or looks_random(value))
