"""Names that are like others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kradle_ctx.checks.nearest import MOST_KNOWN, nearest

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


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("titel", "title"),
        ("payments", "payment"),
        ("accomodation-type", "accommodation-type"),
        ("package-json commands", "package-json-commands"),
        ("repo-url", "repoURL"),
        ("need_parts", "needs_part"),
    ],
)
def test_a_letter_a_swap_or_a_separator_is_a_slip(wrong: str, meant: str) -> None:
    assert nearest(wrong, ["summary", meant]) == meant


@pytest.mark.parametrize(
    ("wrong", "known"),
    [
        ("supported", "unsupported"),
        ("static-config", "dynamic-config"),
        ("xhigh", "high"),
        ("wcag-a", "wcag-aa"),
        ("v1beta1", "v1beta2"),
        ("templating", "testing"),
        ("capability", "compatibility"),
        ("stdio-pty", "stdio"),
        ("claimedAt", "claimId"),
        ("ProviderTranslation", "ProviderVersion"),
    ],
)
def test_another_word_is_no_slip_however_much_it_looks_alike(wrong: str, known: str) -> None:
    assert nearest(wrong, [known]) is None
    assert nearest(known, [wrong]) is None


def test_of_two_that_may_be_meant_neither_is_named() -> None:
    assert nearest("replace", ["replaces", "replaced"]) is None
    assert nearest("replacES", ["replaced", "replaces"]) == "replaces"


def test_no_more_names_are_looked_at_than_honest_ontologies_have() -> None:
    looked_at = 0

    def names() -> Iterator[str]:
        nonlocal looked_at
        for number in range(MOST_KNOWN * 10):
            looked_at += 1
            yield f"kind{number}"

    assert nearest("kind-x", names()) is None
    assert looked_at == MOST_KNOWN
