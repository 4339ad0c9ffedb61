"""Files of a repository's folder are opened only where they are small, regular and its own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kradle_ctx.adapters.git_files import (
    MAX_SIDE_FILE,
    SIDE_FILES,
    UnsoundFile,
    holds_link,
    open_regular,
    require_sound,
    require_sound_files,
    side_file,
)


def test_a_regular_file_is_opened_and_nothing_else_is(tmp_path: Path) -> None:
    file, pipe, link = tmp_path / "file", tmp_path / "pipe", tmp_path / "link"
    file.write_bytes(b"content")
    os.mkfifo(pipe)
    link.symlink_to(file)
    with open_regular(file) as stream:
        assert stream.read() == b"content"
    for other in (pipe, link, tmp_path, tmp_path / "none"):
        with pytest.raises(OSError):
            open_regular(other)


def test_a_refused_file_leaves_no_descriptor_open(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    before = len(list(Path("/dev/fd").iterdir()))
    with pytest.raises(UnsoundFile):
        open_regular(tmp_path / "pipe")
    assert len(list(Path("/dev/fd").iterdir())) == before


def test_a_file_is_sound_when_it_is_absent_or_small_and_regular(tmp_path: Path) -> None:
    (tmp_path / "small").write_bytes(b"12345")
    (tmp_path / "dangling").symlink_to("nowhere")
    for name in ("small", "none", "small/below", "dangling", "."):
        require_sound(tmp_path / name, 5, name)
    with pytest.raises(UnsoundFile, match="that file is not a regular file of at most 4 bytes"):
        require_sound(tmp_path / "small", 4, "that file")


@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_what_would_block_or_never_end_is_not_sound(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "place"
    if kind == "pipe":
        os.mkfifo(place)
    else:
        place.symlink_to("/dev/zero")
    with pytest.raises(UnsoundFile):
        require_sound(place, 5, "place")


def test_a_link_is_sound_only_inside_the_folder(tmp_path: Path) -> None:
    own, other = tmp_path / "own", tmp_path / "other"
    for folder in (own, other):
        folder.mkdir()
        (folder / "file").write_text("x")
    (own / "inside").symlink_to("file")
    (own / "outside").symlink_to(other / "file")
    (own / "folder").symlink_to(other)
    require_sound(own / "inside", 5, "it", own)
    for name in ("outside", "folder/file"):
        with pytest.raises(UnsoundFile, match="it is a link that leads out of the repository"):
            require_sound(own / name, 5, "it", own)


@pytest.mark.parametrize("name", SIDE_FILES)
def test_each_file_that_libgit2_opens_is_looked_at(tmp_path: Path, name: str) -> None:
    require_sound_files(tmp_path)
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(tmp_path / name)
    with pytest.raises(UnsoundFile, match=name):
        require_sound_files(tmp_path)


def test_a_side_file_gives_its_lines_without_comments_and_blanks(tmp_path: Path) -> None:
    file = tmp_path / "file"
    assert side_file(file) == []
    file.write_bytes(b"# c\n\n one \r\ntwo\xe9\n")
    assert side_file(file) == ["one", "two\udce9"]
    os.truncate(file, MAX_SIDE_FILE + 1)
    with pytest.raises(UnsoundFile, match="too large"):
        side_file(file)


def test_a_folder_with_a_link_is_told_from_one_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert not holds_link(tmp_path)
    assert not holds_link(tmp_path / "none")
    (tmp_path / "link").symlink_to("nowhere")
    assert holds_link(tmp_path)
