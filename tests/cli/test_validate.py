"""`validate` in real repositories: what is looked at, and what decides how it ends."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.validating import CLEAN, DANGLING, NAMELESS, ONTOLOGY, Here, records, told
from tests.conftest import GitBuilder
from tests.pipeline import SECOND_DAY

Git = Callable[..., GitBuilder]


# What is looked at


def test_a_clean_brain_ends_well(validate: Here) -> None:
    answer = validate("--format", "text")

    assert (answer.code, answer.talk) == (0, "")
    assert "0 errors, 0 warnings" in answer.text or "nothing" in answer.text


def test_in_the_example_brain_only_the_planted_secrets_are_found(here: Here, example_brain: Path) -> None:
    answer = here("validate", "--brain", example_brain, "--format", "json")

    assert told(answer) == [("notes/ci/runner-setup.md", "KB050")] * 2


def test_findings_of_severity_error_end_with_one(validate: Here, brain: GitBuilder) -> None:
    brain.add_commit({**CLEAN, "graph/web.yaml": DANGLING}, SECOND_DAY)
    answer = validate()

    assert answer.code == 1
    assert told(answer) == [("graph/web.yaml", "KB031")]


def test_the_commit_that_is_checked_out_is_validated_not_the_work_tree(validate: Here, brain: GitBuilder) -> None:
    brain.add_commit({**CLEAN, "graph/web.yaml": DANGLING}, SECOND_DAY, branch="side")
    brain.git("checkout", "--quiet", "--force", "side")
    (brain.path / "graph" / "web.yaml").unlink()

    assert validate().code == 1
    assert validate("--ref", "main").code == 0


@pytest.mark.parametrize("name", ["side", "v1", "refs/heads/side", "whole id", "short id"])
def test_any_ref_can_be_validated(validate: Here, brain: GitBuilder, name: str) -> None:
    commit = brain.add_commit({**CLEAN, "graph/web.yaml": DANGLING}, SECOND_DAY, branch="side")
    brain.set_tag("v1", commit, annotated=True)
    name = {"whole id": commit, "short id": commit[:12]}.get(name, name)

    answer = validate("--ref", name)
    assert (answer.code, json.loads(answer.stdout)["commit"]) == (1, commit)


def test_an_earlier_commit_is_validated_as_it_was(validate: Here, brain: GitBuilder) -> None:
    brain.add_commit({**CLEAN, "graph/web.yaml": DANGLING}, SECOND_DAY)

    assert validate("--at", "2026-05-02T00:00:00Z").code == 0
    assert validate("--at", "2026-05-04T00:00:00Z").code == 1


@pytest.mark.parametrize("option", ["--ref", "--since"])
def test_a_ref_that_is_not_there_blocks(validate: Here, option: str) -> None:
    answer = validate(option, "absent", "--error-format", "json")

    assert (answer.code, answer.error["code"]) == (3, "MEMORY_REF_UNRESOLVED")


# What a change brings in


@pytest.mark.parametrize("name", ["main", "v1", "base", "refs/heads/main"])
def test_only_what_a_change_brings_in_is_told(validate: Here, change: dict[str, str], name: str) -> None:
    answer = validate("--since", change.get(name, name))

    assert told(answer) == [("graph/web.yaml", "KB031")]
    assert answer.code == 1


def test_a_change_is_compared_with_where_it_departed_not_with_the_tip_of_its_base(
    validate: Here, change: dict[str, str]
) -> None:
    report = json.loads(validate("--since", "main").stdout)

    assert report["base"] == change["base"]
    assert [(each["change"], each["id"]) for each in report["impact"]["records"]] == [("added", "service:web")]


def test_a_change_that_brings_nothing_in_ends_well_though_the_brain_has_faults(
    validate: Here, change: dict[str, str]
) -> None:
    assert told(validate("--ref", "v1")) == [("graph/store.yaml", "KB020")]

    answer = validate("--ref", "v1", "--since", "main")
    assert (answer.code, told(answer)) == (0, [])


def test_a_change_that_removes_what_others_need_is_told_there(validate: Here, brain: GitBuilder) -> None:
    brain.add_commit({path: text for path, text in CLEAN.items() if path != "graph/team.yaml"}, SECOND_DAY)

    assert told(validate("--since", brain.git("rev-parse", "HEAD~1"))) == [("graph/api.yaml", "KB031")]


def test_a_base_without_common_history_is_compared_as_it_is(validate: Here, brain: GitBuilder) -> None:
    brain.add_commit({**CLEAN, "graph/store.yaml": NAMELESS}, SECOND_DAY, branch="apart", parents=[])

    assert told(validate("--since", "apart")) == []
    assert told(validate("--ref", "apart", "--since", "main")) == [("graph/store.yaml", "KB020")]


def test_a_shallow_clone_that_does_not_reach_the_base_is_refused_with_what_to_do(
    here: Here, change: dict[str, str], brain: GitBuilder, tmp_path: Path
) -> None:
    clone = tmp_path / "clone"
    options = ("--quiet", "--depth", "1", "--no-single-branch", "--branch", "side")
    subprocess.run(["git", "clone", *options, brain.path.as_uri(), str(clone)], check=True)

    whole = here("validate", "--brain", clone, "--format", "json")
    assert told(whole) == [("graph/store.yaml", "KB020"), ("graph/web.yaml", "KB031")]
    answer = here("validate", "--brain", clone, "--since", "origin/main", "--error-format", "json")
    assert (answer.code, answer.error["code"]) == (3, "MEMORY_HISTORY_INCOMPLETE")
    assert "fetch-depth: 0" in answer.error["hint"]

    subprocess.run(["git", "-C", str(clone), "fetch", "--quiet", "--unshallow"], check=True)
    assert told(here("validate", "--brain", clone, "--since", "origin/main", "--format", "json")) == [
        ("graph/web.yaml", "KB031")
    ]


# The work tree


def test_the_work_tree_is_validated_as_it_is(validate: Here, brain: GitBuilder) -> None:
    (brain.path / "graph" / "new.yaml").write_text(DANGLING)
    (brain.path / "graph" / "team.yaml").unlink()

    answer = validate("--worktree")
    assert told(answer) == [("graph/api.yaml", "KB031"), ("graph/new.yaml", "KB031")]
    assert "commit" not in json.loads(answer.stdout)
    assert validate().code == 0


def test_what_git_ignores_is_not_looked_at(validate: Here, brain: GitBuilder) -> None:
    (brain.path / ".gitignore").write_text("drafts/\n")
    (brain.path / "drafts").mkdir()
    (brain.path / "drafts" / "new.yaml").write_text(DANGLING)

    assert validate("--worktree").code == 0


def test_what_the_work_tree_adds_to_a_base_is_told(validate: Here, brain: GitBuilder, change: dict[str, str]) -> None:
    (brain.path / "graph" / "third.yaml").write_text(DANGLING.replace("service:web", "service:third"))

    assert told(validate("--worktree", "--since", "main")) == [
        ("graph/third.yaml", "KB031"),
        ("graph/web.yaml", "KB031"),
    ]
    assert told(validate("--worktree", "--since", "side")) == [("graph/third.yaml", "KB031")]


def test_a_folder_that_is_no_repository_can_be_validated_as_a_work_tree(here: Here, tmp_path: Path) -> None:
    for path, text in {**CLEAN, "graph/web.yaml": DANGLING}.items():
        (tmp_path / "plain" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "plain" / path).write_text(str(text))

    answer = here("validate", "--brain", tmp_path / "plain", "--worktree", "--format", "json")
    assert told(answer) == [("graph/web.yaml", "KB031")]
    refused = here("validate", "--brain", tmp_path / "plain", "--error-format", "json")
    assert (refused.code, refused.error["code"]) == (3, "MEMORY_REPOSITORY_UNAVAILABLE")


@pytest.mark.parametrize("ref", [("--ref", "main"), ("--at", "2026-05-02T00:00:00Z")])
def test_the_work_tree_and_a_ref_do_not_go_together(validate: Here, ref: tuple[str, str]) -> None:
    answer = validate("--worktree", *ref, "--error-format", "json")

    assert (answer.code, answer.error["code"]) == (2, "USAGE")


# Paths


EVERYTHING = ["graph-b/web2.yaml", "graph/web.yaml", "other/graph/web3.yaml"]


@pytest.mark.parametrize(
    ("folder", "paths", "expected"),
    [
        (".", ["graph"], ["graph/web.yaml"]),
        (".", ["graph/"], ["graph/web.yaml"]),
        (".", ["./graph/../graph/web.yaml"], ["graph/web.yaml"]),
        (".", ["graph/team.yaml"], []),
        (".", ["other", "graph/web.yaml"], ["graph/web.yaml", "other/graph/web3.yaml"]),
        (".", ["."], EVERYTHING),
        ("other", ["graph"], ["other/graph/web3.yaml"]),
        ("other", ["../graph"], ["graph/web.yaml"]),
        ("other/graph", ["web3.yaml", "../.."], EVERYTHING),
    ],
)
def test_paths_are_taken_from_where_the_command_is_run(
    validate: Here,
    faulty: GitBuilder,
    monkeypatch: pytest.MonkeyPatch,
    folder: str,
    paths: list[str],
    expected: list[str],
) -> None:
    monkeypatch.chdir(faulty.path / folder)
    answer = validate(*paths)

    assert [path for path, _ in told(answer)] == expected
    assert answer.code == int(bool(expected))


def test_from_elsewhere_paths_are_those_of_the_repository(validate: Here, faulty: GitBuilder) -> None:
    assert told(validate("graph")) == [("graph/web.yaml", "KB031")]
    assert told(validate(faulty.path / "graph" / "web.yaml")) == [("graph/web.yaml", "KB031")]


@pytest.mark.parametrize("path", ["..", "../..", "/", "graph/../../elsewhere"])
def test_a_path_outside_the_repository_is_refused(
    validate: Here, faulty: GitBuilder, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.chdir(faulty.path)
    answer = validate(path, "--error-format", "json")

    assert (answer.code, answer.error["code"]) == (2, "USAGE")


def test_a_path_with_nothing_at_it_is_refused(validate: Here) -> None:
    answer = validate("graph/misspelt.yaml", "--error-format", "json")

    assert (answer.code, answer.error["code"]) == (2, "USAGE")


def test_paths_narrow_a_change_too(validate: Here, brain: GitBuilder, change: dict[str, str]) -> None:
    assert told(validate("--since", "main", "graph/web.yaml")) == [("graph/web.yaml", "KB031")]
    assert told(validate("--since", "main", "graph/team.yaml")) == []


# What decides


@pytest.mark.parametrize(
    ("severity", "codes"),
    [
        ("error", {"error": 1, "warning": 1, "none": 0}),
        ("warning", {"error": 0, "warning": 1, "none": 0}),
        ("info", {"error": 0, "warning": 0, "none": 0}),
    ],
)
def test_the_severity_at_which_it_fails_can_be_chosen(
    validate: Here, brain: GitBuilder, severity: str, codes: dict[str, int]
) -> None:
    rules = ONTOLOGY.replace("checks: {", f"checks: {{KB031: {severity}, ")
    brain.add_commit({**CLEAN, "ontology/kinds.yaml": rules, "graph/web.yaml": DANGLING}, SECOND_DAY)

    assert {at: validate("--fail-on", at).code for at in codes} == codes
    assert validate().code == codes["error"]


def test_what_stands_in_a_baseline_does_not_count(validate: Here, faulty: GitBuilder, tmp_path: Path) -> None:
    written = validate("--write-baseline", tmp_path / "known.json")
    assert (written.code, written.text) == (0, "")
    assert "3 findings written" in written.talk

    answer = validate("--baseline", tmp_path / "known.json")
    report = json.loads(answer.stdout)
    assert (answer.code, records(report), len(report["known"])) == (0, [], 3)


def test_what_came_after_a_baseline_counts_though_lines_moved(
    validate: Here, faulty: GitBuilder, tmp_path: Path
) -> None:
    validate("--write-baseline", tmp_path / "known.json")
    lower = {**CLEAN, "graph/web.yaml": f"# lower\n\n{DANGLING.replace(':web', ':web0')}", "graph/new.yaml": NAMELESS}
    faulty.add_commit(lower, "2026-05-05T00:00:00Z")

    answer = validate("--baseline", tmp_path / "known.json")
    assert (answer.code, told(answer)) == (1, [("graph/new.yaml", "KB020")])


@pytest.mark.parametrize("text", ["", "[]", "{", '{"kind": "Other", "findings": []}', '{"kind": 1}', "\x00"])
def test_a_baseline_that_is_none_is_refused(validate: Here, tmp_path: Path, text: str) -> None:
    (tmp_path / "known.json").write_text(text)
    answer = validate("--baseline", tmp_path / "known.json", "--error-format", "json")

    assert (answer.code, answer.error["code"]) == (2, "RESOURCE_INVALID")
    assert validate("--baseline", tmp_path / "absent.json", "--error-format", "json").code == 2
