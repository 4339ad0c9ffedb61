"""The grammar of a requested ref name."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.refs import check_ref_name


def refusal(name: str) -> KradleError:
    with pytest.raises(KradleError) as caught:
        check_ref_name(name)
    return caught.value


@pytest.mark.parametrize(
    "name",
    [
        "main",
        "HEAD",
        "refs/heads/main",
        "heads/release-1.2",
        "plan-gabcdef",
        "feature/ünï",
        "a@b",
        "a{b}",
        "e69de29",
        "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        "x" * 250,
        "v1.0.lock.x",
        "a-",
        "release#1",
        "b$(id)",
    ],
)
def test_ref_names_and_ids_pass(name: str) -> None:
    check_ref_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "main\0x",
        "main\n",
        "a b",
        "a\tb",
        "\x1b[31m",
        "a\x7f",
        "a\x85",
        "a\u202eb",
        "a\ud800",
        "main^",
        "main^{/one}",
        "main~3",
        "main:notes/v.md",
        ":/one",
        "HEAD@{1}",
        "@{u}",
        "@",
        "a..b",
        "a?",
        "a*",
        "a[b]",
        "a\\b",
        "-x",
        "--all",
        "/a",
        "a/",
        "a//b",
        ".a",
        "a/.b",
        "a.",
        "a.lock",
        "a.lock/b",
        "x" * 251,
        "é" * 126,
    ],
)
def test_anything_else_is_refused(name: str) -> None:
    error = refusal(name)
    assert error.code is ErrorCode.MEMORY_REF_UNRESOLVED
    assert error.hint
    assert error.message.isprintable()


def test_a_refused_name_is_shown_cut() -> None:
    assert len(refusal("y" * 5000).message) < 200


def test_a_reflog_query_is_told_from_a_revision_expression() -> None:
    assert "local state" in refusal("HEAD@{2026-05-02}").message
    assert "revision expression" in refusal("main^{/one}").message


@settings(max_examples=60, deadline=None)
@given(st.text(st.sampled_from("ab-./@{~^:?*[\\ é\x01\x7f"), max_size=12))
def test_what_passes_is_a_ref_name_for_git(name: str) -> None:
    try:
        check_ref_name(name)
    except KradleError:
        return
    done = subprocess.run(["git", "check-ref-format", "--allow-onelevel", f"x/{name}"], check=False)
    assert done.returncode == 0
