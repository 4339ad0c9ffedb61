"""Frontmatter: where the block begins and ends, and what it says."""

from __future__ import annotations

from hypothesis import strategies as st

from kradle_ctx.yamldoc import InvalidYaml, split_frontmatter
from tests.fuzz.target import Target, bytes_of, require, text_of
from tests.fuzz.yaml_promises import fault_word, require_value

SCRAPS = (b"---", b"---\n", b"\n---\n", b"\r\n", b"--- \t\r\n", b"...\n", b"\xef\xbb\xbf", b"+++\n", b"```\n", b"# x\n")
LINES = st.sampled_from(
    ["---", "--- ", "---\t", "----", "--", "-", "...", "a: 1", "a: [", "", " ", "# h", "é: 日", "\r"]
)


def check(data: bytes) -> str:
    """Split, compare with a reading line by line, and read the value."""
    text = text_of(data)
    found = split_frontmatter(text)
    fences = fence_lines(text)
    require((found is None) == (len(fences) < 2), "frontmatter is found where two lines are fences, the first on top")
    if found is None:
        return "none"
    require(text.count("\n", 0, found.end) == fences[1], "the block ends at the second fence")
    require(found.body_line == 1 + text.count("\n", 0, found.body_start), "the body begins on its line")
    require(text[found.start : found.end] == found.yaml, "the block is what stands between its offsets")
    require(text.count("\n", 0, found.start) == 1 == found.first_line - 1, "the block begins on line 2")
    require(found.end <= found.body_start <= len(text), "the body begins behind the block")
    try:
        value = found.value()
    except InvalidYaml as error:
        return fault_word(error.fault, 2, found.body_line)
    require_value(value)
    return type(value).__name__


def fence_lines(text: str) -> list[int]:
    """The lines, from 0, that are fences, if the first line is one and another line follows it."""
    lines = text.removeprefix("\ufeff").split("\n")
    fences = [number for number, line in enumerate(lines) if line.removesuffix("\r").rstrip(" \t") == "---"]
    return fences if fences[:1] == [0] and len(lines) > 1 else []


TARGET = Target(
    name="frontmatter",
    promise="the block stands where its fences say, and a block that cannot be read is a fault with its line",
    check=check,
    inputs=st.lists(LINES, max_size=12).map("\n".join).map(bytes_of),
    seeds=lambda: [b"---\nid: a\nkind: Runbook\n---\n# Title\n", b"\xef\xbb\xbf---\r\na: 1\r\n---\r\nb\r\n"],
    scraps=SCRAPS,
)
