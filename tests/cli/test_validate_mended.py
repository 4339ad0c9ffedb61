"""Faults of validation that were found once, each as a test for its kind."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.cases.command_line import Answer
from tests.conftest import GitBuilder
from tests.pipeline import FIRST_DAY, SECOND_DAY, graph_record
from tests.redaction_shapes import token

Here = Callable[..., Answer]
Git = Callable[..., GitBuilder]

THIRD_DAY = "2026-05-05T12:00:00Z"

TEAM = graph_record("team:web", "Team", title="Web", status="approved", updatedAt=FIRST_DAY)


def service(name: str, *targets: str, **fields: object) -> str:
    """A service that depends on others."""
    stated = {"title": name, "status": "approved", "owners": ["team:web"], "updatedAt": FIRST_DAY, **fields}
    return graph_record(f"service:{name}", "Service", edges={"depends_on": list(targets)}, **stated)


def test_a_secret_behind_many_faults_of_its_file_is_in_no_message(here: Here, git: Git) -> None:
    secret = token(Random(7))
    brain = git("brain")
    faulty = "---\na: b: c\n" * 1_500
    brain.add_commit(
        {"graph/a.yaml": f"{faulty}---\n{service('a', f'service:{secret}')}", "graph/t.yaml": TEAM}, FIRST_DAY
    )

    for form in ("text", "json", "sarif", "junit", "github", "gitlab"):
        answer = here("validate", "--brain", brain.path, "--format", form)
        assert secret not in answer.text + answer.talk
        assert "there are more in this file" in answer.text


def test_what_a_denied_document_sets_aside_is_not_set_aside_for_others(here: Here, git: Git) -> None:
    brain = git("brain")
    hidden = graph_record("service:vault", "Service", title="Vault", sensitivity="restricted")
    text = f"{service('a', 'service:gone')}---\n# kradle-ctx: ignore-file KB031 -- because of the vault\n{hidden}"
    brain.add_commit({"graph/a.yaml": text, "graph/t.yaml": TEAM}, FIRST_DAY)

    here("index", "export", "--brain", brain.path, "--local-grant", "-o", "out")
    report = json.loads(Path("out/ontology-report.json").read_text())

    assert report["suppressed"] == []
    assert "vault" not in json.dumps(report).lower()


@pytest.mark.parametrize("setting", ["[error]", "{a: b}", "7", "null", "fatal", "'off '"])
def test_a_severity_that_is_none_changes_nothing_and_ends_nothing(here: Here, git: Git, setting: str) -> None:
    brain = git("brain")
    rules = f"nodeKinds: [{{name: Team}}]\nchecks: {{KB031: {setting}}}\n"
    brain.add_commit({"ontology/rules.yaml": rules, "graph/t.yaml": TEAM}, FIRST_DAY)

    assert here("validate", "--brain", brain.path).code in (0, 1)


def test_no_rule_hides_an_ontology_that_does_not_parse(here: Here, git: Git) -> None:
    brain = git("brain")
    files = {
        "ontology/rules.yaml": "checks: {KB005: off}\n",
        "ontology/kinds.yaml": "nodeKinds: [\n",
        "graph/t.yaml": TEAM,
    }
    brain.add_commit(files, FIRST_DAY)
    brain.add_commit({**files, "notes/a.md": "# A\n"}, SECOND_DAY)

    for more in ((), ("--since", "HEAD")):
        answer = here("validate", "--brain", brain.path, *more)
        assert answer.code == 1
        assert "ontology/kinds.yaml:2:1: error KB005" in answer.text


def test_an_ontology_that_is_gone_is_told(here: Here, git: Git) -> None:
    brain = git("brain")
    base = brain.add_commit({"ontology/kinds.yaml": "nodeKinds: [{name: Team}]\n", "graph/t.yaml": TEAM}, FIRST_DAY)
    brain.add_commit({"graph/t.yaml": TEAM}, SECOND_DAY)

    answer = here("validate", "--brain", brain.path, "--since", base)

    assert answer.code == 1
    assert "ontology/kinds.yaml:1:1: error KB007" in answer.text


def test_two_folders_of_one_content_are_told_by_their_own_names(here: Here, git: Git) -> None:
    brain = git("brain")
    files = {"graph/a.yaml": service("a", "service:gone"), "graph/t.yaml": TEAM}
    brain.add_commit({f"{root}/{path}": text for root in "ab" for path, text in files.items()}, FIRST_DAY)
    here("index", "build", "--brain", brain.path, "--root", "a")

    for root in "ab":
        for _ in range(2):
            text = here("validate", "--brain", brain.path, "--root", root).text
            assert text.startswith(f"{root}/graph/a.yaml:")


def test_a_work_tree_is_compared_with_where_it_departed(here: Here, git: Git) -> None:
    brain = git("brain")
    broken = {"graph/a.yaml": service("a", "service:gone"), "graph/t.yaml": TEAM}
    brain.add_commit(broken, FIRST_DAY)
    subprocess.run(["git", "-C", str(brain.path), "checkout", "--quiet", "-B", "work"], check=True)
    subprocess.run(["git", "-C", str(brain.path), "checkout", "--quiet", "-B", "mended"], check=True)
    brain.add_commit({"graph/a.yaml": service("a"), "graph/t.yaml": TEAM}, THIRD_DAY)
    subprocess.run(["git", "-C", str(brain.path), "checkout", "--quiet", "--force", "work"], check=True)

    answer = here("validate", "--brain", brain.path, "--worktree", "--since", "mended")

    assert answer.code == 0
    assert "no record and no edge" in answer.text


def test_a_path_at_which_there_is_nothing_is_refused(here: Here, git: Git) -> None:
    brain = git("brain")
    brain.add_commit({"graph/t.yaml": TEAM}, FIRST_DAY)

    assert here("validate", "--brain", brain.path, "grpah").code == 2
    assert here("validate", "--brain", brain.path, "graph").code == 0


def test_an_owner_that_grants_hide_is_no_error_for_who_may_not_see_it(here: Here, git: Git) -> None:
    brain = git("brain")
    team = graph_record(
        "team:web", "Team", title="Web", status="approved", updatedAt=FIRST_DAY, sensitivity="restricted"
    )
    brain.add_commit({"graph/a.yaml": service("a"), "graph/t.yaml": team}, FIRST_DAY)

    asked = ("query", "--brain", brain.path, "--local-grant", "--mode", "ontology-validation", "--format", "json")
    found = json.loads(here(*asked).text)["validation"]["findings"]

    assert {each["severity"] for each in found} <= {"info"}


def test_yaml_that_does_not_parse_is_told_to_an_agent_without_what_is_wrong(here: Here, git: Git) -> None:
    brain = git("brain")
    brain.add_commit({"graph/a.yaml": "secretive: b: c\n", "graph/t.yaml": TEAM}, FIRST_DAY)

    asked = ("query", "--brain", brain.path, "--local-grant", "--mode", "ontology-validation", "--format", "json")
    found = json.loads(here(*asked).text)["validation"]["findings"]

    assert [(each["check"], each["path"], each["line"]) for each in found] == [("KB002", "graph/a.yaml", 1)]
    assert "quotes" not in found[0]["message"]


@pytest.mark.parametrize(
    "stated",
    [
        "  password: [{}]",
        "  depends_on:\n    - target: service:a\n      password: {}\n    - {}",
        "status: {}\npassword: {}",
    ],
)
def test_what_is_hidden_in_a_file_is_in_no_finding_of_it(here: Here, git: Git, stated: str) -> None:
    secret, quoted = "Tr0ub4dor-3xQz", '"Tr0ub4dor\\x2d3xQz"'
    brain = git("brain")
    for value in (secret, quoted):
        edges = "" if stated.startswith("status") else "edges:\n"
        text = f"id: service:a\nnodeKind: Service\ntitle: A\nowners: [team:web]\n{edges}{stated.replace('{}', value)}\n"
        brain.add_commit({"graph/a.yaml": text, "graph/t.yaml": TEAM}, FIRST_DAY)

        for form in ("text", "json", "sarif", "junit", "github", "gitlab"):
            answer = here("validate", "--brain", brain.path, "--format", form)
            assert "KB050" in answer.text
            assert secret not in answer.text + answer.talk
        here("validate", "--brain", brain.path, "--write-baseline", "known.json")
        assert secret not in Path("known.json").read_text()
        Path("known.json").unlink()


def test_a_secret_that_is_put_in_place_of_another_is_new_and_one_that_moves_is_not(here: Here, git: Git) -> None:
    def note(*secrets: str) -> str:
        return "".join(f"password: {secret}\n\n" for secret in secrets)

    brain, first, second = git("brain"), "Tr0ub4dor-3xQz", "c0rrect-h0rse-B4t"
    base = brain.add_commit({"notes/a.md": note(first), "graph/t.yaml": TEAM}, FIRST_DAY)

    def found(*secrets: str) -> list[int]:
        brain.add_commit({"notes/a.md": note(*secrets), "graph/t.yaml": TEAM}, SECOND_DAY)
        report = json.loads(here("validate", "--brain", brain.path, "--since", base, "--format", "json").text)
        return [each["line"] for each in report["findings"] if each["check"] == "KB050"]

    assert found(second) == [1]
    assert found(second, first) == [1]
    assert found(first, second) == [3]
    assert found(first, "") == []


def test_secrets_of_a_denied_document_crowd_out_none_of_another(here: Here, git: Git) -> None:
    hidden = graph_record("service:vault", "Service", title="Vault", sensitivity="restricted")
    crowd = "".join(f"# password: Tr0ub4dor-3xQz{number}\n" for number in range(1_200))
    brain = git("brain")
    text = f"{hidden}{crowd}---\n{service('a', 'service:gone')}# password: c0rrect-h0rse-B4t\n"
    brain.add_commit({"graph/a.yaml": text, "graph/t.yaml": TEAM}, FIRST_DAY)

    here("index", "export", "--brain", brain.path, "--local-grant", "-o", "out")
    report = json.loads(Path("out/ontology-report.json").read_text())

    assert [each["check"] for each in report["findings"] if each["check"] == "KB050"] == ["KB050"]


@pytest.mark.parametrize(
    "spelled", ['"team:bl\\x75e"', '"team:bl\\u0075e"', '"team:b\\\n  lue"', '"team:b\\\r\n  lue"', "team:blue"]
)
def test_an_index_finds_who_names_a_record_however_it_is_spelled(here: Here, git: Git, spelled: str) -> None:
    brain = git("brain")
    text = f"id: service:a\nnodeKind: Service\ntitle: A\nowners:\n- {spelled}\n"
    team = graph_record("team:blue", "Team", title="Blue")
    base = brain.add_commit({"graph/a.yaml": text, "graph/t.yaml": TEAM, "graph/b.yaml": team}, FIRST_DAY)
    here("index", "build", "--brain", brain.path)
    brain.add_commit({"graph/a.yaml": text, "graph/t.yaml": TEAM}, SECOND_DAY)
    here("index", "build", "--brain", brain.path)

    asked = ("validate", "--brain", brain.path, "--since", base, "--format", "json")
    answers = [here(*asked, *more) for more in ((), ("--no-index",))]
    stored, read = (json.loads(answer.text) for answer in answers)

    assert "KB025" in {each["check"] for each in read["findings"]}
    assert stored["findings"] == read["findings"]
