"""Reading repositories in tests: whole, and in a process of its own with limits."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from kradle_ctx.adapters.git_repository import open_repository
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.refs import MemoryRef, RefMode
from kradle_ctx.ports import Listing
from kradle_ctx.stages.resolve import resolve
from tests.conftest import GitBuilder

Git = Callable[..., GitBuilder]

CHECKOUT = Path(__file__).parents[2]

DAY_1, DAY_2 = "2026-05-01T00:00:00Z", "2026-05-02T00:00:00Z"


def failure(call: Callable[[], object]) -> KradleError:
    """The error of a call, which must come quickly and in one printable line."""
    begin = time.monotonic()
    with pytest.raises(KradleError) as caught:
        call()
    assert time.monotonic() - begin < 10
    assert caught.value.message.isprintable()
    assert caught.value.hint.isprintable()
    return caught.value


def explicit(build: GitBuilder, name: str) -> str:
    return resolve(open_repository(build.path), MemoryRef(RefMode.EXPLICIT, name)).commit.id


def tip(build: GitBuilder) -> str:
    return open_repository(build.path).default_branch(None).commit


def listing(build: GitBuilder) -> Listing:
    return open_repository(build.path).snapshot(tip(build)).listing("")


def read_all(build: GitBuilder) -> dict[str, bytes]:
    snapshot = open_repository(build.path).snapshot(tip(build))
    return {file.path: snapshot.read(file.blob) for file in snapshot.listing("").files}


def skipped(build: GitBuilder) -> list[tuple[str, str]]:
    return [(skip.path, skip.reason) for skip in listing(build).skipped]


def malformed(build: GitBuilder, tree: str) -> str:
    build.add_raw_commit(tree)
    error = failure(lambda: listing(build))
    assert error.code is ErrorCode.MEMORY_OBJECT_MISSING
    return error.message


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (512 << 20, 512 << 20))
from pathlib import Path
from kradle_ctx.adapters.git_repository import open_repository
from kradle_ctx.errors import KradleError
from kradle_ctx.model.refs import MemoryRef, RefMode
from kradle_ctx.stages.resolve import resolve
try:
    repository = open_repository(Path(sys.argv[1]))
    ref = MemoryRef(RefMode.EXPLICIT, sys.argv[2]) if len(sys.argv) > 2 else MemoryRef()
    listing = repository.snapshot(resolve(repository, ref).commit.id).listing("")
    print("files", len(listing.files), *(f"{skip.path}={skip.reason}" for skip in listing.skipped))
except KradleError as error:
    print(error.code, error.message)
"""


def limited(build: GitBuilder, *arguments: str, **variables: str) -> str:
    """Resolve and list in a process of its own, in 512 MB and ten seconds; what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(build.path), *arguments],
        env={**os.environ, "PYTHONPATH": str(CHECKOUT), **variables},
        capture_output=True,
        text=True,
        timeout=10,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


def zeros(head: str, size: int) -> bytes:
    """Deflated zeros after a head: one block over and over, so that a gigabyte takes a megabyte to write."""
    squeeze = zlib.compressobj()
    begin = squeeze.compress(head.encode()) + squeeze.flush(zlib.Z_FULL_FLUSH)
    block = squeeze.compress(bytes(1 << 20)) + squeeze.flush(zlib.Z_FULL_FLUSH)
    return begin + block * (size >> 20) + squeeze.flush()
