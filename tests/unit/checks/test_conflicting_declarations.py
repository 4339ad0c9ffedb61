"""Declarations that disagree, held to what retrieval joins."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from kradle_ctx.checks.conflicting_declarations import conflicting_declarations
from kradle_ctx.model.findings import Severity
from kradle_ctx.model.graph import DESCRIBING
from kradle_ctx.stages.load import MERGING_PROFILE, agreement
from tests.checks.examples import validated
from tests.unit.checks.hostile_graphs import brain_of

scalars = st.sampled_from((1, 2, True, None, "", "one", "two"))
values = scalars | st.lists(scalars, max_size=2) | st.dictionaries(st.sampled_from("ab"), scalars, max_size=2)
names = st.sampled_from(("tier", "url", "limits", "note", "kind", *sorted(DESCRIBING)))
declarations = st.tuples(st.sampled_from(("Area", "Area", "Other")), st.dictionaries(names, values, max_size=3))


def graph(kind: str, fields: dict[str, Any]) -> str:
    """A record in a graph file."""
    return f"nodeKind: {kind}\nid: area:a\nattributes: {json.dumps(fields)}\n"


@settings(deadline=None, max_examples=100)
@given(st.lists(declarations, min_size=2, max_size=3))
def test_whatever_retrieval_does_not_join_has_a_finding(stated: list[tuple[str, dict[str, Any]]]) -> None:
    brain = brain_of([graph(kind, fields) for kind, fields in stated], merges=True)
    agree = agreement(brain._index, MERGING_PROFILE)

    faults = list(conflicting_declarations(brain))

    # Maps, and single values beside lists and maps, are joined or passed over; of texts the first counts.
    beside = [fault for fault in faults if len(fault.where.pointer) > 1 or fault.severity is not None]
    assert agree(list(brain.documents())) == (len(faults) == len(beside))


def test_texts_may_differ_and_are_told_as_notes() -> None:
    first = dict.fromkeys(DESCRIBING, "One")
    files = {"graph/a.yaml": graph("Team", first), "graph/b.yaml": graph("Team", dict.fromkeys(DESCRIBING, "Two"))}
    found = [each for each in validated(files, layout=MERGING_PROFILE).findings if each.check == "KB011"]

    assert [each.severity for each in found] == [Severity.INFO] * len(DESCRIBING)
    assert not [each for each in found if "leave" in each.hint or "left out" in each.hint]


def test_a_list_beside_a_single_value_is_a_warning_and_hides_no_error() -> None:
    values = (["one"], "one", "two", {"a": 1}, ["two"])
    brain = brain_of([graph("Area", {"note": each}) for each in values], merges=True)

    found = [
        (fault.where.document.line_start, fault.severity)
        for fault in conflicting_declarations(brain)
        if fault.where.document
    ]

    # The second and the fourth are of another shape than the first, the third is another value than the second.
    assert found == [(5, Severity.WARNING), (9, None), (13, Severity.WARNING), (17, Severity.WARNING)]


def test_keys_of_a_map_count_one_by_one() -> None:
    limits = ({"day": 1, "deep": {"low": 1}}, {"day": 2, "night": 3, "deep": {"low": 1, "high": 2}}, {"night": 3})
    brain = brain_of([graph("Area", {"limits": each}) for each in limits], merges=True)

    (fault,) = conflicting_declarations(brain)

    assert fault.where.pointer == ("limits", "day")
    assert fault.message == "`limits.day` is not what another declaration of `area:a` says"
    assert [other.where.pointer for other in fault.related] == [("limits", "day")]
