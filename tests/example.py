"""The example brain of `fixtures/`, and the command line to ask it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import yaml

from tests.cases.command_line import COMMAND, environment
from tests.command_server import Answer, needs_fresh_process, warm
from tests.emitted import assert_fits

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
RESOURCES = FIXTURES / "brain-repo" / ".kradle" / "a5c"
REQUESTS = {path.stem: path for path in sorted((FIXTURES / "requests").glob("*.yaml"))}

TIME_LIMIT = 60
"""Seconds in which every command has to end, also on a busy machine."""


def build_module() -> ModuleType:
    """`fixtures/build_brain.py`, which is a script and no part of a package."""
    name = "build_brain"
    if name not in sys.modules:
        spec = spec_from_file_location(name, FIXTURES / "build_brain.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def build_example(target: Path) -> str:
    """Build the brain; the commit id of main."""
    commit: str = build_module().build(target)
    return commit


def planted_secrets() -> Mapping[str, str]:
    """The secrets that stand in the built brain."""
    secrets: Mapping[str, str] = build_module().planted_secrets()
    return secrets


def invoke(
    folder: Path,
    *arguments: str | Path,
    data: bytes | None = None,
    changes: Mapping[str, str] | None = None,
) -> Answer:
    """Run a command in a folder; it ends by design, whatever it answers, and what it emits fits its schema."""
    settings, given = environment(changes), data or b""
    if needs_fresh_process(changes or {}):
        answer = started(folder, arguments, given, settings)
    else:
        answer = warm().run(arguments, folder=folder, environment=settings, stdin=given, seconds=TIME_LIMIT)
    assert b"Traceback" not in answer.stderr
    assert answer.code in (0, 1, 2, 3, 4, 5), answer.talk
    return answer


def started(folder: Path, arguments: Sequence[str | Path], data: bytes, environment: Mapping[str, str]) -> Answer:
    """Run a command in a process that is started for it."""
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        cwd=folder,
        input=data,
        capture_output=True,
        env=environment,
        timeout=TIME_LIMIT,
    )
    return Answer(done.returncode, done.stdout, done.stderr)


def asking(brain: Path, request: str) -> tuple[str | Path, ...]:
    """The arguments that put a request of `fixtures/requests/` to a brain."""
    return ("--brain", brain, "-f", RESOURCES, "-f", REQUESTS[request])


def documents_of(text: str) -> list[dict[str, Any]]:
    """The documents of a YAML or JSON output, each of which fits its schema."""
    value = json.loads(text) if text.startswith(("{", "[")) else list(yaml.load_all(text, Loader=yaml.CSafeLoader))
    documents = value if isinstance(value, list) else [value]
    for document in documents:
        assert_fits(document)
    return documents


def bundle_of(answer: Answer) -> dict[str, Any]:
    """The bundle of a run that succeeded."""
    assert answer.code == 0, answer.talk
    (bundle, *_) = documents_of(answer.text)
    return bundle


def items_of(bundle: Mapping[str, Any]) -> list[str]:
    """The ids, or else the paths, of a bundle's items in order."""
    return [source.get("id", source["path"]) for source in bundle["spec"]["memory"]["sources"]]
