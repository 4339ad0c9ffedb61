"""Which kinds of edge say the same, and which the same the other way round."""

from __future__ import annotations

from kradle_ctx.checks.edge_kinds import supersession, synonyms
from kradle_ctx.constraints import read_constraints
from kradle_ctx.model.constraints import Constraints
from kradle_ctx.ontology import read_file


def constraints_of(*edges: str) -> Constraints:
    """What an ontology of some edge kinds demands."""
    lines = "".join(f"  - {{{edge}}}\n" for edge in edges)
    return read_constraints([read_file("ontology/edges.yaml", f"edgeKinds:\n{lines}".encode())])


def test_an_alias_says_the_same_as_its_canonical_kind_where_it_leads_the_same_way() -> None:
    found = synonyms(
        constraints_of(
            "name: bundles, source: [Tool], target: [Part]",
            "name: packs, aliasOf: bundles",
            "name: ships, aliasOf: bundles, source: [Tool, Team]",
            "name: bundled_in, aliasOf: bundles, source: [Part], target: [Tool]",
            "name: lost, aliasOf: nothing",
        )
    )

    assert found["bundles"] == found["packs"] == found["ships"] == {"bundles", "packs", "ships"}
    assert found["bundled_in"] == {"bundled_in"}
    assert found["lost"] == {"lost"}


def test_an_alias_of_an_alias_is_not_followed() -> None:
    found = synonyms(constraints_of("name: a", "name: b, aliasOf: a", "name: c, aliasOf: b"))

    assert (found["a"], found["b"], found["c"]) == ({"a", "b"}, {"a", "b"}, {"c"})


def test_supersession_is_known_without_an_ontology_and_with_what_one_adds() -> None:
    bare = supersession(Constraints())
    more = supersession(
        constraints_of(
            "name: supersedes, inverse: superseded_by",
            "name: superseded_by, inverse: supersedes",
            "name: overrules, aliasOf: supersedes",
            "name: replaces, inverse: gone_for",
            "name: gone_for",
            "name: replaced_by, inverse: related_to",
            "name: related_to, inverse: related_to",
        )
    )

    assert bare == ({"supersedes", "replaces"}, {"superseded_by", "replaced_by"})
    assert more == ({"supersedes", "replaces", "overrules"}, {"superseded_by", "replaced_by", "gone_for"})
