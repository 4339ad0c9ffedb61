"""The harness itself: it sees each step, and strikes the one that it is told to."""

from __future__ import annotations

import errno
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases.command_line import environment
from tests.faults.conftest import BY_NAME
from tests.faults.harness import Command, Run, kernel_watches, run
from tests.faults.plan import DEATH, Fault
from tests.faults.scenario import Scenario, fail_each_step

EVERY_CALL = """
import fcntl, os
os.mkdir("folder")
file = os.open("a", os.O_RDWR | os.O_CREAT)
fcntl.flock(file, fcntl.LOCK_EX)
fcntl.lockf(file, fcntl.LOCK_UN)
os.write(file, b"1")
os.pwrite(file, b"2", 0)
os.writev(file, [b"3", b"4"])
os.pwritev(file, [b"5"], 0)
os.fsync(file)
os.fdatasync(file)
os.ftruncate(file, 2)
os.truncate("a", 1)
os.posix_fallocate(file, 0, 8)
os.fchmod(file, 0o600)
os.chmod("a", 0o600)
os.memfd_create("b")
other = os.open("f", os.O_RDWR | os.O_CREAT)
os.copy_file_range(file, other, 1)
os.sendfile(other, file, 0, 1)
os.rename("a", "b")
os.replace("b", "c")
os.link("c", "d")
os.symlink("c", "e")
os.unlink("d")
os.rmdir("folder")
os.fsync(os.open(".", os.O_RDONLY))
os.close(file)
os.close(other)
reading, writing = os.pipe()
os.write(writing, b"no disk")
os.close(os.open("c", os.O_RDONLY))
os.close(os.open("/dev/null", os.O_WRONLY))
print("done")
"""

STEPS_OF_EVERY_CALL = """
mkdir open lock lock write write write write fsync fsync truncate truncate allocate chmod chmod memfd_create open write
write rename rename link symlink unlink unlink fsync close close
"""

DATABASE = """
import sqlite3
database = sqlite3.connect("store.db")
with database:
    database.execute("create table items (name)")
print("done")
"""

needs_kernel = pytest.mark.usefixtures("kernel")


@pytest.fixture
def kernel() -> None:
    """Skip where the kernel's mechanism is missing."""
    if not kernel_watches():
        pytest.skip("this machine does not let a process watch another's system calls")


def python(folder: Path, script: str, fault: Fault | None = None, at: int = 0) -> Run:
    """Run a script in a Python process of its own."""
    command = Command(["-I", "-S", "-B", "-c", script], folder, environment(), program=sys.executable)
    return run(command, fault, at, mechanism="kernel")


@needs_kernel
def test_the_kernel_shows_every_call_that_writes_and_no_other(tmp_path: Path) -> None:
    seen = python(tmp_path, EVERY_CALL)
    assert seen.answer.text == "done\n", seen
    assert [step.operation for step in seen.steps] == STEPS_OF_EVERY_CALL.split()


@needs_kernel
def test_a_step_fails_with_its_error_or_kills_before_it_is_done(tmp_path: Path) -> None:
    script = "import os\nos.mkdir('a')\nos.mkdir('b')\nos.mkdir('c')\n"
    failed = python(tmp_path, script, Fault(errno.EDQUOT), 2)
    assert "Disk quota exceeded: 'b'" in failed.answer.talk
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    (tmp_path / "a").rmdir()
    killed = python(tmp_path, script, DEATH, 3)
    assert (killed.answer.code, killed.killed, killed.struck) == (-9, True, killed.steps[2])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


@needs_kernel
def test_a_full_disk_refuses_all_that_needs_space_and_lets_files_be_removed(tmp_path: Path) -> None:
    script = "import os\nfor call in (lambda: os.mkdir('a'), lambda: open('b', 'w'), lambda: os.unlink('c')):\n"
    script += "    try: print(call())\n    except OSError as error: print(error.strerror)\n"
    (tmp_path / "c").touch()
    full = python(tmp_path, script, Fault(errno.ENOSPC, lasting=True), 1)
    assert full.answer.text == "No space left on device\nNo space left on device\nNone\n"
    assert list(tmp_path.iterdir()) == []


@needs_kernel
def test_what_a_c_library_writes_is_seen_and_struck(tmp_path: Path) -> None:
    seen = python(tmp_path, DATABASE)
    assert seen.answer.text == "done\n"
    named = [f"{step.operation} {Path(step.target).name}" for step in seen.steps]
    for name in (
        "open store.db",
        "lock store.db",
        "write store.db-journal",
        "write store.db",
        "unlink store.db-journal",
    ):
        assert name in named
    at = 1 + named.index("write store.db")
    (tmp_path / "store.db").unlink()
    assert "OperationalError: disk I/O error" in python(tmp_path, DATABASE, Fault(errno.EIO), at).answer.talk
    killed = python(tmp_path, DATABASE, DEATH, at)
    assert killed.killed
    assert (tmp_path / "store.db-journal").exists()


@needs_kernel
def test_both_mechanisms_see_the_same_steps(scenario: Callable[..., Scenario]) -> None:
    asked = scenario("assemble", "--local-grant", "--query", "depot", "--records", "records", "-o", "bundle.yaml")
    found = []
    for mechanism in ("kernel", "wrapped"):
        asked.reset()
        seen = run(asked.command, mechanism=mechanism)
        assert seen.answer.code == 0
        found.append([step.operation for step in seen.steps])
    assert found[0] == found[1]
    assert len(found[0]) > 20


def test_the_mechanism_for_every_system_finds_the_same(scenario: Callable[..., Scenario]) -> None:
    clean = fail_each_step(scenario("assemble", *BY_NAME, "-o", "bundle.yaml", mechanism="wrapped"))
    operations = [step.operation for step in clean.steps]
    assert operations == ["open", "write", "fsync", "close", "chmod", "rename", "fsync"]


@needs_kernel
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_strace_sees_no_step_that_the_harness_misses(tmp_path: Path) -> None:
    listed = tmp_path / "trace"
    calls = "write,pwrite64,writev,openat,fsync,fdatasync,ftruncate,rename,unlink,unlinkat,mkdir,chmod,fchmod"
    command = [sys.executable, "-I", "-S", "-B", "-c", DATABASE]
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    traced = ["strace", "-f", "-y", "-e", f"trace={calls}", "-o", listed, *command]
    if subprocess.run(traced, cwd=tmp_path / "one", capture_output=True).returncode:
        pytest.skip("strace may not trace here")
    found = re.findall(r"^\d+ +(\w+)\((.*)\) = [^-]", listed.read_text(), re.MULTILINE)
    disk = [name for name, given in found if "store.db" in given and (name != "openat" or "O_CREAT" in given)]
    seen = [step for step in python(tmp_path / "other", DATABASE).steps if "store.db" in step.target]
    assert len(disk) == len([step for step in seen if step.operation not in ("lock", "close")])
    assert len(disk) >= 5
