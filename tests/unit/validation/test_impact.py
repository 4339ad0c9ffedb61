"""What a change does to what agents see."""

from __future__ import annotations

from collections.abc import Mapping

from kradle_ctx.model.findings import Change, EdgeChange, GoldenQuery, Impact
from kradle_ctx.validation.impact import MOST_TOLD
from tests.checks.examples import validated
from tests.fakes import Content
from tests.pipeline import graph_record, markdown

Files = Mapping[str, Content]

API = graph_record("service:api", "Service", title="API", edges={"depends_on": ["service:store"]})
STORE = graph_record("service:store", "Service", title="Store")
PAGE = markdown("# Gate\n", id="runbook:gate", kind="Runbook", title="Gate")


def impact(base: Files, head: Files, layout: str | None = None) -> Impact:
    """What becomes of one state by another."""
    found = validated(head, base, layout=layout).impact
    assert found is not None
    return found


def told(base: Files, head: Files, layout: str | None = None) -> list[tuple[str, str, str | None]]:
    """What happened to which record, and what it was before."""
    return [(each.change.value, each.id, each.was) for each in impact(base, head, layout).records]


def test_nothing_changes_where_nothing_changed() -> None:
    assert impact({"a.yaml": API, "b.yaml": STORE}, {"a.yaml": API, "b.yaml": STORE}) == Impact()


def test_a_whole_state_is_no_change() -> None:
    assert validated({"a.yaml": API}).impact is None


def test_a_record_comes_and_goes_with_its_edges() -> None:
    both, one = {"a.yaml": API, "b.yaml": STORE}, {"b.yaml": STORE}
    edge = ("service:api", "depends_on", "service:store")

    assert told(one, both) == [("added", "service:api", None)]
    assert told(both, one) == [("removed", "service:api", None)]
    assert impact(one, both).edges == (EdgeChange(Change.ADDED, *edge),)
    assert impact(both, one).edges == (EdgeChange(Change.REMOVED, *edge),)
    assert impact(one, both).kinds == {"Service": 1}


def test_a_record_that_says_something_else_is_edited() -> None:
    other = STORE.replace('"Store"', '"Store", "summary": "Keeps"')

    assert told({"b.yaml": STORE}, {"b.yaml": other}) == [("edited", "service:store", None)]


def test_a_record_is_renamed_by_its_title_or_by_its_path() -> None:
    retitled = STORE.replace('"Store"', '"Depot"')

    assert told({"b.yaml": STORE}, {"b.yaml": retitled}) == [("renamed", "service:store", "Store")]
    assert told({"b.yaml": STORE}, {"c.yaml": STORE}) == [("renamed", "service:store", "b.yaml")]
    assert told({"b.yaml": STORE}, {"c.yaml": retitled}) == [("renamed", "service:store", "Store")]
    assert impact({"a.yaml": API}, {"b.yaml": API}).edges == ()


def test_a_record_that_only_stands_lower_in_its_file_is_not_edited() -> None:
    base, head = {"a.yaml": f"{API}---\n{STORE}"}, {"a.yaml": f"{API.rstrip()}  # longer\n\n---\n{STORE}"}

    assert told(base, head) == [("edited", "service:api", None)]


def test_an_id_that_changes_is_one_record_gone_and_another_come() -> None:
    renamed = STORE.replace("service:store", "service:depot")

    assert told({"b.yaml": STORE}, {"b.yaml": renamed}) == [
        ("added", "service:depot", None),
        ("removed", "service:store", None),
    ]


def test_a_second_declaration_withholds_a_record_unless_the_layout_joins_them() -> None:
    one, two = {"b.yaml": STORE}, {"b.yaml": STORE, "c.yaml": STORE}

    assert told(one, two) == [("withheld", "service:store", None)]
    assert told(one, two, "atlas-md-yaml-v1") == [("edited", "service:store", None)]
    assert told(two, one) == [("edited", "service:store", None)]


def test_another_sensitivity_is_told_with_the_one_before() -> None:
    hidden = graph_record("service:store", "Service", title="Store", sensitivity="restricted")

    assert told({"b.yaml": STORE}, {"b.yaml": hidden}) == [("reclassified", "service:store", "internal")]
    assert told({"b.yaml": hidden}, {"b.yaml": STORE}) == [("reclassified", "service:store", "restricted")]


def test_what_only_adds_edges_declares_no_record() -> None:
    added = 'extendsNode: {id: "service:store"}\nedges: {depends_on: ["service:api"]}\n'
    edge = EdgeChange(Change.ADDED, "service:store", "depends_on", "service:api")

    assert told({"x.yaml": added}, {"x.yaml": added, "b.yaml": STORE}) == [("added", "service:store", None)]
    assert told({"x.yaml": added, "b.yaml": STORE}, {"x.yaml": added}) == [("removed", "service:store", None)]
    assert told({"b.yaml": STORE}, {"x.yaml": added, "b.yaml": STORE}) == []
    assert impact({"b.yaml": STORE}, {"x.yaml": added, "b.yaml": STORE}).edges == (edge,)


def test_a_name_that_was_an_alias_is_a_new_record() -> None:
    named = graph_record("service:old", "Service", title="Old", aliases=["service:store"])

    assert told({"a.yaml": named}, {"a.yaml": named, "b.yaml": STORE}) == [("added", "service:store", None)]


def test_an_edge_that_another_file_states_too_neither_came_nor_went() -> None:
    again = 'extendsNode: {id: "service:api"}\nedges: {depends_on: ["service:store"]}\n'
    once, twice = {"a.yaml": API, "b.yaml": STORE}, {"a.yaml": API, "b.yaml": STORE, "x.yaml": again}

    assert impact(once, twice).edges == ()
    assert impact(twice, once).edges == ()
    assert impact(twice, {"b.yaml": STORE, "x.yaml": again}).edges == ()


def test_an_edge_that_moves_between_files_is_none() -> None:
    base = {"a.yaml": API, "b.yaml": STORE, "x.yaml": "other: 1\n"}
    bare = graph_record("service:api", "Service", title="API")
    moved = 'extendsNode: {id: "service:api"}\nedges: {depends_on: ["service:store"]}\n'

    assert impact(base, {"a.yaml": bare, "b.yaml": STORE, "x.yaml": moved}).edges == ()


def test_edges_are_told_in_order_the_new_ones_first() -> None:
    head = API.replace('["service:store"]', '["service:z", "service:b"]')

    assert [(each.change.value, each.target) for each in impact({"a.yaml": API}, {"a.yaml": head}).edges] == [
        ("added", "service:b"),
        ("added", "service:z"),
        ("removed", "service:store"),
    ]


def test_repositories_are_those_that_either_state_names() -> None:
    about = graph_record("service:api", "Service", repoRefs=["shop"], edges={"applies_to_repo": ["repository:one"]})
    repository = graph_record("repository:two", "Repository")
    page = markdown("# A note\n", repoRefs=["repository:three"])

    assert impact({"a.yaml": about, "n.md": page}, {"b.yaml": repository}).repositories == (
        "repository:one",
        "repository:three",
        "repository:two",
        "shop",
    )


GOLDEN = {
    "evals/gate.yaml": "name: gate\nquery: x\nmust: [runbook:gate, service:other]\nmustNot: [service:store]\n",
    "evals/store.yml": "query: x\nmust: service:store\n",
    "evals/page.yaml": "name: page\nmust: [runbooks/gate.md]\n",
    "evals/none.yaml": "name: none\nmust: [service:other]\n",
    "evals/broken.yaml": "name: [\nmust: [runbook:gate]\n",
    "evals/list.yaml": "- must: [runbook:gate]\n",
    "evals/readme.md": "must: [runbook:gate]\n",
    "evals/deep/gate.yaml": "must: [runbook:gate]\n",
    "other/gate.yaml": "must: [runbook:gate]\n",
}


def test_golden_queries_that_name_what_changed_are_named() -> None:
    base = {**GOLDEN, "runbooks/gate.md": PAGE, "b.yaml": STORE}
    found = impact(base, {**GOLDEN, "runbooks/gate.md": PAGE + "More.\n"})

    assert found.golden_queries == (
        GoldenQuery("gate", "evals/gate.yaml", ("runbook:gate",), ("service:store",)),
        GoldenQuery("page", "evals/page.yaml", ("runbooks/gate.md",)),
        GoldenQuery("evals/store.yml", "evals/store.yml", ("service:store",)),
    )


def test_golden_queries_are_those_after_the_change_and_those_that_it_removes() -> None:
    base, head = {"runbooks/gate.md": PAGE}, {"runbooks/gate.md": PAGE + "More.\n"}
    query = {"evals/gate.yaml": "name: gate\nmust: [runbook:gate]\n"}

    removed = GoldenQuery("gate", "evals/gate.yaml", ("runbook:gate",), removed=True)
    assert impact({**base, **query}, head).golden_queries == (removed,)
    assert impact({**base, **query}, base).golden_queries == ()
    assert [each.name for each in impact(base, {**head, **query}).golden_queries] == ["gate"]


def test_a_change_of_very_much_is_told_in_part_and_counted_whole() -> None:
    head = {
        f"graph/{number}.yaml": graph_record(f"service:{number}", "Service", edges={"depends_on": ["service:0"]})
        for number in range(MOST_TOLD + 20)
    }
    found = impact({"README.md": "# Here\n"}, {"README.md": "# Here\n", **head})

    assert (len(found.records), found.more_records) == (MOST_TOLD, 20)
    assert (len(found.edges), found.more_edges) == (MOST_TOLD, 20)
    assert found.kinds == {"Service": MOST_TOLD + 20}


def test_notes_are_no_records() -> None:
    assert told({"a.md": "# One\n"}, {"a.md": "# Two\n", "b.md": "# Three\n"}) == []


def test_other_line_breaks_are_no_edit() -> None:
    assert told({"a.md": PAGE}, {"a.md": PAGE.replace("\n", "\r\n")}) == []
