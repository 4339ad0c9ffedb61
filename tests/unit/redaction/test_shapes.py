"""Redaction of texts that are made to slow it down or to shift its offsets; how fast it is, the bench measures."""

from __future__ import annotations

from random import Random

import pytest

from kradle_ctx.redaction import redact
from tests.redaction_shapes import SHAPES

SIZE = 1_500
"""Characters, about; more would only take longer."""


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_loses_nothing_but_its_secrets(name: str) -> None:
    text = SHAPES[name](SIZE, Random(name))
    found = redact(text)
    borders = [0, *(place for span in found.spans for place in (span.start, span.end)), len(text)]
    assert borders == sorted(borders) and all(span.start < span.end for span in found.spans)
    kept = [text[start:end] for start, end in zip(borders[::2], borders[1::2], strict=True)]
    markers = [f"[REDACTED:{span.kind}]" for span in found.spans]
    assert found.text == "".join(part for pair in zip(kept, [*markers, ""], strict=True) for part in pair)
    assert redact(found.text).text == found.text
