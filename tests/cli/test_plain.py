"""A command line that is read without typer means what typer takes it to mean, and any other is left to typer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
import typer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kradle_ctx.cli import commands
from kradle_ctx.cli.options import REQUEST_OPTIONS, Command
from kradle_ctx.cli.plain import COMPLETION, NotPlain, plain_call, plain_values
from kradle_ctx.cli.registry import COMMANDS, command

Read = Callable[[Sequence[str]], dict[str, Any] | None]


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Read:
    """What typer takes a command line to mean, by parameters; None where it refuses it."""
    taken: list[dict[str, Any]] = []

    def noted(name: str) -> Command:
        return Command(lambda **values: taken.append(values), {}, command(name).options)

    monkeypatch.setattr(commands, "command", noted)
    apps: dict[str, Any] = {}

    def read(arguments: Sequence[str]) -> dict[str, Any] | None:
        name = " ".join(arguments[: 2 if arguments[0] == "index" else 1])
        app = apps.setdefault(name, typer.main.get_command(commands.app_for(arguments)))
        taken.clear()
        try:
            app.main(args=list(arguments), prog_name="kradle-ctx", standalone_mode=False)
        except Exception:
            return None
        return dict(taken[0]) if taken else None

    return read


def plainly(name: str, arguments: Sequence[str]) -> dict[str, Any] | None:
    """What is read without typer."""
    try:
        return plain_values(command(name).options, arguments)
    except NotPlain:
        return None


VALUES = ("x", "two words", "é\u202e", "", "-", "-x", "--", "a=b", "=", "0", "1", "007", "50", "51", "99", "100", "1_0")
VALUES += ("10000", "1073741824", "1073741825", "99999999999", "+1", "1.0", "٣", "score", "Score", "graph-only", "json")
VALUES += ("text", "yaml", "public", "literal", "company-brain-v1", "--quiet", "\ud800")
NAMES = ("--brain", "--resources", "-f", "--local-grant", "--memory-repository", "--required", "--optional", "--query")
NAMES += ("-q", "--mode", "--regex", "--select", "--visibility", "--rank", "--depth", "--max-matches", "--context")
NAMES += ("--max-bytes", "--format", "--output", "-o", "--all-documents", "--error-format", "--quiet", "--help", "-h")
NAMES += ("--since", "--worktree", "--baseline", "--fail-on", "--export-schemas", "--name")
NAMES += ("--older-than", "--all", "--dry-run", "--check", "--summary", "--report", "--no-index", "--bran", "--brain-x")
PARTS = st.one_of(
    st.sampled_from(NAMES).map(lambda name: [name]),
    st.tuples(st.sampled_from(NAMES), st.sampled_from(VALUES)).map(list),
    st.tuples(st.sampled_from(NAMES), st.sampled_from(VALUES)).map(lambda pair: ["=".join(pair)]),
    st.sampled_from((*VALUES, "-fx", "-qx", "-fq")).map(lambda value: [value]),
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(COMMANDS), st.lists(PARTS, max_size=4).map(lambda parts: [text for part in parts for text in part])
)
def test_what_is_read_without_typer_is_what_typer_reads(typed: Read, name: str, arguments: list[str]) -> None:
    read = plainly(name, arguments)
    assert read is None or read == typed([*name.split(), *arguments])


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "read"])
def test_each_option_with_a_value_that_fits_is_read_without_typer(typed: Read, name: str) -> None:
    for parameter, row in command(name).options.items():
        if row.positional:
            for arguments in (["x"], ["x", "--quiet", "y z"]):
                assert plainly(name, arguments) == typed([*name.split(), *arguments]) is not None
            continue
        for spelled in row.names or (f"--{parameter.replace('_', '-')}",):
            for typed_name in spelled.split("/"):
                fitting = [] if row.kind is bool else ["1"] if row.kind in (int, str) else [next(iter(row.kind)).value]
                read = plainly(name, [typed_name, *fitting])
                assert read == typed([*name.split(), typed_name, *fitting]) is not None
                assert read[parameter] is not None
    assert plainly(name, []) == typed(name.split()) is not None


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--help",),
        ("--version",),
        ("assemble", "--help"),
        ("index",),
        ("index", "--brain", "x"),
        ("read", "x"),
        ("assemble", "--brain"),
        ("assemble", "--brain", "a", "--brain", "b"),
        ("assemble", "--depth", "100"),
        ("assemble", "--quiet=yes"),
        ("assemble", "x"),
        ("asemble",),
    ],
)
def test_help_and_every_mistake_are_left_to_typer(arguments: tuple[str, ...]) -> None:
    assert plain_call(arguments) is None


def test_a_shell_that_asks_for_completions_asks_typer(monkeypatch: pytest.MonkeyPatch) -> None:
    assert plain_call(["query"]) is not None
    monkeypatch.setenv(COMPLETION, "complete_bash")
    assert plain_call(["query"]) is None


def test_shared_options_reach_a_command_as_one_value() -> None:
    seen: list[Any] = []
    wanted = Command(lambda flags, **own: seen.append((flags, own)), REQUEST_OPTIONS, {})
    wanted(**plain_values(wanted.options, ["--query", "x", "--select", "a", "--select", "b", "--mode", "graph-only"]))
    (flags, own), *_ = seen
    assert (flags.query, flags.select, flags.mode, flags.local_grant, own) == ("x", ("a", "b"), "graph-only", False, {})
