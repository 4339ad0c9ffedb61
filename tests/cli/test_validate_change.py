"""A pull request with ten different mistakes: each is shown at its line, in every form, and nothing else is."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.cases.command_line import Answer
from tests.example import build_example
from tests.unit.render.test_findings import JUNIT, SARIF, github_commands

Here = Callable[..., Answer]

SERVICE = """\
nodeKind: {kind}
id: {id}
attributes:
  title: {title}
  status: {status}
  owners: ["{owner}"]
  updatedAt: {updated}
edges:
  {edge}: ["{target}"]
"""

GOOD = {
    "kind": "Service",
    "title": "Scales",
    "status": "approved",
    "owner": "team:web",
    "updated": "2026-05-11T10:00:00Z",
    "edge": "depends_on",
    "target": "service:kradle-api",
}


def record(name: str, **changed: str) -> str:
    """A record that is right but for what is changed."""
    return SERVICE.format(**{**GOOD, "id": f"service:{name}", **changed})


MISTAKES: dict[str, tuple[str, str, int]] = {
    "graph/services/a-yaml.yaml": (record("a-yaml", title="Scales: the new ones"), "KB002", 4),
    "runbooks/b-frontmatter.md": ("---\nid: runbook:b\nkind: Runbook\ntitle: *Scales*\n---\n\nSteps.\n", "KB003", 4),
    "graph/services/c-key.yaml": (record("c-key") + 'edges:\n  documents: ["service:kradle-api"]\n', "KB004", 10),
    "graph/services/d-id.yaml": (record("d-id", id="service:kradle-api"), "KB010", 2),
    "graph/services/e-kind.yaml": (record("e-kind", kind="Servise"), "KB013", 1),
    "graph/services/f-field.yaml": (record("f-field").replace("  title: Scales\n", ""), "KB020", 2),
    "graph/services/g-value.yaml": (record("g-value", status="aproved"), "KB022", 5),
    "graph/services/h-date.yaml": (record("h-date", updated="2026-13-05"), "KB024", 7),
    "graph/services/i-owner.yaml": (record("i-owner", owner="team:nobody"), "KB025", 6),
    "graph/services/j-edge.yaml": (record("j-edge", target="service:gone"), "KB031", 9),
}
"""Ten files, each with one mistake: its text, the check that finds it, and the line."""

EXPECTED = sorted((path, line, check) for path, (_, check, line) in MISTAKES.items())


def git(brain: Path, *arguments: str) -> None:
    """Run Git in the brain."""
    identity = ("-c", "user.name=Brain", "-c", "user.email=brain@example.invalid")
    subprocess.run(["git", "-C", str(brain), *identity, *arguments], check=True, capture_output=True)


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example brain with a branch that adds the ten files."""
    folder = tmp_path_factory.mktemp("change") / "brain"
    build_example(folder)
    git(folder, "checkout", "--quiet", "-b", "change", "main")
    for path, (text, _, _) in MISTAKES.items():
        (folder / path).write_text(text)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "Ten mistakes")
    return folder


def places_in_text(text: str) -> list[tuple[str, int, str]]:
    found = re.findall(r"^([^\s:][^:]*):(\d+):\d+: \w+ (KB\d{3}) ", text, re.MULTILINE)
    return [(path, int(line), check) for path, line, check in found]


def places_in_json(text: str) -> list[tuple[str, int, str]]:
    return [(each["path"], each["line"], each["check"]) for each in json.loads(text)["findings"]]


def places_in_github(text: str) -> list[tuple[str, int, str]]:
    commands = github_commands(text)
    return [(stated["file"], int(stated["line"]), stated["title"][:5]) for _, stated, _ in commands]


def places_in_gitlab(text: str) -> list[tuple[str, int, str]]:
    entries: list[dict[str, Any]] = json.loads(text)
    return [
        (each["location"]["path"], line_of(each["location"]), re.search(r"KB\d{3}", each["check_name"])[0])  # type: ignore[index]
        for each in entries
    ]


def line_of(location: dict[str, Any]) -> int:
    """The line of an entry of GitLab, which knows two forms of it."""
    found: int = location["lines"]["begin"] if "lines" in location else location["positions"]["begin"]["line"]
    return found


def places_in_sarif(text: str) -> list[tuple[str, int, str]]:
    value = json.loads(text)
    SARIF.validate(value)
    found = []
    for result in value["runs"][0]["results"]:
        place = result["locations"][0]["physicalLocation"]
        found.append((place["artifactLocation"]["uri"], place["region"]["startLine"], result["ruleId"]))
    return found


def places_in_junit(text: str) -> list[tuple[str, int, str]]:
    JUNIT.validate(text)
    found = []
    for case in ElementTree.fromstring(text.encode()).iter("testcase"):
        assert case.find("failure") is not None
        line = re.search(r"line (\d+)", case.attrib["name"])
        assert line is not None
        found.append((case.attrib["classname"], int(line[1]), case.attrib["name"][:5]))
    return found


FORMS = {
    "text": places_in_text,
    "json": places_in_json,
    "github": places_in_github,
    "gitlab": places_in_gitlab,
    "sarif": places_in_sarif,
    "junit": places_in_junit,
}


@pytest.mark.parametrize("form", FORMS)
def test_each_of_ten_mistakes_is_shown_at_its_line(here: Here, brain: Path, form: str) -> None:
    answer = here("validate", "--brain", brain, "--since", "main", "--format", form)

    assert answer.code == 1
    assert sorted(FORMS[form](answer.text)) == EXPECTED


def test_the_base_itself_brings_nothing_in(here: Here, brain: Path) -> None:
    answer = here("validate", "--brain", brain, "--ref", "main", "--since", "main")

    assert (answer.code, answer.text.splitlines()[-1].partition(" in ")[0]) == (0, "0 errors, 0 warnings, 0 notes")


def test_a_baseline_of_the_whole_leaves_nothing_of_the_change_to_tell(here: Here, brain: Path) -> None:
    written = here("validate", "--brain", brain, "--write-baseline", "known.json")
    again = here("validate", "--brain", brain, "--since", "main", "--baseline", "known.json")

    assert (written.code, written.text) == (0, "")
    assert again.code == 0
    assert again.text.endswith("(10 known)\n")


def test_the_same_files_before_they_are_committed_show_the_same(here: Here, brain: Path, tmp_path: Path) -> None:
    subprocess.run(["git", "clone", "--quiet", str(brain), str(tmp_path / "clone")], check=True)
    clone = tmp_path / "clone"
    git(clone, "checkout", "--quiet", "-b", "fresh", "origin/main")
    for path, (text, _, _) in MISTAKES.items():
        (clone / path).write_text(text)

    answer = here("validate", "--brain", clone, "--worktree", "--since", "fresh", "--format", "json")

    assert answer.code == 1
    assert sorted(places_in_json(answer.text)) == EXPECTED


def test_what_agents_will_see_differently_is_told(here: Here, brain: Path) -> None:
    answer = here("validate", "--brain", brain, "--since", "main", "--format", "json")
    impact = json.loads(answer.text)["impact"]

    added = {each["id"] for each in impact["records"] if each["change"] == "added"}
    assert {"service:g-value", "service:h-date", "service:i-owner", "service:j-edge"} <= added
    assert {"change": "added", "source": "service:j-edge", "kind": "depends_on", "target": "service:gone"} in impact[
        "edges"
    ]
