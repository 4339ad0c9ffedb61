"""What every `Repository` does: one suite for the fake and for real repositories on disk."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

import pytest

from kradle_ctx.adapters.git_repository import open_repository
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.ports import Changes, File, Listing, Repository
from tests.adapters.signing import SigningKey, ed25519_key
from tests.conftest import GitBuilder
from tests.fakes import IDENTITY, InMemoryRepository

Builder = InMemoryRepository | GitBuilder


@dataclass(frozen=True)
class Bench:
    """A repository under construction, and how to read it once it is built."""

    build: Builder

    def read(self) -> Repository:
        """The port over what has been built so far."""
        return open_repository(self.build.path) if isinstance(self.build, GitBuilder) else self.build

    def add_signed(self, files: Mapping[str, str], at: str, key: SigningKey) -> str:
        """Add a commit without a parent that a key has signed; returns its id."""
        commit = self.build.add_commit(files, at, parents=[])
        if isinstance(self.build, InMemoryRepository):
            self.build.set_signer(commit, key.line)
            return commit
        found = self.read().commit(commit)
        who = f"{IDENTITY} {int(found.committed_at.timestamp())} +0000"
        payload = f"tree {found.tree}\nauthor {who}\ncommitter {who}\n\n{at}\n".encode()
        return self.build.add_object("commit", key.signed(payload))


@pytest.fixture(params=["memory", "worktree", "bare", "packed"])
def bench(request: pytest.FixtureRequest, git: Callable[..., GitBuilder]) -> Bench:
    if request.param == "memory":
        return Bench(InMemoryRepository())
    builder = git("brain.git", "--bare") if request.param == "bare" else git()
    if request.param == "packed":
        builder.git("config", "fastimport.unpackLimit", "0")
    return Bench(builder)


def failure(call: Callable[[], object]) -> KradleError:
    with pytest.raises(KradleError) as caught:
        call()
    return caught.value


def test_the_fake_gives_the_ids_that_git_gives(git: Callable[..., GitBuilder]) -> None:
    builders: list[Builder] = [InMemoryRepository(), git()]
    ids = []
    for build in builders:
        first = build.add_commit({"a.md": "one\n", "notes/b.md": b"\xff"}, "2026-05-01T00:00:00Z")
        files = {"a.md": "one\n", "a/x.md": "2", "a-b.md": "3"}
        second = build.add_commit(files, "2026-05-02T00:00:00Z", symlinks={"l": "a.md"})
        ids.append([first, second])
    assert ids[0] == ids[1]


PATHS = ("a.md", "a/x.md", "a-b.md", "n/a.md", "n/é.md", "n/d/e/f.md", "n/d.md", "z/deep/er/x.yaml", "indexes/i.yaml")
LARGE = b"x" * ((1 << 20) + 1)


def random_tree(chance: random.Random) -> tuple[dict[str, str | bytes], dict[str, str]]:
    """Files and symlinks of a tree; a name can be a file here and a folder there."""
    files: dict[str, str | bytes] = {path: str(chance.randrange(3)) for path in PATHS if chance.random() < 0.6}
    if chance.random() < 0.2:
        files["n/large.md"] = LARGE
    name = chance.choice(("n/d/e", "z", "other"))
    if chance.random() < 0.3 and not any(path.startswith(f"{name}/") for path in files):
        files[name] = "a file"
    links = {"n/link.md": chance.choice(("a.md", "b.md"))} if chance.random() < 0.3 else {}
    return files or {"a.md": "1"}, links


def applied(base: Listing, changes: Changes) -> list[File]:
    """The files of a listing, changed."""
    files = {file.path: file for file in base.files}
    for file in changes.removed:
        assert files.pop(file.path) == file
    for file in changes.added:
        assert file.path not in files
        files[file.path] = file
    return sorted(files.values(), key=lambda file: file.path.encode())


def test_changes_make_one_listing_of_another(bench: Bench) -> None:
    chance = random.Random(4)
    trees = [random_tree(chance) for _ in range(9)]
    commits = [
        bench.build.add_commit(files, f"2026-05-0{day}T00:00:00Z", symlinks=links)
        for day, (files, links) in enumerate(trees, start=1)
    ]
    repository = bench.read()
    places = [(repository.snapshot(commit), root) for commit in commits for root in ("", "n", "absent")]
    listings = [snapshot.listing(root) for snapshot, root in places]
    quiet = 0
    for (snapshot, root), new in zip(places, listings, strict=True):
        assert snapshot.tree(root) == new.tree
        for base in listings:
            changes = snapshot.changes(base.tree, root)
            assert changes is not None
            assert changes.tree == new.tree
            assert applied(base, changes) == list(new.files)
            assert base.entries + changes.entries == new.entries
            for some in (changes.added, changes.removed):
                assert list(some) == sorted(some, key=lambda file: file.path.encode())
            assert changes.skipped or base.skipped == new.skipped
            quiet += not changes.skipped
    assert len(listings) ** 2 / 4 < quiet < len(listings) ** 2


def test_entries_count_files_folders_and_what_is_skipped(bench: Bench) -> None:
    files = {"a.md": "1", "n/a.md": "2", "n/d/e.md": "3", "n/large.md": LARGE}
    commit = bench.build.add_commit(files, "2026-05-01T00:00:00Z", symlinks={"l.md": "a.md"})
    snapshot = bench.read().snapshot(commit)
    assert [snapshot.listing(root).entries for root in ("", "n", "n/d", "absent")] == [7, 4, 1, 0]


def test_what_differs_from_an_unknown_tree_cannot_be_told(bench: Bench) -> None:
    snapshot = bench.read().snapshot(bench.build.add_commit({"a.md": "1"}, "2026-05-01T00:00:00Z"))
    assert snapshot.changes("1" * 40, "") is None
    unchanged = snapshot.changes(snapshot.tree(""), "")
    assert unchanged == Changes(snapshot.tree(""), (), (), 0, False)


def test_a_commit_has_its_tree_parents_and_committer_time(bench: Bench) -> None:
    first = bench.build.add_commit({"a.md": "one\n"}, "2026-05-01T00:00:00Z")
    second = bench.build.add_commit({"a.md": "two\n"}, "2026-05-02T12:00:00+02:00")
    commit = bench.read().commit(second)
    assert (commit.id, commit.parents) == (second, (first,))
    assert commit.committed_at == datetime(2026, 5, 2, 10, tzinfo=UTC)
    assert commit.tree == bench.read().snapshot(second).listing("").tree


def test_what_is_no_commit_is_unresolved(bench: Bench) -> None:
    commit = bench.build.add_commit({"a.md": "one\n"}, "2026-05-01T00:00:00Z")
    blob = bench.read().snapshot(commit).listing("").files[0].blob
    for other in ("1" * 40, blob):
        assert failure(lambda other=other: bench.read().commit(other)).code is ErrorCode.MEMORY_REF_UNRESOLVED


def test_files_are_listed_in_path_byte_order_with_sizes(bench: Bench) -> None:
    files = {"b.md": "bb", "a/x.md": "", "a.md": "aaa", "a-b.md": "1", "é.md": "2", "z/y/x.md": "3"}
    listing = bench.read().snapshot(bench.build.add_commit(files, "2026-05-01T00:00:00Z")).listing("")
    assert [(file.path, file.size) for file in listing.files] == [
        ("a-b.md", 1),
        ("a.md", 3),
        ("a/x.md", 0),
        ("b.md", 2),
        ("z/y/x.md", 1),
        ("é.md", 1),
    ]
    assert listing.skipped == ()


def test_a_listing_below_a_root_has_paths_relative_to_it(bench: Bench) -> None:
    commit = bench.build.add_commit({"a.md": "1", ".brain/a.md": "2", ".brain/n/b.md": "3"}, "2026-05-01T00:00:00Z")
    snapshot = bench.read().snapshot(commit)
    listing = snapshot.listing(".brain")
    assert [(file.path, snapshot.read(file.blob)) for file in listing.files] == [("a.md", b"2"), ("n/b.md", b"3")]
    assert listing.tree != snapshot.listing("").tree
    assert [file.path for file in snapshot.listing(".brain/n").files] == ["b.md"]


def test_a_root_that_is_absent_or_a_file_lists_nothing(bench: Bench) -> None:
    snapshot = bench.read().snapshot(bench.build.add_commit({"a.md": "1"}, "2026-05-01T00:00:00Z"))
    for root in ("none", "a.md", "none/at/all"):
        listing = snapshot.listing(root)
        assert (listing.tree, listing.files) == ("4b825dc642cb6eb9a060e54bf8d69288fbee4904", ())
        assert not snapshot.has_folder(root)


def test_folders_are_told_from_files(bench: Bench) -> None:
    commit = bench.build.add_commit({"n/x/a.md": "1"}, "2026-05-01T00:00:00Z")
    snapshot = bench.read().snapshot(commit)
    assert [snapshot.has_folder(path) for path in ("", "n", "n/x", "n/x/a.md", "x")] == [True, True, True, False, False]
    assert snapshot.commit == commit


def test_blobs_are_read_byte_for_byte(bench: Bench) -> None:
    content = b"\xff\x00\r\n$Id$\n\xe9"
    commit = bench.build.add_commit(
        {"a.bin": content, ".gitattributes": "* text eol=crlf ident\n"}, "2026-05-01T00:00Z"
    )
    snapshot = bench.read().snapshot(commit)
    blobs = {file.path: file.blob for file in snapshot.listing("").files}
    assert snapshot.read(blobs["a.bin"]) == content
    assert bench.read().snapshot(commit).read(blobs["a.bin"]) == content


def test_an_absent_blob_is_missing(bench: Bench) -> None:
    snapshot = bench.read().snapshot(bench.build.add_commit({"a.md": "1"}, "2026-05-01T00:00:00Z"))
    error = failure(lambda: snapshot.read("2" * 40))
    assert error.code is ErrorCode.MEMORY_OBJECT_MISSING
    assert "2" * 40 in error.message


def test_symlinks_and_large_blobs_are_skipped_and_listed(bench: Bench) -> None:
    files = {"a.md": "1", "big.md": b"x" * ((1 << 20) + 1), "fits.md": b"y" * (1 << 20)}
    commit = bench.build.add_commit(files, "2026-05-01T00:00:00Z", symlinks={"n/l.md": "../../etc/passwd"})
    listing = bench.read().snapshot(commit).listing("")
    assert [file.path for file in listing.files] == ["a.md", "fits.md"]
    assert [(skip.path, skip.reason) for skip in listing.skipped] == [("big.md", "too-large"), ("n/l.md", "symlink")]


def test_the_default_branch_is_the_configured_one_first(bench: Bench) -> None:
    commit = bench.build.add_commit({"a.md": "1"}, "2026-05-01T00:00:00Z")
    other = bench.build.add_commit({"a.md": "2"}, "2026-05-02T00:00:00Z", branch="other", parents=[commit])
    bench.build.set_remote_branch("main", other)
    bench.build.set_remote_branch("far", other)
    bench.build.set_remote_head("far")
    repository = bench.read()
    found = [repository.default_branch(name) for name in ("main", "far", "refs/heads/other", None)]
    assert [(branch.name, branch.ref, branch.commit) for branch in found] == [
        ("main", "refs/heads/main", commit),
        ("far", "refs/remotes/origin/far", other),
        ("other", "refs/heads/other", other),
        ("far", "refs/remotes/origin/far", other),
    ]


def test_without_a_remote_head_the_default_branch_is_head(bench: Bench) -> None:
    commit = bench.build.add_commit({"a.md": "1"}, "2026-05-01T00:00:00Z")
    bench.build.set_branch("other", commit)
    bench.build.set_head("other")
    branch = bench.read().default_branch(None)
    assert (branch.name, branch.ref, branch.commit) == ("other", "refs/heads/other", commit)


def test_a_detached_head_is_named_by_its_commit(bench: Bench) -> None:
    commit = bench.build.add_commit({"a.md": "1"}, "2026-05-01T00:00:00Z")
    bench.build.set_head(commit)
    branch = bench.read().default_branch(None)
    assert (branch.name, branch.ref, branch.commit) == (commit, "HEAD", commit)


def test_a_default_branch_that_does_not_exist_is_unresolved(bench: Bench) -> None:
    assert failure(lambda: bench.read().default_branch(None)).code is ErrorCode.MEMORY_REF_UNRESOLVED
    bench.build.add_commit({"a.md": "1"}, "2026-05-01T00:00:00Z")
    error = failure(lambda: bench.read().default_branch("gone"))
    assert error.code is ErrorCode.MEMORY_REF_UNRESOLVED
    assert "'gone'" in error.message


def test_candidates_of_a_name_are_found_by_full_names_in_a_fixed_order(bench: Bench) -> None:
    one = bench.build.add_commit({"a.md": "1"}, "2026-05-01T00:00:00Z")
    two = bench.build.add_commit({"a.md": "2"}, "2026-05-02T00:00:00Z")
    bench.build.set_branch("release", two)
    bench.build.set_tag("release", one)
    bench.build.set_tag("snap", one, annotated=True)
    bench.build.set_remote_branch("far", two)
    repository = bench.read()

    def found(name: str) -> list[tuple[str, str, str]]:
        return [(candidate.kind, candidate.name, candidate.commit) for candidate in repository.candidates(name)]

    tag, branch = ("tag", "refs/tags/release", one), ("branch", "refs/heads/release", two)
    assert found("release") == [tag, branch]
    assert found("heads/release") == found("refs/heads/release") == [branch]
    assert found("tags/release") == [tag]
    assert found("snap") == [("tag", "refs/tags/snap", one)]
    assert found("origin/far") == found("remotes/origin/far") == [("remote branch", "refs/remotes/origin/far", two)]
    assert found("HEAD") == [("ref", "HEAD", two)]
    assert found("far") == found("nope") == found("refs/heads/nope") == found("refs") == []


def test_a_full_ref_name_is_never_looked_up_below_another_place(bench: Bench) -> None:
    one = bench.build.add_commit({"a.md": "1"}, "2026-05-01T00:00:00Z")
    two = bench.build.add_commit({"a.md": "2"}, "2026-05-02T00:00:00Z")
    bench.build.set_branch("refs/heads/main", one)
    bench.build.set_branch("refs/heads/gone", one)
    repository = bench.read()
    assert [candidate.commit for candidate in repository.candidates("refs/heads/main")] == [two]
    assert repository.candidates("refs/heads/gone") == ()


def test_candidates_of_hex_digits_are_objects_and_refs(bench: Bench) -> None:
    one = bench.build.add_commit({"a.md": "1"}, "2026-05-01T00:00:00Z")
    bench.build.set_branch(one[:7], one)
    repository = bench.read()
    assert [candidate.name for candidate in repository.candidates(one[:7])] == [f"refs/heads/{one[:7]}", one]
    assert [candidate.name for candidate in repository.candidates(one[:9].upper())] == [one]
    assert [candidate.name for candidate in repository.candidates(one)] == [one]
    assert repository.candidates(one[:3]) == repository.candidates("0" * 40) == ()


def test_a_short_id_lists_every_object_that_begins_so(bench: Bench) -> None:
    bench.build.add_commit({"a.md": "142", "b.md": "784"}, "2026-05-01T00:00:00Z")
    repository = bench.read()
    assert [(candidate.kind, candidate.name, candidate.commit) for candidate in repository.candidates("8324")] == [
        ("blob", "83248fb9df4a244c41a10fa536045d5a8e759aee", ""),
        ("blob", "83249da5a136e0e0e9388917c65b042ef5179b5e", ""),
    ]
    assert [candidate.name[:6] for candidate in repository.candidates("83248")] == ["83248f"]


def test_a_tag_of_a_tree_or_blob_leads_to_no_commit(bench: Bench) -> None:
    commit = bench.build.add_commit({"a.md": "1"}, "2026-05-01T00:00:00Z")
    listing = bench.read().snapshot(commit).listing("")
    bench.build.set_tag("tree", listing.tree)
    bench.build.set_tag("blob", listing.files[0].blob, annotated=True)
    repository = bench.read()
    assert [repository.candidates(name)[0].commit for name in ("tree", "blob", listing.tree)] == ["", "", ""]


def test_first_parents_leave_merged_branches_out(bench: Bench) -> None:
    base = bench.build.add_commit({"a.md": "1"}, "2026-05-01T00:00:00Z")
    side = bench.build.add_commit({"a.md": "2"}, "2026-05-02T00:00:00Z", branch="side", parents=[base])
    merge = bench.build.add_commit({"a.md": "2"}, "2026-05-03T00:00:00Z", parents=[base, side])
    assert [commit.id for commit in bench.read().first_parents(merge)] == [merge, base]


def test_a_shallow_history_ends_at_its_boundary(bench: Bench) -> None:
    days = [bench.build.add_commit({"d.md": str(day)}, f"2026-05-0{day}T00:00:00Z") for day in range(1, 5)]
    assert not bench.read().shallow
    bench.build.cut_history(days[2])
    repository = bench.read()
    assert repository.shallow
    assert [commit.id for commit in repository.first_parents(days[3])] == [days[3], days[2]]
    assert [repository.cut(commit) for commit in days[2:]] == [True, False]
    assert repository.candidates(days[0]) == ()


def test_a_path_was_last_changed_where_its_content_last_differs(bench: Bench) -> None:
    base = bench.build.add_commit({"keep.md": "1", "n/a.md": "1", "back.md": "1"}, "2026-05-01T00:00:00Z")
    side = bench.build.add_commit(
        {"keep.md": "1", "n/a.md": "2", "back.md": "1"}, "2026-05-02T00:00:00Z", branch="side"
    )
    merge = bench.build.add_commit(
        {"keep.md": "1", "n/a.md": "2", "back.md": "2"}, "2026-05-03T00:00:00Z", parents=[base, side]
    )
    tip = bench.build.add_commit({"keep.md": "1", "n/a.md": "2", "back.md": "1"}, "2026-05-04T00:00:00Z")
    changed = bench.read().last_changed(tip, ["keep.md", "n/a.md", "back.md", "none.md", "n/a.md/x"])
    assert {path: commit.id for path, commit in changed.items()} == {"keep.md": base, "n/a.md": merge, "back.md": tip}


def test_a_shallow_boundary_is_not_taken_for_the_origin_of_its_files(bench: Bench) -> None:
    bench.build.add_commit({"only1.md": "1"}, "2026-05-01T00:00:00Z")
    boundary = bench.build.add_commit({"only1.md": "1", "only2.md": "1"}, "2026-05-02T00:00:00Z")
    tip = bench.build.add_commit({"only1.md": "1", "only2.md": "1", "only3.md": "1"}, "2026-05-03T00:00:00Z")
    bench.build.cut_history(boundary)
    changed = bench.read().last_changed(tip, ["only1.md", "only2.md", "only3.md"])
    assert {path: commit.id for path, commit in changed.items()} == {"only3.md": tip}


def test_a_commit_has_the_signer_whose_key_is_among_those_given(bench: Bench) -> None:
    one, two = ed25519_key("one"), ed25519_key("two")
    signed = bench.add_signed({"a.md": "1"}, "2026-05-01T00:00:00Z", one)
    repository = bench.read()
    assert repository.signer(signed, [two.line, one.line]) == one.fingerprint
    assert repository.signer(signed, [" ".join(one.line.split()[:2])]) == one.fingerprint
    assert repository.signer(signed, [two.line]) is None
    assert repository.signer(signed, []) is None


def test_a_commit_without_a_signature_has_no_signer(bench: Bench) -> None:
    bench.add_signed({"a.md": "1"}, "2026-05-01T00:00:00Z", ed25519_key())
    unsigned = bench.build.add_commit({"a.md": "2"}, "2026-05-02T00:00:00Z")
    assert bench.read().signer(unsigned, [ed25519_key().line]) is None


def test_the_signer_of_what_is_no_commit_is_unresolved(bench: Bench) -> None:
    commit = bench.build.add_commit({"a.md": "one\n"}, "2026-05-01T00:00:00Z")
    blob = bench.read().snapshot(commit).listing("").files[0].blob
    for other in ("1" * 40, blob):
        for keys in ([], [ed25519_key().line]):
            call = partial(bench.read().signer, other, keys)
            assert failure(call).code is ErrorCode.MEMORY_REF_UNRESOLVED


def test_the_entries_of_a_folder_are_its_own_with_their_modes_and_ids(bench: Bench) -> None:
    commit = bench.build.add_commit({"a.md": "x", "b/c.md": "y"}, "2026-05-01T00:00:00Z", symlinks={"link": "a.md"})
    snapshot = bench.read().snapshot(commit)
    blobs = {file.path: file.blob for file in snapshot.listing("").files}
    top = dict(snapshot.entries(""))
    assert top.pop("link").startswith("120000 ")
    assert top == {"a.md": f"100644 {blobs['a.md']}", "b": f"40000 {snapshot.tree('b')}"}
    assert snapshot.entries("b") == {"c.md": f"100644 {blobs['b/c.md']}"}
    assert (snapshot.entries("a.md"), snapshot.entries("nowhere")) == ({}, {})
