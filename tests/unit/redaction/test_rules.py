"""Every row of the rule table finds its hits, leaves its misses and hides what it found."""

from __future__ import annotations

import pytest
from templates import expand

from kradle_ctx.redaction import redact
from kradle_ctx.redaction.model import Rule
from kradle_ctx.redaction.scanning import LAYERS, findings_of, vendor

RULES = [rule for layer in LAYERS for rule in layer.rules] + list(vendor.RULES)
PIECE = 8


def _cases(field: str) -> list[object]:
    return [
        pytest.param(rule, template, id=f"{rule.id}-{number}")
        for rule in RULES
        for number, template in enumerate(getattr(rule, field))
    ]


def test_every_rule_has_its_own_name_and_two_tests_of_each_kind() -> None:
    assert len({rule.id for rule in RULES}) == len(RULES)
    assert [rule.id for rule in RULES if len(rule.hits) < 2 or len(rule.misses) < 2] == []


@pytest.mark.parametrize(("rule", "template"), _cases("hits"))
def test_a_rule_finds_its_hits_and_nothing_of_them_is_left(rule: Rule, template: str) -> None:
    for seed in ("a", "b", "c"):
        text, secrets = expand(template, seed)
        assert list(findings_of(rule, text.encode())), text
        redacted = redact(text).text
        pieces = [s[i : i + PIECE] for s in secrets if len(s) >= PIECE for i in range(len(s) - PIECE + 1)]
        assert [piece for piece in pieces if piece in redacted] == []


@pytest.mark.parametrize(("rule", "template"), _cases("misses"))
def test_a_rule_leaves_its_misses(rule: Rule, template: str) -> None:
    text, _ = expand(template)
    assert list(findings_of(rule, text.encode())) == []
