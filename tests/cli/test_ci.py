"""The files by which CI systems and pre-commit call `validate`: they parse, fit together, and their shell is run."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from kradle_ctx.cli.registry import command
from kradle_ctx.scaffold import scaffold
from tests.cases.command_line import CHECKOUT, environment
from tests.conftest import GitBuilder
from tests.docs.conftest import write_program

ACTION: dict[str, Any] = yaml.safe_load((CHECKOUT / "action.yml").read_bytes())
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
HOOKS: list[dict[str, Any]] = yaml.safe_load((CHECKOUT / ".pre-commit-hooks.yaml").read_bytes())
PAGE = (CHECKOUT / "docs" / "how-to" / "ci.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"^<!-- (\w+: [\w -]+) -->\n```\w+\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE))

BRAIN = scaffold("acme", "handbook", date(2026, 5, 15))
DANGLING = b"---\nnodeKind: Team\nid: team:web\nattributes: {title: Web, status: approved, updatedAt: 2026-05-15}\n"
DANGLING += b"edges: {mentions: ['service:gone']}\n"

EXPRESSION = re.compile(r"\$\{\{ ([\w.-]+) \}\}")


def step(name: str) -> dict[str, Any]:
    """A step of the action by its name."""
    return next(entry for entry in STEPS if entry["name"] == name)


@dataclass(slots=True)
class Runner:
    """What runs a step, as GitHub does: its expressions are filled into the environment, and bash gets its script."""

    folder: Path
    context: dict[str, str] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)

    def run(self, wanted: Mapping[str, Any]) -> tuple[int, str, dict[str, str]]:
        """The exit code of a step, what it said, and its outputs."""
        outputs = self.folder.parent / "outputs"
        outputs.write_text("")
        given = {name: EXPRESSION.fullmatch(text) for name, text in wanted.get("env", {}).items()}
        filled = {name: self.context[found[1]] for name, found in given.items() if found is not None}
        assert len(filled) == len(given)
        temporary = self.folder.parent / "runner's temp"
        temporary.mkdir(exist_ok=True)
        around = {"GITHUB_OUTPUT": str(outputs), "RUNNER_TEMP": str(temporary), **self.variables, **filled}
        script = self.folder.parent / "script.sh"
        script.write_text(wanted["run"])
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)],
            cwd=self.folder,
            env=environment(around),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=120,
        )
        told = dict(line.partition("=")[::2] for line in outputs.read_text().splitlines())
        return done.returncode, (done.stdout + done.stderr).decode(), told


@pytest.fixture
def brain(tmp_path: Path) -> GitBuilder:
    """A new brain, checked out, whose last change states an edge to nothing."""
    made = GitBuilder(tmp_path / "a brain")
    made.set_branch("before", made.add_commit(BRAIN, "2026-05-15T00:00:00Z"))
    made.add_commit({**BRAIN, "graph/teams.yaml": BRAIN["graph/teams.yaml"] + DANGLING}, "2026-05-16T00:00:00Z")
    made.git("reset", "--quiet", "--hard")
    return made


@pytest.fixture
def runner(brain: GitBuilder, tmp_path: Path) -> Runner:
    """A runner in that brain, with an installation of this checkout, and the action's inputs as they are by default."""
    installed = tmp_path / "installed here"
    write_program_in(installed / "bin")
    inputs = {f"inputs.{name}": str(entry["default"]) for name, entry in ACTION["inputs"].items()}
    return Runner(brain.path, {**inputs, "steps.install.outputs.folder": str(installed)})


def write_program_in(folder: Path) -> None:
    """The command as an installation has it."""
    folder.mkdir(parents=True)
    write_program(folder / "kradle-ctx", f'exec "{sys.executable}" -m kradle_ctx.cli.main "$@"')


# The action


def test_no_value_becomes_part_of_a_script() -> None:
    scripts = [entry["run"] for entry in STEPS if "run" in entry]
    assert len(scripts) == 3
    assert not any("${{" in script for script in scripts)
    assert all(entry["shell"] == "bash" for entry in STEPS if "run" in entry)


def test_every_input_is_described_and_reaches_the_command() -> None:
    passed = {found[1] for text in step("Validate")["env"].values() if (found := EXPRESSION.fullmatch(text))}
    assert {f"inputs.{name}" for name in ACTION["inputs"]} == passed - {"steps.install.outputs.folder"}
    assert all(entry["description"].endswith(".") for entry in ACTION["inputs"].values())
    told = set(re.findall(r"^\| `([\w-]+)` \|", PAGE, re.MULTILINE))
    assert told == set(ACTION["inputs"])
    options = command("validate").options
    for name in ("brain", "since", "ref", "fail_on"):
        assert name in options
    assert ACTION["inputs"]["fail-on"]["default"] == options["fail_on"].default.value


def test_python_is_set_up_only_where_none_is_new_enough(runner: Runner, tmp_path: Path) -> None:
    look, set_up = step("Look for Python"), step("Set up Python")
    assert set_up["if"] == f"steps.{look['id']}.outputs.found != 'yes'"
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "python3").symlink_to(sys.executable)
    for path, found in ((tmp_path / "new", {"found": "yes"}), (tmp_path / "old", {})):
        write_program(tmp_path / "old" / "python3", "exit 1")
        runner.variables["PATH"] = f"{path}:/usr/bin:/bin"
        code, _, outputs = runner.run(look)
        assert (code, outputs) == (0, found)


def test_the_action_installs_itself_and_runs_nothing_that_is_checked_out(
    runner: Runner, brain: GitBuilder, tmp_path: Path
) -> None:
    for name in ("pip", "venv", "ensurepip", "site", "json"):
        (brain.path / f"{name}.py").write_text(f"open({str(tmp_path / 'mark')!r}, 'w')\n")
    (tmp_path / "an action").mkdir()
    runner.context["github.action_path"] = str(wheel(tmp_path / "an action"))
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "python3").symlink_to(sys.executable)
    runner.variables = {"PATH": f"{tmp_path / 'new'}:/usr/bin:/bin", "PIP_NO_INDEX": "1"}
    assert runner.run(step("Look for Python"))[0] == 0
    code, said, outputs = runner.run(step("Install kradle-ctx"))
    assert code == 0, said
    done = subprocess.run([f"{outputs['folder']}/bin/kradle-ctx"], capture_output=True, check=True, text=True)
    assert done.stdout == "installed\n"
    assert not (tmp_path / "mark").exists()


def wheel(folder: Path) -> Path:
    """A wheel with the command and nothing else, so that installing needs no network."""
    file = folder / "kradle_ctx-1-py3-none-any.whl"
    about = "kradle_ctx-1.dist-info"
    contents = {
        "installed.py": "def main():\n    print('installed')\n",
        f"{about}/METADATA": "Metadata-Version: 2.1\nName: kradle-ctx\nVersion: 1\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{about}/entry_points.txt": "[console_scripts]\nkradle-ctx = installed:main\n",
        f"{about}/RECORD": "",
    }
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in contents.items():
            archive.writestr(name, text)
    return file


@pytest.mark.parametrize(
    "value",
    ["$(touch mark)", '"; touch mark; "', "'; touch mark; '", "`touch mark`", "x\ntouch mark", "*", "${FOLDER}", "]]"],
)
def test_a_hostile_input_is_a_value_and_no_command(runner: Runner, brain: GitBuilder, value: str) -> None:
    runner.context |= {f"inputs.{name}": value for name in ACTION["inputs"]}
    code, said, _ = runner.run(step("Validate"))
    assert code != 0
    assert not list(brain.path.parent.rglob("mark"))
    assert brain.git("status", "--porcelain") == ""
    assert "[USAGE]" in said, "the program was reached, and it took the value for a value"


def test_a_hostile_input_is_no_option_either(runner: Runner, brain: GitBuilder) -> None:
    for name in ("brain", "since", "ref", "format", "fail-on"):
        runner.context[f"inputs.{name}"] = "--output=mark"
        assert runner.run(step("Validate"))[0] != 0
        runner.context[f"inputs.{name}"] = str(ACTION["inputs"][name]["default"])
    assert not list(brain.path.parent.rglob("mark"))


def test_the_whole_brain_is_validated_and_its_findings_fail_the_step(runner: Runner) -> None:
    code, said, outputs = runner.run(step("Validate"))
    assert (code, outputs) == (1, {})
    (line,) = [line for line in said.splitlines() if line.startswith("::error")]
    assert "file=graph/teams.yaml" in line
    assert "service:gone" in line


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"since": "before"}, 1),
        ({"since": "main"}, 0),
        ({"ref": "before"}, 0),
        ({"fail-on": "none"}, 0),
        ({"args": "--quiet\nnotes\n"}, 0),
        ({"args": "--quiet\ngraph/teams.yaml"}, 1),
        ({"since": "nowhere"}, 3),
        ({"fail-on": "never"}, 2),
        ({"brain": "nowhere"}, 3),
    ],
)
def test_inputs_decide_what_is_looked_at_and_what_fails(runner: Runner, given: dict[str, str], code: int) -> None:
    runner.context |= {f"inputs.{name}": value for name, value in given.items()}
    found, said, _ = runner.run(step("Validate"))
    assert found == code, said


@pytest.mark.parametrize("form", ["sarif", "json", "gitlab", "junit"])
def test_a_report_goes_into_a_file_that_the_output_names_whatever_the_exit_code(runner: Runner, form: str) -> None:
    runner.context["inputs.format"] = form
    code, _, outputs = runner.run(step("Validate"))
    assert code == 1
    text = Path(outputs["report"]).read_text(encoding="utf-8")
    assert "service:gone" in text
    if form != "junit":
        json.loads(text)
    assert ACTION["outputs"]["report"]["value"] == "${{ steps.validate.outputs.report }}"


def test_a_run_that_writes_no_report_names_none(runner: Runner) -> None:
    runner.context |= {"inputs.format": "sarif", "inputs.since": "nowhere"}
    code, _, outputs = runner.run(step("Validate"))
    assert (code, outputs) == (3, {})


# The files of a new brain


@pytest.fixture
def clone(brain: GitBuilder, tmp_path: Path) -> Path:
    """A checkout as CI makes it: a detached commit, and the branches of the remote."""
    brain.git("branch", "--force", "change", "main")
    brain.git("update-ref", "refs/heads/main", "before")
    target = tmp_path / "clone"
    brain.git("clone", "--quiet", str(brain.path), str(target))
    subprocess.run(["git", "-C", str(target), "checkout", "--quiet", "--detach", "origin/change"], check=True)
    return target


@pytest.mark.parametrize(("base", "code"), [("main", 1), ("change", 0), ("", 1)])
def test_the_workflow_of_a_new_brain_tells_what_a_pull_request_brings_in(
    clone: Path, tmp_path: Path, base: str, code: int
) -> None:
    workflow = yaml.safe_load(BRAIN[".github/workflows/memory.yml"])
    write_program_in(tmp_path / "bin")
    variables = {"GITHUB_BASE_REF": base, "PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"}
    found, said, _ = Runner(clone, variables=variables).run(workflow["jobs"]["validate"]["steps"][-1])
    assert found == code, said
    assert ("::error" in said) == bool(code)


@pytest.mark.parametrize(("base", "code"), [("origin/main", 1), ("origin/change", 0), ("", 1)])
def test_the_pipeline_of_a_new_brain_leaves_a_report_and_decides(
    clone: Path, tmp_path: Path, base: str, code: int
) -> None:
    (job,) = yaml.safe_load(BRAIN[".gitlab-ci.yml"]).values()
    write_program_in(tmp_path / "bin")
    found = subprocess.run(["git", "-C", str(clone), "rev-parse", base or "HEAD"], check=True, capture_output=True)
    base_id = found.stdout.decode().strip() if base else ""
    variables = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": base_id, "PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"}
    exit_code, said, _ = Runner(clone, variables=variables).run({"run": "\n".join(job["script"])})
    assert exit_code == code, said
    report = json.loads((clone / "gl-code-quality-report.json").read_bytes())
    assert len(report) == code
    assert ("KB031" in said) == bool(code)


def test_the_hook_of_a_new_brain_is_the_one_that_this_repository_offers() -> None:
    (offered,) = HOOKS
    (repository,) = yaml.safe_load(BRAIN[".pre-commit-config.yaml"])["repos"]
    (hook,) = repository["hooks"]
    assert repository["repo"] == "local"
    same = ("id", "name", "entry", "language", "files", "require_serial")
    assert {name: hook[name] for name in same} == {name: offered[name] for name in same}
    assert offered["pass_filenames"] is True


@pytest.mark.parametrize(
    ("path", "fits"),
    [("graph/a.yaml", True), ("a.yml", True), ("notes/a.md", True), ("a.mdx", False), ("yaml", False), ("a.py", False)],
)
def test_the_hook_looks_at_files_that_a_brain_is_made_of(path: str, fits: bool) -> None:
    assert (re.search(HOOKS[0]["files"], path) is not None) == fits


def test_the_hook_tells_what_is_wrong_in_the_files_that_it_is_given(runner: Runner, brain: GitBuilder) -> None:
    (brain.path / "graph" / "teams.yaml").write_bytes(BRAIN["graph/teams.yaml"])
    (brain.path / "graph" / "services.yaml").write_bytes(BRAIN["graph/services.yaml"] + DANGLING)
    program = f'"{runner.context["steps.install.outputs.folder"]}/bin/{HOOKS[0]["entry"]}'.replace("ctx ", 'ctx" ')
    for files, code in (("graph/services.yaml README.md", 1), ("graph/teams.yaml notes/health-check.md", 0)):
        found, said, _ = runner.run({"run": f"{program} {files}"})
        assert found == code, said


# The page about it


def test_what_the_page_shows_parses_and_fits_the_action_and_the_hook() -> None:
    assert set(BLOCKS) == {
        "workflow: annotations",
        "workflow: code scanning",
        "pipeline: gitlab",
        "hooks: pre-commit",
        "shell: any",
    }
    for name in ("workflow: annotations", "workflow: code scanning"):
        workflow = yaml.safe_load(BLOCKS[name])
        steps = workflow["jobs"]["validate"]["steps"]
        (own,) = [entry for entry in steps if entry["uses"].startswith("OWNER/")]
        assert set(own["with"]) <= set(ACTION["inputs"])
        assert steps[0]["with"] == {"fetch-depth": 0, "persist-credentials": False}
        assert workflow["permissions"]["contents"] == "read"
    (repository,) = yaml.safe_load(BLOCKS["hooks: pre-commit"])["repos"]
    assert [hook["id"] for hook in repository["hooks"]] == [hook["id"] for hook in HOOKS]


def test_the_page_shows_the_pipeline_of_a_new_brain() -> None:
    (shown,), (made,) = (
        yaml.safe_load(text).values() for text in (BLOCKS["pipeline: gitlab"], BRAIN[".gitlab-ci.yml"])
    )
    for job in (shown, made):
        (install,) = job.pop("before_script")
        assert re.match(r'pip install --quiet "?kradle-ctx\b', install)
    assert shown == made


def test_the_shell_for_any_ci_is_three_lines_and_its_last_one_runs(clone: Path, tmp_path: Path) -> None:
    lines = BLOCKS["shell: any"].splitlines()
    assert len(lines) == 3
    assert subprocess.run(["sh", "-n", "-c", BLOCKS["shell: any"]], capture_output=True).returncode == 0
    write_program_in(tmp_path / "home" / "kradle-ctx" / "bin")
    found, said, _ = Runner(clone, variables={"HOME": str(tmp_path / "home")}).run({"run": "\n".join(lines[1:])})
    assert found == 1, said
    assert "service:gone" in (clone / "report.xml").read_text(encoding="utf-8")
