"""A call for every error code, with a secret in what the call or the brain gives the message to say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml

from kradle_ctx.errors import ErrorCode
from tests.conftest import GitBuilder
from tests.hostile.planted import Planted
from tests.hostile.secret_brain import FIRST, SECOND, grants, resource, run

Arguments = tuple[str | Path, ...]
Refused = tuple[ErrorCode, Arguments]


@dataclass(frozen=True, slots=True)
class Refusals:
    """A folder with what the calls need, and the secrets by the name of the call."""

    folder: Path
    planted: Planted

    def brain(self, name: str, files: dict[str, str] | None = None) -> GitBuilder:
        """A repository with a commit of these files, or of one plain note."""
        brain = GitBuilder(self.folder / name)
        brain.add_commit(files or {"notes/plain.md": "petrel\n"}, FIRST)
        return brain

    def file(self, name: str, *documents: object) -> Path:
        """A file of resources."""
        path = self.folder / name
        path.write_text(yaml.safe_dump_all(documents))
        return path

    def text(self, name: str, text: str) -> Path:
        """A file of any text."""
        path = self.folder / name
        path.write_text(text)
        return path


def every_refusal(folder: Path, planted: Planted) -> dict[str, Refused]:
    """Every call by name, with the code that it has to give."""
    refusals = Refusals(folder, planted)
    plain = refusals.brain("plain").path
    parts = (usage(planted, plain), places(refusals), refs(refusals), brains(refusals), policies(refusals, plain))
    return {name: refused for part in parts for name, refused in part.items()}


def usage(planted: Planted, plain: Path) -> dict[str, Refused]:
    """What the call itself has wrong."""
    token, asked = planted.token, ("--brain", plain, "--local-grant", "--query")
    return {
        "unknown option": (ErrorCode.USAGE, ("query", f"--{token('unknown option')}")),
        "unknown command": (ErrorCode.USAGE, (token("unknown command"),)),
        "stray argument": (ErrorCode.USAGE, ("resolve", token("stray argument"))),
        "choice": (ErrorCode.USAGE, ("query", "--mode", token("choice"))),
        "number": (ErrorCode.USAGE, ("query", "--depth", token("number"))),
        "timestamp": (ErrorCode.USAGE, ("resolve", "--at", token("timestamp"))),
        "regex": (ErrorCode.USAGE, ("query", *asked, f"({token('regex')}", "--regex")),
        "name": (ErrorCode.USAGE, ("assemble", "--stack", f"{token('name')} x")),
        "root": (ErrorCode.USAGE, ("query", *asked, "x", "--root", token("root"))),
        "ambiguous instant": (
            ErrorCode.TIMESTAMP_AMBIGUOUS,
            ("query", *asked, token("ambiguous instant"), "--at", "2026-05-01"),
        ),
        "mode": (ErrorCode.MEMORY_MODE_INVALID, ("resolve", "--memory-mode", token("mode"))),
        "item": (ErrorCode.MEMORY_ITEM_UNAVAILABLE, ("read", "--brain", plain, token("item"))),
        "selected": (ErrorCode.MEMORY_ITEM_UNAVAILABLE, ("assemble", *asked, "x", "--select", token("selected"))),
        "small": (ErrorCode.LIMIT_EXCEEDED, ("assemble", *asked, token("small"), "--max-bytes", "1")),
        "output": (ErrorCode.OUTPUT_UNWRITABLE, ("assemble", *asked, "x", "-o", f"{token('output')}/bundle.yaml")),
        "disabled": (
            ErrorCode.MEMORY_MODE_FORBIDDEN,
            ("assemble", *asked, token("disabled"), "--memory-mode", "disabled"),
        ),
    }


def places(refusals: Refusals) -> dict[str, Refused]:
    """Resource files that cannot be used."""
    token = refusals.planted.token
    twice = grants(Planted(), refusals.folder)[0] | {"metadata": {"name": token("given twice")}}
    field = resource("AgentDispatchRun", "run", {"organizationRef": "a5c", token("unknown field"): 1})
    runs = [run(Planted()) | {"metadata": {"name": f"{name}-{token('two runs')}"}} for name in ("a", "b")]
    key = token("duplicate key")
    files = {
        "file name": refusals.text(f"{token('file name')}.yaml", "kind: Pod\n"),
        "absent file": refusals.folder / f"{token('absent file')}.yaml",
        "given twice": refusals.file("twice.yaml", twice, twice),
        "unknown field": refusals.file("field.yaml", field),
        "unknown kind": refusals.file("kind.yaml", resource(token("unknown kind"), "x", {})),
        "duplicate key": refusals.text("key.yaml", f"{key}: 1\n{key}: 2\n"),
    }
    refused: dict[str, Refused] = {
        name: (ErrorCode.RESOURCE_INVALID, ("query", "-f", path)) for name, path in files.items()
    }
    return refused | {"two runs": (ErrorCode.USAGE, ("query", "-f", refusals.file("runs.yaml", *runs)))}


def refs(refusals: Refusals) -> dict[str, Refused]:
    """Refs that lead nowhere, to several commits, to no commit or to a lost object."""
    token = refusals.planted.token
    brain = refusals.brain("refs")
    commit = brain.add_commit({"notes/plain.md": "skua\n"}, SECOND)
    brain.set_branch(token("ambiguous"), commit)
    brain.set_tag(token("ambiguous"), commit)
    brain.set_tag(token("no commit"), brain.add_object("blob", b"petrel\n"))
    brain.set_ref(f"refs/heads/{token('lost object')}", "1" * 40)
    unborn = GitBuilder(refusals.folder / "unborn")
    unborn.add_commit({"notes/plain.md": "petrel\n"}, FIRST, branch=f"only-{token('only branch')}")
    unborn.set_head(f"new-{token('unborn')}")
    asked = ("resolve", "--brain", brain.path)
    return {
        "unknown ref": (ErrorCode.MEMORY_REF_UNRESOLVED, (*asked, "--ref", token("unknown ref"))),
        "expression": (ErrorCode.MEMORY_REF_UNRESOLVED, (*asked, "--ref", f"{token('expression')}~1")),
        "snapshot": (ErrorCode.MEMORY_REF_UNRESOLVED, (*asked, "--snapshot", token("snapshot"))),
        "no commit": (ErrorCode.MEMORY_REF_UNRESOLVED, (*asked, "--ref", token("no commit"))),
        "unborn": (ErrorCode.MEMORY_REF_UNRESOLVED, ("resolve", "--brain", unborn.path)),
        "ambiguous": (ErrorCode.MEMORY_REF_AMBIGUOUS, (*asked, "--ref", token("ambiguous"))),
        "lost object": (ErrorCode.MEMORY_OBJECT_MISSING, (*asked, "--ref", token("lost object"))),
    }


def brains(refusals: Refusals) -> dict[str, Refused]:
    """Brains that are not there, are no repository, are cut short, or do not hold what they should."""
    token, folder = refusals.planted.token, refusals.folder
    (folder / token("no repository")).mkdir()
    url = f"https://reader:{token('address')}@brains.example.invalid/brain.git"
    key = token("ontology key")
    broken = refusals.brain("broken", {f"ontology/{token('ontology')}.yaml": f"{key}: 1\n{key}: 2\n"})
    shallow = refusals.brain("shallow")
    (shallow.folder / "shallow").write_text(shallow.add_commit({"notes/plain.md": "skua\n"}, SECOND) + "\n")
    name = f"notes/{token('large')}.md"
    large = refusals.brain("large", {name: "It flies over the open sea.\n" * 32_000})
    secret = f"notes/{token('too broad')}.md"
    broad = refusals.brain("broad", {secret: f"petrel\n{token('lone secret')}\n"})
    unavailable, incomplete = ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE, ErrorCode.MEMORY_HISTORY_INCOMPLETE
    asked = ("--local-grant", "--query", f"petrel {token('asked')}")
    return {
        "absent brain": (unavailable, ("assemble", *asked, "--brain", folder / token("absent brain"))),
        "file as brain": (unavailable, ("resolve", "--brain", refusals.text(token("file as brain"), "x"))),
        "no repository": (unavailable, ("resolve", "--brain", folder / token("no repository"))),
        "address": (unavailable, ("resolve", "--brain", url)),
        "history": (incomplete, ("assemble", *asked, "--brain", shallow.path, "--at", "2026-05-01T12:00:00Z")),
        "ontology": (ErrorCode.ONTOLOGY_INVALID, ("assemble", *asked, "--brain", broken.path)),
        "large": (ErrorCode.LIMIT_EXCEEDED, ("read", "--brain", large.path, name)),
        "too broad": (ErrorCode.REDACTION_TOO_BROAD, ("read", "--brain", broad.path, secret)),
    }


def policies(refusals: Refusals, plain: Path) -> dict[str, Refused]:
    """Requests that nothing grants, and a brain of another organisation."""
    token = refusals.planted.token
    told = ("--query", token("refused query"), "--user", token("refused user"), "--name", token("refused run"))
    foreign = resource(
        "AgentMemoryRepository", token("foreign brain"), {"organizationRef": token("foreign organisation")}
    )
    named = ("-f", refusals.file("foreign.yaml", foreign), "--org", "a5c")
    crossing = ("assemble", *named, *told, "--memory-repository", token("foreign brain"))
    return {
        "no grant": (ErrorCode.MEMORY_PERMISSION_DENIED, ("assemble", "--brain", plain, *told)),
        "foreign brain": (ErrorCode.CROSS_ORG_REF_DENIED, crossing),
    }
