"""Reports of validation in the forms that people, programs and CI systems read, by the names of the forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kradle_ctx.model.findings import Report
from kradle_ctx.render.findings_github import findings_github
from kradle_ctx.render.findings_gitlab import findings_gitlab
from kradle_ctx.render.findings_json import findings_json
from kradle_ctx.render.findings_junit import findings_junit
from kradle_ctx.render.findings_sarif import findings_sarif
from kradle_ctx.render.findings_text import findings_text

FORMATS: Mapping[str, Callable[[Report], str]] = {
    "text": findings_text,
    "json": findings_json,
    "github": findings_github,
    "gitlab": findings_gitlab,
    "sarif": findings_sarif,
    "junit": findings_junit,
}
"""Each takes a report whose texts have passed the redactor, and gives a text that ends in LF."""
