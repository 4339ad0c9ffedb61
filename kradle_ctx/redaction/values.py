"""Reading the value after a field name, and judging whether it is a secret."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import re2

from kradle_ctx.redaction.keys import Strength
from kradle_ctx.redaction.model import Extent
from kradle_ctx.redaction.never_touch import (
    is_digest,
    is_expression,
    is_identifier,
    is_placeholder,
    is_plain_datum,
    is_public_material,
    is_uuid,
)
from kradle_ctx.redaction.randomness import entropy, is_hex, looks_random, strangeness

LONGEST = 8192
"""Bytes that a single quoted or folded value may have; the rest of a longer one is scanned by itself."""

_latin = re2.Options()
_latin.encoding = re2.Options.Encoding.LATIN1

_lead = re2.compile(
    rb"[ \t]*(?:!!?\w+[ \t]+)?(?:[A-Za-z\-]*SecureString[ \t]+(?:-String[ \t]+)?)?(?:(?:new "
    rb")?[Ss]tring\(|[brfuBRFU@$]{1,2})?(?:\*{1,3}|_{1,3})?[ \t]*"
    rb"(\\*\"{3}|'{3}|\\*[\"']|\x60{1,3}|<!\[CDATA\[)",
    _latin,
)
_space = re2.compile(rb"[ \t]*(?:\*{1,3}[ \t]*)?", _latin)
_folded = re2.compile(rb"[ \t]*[>|][+\-]?\d?[ \t]*(?:#[^\n]*)?\r?\n", _latin)
_next_line = re2.compile(rb"[ \t]*(?:#[^\n]*)?\r?\n", _latin)
_indent = re2.compile(rb"[ \t]*", _latin)
_bare = re2.compile(rb"[^\s\"'\x60<>|]+", _latin)
_line_rest = re2.compile(rb"[^\r\n]*", _latin)
_scheme = re2.compile(
    rb"(?i)^(?:bearer|basic|token|apikey|digest|negotiate|aws4-hmac-sha256|key|base64:)[ \t]*", _latin
)
_cut = re2.compile(rb"[,;&](?:$|[\w.\-]+[=:]|[)\]}])|[,;]+$|\\[nrt\"']|%26|\*\*|[)\]}]+[,;.]?$", _latin)
_passphrase = re2.compile(r"^[a-z]{3,}(?:[ \-][a-z]{3,}){3,11}$")
_WORDS = 0.2
_hex_run = re2.compile(r"[0-9a-f]{32}")
_pair = re2.compile(r"^[\w.\-@\\]{2,40}[:/](\S{6,})$")
_base32 = re2.compile(r"^(?:[A-Z2-7]{16}|[A-Z2-7]{26}|[A-Z2-7]{32}|[A-Z2-7]{52})$")
_groups = re2.compile(r"^[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){2,7}$")
_FILLER = frozenset(
    """
    the is are for and with not you your must from that this was has can should will may use when all any into
    but one per via its of to in on at by or be as it
    """.split()
)
_CLOSERS = {b"<![CDATA[": b"]]>"}
_flat_list = re2.compile(rb"\[\s*(?:(?:\"[^\"\n]*\"|'[^'\n]*')\s*,?\s*)*", _latin)
_ELEMENT = re2.compile(rb"[\"']([^\"'\n]{4,512})[\"']", _latin)
_LIST_ITEM = re2.compile(rb"(?m)\A[ \t]*-[ \t]+[\"']?([^\s\"'#]{6,512})[\"']?[ \t]*\r?(?:\n|\z)", _latin)


@dataclass(frozen=True, slots=True)
class Value:
    """A value in the scan copy; `quoted` when quotes set its ends."""

    start: int
    end: int
    quoted: bool


def read_values(data: bytes, position: int) -> Iterator[Value]:
    """The value (or the elements of a list of values) that starts at the position after a separator."""
    quote = _lead.match(data, position)
    if quote:
        yield _quoted(data, quote.end(), quote.group(1))
        return
    folded = _folded.match(data, position)
    if folded:
        yield from _block(data, position, folded.end())
        return
    line_end = _next_line.match(data, position)
    if line_end:
        yield from _following(data, position, line_end.end())
        return
    yield from _unquoted(data, _space.match(data, position).end())


def _quoted(data: bytes, start: int, opener: bytes) -> Value:
    closer = _CLOSERS.get(opener, opener)
    limit = min(len(data), start + LONGEST)
    end = data.find(closer, start, limit)
    while end > start and len(closer) == 1 and data[end - 1] == 0x5C and _odd_backslashes(data, start, end):
        end = data.find(closer, end + 1, limit)
    if len(closer) < 3:
        newline = data.find(b"\n", start, limit if end < 0 else end)
        if newline >= 0 and (end < 0 or closer == b"`"):
            end = newline
    return Value(start, limit if end < 0 else end, True)


def _odd_backslashes(data: bytes, start: int, end: int) -> bool:
    count = 0
    while end - 1 - count >= start and data[end - 1 - count] == 0x5C and count < 64:
        count += 1
    return count % 2 == 1


def _line_indent(data: bytes, position: int) -> int:
    start = data.rfind(b"\n", max(0, position - LONGEST), position) + 1
    return int(_indent.match(data, start).end()) - start


def _block(data: bytes, position: int, start: int) -> Iterator[Value]:
    """The lines of a folded or literal YAML scalar, each a value."""
    parent = _line_indent(data, position)
    while start < len(data) and start - position < LONGEST:
        text = _indent.match(data, start).end()
        end = _line_rest.match(data, text).end()
        if end > text and text - start <= parent:
            return
        if end > text:
            yield Value(text, end, True)
        start = data.find(b"\n", end) + 1 or len(data)


def _following(data: bytes, position: int, start: int) -> Iterator[Value]:
    """A value or a list that stands on the next lines, further in than the field."""
    parent = _line_indent(data, position)
    while item := _LIST_ITEM.match(data[start : start + 600]):
        yield Value(start + item.start(1), start + item.end(1), False)
        start += item.end()
    text = _indent.match(data, start).end()
    if text - start > parent and _bare.match(data, text):
        end = _line_rest.match(data, text).end()
        line = data[text:end].rstrip()
        if b" " not in line and b": " not in line and not line.endswith(b":"):
            yield Value(text, text + len(line), False)


def _unquoted(data: bytes, start: int) -> Iterator[Value]:
    if data[start : start + 1] == b"[":
        end = int(_flat_list.match(data, start, min(len(data), start + LONGEST)).end())
        for element in _ELEMENT.finditer(data, start, end):
            yield Value(element.start(1), element.end(1), True)
        if end - start > 2:
            return
    if data[start : start + 1] == b"{" and data[start : start + 2] != b"{{":
        return
    match = _bare.match(data, start, min(len(data), start + LONGEST))
    if match:
        yield Value(start, _trimmed(data, start, match.end()), False)


def _trimmed(data: bytes, start: int, end: int) -> int:
    """Where an unquoted value ends: before a separator of pairs, an unopened bracket, an escape."""
    for cut in _cut.finditer(data[start:end]):
        mark = cut.group()
        if mark[:1] in b")]}" and mark[:1].translate(_OPENERS) in data[start:end]:
            continue
        if cut.start() > 0:
            return start + int(cut.start())
    return end


_OPENERS = bytes.maketrans(b")]}", b"([{")


def secrets(data: bytes, position: int, strength: Strength) -> Iterator[Extent]:
    """The values after a separator that are secrets, without a scheme such as `Bearer`."""
    for value in read_values(data, position):
        start, end = value.start, value.end
        raw = data[start:end]
        scheme = _scheme.match(raw)
        if scheme and not value.quoted and scheme.end() == len(raw):
            follow = _bare.match(data, _space.match(data, end).end())
            if follow is None:
                continue
            start, end = follow.start(), follow.end()
        elif scheme and scheme.end() < len(raw) and (raw[scheme.end() - 1 : scheme.end()] in b" :"):
            start += scheme.end()
        if not value.quoted and strength is Strength.PASSWORD:
            end = max(end, _passphrase_end(data, start))
        if is_secret(data[start:end].decode("utf-8", "replace"), strength, quoted=value.quoted):
            yield start, end


def _passphrase_end(data: bytes, start: int) -> int:
    line = data[start : _line_rest.match(data, start, min(len(data), start + 120)).end()].rstrip(b" \t.,;")
    words = line.decode("utf-8", "replace")
    return start + len(line) if len(line) < 120 and is_passphrase(words) else -1


def is_passphrase(text: str) -> bool:
    """Four or more plain words that form no sentence."""
    return _passphrase.match(text) is not None and not _FILLER & set(text.replace("-", " ").split())


def is_secret(value: str, strength: Strength, *, quoted: bool) -> bool:
    """Whether a value under a field name of this strength is worth hiding."""
    value = value.strip().rstrip("\\")
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
        and (pair := _pair.match(value))
        and is_secret(pair.group(1), Strength.PASSWORD, quoted=quoted)
    ):
        return any(map(str.isdigit, pair.group(1)))
    return is_uuid(value) or is_hex(value) or (len(value) >= 8 and looks_random(value)) or _mixed(value)


def _is_clearly_random(value: str) -> bool:
    if "/" in value or _hex_run.search(value) or is_uuid(value):
        return False
    return len(value) >= 20 and looks_random(value) and entropy(value) >= 3.2


def _dotted_random(value: str) -> bool:
    return "(" not in value and "[" not in value and looks_random(value)


def _is_code(value: str) -> bool:
    """Base-32 seeds of one-time passwords (RFC 4648) and licence keys in groups."""
    return (_base32.match(value) is not None and strangeness(value) >= 0.35) or (
        _groups.match(value) is not None and any(map(str.isdigit, value))
    )


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
    symbols = any(not c.isalnum() and c not in "-_./: " for c in value)
    if is_plain_datum(value):
        return False
    if is_identifier(value) and not looks_random(value):
        return sum(map(str.isdigit, value)) >= (2 if strangeness(value) < _WORDS else 1)
    return letters and (digits or symbols or looks_random(value))
