"""Path patterns: what matches, and what is certain to cover or to overlap what."""

from __future__ import annotations

import re

from hypothesis import strategies as st

from kradle_ctx.model.access import Access, Grant, folded, path_pattern
from kradle_ctx.resources.build import normal_pattern
from kradle_ctx.resources.scopes import covers, may_overlap, path_denial
from tests.fuzz.target import RECORD_MARK, Target, bytes_of, records_of, require

LONGEST_PATTERN, LONGEST_PATH = 2_000, 4_096
"""Characters of a pattern that the schemas let through, and bytes of a path that a listing does."""

LONGEST_MATCHED = 300
"""Characters up to which the slow matcher is asked as well."""

CONTROL = re.compile("[\x00-\x1f\x7f]")
"""What neither a pattern nor the path of a readable file holds: schemas, flags and listings refuse it."""

TOKENS = [
    "*",
    "**",
    "***",
    "**/",
    "/**",
    "?",
    "/",
    "a",
    "b",
    ".",
    "..",
    "-",
    "[",
    "]",
    "[org]",
    "\\",
    "é",
    "$",
    "(",
    "\n",
]
TEXTS = st.lists(st.sampled_from(TOKENS), max_size=10).map("".join)
SCRAPS = (*map(bytes_of, TOKENS), RECORD_MARK, b"a/" * 40, b"*a" * 20, b"**/" * 20, b"\xee\x80\x80", b"\xff")
SEEDS = (
    b"notes/**\x1enotes/*/a.md\x1enotes/x/a.md",
    b"**/*.md\x1ea/**/b?c\x1ea/x/y/bzc",
    b"./a//b/\x1e/incidents/\x1eincidents/1.md",
)


def check(data: bytes) -> str:
    """Match a path against two patterns, and hold what is said of the patterns against it."""
    wider, narrower, path = (
        CONTROL.sub("", record.decode(errors="replace")) or "a" for record in records_of(data, 3)[:3]
    )
    wider, narrower, path = wider[:LONGEST_PATTERN], narrower[:LONGEST_PATTERN], path[:LONGEST_PATH]
    matched = [path_pattern(pattern).fullmatch(path) is not None for pattern in (wider, narrower)]
    if len(path) <= LONGEST_MATCHED:
        expected = [matches(pattern[:LONGEST_MATCHED], path) for pattern in (wider, narrower)]
        long = len(wider) > LONGEST_MATCHED or len(narrower) > LONGEST_MATCHED
        require(long or matched == expected, "a pattern matches what its wildcards say")
    covered = covers(wider, narrower)
    require(covers(wider, wider), "a pattern covers itself")
    require(not covered or not matched[1] or matched[0], "what is covered matches where the narrower does")
    require(not all(matched) or may_overlap(wider, narrower), "patterns of one path may overlap")
    require_normal(wider)
    require_access(wider, narrower, path, matched)
    return f"{matched} {covered} {path_denial(Access((Grant('a', paths=(wider,)),)), narrower)}"


def require_normal(pattern: str) -> None:
    """Check that the normal form is one, and that a literal exclude in any form denies its file."""
    normal = normal_pattern(pattern)
    require(normal_pattern(normal) == normal, "a normal form has itself as its normal form")
    require(not normal.startswith(("/", "./")) and not normal.endswith("/"), "no normal form names no path")


def require_access(wider: str, narrower: str, path: str, matched: list[bool]) -> None:
    """Check that a grant lets through what it includes and does not exclude."""
    access = Access((Grant("a", paths=(wider,), exclude_paths=(narrower,)),))
    twin = path_pattern(folded(narrower)).fullmatch(folded(path)) is not None
    passed = matched[0] and not matched[1] and not twin
    require((access.allows(path, None, "internal") == wider) == passed, "excluded or not included: not allowed")
    require(access.covers_path(path) == passed, "a file that nobody could read lies within the same paths")
    require(access.allows(path, None, "restricted") is None, "what is more sensitive than granted is not allowed")


def matches(pattern: str, path: str) -> bool:
    """The meaning of a pattern, taken literally: every place of the path that each of its tokens can reach."""
    reached = {0}
    for token in re.findall(r"(?:\*\*/)+|\*\*+|.", pattern, re.DOTALL):
        if token.startswith("**") and token.endswith("/"):
            reached |= {at for at in folder_ends(path) if at > min(reached, default=len(path))}
        elif token.startswith("**"):
            reached = set(range(min(reached), len(path) + 1)) if reached else set()
        elif token == "*":
            reached = {end for at in reached for end in range(at, segment_end(path, at) + 1)}
        elif token == "?":
            reached = {at + 1 for at in reached if path[at : at + 1] not in ("", "/")}
        else:
            reached = {at + 1 for at in reached if path[at : at + 1] == token}
    return len(path) in reached


def folder_ends(path: str) -> list[int]:
    """Every place behind a slash."""
    return [at + 1 for at, character in enumerate(path) if character == "/"]


def segment_end(path: str, at: int) -> int:
    """Where the segment of a path that holds a place ends."""
    end = path.find("/", at)
    return len(path) if end < 0 else end


TARGET = Target(
    name="globs",
    promise="a pattern matches what its wildcards say; covering, overlapping and access follow from that",
    check=check,
    inputs=st.tuples(TEXTS, TEXTS, TEXTS).map(lambda texts: RECORD_MARK.join(map(bytes_of, texts))),
    seeds=lambda: list(SEEDS),
    scraps=SCRAPS,
)
