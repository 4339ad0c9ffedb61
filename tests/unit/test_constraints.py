"""What an ontology demands, in its two forms, and what a hostile one cannot do."""

from __future__ import annotations

import time
from collections.abc import Mapping

import pytest

from kradle_ctx.constraints import DEEPEST_TYPE, read_constraints, read_type, with_demands
from kradle_ctx.model.constraints import Attribute, Constraints, EdgeConstraints, KindConstraints, ValueType
from kradle_ctx.ontology import read_file, starter_file


def read(files: Mapping[str, str]) -> Constraints:
    """What the files of an ontology demand."""
    return read_constraints([read_file(path, text.encode()) for path, text in files.items()])


def kinds(text: str) -> Constraints:
    """The same of one file."""
    return read({"ontology/kinds.yaml": text})


def edge(text: str, name: str = "e") -> EdgeConstraints:
    """What is demanded of one edge kind."""
    return kinds(text).edges[name]


PLAIN = """\
nodeKinds:
  - {name: Team, prefix: team, description: " People. "}
  - name: Service
    prefix: service
    required: [title]
    attributes:
      tier: {type: "enum<one,two>", required: true, description: How much it matters.}
      owners: "list<ref<Team>>"
      size: int
  - Note
"""

TYPED = """\
nodeKinds:
  - name: Service
    prefix: service
    purpose: Something that runs.
    versionQualified: true
    isolatedAllowed: true
    attributes:
      - {name: id, type: id, required: true}
      - {name: tier, type: "enum<one,two>", required: true, notes: How much it matters.}
      - {name: owners, type: "list<ref<Team>>"}
      - {name: 7, type: int}
      - loose
"""


def test_the_plain_form_gives_kinds_with_what_each_demands() -> None:
    found = kinds(PLAIN).kinds

    assert list(found) == ["Team", "Service", "Note"]
    assert found["Team"] == KindConstraints("Team", "team", description="People.")
    assert found["Service"].required == ("title", "tier")
    assert found["Service"].attributes == {
        "tier": Attribute("tier", ValueType("enum", ("one", "two")), True, "How much it matters."),
        "owners": Attribute("owners", ValueType("list", of=(ValueType("ref", ("Team",)),))),
        "size": Attribute("size", ValueType("int")),
    }
    assert found["Note"] == KindConstraints("Note")


def test_the_form_with_lists_of_attributes_gives_the_same() -> None:
    service = kinds(TYPED).kinds["Service"]

    assert service.required == ("id", "tier")
    assert list(service.attributes) == ["id", "tier", "owners"]
    assert service.attributes["tier"].description == "How much it matters."
    assert (service.versioned, service.isolated, service.description) == (True, True, "Something that runs.")


def test_an_ontology_in_several_files_is_joined_and_of_two_that_say_the_same_the_first_holds() -> None:
    found = read(
        {
            "ontology/a.yaml": "nodeKinds: [{name: A, prefix: a}]\nversion: 1.2\nstaleAfterDays: 30\n",
            "ontology/b.yaml": "nodeKinds: [{name: A, prefix: other}, {name: B}]\nversion: 3\nstaleAfterDays: 60\n",
        }
    )

    assert (found.kinds["A"].prefix, list(found.kinds)) == ("a", ["A", "B"])
    assert (found.version, found.stale_after_days) == ("1.2", 30)


def test_rules_demand_fields_of_all_records_or_of_a_kind() -> None:
    found = kinds("nodeKinds: [A, B]\nrequiredFields: {record: [title, owners], A: [tier]}\n")

    assert found.required == ("title", "owners")
    assert (found.kinds["A"].required, found.kinds["B"].required) == (("tier",), ())
    assert kinds("nodeKinds: [A]\nrequiredFields: [title]\n").required == ("title",)


def test_rules_name_paths_versions_statuses_and_severities() -> None:
    found = kinds(
        "nodeKinds: [A, B]\nkindPaths: {A: ['a/**']}\nversionedKinds: [B]\nforbiddenPaths: [tmp/**]\n"
        "allowedStatusTransitions: {draft: [approved], approved: archived}\nownerKinds: [A]\n"
        "containmentEdges: [within]\nchecks: {KB001: off, KB002: 'off', KB003: info, KB004: loud, KB005: true}\n"
    )

    assert found.kinds["A"].paths == ("a/**",)
    assert [kind.versioned for kind in found.kinds.values()] == [False, True]
    assert found.forbidden_paths == ("tmp/**",)
    assert found.transitions == {"draft": ("approved",), "approved": ("archived",)}
    assert (found.owner_kinds, found.edges_within) == (frozenset({"A"}), ("within",))
    assert found.settings == {"KB001": "off", "KB002": "off", "KB003": "info"}


def test_an_ontology_that_says_nothing_demands_nothing() -> None:
    assert kinds("{}\n") == Constraints()
    assert read({}) == Constraints()
    assert kinds("- a\n") == Constraints()


def test_the_built_in_ontology_demands_what_it_says() -> None:
    found = read_constraints([starter_file()])

    assert found.kinds["Service"].required == ("id", "title", "status", "owners", "updatedAt")
    assert found.owner_kinds is not None and "Team" in found.owner_kinds


@pytest.mark.parametrize(
    ("text", "sources", "targets"),
    [
        ("{name: e, source: [A], target: [B, C]}", {"A"}, {"B", "C"}),
        ("{name: e, domain: A, range: B}", {"A"}, {"B"}),
        ("{name: e, source: '*', target: ['*', A]}", None, None),
        ("{name: e, source: Any, target: any}", None, None),
        ("{name: e, source: [NodeKind], target: []}", None, None),
        ("{name: e}", None, None),
        ("e", None, None),
    ],
)
def test_ends_of_edges_are_kinds_or_any(text: str, sources: set[str] | None, targets: set[str] | None) -> None:
    found = edge(f"edgeKinds: [{text}]\n")

    assert (found.sources, found.targets) == (sources, targets)


@pytest.mark.parametrize(
    ("cardinality", "one_source", "one_target"),
    [
        ("1:1", True, True),
        ("1:N", True, False),
        ("N:1", False, True),
        ("N:N", False, False),
        ("1", False, False),
        ("many", False, False),
        ("null", False, False),
        ("[1, 1]", False, False),
    ],
)
def test_cardinality_says_how_many_there_may_be_at_each_end(
    cardinality: str, one_source: bool, one_target: bool
) -> None:
    found = edge(f'edgeKinds: [{{name: e, cardinality: "{cardinality}"}}]\n'.replace('"[1, 1]"', "[1, 1]"))

    assert (found.one_source, found.one_target) == (one_source, one_target)


def test_an_alias_takes_from_its_canonical_kind_what_it_does_not_say() -> None:
    found = kinds(
        "edgeKinds:\n"
        "  - {name: e, source: [A], target: [B], cardinality: 'N:1', inverse: back, requiresInverse: true,"
        " description: It leads, attributes: {since: iso-date}}\n"
        "  - {name: same, aliasOf: e}\n"
        "  - {name: wider, aliasOf: e, target: '*', cardinality: 'N:N', description: Wider, inverse: other}\n"
    ).edges

    whole, same, wider = found["e"], found["same"], found["wider"]
    assert (same.sources, same.targets, same.one_target, same.requires_inverse) == ({"A"}, {"B"}, True, True)
    assert (same.inverse, same.attributes, same.description) == ("back", whole.attributes, "It leads")
    assert (wider.sources, wider.targets, wider.one_target) == ({"A"}, None, False)
    assert (wider.inverse, wider.requires_inverse, wider.description) == ("other", True, "Wider")
    assert (same.alias_of, wider.alias_of) == ("e", "e")


@pytest.mark.parametrize("alias", ["e", "gone", "other"])
def test_an_alias_of_itself_of_nothing_or_in_a_circle_ends(alias: str) -> None:
    found = kinds(f"edgeKinds: [{{name: e, aliasOf: {alias}}}, {{name: other, aliasOf: e, target: [A]}}]\n").edges

    assert found["e"].alias_of == alias
    assert found["other"].targets == {"A"}


def test_an_edge_kind_that_is_declared_twice_allows_what_either_allows() -> None:
    found = edge(
        "edgeKinds:\n"
        "  - {name: e, source: [A], target: [B], cardinality: 'N:1', attributes: {since: iso-date}}\n"
        "  - {name: e, source: [C], cardinality: '1:1', requiresInverse: true, attributes: {since: int, to: int}}\n"
    )

    assert (found.sources, found.targets) == ({"A", "C"}, None)
    assert (found.one_source, found.one_target, found.requires_inverse) == (False, True, True)
    assert [(name, each.type) for name, each in sorted(found.attributes.items())] == [
        ("since", ValueType("iso-date")),
        ("to", ValueType("int")),
    ]


def test_rules_can_require_inverses_of_edges() -> None:
    found = kinds("edgeKinds: [e, f]\nrequireInverse: [f]\n").edges

    assert [found[name].requires_inverse for name in ("e", "f")] == [False, True]


def test_owners_are_of_the_kinds_at_which_owned_by_ends_where_the_rules_do_not_say() -> None:
    assert kinds("edgeKinds: [{name: owned_by, target: [Team]}]\n").owner_kinds == {"Team"}
    assert kinds("edgeKinds: [{name: owned_by}]\n").owner_kinds is None
    assert kinds("edgeKinds: [e]\n").owner_kinds is None


def test_a_vocabulary_stands_in_a_field_or_in_a_file_named_after_it() -> None:
    assert kinds("vocabulary: {status: [draft, 1, true]}\n").vocabulary == {"status": ("draft", "1", "True")}
    for name in ("ontology/controlled-vocabulary.yaml", "ontology/vocabulary.yml", "ontology/vocabularies.yaml"):
        assert read({name: "status: [draft]\nother: x\n"}).vocabulary == {"status": ("draft",)}
    assert read({"ontology/kinds.yaml": "status: [draft]\n"}).vocabulary == {}
    assert read({"ontology/vocabulary-notes.yaml": "status: [draft]\n"}).vocabulary == {}


def test_a_file_of_vocabulary_can_hold_rules_that_are_none_of_it() -> None:
    found = read({"ontology/vocabulary.yaml": "nodeKinds: [A]\nforbiddenPaths: [a]\nownerKinds: [A]\ntier: [one]\n"})

    assert found.vocabulary == {"tier": ("one",)}
    assert (list(found.kinds), found.forbidden_paths, found.owner_kinds) == (["A"], ("a",), {"A"})


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("string", ValueType("string")),
        (" iso-date ", ValueType("iso-date")),
        ("list<string>", ValueType("list", of=(ValueType("string"),))),
        ("map<string, int>", ValueType("map", of=(ValueType("string"), ValueType("int")))),
        ("enum<a, b ,c>", ValueType("enum", ("a", "b", "c"))),
        ("enum<a|b>", ValueType("enum", ("a", "b"))),
        ("enum<two words, b>", ValueType("enum", ("two words", "b"))),
        ("ref<Team>", ValueType("ref", ("Team",))),
        ("ref<Team|Service>", ValueType("ref", ("Team", "Service"))),
        ("ref<NodeKind>", ValueType("ref")),
        ("ref<*>", ValueType("ref")),
        ("ref", ValueType("ref")),
        ("list<ref<A|B>>", ValueType("list", of=(ValueType("ref", ("A", "B")),))),
        (
            "map<string, list<enum<a,b>>>",
            ValueType("map", of=(ValueType("string"), ValueType("list", of=(ValueType("enum", ("a", "b")),)))),
        ),
        ("", ValueType("any")),
        ("<", ValueType("any")),
        (">", ValueType("any")),
        ("list<string>>", ValueType("any")),
        ("list<string> more", ValueType("any")),
        ("a, b", ValueType("any")),
    ],
)
def test_types_are_read_from_their_notation(stated: str, expected: ValueType) -> None:
    assert read_type(stated) == expected


@pytest.mark.parametrize(
    "stated", ["list<", "list<list<", "enum<", "enum<a", "ref<A|", "map<string", "list<,>", "<<<>>>"]
)
def test_a_type_that_does_not_end_is_read_all_the_same(stated: str) -> None:
    assert isinstance(read_type(stated), ValueType)


def test_a_type_that_fell_apart_between_braces_is_whole_again() -> None:
    attributes = (
        kinds(
            "nodeKinds:\n  - name: A\n    attributes:\n"
            "      - {name: one, type: enum<a, b, c>, required: true}\n"
            "      - {name: two, type: map<string, list<ref<A>>>}\n"
            "      - {name: three, type: enum<x>, description: no}\n"
        )
        .kinds["A"]
        .attributes
    )

    assert attributes["one"] == Attribute("one", ValueType("enum", ("a", "b", "c")), True)
    assert attributes["two"].type == read_type("map<string, list<ref<A>>>")
    assert attributes["three"] == Attribute("three", ValueType("enum", ("x",)), description="no")


def test_values_can_be_listed_beside_a_type_or_instead_of_it() -> None:
    attributes = (
        kinds(
            "nodeKinds:\n  - name: A\n    attributes:\n"
            "      one: {enum: [a, 1]}\n      two: {type: string, values: [b]}\n      three: {type: string, enum: []}\n"
            "      four: {type: 7}\n      five: null\n"
        )
        .kinds["A"]
        .attributes
    )

    assert attributes["one"].type == ValueType("enum", ("a", "1"))
    assert attributes["two"].type == ValueType("enum", ("b",))
    assert attributes["three"].type == ValueType("string")
    assert (attributes["four"].type, attributes["five"].type) == (None, None)


def depth(value_type: ValueType) -> int:
    """How many types stand inside each other."""
    return 1 + max(map(depth, value_type.of), default=0)


def test_types_nested_a_hundred_deep_are_read_so_deep_as_honest_ones_are() -> None:
    found = read_type("list<" * 100 + "string" + ">" * 100)

    assert depth(found) <= DEEPEST_TYPE + 2


@pytest.mark.parametrize(
    "stated",
    [
        "list<" * 50_000,
        ">" * 100_000,
        "enum<" + "a," * 100_000 + "b>",
        "map<" + "string," * 50_000 + "int>",
        "map<" + "enum<a>," * 30_000 + "int>",
        "<" * 100_000,
        "a b " * 100_000,
        " " * 200_000 + "x",
    ],
    ids=["open", "close", "values", "types", "enums", "angles", "words", "blanks"],
)
def test_a_type_of_any_length_takes_no_longer_than_it_is(stated: str) -> None:
    begin = time.process_time()
    read_type(stated)

    assert time.process_time() - begin < 5


def test_many_kinds_and_aliases_take_no_longer_than_they_are() -> None:
    names = [f"e{number}" for number in range(5_000)]
    text = "edgeKinds:\n" + "".join(f"  - {{name: {name}, aliasOf: e0}}\n" for name in names)
    text += "  - {name: e0, target: [A]}\n" * 2_000
    parsed = read_file("ontology/edges.yaml", text.encode())
    begin = time.process_time()
    found = read_constraints([parsed])

    assert time.process_time() - begin < 5
    assert len(found.edges) == 5_000


@pytest.mark.parametrize(
    "text",
    [
        "nodeKinds: 7\nedgeKinds: x\n",
        "nodeKinds: [[], 7, null, {prefix: a}, {name: 7}]\n",
        "nodeKinds: {A: 7, B: [x]}\n",
        "nodeKinds: [{name: A, prefix: 7, required: {a: b}, attributes: x, description: []}]\n",
        "edgeKinds: [{name: e, source: {a: b}, target: 7, inverse: [], aliasOf: {}, attributes: 7}]\n",
        "requiredFields: 7\nvocabulary: []\nallowedStatusTransitions: [a]\nforbiddenPaths: {a: b}\n",
        "requiredFields: {record: {a: b}, A: 7}\nvocabulary: {a: b, c: {d: e}}\n",
        "staleAfterDays: -1\nownerKinds: 7\ncontainmentEdges: {}\nchecks: [a]\nkindPaths: [a]\nversion: []\n",
        "staleAfterDays: true\nchecks: {KB001: [off], KB002: {a: b}, KB003: 1}\nversion: true\n",
    ],
)
def test_what_is_not_of_the_form_demands_nothing_and_ends_nothing(text: str) -> None:
    found = kinds(text)

    assert (found.required, found.vocabulary, found.forbidden_paths, found.settings) == ((), {}, (), {})
    assert (found.stale_after_days, found.version) == (365, None)


def test_a_file_that_does_not_parse_takes_only_itself() -> None:
    found = read({"ontology/a.yaml": "nodeKinds: [\n", "ontology/b.yaml": "nodeKinds: [B]\n"})

    assert list(found.kinds) == ["B"]


def test_an_organisation_can_only_demand_more() -> None:
    own = kinds("requiredFields: [title]\nedgeKinds: [e, f]\nvocabulary: {status: [draft, approved]}\n")
    found = with_demands(own, ["owners", "title"], ["f", "g"], {"status": ("approved", "live"), "tier": ("one",)})

    assert found.required == ("title", "owners")
    assert list(found.edges) == ["f"]
    assert found.vocabulary == {"status": ("approved",), "tier": ("one",)}
    assert with_demands(own, [], None, {}) == own
