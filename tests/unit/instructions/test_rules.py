"""Every row of the rule table finds its hits and leaves its misses."""

from __future__ import annotations

import re

from kradle_ctx.instructions import INSTRUCTION_LIKE, flags
from kradle_ctx.instructions.matching import findings_of
from kradle_ctx.instructions.model import Rule
from kradle_ctx.instructions.phrases import expression
from kradle_ctx.instructions.reading import undisguised
from kradle_ctx.instructions.rules import GROUPS, MARKUP

RULES = [rule for group in GROUPS for rule in group.rules] + list(MARKUP)


def _found(rule: Rule, sample: str) -> bool:
    reading = undisguised(sample)
    return any(findings_of(rule, (reading if rule in MARKUP else reading.lower()).encode()))


def test_every_rule_has_its_own_name_and_two_tests_of_each_kind() -> None:
    assert len({rule.id for rule in RULES}) == len(RULES) > 100
    assert [rule.id for rule in RULES if len(rule.hits) < 2 or len(rule.misses) < 2] == []


def test_the_notation_of_every_pattern_was_understood() -> None:
    """A gap that does not stand between two blanks would be read as itself."""
    assert [rule.id for rule in RULES if re.search(r"~\d", expression(rule.pattern, rule.language).decode())] == []


def test_every_rule_finds_its_hits() -> None:
    assert [(rule.id, sample) for rule in RULES for sample in rule.hits if not _found(rule, sample)] == []


def test_every_hit_stands_near_a_keyword_of_its_group_so_that_it_is_flagged() -> None:
    samples = [(rule, sample) for rule in RULES for sample in rule.hits]
    assert [sample for rule, sample in samples if not {INSTRUCTION_LIKE, rule.flag} <= set(flags(sample))] == []


def test_every_rule_leaves_its_misses() -> None:
    assert [(rule.id, sample) for rule in RULES for sample in rule.misses if _found(rule, sample)] == []
