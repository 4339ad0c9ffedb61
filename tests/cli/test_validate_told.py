"""`validate` in real repositories: how it is told, and what never may be."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

from tests.cases.command_line import environment, listing
from tests.cli.validating import CLEAN, DANGLING, FORMATS, NAMELESS, ONTOLOGY, Here, records, told
from tests.command_server import warm
from tests.conftest import SCRATCH_HOME, GitBuilder
from tests.fakes import Content
from tests.hostile.watching import LOG_VARIABLE
from tests.pipeline import FIRST_DAY, SECOND_DAY, graph_record, markdown
from tests.redaction_shapes import token

Git = Callable[..., GitBuilder]


# How it is told


@pytest.mark.parametrize("root", ["", ".company-brain"])
def test_ci_gets_paths_from_the_top_of_the_repository(here: Here, git: Git, root: str) -> None:
    builder = git("brain")
    files = {**CLEAN, "graph/web.yaml": DANGLING}
    builder.add_commit({f"{root}/{path}".lstrip("/"): text for path, text in files.items()}, FIRST_DAY)
    answers = {form: here("validate", "--brain", builder.path, "--format", form) for form in FORMATS}
    path = f"{root}/graph/web.yaml".lstrip("/")

    assert {answer.code for answer in answers.values()} == {1}
    assert f"file={path}," in answers["github"].text
    (quality,) = json.loads(answers["gitlab"].stdout)
    assert quality["location"]["path"] == path
    (result,) = json.loads(answers["sarif"].stdout)["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == path
    assert [case.get("classname") for case in ElementTree.fromstring(answers["junit"].text).iter("testcase")] == [path]
    assert re.search(rf"^{re.escape(path)}:\d+:\d+: error", answers["text"].text, re.MULTILINE)


def test_paths_to_look_at_are_those_of_the_repository_though_the_brain_is_below(here: Here, git: Git) -> None:
    builder = git("brain")
    files = {**CLEAN, "graph/web.yaml": DANGLING}
    builder.add_commit({f".company-brain/{path}": text for path, text in files.items()}, FIRST_DAY)

    run = ("validate", "--brain", builder.path, "--format", "json")
    assert len(told(here(*run, ".company-brain/graph"))) == 1
    assert told(here(*run, ".company-brain/notes")) == []
    assert here(*run, "graph", "--error-format", "json").code == 2


@pytest.mark.parametrize("form", FORMATS)
def test_a_report_goes_into_a_file_whole(validate: Here, faulty: GitBuilder, tmp_path: Path, form: str) -> None:
    target = tmp_path / "report"
    expected = validate("--format", form)
    answer = validate("--format", form, "-o", target)

    assert (answer.code, answer.stdout) == (1, b"")
    assert target.read_bytes() == expected.stdout


def test_a_run_that_is_refused_leaves_the_file_that_was_there(validate: Here, tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    target.write_text("old\n")
    assert validate("--ref", "absent", "-o", target).code == 3
    assert target.read_text() == "old\n"

    answer = validate("-o", tmp_path / "absent" / "report.json", "--error-format", "json")
    assert (answer.code, answer.error["code"]) == (3, "OUTPUT_UNWRITABLE")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["brain", "desk", "report.json"]


def test_equal_runs_tell_the_same_bytes(validate: Here, faulty: GitBuilder) -> None:
    for form in FORMATS:
        assert validate("--format", form).stdout == validate("--format", form).stdout


def test_an_index_changes_nothing_that_is_told(
    here: Here,
    validate: Here,
    faulty: GitBuilder,
    change: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    asked: list[tuple[str, ...]] = [(), ("--since", "main"), ("--ref", "v1"), ("--ref", "main"), ("--worktree",)]
    asked += [("--worktree", "--since", "v1"), ("graph",)]
    expected = [validate(*arguments).stdout for arguments in asked]
    assert len(set(expected)) > 4
    monkeypatch.setenv("KRADLE_CACHE_DIR", str(tmp_path / "cache"))
    for ref in ("v1", "side"):
        assert here("index", "build", "--brain", faulty.path, "--ref", ref).code == 0

    for _ in range(2):
        answers = [validate(*arguments) for arguments in asked]
        assert [answer.stdout for answer in answers] == expected
        assert [answer.talk for answer in answers] == [""] * len(asked)


# What is wrong with a brain never ends a run


def test_an_ontology_that_does_not_parse_is_a_finding_and_says_what_was_not_looked_at(
    validate: Here, brain: GitBuilder
) -> None:
    files = {
        **CLEAN,
        "ontology/kinds.yaml": "nodeKinds:\n  - {name: Team\nedgeKinds: []\n",
        "graph/b.yaml": "a: b: c\n",
    }
    brain.add_commit(files, SECOND_DAY)
    answer = validate()
    report = json.loads(answer.stdout)

    assert answer.code == 1
    (faulty,) = [each for each in report["findings"] if each["check"] == "KB005"]
    assert faulty["path"] == "ontology/kinds.yaml" and faulty["line"] in (2, 3)
    assert ("graph/b.yaml", "KB002") in records(report)
    assert {"KB013", "KB020", "KB030"} <= {each["check"] for each in report["notRun"]}
    text = validate("--format", "text").text
    assert "KB020" in text and "ontology/kinds.yaml" in text


BROKEN: dict[str, Content] = {
    "graph/broken.yaml": "nodeKind: a: b\n",
    "graph/binary.yaml": b"\x00\x01",
    "graph/latin.yaml": b"caf\xe9: 1\n",
    "graph/utf16.yaml": "a: 1\n".encode("utf-16"),
    "graph/bomb.yaml": "a: &a [x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\n"
    + "".join(f"d{n}: &d{n} [*{'c' if not n else f'd{n - 1}'},*c,*c,*c,*c,*c,*c,*c]\n" for n in range(12)),
    "graph/deep.yaml": "a: " + "[" * 5_000 + "\n",
    "graph/tag.yaml": "a: !!python/object/apply:os.system [touch PWNED]\n",
    "graph/keys.yaml": "nodeKind: Team\nid: team:x\nid: team:y\n",
    "pages/broken.md": "---\nid: [\n---\nbody\n",
    "pages/latin.md": b"# caf\xe9\n",
    "graph/empty.yaml": "",
    "graph/pointer.yaml": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
}


def test_one_broken_file_hides_nothing(validate: Here, brain: GitBuilder) -> None:
    brain.add_commit({**CLEAN, **BROKEN, "graph/web.yaml": DANGLING, "graph/zz.yaml": NAMELESS}, SECOND_DAY)
    found = told(validate())

    assert {("graph/web.yaml", "KB031"), ("graph/zz.yaml", "KB020")} <= set(found)
    assert {path for path, _ in found} == {*BROKEN, "graph/web.yaml", "graph/zz.yaml"} - {"graph/empty.yaml"}
    assert not list(brain.path.rglob("PWNED"))


@pytest.mark.parametrize("path", BROKEN)
def test_each_broken_file_is_told_alone_and_as_a_change(validate: Here, brain: GitBuilder, path: str) -> None:
    brain.add_commit({**CLEAN, path: BROKEN[path]}, SECOND_DAY)
    expected = [] if path == "graph/empty.yaml" else [path]

    assert [found for found, _ in told(validate())] == expected
    assert [found for found, _ in told(validate("--since", brain.git("rev-parse", "HEAD^")))] == expected


# What it may not do


def test_a_memory_mode_that_disables_it_refuses(
    validate: Here, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    answer = validate("--memory-mode", "disabled", "--error-format", "json")
    assert (answer.code, answer.error["code"]) == (4, "MEMORY_MODE_FORBIDDEN")
    assert validate("--memory-mode", "read-only").code == 0

    monkeypatch.setenv("KRADLE_MEMORY_MODE", "disabled")
    assert validate("--memory-mode", "full").code == 4
    assert validate("--worktree").code == 4
    assert validate("--export-schemas", tmp_path / "schemas").code == 4
    assert not (tmp_path / "schemas").exists()


def test_no_secret_of_a_brain_is_told(here: Here, git: Git) -> None:
    chance = Random(11)
    secrets = [token(chance) for _ in range(8)]
    record, kind, title, target, owner, name, date, note = secrets
    files: dict[str, Content] = {
        "ontology/kinds.yaml": ONTOLOGY + "vocabulary: {tier: [one]}\n",
        "graph/a.yaml": graph_record(f"service:{record}", kind, title=title, owners=[owner], updatedAt=date, tier=note)
        + f"edges: {{depends_on: [{target}]}}\n",
        f"graph/{name}.yaml": graph_record("service:b", "Service", tier=title, owners=[owner], updatedAt=date),
        "graph/c.yaml": f"nodeKind: Service\nid: service:c\n{title}: 1\n{title}: 2\n",
        "graph/d.yaml": f"a: b: {note}\n",
        "pages/e.md": markdown(f"password {note}\n", id=f"service:{record}", kind="Service", related={target: [owner]}),
    }
    builder = git("brain")
    builder.add_commit(CLEAN, FIRST_DAY)
    builder.add_commit(files, SECOND_DAY)

    for form in FORMATS:
        for more in ((), ("--since", builder.git("rev-parse", "HEAD^")), ("--ref", "HEAD", "graph")):
            answer = here("validate", "--brain", builder.path, "--format", form, *more)
            shown = answer.text + answer.talk
            assert answer.code == 1
            assert [secret for secret in secrets if secret in shown or secret[4:24] in shown] == []
    assert "KB050" in shown


@pytest.mark.parametrize("more", [(), ("--since", "base"), ("--worktree",), ("--worktree", "--since", "base")])
def test_it_writes_no_more_than_an_index_and_starts_and_asks_nobody(
    brain: GitBuilder, tmp_path: Path, more: tuple[str, ...]
) -> None:
    brain.set_tag("base", brain.git("rev-parse", "HEAD"))
    brain.add_commit({**CLEAN, "graph/web.yaml": DANGLING}, SECOND_DAY)
    brain.git("checkout", "--quiet", "--force", "main")
    (tmp_path / "desk").mkdir()
    before = listing(brain.path)
    answer = warm().run(
        ("validate", "--brain", brain.path, *more),
        folder=tmp_path / "desk",
        environment=environment({LOG_VARIABLE: str(tmp_path / "log")}),
        prologue="tests.hostile.watching:watch",
    )

    assert answer.code == 1, answer.talk
    done = (tmp_path / "log").read_text().splitlines()
    assert [line for line in done if f"{SCRATCH_HOME}/.cache/kradle-ctx" not in line] == []
    assert bool(done) is (more == ("--since", "base"))
    assert listing(brain.path) == before
    assert list((tmp_path / "desk").iterdir()) == []


def test_no_text_of_a_brain_is_markup_or_a_control_character(validate: Here, brain: GitBuilder) -> None:
    record = graph_record("service:[red]x[/]", "[/bold]", title="[bold]", edges={"a[b]": ["[/x]"]})
    hidden = graph_record("service:x\x1b[31m", "Ser\x07vice", title="\x1b]8;;x", edges={"a\u202eb": ["service:\x9bx"]})
    brain.add_commit({**CLEAN, "graph/[red]a.yaml": f"{record}---\n{hidden}"}, SECOND_DAY)

    for form in FORMATS:
        answer = validate("--format", form)
        assert answer.code == 1
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", answer.text)
    text = validate("--format", "text").text
    assert "graph/[red]a.yaml:1:" in text and "[/x]" in text
