"""Which documents a change can matter to, where random changes do not reach."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from kradle_ctx.adapters.surveys import ReadSurvey
from kradle_ctx.model.findings import Report
from kradle_ctx.validation.changes import changed_files
from kradle_ctx.validation.scope import Scope, scope_of
from tests.fakes import Content
from tests.pipeline import graph_record, markdown
from tests.properties.test_validation_scope import (
    PLAIN,
    all_findings,
    committed,
    compared_whole,
    reported,
    side,
    surveyor,
)
from tests.properties.validated_brains import ONTOLOGY, Change

Files = Mapping[str, Content]


def record(name: str, *targets: str) -> str:
    """A team that leads to others."""
    return graph_record(f"team:{name}", "Team", title=name, edges={"depends_on": [f"team:{to}" for to in targets]})


def scopes(base: Files, head: Files) -> tuple[Scope, dict[str, set[str]]]:
    """What is to be looked at, and the paths of that on both sides."""
    repository = committed(Change(dict(base), dict(head)))
    before, after = side(repository, "base"), side(repository, "main")
    reader = surveyor()
    surveys = [reader.survey(state.snapshot, "", None) for state in (before, after)]
    scope = scope_of(*surveys, changed_files(before.snapshot, after.snapshot, ""))
    found = {}
    for name, survey, numbers in zip(("base", "head"), surveys, (scope.base, scope.head), strict=True):
        found[name] = {survey.index.document(number).path for number in numbers or ()}
    return scope, found


def told(base: Files, head: Files) -> tuple[Report, list[str]]:
    """What a change brings in, held to the whole, and the places of it."""
    repository = committed(Change(dict(base), dict(head)))
    report = reported(repository, PLAIN, "base")
    assert all_findings(report) == compared_whole(repository, PLAIN)
    return report, [f"{each.check} {each.path}" for each in report.findings]


CHAIN = {f"{name}.yaml": record(name, to) for name, to in zip("abcdef", "bcdefa", strict=True)}
APART = {f"x{number}.yaml": record(f"x{number}", f"x{number - 1}") for number in range(20)}


def test_an_edit_that_moves_no_name_is_looked_at_with_what_its_edges_reach() -> None:
    head = {**CHAIN, **APART, "c.yaml": CHAIN["c.yaml"].replace('"c"', '"See"')}

    assert scopes({**CHAIN, **APART}, head)[1] == {"base": {"c.yaml"}, "head": {"c.yaml"}}


def test_who_leads_to_what_came_or_went_is_looked_at() -> None:
    without = {path: text for path, text in CHAIN.items() if path != "c.yaml"}

    assert scopes({**CHAIN, **APART}, {**without, **APART})[1]["head"] >= {"b.yaml"}
    assert scopes({**without, **APART}, {**CHAIN, **APART})[1]["base"] >= {"b.yaml"}
    assert told({**CHAIN, **APART}, {**without, **APART})[1] == ["KB031 b.yaml"]


def test_both_ends_of_an_edge_that_came_or_went_are_looked_at() -> None:
    head = {**CHAIN, **APART, "c.yaml": record("c", "x3")}

    assert scopes({**CHAIN, **APART}, head)[1] == {
        "base": {"c.yaml", "d.yaml", "x3.yaml"},
        "head": {"c.yaml", "d.yaml", "x3.yaml"},
    }


def test_who_names_an_owner_that_went_is_looked_at() -> None:
    owned = graph_record("service:s", "Service", title="S", owners=["team:o"])
    page = markdown("# P\n", id="runbook:p", kind="Runbook", title="P", owners=["team:o"])
    base = {**APART, "s.yaml": owned, "p.md": page, "o.yaml": record("o")}
    head = {path: text for path, text in base.items() if path != "o.yaml"}

    assert {"s.yaml", "p.md"} <= scopes(base, head)[1]["head"]
    assert [place for place in told(base, head)[1] if "KB025" in place] == ["KB025 p.md", "KB025 s.yaml"]


def test_what_is_looked_at_after_a_change_is_looked_at_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    head = {**CHAIN, **APART, "c.yaml": record("z")}
    # A search that was cut short names everything, which one side may do alone.
    cut_short = iter((False, True))
    monkeypatch.setattr(ReadSurvey, "naming", lambda survey, names: range(survey.index.size * next(cut_short)))

    looked_at = scopes({**CHAIN, **APART}, head)[1]

    assert looked_at["head"] == looked_at["base"] == {ONTOLOGY, *head}


def test_another_ontology_matters_to_everything() -> None:
    repository = committed(Change(dict(CHAIN), dict(CHAIN), after="other"))
    states = [side(repository, branch) for branch in ("base", "main")]
    surveys = [surveyor().survey(state.snapshot, "", None) for state in states]
    changed = changed_files(states[0].snapshot, states[1].snapshot, "")

    assert changed.paths == {ONTOLOGY}
    assert scope_of(*surveys, changed) == Scope(None, None)


def test_a_change_of_very_many_names_is_looked_at_whole_and_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    most = 100
    monkeypatch.setattr("kradle_ctx.validation.scope.MOST_MOVED", most)
    many = {f"m/{number}.yaml": record(f"m{number}", "a") for number in range(most + 1)}
    gone = {**APART, **CHAIN, **many}
    moved = {**APART, **CHAIN, **{path: text.replace("team:m", "team:n") for path, text in many.items()}}

    assert scopes(gone, moved)[0] == Scope(None, None)
    report, places = told({**gone, "z.yaml": record("z", "m1", "m2")}, {**moved, "z.yaml": record("z", "m1", "m2")})
    assert places == ["KB031 z.yaml"] * 2
    assert (report.files, report.records) == (most + 1, most + 1)


def test_a_change_counts_what_it_touches_and_is_there_after_it() -> None:
    head = {**APART, **CHAIN, "c.yaml": record("c"), "n.md": "# N\n", "broken.yaml": "a: b: c\n"}
    del head["d.yaml"]
    report, _ = told({**APART, **CHAIN, "gone.md": "# Gone\n"}, head)

    assert (report.files, report.records) == (3, 1)


def test_a_cycle_is_found_where_what_extends_a_record_and_did_not_change_closes_it() -> None:
    part_of_c = graph_record("team:b", "Team", title="b", edges={"part_of": ["team:c"]})
    back = "extendsNode: {id: team:c}\nedges: {part_of: [team:a]}\n"
    base = {**APART, "a.yaml": record("a"), "b.yaml": part_of_c, "c.yaml": record("c"), "more.yaml": back}
    head = {**base, "a.yaml": graph_record("team:a", "Team", title="a", edges={"part_of": ["team:b"]})}
    longer = {**head, "a.yaml": head["a.yaml"].replace('"a"', '"Another"')}

    assert [place for place in told(base, head)[1] if "KB042" in place] == ["KB042 a.yaml"]
    assert told(head, longer)[1] == []
