"""Layer 1: secrets that span lines, found by a line scanner from an opening line."""

from __future__ import annotations

from collections.abc import Iterator

import re2

from kradle_ctx.redaction.keys import Strength, classify
from kradle_ctx.redaction.model import Extent, Match, Rule
from kradle_ctx.redaction.never_touch import is_placeholder, is_public_material
from kradle_ctx.redaction.values import is_secret, is_typed_password, read_values

_latin = re2.Options()
_latin.encoding = re2.Options.Encoding.LATIN1

# What may stand before and after a line of a key: indent, quote marks, comment signs, string joins.
_LINE = re2.compile(
    rb"[ \t>|#*\"'\x60+,;\-]*(?:"
    rb"([A-Za-z0-9+/=]+)|([A-Z][A-Za-z\-]{2,24}: [^\r\n]{0,100}))?(?:\\+[nr]|[ \t\"'\x60+,;\\)|"
    rb"])*\r?(?:\n|\z)",
    _latin,
)
_JOINT = rb"(?:\\+[nrt]|\\+u000[aAdD]|%0[aAdD]|&#1[03];|[ \t\"'\\,+])"
_FLAT = re2.compile(
    rb"(?:"
    + _JOINT
    + rb"|[A-Z][A-Za-z\-]{2,24}: [\w, .\-]{1,60}(?:\\+[nr]))*((?:[A-Za-z0-9+/=]|\\+/){16,}(?:"
    + _JOINT
    + rb"+(?:[A-Za-z0-9+/=]|\\+/){16,})*(?:"
    + _JOINT
    + rb"+[A-Za-z0-9+/=]{1,15}){0,2})",
    _latin,
)
_SHORT = 16
_indent = re2.compile(rb"[ \t>]*", _latin)


def private_key(data: bytes, match: Match) -> Iterator[Extent]:
    """The body of a PEM private key after its opening line; the end line may be missing."""
    flat = _FLAT.match(data, match.end())
    if flat:
        yield flat.start(1), flat.end(1)
        return
    newline = data.find(b"\n", match.end(), match.end() + 64)
    if newline >= 0 and not data[match.end() : newline].strip(b" \t\r\"'`+,\\nr|>-"):
        yield from _key_lines(data, newline + 1)


def _key_lines(data: bytes, position: int) -> Iterator[Extent]:
    start = end = -1
    while position < len(data):
        line = _LINE.match(data, position)
        if line is None or line.end() == position:
            break
        position = line.end()
        size = line.end(1) - line.start(1)
        if size == 0 or line.start(1) < 0:
            continue
        if size < _SHORT and start < 0:
            break
        start = start if start >= 0 else line.start(1)
        end = line.end(1)
    if start >= 0:
        yield start, end


def key_tail(data: bytes, match: Match) -> Iterator[Extent]:
    """The lines of a PEM private key before an end line, when the opening line is out of the text."""
    end = start = data.rfind(b"\n", 0, match.start())
    while start > 0:
        previous = data.rfind(b"\n", 0, start)
        line = _LINE.match(data, previous + 1)
        if line is None or line.start(1) < 0 or line.end() != start + 1:
            break
        start = previous
    if end - start > _SHORT:
        yield int(_indent.match(data, start + 1).end()), end


def _document(data: bytes, match: Match) -> Extent:
    """The YAML document or JSON object around a `kind: Secret` line, no further than the next `kind:`."""
    start = max(data.rfind(b"\nkind:", 0, match.start()), 0)
    start = max(data.rfind(b"\n---", start, match.start()), start)
    end = data.find(b"\nkind:", match.end())
    end = len(data) if end < 0 else end
    stop = data.find(b"\n---", match.end(), end)
    return start, end if stop < 0 else stop


_SECTION = re2.compile(rb"(?m)^([ \t]*)\"?(data|stringData)\"?:[ \t]*\{?[ \t]*\r?\n", _latin)
_ENTRY = re2.compile(rb"([ \t]*)\"?([\w.\-]+)\"?:", _latin)
_last_word = re2.compile(r"[A-Za-z]*[^A-Za-z]*$")
_PUBLIC_FIELDS = frozenset("crt cert certificate pub hosts chain".split())
_OPEN_FIELDS = frozenset(
    [
        "host",
        "hostname",
        "port",
        "user",
        "username",
        "database",
        "dbname",
        "url",
        "uri",
        "endpoint",
        "region",
        "name",
        "email",
        "server",
        "scheme",
    ]
)


def secret_manifest(data: bytes, match: Match) -> Iterator[Extent]:
    """The values under `data` and `stringData` of a Kubernetes Secret."""
    start, end = _document(data, match)
    for section in _SECTION.finditer(data, start, end):
        position, inset = section.end(), len(section.group(1))
        while position < end:
            entry = _ENTRY.match(data, position)
            if entry is None or len(entry.group(1)) <= inset:
                break
            yield from _entry_values(
                data, entry.group(2).decode("ascii", "replace"), entry.end(), section.group(2) == b"data"
            )
            position = _next_entry(data, entry.end(), len(entry.group(1)), end)


def _entry_values(data: bytes, name: str, position: int, encoded: bool) -> Iterator[Extent]:
    strength = classify(name)
    if strength is Strength.NONE and _open_field(name, encoded):
        return
    for value in read_values(data, position):
        text = data[value.start : value.end].decode("utf-8", "replace")
        if is_placeholder(text) or is_public_material(text):
            continue
        if encoded or (" " not in text and is_typed_password(text)) or is_secret(text, strength, quoted=True):
            yield value.start, value.end


def _open_field(name: str, encoded: bool) -> bool:
    """Whether a field of a Secret is public by name: certificates, known hosts, and plain addresses."""
    last = _last_word.search(name).group().lower()
    return last in _PUBLIC_FIELDS or (not encoded and last in _OPEN_FIELDS)


def _next_entry(data: bytes, position: int, inset: int, end: int) -> int:
    """The next line that is not further in than the entries of the section."""
    while (newline := data.find(b"\n", position, end)) >= 0:
        position = newline + 1
        line = data[position : position + inset + 1]
        if line.strip() and line[inset:].strip():
            return position
    return end


_PUTTY_LINE = re2.compile(rb"[A-Za-z0-9+/=]{1,76}\r?(?:\n|\z)", _latin)


def putty_lines(data: bytes, match: Match) -> Iterator[Extent]:
    """The base64 lines after `Private-Lines:` of a PuTTY key file."""
    position = match.end()
    while line := _PUTTY_LINE.match(data, position):
        position = line.end()
    if position > match.end():
        yield match.end(), position - (data[position - 1 : position] == b"\n")


RULES: tuple[Rule, ...] = (
    Rule(
        id="pem-private-key",
        kind="private-key",
        pattern=r"-----? ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-----?",
        reader=private_key,
        hits=(
            "-----BEGIN RSA {~PRIVATE} KEY-----\n{b64:64}\n{b64:64}\n{b64:31}=\n-----END RSA {~PRIVATE} KEY-----\n",
            "key: |\n    -----BEGIN {~PRIVATE} KEY-----\n    {b64:64}\n    {b64:40}\nnext: 1\n",
            'KEY="-----BEGIN EC {~PRIVATE} KEY-----\\n{b64:64}\\n{b64:24}==\\n-----END EC {~PRIVATE} KEY-----\\n"',
        ),
        misses=(
            "Keys start with `-----BEGIN RSA {~PRIVATE} KEY-----`; never paste one.",
            "-----BEGIN {~PRIVATE} KEY-----\n...\n-----END {~PRIVATE} KEY-----\n",
        ),
    ),
    Rule(
        id="pem-private-key-tail",
        kind="private-key",
        pattern=r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----",
        reader=key_tail,
        hits=(
            "{b64:64}\n{b64:30}\n-----END {~PRIVATE} KEY-----",
            "cut\n  {b64:64}\n  {b64:64}\n  -----END RSA {~PRIVATE} KEY-----",
        ),
        misses=(
            "It ends with\n-----END {~PRIVATE} KEY-----",
            "the footer `-----END RSA {~PRIVATE} KEY-----` alone",
        ),
    ),
    Rule(
        id="putty-private-key",
        kind="private-key",
        pattern=r"(?m)^Private-Lines: \d+\r?\n",
        reader=putty_lines,
        hits=("Private-Lines: 2\n{b64:64}\n{b64:40}\nPrivate-MAC: x\n", "Private-Lines: 1\n{b64:64}\n"),
        misses=("Private-Lines: 0\n\nnothing here", "the header Private-Lines: 14 counts lines"),
    ),
    Rule(
        id="kubernetes-secret",
        kind="kubernetes-secret",
        pattern=r"(?m)^[ \t]*[\"']?kind[\"']?:[ \t]*[\"']?Secret[\"']?[ \t]*,?\r?$",
        reader=secret_manifest,
        hits=(
            "kind: Secret\nmetadata:\n  name: a\ndata:\n  value: {b64:32}\n",
            "apiVersion: v1\nstringData:\n  smtp: {pw:14}\nkind: Secret\n",
        ),
        misses=(
            "kind: Secret\nmetadata:\n  name: orders-db\ntype: Opaque\n",
            "kind: ConfigMap\ndata:\n  level: info\n",
        ),
    ),
)
