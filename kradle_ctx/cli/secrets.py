"""What the command line itself says passes the redactor, too: errors, notes and pins name what the caller gave."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def without_secrets(value: Any) -> Any:
    """The same value with each text in it redacted, and withheld where redaction fails."""
    from kradle_ctx.redaction import redact

    if isinstance(value, Mapping):
        return {name: without_secrets(entry) for name, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_secrets(entry) for entry in value]
    if not isinstance(value, str):
        return value
    try:
        return redact(value).text
    except Exception:
        return "withheld, because redaction failed"
