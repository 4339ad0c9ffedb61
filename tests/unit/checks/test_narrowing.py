"""Which changes of an ontology make records wrong that were right."""

from __future__ import annotations

import pytest

from kradle_ctx.checks.narrowing import narrowed
from kradle_ctx.constraints import read_constraints
from kradle_ctx.model.constraints import Constraints
from kradle_ctx.ontology import read_file

BASE = """\
requiredFields: {record: [title]}
vocabulary: {tags: [ci, web]}
nodeKinds:
  - name: Service
    prefix: service
    required: [owners]
    attributes:
      level: {type: "enum<low, high>"}
      team: {type: "ref<Team|Crew>"}
      load: {type: float}
      parts: {type: "list<string>"}
      seen: {type: any}
      shape: {}
  - {name: Team, prefix: team}
edgeKinds:
  - {name: depends_on, source: [Service, Team], target: ["*"], cardinality: "N:N", attributes: {weight: int}}
  - {name: mentions}
"""

NARROWER = {
    ("  - {name: Team, prefix: team}\n", ""): ["the kind `Team` is gone"],
    ("prefix: service", "prefix: svc"): ["ids of `Service` begin with `svc`"],
    ("prefix: service", "prefix: service\n    versionQualified: true"): ["ids of `Service` must name a version"],
    ("required: [owners]", "required: [owners, tier, age]"): [
        "records of the kind `Service` must have `age`",
        "records of the kind `Service` must have `tier`",
    ],
    ("record: [title]", "record: [title, status]"): ["every record must have `status`"],
    ("low, high", "low, top"): ["`level` of `Service` may hold less"],
    ("ref<Team|Crew>", "ref<Team>"): ["`team` of `Service` may hold less"],
    ("type: float", "type: int"): ["`load` of `Service` may hold less"],
    ("list<string>", "list<int>"): ["`parts` of `Service` may hold less"],
    ("type: any", "type: string"): ["`seen` of `Service` may hold less"],
    ("shape: {}", "shape: {type: url}"): ["`shape` of `Service` may hold less"],
    ("  - {name: mentions}\n", ""): ["the kind of edge `mentions` is gone"],
    ("[Service, Team]", "[Service]"): ["fewer kinds may state `depends_on`"],
    ('target: ["*"]', "target: [Team]"): ["`depends_on` may lead to fewer kinds"],
    ('"N:N"', '"1:1"'): ["`depends_on` may lead to one record", "`depends_on` may come from one record"],
    ('"N:N"', '"N:N", requiresInverse: true'): ["`depends_on` requires its inverse"],
    ("weight: int", "weight: bool"): ["`weight` of `depends_on` may hold less"],
    ("[ci, web]", "[ci]"): ["`tags` may no longer be `web`"],
    ("{tags:", "{phase: [one], tags:"): ["`phase` takes listed values alone"],
}
"""By what is replaced by what, everything that is lost."""

WIDER = (
    ("prefix: service", "note: none"),
    ("required: [owners]", "required: []"),
    ("low, high", "low, high, top"),
    ("ref<Team|Crew>", "ref<NodeKind>"),
    ("type: float", "type: any"),
    ("list<string>", "list<any>"),
    ("shape: {}", "other: {type: url}"),
    ("[Service, Team]", "[Service, Team, Crew]"),
    ("[Service, Team]", '["*"]'),
    ("weight: int", "weight: float, unit: string"),
    ("[ci, web]", "[web, ci, db]"),
    ("vocabulary: {tags: [ci, web]}\n", ""),
    ("  - {name: mentions}\n", "  - {name: mentions}\n  - {name: names}\n"),
)


def constraints_of(ontology: str) -> Constraints:
    """What an ontology demands."""
    file = read_file("ontology/kinds.yaml", ontology.encode())
    assert file.fault is None
    return read_constraints([file])


@pytest.mark.parametrize(("change", "lost"), NARROWER.items(), ids=str)
def test_a_narrower_ontology_says_what_it_lost(change: tuple[str, str], lost: list[str]) -> None:
    assert change[0] in BASE
    assert list(narrowed(constraints_of(BASE), constraints_of(BASE.replace(*change)))) == lost


@pytest.mark.parametrize("change", WIDER, ids=str)
def test_a_wider_ontology_lost_nothing(change: tuple[str, str]) -> None:
    assert change[0] in BASE
    assert list(narrowed(constraints_of(BASE), constraints_of(BASE.replace(*change)))) == []


def test_an_ontology_lost_nothing_to_itself() -> None:
    assert list(narrowed(constraints_of(BASE), constraints_of(BASE))) == []
