"""The documentation against the product: commands, options, fields, codes, constants, examples and links."""

from __future__ import annotations

import ast
import hashlib
import importlib
import json
import math
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from kradle_ctx.cli import exit_codes
from kradle_ctx.cli.app import app
from kradle_ctx.cli.exit_codes import EXIT_CODES
from kradle_ctx.cli.options import LIMIT_OPTIONS
from kradle_ctx.model.bundle import OUTSIDE_DIGEST_FIELDS, OUTSIDE_DIGEST_WARNINGS, WarningCode
from kradle_ctx.model.graph import APPROVED_STATUSES, RETIRED_STATUSES, Document, Form, outline_of
from kradle_ctx.model.hits import Evidence, Hit
from kradle_ctx.model.request import Request
from kradle_ctx.render.prompt import prompt_section
from kradle_ctx.resources.schema import schema_folder
from kradle_ctx.stages import rank
from tests.docs.conftest import CHECKOUT
from tests.docs.console import Desk, ShownFile, steps

DOCS = CHECKOUT / "docs"
REFERENCE = DOCS / "reference"
README = CHECKOUT / "README.md"
PAGES = [README, *sorted(DOCS.rglob("*.md"))]
WITH_EXAMPLES = [README, *(page for page in PAGES[1:] if any(steps(page.read_text(encoding="utf-8"))))]

Documents = Callable[[], list[dict[str, Any]]]


def named(page: Path) -> str:
    return str(page.relative_to(CHECKOUT))


def read(page: Path) -> str:
    if not page.exists():
        pytest.skip(f"{named(page)} is missing")
    return page.read_text(encoding="utf-8")


def rows(page: Path, pattern: str) -> list[tuple[str, ...]]:
    """The cells of every table row whose first cell fits."""
    lines = [line for line in read(page).splitlines() if line.startswith("| ")]
    cells = [tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in lines]
    return [row for row in cells if re.fullmatch(pattern, row[0].strip())]


# Examples


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=named)
def test_every_example_runs_ends_as_told_and_says_what_is_shown(page: Path, desk: Desk) -> None:
    assert desk.follow(read(page)) > 0


def test_the_tutorial_writes_every_file_that_it_names() -> None:
    shown = [step for step in steps(read(DOCS / "tutorial.md")) if isinstance(step, ShownFile)]
    assert [step.name for step in shown] == [
        "runbooks/deploy.md",
        "notes/2026-05-friday.md",
        "runbooks/deploy.md",
        "grants/memory.yaml",
    ]


# Commands, options and fields


def test_the_generated_parts_are_what_the_script_writes() -> None:
    script = [sys.executable, str(DOCS / "make_reference.py"), "--check"]
    done = subprocess.run(script, cwd=CHECKOUT, env={"PYTHONPATH": str(CHECKOUT)}, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_every_command_and_every_option_of_it_stands_in_the_reference() -> None:
    group: Any = typer.main.get_command(app)
    sections = dict(
        re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", read(REFERENCE / "commands.md"), re.DOTALL | re.MULTILINE)
    )
    commands = dict(flat(group))
    assert set(commands) <= set(sections)
    for name, command in commands.items():
        text = sections[name] + "".join(sections[other] for other in re.findall(r"as for \[([\w ]+)\]", sections[name]))
        for parameter in command.params:
            words = parameter.opts + parameter.secondary_opts if parameter.param_type_name == "option" else ["ITEM"]
            missing = [word for word in words if not re.search(rf"[` ]{re.escape(word)}[` ,]", text)]
            assert not missing, f"{name}: {missing}"


def flat(group: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    """Every command by its whole name, those of groups too."""
    for name, command in group.commands.items():
        yield from flat(command, f"{before}{name} ") if hasattr(command, "commands") else [(f"{before}{name}", command)]


def test_every_field_of_every_schema_stands_in_the_reference() -> None:
    pages = {
        "AgentDispatchRun": "request.md",
        "AgentContextBundle": "bundle.md",
        "AgentMemorySnapshot": "bundle.md",
        "AgentMemoryQuery": "bundle.md",
        "AgentMemoryGraphIndex": "index.md",
        "AgentMemoryOntologyReport": "index.md",
        "AgentMemoryValidationReport": "findings.md",
        "AgentMemorySearchManifest": "index.md",
    }
    for file in sorted(schema_folder().glob("*.json")):
        kind = file.name.partition(".")[0]
        text = read(REFERENCE / pages.get(kind, "resources.md")) + read(REFERENCE / "resources.md")
        fields = set(re.findall(r"[\w]+", " ".join(re.findall(r"`(?:spec|status|metadata|\w+)[\w.\[\]*]*`", text))))
        assert set(field_names(json.loads(file.read_text(encoding="utf-8")))) <= fields, kind


def field_names(schema: Any) -> Iterator[str]:
    """The name of every property at any depth."""
    if isinstance(schema, Mapping):
        properties = schema.get("properties")
        if isinstance(properties, Mapping):
            yield from properties
        for name, value in schema.items():
            yield from field_names(list(value.values()) if name == "properties" else value)
    elif isinstance(schema, list):
        for value in schema:
            yield from field_names(value)


def test_the_defaults_that_help_names_are_those_of_a_request() -> None:
    request = Request()
    holds = {
        "depth": request.edge_depth,
        "max_matches": request.max_matches,
        "context": request.context_lines,
        "max_bytes": request.limits.max_bytes,
        "max_tokens": request.limits.max_tokens,
        "max_records": request.limits.max_records,
    }
    said = {name: re.search(r"\((\d+)\)", row.help) for name, row in LIMIT_OPTIONS.items()}
    assert {name: int(found[1]) for name, found in said.items() if found} == holds


def test_fields_that_are_called_not_written_are_not_written(documents: Documents) -> None:
    told = {row[0].strip("` ") for row in rows(REFERENCE / "bundle.md", r"`(spec|status)\..*`") if len(row) == 2}
    bundle = documents()[0]
    assert "spec.memory.root" in told
    assert told.isdisjoint(set(paths(bundle, "")))


def paths(value: Any, place: str) -> Iterator[str]:
    """The path of every field of a document, as the reference writes it."""
    if isinstance(value, Mapping):
        for name, entry in value.items():
            path = f"{place}.{name}" if place else name
            yield path
            yield from paths(entry, path)
    elif isinstance(value, list):
        for entry in value:
            yield from paths(entry, f"{place}[]")


# Errors, warnings and digests


def test_every_error_code_stands_in_the_reference_with_its_exit_code() -> None:
    told = {row[0].strip("`"): int(row[1]) for row in rows(REFERENCE / "errors.md", r"`[A-Z_]+`")}
    assert told == {code.value: exit_code for code, exit_code in EXIT_CODES.items()}


def test_every_exit_code_stands_in_the_reference_and_in_the_pipeline_guide() -> None:
    known = {value for name, value in vars(exit_codes).items() if name.isupper() and isinstance(value, int)}
    for page in (REFERENCE / "errors.md", DOCS / "how-to" / "pipeline.md"):
        assert {int(row[0]) for row in rows(page, r"\d+")} == known


def test_every_warning_stands_in_the_reference_with_its_place_in_the_digest() -> None:
    table = read(REFERENCE / "bundle.md").partition("### Warnings")[2].partition("###")[0]
    told = dict(re.findall(r"^\| `([a-z-]+)` \| .* \| (yes|no) \|$", table, re.MULTILINE))
    assert told == {code.value: "no" if code in OUTSIDE_DIGEST_WARNINGS else "yes" for code in WarningCode}


def test_the_reasons_in_the_reference_are_words_of_the_code() -> None:
    text = read(REFERENCE / "bundle.md").partition("### Reasons in `omitted`")[2].partition("### Warnings")[0]
    words = [word for word in re.findall(r"`([^`]+)`", text) if re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", word)]
    code = "".join(file.read_text(encoding="utf-8") for file in sorted((CHECKOUT / "kradle_ctx").rglob("*.py")))
    fields = {"omitted", "denied", "skipped", "items", "count", "bytes", "reasons"}
    reasons = [word for word in words if word not in fields]
    assert len(reasons) > 15
    assert [word for word in reasons if f'"{word}"' not in code] == []


def test_what_stands_outside_the_digest_is_told_in_full() -> None:
    table = read(REFERENCE / "digests.md").partition("## Outside the bundle's digest")[2].partition("##")[0]
    assert re.findall(r"^\| `memory` \| `(\w+)` \|$", table, re.MULTILINE) == list(OUTSIDE_DIGEST_FIELDS)
    warnings = next(line for line in table.splitlines() if line.startswith("| `memory.warnings`"))
    assert set(re.findall(r"`([a-z-]+)`", warnings)) == {code.value for code in OUTSIDE_DIGEST_WARNINGS}


def test_a_fence_marker_is_what_the_page_says(documents: Documents) -> None:
    memory = documents()[0]["spec"]["memory"]
    constant = re.search(r'SHA-256\("([^"]+)" LF', read(REFERENCE / "prompt.md"))
    assert constant is not None
    section = prompt_section(memory)
    for source in memory["sources"]:
        marker = hashlib.sha256(f"{constant[1]}\n{source['digest']}\n0".encode()).hexdigest()[:32]
        assert f"[memory {marker} begins]\n" in section
        assert f"[memory {marker} ends]\n" in section


# Ranking


def constants() -> dict[str, Any]:
    told = rows(REFERENCE / "ranking.md", r"`[a-z_.]+\.[A-Z_]+`")
    return {row[0].strip("`"): ast.literal_eval(row[1]) for row in told}


def test_every_constant_in_the_ranking_page_is_that_of_the_code() -> None:
    for name, value in constants().items():
        module, _, constant = name.rpartition(".")
        assert getattr(importlib.import_module(f"kradle_ctx.{module}"), constant) == value, name


def test_every_number_of_the_ranker_stands_in_the_ranking_page() -> None:
    numbers = {name for name, value in vars(rank).items() if name.isupper() and isinstance(value, int | float | tuple)}
    assert {f"stages.rank.{name}" for name in numbers} <= set(constants())


def test_the_status_words_in_the_ranking_page_are_those_of_the_code() -> None:
    text = read(REFERENCE / "ranking.md")
    approval = next(line for line in text.splitlines() if line.startswith("| approval"))
    retired = next(line for line in text.splitlines() if line.startswith("| supersession"))
    assert APPROVED_STATUSES.issubset(re.findall(r"`(\w+)`", approval))
    assert RETIRED_STATUSES.issubset(re.findall(r"`(\w+)`", retired))


PINNED_AT = datetime(2026, 5, 12, tzinfo=UTC)
ALLOWED = ("a.md", "a/b/**", "**")
"""Patterns of each breadth: exact, narrow, broad."""


@given(
    text=st.floats(0, 20),
    association=st.integers(0, 3),
    distance=st.none() | st.integers(0, 9),
    breadth=st.integers(0, 2),
    age=st.none() | st.integers(-100, 2000),
    approved=st.booleans(),
    status=st.sampled_from(["deprecated", None]),
    size=st.integers(0, 100_000),
)
def test_the_score_is_the_documented_formula(
    text: float,
    association: int,
    distance: int | None,
    breadth: int,
    age: int | None,
    approved: bool,
    status: str | None,
    size: int,
) -> None:
    told = {name.rpartition(".")[2]: value for name, value in constants().items()}
    updated = None if age is None else (PINNED_AT - timedelta(days=age)).isoformat()
    document = Document(
        "a.md",
        "0" * 40,
        Form.MARKDOWN,
        0,
        size,
        1,
        1,
        title="A",
        id="a:a",
        kind="Runbook",
        status=status,
        updated_at=updated,
    )
    evidence = Evidence(
        association_rank=association, distance=distance, allow=ALLOWED[breadth], text_score=text, approved=approved
    )
    recency = 0.0 if age is None else 0.5 ** (max(0, age) / told["HALF_LIFE_DAYS"])
    expected = (0.05 + text / 20) * told["ASSOCIATION_FACTOR"][association] * told["ALLOW_FACTOR"][breadth]
    expected *= told["UNREACHED_FACTOR"] if distance is None else told["DISTANCE_FACTOR"][min(distance, 3)]
    expected *= 1 - told["RECENCY_SHARE"] + told["RECENCY_SHARE"] * recency
    expected *= 1 if approved else told["UNAPPROVED_FACTOR"]
    doublings = 0 if size < 1024 else math.floor(math.log2(size / 1024)) + 1
    expected *= 1 - told["SIZE_SHARE"] * min(doublings, told["SIZE_CLASSES"]) / told["SIZE_CLASSES"]
    expected *= told["RETIRED_FACTOR"] if status else 1
    found = rank.measured(Hit(outline_of(0, document), evidence), 20, PINNED_AT).score
    assert math.isclose(found, expected, abs_tol=1e-8)


# Links


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_link_between_pages_leads_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", read(page), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{named(page)}: {target}"
        if anchor:
            assert anchor in anchors(file), f"{named(page)}: {target}"


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as they are made on the usual hosts."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


# The threat model


def test_every_test_that_the_threat_model_names_is_there() -> None:
    named = set(re.findall(r"`((?:tests|bench)/[\w./]*)`", read(DOCS / "threat-model.md")))
    assert len(named) > 20
    assert [name for name in sorted(named) if not (DOCS.parent / name).exists()] == []
