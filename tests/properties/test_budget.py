"""Both limits of the memory section are hard, and the figures in the bundle are those of the section."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.access import Access
from kradle_ctx.model.request import Limits, Request
from kradle_ctx.render.prompt import prompt_section
from tests.pipeline import EVERYTHING, FIRST_DAY, SECOND_DAY, assembled, brain, explicit, granting
from tests.properties.brains import granted_files, requests
from tests.properties.examples import examples

limits = st.builds(
    Limits,
    max_bytes=st.one_of(st.integers(0, 800), st.integers(800, 6_000), st.just(128_000)),
    max_tokens=st.one_of(st.integers(0, 200), st.integers(200, 1_500), st.just(24_000)),
    max_records=st.integers(1, 40),
)

odd_texts = st.lists(
    st.sampled_from(["carriage", "\u202e", "\x1b[31m", "ü", "日本", "😀", "[memory", "\t", "\r\n", "\n", "\n\n"]),
    max_size=60,
).map("".join)


def tokens(text: str) -> int:
    """What the tokenizer `estimate-v1` counts: a token for every four bytes begun."""
    return (len(text.encode()) + 3) // 4


def check(files: dict[str, str], request: Request, access: Access = EVERYTHING, most: int = 10**9) -> None:
    """Assemble, and compare the section with the limits and with the figures."""
    try:
        memory = assembled(brain(files), request, access).memory
    except KradleError as error:
        assert error.code in (ErrorCode.LIMIT_EXCEEDED, ErrorCode.MEMORY_ITEM_UNAVAILABLE)
        return
    section = prompt_section(memory, branch_facts=False)
    assert len(section.encode()) <= min(request.limits.max_bytes, most)
    assert tokens(section) <= request.limits.max_tokens
    assert memory["limits"]["usedBytes"] == len(section.encode())
    assert memory["limits"]["usedTokens"] == tokens(section)
    assert memory["limits"]["truncated"] == any(reason.startswith("over-") for reason in memory["omitted"]["reasons"])
    assert len({source["path"] for source in memory["sources"]}) <= request.limits.max_records
    for source in memory["sources"]:
        assert (source["bytes"], source["tokens"]) == (len(source["content"].encode()), tokens(source["content"]))


@settings(max_examples=examples(40), deadline=None)
@given(granted_files(), requests(), limits)
def test_the_section_never_passes_its_limits(files: dict[str, str], request: Request, given_limits: Limits) -> None:
    check(files, replace(request, limits=given_limits))


@settings(max_examples=examples(30), deadline=None)
@given(st.lists(odd_texts, min_size=1, max_size=5), limits, st.integers(0, 3))
def test_nor_does_text_that_grows_when_it_is_escaped(texts: list[str], given_limits: Limits, context: int) -> None:
    files = {f"notes/{number}.md": text for number, text in enumerate(texts)}
    check(files, Request(query="carriage", context_lines=context, limits=given_limits))


@settings(max_examples=examples(15), deadline=None)
@given(granted_files(), st.integers(0, 3_000))
def test_a_grant_narrows_the_limit(files: dict[str, str], most: int) -> None:
    check(files, Request(query="carriage wheel"), granting("**", max_context_bytes=most), most)


@settings(max_examples=examples(15), deadline=None)
@given(granted_files(), st.integers(520, 3_000))
def test_the_banner_of_an_old_pin_fits_too(files: dict[str, str], most: int) -> None:
    repository = brain(files, FIRST_DAY)
    first = repository.refs["refs/heads/main"]
    repository.add_commit(files | {"notes/new.md": "new\n"}, SECOND_DAY)
    request = Request(query="carriage wheel", ref=explicit(first), limits=Limits(max_bytes=most))
    section = prompt_section(assembled(repository, request).memory)
    assert "Memory is pinned to" in section
    assert len(section.encode()) <= most


@pytest.mark.parametrize("small", [Limits(max_bytes=0), Limits(max_bytes=100), Limits(max_tokens=25)])
def test_limits_below_the_head_of_the_section_are_refused(small: Limits) -> None:
    with pytest.raises(KradleError) as caught:
        assembled(brain({"a.md": "carriage\n"}), Request(query="carriage", limits=small))
    assert caught.value.code is ErrorCode.LIMIT_EXCEEDED
    assert "its head alone takes 276" in caught.value.message


def test_an_excerpt_shrinks_before_an_item_is_dropped() -> None:
    lines = [f"line {number} of the log\n" for number in range(400)]
    for at in (20, 200, 380):
        lines[at] = "the carriage stuck\n"
    files = {"notes/log.md": "".join(lines), "notes/small.md": "carriage wheel\n"}
    shown = []
    for most in (1_000, 1_200, 1_300, 1_500, 4_000):
        memory = assembled(brain(files), Request(query="carriage", limits=Limits(max_bytes=most))).memory
        shown.append(sum(source["path"] == "notes/log.md" for source in memory["sources"]))
    assert shown[-1] == 3
    assert shown == sorted(shown)
    assert 1 in shown or 2 in shown


def test_one_changed_record_changes_one_block() -> None:
    files = {f"notes/{name}.md": f"carriage {name}\n" for name in "abc"}
    changed = files | {"notes/b.md": "carriage B\n"}
    before, after = (
        prompt_section(assembled(brain(version), Request(query="carriage")).memory).split("\n- ")
        for version in (files, changed)
    )
    assert len(before) == len(after) == 4
    assert [place for place in range(1, 4) if before[place] != after[place]] == [
        next(place for place in range(1, 4) if "notes/b.md" in before[place])
    ]
