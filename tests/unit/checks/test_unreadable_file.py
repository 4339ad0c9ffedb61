"""Every reason for which a file is not read, from a real repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kradle_ctx.adapters.git_repository import open_repository
from kradle_ctx.adapters.no_index import NoIndexStore
from kradle_ctx.adapters.surveyor import BrainSurveyor
from kradle_ctx.checks.check import Fault
from kradle_ctx.checks.unreadable_file import unreadable_file
from kradle_ctx.model.findings import Confidence, Severity
from kradle_ctx.passages import BlobRedactor
from kradle_ctx.validation.brain import IndexedBrain
from tests.cases.brain_builder import BrainBuilder
from tests.checks.examples import validated
from tests.fakes import InMemorySearcher
from tests.pipeline import REDACTOR

TOO_LARGE = b"a line of text\n" * 80_000


def found_in(folder: Path) -> dict[str, Fault]:
    """What the check says of the brain at HEAD, by paths."""
    repository = open_repository(folder)
    commit = repository.commit(repository.default_branch(None).commit)
    surveyor = BrainSurveyor(NoIndexStore(), InMemorySearcher(), BlobRedactor(REDACTOR))
    survey = surveyor.survey(repository.snapshot(commit.id), "", None)
    faults = list(unreadable_file(IndexedBrain(survey, commit.committed_at)))
    assert len({fault.where.path for fault in faults}) == len(faults)
    return {fault.where.path: fault for fault in faults}


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Fault]:
    brain = BrainBuilder.create(tmp_path_factory.mktemp("brain"), "")
    brain.write("notes/depot.md", "# Depot\n")
    notes = os.fsencode(brain.repository / "notes")
    for name, data in [
        (b"large.md", TOO_LARGE),
        (b"film.mp4", TOO_LARGE),
        (b"bell\x07.md", b"# Bell\n"),
        (b"bell\x07.png", b"no text"),
        (b"latin\xe9.md", b"# Latin\n"),
    ]:
        Path(os.fsdecode(notes + b"/" + name)).write_bytes(data)
    (brain.repository / "notes" / "link.md").symlink_to("depot.md")
    brain.git("add", "-A")
    brain.git("commit", "-q", "-m", "first")
    head = brain.git("rev-parse", "HEAD")
    brain.git("update-index", "--add", "--cacheinfo", f"160000,{head},vendor")
    brain.git("commit", "-q", "-m", "a submodule")
    return found_in(brain.repository)


def test_what_is_left_out_of_answers_is_an_error(faults: dict[str, Fault]) -> None:
    wrong = {path for path, fault in faults.items() if fault.severity is Severity.ERROR}

    assert wrong == {"notes/large.md", r"notes/bell\x07.md", r"notes/latin\xe9.md"}


def test_what_is_never_read_is_told_and_no_more(faults: dict[str, Fault]) -> None:
    told = {path for path, fault in faults.items() if fault.severity is Severity.INFO}

    assert told == {"notes/link.md", "vendor", r"notes/bell\x07.png"}
    assert "notes/film.mp4" not in faults


def test_each_reason_has_its_own_message_and_hint(faults: dict[str, Fault]) -> None:
    told = {(faults[path].message, faults[path].hint) for path in ("notes/large.md", "notes/link.md", "vendor")}

    assert len(told) == 3
    assert "link" in faults["notes/link.md"].message
    assert "submodule" in faults["vendor"].message


def test_a_byte_that_is_not_utf_8_is_told_once_in_markdown_and_the_character_itself_is_fine() -> None:
    report = validated(
        {"notes/a.md": b"# A\n\nwas \xff once, \xfe twice\n", "notes/b.md": "was \N{REPLACEMENT CHARACTER}\n"}
    )

    (finding,) = report.findings
    assert (finding.check, finding.severity, finding.confidence) == ("KB001", Severity.ERROR, Confidence.HIGH)
    assert (finding.path, finding.span.line, finding.span.column) == ("notes/a.md", 3, 5)


def test_yaml_that_does_not_parse_is_told_once() -> None:
    report = validated({"graph/a.yaml": "a: b: c\n", "notes/a.md": "---\na: b: c\n---\n"})

    assert [finding.check for finding in report.findings] == ["KB002", "KB003"]
