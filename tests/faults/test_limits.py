"""Limits of the machine: the size of files, the number of open ones, and a disk that fills up."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cases.command_line import COMMAND, environment
from tests.faults.conftest import BY_NAME
from tests.faults.scenario import Scenario

OLD = b"old and whole\n"
TALK = re.compile(r"error: [^\n]+ \[[A-Z_]+\]\nhint: [^\n]+\n")

FEWEST, ENOUGH = 4, 14
"""Descriptors: those of the streams and one more, and as many as a command needs."""


def limited(scenario: Scenario, name: str, most: int) -> tuple[int, str, dict[str, bytes]]:
    """Run a command under a limit; its exit code, what it said and the files."""
    scenario.reset()
    answer = replace(scenario, command=replace(scenario.command, limits={name: most})).unwatched()
    return answer.code, answer.talk, scenario.files()


@pytest.mark.parametrize(
    "options", [("--local-grant", "--query", "depot", "--quiet"), BY_NAME], ids=["with a search", "without"]
)
def test_a_limit_on_the_size_of_files_leaves_the_old_bundle(
    scenario: Callable[..., Scenario], options: tuple[str, ...]
) -> None:
    asked = scenario("assemble", *options, "-o", "bundle.yaml", old={"bundle.yaml": OLD})
    code, talk, new = limited(asked, "RLIMIT_FSIZE", 1 << 20)
    assert (code, talk) == (0, "")
    assert len(new["bundle.yaml"]) > 2_000
    for most in (0, 200, 2_000, len(new["bundle.yaml"]) - 1):
        code, talk, files = limited(asked, "RLIMIT_FSIZE", most)
        assert (code, files) == (3, asked.old)
        assert TALK.fullmatch(talk) or len(talk) == most
    assert limited(asked, "RLIMIT_FSIZE", len(new["bundle.yaml"])) == (0, "", new)


def test_too_few_descriptors_are_a_refusal_and_no_bug(scenario: Callable[..., Scenario]) -> None:
    asked = scenario("assemble", "--local-grant", "--query", "notes/a.md", "--quiet", "-o", "bundle.yaml")
    codes = []
    for most in range(FEWEST, ENOUGH):
        code, talk, files = limited(asked, "RLIMIT_NOFILE", most)
        codes.append(code)
        assert code in (0, 3), talk
        assert TALK.fullmatch(talk) if code else talk == ""
        assert list(files) == ([] if code else ["bundle.yaml"])
    assert codes == sorted(codes, reverse=True)
    assert (codes[0], codes[-1]) == (3, 0)


SMALL_DISK = """
mount -t tmpfs -o size=8k,nr_inodes=8 tmpfs "$1" || exit 99
printf 'old and whole\\n' > "$1/bundle.yaml"
shift 1
"$@"
code=$?
ls -A "$disk"
cat "$disk/bundle.yaml"
exit $code
"""


@pytest.mark.skipif(shutil.which("unshare") is None, reason="unshare is not installed")
def test_f01_a_disk_that_fills_up_keeps_the_old_bundle(brain: Path, tmp_path: Path) -> None:
    """On a file system of 8 kB, where the old file has a page and the new one needs more than there is."""
    disk = tmp_path / "disk"
    disk.mkdir()
    asked = (*COMMAND, "assemble", "--brain", str(brain), *BY_NAME, "-o", str(disk / "bundle.yaml"))
    padding = ("--prompt", "x" * 6_000)
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", SMALL_DISK, "sh", disk, *asked, *padding],
        env={**environment(), "disk": str(disk)},
        capture_output=True,
    )
    if done.returncode == 99 or b"unshare" in done.stderr:
        pytest.skip("this machine lets nobody mount a disk of their own")
    assert (done.returncode, done.stdout.decode()) == (3, f"bundle.yaml\n{OLD.decode()}")
    assert TALK.fullmatch(done.stderr.decode())
    assert "No space left on device" in done.stderr.decode()
