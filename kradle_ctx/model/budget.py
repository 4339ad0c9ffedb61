"""What a budget counts: bytes and estimated tokens."""

from __future__ import annotations

from msgspec import Struct

from kradle_ctx.model.access import Access
from kradle_ctx.model.request import Request

SECTION_BYTES = 700_000
"""Most bytes of a memory section, whatever was asked, so that a whole bundle stays below its own limit."""

BYTES_PER_TOKEN = 4
"""The tokenizer `estimate-v1` counts a token for every four bytes of UTF-8, rounded up."""


def tokens_of(size: int) -> int:
    """Estimated tokens of so many bytes."""
    return -(-size // BYTES_PER_TOKEN)


class Budget(Struct, frozen=True):
    """Hard limits of the rendered memory section."""

    max_bytes: int
    max_tokens: int
    max_records: int
    max_matches: int

    @staticmethod
    def of(request: Request, access: Access) -> Budget:
        """The request's limits, narrowed by what the grants allow."""
        granted = [grant.max_context_bytes for grant in access.grants if grant.max_context_bytes is not None]
        limits = request.limits
        most = min([limits.max_bytes, SECTION_BYTES, *granted])
        return Budget(most, limits.max_tokens, limits.max_records, request.max_matches)

    def without(self, taken: int) -> Budget:
        """What is left where so many bytes are taken."""
        left = (self.max_bytes - taken, self.max_tokens - tokens_of(taken))
        return Budget(max(0, left[0]), max(0, left[1]), self.max_records, self.max_matches)

    @property
    def room(self) -> int:
        """Bytes that fit both limits."""
        return min(self.max_bytes, self.max_tokens * BYTES_PER_TOKEN)
