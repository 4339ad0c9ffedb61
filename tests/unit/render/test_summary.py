"""What a preview says, as rows."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from kradle_ctx.model.access import Access
from kradle_ctx.model.bundle import Bundle
from kradle_ctx.model.memory_mode import MemoryMode
from kradle_ctx.model.request import Limits, Request
from kradle_ctx.render.summary import LISTED, summarize
from tests.fakes import Content
from tests.pipeline import SECOND_DAY, assembled, brain, explicit, granting, markdown
from tests.unit.render.memory import HOSTILE, bundle_of


def strings(value: object) -> list[str]:
    """Every text in a value."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Struct):
        return [text for name in value.__struct_fields__ for text in strings(getattr(value, name))]
    return [text for entry in value for text in strings(entry)] if isinstance(value, tuple) else []


def pinned() -> Bundle:
    """A bundle of an old commit."""
    repository = brain({"a.md": "brake\n"})
    first = repository.refs["refs/heads/main"]
    repository.add_commit({"b.md": "brake\n"}, SECOND_DAY)
    return assembled(repository, Request(query="brake", ref=explicit(first)))


def test_the_header_names_what_is_pinned() -> None:
    bundle = bundle_of({"a.md": "brake\n"}, brain="org-brain")
    header = dict(summarize(bundle).header)
    assert header == {
        "repository": "org-brain",
        "ref": "main (current)",
        "commit": bundle.memory["resolvedCommit"],
        "date": "2026-05-01T12:00:00Z",
        "query": "brake",
        "bundle": bundle.digest,
    }


def test_a_question_without_words_is_a_graph_question() -> None:
    bundle = bundle_of({"a.md": "x\n"}, query="", source_refs={"repository": ("kradle",)})
    assert "graph question" in dict(summarize(bundle).header)["query"]


def test_each_item_has_its_name_place_size_and_why() -> None:
    bundle = bundle_of({"a.md": markdown("brake\n", id="term:a", kind="Term"), "notes/n.md": "brake\n"})
    rows = {row.name: row for row in summarize(bundle).rows}
    assert set(rows) == {"term:a", "notes/n.md:1-1"}
    assert (rows["term:a"].place, rows["notes/n.md:1-1"].place) == ("a.md:1-5", "notes/n.md:1-1")
    assert (rows["term:a"].kind, rows["notes/n.md:1-1"].kind) == ("markdown-record", "grep-excerpt")
    assert (rows["notes/n.md:1-1"].bytes, rows["notes/n.md:1-1"].tokens) == (6, 2)
    assert rows["notes/n.md:1-1"].why == "1 term matched (brake)"


def test_the_banner_of_an_old_pin_is_no_warning() -> None:
    summary = summarize(pinned())
    assert summary.banner is not None
    assert summary.banner.startswith("Memory is pinned to ")
    assert summary.banner not in summary.warnings
    assert summary.warnings
    assert summarize(bundle_of({"a.md": "brake\n"})).banner is None


def test_what_is_not_there_is_listed_with_its_reason() -> None:
    files: dict[str, Content] = {f"{number:02}.md": "brake " * 40 + "\n" for number in range(LISTED + 5)}
    files |= {"bad.yaml": "nodeKind: a: b\n", "secret.md": "brake, the password is Tr0ub4dor&3horse\n"}
    request = Request(query="brake", limits=Limits(max_records=1))
    summary = summarize(assembled(brain(files), request, granting("**", exclude_paths=("vault/**",))))
    assert len(summary.rows) == 1
    assert sum(int(count) for _, count in summary.omitted) == LISTED + 5
    assert len(summary.omitted_items) == LISTED
    assert summary.denied == (("vault/**", "excluded-path"),)
    assert [name for name, _ in summary.skipped] == ["bad.yaml"]


def test_redactions_are_counted_by_kind() -> None:
    bundle = bundle_of({"a.md": "brake\nthe password is Tr0ub4dor&3horse\n"})
    redacted = dict(summarize(bundle).redacted)
    assert list(redacted.values()) == ["1"]
    assert not any("Tr0ub4dor" in text for text in strings(summarize(bundle)))


def test_notes_are_those_given_and_those_of_the_clone() -> None:
    bundle = replace(bundle_of({"a.md": "brake\n"}), notes=("shallow",))
    assert summarize(bundle, ("assumed",)).notes == ("assumed", "shallow")


def test_the_budget_is_that_of_the_bundle() -> None:
    bundle = bundle_of({"a.md": "brake\n"}, limits=Limits(max_bytes=5_000, max_tokens=1_000))
    summary = summarize(bundle)
    limits = bundle.memory["limits"]
    assert (summary.max_bytes, summary.max_tokens) == (5_000, 1_000)
    assert (summary.used_bytes, summary.used_tokens) == (limits["usedBytes"], limits["usedTokens"])
    assert 0 < summary.used_bytes <= 5_000


def test_every_text_is_one_safe_line() -> None:
    files: dict[str, Content] = {
        "b.md": markdown("brake\n", id="term:b", kind="Term", title=HOSTILE, owners=[HOSTILE]),
        "notes/é\u00ad\u3164.md": "brake\n",
    }
    summary = summarize(bundle_of(files, query="brake \x1b[0m\n\ttwo"), (HOSTILE, "a\nb"))
    assert all("\n" not in text and "\t" not in text and "\x1b" not in text for text in strings(summary))


def test_a_run_without_memory_has_a_summary_too() -> None:
    request = Request(query="brake", required=False, memory_mode=MemoryMode.DISABLED)
    summary = summarize(assembled(brain({"a.md": "brake\n"}), request, Access(())))
    assert (summary.rows, dict(summary.header)["commit"]) == ((), "none")
    assert any("MEMORY_MODE_FORBIDDEN" in warning for warning in summary.warnings)
