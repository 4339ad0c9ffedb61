"""The brains that are measured, each a Git repository in a folder of its own, and their YAML for the peer."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
GENERATOR = Path(__file__).with_name("generate.py")

STAND_IN_FILES = 3_000
"""Files of the generated brain that stands in for Atlas, which has about as many."""

AUTHOR = ("-c", "user.name=Bench", "-c", "user.email=bench@example.invalid", "-c", "core.autocrlf=false")


def shared_folder() -> Path:
    """The folder with the shared data: KRADLE_SHARED, else `shared` beside the checkout."""
    return Path(os.environ.get("KRADLE_SHARED") or CHECKOUT.parent / "shared")


def atlas(folder: Path) -> Path | None:
    """The Atlas brain, extracted and committed; None when its archive is not there."""
    archive = shared_folder() / "data" / "atlas-graph.tar.gz"
    if not archive.is_file():
        return None
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    (brain,) = folder.iterdir()
    git(brain, "init", "--quiet", "--initial-branch=main")
    git(brain, "add", "--all", "--force")
    git(brain, *AUTHOR, "commit", "--quiet", "--message=Import the Atlas graph")
    return brain


def generated(folder: Path, files: int) -> Path:
    """A generated brain; made by another process, so that this one stays small."""
    subprocess.run([sys.executable, str(GENERATOR), str(folder), f"--files={files}"], check=True)
    return folder


def write_yaml(brain: Path, target: Path) -> None:
    """Write the YAML of the brain's HEAD into one file: graph files and frontmatter, a NUL between them."""
    command = ["git", "-C", str(brain), "archive", "--format=tar", "HEAD"]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE) as archiver,
        tarfile.open(fileobj=archiver.stdout, mode="r|") as packed,
        target.open("wb") as stream,
    ):
        for member in packed:
            content = packed.extractfile(member)
            if content is not None:
                stream.write(yaml_of(member.name, content.read()) + b"\0")


def yaml_of(path: str, data: bytes) -> bytes:
    """The part of a file that is YAML: all of a graph file, the frontmatter of a Markdown file, else nothing."""
    if path.endswith((".yaml", ".yml")):
        return data
    if path.endswith(".md") and data.startswith(b"---\n"):
        return data[4:].partition(b"\n---\n")[0]
    return b""


def git(folder: Path, *arguments: str) -> None:
    """Run Git in a folder, without the configuration of whoever runs this."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, env=environment)
