"""How far a value is read: judged by its beginning, hidden to its end, and never twice."""

from __future__ import annotations

import base64
import string
from random import Random

import pytest

from kradle_ctx.model.redaction import RedactionPattern
from kradle_ctx.redaction import Redactor, redact

LETTERS = string.ascii_letters + string.digits
LONG = 20_000
"""Characters: far more than a value is judged by, and more than a quote is looked for in."""


def letters(seed: str, count: int) -> str:
    """So many random letters and digits."""
    return "".join(Random(seed).choices(LETTERS, k=count))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("token: ", "\nnext: 1\n"),
        ("TOKEN=", " # and more\n"),
        ('{"token": "', '", "next": 1}'),
        ("token = '", "'\n"),
        ("token: |\n  ", "\nnext: 1\n"),
        ("token:\n  ", "\nnext: 1\n"),
        ("tokens:\n  - ", "\n  - none\n"),
        ("deploy --token ", " --force\n"),
        ("kind: Secret\ndata:\n  any: ", "\n"),
        ("| user | token |\n|---|---|\n| u | ", " |\n"),
        ("key = ghp" + "_", "\n"),
    ],
)
def test_a_long_secret_is_hidden_to_its_end(before: str, after: str) -> None:
    shown = redact(before + letters(before, LONG) + after).text
    assert len(shown) < len(before) + len(after) + 50
    assert shown.endswith(after)


def test_a_list_is_read_element_by_element() -> None:
    secrets = [letters(str(number), 20) for number in range(40)]
    listed = ", ".join(f'"{secret}"' for secret in secrets)
    shown = ", ".join(['"[REDACTED:secret]"'] * len(secrets))
    assert redact(f"tokens: [{listed}]\n").text == f"tokens: [{shown}]\n"


def test_the_lines_of_a_block_end_where_its_indent_ends() -> None:
    block = f"  token: |\n    {letters('first', 24)}\n\n    {letters('second', 24)}\n  name: Zebra7\n"
    shown = "  token: |\n    [REDACTED:secret]\n\n    [REDACTED:secret]\n  name: Zebra7\n"
    assert redact(block).text == shown


def test_items_before_the_column_of_a_name_are_not_its_values() -> None:
    assert redact("- token:\n- wagons-and-axles7\n").text == "- token:\n- wagons-and-axles7\n"


def encoded(seed: str) -> str:
    """A value of a Secret's `data`."""
    return base64.b64encode(letters(seed, 12).encode()).decode()


def test_a_secret_manifest_reaches_past_the_kinds_that_are_further_in() -> None:
    owner = "metadata:\n  ownerReferences:\n  - kind: Deployment\n    name: shop\n"
    assert redact(f"kind: Secret\n{owner}data:\n  a: {encoded('a')}\n").text == (
        f"kind: Secret\n{owner}data:\n  a: [REDACTED:kubernetes-secret]\n"
    )


def test_a_secret_manifest_ends_at_the_next_kind_beside_it() -> None:
    value = "bGV2ZWw9aW5mbw=="
    text = "items:\n- kind: Secret\n  data:\n    a: {}\n- kind: ConfigMap\n  data:\n    a: {}\n"
    shown = text.format("[REDACTED:kubernetes-secret]", value)
    assert redact(text.format(encoded("b"), value)).text == shown


def test_the_kind_in_a_marker_leads_to_no_other_secret() -> None:
    told = " is ".join(["the password", *(letters(str(number), 6) + "1!x" for number in range(60))])
    assert "whole-text" not in redact(told).counts


@pytest.mark.parametrize("sign", ["pw ", "password=\n", "sk_live_"])
def test_a_text_made_of_words_for_secrets_is_hidden_whole(sign: str) -> None:
    assert redact(sign * 60_000).text == "[REDACTED:whole-text]"
    assert "whole-text" not in redact("kw " * 20_001).counts


def test_markers_do_not_count_as_words_for_secrets() -> None:
    told = "[REDACTED:password] [REDACTED:api-token]\n" * 15_000
    assert redact(told).text == told


STEPS = Redactor((RedactionPattern("step", r"\A(?:\[REDACTED:step\] )*(a)"),))
"""Finds one more letter each time, as no honest pattern would."""


def test_a_text_that_yields_more_with_each_scan_is_hidden_whole() -> None:
    assert STEPS.redact("a " * 4 + "b").text == "[REDACTED:step] " * 4 + "b"
    hidden = STEPS.redact("a " * 40 + "b")
    assert hidden.text == "[REDACTED:whole-text]" and hidden.counts == {"whole-text": 1}
    assert STEPS.redact(hidden.text).text == hidden.text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("db_password = '", "\\''\nfoo = bar\nthis is evidence text\nname = 'next'\n"),
        ("eval 'password='", "'' ; echo done; echo 'x y z'\n"),
        ("password: '", "''\nnext: 'abc'\n"),
    ],
)
def test_a_quote_beside_the_closing_one_leads_no_further(before: str, after: str) -> None:
    secret = letters(before, 16)
    shown = redact(before + secret + after).text
    assert secret not in shown
    assert shown.endswith(after.partition("\n")[2] or after[-6:])
