"""Layer 3, tables: the cells of columns that are headed as a credential."""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.expressions import lazy_expression, lazy_linear_expression
from kradle_ctx.redaction.keys import Strength, classify
from kradle_ctx.redaction.model import Extent, Match, Rule
from kradle_ctx.redaction.never_touch import is_marker
from kradle_ctx.redaction.reading import read_values
from kradle_ctx.redaction.values import is_secret

_network = lazy_expression(rb"(?i)\bssid\b|wi-?fi|wlan")


def table_columns(data: bytes, match: Match) -> Iterator[Extent]:
    """The cells of Markdown table columns that are headed as a credential."""
    end = match.start() - 1
    header = data[data.rfind(b"\n", max(0, end - 4096), max(0, end)) + 1 : max(0, end)]
    strengths = [classify(cell.decode("utf-8", "replace")) for cell in _cells(header)]
    if _network.search(header):
        strengths = [Strength.PASSWORD if each is Strength.WEAK else each for each in strengths]
    if not any(each is not Strength.NONE for each in strengths):
        return
    position = match.end() + 1
    while (stop := data.find(b"\n", position)) >= 0 or position < len(data):
        stop = stop if stop >= 0 else len(data)
        if b"|" not in data[position:stop] or _DELIMITER.match(data, position):
            return
        yield from _row(data, position, data[position:stop], strengths)
        position = stop + 1


_DELIMITER = lazy_linear_expression(rb"[ \t>]*\|?[ \t]*:?-+:?[ \t]*\|", latin=True)


def _cells(line: bytes) -> list[bytes]:
    return line.strip().strip(b"|").split(b"|")


def _row(data: bytes, position: int, line: bytes, strengths: list[Strength]) -> Iterator[Extent]:
    offset = position + line.find(b"|") + 1 if line.lstrip()[:1] == b"|" else position
    for strength, cell in zip(strengths, data[offset : position + len(line)].split(b"|"), strict=False):
        if strength is not Strength.NONE:
            for value in read_values(cell, 0):
                if is_secret(value.text(cell), strength, quoted=value.quoted):
                    start, end = value.extent(cell)
                    yield offset + start, offset + end
        offset += len(cell) + 1


def delimited_columns(data: bytes, match: Match) -> Iterator[Extent]:
    """The cells of comma-separated columns that are headed as a credential."""
    separator = next((mark for mark in (b"\t", b";", b",") if mark in match.group()), None)
    if separator is None:
        return
    header = [cell.strip(b'" \r').decode("utf-8", "replace") for cell in match.group().split(separator)]
    strengths = [classify(cell) for cell in header]
    if all(strength is Strength.NONE for strength in strengths):
        return
    position = match.end() + 1
    while position < len(data):
        stop = data.find(b"\n", position)
        stop = len(data) if stop < 0 else stop
        cells = data[position:stop].rstrip(b"\r").split(separator)
        if len(cells) != len(header) or _is_header(cells):
            return
        yield from _fields(cells, strengths, position)
        position = stop + 1


def _is_header(cells: list[bytes]) -> bool:
    """Whether a row names columns itself, so that the next table begins here."""
    names = (cell.strip(b'" ').decode("utf-8", "replace") for cell in cells)
    return any(classify(name) is not Strength.NONE and not is_marker(name) for name in names)


def _fields(cells: list[bytes], strengths: list[Strength], offset: int) -> Iterator[Extent]:
    for cell, strength in zip(cells, strengths, strict=True):
        value = cell.strip(b'" ')
        if strength is not Strength.NONE and is_secret(value.decode("utf-8", "replace"), strength, quoted=True):
            start = offset + cell.find(value)
            yield start, start + len(value)
        offset += len(cell) + 1


MARKDOWN: tuple[Rule, ...] = (
    Rule(
        id="table-column",
        kind="secret",
        pattern=r"(?m)^[ \t>]*(?:\|[ \t]*:?-{1,}:?[ \t]*|:?-{2,}:?[ \t]*\|[ \t]*:?-{2,}:?[ \t]*)(?:\|"
        r"[ \t]*:?-{1,}:?[ \t]*)*\|?[ \t]*\r?$",
        reader=table_columns,
        hits=(
            "| system | password |\n|---|---|\n| wiki | {pw:14} |\n",
            "user | token\n--- | ---\nbot | {base62:32}\n",
        ),
        misses=(
            "| system | password |\n|---|---|\n| wiki | SSO |\n",
            "| step | token count |\n|---|---|\n| one | 4096 |\n",
        ),
    ),
)

DELIMITED: tuple[Rule, ...] = (
    Rule(
        id="delimited-column",
        kind="secret",
        pattern=r"(?mi)^(?:\"?[\w .\-]{1,30}\"?[,;\t])*\"?[\w .\-]{0,20}(?:pass|secret|token|key|pwd|"
        r"cred)[\w .\-]{0,20}\"?(?:[,;\t]\"?[\w .\-]{1,30}\"?)*\r?$",
        reader=delimited_columns,
        hits=("user,password,role\nbob,{pw:12},admin\n", "name;api_key\nci;{hex:32}\n"),
        misses=("user,password,role\nbob,<password>,admin\n", "name,tokens\nrun,4096\n"),
    ),
)
