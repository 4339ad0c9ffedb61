"""Denied scopes are named from grants and request alone."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kradle_ctx.model.access import Access, Grant, path_pattern
from kradle_ctx.model.request import Request
from kradle_ctx.resources import denied_scopes, local_access
from kradle_ctx.resources.scopes import covers, may_overlap

PATTERNS = st.lists(st.sampled_from(["a", "b", "/", "*", "?", "**", "**/"]), min_size=1, max_size=6).map("".join)
PATHS = st.text("ab/", max_size=8)


def test_excludes_are_named_whether_or_not_they_were_asked_for() -> None:
    access = Access(
        (
            Grant("one", ("**",), exclude_paths=("incidents/security/**",), exclude_kinds=("Customer",)),
            Grant("two", ("**",), exclude_paths=("incidents/security/**", "hr/**")),
        )
    )
    assert denied_scopes(access, Request()) == (
        ("Customer", "excluded-kind"),
        ("hr/**", "excluded-path"),
        ("incidents/security/**", "excluded-path"),
    )


def test_requested_paths_and_kinds_that_no_grant_reaches_are_named() -> None:
    access = Access((Grant("one", ("runbooks/ci/**", "notes/**"), ("Runbook",)),))
    request = Request(
        include_paths=("runbooks/**", "notes/a/*.md", "hr/**", "runbooks/ci/**"), kinds=("Runbook", "Incident")
    )
    assert denied_scopes(access, request) == (
        ("Incident", "not-granted"),
        ("hr/**", "not-granted"),
        ("runbooks/**", "partly-granted"),
    )


def test_what_is_excluded_is_not_named_twice() -> None:
    access = Access((Grant("one", ("notes/**",), exclude_paths=("hr/**",), exclude_kinds=("Term",)),))
    request = Request(include_paths=("hr/**",), kinds=("Term",))
    assert denied_scopes(access, request) == (("Term", "excluded-kind"), ("hr/**", "excluded-path"))


def test_without_a_grant_everything_that_was_asked_for_is_denied() -> None:
    request = Request(include_paths=("notes/**",), kinds=("Runbook",))
    everything = (("Runbook", "not-granted"), ("notes/**", "not-granted"))
    assert denied_scopes(Access(()), request) == everything
    assert denied_scopes(Access((Grant("bare"),)), request) == everything


def test_a_grant_by_kind_alone_covers_every_path_and_one_by_path_every_kind() -> None:
    request = Request(include_paths=("notes/**",), kinds=("Runbook",))
    assert denied_scopes(Access((Grant("kinds", kinds=("Runbook",)),)), request) == ()
    assert denied_scopes(local_access(), request) == ()


@pytest.mark.parametrize(
    ("wider", "narrower", "expected"),
    [
        ("**", "**", True),
        ("**", "a/*/b?.md", True),
        ("a/**", "a/b/**", True),
        ("a/**", "a/**/b.md", True),
        ("a/*", "a/b", True),
        ("a/*", "a/?", True),
        ("a/?", "a/*", False),
        ("a/*", "a/**", False),
        ("*/**", "**", False),
        ("**/*.md", "notes/**/*.md", True),
        ("**/*.md", "notes/**", False),
        ("***/b", "**/b", False),
        ("**/", "a**/", False),
        ("[ab]/*", "a/*", False),
        ("[ab]/*", "[ab]/*", True),
    ],
)
def test_one_pattern_covers_another(wider: str, narrower: str, expected: bool) -> None:
    assert covers(wider, narrower) is expected


@given(PATTERNS, PATTERNS, PATHS)
def test_a_covered_pattern_never_matches_what_the_wider_one_does_not(wider: str, narrower: str, path: str) -> None:
    if covers(wider, narrower) and path_pattern(narrower).fullmatch(path):
        assert path_pattern(wider).fullmatch(path)


@given(PATTERNS, PATHS)
def test_every_pattern_covers_itself_and_each_path_that_it_matches(pattern: str, path: str) -> None:
    assert covers(pattern, pattern)
    if path_pattern(pattern).fullmatch(path):
        assert covers(pattern, path)


@given(PATTERNS, PATTERNS, PATHS)
def test_patterns_that_match_one_path_are_never_called_apart(first: str, second: str, path: str) -> None:
    if path_pattern(first).fullmatch(path) and path_pattern(second).fullmatch(path):
        assert may_overlap(first, second)


def test_hostile_patterns_are_compared_in_no_time() -> None:
    wider, narrower = "*a" * 400 + "b", "*a" * 500
    started = time.perf_counter()
    assert not covers(wider, narrower)
    assert time.perf_counter() - started < 20  # backtracking would take hours
