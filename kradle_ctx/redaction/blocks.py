"""Layer 1: secrets that span lines, found by a line scanner from an opening line."""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.expressions import lazy_expression, lazy_linear_expression
from kradle_ctx.redaction.manifests import SECRET_KIND, secret_manifest
from kradle_ctx.redaction.model import Extent, Match, Rule

# What may stand before and after a line of a key: indent, quote marks, comment signs, string joins.
_LINE = lazy_expression(
    rb"[ \t>|#*\"'\x60+,;\-]*+(?:([A-Za-z0-9+/=]++)|([A-Z][A-Za-z\-]{2,24}+: [^\r\n]{0,100}+))?"
    rb"(?>(?:\\++[nr]?|[ \t\"'\x60+,;)|])*)\r?(?:\n|\Z)"
)
_JOINT = rb"(?:\\+[nrt]|\\+u000[aAdD]|%0[aAdD]|&#1[03];|[ \t\"'\\,+])"
_FLAT = lazy_linear_expression(
    rb"(?:"
    + _JOINT
    + rb"|[A-Z][A-Za-z\-]{2,24}: [\w, .\-]{1,60}(?:\\+[nr]))*((?:[A-Za-z0-9+/=]|\\+/){16,}(?:"
    + _JOINT
    + rb"+(?:[A-Za-z0-9+/=]|\\+/){16,})*(?:"
    + _JOINT
    + rb"+[A-Za-z0-9+/=]{1,15}){0,2})",
    latin=True,
)
_PREFIXED = lazy_linear_expression(
    rb"[^\n]{0,200}?[ \t|:>\])]([A-Za-z0-9+/]{2,128}={0,2})(?:\\+[nr]|[ \t\"'\x60+,;\\)|])*\r?(?:\n|\z)", latin=True
)
_LONGEST_LINE, _LONGEST_BODY = 512, 16384
_SHORT = 16
_indent = lazy_linear_expression(rb"[ \t>]*", latin=True)


def private_key(data: bytes, match: Match) -> Iterator[Extent]:
    """The body of a PEM private key after its opening line; the end line may be missing."""
    flat = _FLAT.match(data, match.end())
    if flat:
        yield flat.start(1), flat.end(1)
        return
    newline = data.find(b"\n", match.end(), match.end() + 64)
    if newline >= 0 and not data[match.end() : newline].strip(b" \t\r\"'`+,\\nr|>-"):
        lines = list(_key_lines(data, newline + 1))
        yield from lines or _lines_behind_prefixes(data, newline + 1)


def _lines_behind_prefixes(data: bytes, position: int) -> Iterator[Extent]:
    """Lines of a key that a log or a listing wrote something before; a short one is the last."""
    while line := _PREFIXED.match(data, position):
        body = line.end(1) - line.start(1)
        if body < _SHORT and b"-----" not in data[line.end() : line.end() + 200].partition(b"\n")[0]:
            return
        yield line.start(1), line.end(1)
        position = line.end()


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
    end = start = data.rfind(b"\n", max(0, match.start() - _LONGEST_LINE), match.start())
    while start > 0:
        previous = data.rfind(b"\n", max(0, start - _LONGEST_BODY), start)
        line = _LINE.match(data, previous + 1)
        if line is None or line.start(1) < 0 or line.end() != start + 1:
            break
        start = previous
    if end - start > _SHORT:
        yield int(_indent.match(data, start + 1).end()), end
    else:
        yield from _tail_behind_prefixes(data, end)


def _tail_behind_prefixes(data: bytes, end: int) -> Iterator[Extent]:
    """The same as `_lines_behind_prefixes`, from the end line upwards."""
    lines: list[Extent] = []
    while end > 0:
        start = data.rfind(b"\n", max(0, end - _LONGEST_LINE), end) + 1
        line = _PREFIXED.match(data, start)
        if line is None or line.end() != end + 1 or (lines and line.end(1) - line.start(1) < _SHORT):
            break
        lines.append((line.start(1), line.end(1)))
        end = start - 1
    yield from lines if max((end - start for start, end in lines), default=0) >= _SHORT else ()


_PUTTY_LINE = lazy_linear_expression(rb"[A-Za-z0-9+/=]{1,76}\r?(?:\n|\z)", latin=True)


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
        pattern=r"-----? ?BEGIN (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1) ?-----?",
        reader=private_key,
        hits=(
            "-----BEGIN RSA {~PRIVATE} KEY-----\n{b64:64}\n{b64:64}\n{b64:31}=\n-----END RSA {~PRIVATE} KEY-----\n",
            "key: |\n    -----BEGIN {~PRIVATE} KEY-----\n    {b64:64}\n    {b64:40}\nnext: 1\n",
            "a | -----BEGIN {~PRIVATE} KEY-----\na | {b64:64}\na | {b64:20}==\na | -----END {~PRIVATE} KEY-----\n",
            "-----BEGIN OpenVPN Static key V1-----\n{hex:32}\n{hex:32}\n-----END OpenVPN Static key V1-----\n",
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
            "cut\n12:01 {b64:64}\n12:01 {b64:64}\n12:01 -----END {~PRIVATE} KEY-----",
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
        pattern=SECRET_KIND,
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
