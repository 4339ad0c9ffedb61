"""The operations of a soak: every command, with many combinations of options, drawn by chance."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.example import REQUESTS, RESOURCES
from tests.hostile.planted import key_id, password, private_key, token
from tests.soak.brain import SIGNERS

QUERIES = (
    "flaky playwright failures",
    "label queue",
    '"paper sensor" depot',
    "why is main red",
    "cutoff clock change",
    "browserType.launch: Executable doesn't exist",
    "nothing in this brain says so",
)
ITEMS = (
    "runbook:ci-playwright-flake",
    "README.md",
    "notes/how-we-write.md",
    "notes/soak/3.md",
    "incident:2026-04-20-laptop-loss",
    "runbook:nowhere",
)
REFS = (
    (),
    ("--ref", "main"),
    ("--ref", "side"),
    ("--ref", "refs/heads/main"),
    ("--at", "2026-05-08T09:30:00Z"),
    ("--at", "2026-05-20T00:00:00Z"),
    ("--snapshot", "2026-05-08T000000Z"),
    ("--ref", "nowhere"),
)
GRANTS = (
    ("--local-grant",),
    ("--local-grant", "-f", SIGNERS),
    ("-f", str(RESOURCES), "--org", "a5c", "--repo", "kradle", "--stack", "docs-writer"),
)
PATTERNS = (("--redaction-pattern", "word=flak[ey]+"), ("--redaction-pattern", "place=dep[oô]t|queue"))
NARROWING = (
    ("--mode", "grep-only"),
    ("--mode", "graph-only"),
    ("--mode", "graph-and-grep"),
    ("--depth", "0"),
    ("--depth", "3"),
    ("--max-bytes", "6000"),
    ("--max-records", "5"),
    ("--max-matches", "3"),
    ("--context", "0"),
    ("--rank", "literal"),
    ("--kind", "Runbook"),
    ("--include", "notes/**"),
    ("--exclude", "decisions/**"),
    ("--tag", "ci"),
    ("--issue", "kradle/91"),
    ("--service", "kradle-web"),
    ("--regex", "--query", "flak[ey]+ (play|check)"),
    *PATTERNS,
)
TEXTS = (
    b"",
    b"The flaky queue of the d\xc3\xa9p\xc3\xb4t is no secret.\n",
    f"flaky: {token('soak')}\r\npassword = {password('soak')}\n\xff".encode("latin-1"),
    "\n".join(("depot", *private_key("soak"), f"queue {key_id('soak')}")).encode() * 40,
)
"""What is given to `redact`: nothing, no secret, secrets, and more than a pipe or a small file takes."""

OUTPUTS = tuple(f"out/{number}" for number in range(6))


@dataclass(frozen=True, slots=True)
class Operation:
    """One command, its arguments and its input; the brain is the folder `brain`, output goes below the folder `out`."""

    arguments: tuple[str, ...]
    stdin: bytes = b""

    @property
    def one_file(self) -> bool:
        """Whether all that it writes goes to one file."""
        return "-o" in self.arguments and "--records" not in self.arguments


def drawn(chance: random.Random) -> Operation:
    """An operation."""
    commands = ("assemble", "query", "preview", "read", "resolve", "redact")
    command = chance.choices(commands, (41, 14, 11, 16, 9, 9))[0]
    if command == "redact":
        return redaction(chance)
    options = {"assemble": assembly, "query": question, "preview": preview, "read": reading, "resolve": pin}[command]
    quiet = chance.sample(("--quiet",), chance.randint(0, 1))
    return Operation((command, "--brain", "brain", *options(chance), *quiet))


def redaction(chance: random.Random) -> Operation:
    """A text for `redact`, with patterns, resources and a report or without."""
    patterns = [argument for option in chance.sample(PATTERNS, chance.randint(0, 2)) for argument in option]
    resources = chance.choice(([], ["-f", str(RESOURCES)]))
    report = chance.choice(([], ["--report"]))
    return Operation(("redact", *resources, *patterns, *report), chance.choice(TEXTS))


def assembly(chance: random.Random) -> list[str]:
    """Options of `assemble`: an example's request or one in flags, to stdout or a file, with records or without."""
    if chance.random() < 0.3:
        asked = ["-f", str(RESOURCES), "-f", str(REQUESTS[chance.choice(sorted(REQUESTS))])]
    else:
        asked = question_in_flags(chance)
    forms = (["--format", "yaml"], ["--format", "json"], ["--format", "prompt"], ["--all-documents"])
    target = ["-o", chance.choice(OUTPUTS)] if chance.random() < 0.7 else []
    records = ["--records", "out/records"] if chance.random() < 0.3 else []
    return [*asked, *chance.choice(forms), *target, *records]


def question(chance: random.Random) -> list[str]:
    """Options of `query`."""
    return [*question_in_flags(chance), *chance.choice(([], ["--format", "json"]))]


def preview(chance: random.Random) -> list[str]:
    """Options of `preview`."""
    forms: tuple[list[str], ...] = ([], ["--summary"], ["--format", "markdown"], ["--format", "json"])
    return [*question_in_flags(chance), *chance.choice(forms)]


def question_in_flags(chance: random.Random) -> list[str]:
    """A grant, a ref, a query or an item, and up to three options that narrow."""
    narrowing = [argument for option in chance.sample(NARROWING, chance.randint(0, 3)) for argument in option]
    asked = ["--query", chance.choice(QUERIES)] if chance.random() < 0.9 else ["--select", chance.choice(ITEMS)]
    return [*chance.choice(GRANTS), *chance.choice(REFS), *asked, *narrowing]


def reading(chance: random.Random) -> list[str]:
    """Options of `read`."""
    form = chance.choice(([], ["--format", "json"]))
    return [*chance.choice(GRANTS), *chance.choice(REFS), chance.choice(ITEMS), *form]


def pin(chance: random.Random) -> list[str]:
    """Options of `resolve`."""
    return [*chance.choice(REFS), *chance.choice(([], ["--format", "json"]))]
