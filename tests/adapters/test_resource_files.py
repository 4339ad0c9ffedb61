"""Reading resource files."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from kradle_ctx.adapters.resource_files import FILE_LIMIT, SIZE_LIMIT, discovered, read_resource_texts
from kradle_ctx.errors import ErrorCode, KradleError


def refusal(folder: Path, *paths: str) -> KradleError:
    """The error for what cannot be read."""
    with pytest.raises(KradleError) as caught:
        read_resource_texts(paths, folder)
    assert caught.value.code is ErrorCode.RESOURCE_INVALID
    assert caught.value.hint
    return caught.value


def write(folder: Path, **files: str | bytes) -> None:
    """Write files; `__` in a name is a folder border and `_` a dot."""
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def test_files_are_read_in_the_order_they_are_named(tmp_path: Path) -> None:
    write(tmp_path, b_yaml="b: 1\n", a_json="{}")
    assert read_resource_texts(["b.yaml", "a.json", "b.yaml"], tmp_path) == [
        ("b.yaml", "b: 1\n"),
        ("a.json", "{}"),
        ("b.yaml", "b: 1\n"),
    ]


def test_a_folder_gives_its_yaml_and_json_files_in_path_order(tmp_path: Path) -> None:
    write(tmp_path, r__b_yml="b", r__a_yaml="a", r__sub__c_json="c", r__x_txt="x", r__README="x", r__a_yaml_bak="x")
    (tmp_path / "r" / "folder.yaml").mkdir()
    assert read_resource_texts(["r"], tmp_path) == [("r/a.yaml", "a"), ("r/b.yml", "b"), ("r/sub/c.json", "c")]


def test_an_empty_folder_gives_nothing(tmp_path: Path) -> None:
    assert read_resource_texts([str(tmp_path)], Path("/")) == []


def test_absolute_paths_stay_as_they_are_named(tmp_path: Path) -> None:
    write(tmp_path, a_yaml="a", r__b_yaml="b")
    other = tmp_path / "other"
    other.mkdir()
    named, below = str(tmp_path / "a.yaml"), str(tmp_path / "r")
    assert read_resource_texts([named, below], other) == [(named, "a"), (f"{below}/b.yaml", "b")]


def test_a_named_file_may_have_any_suffix(tmp_path: Path) -> None:
    write(tmp_path, request="a: 1\n")
    assert read_resource_texts(["request"], tmp_path) == [("request", "a: 1\n")]


@pytest.mark.parametrize(
    ("data", "text"),
    [(b"\xef\xbb\xbfa: 1\n", "a: 1\n"), ("a: é 日\r\n".encode(), "a: é 日\r\n"), (b"", "")],
)
def test_texts_are_utf_8_without_a_byte_order_mark(tmp_path: Path, data: bytes, text: str) -> None:
    write(tmp_path, a_yaml=data)
    assert read_resource_texts(["a.yaml"], tmp_path) == [("a.yaml", text)]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"caf\xe9", "not UTF-8"),
        (b"\xff", "not UTF-8"),
        ("a: 1\n".encode("utf-16"), "UTF-16, not UTF-8"),
        ("a: 1\n".encode("utf-16-be"), "UTF-16, not UTF-8"),
        (b"a: 1\n# \0\n", "binary"),
    ],
)
def test_what_is_not_utf_8_is_refused_by_name(tmp_path: Path, data: bytes, reason: str) -> None:
    write(tmp_path, r__a_yaml=data)
    assert refusal(tmp_path, "r").message == f"r/a.yaml: {reason}"


def test_a_file_over_the_limit_is_refused_and_one_at_the_limit_is_read(tmp_path: Path) -> None:
    write(tmp_path, a_yaml=b"x" * SIZE_LIMIT, b_yaml=b"x" * (SIZE_LIMIT + 1))
    assert len(read_resource_texts(["a.yaml"], tmp_path)[0][1]) == SIZE_LIMIT
    assert "larger than" in refusal(tmp_path, "b.yaml").message


def test_an_endless_device_and_a_fifo_are_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo.yaml")
    assert "not a regular file" in refusal(tmp_path, "fifo.yaml").message
    assert "not a regular file" in refusal(tmp_path, "/dev/zero").message
    assert read_resource_texts(["."], tmp_path) == []


def test_what_is_absent_or_leads_nowhere_is_refused(tmp_path: Path) -> None:
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    (tmp_path / "nowhere.yaml").symlink_to("absent")
    for name in ("absent.yaml", "loop.yaml", "nowhere.yaml"):
        assert refusal(tmp_path, name).message.startswith(f"{name}: ")


def test_a_folder_of_too_many_files_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    folder.mkdir()
    for number in range(FILE_LIMIT + 1):
        (folder / f"{number}.yaml").touch()
    assert str(FILE_LIMIT) in refusal(tmp_path, "r").message
    (folder / "0.yaml").unlink()
    assert len(read_resource_texts(["r"], tmp_path)) == FILE_LIMIT


def standard_input(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Let stdin hold these bytes."""
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))


def test_a_dash_is_stdin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    standard_input(monkeypatch, b"\xef\xbb\xbfa: 1\n")
    assert read_resource_texts(["-"], tmp_path) == [("stdin", "a: 1\n")]


@pytest.mark.parametrize(("data", "reason"), [(b"\xff", "not UTF-8"), (b"x" * (SIZE_LIMIT + 1), "larger than")])
def test_stdin_is_held_to_the_same_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes, reason: str
) -> None:
    standard_input(monkeypatch, data)
    assert refusal(tmp_path, "-").message.startswith(f"stdin: {reason}")


def test_the_folder_of_resources_is_discovered_only_where_it_is_a_folder(tmp_path: Path) -> None:
    assert discovered(tmp_path) is None
    (tmp_path / ".kradle").mkdir()
    assert discovered(tmp_path) == str(tmp_path / ".kradle")
    (tmp_path / "sub").mkdir()
    assert discovered(tmp_path / "sub") is None


def test_a_broken_link_or_a_file_named_like_the_folder_is_refused_and_not_taken_for_absent(tmp_path: Path) -> None:
    assert discovered(tmp_path) is None
    place = tmp_path / ".kradle"
    place.symlink_to(tmp_path / "gone")
    with pytest.raises(KradleError, match="neither a folder"):
        discovered(tmp_path)
    place.unlink()
    place.write_text("x")
    with pytest.raises(KradleError, match="neither a folder"):
        discovered(tmp_path)
