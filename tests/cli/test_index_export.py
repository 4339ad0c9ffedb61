"""`index export` and `index status --check`: derived files, the same everywhere."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cases.command_line import Answer
from tests.conftest import GitBuilder
from tests.emitted import assert_fits
from tests.example import RESOURCES, invoke, planted_secrets
from tests.pipeline import FIRST_DAY, SECOND_DAY, graph_record, markdown

Here = Callable[..., Answer]

FILES = ("graph-index.json", "ontology-report.json", "search-manifest.json")
THIRD_DAY = "2026-05-04T00:00:00Z"

BRAIN = {
    "graph/services.yaml": graph_record("service:web", "Service", title="Web", owners=["team:web"], tags=["ci"])
    + "---\n"
    + graph_record("service:vault", "Service", title="Vault", sensitivity="restricted"),
    "runbooks/deploy.md": markdown(
        "Deploy.\n", id="runbook:deploy", kind="Runbook", title="Deploy", repoRefs=["web"]
    ).replace("---\n", "---\nrelated: {documents: ['service:web', 'service:gone']}\n", 1),
    "notes/a.md": "# A note\n",
}


def exported(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The graph index and the search manifest as values; all files fit their schemas."""
    graph, report, manifest = (json.loads((folder / name).read_bytes()) for name in FILES)
    for document in (graph, report, manifest):
        assert_fits(document)
    return graph, manifest


def reported(folder: Path) -> dict[str, Any]:
    """The ontology report as a value."""
    value: dict[str, Any] = json.loads((folder / FILES[1]).read_bytes())
    return value


def written(folder: Path) -> dict[str, bytes]:
    """The files as bytes."""
    return {name: (folder / name).read_bytes() for name in FILES}


def test_the_files_hold_what_the_grants_allow_and_how_to_find_it(
    here: Here, git: Callable[..., GitBuilder], tmp_path: Path
) -> None:
    brain = git("brain")
    commit = brain.add_commit(BRAIN, FIRST_DAY)
    answer = here("index", "export", "--brain", brain.path, "--local-grant")
    assert (answer.code, answer.talk) == (0, "")
    assert [line.split(" (")[0] for line in answer.text.splitlines()] == [f"wrote indexes/{name}" for name in FILES]
    graph, manifest = exported(Path("indexes"))
    assert (graph["sourceCommit"], graph["generatedAt"]) == (commit, FIRST_DAY)
    assert [record["id"] for record in graph["records"]] == ["runbook:deploy", "service:web"]
    assert graph["edges"] == [
        {"source": "runbook:deploy", "kind": "documents", "target": "service:gone"},
        {"source": "runbook:deploy", "kind": "documents", "target": "service:web"},
    ]
    assert graph["ownerIndex"] == {"team:web": ["service:web"]}
    assert graph["repoIndex"] == {"web": ["runbook:deploy"]}
    assert graph["tagIndex"] == {"ci": ["service:web"]}
    assert graph["pathIndex"] == {"graph/services.yaml": ["service:web"], "runbooks/deploy.md": ["runbook:deploy"]}
    assert graph["stats"]["documents"] == {"graph": 1, "markdown": 1, "note": 1, "ontology": 0}
    assert graph["stats"]["unresolvedEdges"] == 1
    assert graph["stats"]["components"] == {"count": 1, "largest": 2}
    data = (Path("indexes") / FILES[0]).read_bytes()
    assert manifest["graphIndexDigest"] == f"sha256:{hashlib.sha256(data).hexdigest()}"
    assert [(file["path"], file["documents"]) for file in manifest["files"]] == [
        ("graph/services.yaml", 1),
        ("notes/a.md", 1),
        ("runbooks/deploy.md", 1),
    ]
    assert "vault" not in data.decode().lower()


def test_what_is_denied_changes_no_byte_but_ids(here: Here, git: Callable[..., GitBuilder]) -> None:
    found = []
    for number, title in enumerate(("Vault", "Vault of another name, and longer")):
        brain = git(f"brain{number}")
        secret = graph_record("service:vault", "Service", title=title, sensitivity="restricted", owners=["team:x"])
        brain.add_commit({**BRAIN, "graph/vault.yaml": secret, "graph/services.yaml": BRAIN["notes/a.md"]}, FIRST_DAY)
        assert here("index", "export", "--brain", brain.path, "--local-grant", "-o", f"out{number}").code == 0
        graph, manifest = exported(Path(f"out{number}"))
        report = reported(Path(f"out{number}"))
        for document in (graph, manifest, report):
            document.pop("sourceCommit")
        manifest.pop("graphIndexDigest")
        found.append((graph, manifest, report))
    assert found[0] == found[1]


def test_a_restricted_record_is_told_where_it_is_granted(
    here: Here, git: Callable[..., GitBuilder], tmp_path: Path
) -> None:
    brain = git("brain")
    brain.add_commit(BRAIN, FIRST_DAY)
    source = "apiVersion: kradle.a5c.ai/v1alpha1\nkind: AgentMemorySource\nmetadata: {name: all}\nspec:\n"
    source += "  organizationRef: a5c\n  include: {paths: ['**']}\n  sensitivities: [internal, restricted]\n"
    (tmp_path / "source.yaml").write_text(source)
    assert here("index", "export", "--brain", brain.path, "-f", tmp_path / "source.yaml").code == 0
    graph, _ = exported(Path("indexes"))
    assert [record["id"] for record in graph["records"]] == ["runbook:deploy", "service:vault", "service:web"]


def test_committing_the_files_does_not_make_them_stale_and_a_change_does(
    here: Here, git: Callable[..., GitBuilder]
) -> None:
    brain = git("brain")
    brain.add_commit(BRAIN, FIRST_DAY)
    check = ("index", "status", "--check", "--brain", brain.path, "--local-grant")
    missing = here(*check)
    assert (missing.code, missing.text) == (1, "".join(f"indexes/{name}: missing\n" for name in FILES))
    assert here("index", "export", "--brain", brain.path, "--local-grant").code == 0
    derived = {f"indexes/{name}": data for name, data in written(Path("indexes")).items()}
    head = brain.add_commit({**BRAIN, **derived}, SECOND_DAY)
    current = here(*check)
    assert (current.code, current.text, current.talk) == (0, "", "")
    assert here("index", "export", "--brain", brain.path, "--local-grant", "-o", "again").code == 0
    assert written(Path("again")) == written(Path("indexes"))
    brain.add_commit(
        {**BRAIN, **derived, "indexes/graph-index.json": "{}\n"}, SECOND_DAY, branch="mangled", parents=[head]
    )
    mangled = here(*check, "--ref", "mangled")
    assert (mangled.code, mangled.text) == (1, "indexes/graph-index.json: stale\n")
    brain.add_commit({**BRAIN, **derived, "notes/b.md": "# Another\n"}, THIRD_DAY)
    stale = here(*check, "--format", "json")
    assert stale.code == 1
    assert [file["state"] for file in json.loads(stale.text)["files"]] == ["stale"] * len(FILES)


def test_a_merge_that_changes_nothing_does_not_make_the_files_stale(here: Here, git: Callable[..., GitBuilder]) -> None:
    brain = git("brain")
    first = brain.add_commit(BRAIN, FIRST_DAY)
    content = {**BRAIN, "notes/b.md": "# Another\n"}
    change = brain.add_commit(content, SECOND_DAY, branch="change", parents=[first])
    asked = ("--brain", brain.path, "--local-grant")
    assert here("index", "export", *asked, "--ref", "change").code == 0
    derived = {f"indexes/{name}": data for name, data in written(Path("indexes")).items()}
    exporting = brain.add_commit({**content, **derived}, SECOND_DAY, branch="change", parents=[change])
    merge = brain.add_commit({**content, **derived}, THIRD_DAY, parents=[first, exporting])
    assert here("index", "status", "--check", *asked, "--ref", merge).code == 0
    other = brain.add_commit({**BRAIN, "notes/c.md": "# A third\n"}, THIRD_DAY, branch="other", parents=[first])
    both = {**content, **derived, "notes/c.md": "# A third\n"}
    joined = brain.add_commit(both, THIRD_DAY, branch="joined", parents=[merge, other])
    stale = here("index", "status", "--check", *asked, "--ref", joined)
    assert stale.code == 1
    assert f"checked {joined}" in stale.talk


def test_the_source_commit_is_looked_for_below_the_brains_own_folder(
    here: Here, git: Callable[..., GitBuilder]
) -> None:
    brain = git("brain")
    inside = {f".company-brain/{path}": text for path, text in BRAIN.items()}
    first = brain.add_commit(inside, FIRST_DAY)
    brain.add_commit({**inside, "src/main.py": "pass\n", ".company-brain/indexes/x.json": "{}"}, SECOND_DAY)
    assert here("index", "export", "--brain", brain.path, "--local-grant").code == 0
    assert exported(Path("indexes"))[0]["sourceCommit"] == first


def test_a_shallow_clone_refuses_what_it_cannot_know(
    here: Here, git: Callable[..., GitBuilder], tmp_path: Path
) -> None:
    brain = git("brain")
    brain.add_commit(BRAIN, FIRST_DAY)
    brain.add_commit({**BRAIN, "indexes/x.json": "{}"}, SECOND_DAY)
    clone = ["git", "clone", "-q", "--depth", "1", brain.path.as_uri(), str(tmp_path / "shallow")]
    subprocess.run(clone, check=True, capture_output=True)
    answer = here("index", "export", "--brain", tmp_path / "shallow", "--local-grant", "--error-format", "json")
    assert (answer.code, answer.error["code"]) == (3, "MEMORY_HISTORY_INCOMPLETE")
    assert not Path("indexes").exists()


@pytest.fixture(scope="module")
def reference(example_brain: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of the example brain, made without an index."""
    folder = tmp_path_factory.mktemp("reference")
    arguments = ("--brain", example_brain, "--local-grant", "--no-index", "-o", folder)
    assert invoke(folder, "index", "export", *arguments).code == 0
    return written(folder)


@pytest.mark.parametrize(
    "changes",
    [{}, {"LC_ALL": "C", "TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "7"}, {"SOURCE_DATE_EPOCH": "1"}],
    ids=["index", "machine", "clock"],
)
def test_a_bare_clone_gives_the_same_bytes_everywhere(
    example_brain: Path, tmp_path: Path, reference: dict[str, bytes], changes: dict[str, str]
) -> None:
    subprocess.run(["git", "clone", "-q", "--bare", example_brain, tmp_path / "bare.git"], check=True)
    arguments = ("--brain", tmp_path / "bare.git", "--local-grant", "-o", "out")
    settings = {"KRADLE_CACHE_DIR": str(tmp_path / "cache"), **changes}
    for _ in range(2):
        assert invoke(tmp_path, "index", "export", *arguments, changes=settings).code == 0
        assert written(tmp_path / "out") == reference


def test_no_secret_and_no_hidden_character_stands_in_the_files(
    example_brain: Path, reference: dict[str, bytes]
) -> None:
    text = "".join(data.decode() for data in reference.values())
    assert planted_secrets()
    assert not [name for name, secret in planted_secrets().items() if secret in text]
    assert all(character.isprintable() for character in set(text) - {"\n"})


def test_a_secret_in_a_title_or_a_tag_is_hidden_and_so_is_what_a_pattern_names(
    here: Here, git: Callable[..., GitBuilder]
) -> None:
    token = "xox" + "b-" + "-".join(("293847561029", "384756102938", "Ab3dEf6hIj9lMn2pQr5tUv8x"))
    record = graph_record("service:web", "Service", title=f"use {token}", tags=[token, "T-1234"], owners=[token])
    brain = git("brain")
    brain.add_commit({"graph/a.yaml": record}, FIRST_DAY)
    pattern = ("--redaction-pattern", "ticket=T-[0-9]+")
    assert here("index", "export", "--brain", brain.path, "--local-grant", *pattern).code == 0
    text = (Path("indexes") / FILES[0]).read_text()
    assert "Ab3dEf6h" not in text
    assert "T-1234" not in text
    assert "[REDACTED:ticket]" in text


def test_cycles_are_named_and_an_alias_is_its_record(here: Here, git: Callable[..., GitBuilder]) -> None:
    def supersedes(name: str, target: str, **fields: Any) -> str:
        return graph_record(name, edges={"supersedes": [target]}, title=name, **fields)

    brain = git("brain")
    records = [supersedes("runbook:a", "runbook:b"), supersedes("runbook:b", "old-a")]
    records[0] = supersedes("runbook:a", "runbook:b", aliases=["old-a"])
    records += [supersedes("runbook:self", "runbook:self"), supersedes("runbook:c", "runbook:a")]
    brain.add_commit({"graph/a.yaml": "---\n".join(records)}, FIRST_DAY)
    assert here("index", "export", "--brain", brain.path, "--local-grant").code == 0
    stats = exported(Path("indexes"))[0]["stats"]
    assert stats["cycles"] == {"depends_on": [], "supersedes": [["runbook:a", "runbook:b"], ["runbook:self"]]}
    assert (stats["components"], stats["unresolvedEdges"]) == ({"count": 2, "largest": 3}, 0)


@pytest.mark.parametrize(
    ("arguments", "exit_code", "error_code"),
    [
        (("--local-grant", "--ref", "nowhere"), 3, "MEMORY_REF_UNRESOLVED"),
        (("--local-grant", "--root", "nowhere"), 2, "USAGE"),
        (("--local-grant", "--memory-mode", "disabled"), 4, "MEMORY_MODE_FORBIDDEN"),
        (("--local-grant", "-o", "/dev/null"), 3, "OUTPUT_UNWRITABLE"),
        (
            ("-f", RESOURCES, "--org", "nobody", "--memory-repository", "a5c/org-company-brain"),
            4,
            "CROSS_ORG_REF_DENIED",
        ),
    ],
)
def test_a_refusal_has_its_code_and_writes_nothing(
    here: Here, example_brain: Path, arguments: tuple[str | Path, ...], exit_code: int, error_code: str
) -> None:
    answer = here("index", "export", "--brain", example_brain, *arguments, "--error-format", "json")
    assert (answer.code, answer.error["code"]) == (exit_code, error_code)
    assert list(Path().iterdir()) == []
