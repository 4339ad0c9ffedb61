"""Section A of the list of attacks, a Git repository that is hostile, at the command line."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from unicodedata import normalize

import pytest

from tests.hostile.attack import (
    CANARY,
    HOSTILE,
    SOUND,
    SOUND_PATH,
    WORD,
    Attack,
    HostileBrain,
    memory,
    served_paths,
    withheld,
)
from tests.hostile.git_around_cases import AROUND_CASES
from tests.hostile.git_cases import Case, Harmless, Refused, Withheld, configured, tip
from tests.hostile.git_objects_cases import OBJECT_CASES
from tests.hostile.git_refs_cases import REF_CASES
from tests.hostile.git_trees_cases import TREE_CASES

CASES = (*REF_CASES, *TREE_CASES, *OBJECT_CASES, *AROUND_CASES)

FIRST_CASES = tuple({case.number: case for case in reversed(CASES)}.values())

OTHER_COMMANDS = (("preview", "--query", WORD), ("query", "--query", WORD), ("read", SOUND_PATH))

NO_REFS = (
    *("-x", "@{-1}", "main@{0}", "main~1", "main^{tree}", "main:sound.md", "../heads/main", "refs//heads/main"),
    *("main.lock", "a b", "main\n", "\x1b[31m", "main\u200b", "\u202emain", "x" * 300),
)
"""A01: what libgit2 or Git would take for more than a name, or print; the unit test of the grammar has them all."""

NO_BRANCHES = ("MAIN", "mаin", "refs/heads", "config", "0" * 40)
"""Names that look like the branch, or are files of the repository."""

RUN = """apiVersion: kradle.a5c.ai/v1alpha1
kind: AgentDispatchRun
metadata: {name: run}
spec:
  organizationRef: acme
  memory: {queryText: ibis, %s}
"""

SOURCE = """apiVersion: kradle.a5c.ai/v1alpha1
kind: AgentMemorySource
metadata: {name: source}
spec:
  organizationRef: local
  include: {paths: [%s]}
  exclude: {paths: [%s], graphKinds: [%s]}
"""


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Attack:
    """A place for attacks that come from the command line alone, with one sound brain."""
    attack = Attack(tmp_path_factory.mktemp("calm"))
    attack.brain()
    return attack


@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_attack_is_refused_withheld_or_harmless_as_it_should_be(attack: Attack, case: Case) -> None:
    brain = attack.brain()
    asked = [word.replace("TIP", tip(brain)) for word in case.asked]
    case.make(brain, attack)
    answer = attack.assemble(brain.path, *asked, served=case.serves)
    assert not attack.mark.exists()
    match case.right:
        case Refused(code, words):
            assert answer.error["code"] == code
            assert words in answer.error["message"]
        case Withheld(listed):
            assert withheld(answer) == listed
            assert served_paths(answer) == [SOUND_PATH]
        case Harmless(served):
            assert sorted(served_paths(answer)) == sorted([SOUND_PATH, *served])
            assert "skipped" not in memory(answer)


@pytest.mark.parametrize("case", FIRST_CASES, ids=str)
def test_other_commands_meet_an_attack_as_assemble_does(attack: Attack, case: Case) -> None:
    brain = attack.brain()
    asked = [word.replace("TIP", tip(brain)) for word in case.asked]
    case.make(brain, attack)
    command = OTHER_COMMANDS[FIRST_CASES.index(case) % len(OTHER_COMMANDS)]
    answer = attack.run(*command, "--brain", brain.path, *asked, served=case.serves)
    if isinstance(case.right, Refused):
        assert f"[{case.right.code}]" in answer.talk
    else:
        assert answer.code == 0
    assert not attack.mark.exists()


@pytest.mark.parametrize(
    ("option", "name"), [*(("ref", name) for name in NO_REFS), ("snapshot", "../../heads/main"), ("snapshot", "")]
)
def test_a01_what_is_no_ref_name_is_refused_before_git_is_asked(calm: Attack, option: str, name: str) -> None:
    error = calm.refuse("resolve", "--brain", calm.folder / "brain1", f"--{option}={name}")
    assert error["code"] == "MEMORY_REF_UNRESOLVED"
    assert "is not accepted as a memory ref" in error["message"]
    assert error["message"].isprintable()


@pytest.mark.parametrize("name", NO_BRANCHES)
def test_a01_what_looks_like_a_branch_is_none(calm: Attack, name: str) -> None:
    error = calm.refuse("resolve", "--brain", calm.folder / "brain1", f"--ref={name}")
    assert error["code"] == "MEMORY_REF_UNRESOLVED"
    assert "is no branch, tag or commit" in error["message"]


def test_a01_a_name_that_is_not_utf_8_is_a_usage_error(calm: Attack) -> None:
    name = os.fsdecode(b"caf\xe9")
    assert calm.refuse("resolve", "--brain", calm.folder / "brain1", f"--ref={name}")["code"] == "USAGE"


@pytest.mark.parametrize("stated", [r'requestedRef: "main\0x"', r'snapshotTag: "a\0"'])
def test_a01_a_request_cannot_smuggle_nul_into_a_name(calm: Attack, stated: str) -> None:
    error = calm.refuse("resolve", "--brain", calm.folder / "brain1", "-f", "-", stdin=(RUN % stated).encode())
    assert error["code"] == "RESOURCE_INVALID"
    assert error["message"].startswith("stdin:6: spec.memory.")


def granted(attack: Attack, brain: HostileBrain, include: str, exclude: str, kinds: str = "") -> list[str]:
    """Paths that a query serves under a source that includes and excludes."""
    source = (SOURCE % (include, exclude, kinds)).encode()
    words = ("--org", "local", "--query", WORD, "--format", "json")
    answer = attack.run("assemble", "--brain", brain.path, "-f", "-", *words, stdin=source)
    assert withheld(answer) == {}
    return served_paths(answer)


def test_a13_a_twin_of_a_denied_path_or_kind_is_denied(attack: Attack) -> None:
    brain = attack.brain()
    decomposed = normalize("NFD", "büro")
    denied = ("hr/a.md", "HR/b.md", "Hr/deep/c.MD.md", "büro/a.md", f"{decomposed}/b.md", "BÜRO/c.md", "STRASSE.md")
    kind = f"nodeKind: CUSTOMER\nid: customer:a\nattributes: {{title: {WORD}, summary: {CANARY}}}\n"
    brain.hold(dict.fromkeys(denied, HOSTILE) | {"kinds.yaml": kind, "HR/broken.yaml": f"a: [{CANARY}"})
    assert granted(attack, brain, '"**"', f"hr/, {decomposed}/**, straße.md", "Customer") == [SOUND_PATH]


def test_a13_a_twin_of_an_allowed_path_is_not_allowed(attack: Attack) -> None:
    brain = attack.brain()
    brain.hold({"notes/a.md": SOUND, "Notes/b.md": HOSTILE, "NOTES/c.md": HOSTILE})
    assert granted(attack, brain, "notes/**", "none/**") == ["notes/a.md"]


def test_a13_a_path_that_is_selected_is_that_path_and_none_of_its_twins(attack: Attack) -> None:
    brain = attack.brain()
    texts = {"README.md": "one\n", "readme.md": "two\n", "é.md": "three\n", normalize("NFD", "é.md"): "four\n"}
    brain.hold(texts)
    for path, text in texts.items():
        assert attack.run("read", path, "--brain", brain.path).text == text
    assert attack.refuse("read", "Readme.md", "--brain", brain.path)["code"] == "MEMORY_ITEM_UNAVAILABLE"


def test_a29_a_repository_inside_a_work_tree_is_opened_only_where_it_is_named(attack: Attack) -> None:
    brain = attack.brain()
    inner = HostileBrain(brain.path / "inner", bare=True)
    inner.hold({"inner.md": HOSTILE})
    configured("[core]\n\tbare = false\n\tworktree = ..\n\tfsmonitor = PROGRAM\n")(inner, attack)
    (brain.path / "plain").mkdir()
    assert served_paths(attack.assemble(brain.path)) == [SOUND_PATH]
    assert set(served_paths(attack.assemble(inner.path, served=True))) == {"inner.md", SOUND_PATH}
    for place in (inner.path / "objects", brain.path / "plain"):
        assert attack.refuse("resolve", folder=place)["code"] == "MEMORY_REPOSITORY_UNAVAILABLE"
    assert not attack.mark.exists()


@contextmanager
def moving(ref: Path, commits: tuple[str, str]) -> Iterator[None]:
    """Move a branch to and fro as fast as can be."""
    stop = Event()

    def move() -> None:
        with ref.open("r+b", buffering=0) as stream:
            while not stop.wait(0.0005):
                for commit in commits:
                    os.pwrite(stream.fileno(), commit.encode(), 0)

    thread = Thread(target=move)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def test_a34_a_branch_that_moves_meanwhile_gives_one_commit_or_the_other_and_no_mixture(attack: Attack) -> None:
    brain = attack.brain()
    texts = ("old", "new")
    commits = [brain.hold({f"{number}.md": f"{WORD} {text}\n" for number in range(40)}) for text in texts]
    ref = brain.folder / "refs/heads/main"
    with moving(ref, (commits[0], commits[1])):
        answers = [memory(attack.assemble(brain.path, ignoring=(ref,))) for _ in range(3)]
    for answer in answers:
        told = texts[commits.index(answer["resolvedCommit"])]
        contents = {source["content"].split()[-1] for source in answer["sources"] if source["path"] != SOUND_PATH}
        assert contents == {told}
