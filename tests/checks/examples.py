"""The examples of checks in `fixtures/checks`, as brains in memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kradle_ctx.adapters.no_index import NoIndexStore
from kradle_ctx.adapters.surveyor import BrainSurveyor
from kradle_ctx.model.findings import Finding, Report
from kradle_ctx.model.refs import MemoryRef, RefMode
from kradle_ctx.model.request import Request
from kradle_ctx.passages import BlobRedactor
from kradle_ctx.validate import committed, validate
from kradle_ctx.validation.reports import Asked
from kradle_ctx.yamldoc import parse
from tests.fakes import Content, InMemoryRepository, InMemorySearcher
from tests.pipeline import REDACTOR

FOLDER = Path(__file__).parents[2] / "fixtures" / "checks"
MOMENT = "2026-06-01T00:00:00Z"
"""When an example's commit is made, where it does not say."""

DESCRIPTION = "case.yaml"


@dataclass(frozen=True)
class Example:
    """One case of a check: the files of a brain, those of its base where it has one, and what is expected."""

    check: str
    valid: bool
    name: str
    files: Mapping[str, bytes]
    base: Mapping[str, bytes] | None
    description: Mapping[str, Any]

    @property
    def expected(self) -> list[str]:
        """Places of the findings of the check, as `path:line:column`."""
        return list(self.description.get("expect") or [])


def examples() -> Iterator[Example]:
    """Every case below the folder."""
    for folder in sorted(FOLDER.glob("KB*/*valid/*/")):
        described = folder / DESCRIPTION
        value = parse(described.read_text()) if described.exists() else {}
        assert isinstance(value, dict), described
        compared = (folder / "base").is_dir()
        yield Example(
            folder.parts[-3],
            folder.parts[-2] == "valid",
            folder.name,
            files_below(folder / "head" if compared else folder),
            files_below(folder / "base") if compared else None,
            value,
        )


def files_below(folder: Path) -> dict[str, bytes]:
    """The files of a folder by their paths in it, without the case's description."""
    found = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != DESCRIPTION)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def validated(
    files: Mapping[str, Content],
    base: Mapping[str, Content] | None = None,
    *,
    at: str = MOMENT,
    layout: str | None = None,
    paths: tuple[str, ...] = (),
) -> Report:
    """The report on a brain in memory, or on what it changes in its base."""
    repository = InMemoryRepository()
    if base is not None:
        repository.add_commit(base, at)
        repository.set_branch("base", repository.default_branch(None).commit)
    repository.add_commit(files, at)
    request = Request(ref=MemoryRef(RefMode.EXPLICIT, "HEAD"), **({"layout_profile": layout} if layout else {}))
    redactor = BlobRedactor(REDACTOR)
    surveyor = BrainSurveyor(NoIndexStore(), InMemorySearcher(), redactor)
    asked = Asked(since="base" if base is not None else None, paths=paths)
    head = committed(request, repository, None)
    return validate(request, asked, head, repository=repository, surveyor=surveyor, redactor=redactor)


def place(finding: Finding) -> str:
    """`path:line:column` of a finding."""
    return f"{finding.path}:{finding.span.line}:{finding.span.column}"
