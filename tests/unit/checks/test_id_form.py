"""Ids of every kind of characters."""

from __future__ import annotations

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kradle_ctx.characters import has_unsafe
from kradle_ctx.checks.id_form import form_of, trouble
from kradle_ctx.model.constraints import Attribute, KindConstraints, ValueType

PLAIN = KindConstraints("Team", "team")
TYPED = KindConstraints("Team", "team", attributes={"id": Attribute("id", ValueType("id"))})
UNSEEN = st.characters().filter(lambda sign: has_unsafe(f"a{sign}a") or not sign.isprintable())
KEBAB = st.text(string.ascii_lowercase + string.digits + "-", min_size=1).filter(
    lambda text: text[0] != "-" and text[-1] != "-"
)


@settings(max_examples=200, deadline=None)
@given(KEBAB)
def test_small_letters_digits_and_hyphens_are_an_id_in_every_form(slug: str) -> None:
    assert trouble(f"team:{slug}", PLAIN) is None
    assert trouble(f"team:{slug}", TYPED) is None
    assert trouble(f"team:{slug}@1.x", TYPED) is None


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=5), UNSEEN, st.text(max_size=5))
def test_a_character_that_cannot_be_seen_is_found_wherever_it_stands(before: str, sign: str, after: str) -> None:
    for kind in (None, PLAIN, TYPED):
        assert trouble(f"team:a{before}x{sign}x{after}", kind) is not None


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.none(), st.booleans(), st.lists(st.text()), st.dictionaries(st.text(), st.text())))
def test_what_is_no_text_is_no_id(stated: object) -> None:
    assert trouble(stated, PLAIN) == ("the id is no text", None)


@pytest.mark.parametrize("slug", ["a_b", "a/b", "a:b", "-a", "a-", ".a", "a..b", "ä"])
def test_the_type_id_allows_less_than_the_plain_form(slug: str) -> None:
    assert trouble(f"team:{slug}", PLAIN) is None
    assert trouble(f"team:{slug}", TYPED) is not None


def test_a_long_id_is_told_by_its_length() -> None:
    found = trouble("team:" + "a" * 600, PLAIN)

    assert found is not None
    assert "aaa" not in found[0]


@pytest.mark.parametrize(
    ("slug", "told"),
    [
        ("RTOS-development", "capital letters"),
        ("codex:1-2-0", "`:`"),
        ("a_b", "`_`"),
        ("-a", "a hyphen or dot that joins nothing"),
        ("a..b", "a hyphen or dot that joins nothing"),
        ("@1.x", "`@`"),
    ],
)
def test_what_the_type_id_forbids_is_named(slug: str, told: str) -> None:
    assert trouble(f"team:{slug}", TYPED) == (f"the id `team:{slug}` has {told} behind its prefix", None)


def test_the_form_has_a_version_where_ids_have_one() -> None:
    assert form_of(PLAIN) == "`team:<slug>`"
    assert form_of(KindConstraints("ModelVersion", "model", versioned=True)) == "`model:<slug>@<version>`"
    assert form_of(KindConstraints("ModelVersion", "model")) == ("`model:<slug>`, or `model:<slug>@<version>`")
    assert form_of(KindConstraints("Team", "t" * 60)) == form_of(None) == "`<prefix>:<slug>`"
