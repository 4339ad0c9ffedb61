"""The rules of the house that a machine can check."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
import typer

from kradle_ctx.cli.app import app
from kradle_ctx.cli.exit_codes import EXIT_CODES
from kradle_ctx.errors import ErrorCode
from kradle_ctx.model.memory_mode import OPERATIONS

CHECKOUT = Path(__file__).parents[2]
PACKAGE = CHECKOUT / "kradle_ctx"
MODULES = sorted(PACKAGE.rglob("*.py"))

LONGEST_FUNCTION, LONGEST_FILE = 50, 400

IMPORTED_AS = {"pyyaml": "yaml", "ruamel.yaml": "ruamel", "google-re2": "re2", "pystemmer": "Stemmer"}
"""What a distribution is imported as, where that is not its own name."""

PROGRAMS = {"ripgrep": "adapters/ripgrep.py"}
"""Distributions that hold a program and no module, and where the program is run."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def name_of(path: Path) -> str:
    """A module's path within the package."""
    return path.relative_to(PACKAGE).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    """The syntax tree of a module, which most rules look at."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a module."""
    return tuple(ast.walk(tree_of(path)))


@pytest.fixture(scope="module", autouse=True)
def trees() -> Iterator[None]:
    """Let go of the trees, which would be in the way of the collector, when all rules have seen them."""
    yield
    nodes_of.cache_clear()
    tree_of.cache_clear()


def callers(name: str) -> set[str]:
    """The modules that call something of that name, bare or as an attribute."""
    found = set()
    for path in MODULES:
        for node in nodes_of(path):
            if isinstance(node, ast.Call):
                called = node.func
                spelled = called.id if isinstance(called, ast.Name) else getattr(called, "attr", None)
                if spelled == name:
                    found.add(name_of(path))
    return found


def functions(path: Path) -> Iterator[Function]:
    """Every function of a module, nested ones and methods included."""
    return (node for node in nodes_of(path) if isinstance(node, Function))


def public(body: list[ast.stmt], inside: str = "") -> Iterator[tuple[str, Function | ast.ClassDef]]:
    """Public functions and classes of a module, and the public methods of those classes."""
    for node in body:
        if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_"):
            yield inside + node.name, node
            if isinstance(node, ast.ClassDef):
                yield from public(node.body, f"{node.name}.")


def is_stub(node: ast.AST) -> bool:
    """Whether a function only says that it is there, as in a Protocol of one line each."""
    body = getattr(node, "body", [])
    return len(body) == 1 and isinstance(body[0], ast.Expr) and getattr(body[0].value, "value", None) is ...


@pytest.mark.parametrize(
    ("made", "maker"),
    [("View", "stages/load.py"), ("RedactedHit", "stages/redact.py"), ("RedactedHits", "stages/redact.py")],
)
def test_one_stage_alone_makes_what_the_next_ones_trust(made: str, maker: str) -> None:
    assert callers(made) == {maker}


@pytest.mark.parametrize("guarded", ["View", "RedactedHit", "RedactedHits"])
def test_nothing_subclasses_what_one_stage_alone_makes(guarded: str) -> None:
    classes = [node for path in MODULES for node in nodes_of(path) if isinstance(node, ast.ClassDef)]
    assert len(classes) > 50
    assert guarded not in {ast.unparse(base).rpartition(".")[2] for node in classes for base in node.bases}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_every_module_and_everything_public_in_it_has_a_docstring(path: Path) -> None:
    tree = tree_of(path)
    without = [name for name, node in public(tree.body) if not is_stub(node) and not ast.get_docstring(node)]
    assert ast.get_docstring(tree)
    assert without == []


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_function_and_no_file_is_too_long(path: Path) -> None:
    long = [node.name for node in functions(path) if (node.end_lineno or 0) - node.lineno >= LONGEST_FUNCTION]
    assert long == []
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE


def test_nine_functions_in_ten_are_short() -> None:
    lengths = sorted((node.end_lineno or 0) - node.lineno + 1 for path in MODULES for node in functions(path))
    assert lengths[len(lengths) * 9 // 10] < 30
    assert lengths[len(lengths) // 2] <= 13


def test_every_error_code_has_an_exit_code_and_no_two_spellings() -> None:
    assert set(EXIT_CODES) == set(ErrorCode)
    assert [code.value for code in ErrorCode] == [code.name for code in ErrorCode]
    assert set(EXIT_CODES.values()) <= {1, 2, 3, 4, 5, 70}


def test_the_exit_codes_are_those_of_the_contract() -> None:
    classes = {
        1: {"MEMORY_ITEM_UNAVAILABLE"},
        2: {"USAGE", "RESOURCE_INVALID", "MEMORY_MODE_INVALID", "TIMESTAMP_AMBIGUOUS"},
        4: {"MEMORY_PERMISSION_DENIED", "CROSS_ORG_REF_DENIED", "MEMORY_MODE_FORBIDDEN"},
        5: {"REDACTION_TOO_BROAD", "REDACTION_FAILED"},
        70: {"INTERNAL"},
    }
    for code, names in classes.items():
        assert {error.value for error, exit_code in EXIT_CODES.items() if exit_code == code} == names


def test_only_the_entry_point_exits() -> None:
    exits = {
        name_of(path)
        for path in MODULES
        for node in nodes_of(path)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and (node.value.id, node.attr) in {("sys", "exit"), ("os", "_exit"), ("os", "abort")}
    }
    assert exits == {"cli/main.py"}
    assert callers("SystemExit") | callers("quit") == set()


def registered(group: typer.Typer, before: str = "") -> Iterator[tuple[str, Callable[..., object]]]:
    """Every command by its whole name, with its function."""
    for command in group.registered_commands:
        assert command.callback is not None
        yield f"{before}{command.name}", command.callback
    for inner in group.registered_groups:
        assert inner.typer_instance is not None
        yield from registered(inner.typer_instance, f"{before}{inner.name} ")


def test_every_command_is_classed_by_what_it_touches() -> None:
    commands = {name for name, _ in registered(app)}
    assert commands <= set(OPERATIONS)
    assert {"assemble", "preview", "query", "read", "resolve", "index build", "index prune"} <= commands


def test_a_command_its_file_and_its_function_are_the_same_word() -> None:
    for name, function in registered(app):
        *folders, word = name.split()
        assert word == function.__name__
        assert (PACKAGE / "cli" / Path(*folders) / f"{word}.py").is_file()
        assert function.__module__ == ".".join(("kradle_ctx.cli", *folders, word))


def imported() -> set[str]:
    """The first parts of everything that package and tests import."""
    found: set[str] = set()
    for path in [*MODULES, *sorted((CHECKOUT / "tests").rglob("*.py"))]:
        for node in nodes_of(path):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition(".")[0])
    return found


def test_every_dependency_is_used() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [re.split(r"[<>=!~\[; ]", line, maxsplit=1)[0].lower() for line in project["dependencies"]]
    assert "pygit2" in names
    modules = imported()
    for name in names:
        if name in PROGRAMS:
            assert "rg" in (PACKAGE / PROGRAMS[name]).read_text(encoding="utf-8")
        else:
            assert IMPORTED_AS.get(name, name.replace("-", "_")) in modules, name


@pytest.mark.parametrize(
    "path", [path for path in MODULES if "cli" not in path.parts and path.name != "wiring.py"], ids=name_of
)
def test_nothing_below_the_command_line_prints_or_reads_the_environment(path: Path) -> None:
    used = {
        (node.value.id, node.attr)
        for node in nodes_of(path)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    assert used & {("os", "environ"), ("os", "getenv"), ("sys", "argv"), ("sys", "stdout"), ("sys", "stderr")} == set()
    assert not any(
        isinstance(node, ast.Name) and node.id in {"print", "input", "eval", "exec"} for node in nodes_of(path)
    )


POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{[0-9,]+\})\+")


def test_no_expression_repeats_a_group_possessively() -> None:
    # Before 3.11.5 Python matched those wrongly: https://github.com/python/cpython/issues/106052
    found = [
        f"{path.relative_to(CHECKOUT)}: {node.value!r}"
        for path in MODULES
        for node in nodes_of(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
        if POSSESSIVE_GROUP.search(node.value if isinstance(node.value, str) else node.value.decode("latin-1"))
    ]
    assert found == []
