"""Files written whole or not at all."""

from __future__ import annotations

import errno
import os
import resource
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kradle_ctx.adapters import atomic_output
from kradle_ctx.adapters.atomic_output import AtomicOutput
from kradle_ctx.errors import ErrorCode, KradleError

OLD, NEW = b"old and whole\n", b"new and whole\n" * 1_000


def refusal(target: Path, data: bytes = NEW) -> KradleError:
    """The error for a target that cannot be written."""
    with pytest.raises(KradleError) as caught:
        AtomicOutput().write(target, data)
    assert caught.value.code is ErrorCode.OUTPUT_UNWRITABLE
    assert str(target) in caught.value.message
    return caught.value


def mode(path: Path) -> int:
    """The permission bits of a file."""
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_is_written_whole_and_for_its_owner_alone(tmp_path: Path) -> None:
    target = tmp_path / "bundle.yaml"
    AtomicOutput().write(target, NEW)
    assert target.read_bytes() == NEW
    assert mode(target) == 0o600
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
def test_the_mode_does_not_depend_on_the_umask_or_on_the_old_file(tmp_path: Path, umask: int) -> None:
    target = tmp_path / "bundle.yaml"
    target.write_bytes(OLD)
    target.chmod(0o666)
    before = os.umask(umask)
    try:
        AtomicOutput().write(target, NEW)
    finally:
        os.umask(before)
    assert (target.read_bytes(), mode(target)) == (NEW, 0o600)


def test_an_empty_file_can_be_written(tmp_path: Path) -> None:
    target = tmp_path / "bundle.yaml"
    target.write_bytes(OLD)
    AtomicOutput().write(target, b"")
    assert target.read_bytes() == b""


def test_a_reader_of_the_old_file_keeps_it(tmp_path: Path) -> None:
    target = tmp_path / "bundle.yaml"
    target.write_bytes(OLD)
    with target.open("rb") as reader:
        AtomicOutput().write(target, NEW)
        assert reader.read() == OLD


STEPS = {
    "making the temporary file": ("tempfile.mkstemp", OSError),
    "opening it": ("os.fdopen", OSError),
    "syncing it": ("os.fsync", OSError),
    "setting its mode": ("Path.chmod", OSError),
    "renaming it": ("Path.replace", OSError),
    "an interrupt while syncing": ("os.fsync", KeyboardInterrupt),
    "an interrupt before the rename": ("Path.replace", KeyboardInterrupt),
}


@pytest.mark.parametrize("step", list(STEPS))
@pytest.mark.parametrize("existing", [True, False])
def test_a_write_that_fails_at_any_step_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, existing: bool
) -> None:
    target = tmp_path / "bundle.yaml"
    if existing:
        target.write_bytes(OLD)
    place, kind = STEPS[step]

    def fail(*arguments: object, **named: object) -> None:
        if place == "os.fdopen":
            os.close(arguments[0])  # type: ignore[arg-type]
        raise kind(errno.ENOSPC, os.strerror(errno.ENOSPC))

    owner, name = place.split(".")
    monkeypatch.setattr(getattr(atomic_output, owner), name, fail)
    with pytest.raises((KradleError, KeyboardInterrupt)) as caught:
        AtomicOutput().write(target, NEW)
    monkeypatch.undo()
    assert [path.name for path in tmp_path.iterdir()] == (["bundle.yaml"] if existing else [])
    assert not existing or target.read_bytes() == OLD
    if kind is OSError:
        assert isinstance(caught.value, KradleError)
        assert caught.value.code is ErrorCode.OUTPUT_UNWRITABLE
        assert os.strerror(errno.ENOSPC) in caught.value.message


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """A limit on the size of files, as a full disk or a quota sets one; Python ignores the signal."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_disk_that_is_full_halfway_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    target = tmp_path / "bundle.yaml"
    target.write_bytes(OLD)
    with largest_file(4_096), pytest.raises(KradleError) as caught:
        AtomicOutput().write(target, b"x" * 1_000_000)
    assert caught.value.code is ErrorCode.OUTPUT_UNWRITABLE
    assert (target.read_bytes(), list(tmp_path.iterdir())) == (OLD, [target])


def test_a_folder_that_cannot_be_synced_takes_nothing_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.open

    def refuse_folders(path: str | Path, *arguments: int) -> int:
        if Path(path).is_dir():
            raise OSError(errno.EINVAL, "no")
        return real(path, *arguments)

    monkeypatch.setattr(os, "open", refuse_folders)
    target = tmp_path / "bundle.yaml"
    AtomicOutput().write(target, NEW)
    assert target.read_bytes() == NEW


@pytest.mark.parametrize("to", ["file", "nowhere", "folder"])
def test_a_symlink_is_neither_followed_nor_replaced(tmp_path: Path, to: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    if to == "file":
        elsewhere.write_bytes(OLD)
    if to == "folder":
        elsewhere.mkdir()
    target = tmp_path / "bundle.yaml"
    target.symlink_to(elsewhere)
    assert "not a regular file" in refusal(target).message
    assert target.is_symlink()
    assert to != "file" or elsewhere.read_bytes() == OLD
    assert to == "nowhere" or elsewhere.exists()


def test_a_folder_behind_a_symlink_can_hold_the_file(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    AtomicOutput().write(tmp_path / "link" / "bundle.yaml", NEW)
    assert (tmp_path / "real" / "bundle.yaml").read_bytes() == NEW


def test_a_folder_a_fifo_and_an_absent_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    assert "not a regular file" in refusal(tmp_path / "folder").message
    assert "not a regular file" in refusal(tmp_path / "fifo").message
    assert refusal(tmp_path / "absent" / "bundle.yaml").hint
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fifo", "folder"]


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(OLD)
    refusal(tmp_path / "file" / "bundle.yaml")
    assert (tmp_path / "file").read_bytes() == OLD


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to root")
def test_a_folder_that_is_closed_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    refusal(tmp_path / "bundle.yaml")


def test_a_device_is_written_through() -> None:
    AtomicOutput().write(Path("/dev/null"), NEW)
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_the_streams_of_the_process_are_written_through(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    for name in ("/dev/stdout", "/dev/fd/1"):
        AtomicOutput().write(Path(name), b"to " + name.encode() + b"\n")
    AtomicOutput().write(Path("/dev/stderr"), b"aside\n")
    captured = capfdbinary.readouterr()
    assert (captured.out, captured.err) == (b"to /dev/stdout\nto /dev/fd/1\n", b"aside\n")


@pytest.mark.parametrize("name", ["b" * 255, "é" * 127, "日" * 85, "😀" * 63, ".hidden", "a b\n$x"], ids=ascii)
def test_any_name_that_the_system_takes_can_be_written(tmp_path: Path, name: str) -> None:
    AtomicOutput().write(tmp_path / name, NEW)
    assert (tmp_path / name).read_bytes() == NEW
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["/dev/fd/999", "/dev/fd/x", "/dev/fd/"])
def test_a_stream_that_is_not_open_is_refused(name: str) -> None:
    refusal(Path(name))


def test_two_writers_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    target = tmp_path / "bundle.yaml"
    texts = [bytes([letter]) * 50_000 for letter in b"abcd"]

    def write_often(text: bytes) -> None:
        for _ in range(5):
            AtomicOutput().write(target, text)

    threads = [threading.Thread(target=write_often, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert target.read_bytes() in texts
    assert list(tmp_path.iterdir()) == [target]
