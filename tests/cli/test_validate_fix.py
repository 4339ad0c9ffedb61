"""`validate --fix` in real work trees."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from kradle_ctx.adapters import atomic_output
from tests.cases.command_line import Answer
from tests.conftest import GitBuilder

Here = Callable[..., Answer]

COMMITTED = "2026-05-03T10:00:00Z"
NOW = "2026-05-15T12:00:00Z"
"""The clock of the tests."""

KINDS = """\
nodeKinds:
  - {name: Team, prefix: team, required: [title, updatedAt]}
  - {name: Service, prefix: service, required: [title, updatedAt]}
  - {name: Runbook, prefix: runbook, required: [title, updatedAt]}
edgeKinds:
  - {name: part_of, source: [Service], target: [Service], inverse: contains, requiresInverse: true}
  - {name: contains, source: [Service], target: [Service], inverse: part_of}
  - {name: owned_by, target: [Team]}
  - {name: documents}
checks: {KB060: off, KB062: off}
"""

BRAIN = {
    "ontology/kinds.yaml": KINDS,
    "graph/teams.yaml": f"nodeKind: Team\nid: team:web\ntitle: Web\nupdatedAt: {COMMITTED}\n",
    "graph/services.yaml": (
        "# Services\n"
        "nodeKind: Service\n"
        "id: service:a\n"
        f"attributes: {{title: A, updatedAt: {COMMITTED}}}\n"
        "edges:\n"
        "  part_of: [service:b]\n"
        "---\n"
        "attributes:\n"
        "  title: B: the second   # a name\n"
        "  summary: *important*\n"
        "id: service:b\n"
        "nodeKind: Service\n"
    ),
    "runbooks/x.md": "---\r\nid: runbook:x\r\nkind: Runbook\r\ntitle: Fix: it\r\n---\r\n# X: *y*\r\n",
    "runbooks/y.md": "---\nid: runbook:y\nkind: Runbook\ntitle: Y\n---\nNo end",
    "notes/n.md": "# Note\n",
}

SERVICES = (
    "# Services\n"
    "nodeKind: Service\n"
    "id: service:a\n"
    f"attributes: {{title: A, updatedAt: {COMMITTED}}}\n"
    "edges:\n"
    "  part_of: [service:b]\n"
    "---\n"
    "nodeKind: Service\n"
    "id: service:b\n"
    "attributes:\n"
    '  title: "B: the second"   # a name\n'
    f"  updatedAt: {COMMITTED}\n"
    '  summary: "*important*"\n'
    "edges:\n"
    "  contains: [service:a]\n"
)

DONE = [
    "graph/services.yaml:9: quotes",
    "graph/services.yaml:10: quotes",
    "runbooks/x.md:4: quotes",
    "runbooks/y.md:1: updatedAt of `runbook:y`",
    "graph/services.yaml:8: updatedAt of `service:b`",
    "graph/services.yaml:8: `contains` of `service:b` to `service:a`",
    "runbooks/x.md:1: updatedAt of `runbook:x`",
    "graph/services.yaml:8: order of the keys of `service:b`",
]

Trees = Callable[..., Path]


@pytest.fixture
def tree(git: Callable[..., GitBuilder]) -> Trees:
    """Makes work trees whose files are all committed, but for those that are edited."""

    def make(files: Mapping[str, str] = BRAIN, edited: Mapping[str, str] | None = None, name: str = "brain") -> Path:
        repository = git(name)
        repository.add_commit(files, COMMITTED)
        repository.git("reset", "-q", "--hard")
        write(repository.path, edited or {})
        return repository.path

    return make


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Put files into a folder."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode())


def held(folder: Path) -> dict[str, str]:
    """Every file of a folder but Git's, by its path."""
    found = (file for file in folder.rglob("*") if file.is_file() and not file.is_symlink())
    paths = {file.relative_to(folder).as_posix(): file for file in found}
    return {path: file.read_bytes().decode() for path, file in paths.items() if not path.startswith(".git/")}


def fix(here: Here, brain: Path, *more: str | Path) -> Answer:
    """Repair a work tree."""
    return here("validate", "--worktree", "--fix", "--brain", brain, *more)


def notes(answer: Answer) -> list[str]:
    """The notes of a run."""
    return [line.removeprefix("note: ") for line in answer.talk.splitlines() if line.startswith("note: ")]


def test_everything_that_is_safe_to_repair_is_repaired(here: Here, tree: Trees) -> None:
    brain = tree()
    (brain / "runbooks/x.md").chmod(0o640)
    answer = fix(here, brain)
    assert notes(answer) == [*(f"fixed {line}" for line in DONE), "fixed 8 in 3 files, 0 left alone"]
    assert (answer.code, answer.text.splitlines()[-1]) == (0, "0 errors, 0 warnings, 0 notes in 6 files, 5 records")
    assert held(brain) == {
        **BRAIN,
        "graph/services.yaml": SERVICES,
        "runbooks/x.md": (
            f'---\r\nid: runbook:x\r\nkind: Runbook\r\ntitle: "Fix: it"\r\nupdatedAt: {COMMITTED}\r\n'
            "---\r\n# X: *y*\r\n"
        ),
        "runbooks/y.md": f"---\nid: runbook:y\nkind: Runbook\ntitle: Y\nupdatedAt: {COMMITTED}\n---\nNo end",
    }
    assert stat.S_IMODE((brain / "runbooks/x.md").stat().st_mode) == 0o640


def test_a_second_run_does_nothing(here: Here, tree: Trees) -> None:
    brain = tree()
    fix(here, brain)
    before = {path: (brain / path).stat().st_mtime_ns for path in held(brain)}
    answer = fix(here, brain)
    assert (answer.code, notes(answer)) == (0, ["nothing to fix"])
    assert before == {path: (brain / path).stat().st_mtime_ns for path in held(brain)}


def test_a_diff_shows_the_same_and_writes_nothing(here: Here, git: Callable[..., GitBuilder], tree: Trees) -> None:
    brain, other = tree(), tree(name="other")
    answer = fix(here, brain, "--diff")
    assert (answer.code, held(brain)) == (0, BRAIN)
    assert notes(answer) == [*(f"would fix {line}" for line in DONE), "would fix 8 in 3 files, 0 left alone"]
    without_windows = {path: text for path, text in BRAIN.items() if path != "runbooks/x.md"}
    patch = answer.text.partition("--- a/runbooks/x.md")
    patch_of_others = patch[0] + "--- a/runbooks/y.md" + patch[2].partition("--- a/runbooks/y.md")[2]
    git("other").git("apply", "-", data=patch_of_others.encode())
    fix(here, brain)
    assert {path: text for path, text in held(other).items() if path in without_windows} == {
        path: text for path, text in held(brain).items() if path in without_windows
    }


def test_the_exit_code_is_by_what_is_left(here: Here, tree: Trees) -> None:
    lonely = {"graph/c.yaml": f"nodeKind: Service\nid: service:c\nupdatedAt: {NOW}\n"}
    brain = tree({**BRAIN, **lonely})
    for more in (["--diff"], []):
        assert fix(here, brain, *more).code == 1
    left = fix(here, brain)
    assert (left.code, notes(left)) == (1, ["nothing to fix"])
    assert "graph/c.yaml:2:5: error KB020 missing-field: a record of the kind `Service` must have `title`" in left.text
    assert fix(here, brain, "--fail-on", "none").code == 0
    report = json.loads(fix(here, brain, "--format", "json").text)
    assert [finding["path"] for finding in report["findings"]] == ["graph/c.yaml"]


def test_what_is_not_committed_as_it_is_was_changed_now(here: Here, tree: Trees) -> None:
    undated = "nodeKind: Team\nid: team:{}\ntitle: T\n"
    files = {"ontology/kinds.yaml": KINDS, "graph/a.yaml": undated.format("a"), "graph/b.yaml": undated.format("b")}
    edited = {"graph/b.yaml": undated.format("b2"), "graph/c.yaml": undated.format("c")}
    brain = tree(files, edited)
    assert fix(here, brain).code == 0
    dates = {path: text.rpartition("updatedAt: ")[2].strip() for path, text in held(brain).items() if "graph" in path}
    assert dates == {"graph/a.yaml": COMMITTED, "graph/b.yaml": NOW, "graph/c.yaml": NOW}


def test_a_repository_without_a_commit_has_dates_of_now(here: Here, git: Callable[..., GitBuilder]) -> None:
    brain = git("brain").path
    write(brain, {"ontology/kinds.yaml": KINDS, "graph/a.yaml": "nodeKind: Team\nid: team:a\ntitle: T\n"})
    assert fix(here, brain).code == 0
    assert held(brain)["graph/a.yaml"].endswith(f"updatedAt: {NOW}\n")


def test_a_shallow_clone_does_not_tell_when_a_file_was_changed(here: Here, git: Callable[..., GitBuilder]) -> None:
    repository = git("brain")
    files = {"ontology/kinds.yaml": KINDS, "graph/a.yaml": "nodeKind: Team\nid: team:a\ntitle: T\n"}
    repository.add_commit(files, "2026-05-01T00:00:00Z")
    boundary = repository.add_commit({**files, "notes/n.md": "# N\n"}, COMMITTED)
    repository.cut_history(boundary)
    repository.git("reset", "-q", "--hard")
    answer = fix(here, repository.path)
    assert answer.code == 1
    assert notes(answer)[0].startswith("left alone graph/a.yaml:1: updatedAt of `team:a`, because the history of this")
    assert held(repository.path)["graph/a.yaml"] == files["graph/a.yaml"]


def test_only_the_files_that_are_named_are_repaired(here: Here, tree: Trees) -> None:
    brain = tree()
    answer = fix(here, brain, "runbooks/y.md")
    assert notes(answer) == ["fixed runbooks/y.md:1: updatedAt of `runbook:y`", "fixed 1 in 1 file, 0 left alone"]
    changed = [path for path, text in held(brain).items() if text != BRAIN[path]]
    assert (answer.code, changed) == (0, ["runbooks/y.md"])


def test_with_a_base_only_what_came_since_is_repaired(here: Here, tree: Trees) -> None:
    new = "attributes: {title: Z}\nid: team:z\nnodeKind: Team\n"
    brain = tree(edited={"graph/z.yaml": new})
    answer = fix(here, brain, "--since", "HEAD")
    assert notes(answer)[0] == "fixed graph/z.yaml:1: updatedAt of `team:z`"
    assert held(brain) == {**BRAIN, "graph/z.yaml": new.replace("title: Z", f"title: Z, updatedAt: {NOW}")}


def test_a_brain_in_a_folder_is_repaired_there(here: Here, tree: Trees) -> None:
    inside = {f".company-brain/{path}": text for path, text in BRAIN.items()}
    brain = tree({**inside, "runbooks/y.md": BRAIN["runbooks/y.md"]})
    answer = fix(here, brain)
    assert notes(answer)[0] == "fixed .company-brain/graph/services.yaml:9: quotes"
    files = held(brain)
    assert files[".company-brain/graph/services.yaml"] == SERVICES
    assert files["runbooks/y.md"] == BRAIN["runbooks/y.md"]


def test_no_link_is_followed_and_nothing_ignored_is_written(here: Here, tree: Trees, tmp_path: Path) -> None:
    undated = "nodeKind: Team\nid: team:l\ntitle: L\n"
    write(tmp_path / "outside", {"a.yaml": undated})
    brain = tree(edited={".gitignore": "graph/ignored.yaml\n", "graph/ignored.yaml": undated})
    (brain / "graph/link.yaml").symlink_to(tmp_path / "outside/a.yaml")
    (brain / "linked").symlink_to(tmp_path / "outside")
    fix(here, brain)
    assert held(tmp_path / "outside") == {"a.yaml": undated}
    assert held(brain)["graph/ignored.yaml"] == undated
    assert (brain / "graph/link.yaml").is_symlink()


def test_a_file_that_cannot_be_written_is_told_and_the_others_are(
    here: Here, tree: Trees, monkeypatch: pytest.MonkeyPatch
) -> None:
    brain = tree()
    replaced = os.replace

    def failing(source: object, target: object, **more: object) -> None:
        if str(target).endswith("services.yaml"):
            raise OSError(28, "No space left on device")
        replaced(source, target, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(atomic_output.Path, "replace", lambda self, target: failing(self, target))
    answer = fix(here, brain)
    assert answer.code == 3
    assert "No space left on device [OUTPUT_UNWRITABLE]" in answer.talk
    assert "left alone graph/services.yaml:9: quotes, because the file was not written" in answer.talk
    assert "fixed 3 in 2 files, 5 left alone" in answer.talk
    assert "graph/services.yaml:9:11: error KB002" in answer.text
    files = held(brain)
    assert files["graph/services.yaml"] == BRAIN["graph/services.yaml"]
    assert files["runbooks/y.md"] != BRAIN["runbooks/y.md"]
    assert not [path for path in files if path.endswith(".tmp")]


def test_secrets_stay_where_they_are_and_show_in_no_diff(here: Here, tree: Trees) -> None:
    secret = "correct-horse-battery-9Zk2"
    text = f"nodeKind: Team\nid: team:s\ntitle: S\npassword: {secret}\n"
    brain = tree({"ontology/kinds.yaml": KINDS, "graph/s.yaml": text})
    diff = fix(here, brain, "--diff")
    assert f"+updatedAt: {COMMITTED}\n" in diff.text
    assert secret not in diff.text + diff.talk
    answer = fix(here, brain)
    assert "KB050" in answer.text
    assert secret not in answer.text + answer.talk
    assert secret in held(brain)["graph/s.yaml"]


def test_names_from_a_brain_reach_no_terminal_raw(here: Here, tree: Trees) -> None:
    text = 'nodeKind: Team\nid: "team:[red]x"\ntitle: "a\u202eb"\n'
    brain = tree({"ontology/kinds.yaml": KINDS, "graph/s.yaml": text})
    for more in (["--diff"], []):
        answer = fix(here, brain, *more)
        assert "[red]" in answer.talk
        assert "\u202e" not in answer.text + answer.talk


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--fix"], "--fix repairs files of the work tree"),
        (["--worktree", "--diff"], "--diff shows what --fix would change"),
        (["--worktree", "--fix", "--export-schemas", "out"], "--export-schemas validates nothing"),
        (["--worktree", "--fix", "--ref", "main"], "--worktree does not go with a ref"),
    ],
)
def test_switches_that_do_not_go_together_are_refused(
    here: Here, tree: Trees, arguments: list[str], words: str
) -> None:
    brain = tree()
    answer = here("validate", "--brain", brain, *arguments)
    assert (answer.code, held(brain)) == (2, BRAIN)
    assert words in answer.talk


def test_a_bare_repository_has_no_files_to_repair(here: Here, git: Callable[..., GitBuilder]) -> None:
    repository = git("brain.git", "--bare")
    repository.add_commit(BRAIN, COMMITTED)
    answer = fix(here, repository.path)
    assert answer.code == 2
    assert "a bare repository has no files to repair" in answer.talk


def test_a_folder_that_is_no_repository_is_not_repaired(here: Here, tmp_path: Path) -> None:
    write(tmp_path / "brain", BRAIN)
    answer = fix(here, tmp_path / "brain")
    assert (answer.code, held(tmp_path / "brain")) == (3, BRAIN)
    assert "[MEMORY_REPOSITORY_UNAVAILABLE]" in answer.talk


@pytest.mark.parametrize(("mode", "codes"), [("full", (0, 0)), ("read-only", (0, 4)), ("disabled", (4, 4))])
def test_to_repair_is_to_write_and_to_show_a_diff_is_to_read(
    here: Here, tree: Trees, mode: str, codes: tuple[int, int]
) -> None:
    brain = tree()
    told = fix(here, brain, "--diff", "--memory-mode", mode), fix(here, brain, "--memory-mode", mode)
    assert (told[0].code, told[1].code) == codes
    assert (held(brain) == BRAIN) is (mode != "full")
    if mode == "read-only":
        assert "memory mode read-only forbids validate --fix" in told[1].talk
