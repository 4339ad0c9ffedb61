"""Section D of the hostile cases, attacks on redaction itself: switches, borders, markers, overlaps, look-alikes.

Floods and failing rules stand in `test_redaction_limits.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from tests.conftest import GitBuilder
from tests.hostile.desk import Desk
from tests.hostile.harmless import harmless_texts
from tests.hostile.planted import Planted, key_id, password, private_key, tail, token
from tests.hostile.secret_brain import FIRST, SECOND, dumped, resource
from tests.hostile.split_secrets import split_secrets

Git = Callable[..., GitBuilder]

MARKER = re.compile(r"\[REDACTED:[a-z]+(?:-[a-z]+)*\]")
"""A marker that says a kind and nothing else: no digits, no part of the secret, no hash of it."""

WIDE = ("--max-records", "400", "--max-matches", "400", "--max-bytes", "700000", "--max-tokens", "200000")

PROSE = "The sea is calm today.\n"
FILLING = PROSE * 40


def answer(desk: Desk, brain: GitBuilder, *options: str, ref: str = "main") -> dict[str, Any]:
    """What `query` finds for the word that every text begins with."""
    asked = ("--query", "petrel", "--ref", ref, "--format", "json", *options)
    outcome = desk.run("query", "--brain", brain.path, *asked)
    assert outcome.code == 0, outcome.answer.talk
    return outcome.answer.json


def contents(desk: Desk, brain: GitBuilder, files: Mapping[str, str], ref: str = "main") -> dict[str, str]:
    """The whole text of each file as a reader gets it."""
    return {source["path"]: source["content"] for source in whole(desk, brain, files, ref)}


def whole(desk: Desk, brain: GitBuilder, paths: Iterable[str], ref: str = "main") -> list[dict[str, Any]]:
    """The whole files at these paths as items of an answer."""
    selected = [part for path in paths for part in ("--select", path)]
    sources: list[dict[str, Any]] = answer(desk, brain, *WIDE, "--mode", "document-read", *selected, ref=ref)["sources"]
    assert {source["path"] for source in sources} == {*paths}
    return sources


def note_files(texts: Mapping[str, str]) -> dict[str, str]:
    """A note for each text; prose goes with it, so that not too much of a note is removed."""
    return {f"notes/{name.replace(' ', '-')}.md": text + FILLING for name, text in texts.items()}


ALLOWING = (
    "gitleaks:allow",
    "betterleaks:allow",
    "kingfisher:ignore",
    "pragma: allowlist secret",
    "pragma: allowlist nextline secret",
    "trufflehog:ignore",
    "ggignore",
    "gitguardian:ignore",
    "nosec",
    "noqa",
    "nolint:gosec",
    "NOSONAR",
    "checkov:skip=CKV_SECRET_6",
    "tfsec:ignore:general-secrets-no-plaintext-exposure",
    "semgrep:ignore",
    "secretlint-disable",
    "detect-secrets: ignore",
    "kradle-ctx:allow",
    "redaction: off",
    "example",
    "dummy",
    "not a secret",
)
"""What switches other scanners off, and what an attacker would try here."""


def test_d03_no_comment_switches_redaction_off(git: Git, desk: Desk) -> None:
    planted = Planted()
    texts = {}
    for number, comment in enumerate(ALLOWING):
        first, second, third = (planted.token(f"{comment} {place}") for place in ("after", "before", "around"))
        plain = planted.note(f"{comment} password", password(comment), public=0)
        texts[f"allow {number}"] = (
            f"petrel\nkey = {first}  # {comment}\n\n# {comment}\nkey = {second}\n\n"
            f"/* {comment} */ key = {third} // {comment}\n\npassword: {plain} # {comment}\n\n<!-- {comment} -->\n"
        )
    shown = contents(desk, git_with(git, texts), note_files(texts))
    assert planted.shown(*(text.encode() for text in shown.values())) == set()
    for number, comment in enumerate(ALLOWING):
        assert shown[f"notes/allow-{number}.md"].count(comment) == 6


def git_with(git: Git, texts: Mapping[str, str], name: str = "brain") -> GitBuilder:
    """A brain of one note for each text."""
    brain = git(name)
    brain.add_commit(note_files(texts), FIRST)
    return brain


def test_d05_no_border_and_no_inlay_hides_a_secret(git: Git, desk: Desk) -> None:
    planted = Planted()
    texts = split_secrets(planted)
    shown = contents(desk, git_with(git, texts), note_files(texts))
    assert planted.shown(*(text.encode() for text in shown.values())) == set()


def bordered(planted: Planted) -> dict[str, str]:
    """Files in which a private key lies across a border of what is shown: window, head, document, size, block."""
    key = private_key("bordered", lines=12)
    for line in key[1:-1]:
        planted.note("private key", line, public=0)
    lines, before, after = ("".join(f"{line}\n" for line in part) for part in (key, key[:6], key[6:]))
    record = "nodeKind: Runbook\nid: runbook:{0}\nattributes:\n  title: petrel {0}\n  key: |\n".format
    long = indent(f"text: |\n{indent(FILLING * 8, '  ')}", "  ")
    page = "---\nid: runbook:front\nkind: Runbook\ntitle: petrel\nkey: |\n"
    files = {
        "notes/window.md": f"{FILLING}petrel\n{lines}petrel\n{FILLING * 5}",
        "notes/tied.md": f"---\nrelated: [runbook:head]\n---\n{PROSE * 10}{lines}{FILLING * 8}",
        "graph/head.yaml": record("head") + indent(lines, "    ") + long,
        "graph/two.yaml": f"{record('one')}{indent(before, '    ')}---\n{record('two')}{indent(after, '    ')}{long}",
        "runbooks/front.md": f"{page}{indent(before, '  ')}---\n{after}{FILLING * 8}",
    }
    for size in (4095, 4096, 4097, 4130):
        text = f"petrel\n{PROSE * 140}"[: size - len(lines) - 8]
        files[f"notes/size-{size}.md"] = f"{text}\n{lines}petrel\n"
    return files


CUTS = (
    *(("--mode", "grep-only", "--context", str(context)) for context in range(0, 14, 3)),
    *(("--max-bytes", str(size), "--context", "2") for size in (700, 1_000, 2_000, 4_000, 8_000, 20_000)),
    ("--mode", "graph-only"),
    WIDE,
)


def test_d05_no_cut_through_a_file_hides_a_private_key(git: Git, desk: Desk) -> None:
    brain, planted = git(), Planted()
    files = bordered(planted)
    brain.add_commit(files, FIRST)
    reached = set()
    for options in CUTS:
        found = answer(desk, brain, *options)
        reached |= {source["path"] for source in found["sources"] if source["redactions"]}
        assert planted.shown(*(source["content"].encode() for source in found["sources"])) == set(), options
    assert reached == files.keys()


def test_d05_no_block_of_a_large_file_hides_a_secret(git: Git, desk: Desk) -> None:
    """Tokens lie across every border at which a reader could divide a file."""
    planted, borders = Planted(), sorted({2**power for power in range(9, 19)} | {10**power for power in (3, 4, 5)})
    text = "petrel\n"
    for border in borders:
        room = border - 20 - len(text)
        text += PROSE * (room // len(PROSE)) + " " * (room % len(PROSE)) + planted.token(str(border)) + "\n"
    brain = git()
    brain.add_commit({"notes/large.md": text}, FIRST)
    outcome = desk.run("read", "--brain", brain.path, "notes/large.md")
    assert outcome.answer.text.count("[REDACTED:github-token]") == len(borders)
    assert planted.shown(*outcome.written) == set()


EVERYTHING = {
    "organizationRef": "local",
    "include": {"paths": ["**"]},
    "sensitivities": ["public", "internal", "restricted"],
}


@pytest.mark.parametrize("left", [10, 14, 18])
def test_d05_no_cut_of_a_name_leaves_a_part_of_a_secret(left: int, git: Git, desk: Desk, tmp_path: Path) -> None:
    """Titles, keys, branches, paths and what a message repeats were once cut; so many characters would be left."""
    planted = Planted()

    def cut_at(border: int, name: str, joint: str = "-") -> str:
        return "x" * (border - left - len(joint)) + joint + planted.token(name)

    key, grant = cut_at(59, "key"), tmp_path / "grant.yaml"
    grant.write_text(dumped(resource("AgentMemorySource", "everything", EVERYTHING)))
    brain = git()
    files = {"notes/title.md": f"# petrel {cut_at(1_992, 'title', ' ')}\n", "graph/key.yaml": f"{key}: 1\n{key}: 2\n"}
    first = brain.add_commit(files, FIRST)
    brain.add_commit(files, SECOND, branch=cut_at(60, "branch", "/"))
    brain.set_head(cut_at(60, "branch", "/"))
    path = cut_at(200, "path", " ").encode() + b"\xff.md"
    brain.add_raw_commit(brain.add_tree(("100644", path, brain.add_object("blob", b"petrel\n"))), branch="odd")
    asked = ("--brain", brain.path, "-f", grant, "--query", "petrel")
    calls: dict[int, list[tuple[str | Path, ...]]] = {
        0: [
            ("preview", *asked, "--ref", first, "--format", "json"),
            ("query", *asked, "--ref", "odd", "--format", "json"),
        ],
        2: [
            ("resolve", "--at", cut_at(60, "instant")),
            ("resolve", "--memory-mode", cut_at(40, "mode")),
            ("query", "-f", cut_at(160, "file", "/")),
        ],
        3: [("resolve", "--brain", brain.path, "--ref", cut_at(80, "ref", "/") + "~1")],
    }
    shown: set[str] = set()
    for code, commands in calls.items():
        for command in commands:
            outcome = desk.run(*command)
            assert outcome.code == code, outcome.answer.talk
            shown |= planted.shown(*outcome.written)
    assert shown == set()


FAKES = ("[REDACTED:x]", "[REDACTED:github-token]", "[REDACTED]", "[REDACTED:]", "[redacted:x]", "REDACTED")

SENTENCES = ("password={}", 'password: "{}"', "deploy --password {}", "the password is {}", "https://u:{}@h.invalid/")


def test_d06_a_marker_in_the_text_hides_no_secret(git: Git, desk: Desk) -> None:
    planted, lines = Planted(), []
    for fake in FAKES:
        for sentence in SENTENCES:
            for form in (f"{{}}{fake}", f"{fake}{{}}"):
                line = sentence.format(form)
                lines.append(line.format(planted.note(line, password(line), public=0)))
        lines += [planted.token(f"token before {fake}") + fake, fake + planted.token(f"token after {fake}")]
        lines.append(f"[REDACTED:{planted.token(f'token inside {fake}')}]")
    texts = {f"line {number}": f"petrel\n{line}\n" for number, line in enumerate(lines)}
    shown = contents(desk, git_with(git, texts), note_files(texts))
    assert planted.shown(*(text.encode() for text in shown.values())) == set()


def test_d06_a_second_pass_changes_nothing(git: Git, desk: Desk) -> None:
    texts = {**split_secrets(Planted()), **{f"overlap {number}": line for number, (line, _) in enumerate(overlaps())}}
    texts["markers"] = "petrel\n" + " ".join(FAKES) + "\n"
    brain = git_with(git, texts)
    once = contents(desk, brain, note_files(texts))
    brain.add_commit(once, SECOND, branch="twice")
    sources = whole(desk, brain, once, "twice")
    assert {source["path"]: source["content"] for source in sources} == once
    assert not [source["path"] for source in sources if source["redactions"]]


def overlaps() -> list[tuple[str, str]]:
    """Secrets that several rules find, and what has to be left around the marker `*`."""
    key, made = key_id("overlap"), token("overlap")
    secret = tail("overlap", 40)
    return [
        (f"petrel postgres://u:{key}@h.invalid/db\n", "petrel postgres://u:*@h.invalid/db\n"),
        (f"petrel postgres://u:{made}@h.invalid/db\n", "petrel postgres://u:*@h.invalid/db\n"),
        (f"petrel\npassword={made}\n", "petrel\npassword=*\n"),
        (f"petrel\nAuthorization: Bearer {made}\n", "petrel\nAuthorization: Bearer *\n"),
        (f"petrel\ncurl -u bob:{made} https://h.invalid\n", "petrel\ncurl -u bob:* https://h.invalid\n"),
        (f"petrel\nthe password is {key}\n", "petrel\nthe password is *\n"),
        (f"petrel\ntoken={made}{key}\n", "petrel\ntoken=*\n"),
        (f"petrel\n{made}{token('other')}\n", "petrel\n*\n"),
        (f"petrel\nAWS_SECRET_ACCESS_KEY={secret}\n", "petrel\nAWS_SECRET_ACCESS_KEY=*\n"),
        (f"petrel https://u:{key}@h.invalid/?token={made}\n", "petrel https://u:*@h.invalid/?token=*\n"),
    ]


def test_d07_overlapping_findings_become_one_marker_and_leave_the_rest(git: Git, desk: Desk) -> None:
    pairs = overlaps()
    texts = {f"overlap {number}": text for number, (text, _) in enumerate(pairs)}
    shown = contents(desk, git_with(git, texts), note_files(texts))
    for number, (_, left) in enumerate(pairs):
        assert MARKER.sub("*", shown[f"notes/overlap-{number}.md"]) == left + FILLING


def test_d09_a_marker_tells_nothing_of_its_secret(git: Git, desk: Desk) -> None:
    """Two brains that differ in their secrets alone look alike, but for the ids that Git gives them."""
    answers = []
    for name in ("one", "two"):
        text = f"petrel token {token(name)}, key {key_id(name)}\npassword: {password(name)}\n"
        brain = git_with(git, {"fingerprint": text}, name)
        (source,) = answer(desk, brain)["sources"]
        for ids in ("blob", "lastChanged"):
            source.pop(ids)
        answers.append(source)
    assert answers[0] == answers[1]
    assert len(MARKER.findall(answers[0]["content"])) == answers[0]["content"].count("REDACTED") == 3


def test_d11_what_only_looks_like_a_secret_comes_out_as_it_is(git: Git, desk: Desk) -> None:
    """Lock files, digests, ids, and what the tool itself writes."""
    brain = git_with(git, {"plain": "petrel\n"}, "own")
    own = {
        form: desk.run("assemble", "--brain", brain.path, "--local-grant", "--query", "petrel", "--format", form)
        for form in ("yaml", "prompt")
    }
    texts = {**harmless_texts(), **{f"own {form}": "petrel\n" + outcome.answer.text for form, outcome in own.items()}}
    texts["records"] = "petrel\n" + dumped(answer(desk, brain))
    files = note_files(texts)
    assert contents(desk, git_with(git, texts), files) == files
