"""A work tree as a snapshot: it shows what a commit of all its files would hold."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kradle_ctx.adapters.git_repository import open_repository
from kradle_ctx.adapters.git_tree import TreeLimits
from kradle_ctx.adapters.work_tree import WorkTreeSnapshot
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.ports import Listing, Snapshot
from kradle_ctx.validation.files import BrainFiles
from tests.adapters.reading import failure
from tests.conftest import GitBuilder

Git = Callable[..., GitBuilder]

FILES = {
    "README.md": "# Here\n",
    "graph/a.yaml": "nodeKind: Team\nid: team:a\n",
    "graph/b/deep/er.yml": "a: 1\n",
    "graph-b/x.yaml": "b: 2\n",
    "graph.yaml": "c: 3\n",
    "é/ü ü.md": "# Wide 日本\n",
    "empty.md": "",
    "crlf.md": "one\r\ntwo\r\n",
    "[x]/$(y).md": "z\n",
    ".hidden/a.md": "# Hidden\n",
    "indexes/graph-index.json": "{}\n",
}


def write(folder: Path, files: dict[str, str | bytes]) -> None:
    """Write files below a folder."""
    for path, content in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)


@pytest.fixture
def brain(git: Git) -> GitBuilder:
    """A repository with files in its work tree, of which none is added yet."""
    builder = git()
    write(builder.path, dict(FILES))
    return builder


def committed(brain: GitBuilder) -> Snapshot:
    """The snapshot of a commit of all that Git would add."""
    brain.git("add", "--all")
    brain.git("commit", "--quiet", "--allow-empty", "--message=all")
    return open_repository(brain.path).snapshot(brain.git("rev-parse", "HEAD"))


def told(listing: Listing) -> tuple[object, ...]:
    """What a listing says but for the id of its tree, and how many folders it has."""
    return [(file.path, file.blob, file.size) for file in listing.files], [
        (entry.path, entry.reason, entry.line) for entry in listing.skipped
    ]


def require_equal(brain: GitBuilder, root: str = "") -> Listing:
    """Hold the work tree to the commit of its files; returns what it lists."""
    found = WorkTreeSnapshot(brain.path).listing(root)
    expected = committed(brain)

    assert told(found) == told(expected.listing(root))
    # Nothing of what it is may depend on what was added.
    assert told(WorkTreeSnapshot(brain.path).listing(root)) == told(found)
    return found


def paths(listing: Listing) -> set[str]:
    """The paths of the files of a listing."""
    return {file.path for file in listing.files}


def test_it_lists_what_a_commit_of_its_files_lists(brain: GitBuilder) -> None:
    assert paths(require_equal(brain)) == set(FILES)


@pytest.mark.parametrize("root", ["graph", "graph/b", ".hidden", "é", "absent"])
def test_a_folder_of_it_is_listed_like_that_of_the_commit(brain: GitBuilder, root: str) -> None:
    snapshot = committed(brain)
    expected = snapshot.listing(root)
    if not snapshot.has_folder(root):
        assert expected.files == ()
        return

    assert told(WorkTreeSnapshot(brain.path).listing(root)) == told(expected)


def test_the_bytes_of_every_file_are_those_of_its_blob(brain: GitBuilder) -> None:
    snapshot = WorkTreeSnapshot(brain.path)
    read = {file.path: snapshot.read(file.blob) for file in snapshot.listing("").files}
    other = committed(brain)

    assert read == {path: text.encode() for path, text in FILES.items()}
    assert read == {file.path: other.read(file.blob) for file in other.listing("").files}


def test_what_is_changed_and_what_is_removed_is_as_it_is_now(brain: GitBuilder) -> None:
    committed(brain)
    write(brain.path, {"README.md": "# Changed\n", "new/b.md": "# New\n"})
    (brain.path / "graph.yaml").unlink()
    (brain.path / "crlf.md").chmod(0o755)

    assert paths(require_equal(brain)) == {*FILES, "new/b.md"} - {"graph.yaml"}


IGNORING = {
    ".gitignore": "*.tmp.md\nbuild/\n/secret.yaml\n!kept.tmp.md\nlogs/*\n!logs/keep.md\n",
    "a.tmp.md": "no\n",
    "kept.tmp.md": "yes\n",
    "deep/b.tmp.md": "no\n",
    "deep/.gitignore": "local.md\n",
    "deep/local.md": "no\n",
    "deep/other.md": "yes\n",
    "build/a.md": "no\n",
    "deep/build/a.md": "no\n",
    "secret.yaml": "no\n",
    "deep/secret.yaml": "yes\n",
    "logs/a.md": "no\n",
    "logs/keep.md": "yes\n",
}


def test_what_git_ignores_is_not_there(brain: GitBuilder) -> None:
    write(brain.path, dict(IGNORING))
    write(brain.path, {".git/info/exclude": "excluded.md\n", "excluded.md": "no\n"})

    found = paths(require_equal(brain)) - set(FILES)
    assert found == {path for path, text in IGNORING.items() if text == "yes\n" or path.endswith(".gitignore")}


def test_what_is_tracked_is_there_though_it_is_ignored(brain: GitBuilder) -> None:
    write(brain.path, dict(IGNORING))
    brain.git("add", "--force", "build/a.md", "deep/b.tmp.md", "secret.yaml")

    found = paths(require_equal(brain))
    assert {"build/a.md", "deep/b.tmp.md", "secret.yaml"} <= found
    assert found.isdisjoint({"a.tmp.md", "deep/build/a.md", "logs/a.md"})


def test_what_is_tracked_in_an_ignored_folder_brings_in_nothing_beside_it(brain: GitBuilder) -> None:
    write(
        brain.path,
        {".gitignore": "build/\n", "build/deep/a.md": "yes\n", "build/deep/b.md": "no\n", "build/c.md": "no\n"},
    )
    brain.git("add", "--force", "build/deep/a.md")

    assert {path for path in paths(require_equal(brain)) if path.startswith("build")} == {"build/deep/a.md"}


def test_rules_beside_the_repository_hold_too(brain: GitBuilder, tmp_path: Path) -> None:
    (tmp_path / "excludes").write_text("README.md\n")
    brain.git("config", "core.excludesFile", str(tmp_path / "excludes"))

    assert "README.md" not in paths(require_equal(brain))


def test_links_are_listed_and_never_followed(brain: GitBuilder, tmp_path: Path) -> None:
    write(tmp_path, {"outside/secret.md": "# Outside\n", "outside.md": "# Outside\n"})
    links = {
        "inside.md": "README.md",
        "outside.md": "../outside.md",
        "folder": "../outside",
        "graph/loop": "..",
        "graph/dangling.yaml": "nowhere",
        "absolute": str(tmp_path / "outside"),
    }
    for name, target in links.items():
        (brain.path / name).symlink_to(target)

    found = require_equal(brain)
    assert {entry.path for entry in found.skipped if entry.reason == "symlink"} == set(links)
    assert paths(found) == set(FILES)
    assert not WorkTreeSnapshot(brain.path).has_folder("folder")
    assert not WorkTreeSnapshot(brain.path).has_folder("graph/loop")
    assert WorkTreeSnapshot(brain.path).has_folder("graph/b")


def test_a_link_that_takes_the_place_of_a_tracked_folder_is_not_followed(brain: GitBuilder, tmp_path: Path) -> None:
    committed(brain)
    write(tmp_path, {"outside/a.yaml": "secret: 1\n"})
    for path in ("graph/a.yaml", "graph/b/deep/er.yml"):
        (brain.path / path).unlink()
    (brain.path / "graph/b/deep").rmdir()
    (brain.path / "graph/b").rmdir()
    (brain.path / "graph").rmdir()
    (brain.path / "graph").symlink_to(tmp_path / "outside")

    assert "graph/a.yaml" not in paths(require_equal(brain))


def submodule(brain: GitBuilder, git: Git) -> None:
    """Add another repository as a submodule."""
    other = git("other")
    other.add_commit({"inner.md": "# Inner\n"}, "2026-05-01T00:00:00Z")
    brain.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other.path), "vendor/handbook")


def test_a_submodule_is_not_entered(brain: GitBuilder, git: Git) -> None:
    submodule(brain, git)

    found = require_equal(brain)
    assert [(entry.path, entry.reason) for entry in found.skipped] == [("vendor/handbook", "submodule")]


def test_a_submodule_that_is_not_there_is_listed_all_the_same(brain: GitBuilder, git: Git) -> None:
    submodule(brain, git)
    committed(brain)
    brain.git("submodule", "--quiet", "deinit", "--force", "vendor/handbook")

    found = require_equal(brain)
    assert [(entry.path, entry.reason) for entry in found.skipped] == [("vendor/handbook", "submodule")]


def test_another_repository_in_it_is_not_entered(brain: GitBuilder, git: Git) -> None:
    inner = git("brain/nested/repository")
    inner.add_commit({"a.md": "# Inner\n"}, "2026-05-01T00:00:00Z")
    write(inner.path, {"b.md": "# Inner\n"})

    found = require_equal(brain)
    assert [(entry.path, entry.reason) for entry in found.skipped] == [("nested/repository", "submodule")]


def test_pipes_and_sockets_are_not_there(brain: GitBuilder) -> None:
    os.mkfifo(brain.path / "graph" / "pipe.yaml")

    assert paths(require_equal(brain)) == set(FILES)


def test_a_file_that_is_too_large_is_listed_and_is_there(brain: GitBuilder) -> None:
    write(brain.path, {"large.md": b"x" * ((1 << 20) + 1), "largest.md": b"x" * (1 << 20)})

    found = require_equal(brain)
    assert [(entry.path, entry.reason) for entry in found.skipped] == [("large.md", "too-large")]
    snapshot = WorkTreeSnapshot(brain.path)
    files = BrainFiles(snapshot, "")
    snapshot.listing("")
    assert files.blob("large.md") is not None
    assert files.data("large.md") == b""


NAMES = [
    *(b"new\nline.md", b"tab\t.yaml", b"esc\x1b[31m.md", b"\xe2\x80\xae.md"),
    *(b"caf\xe9.yaml", b"folder\x01/a.md", b"caf\xe9/a.md", b"\xff"),
]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_name_that_cannot_be_shown_is_listed_as_in_a_commit(brain: GitBuilder, name: bytes) -> None:
    place = brain.path / os.fsdecode(name)
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(b"# Here\n")

    found = require_equal(brain)
    assert len(found.skipped) == 1
    assert found.skipped[0].path.isprintable()


def test_a_name_that_is_not_utf8_is_listed_though_it_is_ignored(brain: GitBuilder) -> None:
    write(brain.path, {".gitignore": b"caf\xe9.md\n"})
    (brain.path / os.fsdecode(b"caf\xe9.md")).write_bytes(b"# Here\n")

    assert [entry.reason for entry in WorkTreeSnapshot(brain.path).listing("").skipped] == ["path-not-utf8"]


def test_a_folder_that_lies_too_deep_is_listed_as_in_a_commit(brain: GitBuilder) -> None:
    deep = "/".join(["d"] * 63)
    write(brain.path, {f"{deep}/a.md": "# Deep\n", f"{deep}/d/b.md": "# Deeper\n", f"{deep}/d/d/c.md": "# Deepest\n"})

    found = require_equal(brain)
    assert f"{deep}/a.md" in paths(found)
    assert [entry.reason for entry in found.skipped] == ["folder-too-deep"]


def test_empty_folders_are_nothing(brain: GitBuilder) -> None:
    (brain.path / "nothing" / "here").mkdir(parents=True)

    assert paths(require_equal(brain)) == set(FILES)


def test_files_on_which_a_merge_is_not_done_are_there_once(brain: GitBuilder) -> None:
    committed(brain)
    brain.git("checkout", "--quiet", "-b", "side")
    write(brain.path, {"README.md": "# Side\n"})
    committed(brain)
    brain.git("checkout", "--quiet", "main")
    write(brain.path, {"README.md": "# Main\n"})
    committed(brain)
    with pytest.raises(subprocess.CalledProcessError):
        brain.git("merge", "--quiet", "side")

    assert paths(WorkTreeSnapshot(brain.path).listing("")) == set(FILES)
    require_equal(brain)


def test_a_linked_work_tree_is_one(brain: GitBuilder, tmp_path: Path) -> None:
    write(brain.path, {".gitignore": "*.tmp.md\n"})
    committed(brain)
    brain.git("worktree", "add", "--quiet", str(tmp_path / "linked"), "-b", "linked")
    write(tmp_path / "linked", {"a.tmp.md": "no\n", "b.md": "yes\n"})

    assert paths(WorkTreeSnapshot(tmp_path / "linked").listing("")) == {*FILES, ".gitignore", "b.md"}


def test_a_folder_that_is_no_repository_is_listed_whole(tmp_path: Path) -> None:
    write(tmp_path / "plain", {**FILES, ".gitignore": "README.md\n"})

    assert paths(WorkTreeSnapshot(tmp_path / "plain").listing("")) == {*FILES, ".gitignore"}


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    error = failure(lambda: WorkTreeSnapshot(tmp_path / "absent"))

    assert error.code is ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to root")
def test_what_may_not_be_read_is_listed_or_refused(brain: GitBuilder) -> None:
    (brain.path / "README.md").chmod(0)
    listed = WorkTreeSnapshot(brain.path).listing("")
    assert [(entry.path, entry.reason) for entry in listed.skipped] == [("README.md", "unreadable")]

    (brain.path / "graph").chmod(0)
    try:
        error = failure(lambda: WorkTreeSnapshot(brain.path).listing(""))
    finally:
        (brain.path / "graph").chmod(0o755)
    assert error.code is ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE
    assert "graph" in error.message


def changed(path: Path) -> None:
    """Another text."""
    path.write_text("other\n")


def grown(path: Path) -> None:
    """A text beyond what is read."""
    path.write_bytes(b"x" * (2 << 20))


def linked(path: Path) -> None:
    """A link in place of the file."""
    path.unlink()
    path.symlink_to("graph/a.yaml")


def piped(path: Path) -> None:
    """A pipe in place of the file."""
    path.unlink()
    os.mkfifo(path)


def foldered(path: Path) -> None:
    """A folder in place of the file."""
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("change", [changed, grown, linked, piped, foldered, Path.unlink])
def test_a_file_that_changes_between_listing_and_reading_ends_the_run(
    brain: GitBuilder, change: Callable[[Path], None]
) -> None:
    snapshot = WorkTreeSnapshot(brain.path)
    blobs = {file.path: file.blob for file in snapshot.listing("").files}
    change(brain.path / "README.md")

    error = failure(lambda: snapshot.read(blobs["README.md"]))
    assert error.code is ErrorCode.MEMORY_OBJECT_MISSING
    assert error.message.startswith("README.md")
    assert snapshot.read(blobs["graph.yaml"]) == b"c: 3\n"


def test_a_blob_that_no_listed_file_has_is_none(brain: GitBuilder) -> None:
    snapshot = WorkTreeSnapshot(brain.path)

    assert failure(lambda: snapshot.read("1" * 40)).code is ErrorCode.MEMORY_OBJECT_MISSING


def test_more_entries_than_are_read_are_refused(brain: GitBuilder) -> None:
    snapshot = WorkTreeSnapshot(brain.path, TreeLimits(entries=3))

    with pytest.raises(KradleError) as caught:
        snapshot.listing("")
    assert caught.value.code is ErrorCode.LIMIT_EXCEEDED


def below(snapshot: Snapshot, folder: str) -> Iterator[tuple[str, str, str]]:
    """Everything below a folder by what each folder says that it holds: path, mode, and the id of a file."""
    for name, entry in sorted(snapshot.entries(folder).items()):
        path = f"{folder}/{name}" if folder else name
        mode, _, object_id = entry.partition(" ")
        yield path, mode, object_id if mode.startswith("100") else ""
        if mode == "40000":
            yield from below(snapshot, path)


def test_folders_say_what_they_hold_as_those_of_a_commit_do(brain: GitBuilder, git: Git) -> None:
    (brain.path / "graph/link.yaml").symlink_to("a.yaml")
    submodule(brain, git)
    snapshot = WorkTreeSnapshot(brain.path)
    snapshot.listing("")
    other = committed(brain)

    assert list(below(snapshot, "")) == list(below(other, ""))
    assert snapshot.entries("absent") == other.entries("absent") == {}
    assert snapshot.entries("README.md") == other.entries("README.md") == {}


def test_a_folder_that_was_not_listed_says_what_files_it_holds(brain: GitBuilder) -> None:
    snapshot = WorkTreeSnapshot(brain.path)
    snapshot.listing("graph")
    files = BrainFiles(snapshot, "")

    assert files.blob("README.md") is not None
    assert files.blob("graph/a.yaml") == {file.path: file.blob for file in snapshot.listing("graph").files}["a.yaml"]
    assert files.blob("graph") is None


def test_the_digest_of_its_tree_follows_from_paths_and_contents(brain: GitBuilder) -> None:
    before = WorkTreeSnapshot(brain.path).tree("")
    assert WorkTreeSnapshot(brain.path).tree("") == before

    write(brain.path, {"README.md": "# Other\n"})
    edited = WorkTreeSnapshot(brain.path).tree("")
    write(brain.path, {"README.md": FILES["README.md"]})
    (brain.path / "README.md").rename(brain.path / "README2.md")

    assert len({before, edited, WorkTreeSnapshot(brain.path).tree("")}) == 3


def test_it_is_compared_by_its_listing_alone(brain: GitBuilder) -> None:
    other = committed(brain)

    assert WorkTreeSnapshot(brain.path).changes(other.tree(""), "") is None
