"""What stands in the place of a record that is superseded."""

from __future__ import annotations

from itertools import pairwise
from time import process_time

import pytest

from kradle_ctx.retrieval.supersession import Replacements
from kradle_ctx.view import View
from tests.pipeline import brain, granting, graph_record, markdown, view_of


def replacement(view: View, record_id: str) -> str | None:
    """What replaces a record, whether it was looked up together with all others or alone."""
    together, alone = Replacements(view), Replacements(view)
    together.expect(f"decision:{name}" for name in "abcdx")
    found = together.of(record_id)
    assert alone.of(record_id) == found
    return found


def decisions(*links: str, **statuses: str | None) -> View:
    """Decisions by name, approved unless said otherwise; `b>a` says that b supersedes a."""
    names = {name for link in links for name in link.split(">")}
    files = {}
    for name in names:
        status = statuses.get(name, "approved")
        related = {"supersedes": [f"decision:{link.split('>')[1]}" for link in links if link.split(">")[0] == name]}
        stated = {"status": status} if status else {}
        files[f"{name}.md"] = markdown(id=f"decision:{name}", kind="Decision", related=related, **stated)
    return view_of(brain(files))


@pytest.mark.parametrize(
    ("links", "statuses", "expected"),
    [
        (["b>a"], {}, "b"),
        (["b>a"], {"b": "active"}, "b"),
        (["b>a"], {"a": "draft"}, "b"),
        (["b>a"], {"b": "draft"}, None),
        (["b>a"], {"b": None}, None),
        (["b>a"], {"b": "deprecated"}, None),
        (["b>a", "c>b"], {"b": "deprecated"}, "c"),
        (["b>a", "c>b"], {"b": "superseded", "c": "draft"}, None),
        (["b>a", "c>b"], {"b": "draft"}, None),
        (["b>a", "c>b", "d>c"], {"b": "archived", "c": "archived"}, "d"),
        (["b>a", "c>a"], {}, "b"),
        (["b>a", "c>a"], {"b": "draft"}, "c"),
    ],
)
def test_the_replacement_is_the_approved_one_over_any_retired_ones(
    links: list[str], statuses: dict[str, str | None], expected: str | None
) -> None:
    found = replacement(decisions(*links, **statuses), "decision:a")
    assert found == (f"decision:{expected}" if expected else None)


@pytest.mark.parametrize("links", [["a>a"], ["b>a", "a>b"], ["b>a", "c>b", "a>c"], ["b>a", "c>b", "d>c", "a>d"]])
def test_within_a_cycle_nothing_is_replaced(links: list[str]) -> None:
    view = decisions(*links)
    for name in {name for link in links for name in link.split(">")}:
        assert replacement(view, f"decision:{name}") is None


def test_a_long_chain_of_retired_records_costs_no_more_than_its_length() -> None:
    names = [f"decision:{number:04}" for number in range(1_500)]
    files = {
        f"{place}.yaml": graph_record(later, "Decision", status="archived", edges={"supersedes": [earlier]})
        for place, (earlier, later) in enumerate(pairwise(names))
    }
    view = view_of(brain(files))
    begun = process_time()
    replacements = Replacements(view)
    replacements.expect(names)
    assert {replacements.of(name) for name in names} == {None}
    assert process_time() - begun < 5


def test_a_cycle_behind_a_record_ends_and_replaces_nothing() -> None:
    view = decisions("b>a", "c>b", "b>c", b="deprecated", c="approved")
    assert replacement(view, "decision:a") is None


def test_a_record_before_a_cycle_still_replaces_it() -> None:
    view = decisions("b>a", "a>b", "c>b")
    assert replacement(view, "decision:b") == "decision:c"


def test_a_denied_replacement_replaces_nothing() -> None:
    files = {
        "a.md": markdown(id="decision:a", kind="Decision", status="approved"),
        "b.md": markdown(id="decision:b", kind="Decision", status="approved", related={"supersedes": "decision:a"}),
    }
    assert replacement(view_of(brain(files)), "decision:a") == "decision:b"
    assert replacement(view_of(brain(files), granting("a.md")), "decision:a") is None
