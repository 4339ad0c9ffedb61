"""Redaction: spans on the original text, nothing left to find, no part of a planted token shown, linear time."""

from __future__ import annotations

import re
import time
from collections import Counter
from functools import cache

from hypothesis import strategies as st

from kradle_ctx.model.redaction import RedactionPattern
from kradle_ctx.passages import RedactedFile
from kradle_ctx.redaction import Redaction, RedactionFailed, Redactor, redact, vendor
from kradle_ctx.redaction.scanning import LAYERS
from tests.fuzz.target import RECORD_MARK, Target, bytes_of, require, text_of
from tests.unit.redaction.templates import expand

PLANT = "\x1d"
"""Where a token is planted, on a line of its own; tokens are made when they are tried, so that no input holds one."""

TEMPLATE = re.compile(
    r"\{~?(?:base62|hex|hexup|b64|b64url|base32|digits|letters|lowdigits|words):[1-9]\d?\}|\{pw:[1-9]\d\}|\{jwt:\}"
)
"""Placeholders that are filled in an input."""

MOST_FILLED = 50

PLANTED = (
    "ghp_{github:ghp_}",
    "npm_{github:npm_}",
    "AKIA{base32:16}",
    "glpat-{b64url:20}",
    "xoxb-{digits:11}-{base62:24}",
)
SHOWN = 6
"""So many characters of a secret in a row would be a leak."""

LEAST_SPEED = 25_000
"""Characters in a second of CPU time that even the oddest text keeps up on a busy machine; prose has 200 times that."""

LONGEST_PATTERN = 200

PHRASES = [
    *["password: ", "api_key = ", "token=", "Authorization: Bearer ", "postgres://u:", "@db/x", "-----BEGIN RSA "],
    *["KEY-----", "PRIVATE ", "-----END ", "kind: Secret\n", "data:\n  ", "| password | ", "|\n| --- |\n", "export "],
    *["sha256:", "```\n", "[REDACTED:x]", "the password is ", "<TOKEN>", "${SECRET}", "\\\n", "\u200b", "\u00ad"],
    *["\r\n", "{hex:64}", "{pw:14}", "{base62:32}", "{b64:64}", "{jwt:}", PLANT, "gitleaks:allow"],
    *["data:image/png;base64,", "-----BEGIN CERTIFICATE-----"],
]
SCRAPS = (
    *map(bytes_of, PHRASES),
    RECORD_MARK,
    b"a.",
    b"x=",
    b"\\\\",
    b"-----",
    b"=" * 9,
    b"A" * 40,
    b"\xf0\x9f\x98\x80",
)


def check(data: bytes) -> str:
    """Redact a text with planted tokens, and a second time with a pattern of the input's own."""
    template, _, pattern = text_of(data).partition(RECORD_MARK.decode())
    text, secrets = planted(TEMPLATE.sub(lambda found: expand(found[0])[0], template, MOST_FILLED))
    begin = time.process_time()
    result = redact(text)
    require(time.process_time() - begin < 1 + len(text) / LEAST_SPEED, "time is linear")
    require_redaction(text, result)
    require(redact(result.text).text == result.text, "a second run finds nothing more")
    require(not leaks(result.text, secrets), "no part of a planted token is shown")
    require_cuts(text, result, secrets)
    word = "extra" if extra(text, pattern[:LONGEST_PATTERN], secrets) else "built-in"
    return f"{word} {' '.join(sorted(result.counts)[:3])}"


def planted(text: str) -> tuple[str, list[str]]:
    """The text with a token at each of its first places for one, and those tokens."""
    tokens, parts = vendor_tokens(), text.split(PLANT)
    made = [tokens[place % len(tokens)] for place in range(min(len(parts) - 1, 2 * len(tokens)))]
    joined = parts[0] + "".join(f"\n{token}\n{part}" for token, part in zip(made, parts[1:], strict=False))
    return joined, made


@cache
def vendor_tokens() -> tuple[str, ...]:
    """A token of each of some vendors, right in length and checksum."""
    return tuple(expand(template, "planted")[0] for template in PLANTED)


def require_redaction(text: str, result: Redaction) -> None:
    """Check that spans are sorted and disjoint, and that text and counts follow from them."""
    at, parts = 0, []
    for span in result.spans:
        require(at <= span.start < span.end <= len(text), "spans are sorted, disjoint and within the text")
        parts += [text[at : span.start], f"[REDACTED:{span.kind}]"]
        at = span.end
    require("".join([*parts, text[at:]]) == result.text, "the redacted text is the text with its spans replaced")
    require(Counter(span.kind for span in result.spans) == Counter(result.counts), "spans are counted by kind")


def require_cuts(text: str, result: Redaction, secrets: list[str]) -> None:
    """Check that no run of lines of a redacted file shows more than the whole."""
    data = text.encode("utf-8", "surrogateescape")
    if "\ufffd" in data.decode(errors="replace"):
        return
    file, lines = RedactedFile(data, result.spans), 1 + text.count("\n")
    for first, last in ((1, lines // 2), (lines // 2, lines), (lines, lines)):
        passage = file.passage(max(1, first), max(1, last))
        require(not leaks(passage.text, secrets), "no part of a planted token is shown by a cut")
    hidden = [data[start:end].decode() for start, end in file.hidden]
    require(hidden == [text[span.start : span.end] for span in result.spans], "hidden bytes are those of the spans")


def extra(text: str, pattern: str, secrets: list[str]) -> bool:
    """Whether the input has a pattern of its own; with it, at least as much is hidden."""
    if not pattern:
        return False
    try:
        redactor = Redactor((RedactionPattern("own", pattern),))
    except RedactionFailed:
        return False
    result = redactor.redact(text[:20_000])
    require_redaction(text[:20_000], result)
    require(len(text) > 20_000 or not leaks(result.text, secrets), "a pattern that is added takes no rule away")
    return True


def leaks(text: str, secrets: list[str]) -> bool:
    """Whether a run of a token's characters, its known beginning aside, stands in a text."""
    runs = {secret[at : at + SHOWN] for secret in secrets for at in range(6, len(secret) - SHOWN + 1)}
    return any(run in text for run in runs)


def rule_seeds() -> list[bytes]:
    """What the rules' own tests find and leave, as templates."""
    rules = [rule for layer in LAYERS for rule in layer.rules] + list(vendor.RULES)
    return [bytes_of(template) for rule in rules for template in (rule.hits[0], rule.misses[0])]


TARGET = Target(
    name="redaction",
    promise="spans lie on the original text, a second run finds nothing, and no planted token shows, in linear time",
    check=check,
    inputs=st.lists(st.sampled_from(PHRASES) | st.text(max_size=6), max_size=14).map("".join).map(bytes_of),
    seeds=lambda: [*rule_seeds(), b"a\n\x1d\nb \x1d c", b"x = 1\n\x1ex+|(b)"],
    scraps=SCRAPS,
)
