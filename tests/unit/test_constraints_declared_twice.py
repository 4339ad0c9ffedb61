"""What is demanded of kinds that an ontology declares more than once."""

from __future__ import annotations

from kradle_ctx.constraints import read_constraints
from kradle_ctx.model.constraints import Constraints
from kradle_ctx.ontology import read_file


def constraints_of(*texts: str) -> Constraints:
    """What the files of an ontology demand."""
    return read_constraints([read_file(f"ontology/{place}.yaml", text.encode()) for place, text in enumerate(texts)])


def test_of_a_kind_the_first_declaration_holds_in_one_file_and_in_several() -> None:
    first, second = "  - {name: Team, prefix: team}\n", "  - {name: Team, prefix: crew, required: [title]}\n"

    alone = constraints_of(f"nodeKinds:\n{first}")
    in_one = constraints_of(f"nodeKinds:\n{first}{second}")
    in_two = constraints_of(f"nodeKinds:\n{first}", f"nodeKinds:\n{second}")

    assert in_one.kinds == in_two.kinds == alone.kinds


def test_an_edge_may_be_what_either_declaration_allows() -> None:
    edges = """\
edgeKinds:
  - {name: has, source: [Team], target: [Person], cardinality: "1:1", inverse: of, attributes: {since: iso-date}}
  - {name: has, source: [Service], target: [Part], cardinality: "N:1", attributes: {since: string, count: int}}
"""
    found = constraints_of(edges).edges["has"]

    assert (found.sources, found.targets) == ({"Team", "Service"}, {"Person", "Part"})
    assert (found.one_target, found.one_source) == (True, False)
    assert found.inverse == "of"
    assert {name: each.type.name for name, each in found.attributes.items() if each.type} == {
        "since": "iso-date",
        "count": "int",
    }


def test_an_edge_that_one_declaration_leaves_open_is_open() -> None:
    found = constraints_of("edgeKinds: [{name: has, source: [Team], target: [Team]}]\n", "edgeKinds: [has]\n").edges[
        "has"
    ]

    assert (found.sources, found.targets) == (None, None)


def test_an_alias_takes_from_its_canonical_kind_what_it_does_not_say() -> None:
    edges = """\
edgeKinds:
  - {name: has, source: [Team], target: [Person], cardinality: "1:N", inverse: of, requiresInverse: true}
  - {name: holds, aliasOf: has, target: [Part]}
  - {name: keeps, aliasOf: has, cardinality: "N:1", inverse: by, requiresInverse: false}
"""
    found = constraints_of(edges).edges
    holds, keeps = found["holds"], found["keeps"]

    assert (holds.sources, holds.targets, holds.one_source, holds.inverse) == ({"Team"}, {"Part"}, True, "of")
    assert (keeps.sources, keeps.one_source, keeps.one_target, keeps.inverse) == ({"Team"}, False, True, "by")
    assert (holds.requires_inverse, keeps.requires_inverse) == (True, False)


def test_owners_are_of_the_kinds_at_which_any_declaration_of_owned_by_ends() -> None:
    edges = "edgeKinds: [{name: owned_by, target: [Team]}, {name: owned_by, target: [Crew]}]\n"

    assert constraints_of(edges).owner_kinds == {"Team", "Crew"}
    assert constraints_of(edges + "ownerKinds: [Board]\n").owner_kinds == {"Board"}
    assert constraints_of("edgeKinds: [has]\n").owner_kinds is None


def test_a_rule_names_kinds_whose_ids_have_versions_and_whose_edges_are_answered() -> None:
    rules = "versionedKinds: [Release]\nrequireInverse: [has]\n"
    found = constraints_of("nodeKinds: [Release, Team]\nedgeKinds: [has, of]\n", rules)

    assert [name for name, kind in found.kinds.items() if kind.versioned] == ["Release"]
    assert [name for name, edge in found.edges.items() if edge.requires_inverse] == ["has"]
