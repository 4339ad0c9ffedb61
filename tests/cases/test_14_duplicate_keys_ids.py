"""Neither the last key nor the first id wins in silence (pyyaml #165, backstage #4760, #14042)."""

from __future__ import annotations

from pathlib import Path

from tests.cases.brain_builder import BrainBuilder
from tests.cases.place import Place, places, skipped

OWNED = "edges:\n  owned_by:\n    - target: team:{}\n"


def build(folder: Path, root: str) -> None:
    """A record that states keys twice, and two pages that claim one id."""
    brain = BrainBuilder.create(folder, root)
    brain.record("Team", "team:other", "Other team")
    head = 'nodeKind: Service\nid: service:dup\nattributes:\n  title: "Dup key"\n  status: approved\n'
    owners = '  owners: [team:core]\n  owners: [team:other]\n  updatedAt: "2026-05-01T00:00:00Z"\n'
    brain.write("graph/dupkey.yaml", head + owners + OWNED.format("core") + OWNED.format("other"))
    brain.page("runbooks/one.md", "runbook:same", "First claim", "ibis one")
    brain.page("runbooks/two.md", "runbook:same", "Second claim", "ibis two")
    brain.commit("dups", 2)


def test_both_claims_to_one_id_are_withheld_with_a_warning(place: Place) -> None:
    answer = place.ask("--query", "ibis")

    assert answer["sources"] == []
    assert any("runbook:same" in warning["message"] for warning in answer["warnings"])
    assert "runbook:same" in place.run("query", "--format", "json", "--query", "ibis").talk


def test_an_id_that_is_claimed_twice_is_not_available(place: Place) -> None:
    code, error = place.refuse("read", "runbook:same")

    assert (code, error["code"]) == (1, "MEMORY_ITEM_UNAVAILABLE")


def test_a_record_with_a_key_twice_is_withheld_and_listed_with_its_line_for_who_may_see_it(place: Place) -> None:
    assert skipped(place.ask("--query", "ibis")) == {"graph/dupkey.yaml": "invalid YAML"}
    found = skipped(place.ask_as_trusted("--query", "ibis"))

    assert list(found) == ["graph/dupkey.yaml:7"]
    assert "owners" in found["graph/dupkey.yaml:7"]
    assert "team:other" not in found["graph/dupkey.yaml:7"]
    assert place.refuse("read", "service:dup")[0] == 1


def test_validation_names_both_places_of_a_key_and_of_an_id(place: Place) -> None:
    found = place.validate()
    others = [[(other["path"], other["line"]) for other in finding["related"]] for finding in found]

    assert places(found) == ["KB004 graph/dupkey.yaml:7", "KB004 graph/dupkey.yaml:12", "KB010 runbooks/two.md:2"]
    assert others == [[("graph/dupkey.yaml", 6)], [("graph/dupkey.yaml", 9)], [("runbooks/one.md", 2)]]
