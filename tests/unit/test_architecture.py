"""Rules about the package itself that no import contract can hold."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import kradle_ctx
from kradle_ctx.cli.exit_codes import EXIT_CODES
from kradle_ctx.errors import ErrorCode
from kradle_ctx.model.memory_mode import OPERATIONS

PACKAGE = Path(kradle_ctx.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))

LONGEST_FUNCTION, LONGEST_FILE = 50, 400
"""Lines of source."""

SOLE_MAKERS = {"View": "stages/load.py", "RedactedHit": "stages/redact.py"}
"""Types that one module alone constructs: what is cut to the grants, and what has passed the redactor."""


@cache
def tree(module: Path) -> ast.Module:
    """A module as its syntax tree."""
    return ast.parse(module.read_text(encoding="utf-8"))


def name(module: Path) -> str:
    """A module's path in the package."""
    return module.relative_to(PACKAGE).as_posix()


def called(node: ast.AST) -> str | None:
    """The last part of the name that a call calls."""
    if not isinstance(node, ast.Call):
        return None
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", None)


def functions(module: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function of a module, nested ones and methods included."""
    for node in ast.walk(tree(module)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node


def test_the_package_is_found() -> None:
    assert {"view.py", "assemble.py", "stages/load.py", "cli/main.py"} <= {name(module) for module in MODULES}


@pytest.mark.parametrize(("kind", "maker"), SOLE_MAKERS.items())
def test_a_guarded_type_has_one_maker(kind: str, maker: str) -> None:
    makers = {name(module) for module in MODULES for node in ast.walk(tree(module)) if called(node) == kind}
    assert makers == {maker}


@pytest.mark.parametrize("kind", SOLE_MAKERS)
def test_nothing_copies_or_subclasses_a_guarded_type(kind: str) -> None:
    bases = [
        base
        for module in MODULES
        for node in ast.walk(tree(module))
        if isinstance(node, ast.ClassDef)
        for base in node.bases
    ]
    assert kind not in {ast.unparse(base).rpartition(".")[2] for base in bases}


@pytest.mark.parametrize("module", MODULES, ids=name)
def test_a_module_says_what_it_is(module: Path) -> None:
    assert ast.get_docstring(tree(module))


@pytest.mark.parametrize("module", MODULES, ids=name)
def test_a_module_is_short_and_so_are_its_functions(module: Path) -> None:
    assert len(module.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE
    for function in functions(module):
        assert function.end_lineno is not None
        assert function.end_lineno - function.lineno < LONGEST_FUNCTION, function.name


@pytest.mark.parametrize("module", MODULES, ids=name)
def test_what_is_public_has_a_docstring(module: Path) -> None:
    for node in tree(module).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            assert ast.get_docstring(node), node.name


@pytest.mark.parametrize("module", [module for module in MODULES if not name(module).startswith("cli/")], ids=name)
def test_only_the_command_line_ends_the_process_or_prints(module: Path) -> None:
    for node in ast.walk(tree(module)):
        assert called(node) not in ("exit", "_exit", "quit", "print", "SystemExit"), node.lineno


def test_every_error_code_has_an_exit_code_of_the_table() -> None:
    assert set(EXIT_CODES) == set(ErrorCode)
    assert set(EXIT_CODES.values()) == {1, 2, 3, 4, 5, 70}


def test_every_command_that_opens_the_brain_has_its_place_in_the_table_of_memory_modes() -> None:
    commands = {
        module.stem for module in (PACKAGE / "cli").glob("*.py") for node in ast.walk(tree(module)) if called(node) == "takes"
    }
    assert commands
    assert commands <= set(OPERATIONS)
