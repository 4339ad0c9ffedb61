"""Redaction sees the whole file before anything is cut, so that no window lets a part of a secret through."""

from __future__ import annotations

import base64
import random
import string
import zlib

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.request import Limits, QueryMode, Request
from kradle_ctx.render.answer import answer_json, answer_text
from kradle_ctx.render.bundle_yaml import to_json, to_yaml
from kradle_ctx.render.preview import preview_markdown
from kradle_ctx.render.prompt import prompt_section
from kradle_ctx.render.summary import summarize
from tests.pipeline import assembled, brain
from tests.properties.examples import examples

LETTERS = string.ascii_letters + string.digits
FILLER = ("the wagon rolls on", "", "## Signals", "- brakes are checked at noon", "carriage", "carriage and wheel")
SHOWN = 6
"""So many characters of a secret in a row would be a leak."""


def drawn(generator: random.Random, count: int) -> str:
    """Letters and digits."""
    return "".join(generator.choice(LETTERS) for _ in range(count))


def github_token(generator: random.Random) -> tuple[list[str], list[str]]:
    """A token with its right checksum; the lines that hold it, and the secret parts."""
    body, digits, rest = drawn(generator, 30), "", 0
    rest = zlib.crc32(body.encode())
    alphabet = string.digits + string.ascii_uppercase + string.ascii_lowercase
    for _ in range(6):
        rest, digit = divmod(rest, 62)
        digits = alphabet[digit] + digits
    token = "gh" + "p_" + body + digits
    return [f"export TOKEN={token}"], [body]


def private_key(generator: random.Random) -> tuple[list[str], list[str]]:
    """A PEM block of several lines."""
    data = base64.b64encode(bytes(generator.randrange(256) for _ in range(48 * 6))).decode()
    lines = [data[at : at + 64] for at in range(0, len(data), 64)]
    dashes = "-" * 5
    return [f"{dashes}BEGIN PRIVATE KEY{dashes}", *lines, f"{dashes}END PRIVATE KEY{dashes}"], lines


def url_password(generator: random.Random) -> tuple[list[str], list[str]]:
    """A password in a URL."""
    password = drawn(generator, 20)
    return [f"postgres://depot:{password}@db.internal:5432/depot"], [password]


def cluster_secret(generator: random.Random) -> tuple[list[str], list[str]]:
    """A Kubernetes Secret in a code block."""
    values = [base64.b64encode(drawn(generator, 24).encode()).decode() for _ in range(2)]
    data = [f"  {name}: {value}" for name, value in zip(("password", "token"), values, strict=True)]
    return ["```yaml", "kind: Secret", "apiVersion: v1", "data:", *data, "```"], values


MAKERS = (github_token, private_key, url_password, cluster_secret)

filler = st.lists(st.sampled_from(FILLER), max_size=8)


@st.composite
def files_with_secrets(draw: st.DrawFn) -> tuple[dict[str, str], list[str]]:
    """A note and a record, each with a secret between lines that a query finds; and the parts that must not show."""
    generator = random.Random(draw(st.integers(0, 1 << 30)))
    parts: list[str] = []
    files = {}
    for name in ("notes/a.md", "runbooks/b.md"):
        lines, secret = draw(st.sampled_from(MAKERS))(generator)
        text = "\n".join([*draw(filler), *lines, *draw(filler)]) + "\n"
        head = "---\nid: runbook:b\nkind: Runbook\n---\n" if name.startswith("runbooks") else ""
        ending = draw(st.sampled_from(["\n", "\r\n"]))
        files[name] = (head + text).replace("\n", ending)
        parts += secret
    return files, parts


def leaks(text: str, parts: list[str]) -> list[str]:
    """Runs of a secret's characters that stand in a text."""
    return [
        part[at : at + SHOWN] for part in parts for at in range(len(part) - SHOWN + 1) if part[at : at + SHOWN] in text
    ]


@settings(max_examples=examples(40), deadline=None)
@given(
    files_with_secrets(),
    st.integers(0, 3),
    st.sampled_from([600, 800, 1_000, 1_400, 128_000]),
    st.sampled_from(QueryMode),
)
def test_no_window_shows_a_part_of_a_secret(
    made: tuple[dict[str, str], list[str]], context: int, most: int, mode: QueryMode
) -> None:
    files, parts = made
    request = Request(query="carriage wheel", context_lines=context, limits=Limits(max_bytes=most), query_mode=mode)
    if mode is QueryMode.DOCUMENT_READ:
        request = replace(request, select=("notes/a.md",))
    try:
        bundle = assembled(brain(files), request)
    except KradleError as error:
        assert error.code is ErrorCode.REDACTION_TOO_BROAD
        assert leaks(error.message + error.hint, parts) == []
        return
    memory, documents = bundle.memory, [bundle.document, bundle.snapshot, bundle.query]
    texts = [to_yaml(documents), to_json(documents), to_json([answer_json(memory)]), answer_text(memory)]
    texts += [prompt_section(memory), preview_markdown(summarize(bundle))]
    for text in texts:
        assert leaks(text, parts) == []


def test_a_window_that_ends_inside_a_secret_shows_its_marker() -> None:
    lines, _ = private_key(random.Random(1))
    files = {"notes/a.md": "\n".join(["carriage", *lines, "", "rest", *["filler"] * 1_000]) + "\n"}
    memory = assembled(brain(files), Request(query="carriage", context_lines=2)).memory
    (source,) = memory["sources"]
    assert (source["lineStart"], source["lineEnd"]) == (1, 3)
    assert source["content"] == f"carriage\n{lines[0]}\n[REDACTED:private-key]\n"
    assert source["redactions"] == {"private-key": 1}


def test_a_query_for_a_part_of_a_secret_learns_nothing() -> None:
    lines, (password,) = url_password(random.Random(2))
    files = {"notes/a.md": f"{lines[0]}\nbrakes\n"}
    for query in (password, password[:8], f'"{password[3:12]}"', f"brakes {password[:10]}"):
        memory = assembled(brain(files), Request(query=query)).memory
        assert [source["why"]["grep"]["terms"] for source in memory["sources"]] in ([], [["brakes"]])
    for expression in (password[:8], f"{password[:3]}.*", "depot:.+@"):
        memory = assembled(brain(files), Request(query=expression, regex=True)).memory
        assert memory["sources"] == []
