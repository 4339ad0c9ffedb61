"""Guards for every test, and real Git repositories with fixed names and dates."""

from __future__ import annotations

import hashlib
import os
import shutil
import struct
import subprocess
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

import pytest

from tests.fakes import IDENTITY, Content, StoredObject

SCRATCH_HOME = Path(tempfile.mkdtemp(prefix="kradle-home-"))
"""The home of all tests; libgit2 asks for it once, when it is loaded, so it is set before any test module is."""

MOST_INDEXES = 8
"""Indexes of other brains beside which a command is asked, at most: looking at one takes milliseconds."""


def pytest_configure() -> None:
    """Hide the real home, the real Git configuration and a surrounding hook's variables from all tests."""
    for name in [name for name in os.environ if name.startswith(("GIT_", "XDG_", "KRADLE_CACHE"))]:
        del os.environ[name]
    os.environ["HOME"] = str(SCRATCH_HOME)
    os.environ["GIT_CONFIG_NOSYSTEM"] = "1"
    os.environ["GIT_CONFIG_GLOBAL"] = "/dev/null"


def pytest_unconfigure() -> None:
    """Remove the scratch home."""
    shutil.rmtree(SCRATCH_HOME, ignore_errors=True)


@pytest.fixture(scope="session", autouse=True)
def guarded_environment() -> Iterator[None]:
    """Check that no test gave the guards up."""
    yield
    assert os.environ["HOME"] == str(SCRATCH_HOME)
    assert os.environ["GIT_CONFIG_GLOBAL"] == "/dev/null"
    assert not {name for name in os.environ if name.startswith("GIT_")} - {"GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_GLOBAL"}


@pytest.fixture(autouse=True)
def few_indexes() -> Iterator[None]:
    """Drop the indexes that tests left once they are many: every command looks at all that there are."""
    yield
    cache = SCRATCH_HOME / ".cache" / "kradle-ctx"
    if len(list(cache.glob("*/*"))) > MOST_INDEXES:
        shutil.rmtree(cache)


class GitBuilder:
    """A real repository made with the git command; it is built by the same calls as `InMemoryRepository`."""

    def __init__(self, path: Path, *init: str) -> None:
        self.path = path
        # Without a template no hooks and texts are copied, which nothing reads.
        subprocess.run(["git", "init", "-q", "-b", "main", "--template=", *init, str(path)], check=True)
        (self.folder / "info").mkdir(exist_ok=True)

    @property
    def folder(self) -> Path:
        """The folder that holds HEAD, objects and refs."""
        return self.path / ".git" if (self.path / ".git").is_dir() else self.path

    def git(self, *arguments: str, data: bytes = b"") -> str:
        """Run git in the repository and return what it prints."""
        command = ["git", "-C", str(self.path), "-c", "user.name=Brain", "-c", "user.email=brain@example.invalid"]
        dates = {"GIT_COMMITTER_DATE": "@0 +0000", "GIT_AUTHOR_DATE": "@0 +0000"}
        environment = {**os.environ, **dates}
        done = subprocess.run([*command, *arguments], input=data, capture_output=True, check=True, env=environment)
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def add_object(self, kind: str, data: bytes) -> str:
        """Write a loose object, well-formed or not, under its right id; returns the id."""
        stored = StoredObject(kind, data)
        self.write_loose(stored.id, zlib.compress(f"{kind} {len(data)}\0".encode() + data))
        return stored.id

    def write_loose(self, object_id: str, raw: bytes) -> None:
        """Write any bytes as the file of a loose object."""
        file = self.folder / "objects" / object_id[:2] / object_id[2:]
        file.parent.mkdir(exist_ok=True)
        file.unlink(missing_ok=True)
        file.write_bytes(raw)

    def write_pack(self, entries: Mapping[str, bytes]) -> None:
        """Write a pack of raw entries, and an index that gives them these ids."""
        pack, offsets = b"PACK" + struct.pack(">II", 2, len(entries)), {}
        for object_id, entry in entries.items():
            offsets[object_id] = len(pack)
            pack += entry
        pack_sum = hashlib.sha1(pack).digest()
        ids = sorted(entries)
        fan_out = (sum(bytes.fromhex(object_id)[0] <= first for object_id in ids) for first in range(256))
        index = b"\xfftOc" + struct.pack(">I256I", 2, *fan_out) + b"".join(map(bytes.fromhex, ids))
        index += b"".join(struct.pack(">I", zlib.crc32(entries[object_id])) for object_id in ids)
        index += b"".join(struct.pack(">I", offsets[object_id]) for object_id in ids) + pack_sum
        file = self.folder / "objects" / "pack" / f"pack-{pack_sum.hex()}.pack"
        file.write_bytes(pack + pack_sum)
        file.with_suffix(".idx").write_bytes(index + hashlib.sha1(index).digest())

    def add_tree(self, *entries: tuple[str, bytes, str]) -> str:
        """Write a tree of (mode, name, object id) rows in just this order; returns its id."""
        rows = (mode.encode() + b" " + name + b"\0" + bytes.fromhex(object_id) for mode, name, object_id in entries)
        return self.add_object("tree", b"".join(rows))

    def add_commit(
        self,
        files: Mapping[str, Content],
        at: str,
        *,
        branch: str = "main",
        parents: Sequence[str] | None = None,
        symlinks: Mapping[str, str] | None = None,
    ) -> str:
        """Add a commit that holds exactly these files, on top of a branch unless parents are given; returns its id."""
        ref = f"refs/heads/{branch}"
        if parents is None:
            found = self._commit_at(ref)
            parents = [found] if found else []
        when = f"{IDENTITY} {int(datetime.fromisoformat(at).timestamp())} +0000\n"
        stream = f"commit {ref}\nmark :1\nauthor {when}committer {when}".encode() + _data(f"{at}\n")
        stream += b"".join(
            f"{'merge' if place else 'from'} {parent}\n".encode() for place, parent in enumerate(parents)
        )
        stream += b"deleteall\n"
        rows = [("100644", path, content) for path, content in files.items()]
        rows += [("120000", path, target) for path, target in (symlinks or {}).items()]
        for mode, path, content in rows:
            stream += f"M {mode} inline {path}\n".encode() + _data(content)
        return self.git("fast-import", "--quiet", "--force", data=stream + b"get-mark :1\n")

    def _commit_at(self, ref: str) -> str:
        """The commit of a branch, empty where there is none."""
        file = self.folder / ref
        if file.is_file():
            return file.read_text().strip()
        elsewhere = any((self.folder / name).exists() for name in ("packed-refs", "reftable"))
        return self.git("for-each-ref", "--format=%(objectname)", ref) if elsewhere else ""

    def add_raw_commit(self, tree: str, at: int = 1_777_593_600, *, branch: str = "main") -> str:
        """Commit any tree object, malformed ones included, as a branch without a parent."""
        who = f"{IDENTITY} {at} +0000"
        commit = self.add_object("commit", f"tree {tree}\nauthor {who}\ncommitter {who}\n\nraw\n".encode())
        self.set_ref(f"refs/heads/{branch}", commit)
        return commit

    def set_ref(self, name: str, target: str) -> None:
        """Write a ref's file, whatever it then points at."""
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(target + "\n")

    def set_branch(self, name: str, commit: str) -> None:
        """Make or move a branch."""
        self.git("update-ref", f"refs/heads/{name}", commit)

    def set_remote_branch(self, name: str, commit: str) -> None:
        """Make or move a branch of the remote `origin`."""
        self.git("update-ref", f"refs/remotes/origin/{name}", commit)

    def set_tag(self, name: str, target: str, *, annotated: bool = False) -> None:
        """Make a tag of any object."""
        self.git("tag", *(["-a", "-m", name] if annotated else []), name, target)

    def set_head(self, target: str) -> None:
        """Point HEAD at a branch by its name, or detach it at a commit id."""
        self.set_ref("HEAD", target if len(target) == 40 else f"ref: refs/heads/{target}")

    def set_remote_head(self, branch: str) -> None:
        """Point `origin/HEAD` at a branch of the remote."""
        self.git("symbolic-ref", "refs/remotes/origin/HEAD", f"refs/remotes/origin/{branch}")

    def cut_history(self, boundary: str) -> None:
        """Drop what is behind a commit, as a shallow clone does."""
        (self.folder / "shallow").write_text(boundary + "\n")
        self.git("gc", "--quiet", "--prune=now")


def _data(content: Content) -> bytes:
    raw = content.encode() if isinstance(content, str) else content
    return f"data {len(raw)}\n".encode() + raw + b"\n"


@pytest.fixture
def git(tmp_path: Path) -> Callable[..., GitBuilder]:
    """Makes real repositories below the test's folder: `git("brain")`, `git("brain.git", "--bare")`."""

    def make(name: str = "brain", *init: str) -> GitBuilder:
        return GitBuilder(tmp_path / name, *init)

    return make


@pytest.fixture(scope="session")
def example_brain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example brain of `fixtures/` as a repository; no test changes it."""
    from tests.example import build_example

    target = tmp_path_factory.mktemp("example") / "brain"
    build_example(target)
    return target
