"""No part of a secret is shown, wherever it stands and however the answer is cut (trivy #11003, gitleaks #1243)."""

from __future__ import annotations

import hashlib
import random
import re
import string
import zlib
from pathlib import Path
from typing import Any

import yaml

from tests.cases.brain_builder import BrainBuilder
from tests.cases.command_line import Answer
from tests.cases.place import Place, places

ASKED = ("--query", "petrel", "--context", "2")

PIECE = 12
"""No run of so many characters of a secret may be shown."""

LIMITS = (300, 400, 500, 600, 700, 850, 1000, 1250)
"""Bytes of the section: from too small for anything to room for some items."""

HARMLESS_COMMIT = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
HARMLESS_DIGEST = "sha256:" + hashlib.sha256(b"x").hexdigest()

MARKER = "-----{} RSA PRIVATE " + "KEY-----"
BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase


def tail(length: int, seed: str, alphabet: str = string.ascii_letters + string.digits) -> str:
    """Random-looking characters, the same for the same seed."""
    return "".join(random.Random(seed).choices(alphabet, k=length))


def provider_token() -> str:
    """A token in GitHub's form, its checksum included."""
    payload = tail(30, "token")
    number, digits = zlib.crc32(payload.encode()), ""
    for _ in range(6):
        number, digit = divmod(number, 62)
        digits = BASE62[digit] + digits
    return "gh" + "p_" + payload + digits


def build(folder: Path, root: str) -> None:
    """Secrets in context lines, at the end of a file, in a long line, a URL, a block, attributes and a file name."""
    brain = BrainBuilder.create(folder, root)
    token, key_id = provider_token(), "AK" + "IA" + tail(16, "key", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    lines = [tail(64, f"line {number}", string.ascii_letters + string.digits + "+/") for number in range(6)]
    block = "\n".join([MARKER.format("BEGIN"), *lines, MARKER.format("END")])
    files = {
        "env": f"alpha\nDEPLOY_TOKEN={token}\nneedle petrel is here\nAWS_ACCESS_KEY_ID={key_id}\nomega\n",
        "pem": f"petrel key follows\n{block}\nafter petrel\n",
        "eof": f"petrel password: {token}",
        "split": "x" * 470 + f" petrel {token} tail\n",
        "url": f"petrel db at postgres://svc:{tail(24, 'url')}@db.internal:5432/app\n",
        token: "petrel token in the file name\n",
        "harmless": f"petrel commit {HARMLESS_COMMIT} and {HARMLESS_DIGEST} are not secrets\n",
    }
    for name, text in files.items():
        brain.write(f"notes/{name}.md", text)
    brain.record("Service", "service:sec", "petrel service")
    plain = (brain.brain / "graph" / "service-sec.yaml").read_text()
    (brain.brain / "graph" / "service-sec.yaml").unlink()
    indented = "".join(f"    {line}\n" for line in block.split("\n"))
    webhook = f'  webhook: "https://u:{tail(20, "webhook")}@hooks.example.invalid"\n'
    brain.write("graph/sec.yaml", f"{plain}{webhook}  keyPem: |\n{indented}")
    brain.commit("sec", 1)


def token_of(place: Place) -> str:
    """The provider token of the brain."""
    return place.committed("notes/eof.md").decode().rpartition(" ")[2]


def secrets(place: Place) -> list[str]:
    """Every secret of the brain, read back from its commit."""
    environment = re.findall("=(.+)", place.committed("notes/env.md").decode())
    block = place.committed("notes/pem.md").decode().splitlines()[2:-2]
    url = re.findall("svc:(.+)@", place.committed("notes/url.md").decode())
    webhook = re.findall("//u:(.+)@", place.committed("graph/sec.yaml").decode())
    found = [token_of(place), *environment, *block, *url, *webhook]
    assert len(found) == 11 and min(map(len, found)) >= PIECE
    return found


def pieces(place: Place) -> set[str]:
    """Every run of twelve characters of a secret."""
    return {secret[start : start + PIECE] for secret in secrets(place) for start in range(len(secret) - PIECE + 1)}


def leaks(place: Place, answer: Answer) -> list[str]:
    """Runs of a secret that an answer shows on stdout or stderr, also where lines were wrapped."""
    shown = answer.text + answer.talk
    unwrapped = re.sub(r"\s+", "", shown)
    return [piece for piece in pieces(place) if piece in shown or piece in unwrapped]


def found(place: Place) -> dict[str, Any]:
    """The answer to the case's question."""
    return place.ask(*ASKED)


def test_no_secret_shows_in_any_output(place: Place) -> None:
    answers = [
        place.run("query", "--format", "json", *ASKED),
        place.run("query", *ASKED),
        place.run("preview", *ASKED),
        place.run("assemble", "--local-grant", *ASKED, "--all-documents"),
    ]

    for answer in answers:
        assert answer.code == 0
        assert "petrel" in answer.text
        assert leaks(place, answer) == []


def test_no_cut_and_no_context_leaves_a_part_of_a_secret(place: Place) -> None:
    for limit in place.sweep(LIMITS):
        context = str(LIMITS.index(limit) % 4)
        answer = place.run("query", "--query", "petrel", "--context", context, "--max-bytes", str(limit))
        assert answer.code == 0
        assert leaks(place, answer) == [], limit


def test_reading_a_file_of_secrets_shows_none(place: Place) -> None:
    for item in place.sweep(("notes/env.md", "notes/pem.md", "service:sec")):
        answer = place.run("read", item)
        assert answer.code in (0, 5)
        assert leaks(place, answer) == []


def test_a_path_that_is_a_secret_is_not_repeated_when_it_is_asked_for(place: Place) -> None:
    answer = place.run("read", f"notes/{token_of(place)}.md", "--format", "json")

    assert answer.json["sources"][0]["content"] == "petrel token in the file name\n"
    assert leaks(place, answer) == []


def test_a_file_named_by_a_secret_is_shown_under_a_redacted_path(place: Place) -> None:
    (named,) = [source for source in found(place)["sources"] if "in the file name" in source["content"]]

    assert re.fullmatch(r"(notes/)?\[REDACTED:[a-z-]+\]\.md", named["path"])


def test_commit_ids_and_digests_are_no_secrets(place: Place) -> None:
    (source,) = [source for source in found(place)["sources"] if source["title"] == "harmless"]

    assert f"petrel commit {HARMLESS_COMMIT} and {HARMLESS_DIGEST} are not secrets\n" == source["content"]
    assert source["redactions"] == {}


def test_the_bundle_counts_what_was_redacted(place: Place) -> None:
    output = place.run("assemble", "--local-grant", *ASKED, "--all-documents")
    bundle = next(yaml.safe_load_all(output.text))
    counts = {entry["kind"]: entry["count"] for entry in bundle["spec"]["redactions"]}
    items = {source["title"]: source for source in bundle["spec"]["memory"]["sources"]}

    assert counts["github-token"] >= 2 and counts["aws-access-key"] == 1 and counts["url-password"] == 1
    assert items["env"]["redactions"] == {"github-token": 1, "aws-access-key": 1}
    assert items["env"]["content"].count("[REDACTED:") == 2


def test_no_error_repeats_a_secret_that_it_was_given(place: Place) -> None:
    token = token_of(place)
    refused = (
        ("query", "--query", "petrel", "--ref", token),
        ("resolve", "--at", token, "--error-format", "json"),
        ("query", "--query", "petrel", f"--{token}"),
        ("read", f"{token}.md"),
    )

    for arguments in place.sweep(refused):
        answer = place.run(*arguments)
        assert answer.code in (1, 2, 3)
        assert answer.stdout == b""
        assert leaks(place, answer) == [], arguments[0]


def test_a_secret_in_the_question_is_neither_looked_for_nor_repeated(place: Place) -> None:
    answer = place.run("query", "--query", f"{token_of(place)} petrel", "--format", "json")

    assert answer.json["query"]["text"] == "[REDACTED:github-token] petrel"
    assert leaks(place, answer) == []


FOUND = [
    "KB050 graph/sec.yaml:8",
    "KB050 graph/sec.yaml:11",
    "KB050 notes/env.md:2",
    "KB050 notes/env.md:4",
    "KB050 notes/eof.md:1",
    "KB050 notes/pem.md:3",
    "KB050 notes/split.md:1",
    "KB050 notes/url.md:1",
]


def test_validation_says_where_secrets_stand_and_repeats_none(place: Place) -> None:
    assert places(place.validate()) == FOUND
    for form in place.sweep(("text", "json", "sarif", "junit", "github", "gitlab")):
        assert leaks(place, place.run("validate", "--format", form)) == [], form
