"""Every digest of a bundle, recomputed from what docs/reference/digests.md says alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from kradle_ctx.model.access import Access
from kradle_ctx.model.bundle import Bundle
from kradle_ctx.model.request import Request, Visibility
from kradle_ctx.render.prompt import prompt_section
from tests.fakes import InMemoryRepository
from tests.pipeline import EVERYTHING, FIRST_DAY, SECOND_DAY, assembled, brain, explicit, granting, graph_record
from tests.properties.brains import granted_files, requests
from tests.properties.examples import examples

SELECTED = ("kind", "id", "path", "lineStart", "lineEnd", "blob", "digest")
PINS = (
    "repositoryRef",
    "resolvedCommit",
    "versions",
    "queryManifestDigest",
    "policyDigest",
    "ontologyDigest",
    "indexDigest",
    "selectedRecordsDigest",
    "selectedExcerptsDigest",
)
OUTSIDE = ("currentCommitAtDispatch", "staleBy", "accessCommit")
OUTSIDE_WARNINGS = ("stale", "gone-today", "index")


def canonical(value: Any) -> str:
    """RFC 8785, for the values that a bundle can hold: numbers here are below 1e21 and not below 1e-6."""
    if isinstance(value, Mapping):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in names) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(canonical(entry) for entry in value) + "]"
    if isinstance(value, float):
        assert value == 0 or 1e-6 <= abs(value) < 1e21
        return str(int(value)) if value == int(value) else repr(value)
    return json.dumps(value, ensure_ascii=False)


def sha256(text: str | bytes) -> str:
    """A digest of bytes or of a text's UTF-8 bytes."""
    return "sha256:" + hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


def of_value(value: Any) -> str:
    """The digest of a value."""
    return sha256(canonical(value))


def chosen(memory: Mapping[str, Any], excerpts: bool) -> list[dict[str, Any]]:
    """The fields of the selected records, or of the selected excerpts, that count."""
    return [
        {name: source[name] for name in SELECTED if name in source}
        for source in memory["sources"]
        if (source["kind"] == "memory-grep-excerpt") is excerpts
    ]


def covered(document: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a bundle under its own digest."""
    value: dict[str, Any] = json.loads(json.dumps(document))
    del value["metadata"], value["status"]
    memory = value["spec"]["memory"]
    for name in OUTSIDE:
        memory.pop(name, None)
    memory.get("refResolution", {}).pop("resolvedAt", None)
    for source in memory["sources"]:
        source.pop("lastChanged", None)
        source.pop("trust", None)
    memory["warnings"] = [entry for entry in memory["warnings"] if entry["code"] not in OUTSIDE_WARNINGS]
    return value


def check(bundle: Bundle, repository: InMemoryRepository, public: bool = False) -> None:
    """Recompute every digest and every name made from one."""
    document, memory = bundle.document, bundle.memory
    for source in memory["sources"]:
        assert source["digest"] == sha256(source["content"])
    assert memory["policyDigest"] == of_value({"grants": memory["grants"], "publicDispatch": public})
    tree = repository.commit(memory["resolvedCommit"]).tree
    index = {
        "rootTree": tree,
        "ontologyDigest": memory["ontologyDigest"],
        "layoutProfile": memory["query"]["layoutProfile"],
        "indexer": memory["versions"]["indexer"],
    }
    assert memory["indexDigest"] == of_value(index)
    manifest = {name: memory[name] for name in ("query", "resolvedCommit", "policyDigest", "indexDigest", "versions")}
    assert memory["queryManifestDigest"] == of_value(manifest)
    assert memory["selectedRecordsDigest"] == of_value(chosen(memory, excerpts=False))
    assert memory["selectedExcerptsDigest"] == of_value(chosen(memory, excerpts=True))
    pins = {name: memory[name] for name in PINS}
    assert memory["snapshotRef"] == "ams-" + of_value(pins)[7:19] == bundle.snapshot["metadata"]["name"]
    assert document["spec"]["prompt"]["renderedMemoryDigest"] == sha256(prompt_section(memory, branch_facts=False))
    assert document["status"]["digest"] == of_value(covered(document))
    assert document["metadata"]["name"] == "acb-" + document["status"]["digest"][7:19]
    assert bundle.query["metadata"]["name"] == "amq-" + of_value(bundle.query["spec"])[7:19]


@settings(max_examples=examples(30), deadline=None)
@given(granted_files(), requests())
def test_every_digest_can_be_recomputed(files: dict[str, str], request: Request) -> None:
    repository = brain(files)
    check(assembled(repository, replace(request, select=())), repository)


@settings(max_examples=examples(15), deadline=None)
@given(granted_files(), granted_files(), requests())
def test_every_digest_of_an_old_pin_can_be_recomputed(
    files: dict[str, str], today: dict[str, str], request: Request
) -> None:
    repository = brain(files, FIRST_DAY)
    first = repository.refs["refs/heads/main"]
    repository.add_commit(today, SECOND_DAY)
    check(assembled(repository, replace(request, select=(), ref=explicit(first))), repository)


def test_text_beyond_ascii_has_digests_of_its_utf_8_bytes() -> None:
    repository = brain(
        {"ü.md": "# Ünïcode 😀\n\ncarriage\r\nzwölf \u202e Wagen\n", "z.yaml": graph_record("term:ü", "Term")}
    )
    access = granting("**", exclude_paths=("köln/**",), max_context_bytes=9_000, allow_on_public=True)
    check(assembled(repository, Request(query="carriage term zwölf"), access), repository)


def test_a_public_dispatch_has_another_policy() -> None:
    repository = brain({"a.md": "---\nsensitivity: public\n---\ncarriage\n"})
    public = Access(EVERYTHING.grants, public_dispatch=True)
    check(assembled(repository, Request(query="carriage", visibility=Visibility.PUBLIC), public), repository, True)


def test_a_bundle_without_memory_has_digests_as_well() -> None:
    bundle = assembled(brain({"a.md": "x\n"}), Request(query="carriage", required=False), Access(()))
    assert bundle.document["status"]["digest"] == of_value(covered(bundle.document))
    assert bundle.document["spec"]["prompt"]["renderedMemoryDigest"] == sha256("")
    assert bundle.memory["policyDigest"] == of_value({"grants": [], "publicDispatch": False})


def test_the_ontology_digest_covers_the_bytes_of_its_files() -> None:
    files = {"ontology/a.yaml": "nodeKinds: [Term]\n", "ontology/sub/b.yml": "edgeKinds: []\n", "ontology/c.md": "no\n"}
    memory = assembled(brain(files), Request(query="carriage")).memory
    expected = {path: sha256(files[path]) for path in ("ontology/a.yaml", "ontology/sub/b.yml")}
    assert memory["ontologyDigest"] == of_value(expected)


@pytest.mark.parametrize(
    "change",
    [
        lambda document: document["spec"]["memory"]["sources"][0].update(content="another text\n"),
        lambda document: document["spec"]["memory"]["sources"][0]["why"].update(approved=True),
        lambda document: document["spec"]["memory"]["omitted"].update(count=7),
        lambda document: document["spec"]["memory"]["limits"].update(usedBytes=1),
        lambda document: document["spec"]["memory"]["warnings"].append({"code": "retrieval", "message": "x"}),
        lambda document: document["spec"].update(dispatchRun="other"),
    ],
)
def test_a_change_inside_shows_in_the_digest(change: Any) -> None:
    document = json.loads(json.dumps(assembled(brain({"a.md": "carriage\n"}), Request(query="carriage")).document))
    change(document)
    assert of_value(covered(document)) != document["status"]["digest"]
