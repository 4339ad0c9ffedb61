"""How much of the corpus is flagged: attacks in many languages and carriers, and harmless texts that stand close."""

from __future__ import annotations

from collections import Counter

import pytest

from kradle_ctx.instructions import flags

from .corpus import attacks, benign

ATTACKS = list(attacks())


def test_nineteen_attacks_in_twenty_are_flagged() -> None:
    missed = [text for _, _, text in ATTACKS if not flags(text)]
    assert len(ATTACKS) >= 300
    assert len(missed) <= len(ATTACKS) // 20


@pytest.mark.parametrize("place", [0, 1], ids=["language", "carrier"])
def test_no_language_and_no_carrier_is_left_out(place: int) -> None:
    known = Counter(attack[place] for attack in ATTACKS)
    flagged = Counter(attack[place] for attack in ATTACKS if flags(attack[2]))
    assert [name for name, number in known.items() if flagged[name] < number * 0.8] == []


def test_no_harmless_text_is_flagged() -> None:
    texts = list(benign())
    assert len(texts) >= 200
    assert [(topic, text, flags(text)) for topic, text in texts if flags(text)] == []


def test_all_harmless_texts_in_one_document_are_not_flagged_either() -> None:
    """Sentences next to each other must not add up to a finding."""
    assert flags("\n\n".join(text for _, text in benign())) == ()
