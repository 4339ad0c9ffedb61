"""Patterns that an organisation or a request adds to the redaction rules; none can take a rule away."""

from __future__ import annotations

from msgspec import Struct


class RedactionPattern(Struct, frozen=True, order=True):
    """What to hide beside the built-in rules: an RE2 expression whose first group, or all of it, is the secret.

    `kind` is the word that stands in its place, `[REDACTED:kind]`.
    """

    kind: str
    pattern: str

    def to_json(self) -> dict[str, str]:
        """The form that `redactionPatternsDigest` covers."""
        return {"kind": self.kind, "pattern": self.pattern}
