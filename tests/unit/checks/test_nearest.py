"""Names that are like others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kradle_ctx.checks.nearest import MISSPELT, MOST_KNOWN, nearest

KINDS = ("Runbook", "Decision", "Service", "Team", "RunRetrospective")


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [("Runbok", "Runbook"), ("runbook", "Runbook"), ("Descision", "Decision"), ("TEAM", "Team"), ("Servce", "Service")],
)
def test_a_slip_is_told_from_its_word(wrong: str, meant: str) -> None:
    assert nearest(wrong, KINDS) == meant


@pytest.mark.parametrize("wrong", ["", "x", "Customer", "Te", "R" * 61])
def test_what_is_like_nothing_has_no_neighbour(wrong: str) -> None:
    assert nearest(wrong, KINDS) is None


def test_two_spellings_of_a_word_are_nearer_than_two_words() -> None:
    assert nearest("titel", ["title", "summary"], MISSPELT) == "title"
    assert nearest("claimedAt", ["claimId"], MISSPELT) is None


def test_no_more_names_are_looked_at_than_honest_ontologies_have() -> None:
    looked_at = 0

    def names() -> Iterator[str]:
        nonlocal looked_at
        for number in range(MOST_KNOWN * 10):
            looked_at += 1
            yield f"kind{number}"

    assert nearest("kind", names()) is not None
    assert looked_at == MOST_KNOWN
