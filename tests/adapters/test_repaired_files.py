"""Repaired files of a work tree: as if they lay there, and written there."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from kradle_ctx.adapters.repaired_files import RepairedSnapshot, blobs_of, replace_in_work_tree
from kradle_ctx.adapters.work_tree import WorkTreeSnapshot, blob_id
from kradle_ctx.errors import ErrorCode, KradleError

OLD, NEW = b"old\n", b"new and longer\n"


@pytest.fixture
def brain(tmp_path: Path) -> Path:
    """A folder of three files."""
    for path in ("brain/graph/a.yaml", "brain/graph/b.yaml", "c.md"):
        (tmp_path / "tree" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / path).write_bytes(OLD if path != "c.md" else b"# C\n")
    return tmp_path / "tree"


def refused(folder: Path, path: str, code: ErrorCode = ErrorCode.OUTPUT_UNWRITABLE) -> None:
    """A file is not written, and the error says why."""
    with pytest.raises(KradleError) as caught:
        replace_in_work_tree(folder, path, blob_id(OLD), NEW)
    assert caught.value.code is code


def test_repaired_files_are_seen_in_the_place_of_their_own(brain: Path) -> None:
    work_tree = WorkTreeSnapshot(brain)
    seen = RepairedSnapshot(work_tree, {"brain/graph/a.yaml": NEW})
    files = {file.path: file for file in seen.listing("brain").files}
    assert [*files] == ["graph/a.yaml", "graph/b.yaml"]
    assert (files["graph/a.yaml"].blob, files["graph/a.yaml"].size) == (blob_id(NEW), len(NEW))
    assert (files["graph/b.yaml"].blob, files["graph/b.yaml"].size) == (blob_id(OLD), len(OLD))
    assert [seen.read(file.blob) for file in files.values()] == [NEW, OLD]
    assert seen.entries("brain/graph") == {"a.yaml": f"100644 {blob_id(NEW)}", "b.yaml": f"100644 {blob_id(OLD)}"}
    assert seen.tree("brain") != RepairedSnapshot(work_tree, {}).tree("brain")
    assert (seen.has_folder("brain"), seen.has_folder("nowhere")) == (True, False)


def test_a_repaired_state_is_the_state_that_writing_gives(brain: Path) -> None:
    seen = RepairedSnapshot(WorkTreeSnapshot(brain), {"brain/graph/a.yaml": NEW})
    told = [(file.path, file.blob, file.size) for file in seen.listing("").files]
    replace_in_work_tree(brain, "brain/graph/a.yaml", blob_id(OLD), NEW)
    assert told == [(file.path, file.blob, file.size) for file in WorkTreeSnapshot(brain).listing("").files]


@pytest.mark.parametrize("mode", [0o644, 0o600, 0o755, 0o664])
def test_a_file_is_written_with_its_mode(brain: Path, mode: int) -> None:
    file = brain / "brain/graph/a.yaml"
    file.chmod(mode)
    replace_in_work_tree(brain, "brain/graph/a.yaml", blob_id(OLD), NEW)
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (NEW, mode)
    assert sorted(each.name for each in file.parent.iterdir()) == ["a.yaml", "b.yaml"]


def test_another_name_of_a_file_keeps_the_old_content(brain: Path) -> None:
    os.link(brain / "brain/graph/a.yaml", brain.parent / "elsewhere")
    replace_in_work_tree(brain, "brain/graph/a.yaml", blob_id(OLD), NEW)
    assert (brain.parent / "elsewhere").read_bytes() == OLD


def test_no_link_is_followed(brain: Path) -> None:
    outside = brain.parent / "outside"
    outside.mkdir()
    (outside / "a.yaml").write_bytes(OLD)
    (brain / "link.yaml").symlink_to(outside / "a.yaml")
    (brain / "folder").symlink_to(outside)
    (brain / "inner").symlink_to(brain / "brain")
    refused(brain, "link.yaml", ErrorCode.MEMORY_OBJECT_MISSING)
    refused(brain, "folder/a.yaml")
    refused(brain, "inner/graph/a.yaml")
    assert (outside / "a.yaml").read_bytes() == OLD
    assert (brain / "link.yaml").is_symlink()


def test_nothing_outside_and_nothing_of_git_is_written(brain: Path) -> None:
    for path in (".git/config", "brain/.GIT/config"):
        (brain / path).parent.mkdir(parents=True, exist_ok=True)
        (brain / path).write_bytes(OLD)
    (brain.parent / "x").write_bytes(OLD)
    for path in ("../x", "brain/../../x", ".git/config", "brain/.GIT/config", str(brain.parent / "x"), "brain//x"):
        refused(brain, path)
    assert (brain.parent / "x").read_bytes() == (brain / ".git/config").read_bytes() == OLD


def test_a_file_that_changed_or_went_since_it_was_read_stays(brain: Path) -> None:
    (brain / "brain/graph/a.yaml").write_bytes(b"mine\n")
    (brain / "brain/graph/b.yaml").unlink()
    refused(brain, "brain/graph/a.yaml", ErrorCode.MEMORY_OBJECT_MISSING)
    refused(brain, "brain/graph/b.yaml", ErrorCode.MEMORY_OBJECT_MISSING)
    assert (brain / "brain/graph/a.yaml").read_bytes() == b"mine\n"
    assert not (brain / "brain/graph/b.yaml").exists()


def test_git_may_store_a_file_with_other_line_breaks(brain: Path) -> None:
    (brain / "c.md").write_bytes(b"# C\r\n")
    assert blobs_of(brain, "c.md") == {blob_id(b"# C\r\n"), blob_id(b"# C\n")}
    assert blobs_of(brain, "nothing.md") == frozenset()
