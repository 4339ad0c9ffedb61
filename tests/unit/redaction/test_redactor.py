"""Behaviour of the whole redactor: offsets, markers, invisible characters, repeat runs, failures, time."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from templates import expand

from kradle_ctx.characters import BIDI, CONTROL, INVISIBLE
from kradle_ctx.model.redaction import RedactionPattern
from kradle_ctx.redaction import RedactionFailed, Redactor, redact, scanning

GITHUB, _ = expand("{github:ghp_}")
GITHUB = "ghp_" + GITHUB
PASSWORD = expand("{pw:14}")[0]
BODY = "\n".join(expand("{b64:64}", str(line))[0] for line in range(6))
BEGIN, END = (f"-----{word} RSA {'PRIVATE'} KEY-----" for word in ("BEGIN", "END"))


def test_spans_are_character_offsets_into_text_with_wide_characters() -> None:
    text = f"größe 日本 🙂 token: {GITHUB} – übrig"
    (span,) = redact(text).spans
    assert text[span.start : span.end] == GITHUB
    assert redact(text).text == "größe 日本 🙂 token: [REDACTED:github-token] – übrig"
    assert redact(text).counts == {"github-token": 1}


def test_a_secret_at_the_end_without_a_newline_is_found() -> None:
    assert redact(f"petrel password: {GITHUB}").text == "petrel password: [REDACTED:github-token]"


def test_a_token_as_a_file_name_leaves_folder_and_suffix() -> None:
    assert redact(f"notes/{GITHUB}.md").text == "notes/[REDACTED:github-token].md"


def test_a_private_key_keeps_its_frame_and_the_lines_around_it() -> None:
    assert redact(f"a\n{BEGIN}\n{BODY}\n{END}\nb\n").text == f"a\n{BEGIN}\n[REDACTED:private-key]\n{END}\nb\n"


def test_an_indented_private_key_in_yaml_keeps_its_indent() -> None:
    indented = "\n".join("    " + line for line in (BEGIN, *BODY.split("\n"), END))
    expected = f"keyPem: |\n    {BEGIN}\n    [REDACTED:private-key]\n    {END}\nnext: 1\n"
    assert redact(f"keyPem: |\n{indented}\nnext: 1\n").text == expected


def test_an_unterminated_private_key_ends_where_its_lines_end() -> None:
    assert redact(f"{BEGIN}\n{BODY}\n\nThat was it, sorry.\n").text == (
        f"{BEGIN}\n[REDACTED:private-key]\n\nThat was it, sorry.\n"
    )


def test_a_public_block_is_left_alone() -> None:
    text = f"-----BEGIN CERTIFICATE-----\n{BODY}\n-----END CERTIFICATE-----\n"
    assert redact(text).text == text


@pytest.mark.parametrize(
    "mark", ["gitleaks:allow", "betterleaks:allow", "kingfisher:ignore", "pragma: allowlist secret"]
)
def test_a_marker_in_the_text_switches_nothing_off(mark: str) -> None:
    assert GITHUB not in redact(f"token = {GITHUB}  # {mark}\n").text


@pytest.mark.parametrize("hidden", ["\u200b", "\u00ad", "\u2060", "\ufeff", "\U000e0041", "\x00", "\x1b[31m", "\u202e"])
def test_invisible_characters_inside_a_secret_do_not_hide_it(hidden: str) -> None:
    broken = GITHUB[:12] + hidden + GITHUB[12:]
    assert redact(f"use {broken} now").text == "use [REDACTED:github-token] now"


def test_a_line_continuation_inside_a_token_does_not_hide_it() -> None:
    assert redact(f"TOKEN={GITHUB[:20]}\\\n{GITHUB[20:]}\n").text == "TOKEN=[REDACTED:github-token]\n"


def test_full_width_letters_do_not_hide_a_field() -> None:
    field = "".join(chr(ord(c) + 0xFEE0) for c in "password:")
    assert redact(field + PASSWORD).text == field + "[REDACTED:secret]"


def test_overlapping_findings_become_one_span() -> None:
    key = "AKIA" + expand("{base32:16}")[0]
    assert redact(f"postgres://u:{key}@h/db").text == "postgres://u:[REDACTED:aws-access-key]@h/db"


def test_a_false_marker_hides_nothing() -> None:
    text = f"[REDACTED:x] password: [REDACTED:password]{PASSWORD} {GITHUB}"
    redacted = redact(text).text
    assert PASSWORD not in redacted and GITHUB not in redacted


@pytest.mark.parametrize(
    "text",
    [
        "commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904 and sha256:" + "0123456789abcdef" * 4,
        "id: 2e65e03c-6be9-4dbc-8537-374fda2a1490",
        "password: ${DB_PASSWORD}",
        "token: <TOKEN>",
        "api_key: op://vault/item/field",
        "password: ********",
        "secretKeyRef:\n  name: orders-db\n  key: password\n",
        "The password must be at least 12 characters long.",
        "postgres://user:password@localhost:5432/db",
    ],
)
def test_what_is_no_secret_stays_as_it_is(text: str) -> None:
    assert redact(text).text == text


def test_an_extra_pattern_adds_a_kind_and_its_group_is_the_secret() -> None:
    extended = Redactor((RedactionPattern("badge", r"badge (\d{6})"),))
    assert extended.redact(f"badge 123456, {GITHUB}").text == "badge [REDACTED:badge], [REDACTED:github-token]"


def test_an_extra_pattern_that_is_no_expression_fails_at_once() -> None:
    with pytest.raises(RedactionFailed, match="extra pattern 1"):
        Redactor((RedactionPattern("bad", "("),))


def test_a_rule_that_fails_raises_without_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(data: bytes) -> None:
        raise ValueError(data)

    monkeypatch.setattr(scanning, "_layer_findings", broken)
    with pytest.raises(RedactionFailed) as caught:
        redact(f"token {GITHUB}")
    assert GITHUB not in str(caught.value) and caught.value.__cause__ is None


HANG = 20.0
"""Seconds after which a text of 200 kB counts as a hang, on the slowest machine."""

PIECES = st.sampled_from(
    [
        GITHUB,
        PASSWORD,
        "password: ",
        "token=",
        "\n",
        " ",
        "`",
        '"',
        "'",
        "é",
        "\u200b",
        "\\\n",
        "://u:",
        "@h/",
        "[REDACTED:x]",
        BEGIN,
        END,
        BODY,
        "kind: Secret\n",
        "data:\n  a: ",
        "|",
        "|---|---|\n",
        "is ",
        "-p",
        "curl -u a:",
        "\ud800",
        ",",
        "<password>",
    ]
)


@given(st.lists(PIECES | st.text(max_size=6), max_size=14).map("".join))
def test_a_second_run_changes_nothing_and_spans_are_sorted_and_disjoint(text: str) -> None:
    first = redact(text)
    assert redact(first.text).text == first.text
    assert all(a.end < b.start for a, b in zip(first.spans, first.spans[1:], strict=False))
    assert all(0 <= s.start < s.end <= len(text) for s in first.spans)
    assert sum(first.counts.values()) == len(first.spans)


@pytest.mark.parametrize(
    "unit",
    [
        f"{BEGIN}\n",
        f"{END}\n",
        "a.",
        "password ",
        "x=",
        'password="\\',
        "token: ",
        "http://a:",
        "eyJ",
        "kind: Secret\n",
        "|---|---|\n",
        "user,password\n",
        "cookie: a=b;",
        "pass\u200bword: x",
        "password: [REDACTED:x]",
        "the password is Foo1!bar ",
    ],
)
def test_hostile_text_is_read_without_a_hang(unit: str) -> None:
    """A quadratic rule would take minutes on so much; how time grows is measured by the bench, not here."""
    start = time.monotonic()
    redact(unit * (200_000 // len(unit)))
    assert time.monotonic() - start < HANG


def hidden_marks() -> list[str]:
    """The first and the last of every range that the escaper shows, but for line ends and what is no character."""
    ends = re.findall(r"(.)-(.)|(.)", CONTROL + BIDI + INVISIBLE, re.DOTALL)
    marks = {mark for found in ends for mark in found if mark} | set("\u200c\u200d\ufe0f")
    return sorted(mark for mark in marks if not "\ud800" <= mark <= "\udfff" and mark not in "\t\n\r")


@pytest.mark.parametrize("mark", hidden_marks(), ids=lambda mark: f"U+{ord(mark):04X}")
def test_no_character_that_is_shown_escaped_hides_a_token_it_stands_in(mark: str) -> None:
    assert redact(f"key {GITHUB[:9]}{mark}{GITHUB[9:]} end").text == "key [REDACTED:github-token] end"


@given(st.from_regex(r"[a-z][a-z0-9-]{0,39}", fullmatch=True))
def test_a_pattern_that_fits_its_own_marker_hides_what_it_fits_and_no_more(kind: str) -> None:
    extended = Redactor((RedactionPattern(kind, re.escape(kind[0]) + r"[a-z0-9-]{0,39}x9y"),))
    text = f"see {kind[0]}bcx9y and the prose after it"
    once = extended.redact(text).text
    assert once == f"see [REDACTED:{kind}] and the prose after it"
    assert extended.redact(once).text == once


def test_a_pattern_of_ones_own_sees_the_text_as_it_is() -> None:
    for pattern, text in (
        ("С[0-9]+", "договор С123"),
        ("外秘：[0-9]+", "社外秘：4711"),
        ("⚠\ufe0f [0-9]+", "⚠\ufe0f 4711"),
    ):
        assert "[REDACTED:own]" in Redactor((RedactionPattern("own", pattern),)).redact(text).text


@pytest.mark.parametrize(
    "before", ["\\033[32m", "\\e[1m", "\\b", "\\u003e", "^[[32m", "\x1b[K", "%253D", "\\x3d", "\\075"]
)
def test_an_escape_before_a_token_hides_nothing(before: str) -> None:
    assert GITHUB[4:12] not in redact(f"echo {before}{GITHUB}\n").text


@pytest.mark.parametrize("key", ["&pg ", "!!str &pg ", "&a.b "])
def test_an_anchor_before_a_password_hides_nothing(key: str) -> None:
    for quote in ("", "'", '"'):
        assert PASSWORD not in redact(f"password: {key}{quote}{PASSWORD}{quote}\nother: *pg\n").text
