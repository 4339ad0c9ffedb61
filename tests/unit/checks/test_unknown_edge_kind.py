"""What is told of edges of unknown kinds."""

from __future__ import annotations

from kradle_ctx.checks.unknown_edge_kind import MOST_KINDS
from tests.checks.examples import validated

ONTOLOGY = """\
nodeKinds: [{name: Team}, {name: Service}]
edgeKinds:
  - {name: needs_part, source: [Team]}
  - {name: needs_parts, source: [Service]}
  - {name: names}
"""


def hints(kind: str, edge: str) -> list[str]:
    """What to do about an edge of a record."""
    record = f"nodeKind: {kind}\nid: thing:a\nedges: {{{edge}: ['thing:a']}}\n"
    found = validated({"ontology/kinds.yaml": ONTOLOGY, "graph/a.yaml": record}).findings
    return [finding.hint for finding in found if finding.check == "KB030"]


def test_a_kind_is_guessed_that_the_record_may_state() -> None:
    assert hints("Team", "need_parts") == ["did you mean `needs_part`?"]
    assert hints("Service", "need_part") == ["did you mean `needs_parts`?"]
    assert hints("Service", "name") == ["did you mean `names`?"]


def test_nothing_is_guessed_where_nothing_is_like_it() -> None:
    assert hints("Service", "follows") == ["correct the kind, or add it to the ontology"]
    assert hints("Team", "parts_needed") == ["correct the kind, or add it to the ontology"]


def test_kinds_of_one_record_are_told_once_and_up_to_a_bound() -> None:
    edges = "".join(f"  kind_{number}: ['thing:a', 'thing:a']\n" for number in range(MOST_KINDS + 20))
    record = f"nodeKind: Team\nid: thing:a\nedges:\n{edges}"
    found = validated({"ontology/kinds.yaml": ONTOLOGY, "graph/a.yaml": record}).findings

    assert sum(finding.check == "KB030" for finding in found) == MOST_KINDS


def test_a_kind_that_is_too_long_to_be_shown_is_told_by_its_length() -> None:
    record = f"nodeKind: Team\nid: thing:a\nedges: {{{'k' * 80}: ['thing:a']}}\n"
    found = validated({"ontology/kinds.yaml": ONTOLOGY, "graph/a.yaml": record}).findings

    assert [finding.message for finding in found if finding.check == "KB030"] == [
        "the ontology has no kind of edge of 80 characters"
    ]
