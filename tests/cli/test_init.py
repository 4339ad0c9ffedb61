"""`init`: a new brain in a folder, and nothing that was there changed."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
import yaml

from kradle_ctx.scaffold import scaffold
from tests.cases.command_line import Answer, environment
from tests.command_server import warm
from tests.conftest import GitBuilder

Here = Callable[..., Answer]

FILES = scaffold("my-org", "company-brain", date(2026, 5, 15))
"""What a brain holds on the day of the tests' clock."""


def held(folder: Path) -> dict[str, bytes]:
    """Every file below a folder but Git's, by its path."""
    found = (file for file in folder.rglob("*") if file.is_file() or file.is_symlink())
    paths = {str(file.relative_to(folder)): file for file in found}
    return {path: file.read_bytes() for path, file in paths.items() if not path.startswith(".git/")}


def test_a_folder_that_is_not_there_is_made_and_filled(here: Here) -> None:
    answer = here("init", "a/brain")
    assert answer.code == 0
    assert held(Path("a/brain")) == FILES
    listed = [line.removeprefix("wrote ") for line in answer.text.partition("\n\n")[0].splitlines()]
    assert listed == list(FILES)


def test_without_a_folder_it_is_the_working_folder(here: Here) -> None:
    assert here("init").code == 0
    assert held(Path()) == FILES


def test_names_are_filled_in(here: Here) -> None:
    answer = here("init", "--org", "acme", "--name", "handbook")
    assert (answer.code, answer.talk) == (0, "")
    assert held(Path()) == scaffold("acme", "handbook", date(2026, 5, 15))


def test_two_runs_at_the_same_instant_give_the_same_bytes(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1798761599")
    assert here("init", "a").code == here("init", "b").code == 0
    assert held(Path("a")) == held(Path("b"))
    assert b"updatedAt: 2026-12-31T00:00:00Z\n" in held(Path("a"))["graph/teams.yaml"]


def test_what_is_there_stays_and_is_listed(here: Here) -> None:
    own = {"README.md": b"mine\n", "graph/teams.yaml": b"", "notes/mine.md": b"# Mine\n"}
    for path, data in own.items():
        Path(path).parent.mkdir(exist_ok=True)
        Path(path).write_bytes(data)
    answer = here("init")
    assert answer.code == 0
    assert held(Path()) == {**FILES, **own}
    kept = [line for line in answer.text.splitlines() if line.startswith("kept ")]
    assert kept == ["kept README.md, which is there already", "kept graph/teams.yaml, which is there already"]
    again = here("init")
    assert again.code == 0
    assert again.text.count("kept ") == len(FILES)
    assert "wrote" not in again.text
    assert held(Path()) == {**FILES, **own}


def test_a_dry_run_lists_and_writes_nothing(here: Here) -> None:
    Path("README.md").write_text("mine\n")
    answer = here("init", "--dry-run")
    would = [path for path in FILES if path != "README.md"]
    assert answer.code == 0
    assert [line for line in answer.text.splitlines() if not line.startswith("kept ")] == [
        f"would write {path}" for path in would
    ]
    assert held(Path()) == {"README.md": b"mine\n"}
    assert here("init", "brain", "--dry-run").text.count("would write") == len(FILES)
    assert not Path("brain").exists()


def test_quiet_says_nothing(here: Here) -> None:
    answer = here("init", "--quiet")
    assert (answer.code, answer.stdout, answer.stderr) == (0, b"", b"")
    assert held(Path()) == FILES


def test_files_are_as_the_umask_says_and_no_temporary_ones_are_left(here: Here) -> None:
    before = os.umask(0o027)
    try:
        assert here("init").code == 0
        assert os.umask(0o027) == 0o027, "the umask is as it was"
    finally:
        os.umask(before)
    assert {Path(path).stat().st_mode & 0o777 for path in FILES} == {0o640}
    assert set(held(Path())) == set(FILES)


# What is in the way


@pytest.mark.parametrize("target", ["outside", "../outside", "graph-of-mine", "nowhere", ".github"])
@pytest.mark.parametrize("link", [".github", ".vscode/schemas", "notes"])
def test_nothing_is_written_through_a_link(here: Here, tmp_path: Path, link: str, target: str) -> None:
    (tmp_path / "outside").mkdir()
    Path("graph-of-mine").mkdir()
    Path(link).parent.mkdir(exist_ok=True)
    Path(link).symlink_to(tmp_path / "outside" if target == "outside" else target)
    answer = here("init", "--error-format", "json")
    assert (answer.code, answer.error["code"]) == (3, "OUTPUT_UNWRITABLE")
    assert link in answer.error["message"]
    assert list((tmp_path / "outside").iterdir()) == []
    assert [file for file in Path().rglob("*") if file.is_file() and not file.is_symlink()] == []


def test_a_link_in_place_of_a_file_is_kept_and_not_followed(here: Here, tmp_path: Path) -> None:
    Path("CODEOWNERS").symlink_to(tmp_path / "elsewhere")
    answer = here("init")
    assert answer.code == 0
    assert "kept CODEOWNERS, which is there already\n" in answer.text
    assert Path("CODEOWNERS").is_symlink()
    assert not (tmp_path / "elsewhere").exists()


def test_a_folder_that_is_named_by_a_link_is_that_folder(here: Here) -> None:
    Path("brain").mkdir()
    Path("called").symlink_to("brain")
    assert here("init", "called").code == 0
    assert held(Path("brain")) == FILES


@pytest.mark.parametrize("file", ["brain", "brain/runbooks", "brain/.vscode"])
def test_a_file_in_place_of_a_folder_ends_it_before_anything_is_written(here: Here, file: str) -> None:
    Path(file).parent.mkdir(exist_ok=True)
    Path(file).write_text("mine\n")
    for arguments in (("init", "brain"), ("init", "brain", "--dry-run")):
        answer = here(*arguments, "--error-format", "json")
        assert (answer.code, answer.error["code"]) == (3, "OUTPUT_UNWRITABLE")
    assert held(Path()) == {file: b"mine\n"}


def test_what_a_full_disk_left_out_is_added_by_the_next_run(tmp_path: Path) -> None:
    arguments = ("init", "brain", "--error-format", "json")
    most = max(len(data) for path, data in FILES.items() if not path.endswith(".json"))
    halted = warm().run(arguments, folder=tmp_path, environment=environment(), limits={"RLIMIT_FSIZE": most})
    assert (halted.code, halted.error["code"]) == (3, "OUTPUT_UNWRITABLE")
    left = held(tmp_path / "brain")
    assert 0 < len(left) < len(FILES)
    assert all(FILES[path] == data for path, data in left.items())
    assert warm().run(arguments, folder=tmp_path, environment=environment()).code == 0
    assert held(tmp_path / "brain") == FILES


@pytest.mark.parametrize(
    "arguments",
    [
        ("--org", "../x"),
        ("--org", ""),
        ("--org", "a b"),
        ("--org", "x\n"),
        ("--name", "{organization}"),
        ("--name", "a: b"),
        ("--name", "-x"),
        ("--name", "x" * 300),
        ("a", "b"),
        ("",),
    ],
)
def test_what_is_no_name_and_more_than_one_folder_are_refused(here: Here, arguments: tuple[str, ...]) -> None:
    answer = here("init", *arguments, "--error-format", "json")
    assert (answer.code, answer.error["code"]) == (2, "USAGE")
    assert held(Path()) == {}


def test_a_clock_that_is_none_is_refused(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    answer = here("init", "--error-format", "json")
    assert (answer.code, answer.error["code"]) == (2, "USAGE")
    assert held(Path()) == {}


def test_no_memory_mode_forbids_it(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KRADLE_MEMORY_MODE", "disabled")
    assert here("init").code == 0


# What is said at the end


def told(answer: Answer) -> list[str]:
    """The commands to go on with."""
    assert answer.code == 0
    _, title, after = answer.text.partition("\nGo on with:\n")
    assert title
    return [line.removeprefix("  ") for line in after.splitlines()]


@pytest.mark.parametrize("folder", [".", "brain", "a brain's $(touch mark); `touch mark`", "--brain", "é/\u202e"])
def test_the_first_two_commands_make_a_repository_whatever_the_folder_is_called(here: Here, folder: str) -> None:
    lines = told(here("init", "--", folder))
    assert len(lines) == 3
    assert lines[2] == "kradle-ctx validate"
    if "\u202e" in folder:
        assert "\u202e" not in "".join(lines), "it is shown, not sent, so it cannot be typed"
        return
    who = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a"}
    subprocess.run(["sh", "-e", "-c", "\n".join(lines[:2])], env={**os.environ, **who}, check=True, capture_output=True)
    tracked = subprocess.run(["git", "-C", folder, "ls-files"], check=True, capture_output=True, text=True)
    assert tracked.stdout.split() == list(FILES)
    assert not list(Path().rglob("mark"))


def test_a_repository_is_not_made_again(here: Here) -> None:
    GitBuilder(Path("brain"))
    assert told(here("init", "brain"))[0] == "cd brain && git add ."


def test_inside_a_repository_the_root_is_told_and_that_ci_looks_at_the_top(here: Here) -> None:
    top = GitBuilder(Path("code")).path.resolve()
    answer = here("init", "code/docs/brain", "--org", "acme")
    assert told(answer) == [
        "cd code/docs/brain && git add .",
        'git commit --message "Start the brain"',
        f"kradle-ctx validate --brain {top} --root docs/brain",
    ]
    assert "at the top of the repository" in answer.talk


def test_the_organisation_that_nobody_named_is_told(here: Here) -> None:
    assert "my-org" in here("init", "a").talk
    assert here("init", "b", "--org", "acme").talk == ""


# The brain that it makes


@pytest.fixture
def brain(here: Here) -> Path:
    """A new brain, committed, in the working folder."""
    assert here("init", "--org", "acme", "--quiet").code == 0
    GitBuilder(Path()).add_commit(held(Path()), "2026-05-15T12:00:00Z")
    return Path()


def test_the_brain_validates_cleanly(here: Here, brain: Path) -> None:
    answer = here("validate", "--fail-on", "warning", "--format", "json")
    assert answer.code == 0, answer.talk
    report = json.loads(answer.text)
    assert [found for found in report["findings"] if found["severity"] != "info"] == []
    assert here("validate", "--worktree", "--fail-on", "warning").code == 0


def test_the_schemas_for_editors_are_those_that_validate_exports(here: Here, brain: Path) -> None:
    assert here("validate", "--worktree", "--export-schemas", "exported").code == 0
    made = {path.rpartition("/")[2]: data for path, data in FILES.items() if path.startswith(".vscode/schemas/")}
    assert held(brain / "exported") == made


def test_the_golden_query_is_answered_with_its_records(here: Here, brain: Path) -> None:
    golden = yaml.safe_load((brain / "evals" / "roll-back.yaml").read_bytes())
    request = golden["request"]
    question = ("--repo", request["sourceRefs"]["repository"], "--query", request["memory"]["queryText"])
    mode = ("--mode", request["memory"]["queryMode"])
    answer = here("assemble", "-f", ".kradle", *question, *mode, "--max-bytes", golden["maxBytes"])
    found = {source.get("id", source["path"]) for source in answer.bundle["spec"]["memory"]["sources"]}
    assert set(golden["must"]) <= found
    assert found.isdisjoint(golden["mustNot"])


def test_the_grants_of_the_brain_are_found_and_are_no_other_organisations(here: Here, brain: Path) -> None:
    answer = here("query", "--query", "roll back", "--format", "json")
    assert answer.code == 0
    assert "local-grant" not in answer.talk
    refused = here("assemble", "-f", ".kradle", "--org", "globex", "--query", "roll back", "--error-format", "json")
    assert refused.code == 4
