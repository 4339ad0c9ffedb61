"""What the commands on the index share: their options, the cache folder, and how they report."""

from __future__ import annotations

import os
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from kradle_ctx.cli.options import BRAIN_OPTIONS, OUTPUT, REF_OPTIONS, TASK_OPTIONS, Option, option
from kradle_ctx.cli.session import working_folder, write_artefact
from kradle_ctx.config import RequestFlags

PLACE = ("brain", "resources", "org", "memory_repository", "root", "ontology", "memory_mode")
"""The options that say which brain is meant, and where it is in its repository."""

GRANTS = ("local_grant", "layout_profile", "redaction_pattern")
ASKING = ("repo", "visibility", "stack", "trigger", "user", "team")
"""The options on which it depends what a source grants."""

PLACE_OPTIONS: dict[str, Option] = {name: BRAIN_OPTIONS[name] for name in PLACE} | REF_OPTIONS

GRANTED_OPTIONS: dict[str, Option] = (
    {name: option for name, option in BRAIN_OPTIONS.items() if name in (*PLACE, *GRANTS)}
    | REF_OPTIONS
    | {name: TASK_OPTIONS[name] for name in ASKING}
)


class ReportFormat(StrEnum):
    """Forms of a report."""

    TEXT = "text"
    JSON = "json"


REPORT_FORMAT = option(ReportFormat, OUTPUT, "For reading, or for machines.", "--format", default=ReportFormat.TEXT)


def cache_of(flags: RequestFlags) -> Path:
    """The cache folder, be it there or not; raises `OUTPUT_UNWRITABLE` where nothing says where it is."""
    from kradle_ctx.config import settings_from
    from kradle_ctx.errors import ErrorCode, KradleError

    cache = settings_from(flags, os.environ, working_folder()).cache
    if cache is None:
        raise KradleError(
            ErrorCode.OUTPUT_UNWRITABLE,
            "there is no cache folder: none of KRADLE_CACHE_DIR, XDG_CACHE_HOME and HOME names one",
            "set KRADLE_CACHE_DIR to a folder of your own",
        )
    return cache


def write_json(value: Mapping[str, Any]) -> None:
    """A report for machines."""
    from kradle_ctx.render.bundle_yaml import to_json

    write_artefact(to_json([value]), None)


def write_lines(lines: list[str]) -> None:
    """A report for a person, a line each."""
    from kradle_ctx.render.escape import escape_line

    write_artefact("".join(f"{escape_line(line)}\n" for line in lines), None)


def write_fields(value: Mapping[str, Any]) -> None:
    """A report for a person, a field on each line."""
    write_lines([f"{name:<10}  {field}" for name, field in value.items()])
