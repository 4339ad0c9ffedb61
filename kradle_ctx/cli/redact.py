"""`redact`: text in, redacted text out."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

from kradle_ctx.cli.options import BRAIN_OPTIONS, ERROR_FORMAT, OUTPUT, ErrorFormat, switch, takes
from kradle_ctx.cli.session import working_folder, write_stderr, write_stdout
from kradle_ctx.config import RequestFlags

if TYPE_CHECKING:
    from kradle_ctx.redaction import Redaction

MOST_BYTES = 2 << 20
"""Most bytes of a text; redaction looks at it whole, and the slowest text of that size takes seconds."""

TAKEN = ("resources", "redaction_pattern")


@takes(
    {name: BRAIN_OPTIONS[name] for name in TAKEN},
    report=switch(OUTPUT, "Tell on stderr, as JSON, what was replaced and where.", "--report"),
    error_format=ERROR_FORMAT,
)
def redact(flags: RequestFlags, report: bool, error_format: ErrorFormat) -> None:
    """Replace every secret in a text by [REDACTED:kind], from standard input to standard output.

    The rules are those that everything in a bundle has passed. What is no secret comes out byte by byte as it went in.
    """
    from kradle_ctx.adapters.resource_files import STDIN
    from kradle_ctx.config import settings_from
    from kradle_ctx.errors import ErrorCode, KradleError
    from kradle_ctx.passages import failing_closed
    from kradle_ctx.wiring import redactor_from

    settings = settings_from(flags, os.environ, working_folder())
    if STDIN in settings.resource_paths:
        raise KradleError(ErrorCode.USAGE, "standard input is the text to redact", "name the resources' files with -f")
    redactor = redactor_from(settings)
    text = stdin_text()
    with failing_closed():
        result = redactor.redact(text)
    write_stdout(result.text.encode("utf-8", "surrogateescape"))
    if report:
        write_stderr(json.dumps(report_of(text, result)))


def stdin_text() -> str:
    """Standard input; a byte that is not UTF-8 stands for itself."""
    from kradle_ctx.errors import ErrorCode, KradleError

    data = sys.stdin.buffer.read(MOST_BYTES + 1) if sys.stdin is not None else b""
    if len(data) > MOST_BYTES:
        raise KradleError(
            ErrorCode.LIMIT_EXCEEDED,
            f"the text is longer than {MOST_BYTES} bytes",
            "redact it in parts, cut between lines that belong together",
        )
    return data.decode("utf-8", "surrogateescape")


def report_of(text: str, result: Redaction) -> dict[str, object]:
    """Counts by kind, and each secret's place: its line, and its offsets in bytes."""
    places, line, start, at = [], 1, 0, 0
    for span in result.spans:
        before, secret = text[at : span.start], text[span.start : span.end]
        line += before.count("\n")
        start += len(before.encode("utf-8", "surrogateescape"))
        end = start + len(secret.encode("utf-8", "surrogateescape"))
        places.append({"kind": span.kind, "line": line, "start": start, "end": end})
        line, start, at = line + secret.count("\n"), end, span.end
    counts = [{"kind": kind, "count": count} for kind, count in sorted(result.counts.items())]
    return {"redactions": counts, "places": places}
