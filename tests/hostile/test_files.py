"""Section F of the hostile cases: odd targets and folders, an odd clock and environment, and nothing left on the disk.

Full disks, kills and runs at once, F01 to F03, are in `tests/faults`, too.
"""

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.cases.command_line import COMMAND, environment
from tests.command_server import Answer, warm
from tests.conftest import GitBuilder
from tests.faults.harness import Command, kernel_watches, run

CANARY = "ultramarine albatross"

BY_NAME = ("--local-grant", "--mode", "document-read", "--select", "notes/a.md", "--quiet")

ASKED = ("--local-grant", "--query", CANARY, "--quiet")

EVERY_COMMAND = {
    "assemble": ("assemble", *ASKED),
    "preview": ("preview", *ASKED),
    "query": ("query", *ASKED),
    "read": ("read", "--local-grant", "notes/a.md"),
    "resolve": ("resolve",),
}

OLD = b"old and whole\n"

Ask = Callable[..., Answer]


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A brain whose only note holds the canary."""
    built = GitBuilder(tmp_path_factory.mktemp("files") / "brain")
    built.add_commit({"notes/a.md": f"# Birds\n\nAn {CANARY} sat on the depot.\n"}, "2026-05-01T00:00:00Z")
    return built.path


@pytest.fixture(scope="module")
def found(brain: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bundle that a search gives."""
    folder = tmp_path_factory.mktemp("usual")
    answer = warm().run(["assemble", "--brain", brain, *ASKED], folder=folder, environment=environment())
    assert answer.code == 0
    return answer.stdout


@pytest.fixture
def ask(brain: Path, tmp_path: Path) -> Ask:
    """Asks for a bundle from the folder `desk`."""
    (tmp_path / "desk").mkdir()

    def asked(*options: str | Path, changes: Mapping[str, str] | None = None, prologue: str | None = None) -> Answer:
        arguments = ("assemble", "--brain", brain, *BY_NAME, *options)
        return warm().run(arguments, folder=tmp_path / "desk", environment=environment(changes), prologue=prologue)

    return asked


def refused(answer: Answer, name: str) -> None:
    """The run says in one line that it cannot write something, and ends with 3."""
    error, hint = answer.talk.splitlines()
    assert error.startswith(f"error: cannot write {name}")
    assert error.endswith(" [OUTPUT_UNWRITABLE]")
    assert hint.startswith("hint: ")
    assert (answer.code, answer.stdout) == (3, b"")


def fresh(folder: Path, brain: Path, changes: Mapping[str, str | None], *, shell: str = "") -> Answer:
    """Ask in a process of its own, with variables changed or unset."""
    values = {**environment(), **changes}
    done = subprocess.run(
        ["sh", "-c", f'{shell} exec "$@"', "sh", *COMMAND, "assemble", "--brain", str(brain), *ASKED],
        cwd=folder,
        env={name: value for name, value in values.items() if value is not None},
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=30,
    )
    return Answer(done.returncode, done.stdout, done.stderr)


def test_f01_a_device_that_is_full_is_refused(ask: Ask) -> None:
    refused(ask("-o", "/dev/full"), "/dev/full: No space left on device")


@pytest.fixture(params=["symlink", "dangling symlink", "folder", "FIFO", "socket"])
def odd_target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A target that is no regular file."""
    target, other = tmp_path / "target", tmp_path / "other"
    if "symlink" in request.param:
        target.symlink_to(other)
        if request.param == "symlink":
            other.write_bytes(OLD)
        yield target
        assert not other.exists() or other.read_bytes() == OLD
    elif request.param == "folder":
        target.mkdir()
        yield target
        assert list(target.iterdir()) == []
    elif request.param == "FIFO":
        os.mkfifo(target)
        yield target
    else:
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(target))
            yield target


def test_f05_a_target_that_is_no_regular_file_is_refused_and_kept(ask: Ask, odd_target: Path) -> None:
    before = odd_target.lstat()
    refused(ask("-o", odd_target), f"{odd_target}: not a regular file")
    assert odd_target.lstat().st_ino == before.st_ino
    assert stat.S_IFMT(odd_target.lstat().st_mode) == stat.S_IFMT(before.st_mode)


def test_f05_an_odd_target_of_a_record_is_refused_and_kept(ask: Ask, tmp_path: Path) -> None:
    assert ask("--records", "records").code == 0
    for record in (tmp_path / "desk" / "records").iterdir():
        record.unlink()
        record.symlink_to(tmp_path / "other")
    answer = ask("--records", "records")
    refused(answer, "records/")
    assert not (tmp_path / "other").exists()
    (tmp_path / "desk" / "file").write_bytes(OLD)
    refused(ask("--records", "file"), "file: File exists")
    assert (tmp_path / "desk" / "file").read_bytes() == OLD


def test_f05_a_device_is_written_through_and_a_regular_file_is_replaced(ask: Ask, tmp_path: Path) -> None:
    usual = ask()
    target = tmp_path / "desk" / "bundle.yaml"
    target.write_bytes(OLD)
    target.chmod(0o644)
    linked = tmp_path / "linked"
    linked.hardlink_to(target)
    assert ask("-o", target).code == 0
    assert (target.read_bytes(), stat.S_IMODE(target.stat().st_mode)) == (usual.stdout, 0o600)
    assert linked.read_bytes() == OLD
    assert ask("-o", "/dev/stdout").stdout == usual.stdout
    assert (ask("-o", "/dev/null").code, stat.S_ISCHR(Path("/dev/null").stat().st_mode)) == (0, True)


@pytest.mark.parametrize("target", ["", "/", "absent/bundle.yaml", "x/" * 2_500], ids=len)
def test_f09_a_target_that_cannot_be_is_refused(ask: Ask, tmp_path: Path, target: str) -> None:
    refused(ask("-o", target), "")
    assert list((tmp_path / "desk").iterdir()) == []


def test_f09_a_path_of_5000_characters_is_refused_wherever_it_stands(ask: Ask, tmp_path: Path) -> None:
    endless = "x" * 5_000
    refused(ask("--records", endless), endless)
    for option in ("--brain", "--resources"):
        answer = ask(option, endless)
        assert answer.code in (2, 3), answer.talk
        assert len(answer.talk.splitlines()) == 2
    assert list((tmp_path / "desk").iterdir()) == []


def test_f09_a_working_folder_that_is_gone_is_said_in_one_line(ask: Ask) -> None:
    answer = ask(prologue="tests.faults.prologues:remove_working_folder")
    assert (answer.code, answer.stdout) == (2, b"")
    assert answer.talk.startswith("error: the working folder does not exist any more [USAGE]\nhint: ")


@pytest.mark.parametrize(
    "changes",
    [
        {"HOME": None, "TMPDIR": "/nowhere at all", "XDG_CACHE_HOME": "/proc", "XDG_CONFIG_HOME": "/nowhere at all"},
        {"HOME": "/", "TMPDIR": "/proc", "XDG_CACHE_HOME": "", "USER": None, "LOGNAME": None},
    ],
    ids=["no home", "the root for a home"],
)
def test_f09_neither_a_home_nor_a_temporary_folder_is_needed(
    found: bytes, brain: Path, tmp_path: Path, changes: dict[str, str | None]
) -> None:
    answer = fresh(tmp_path, brain, changes)
    assert (answer.code, answer.stdout, answer.talk) == (0, found, "")


READ_ONLY = """
mount --bind "$disk" "$disk" && mount -o remount,bind,ro "$disk" || exit 99
cd "$disk"
"""


def test_f09_on_a_read_only_disk_stdout_works_and_a_file_is_refused(found: bytes, brain: Path, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    asked = (*COMMAND, "assemble", "--brain", brain, *ASKED)
    script = f'{READ_ONLY}\n"$@" && "$@" -o bundle.yaml'
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", *asked],
        env={**environment(), "disk": str(disk), "TMPDIR": str(disk)},
        capture_output=True,
    )
    if done.returncode == 99 or b"unshare" in done.stderr:
        pytest.skip("this machine lets nobody mount a disk of their own")
    assert done.stdout == found
    refused(Answer(done.returncode, b"", done.stderr), "bundle.yaml: Read-only file system")


def bundle_but_for_its_time(answer: Answer) -> str:
    """A bundle without the instant at which its ref was resolved."""
    bundle = answer.bundle
    del bundle["spec"]["memory"]["refResolution"]["resolvedAt"]
    return json.dumps(bundle)


def test_f10_the_clock_shows_in_one_field_and_nowhere_else(ask: Ask) -> None:
    usual = ask()
    assert usual.bundle["spec"]["memory"]["refResolution"]["resolvedAt"] == "2026-05-15T12:00:00Z"
    for epoch in ("0", "4294967296"):
        answer = ask(changes={"SOURCE_DATE_EPOCH": epoch})
        assert bundle_but_for_its_time(answer) == bundle_but_for_its_time(usual)
        assert answer.stdout != usual.stdout
    for epoch in ("", "now", "253402300800"):
        answer = ask(changes={"SOURCE_DATE_EPOCH": epoch})
        assert (answer.code, answer.stdout) == (2, b"")
        assert answer.talk.startswith("error: SOURCE_DATE_EPOCH is not a number of seconds [USAGE]\n")


@pytest.mark.parametrize(
    "changes",
    [
        {"LC_ALL": "tr_TR.UTF-8", "PYTHONHASHSEED": "0", "TZ": "Asia/Kathmandu", "PYTHONWARNINGS": "error"},
        {
            "PYTHONHASHSEED": "20",
            "PYTHONOPTIMIZE": "2",
            "PYTHONUTF8": "0",
            "LC_ALL": "C",
            "GIT_DIR": "/nowhere",
            "GIT_WORK_TREE": "/nowhere",
            "GIT_OBJECT_DIRECTORY": "/nowhere",
            "GIT_INDEX_FILE": "/nowhere",
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "core.worktree",
            "GIT_CONFIG_VALUE_0": "/etc",
        },
    ],
    ids=["locale, warnings", "hook variables"],
)
def test_f11_the_environment_changes_no_byte(
    found: bytes, brain: Path, tmp_path: Path, changes: dict[str, str]
) -> None:
    answer = fresh(tmp_path, brain, changes, shell="umask 0;")
    assert (answer.code, answer.stdout, answer.talk) == (0, found, "")


def inside(places: Mapping[str, Path]) -> list[Path]:
    """Everything in some folders."""
    return [path for place in places.values() for path in place.rglob("*")]


def test_f07_nothing_is_left_in_any_folder_and_a_report_holds_no_content(brain: Path, tmp_path: Path) -> None:
    """There is nothing on the disk but the output, the index in the cache folder, and the report of a bug."""
    places = {name: tmp_path / name.lower() for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_STATE_HOME", "desk")}
    for place in places.values():
        place.mkdir()
    changes = {name: str(place) for name, place in places.items() if name.isupper()}
    for arguments in EVERY_COMMAND.values():
        answer = warm().run([*arguments, "--brain", brain], folder=places["desk"], environment=environment(changes))
        assert answer.code == 0
        assert CANARY in answer.text or arguments == ("resolve",)
    kept = [path for path in inside(places) if path.is_relative_to(places["XDG_CACHE_HOME"] / "kradle-ctx")]
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept} == {0o600, 0o700}
    raw = [path.name for path in kept if path.is_file() and CANARY.encode() in path.read_bytes()]
    assert raw and set(raw) <= {"index.sqlite", "text.log"}
    assert set(inside(places)) == set(kept)
    answer = warm().run(
        ["assemble", "--brain", brain, *ASKED],
        folder=places["desk"],
        environment=environment(changes),
        prologue="tests.faults.prologues:break_assembly",
    )
    (report,) = set(inside(places)) - set(kept)
    assert (answer.code, report.parent, stat.S_IMODE(report.stat().st_mode)) == (70, places["TMPDIR"], 0o600)
    assert CANARY not in report.read_text()


@pytest.mark.parametrize("command", EVERY_COMMAND)
def test_f07_no_file_is_even_opened_for_writing_but_the_output(brain: Path, tmp_path: Path, command: str) -> None:
    if not kernel_watches():
        pytest.skip("this machine does not let a process watch another's system calls")
    output = ("-o", "bundle.yaml") if command == "assemble" else ()
    aside = () if command == "resolve" else ("--no-index",)
    seen = run(Command([*EVERY_COMMAND[command], "--brain", brain, *aside, *output], tmp_path, environment()))
    assert seen.answer.code == 0
    touched = {Path(step.target).name for step in seen.steps if step.operation not in ("write", "fsync", "close")}
    text_to_search = {"kradle-ctx-corpus"} if ASKED[1] in EVERY_COMMAND[command] else set()
    temporary = {name for name in touched if name.startswith(".bundle.yaml.") and name.endswith(".tmp")}
    assert touched - text_to_search == ({"bundle.yaml", *temporary} if output else set())
    assert len(temporary) == len(output) // 2
