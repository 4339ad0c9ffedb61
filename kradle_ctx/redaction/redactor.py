"""The entry to redaction: the rules are loaded for the first text in which any of them could find something."""

from __future__ import annotations

from msgspec import Struct, field

from kradle_ctx.expressions import is_expression
from kradle_ctx.model.redaction import RedactionPattern
from kradle_ctx.redaction.model import Redaction, RedactionFailed, Span
from kradle_ctx.redaction.plain_words import are_plain_words
from kradle_ctx.redaction.spans import apply


class Redactor(Struct, frozen=True):
    """The built-in rules and, optionally, more patterns; patterns are added, never taken away."""

    extra: tuple[RedactionPattern, ...] = field(default=())

    def __post_init__(self) -> None:
        for number, each in enumerate(self.extra, start=1):
            if not is_expression(each.pattern):
                raise RedactionFailed(f"extra pattern {number} is not an RE2 expression")

    def redact(self, text: str) -> Redaction:
        """Replace every secret of the text by `[REDACTED:kind]`."""
        return apply(text, self.spans(text))

    def spans(self, text: str) -> tuple[Span, ...]:
        """The secrets of the text as sorted, disjoint spans in characters."""
        if not self.extra and are_plain_words(text):
            return ()
        # That the rules cannot be loaded, for lack of descriptors say, is no rule that failed.
        from kradle_ctx.redaction.scanning import secrets_of

        try:
            return secrets_of(text, self.extra)
        except Exception as error:
            raise RedactionFailed(f"a redaction rule failed ({type(error).__name__})") from None


def redact(text: str) -> Redaction:
    """Redact a text with the built-in rules."""
    return _BUILT_IN.redact(text)


_BUILT_IN = Redactor()
