"""Reading an ontology in its two forms."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from importlib.resources import files as package_files

import pytest

from kradle_ctx.model.ontology import EdgeKind, NodeKind, Ontology
from kradle_ctx.ontology import read_ontology, starter_ontology

STARTER_NODES = """
    Organization Team Repository Service Package Runbook Decision Incident AgentPractice Skill Tool Customer ProductArea
    Term PromptFragment BabysitterRun BabysitterSession RunJournalEvent RunTaskResult RunRetrospective
""".split()
STARTER_EDGES = """
    documents implements depends_on supersedes owned_by applies_to_repo applies_to_stack mentions derived_from
    requires_secret requires_config safe_for_trigger resolved_by has_journal_event has_task_result summarized_by
    produced_artifact learned_from
""".split()
"""The starter ontology, as the data model lists it."""


def read(contents: Mapping[str, str | bytes], override: str | None = None) -> Ontology:
    data = {path: text.encode() if isinstance(text, str) else text for path, text in contents.items()}
    return read_ontology(sorted(contents), data.get, override)


def test_a_brain_without_one_gets_the_starter_ontology() -> None:
    ontology = read({"README.md": "x", "graph/ontology/x.yaml": "nodeKinds: [A]\n"})
    assert ontology.origin == "starter"
    assert ontology == starter_ontology()
    assert set(STARTER_NODES) <= set(ontology.node_kinds)
    assert set(STARTER_EDGES) <= set(ontology.edge_kinds)
    assert (ontology.paths, ontology.faults) == ((), ())


def test_the_starter_ontology_has_the_digest_of_its_file() -> None:
    data = package_files("kradle_ctx").joinpath("starter_ontology.yaml").read_bytes()
    value = json.dumps({"starter_ontology.yaml": "sha256:" + hashlib.sha256(data).hexdigest()}, separators=(",", ":"))
    assert starter_ontology().digest == "sha256:" + hashlib.sha256(value.encode()).hexdigest()


def test_the_plain_form_takes_lists_of_mappings_lists_of_names_and_maps() -> None:
    ontology = read(
        {
            "ontology/a.yaml": "nodeKinds: [Page, {name: Term, prefix: term, required: [id, title]}, {other: x}, 3]\n",
            "ontology/b.yml": "nodeKinds: {Tool: {requiredAttributes: owner}, Skill: null}\n",
            "ontology/c.yaml": (
                "edgeKinds:\n  uses: {source: Tool, target: [Term, Page], inverse: used_by}\n  any: {}\n"
                "  old: {domain: [Skill], range: '*', aliasOf: uses}\n"
            ),
        }
    )
    assert ontology.origin == "ontology/"
    assert ontology.node_kinds == {
        "Page": NodeKind("Page"),
        "Term": NodeKind("Term", "term", ("id", "title")),
        "Tool": NodeKind("Tool", None, ("owner",)),
        "Skill": NodeKind("Skill"),
    }
    assert ontology.edge_kinds == {
        "uses": EdgeKind("uses", ("Tool",), ("Term", "Page"), "used_by"),
        "any": EdgeKind("any", ("*",), ("*",)),
        "old": EdgeKind("old", ("Skill",), ("*",), None, "uses"),
    }
    assert ontology.paths == ("ontology/a.yaml", "ontology/b.yml", "ontology/c.yaml")


def test_the_atlas_form_is_a_manifest_that_names_files() -> None:
    files = {
        "schema/ontology-schema.yaml": (
            "nodeKindFiles: [schema/kinds/a.yaml, schema/kinds/absent.yaml, 7]\nedgeKindFile: schema/edges.yaml\n"
        ),
        "schema/kinds/a.yaml": (
            "nodeKinds:\n  - name: Agent\n    prefix: agent\n    attributes:\n"
            "      - {name: id, type: id, required: true}\n      - {name: note, type: string}\n"
        ),
        "schema/edges.yaml": "edgeKinds:\n  - {name: uses, source: Agent, target: Agent, cardinality: many}\n",
        "schema/unnamed.yaml": "nodeKinds: [Hidden]\n",
    }
    ontology = read(files)
    assert ontology.origin == "schema/ontology-schema.yaml"
    assert ontology.node_kinds == {"Agent": NodeKind("Agent", "agent", ("id",))}
    assert ontology.edge_kinds == {"uses": EdgeKind("uses", ("Agent",), ("Agent",))}
    assert ontology.faults == ("schema/kinds/absent.yaml: named by the ontology but absent or unreadable",)
    assert set(ontology.paths) == {"schema/ontology-schema.yaml", "schema/kinds/a.yaml", "schema/edges.yaml"}


def test_manifests_that_name_each_other_end() -> None:
    ring = "nodeKindFiles: [ontology/a.yaml, ontology/b.yaml]\nnodeKinds: [{}]\n".replace("{}", "K")
    ontology = read({"ontology/a.yaml": ring, "ontology/b.yaml": ring})
    assert list(ontology.node_kinds) == ["K"]


def test_the_folder_stands_above_the_manifest_and_an_override_above_both() -> None:
    files = {
        "ontology/a.yaml": "nodeKinds: [Folder]\n",
        "schema/ontology-schema.yaml": "nodeKinds: [Manifest]\n",
        "own/kinds.yaml": "nodeKinds: [Own]\n",
        "own/notes.md": "no\n",
        "single.yaml": "nodeKinds: [Single]\n",
    }
    assert list(read(files).node_kinds) == ["Folder"]
    del files["ontology/a.yaml"]
    assert list(read(files).node_kinds) == ["Manifest"]
    for override, name in (("own", "Own"), ("own/", "Own"), ("single.yaml", "Single")):
        ontology = read(files, override)
        assert (ontology.origin, list(ontology.node_kinds)) == (override, [name])


def test_an_override_that_is_not_there_is_a_fault() -> None:
    ontology = read({"ontology/a.yaml": "nodeKinds: [A]\n"}, "absent")
    assert ontology.faults == ("absent: named by the ontology but absent or unreadable",)
    assert ontology.node_kinds == {}


@pytest.mark.parametrize("text", ["nodeKinds: [\n", "a: 1\na: 2\n", b"\xff"])
def test_a_file_that_does_not_parse_is_a_fault_and_takes_only_itself(text: str | bytes) -> None:
    ontology = read({"ontology/a.yaml": text, "ontology/b.yaml": "nodeKinds: [B]\n"})
    assert list(ontology.node_kinds) == ["B"]
    (fault,) = ontology.faults
    assert fault.startswith("ontology/a.yaml:")
    assert ontology.paths == ("ontology/a.yaml", "ontology/b.yaml")


@pytest.mark.parametrize("text", ["", "null\n", "[1, 2]\n", "nodeKinds: 7\nedgeKinds: text\n", "nodeKinds: {}\n"])
def test_values_of_an_odd_shape_say_nothing(text: str) -> None:
    ontology = read({"ontology/a.yaml": text})
    assert ontology.faults == ()
    assert (ontology.node_kinds, ontology.edge_kinds) == ({}, {})


def test_the_first_file_that_names_a_kind_counts() -> None:
    ontology = read(
        {"ontology/a.yaml": "nodeKinds: {K: {prefix: a}}\n", "ontology/b.yaml": "nodeKinds: {K: {prefix: b}}\n"}
    )
    assert ontology.node_kinds["K"].prefix == "a"


def test_one_changed_byte_changes_the_digest_and_another_file_does_not() -> None:
    one = read({"ontology/a.yaml": "nodeKinds: [A]\n"})
    assert read({"ontology/a.yaml": "nodeKinds: [A] \n"}).digest != one.digest
    assert read({"ontology/a.yaml": "nodeKinds: [A]\n", "ontology/notes.md": "x", "b.yaml": "x"}).digest == one.digest


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS pointer"),
        ("nodeKinds: [A]\n".encode("utf-16"), "UTF-16"),
        (b"nodeKinds: [A]\n# \0\n", "binary"),
        (b"nodeKinds: [\xff]\n", "not UTF-8"),
    ],
)
def test_a_file_that_is_no_text_is_a_fault_with_its_reason(data: bytes, reason: str) -> None:
    (fault,) = read({"ontology/kinds.yaml": data}).faults
    assert fault.startswith(f"ontology/kinds.yaml: {reason}")


def test_an_ontology_has_a_largest_size() -> None:
    comment = "# " + "x" * (1 << 20) + "\n"
    files = {f"ontology/{number}.yaml": f"{comment}nodeKinds: [K{number}]\n" for number in range(9)}
    ontology = read(files)
    assert ontology.faults == ("ontology/7.yaml: the ontology has more than 8388608 bytes in all",)
    assert set(ontology.node_kinds) == {f"K{number}" for number in range(7)}


def test_no_more_faults_are_told_than_anyone_reads() -> None:
    names = ", ".join(f"none/{number}.yaml" for number in range(500))
    faults = read({"schema/ontology-schema.yaml": f"nodeKindFiles: [{names}]\n"}).faults
    assert len(faults) == 100
    assert faults[0] == "none/0.yaml: named by the ontology but absent or unreadable"


@pytest.mark.parametrize("name", ["a\x1b[31mb", "two\nlines", "\u202egnp", "x" * 100_000])
def test_a_text_that_is_no_path_is_not_repeated_by_the_fault(name: str) -> None:
    manifest = json.dumps({"nodeKindFiles": [name]})
    (fault,) = read({"schema/ontology-schema.yaml": manifest}).faults
    assert fault == "a path that cannot be shown: named by the ontology but absent or unreadable"
