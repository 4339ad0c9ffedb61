"""`resolve`: from a memory ref to a commit."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from kradle_ctx.cli.options import (
    BRAIN_OPTIONS,
    ERROR_FORMAT,
    OUTPUT,
    QUIET,
    REF_OPTIONS,
    ErrorFormat,
    option,
    takes,
)
from kradle_ctx.cli.session import prepared, say, write_artefact
from kradle_ctx.config import RequestFlags

if TYPE_CHECKING:
    from kradle_ctx.model.refs import CommitPin


class PinFormat(StrEnum):
    """Forms of a pin."""

    TEXT = "text"
    JSON = "json"


PLACE = ("brain", "resources", "org", "memory_repository", "memory_mode")
"""The options of a brain that matter before anything of it is read."""


@takes(
    {name: BRAIN_OPTIONS[name] for name in PLACE} | REF_OPTIONS,
    pin_format=option(PinFormat, OUTPUT, "For reading, or for machines.", "--format", default=PinFormat.TEXT),
    error_format=ERROR_FORMAT,
    quiet=QUIET,
)
def resolve(flags: RequestFlags, pin_format: PinFormat, error_format: ErrorFormat, quiet: bool) -> None:
    """Say which commit a memory ref means, how it was found, and whether it is approved."""
    from kradle_ctx.model.memory_mode import require_permitted
    from kradle_ctx.passages import BlobRedactor
    from kradle_ctx.render.bundle_yaml import to_json
    from kradle_ctx.render.escape import escape_line
    from kradle_ctx.stages.resolve import resolve as resolve_ref

    with prepared(flags, discover=True, quiet=quiet) as run:
        require_permitted("resolve", run.request.memory_mode)
        pin = resolve_ref(run.open_repository(), run.request.ref, configured_branch=run.default_branch)
    value = BlobRedactor(run.redactor).shown(pin_value(pin))
    if pin_format is PinFormat.JSON:
        write_artefact(to_json([value]), None)
    else:
        write_artefact("".join(f"{name:<14}  {escape_line(str(entry))}\n" for name, entry in value.items()), None)
    say((*pin.warnings, *pin.notes), quiet)


def pin_value(pin: CommitPin) -> dict[str, Any]:
    """A pin as names and values."""
    from kradle_ctx.model.timestamps import format_age, format_instant

    value: dict[str, Any] = {
        "resolvedCommit": pin.commit.id,
        "mode": pin.mode.value,
        "requested": pin.requested,
        "committedAt": format_instant(pin.commit.committed_at),
        "approved": {True: "yes", False: "no", None: "unknown in a shallow clone"}[pin.approved],
        "defaultBranch": pin.default_branch,
        "currentCommit": pin.current.id,
    }
    if pin.behind is not None:
        value["staleBy"] = format_age(pin.behind)
    return value
