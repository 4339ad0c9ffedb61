"""The bars of validation: a first brain and one of 100,000 files, without an index, with it, and for a change."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from bar import Bar
from commands import product, python
from index_bars import Brain
from measure import Command
from rich.console import Console

SAMPLE = 500
"""Records that the peer validates: it takes minutes for all of Atlas."""

ANSWER = ("--quiet", "--fail-on", "none")
"""However much is found, the run ends well."""


def validation_bars(name: str, first: Path, large: Brain, folder: Path, console: Console) -> list[Bar]:
    """Bars on the brain that is read first, Atlas where it is there, and on the large one."""
    peer_name, peer = schema_checker(first, folder, console)
    whole = ("validate", *ANSWER, "--brain", str(first))
    everything = ("validate", *ANSWER, "--brain", str(large.path))
    cache = folder / "cache-first"
    return [
        Bar(f"validate without an index, {name}", product(*whole, "--no-index"), peer_name, peer, seconds=3.0),
        Bar(f"validate again, {name}", indexed(whole, first, cache), peer_name, peer, seconds=1.0),
        Bar("validate 100,000 files", product(*everything, "--no-index"), peer_name, peer, seconds=20.0),
        Bar(
            "validate ten changed of 100,000",
            indexed((*everything, "--since", "base"), large.path, large.cache),
            peer_name,
            peer,
            seconds=0.5,
            megabytes=150,
        ),
    ]


def indexed(arguments: tuple[str, ...], brain: Path, cache: Path) -> Command:
    """A command on a brain that is indexed before it is timed."""
    command = product(*arguments, cache=cache)
    return Command(command.arguments, command.environment, building(brain, cache))


def building(brain: Path, cache: Path) -> Callable[[], None]:
    """What indexes a brain."""
    build = product("index", "build", "--quiet", "--brain", str(brain), cache=cache)

    def built() -> None:
        subprocess.run(build.arguments, env=dict(build.environment), check=True, stdout=subprocess.DEVNULL)

    return built


def schema_checker(brain: Path, folder: Path, console: Console) -> tuple[str, Command]:
    """check-jsonschema on a sample of the brain's records, each in a file of its own, else PyYAML's loader on them.

    The schema is the one that the product exports for editors. A record that does not fit is no failure here.
    """
    records, schemas = folder / "records", folder / "schemas"
    records.mkdir()
    for place, text in enumerate(sample(brain)):
        (records / f"{place}.yaml").write_text(text)
    command = product("validate", "--brain", str(brain), "--export-schemas", str(schemas))
    subprocess.run(command.arguments, env=dict(command.environment), check=True)
    script = str(Path(__file__).with_name("schema_checker.py"))
    if find_spec("check_jsonschema") is None:
        console.print("check-jsonschema is not installed: pip install check-jsonschema")
        return f"PyYAML, {SAMPLE} records", python(script, "--load", str(records))
    return f"check-jsonschema, {SAMPLE} records", python(
        script, str(schemas / "graph-record.schema.json"), str(records)
    )


def sample(brain: Path) -> list[str]:
    """The first graph records of a brain's HEAD, of files that hold one."""
    listed = subprocess.run(
        ["git", "-C", str(brain), "grep", "-l", "^nodeKind:", "HEAD", "--", "*.yaml"], capture_output=True, check=True
    )
    texts: list[str] = []
    for name in listed.stdout.decode().splitlines():
        shown = subprocess.run(["git", "-C", str(brain), "show", name], capture_output=True, check=True)
        text = shown.stdout.decode()
        if text.count("\nnodeKind:") + text.startswith("nodeKind:") == 1 and "\n---" not in text:
            texts.append(text)
        if len(texts) == SAMPLE:
            break
    return texts
