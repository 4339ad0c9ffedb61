"""Path patterns, grants, and the rule that deny beats allow."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import Literal
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kradle_ctx.model.access import (
    SENSITIVITIES,
    Access,
    Breadth,
    Grant,
    breadth,
    fill_placeholders,
    folded,
    path_pattern,
    sensitivity_rank,
)

PATTERNS = st.lists(st.sampled_from(["a", "b", ".", "[", "]", "/", "*", "?", "**", "**/"]), min_size=1, max_size=9).map(
    "".join
)
PATHS = st.text("ab.[]/", max_size=12)

Form = Literal["NFC", "NFD"]


def matches(pattern: str, path: str) -> bool:
    """Reference matcher, character by character, straight from the rule that the data model states."""

    @cache
    def rest(i: int, j: int) -> bool:
        if i == len(pattern):
            return j == len(path)
        if pattern.startswith("**/", i):
            ends = [k + 1 for k in range(j, len(path)) if path[k] == "/"]
            return any(rest(i + 3, k) for k in (j, *ends))
        if pattern.startswith("**", i):
            stars = len(pattern) - i - len(pattern[i:].lstrip("*"))
            return any(rest(i + stars, k) for k in range(j, len(path) + 1))
        if pattern[i] == "*":
            return rest(i + 1, j) or (j < len(path) and path[j] != "/" and rest(i, j + 1))
        if j == len(path):
            return False
        return (pattern[i] == path[j] or (pattern[i] == "?" and path[j] != "/")) and rest(i + 1, j + 1)

    return rest(0, 0)


@given(PATTERNS, PATHS)
def test_a_pattern_matches_what_the_reference_matches(pattern: str, path: str) -> None:
    assert bool(path_pattern(pattern).fullmatch(path)) is matches(pattern, path)


@given(PATHS)
def test_a_path_without_wildcards_matches_itself_alone(path: str) -> None:
    assert path_pattern(path).fullmatch(path)
    assert not path_pattern(path).fullmatch(path + "a")


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("notes/[ab].md", "notes/[ab].md", True),
        ("notes/[ab].md", "notes/a.md", False),
        ("notes/{a,b}.md", "notes/a.md", False),
        ("!notes/a.md", "notes/b.md", False),
        ("**/a.md", "a.md", True),
        ("**/a.md", "x/y/a.md", True),
        ("**/a.md", "xa.md", False),
        ("notes/**", "notes/", True),
        ("notes/**", "notes", False),
        ("notes/**", "notes/.hidden/x", True),
        ("notes/**/x.md", "notes/x.md", True),
        ("notes/*", "notes/a/b", False),
        ("notes/?.md", "notes/ab.md", False),
        ("Notes/*", "notes/a", False),
        ("notes/*", "notes/a\nb", True),
        ("notes/*.md", "notes/a.md\n", False),
        ("a.b", "axb", False),
        ("ä/*", "ä/ö", True),
    ],
)
def test_wildcards_are_star_double_star_and_question_mark_and_nothing_else(
    pattern: str, path: str, expected: bool
) -> None:
    assert bool(path_pattern(pattern).fullmatch(path)) is expected


@pytest.mark.parametrize(
    "pattern", ["*a" * 3 + "b", "**a" * 3 + "b", "**/a/" * 3 + "b", "*a" * 400 + "b", "**/a/" * 200]
)
def test_matching_takes_no_more_than_quadratic_time_on_hostile_patterns(pattern: str) -> None:
    path = ("a/" if "/" in pattern else "a") * 700
    compiled = path_pattern(pattern)
    started = time.perf_counter()
    compiled.fullmatch(path)
    assert time.perf_counter() - started < 20  # backtracking would take hours


def test_placeholders_are_filled_by_name_only() -> None:
    values = {"org": "a5c", "repo": "kradle"}
    assert fill_placeholders("[org]/[repo]/[stack]/[Repo]/[draft]", values) == "a5c/kradle/[stack]/[Repo]/[draft]"


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("notes/ci/a.md", Breadth.EXACT),
        ("notes/ci/**", Breadth.NARROW),
        ("notes/**", Breadth.BROAD),
        ("**", Breadth.BROAD),
    ],
)
def test_a_pattern_has_a_breadth(pattern: str, expected: Breadth) -> None:
    assert breadth(pattern) is expected


def test_a_record_needs_its_path_and_its_kind_and_a_note_only_its_path() -> None:
    access = Access((Grant("g", paths=("runbooks/**",), kinds=("Runbook",)),))
    assert access.allows("runbooks/a.md", "Runbook", "public") == "runbooks/**"
    assert access.allows("runbooks/a.md", "Incident", "public") is None
    assert access.allows("incidents/a.md", "Runbook", "public") is None
    assert access.allows("runbooks/a.md", None, "public") == "runbooks/**"


def test_a_list_that_is_absent_does_not_restrict_and_both_absent_grant_nothing() -> None:
    by_path, by_kind, bare = (
        Access((grant,)) for grant in (Grant("p", ("a/**",)), Grant("k", None, ("Term",)), Grant("b"))
    )
    assert by_path.allows("a/x", "Anything", "public") == "a/**"
    assert by_kind.allows("b/x", "Term", "public") == "kind:Term"
    assert by_kind.allows("b/x", None, "public") is None
    assert bare.allows("a/x", "Term", "public") is None


def test_an_empty_list_grants_nothing() -> None:
    assert Access((Grant("g", paths=()),)).allows("a", None, "public") is None
    assert Access((Grant("g", paths=("**",), kinds=()),)).allows("a", "Term", "public") is None


@pytest.mark.parametrize(
    "deny",
    [
        Grant("deny", exclude_paths=("a/b/**",)),
        Grant("deny", exclude_kinds=("Term",)),
        Grant("deny", ("**",), None, ("a/b/?",)),
    ],
)
def test_deny_beats_allow_even_from_another_grant(deny: Grant) -> None:
    allow = Grant("allow", paths=("**", "a/b/c"))
    assert Access((allow,)).allows("a/b/c", "Term", "public") == "a/b/c"
    for grants in ((allow, deny), (deny, allow)):
        assert Access(grants).allows("a/b/c", "Term", "public") is None
        assert Access(grants).allows("a/d", "Page", "public") == "**"


@pytest.mark.parametrize(
    ("denied", "path"),
    [
        ("hr/**", "HR/a.md"),
        ("HR/**", "hr/a.md"),
        ("**/Secret.md", "a/SECRET.MD"),
        ("büro/*", "bu\u0308ro/a"),
        ("bu\u0308ro/*", "b\u00fcro/a"),
        ("BÜRO/*", "bu\u0308ro/a"),
        ("straße/*", "STRASSE/a"),
        ("STRASSE/*", "straße/a"),
        ("\u212a.md", "k.md"),
        ("ο\u03c2.md", "ΟΣ.MD"),
        ("?.md", "e\u0301.md"),
        ("??.md", "e\u0301.md"),
    ],
)
def test_what_denies_also_denies_twins_by_case_and_normal_form(denied: str, path: str) -> None:
    access = Access((Grant("g", paths=("**",), exclude_paths=(denied,)),))
    assert access.allows(path, None, "public") is None
    assert not access.covers_path(path)


@pytest.mark.parametrize(
    ("allowed", "path"),
    [("hr/**", "HR/a.md"), ("büro/*", "bu\u0308ro/a"), ("straße/*", "strasse/a"), ("?.md", "e\u0301.md")],
)
def test_what_allows_does_not_allow_twins(allowed: str, path: str) -> None:
    access = Access((Grant("g", paths=(allowed,)),))
    assert access.allows(path, None, "public") is None
    assert not access.covers_path(path)


def test_a_kind_is_denied_with_its_twins_and_allowed_without() -> None:
    access = Access((Grant("g", kinds=("Customer", "Büro"), exclude_kinds=("PERSON",)),))
    assert access.allows("a", "Customer", "public") == "kind:Customer"
    assert [access.allows("a", kind, "public") for kind in ("customer", "Bu\u0308ro", "person", "Person")] == [None] * 4
    everything = Access((Grant("g", paths=("**",), exclude_kinds=("PERSON", "büro")),))
    assert [everything.allows("a", kind, "public") for kind in ("person", "BU\u0308RO")] == [None] * 2


@given(st.text(max_size=8), st.sampled_from(["NFC", "NFD"]), st.sampled_from([str.upper, str.lower, str.casefold]))
def test_a_name_and_its_twins_fold_to_the_same(name: str, form: Form, changed: Callable[[str], str]) -> None:
    assert folded(normalize(form, name)) == folded(name)
    assert folded(folded(name)) == folded(name)
    if name.isascii():
        assert folded(changed(name)) == folded(name)


@given(PATHS, st.lists(PATTERNS, max_size=3), st.lists(PATTERNS, max_size=3), st.sampled_from([None, "Term", "Page"]))
def test_access_is_some_allow_and_no_deny(path: str, allow: list[str], deny: list[str], kind: str | None) -> None:
    access = Access((Grant("g", tuple(allow), ("Term",), tuple(deny)),))
    expected = kind != "Page" and any(matches(p, path) for p in allow) and not any(matches(p, path) for p in deny)
    assert (access.allows(path, kind, "public") is not None) is expected


def test_a_sensitivity_passes_only_where_it_is_granted() -> None:
    default, wide = Access((Grant("g", ("**",)),)), Access((Grant("g", ("**",), sensitivities=("restricted",)),))
    assert [default.allows("a", None, word) for word in (*SENSITIVITIES, "odd")] == ["**", "**", None, None, None]
    assert [wide.allows("a", None, word) for word in (*SENSITIVITIES, "odd")] == [None, None, "**", None, None]


def test_on_a_public_repository_only_public_items_pass_unless_the_source_says_otherwise() -> None:
    plain, open_ = Grant("plain", ("**",)), Grant("open", ("notes/**",), allow_on_public=True)
    access = Access((plain, open_), public_dispatch=True)
    assert access.allows("a", None, "public") == "**"
    assert access.allows("a", None, "internal") is None
    assert access.allows("notes/a", None, "internal") == "notes/**"
    assert access.allows("notes/a", None, "restricted") is None


def test_the_most_specific_pattern_is_the_one_that_is_told() -> None:
    access = Access((Grant("g", ("**", "a/b/c.md", "a/b/**")), Grant("h", ("a/**",))))
    assert access.allows("a/b/c.md", None, "public") == "a/b/c.md"
    assert access.allows("a/b/d.md", None, "public") == "a/b/**"
    assert access.allows("a/d.md", None, "public") == "a/**"


def test_an_unknown_sensitivity_counts_as_the_strictest() -> None:
    ranks = [sensitivity_rank(word) for word in ("public", "internal", "restricted", "secret-metadata", "odd")]
    assert ranks == sorted(set(ranks))
