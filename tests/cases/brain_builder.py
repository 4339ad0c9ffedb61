"""Brains as real Git repositories with fixed names and dates, made by the git command."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

DAY = "2026-05-{:02d}T00:00:00Z"

IDENTITY = {
    "GIT_AUTHOR_NAME": "Brain",
    "GIT_AUTHOR_EMAIL": "brain@example.invalid",
    "GIT_COMMITTER_NAME": "Brain",
    "GIT_COMMITTER_EMAIL": "brain@example.invalid",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
}

NODE_KINDS = "nodeKinds:\n" + "".join(
    f'- {{id: "node:{kind.lower()}", name: {kind}, prefix: {kind.lower()}}}\n'
    for kind in ("Team", "Service", "Runbook", "Decision", "Incident")
)

EDGE_KINDS = "edgeKinds:\n" + "".join(
    f'- {{id: "edge:{name.replace("_", "-")}", name: {name}, source: ["*"], target: {target}}}\n'
    for name, target in (
        ("owned_by", "[Team]"),
        ("depends_on", '["*"]'),
        ("documents", '["*"]'),
        ("supersedes", '["*"]'),
    )
)

STATED = 'status: {status}\nowners: [team:core]\nupdatedAt: "2026-05-01T00:00:00Z"\n'


def day(number: int) -> str:
    """Midnight of a day of May 2026, as all brains are dated."""
    return DAY.format(number)


def frontmatter(record_id: str, title: str, *, kind: str = "Runbook", status: str = "approved", more: str = "") -> str:
    """The frontmatter of a Markdown record, fences included."""
    return f'---\nid: {record_id}\nkind: {kind}\ntitle: "{title}"\n{STATED.format(status=status)}{more}---\n'


@dataclass(frozen=True, slots=True)
class BrainBuilder:
    """A repository and the brain's folder in it; `root` is empty when they are the same."""

    repository: Path
    root: str

    @property
    def brain(self) -> Path:
        """The brain's folder in the work tree."""
        return self.repository / self.root

    @classmethod
    def create(cls, repository: Path, root: str, *init: str) -> BrainBuilder:
        """Make a repository with an ontology and one team."""
        repository.mkdir(parents=True, exist_ok=True)
        builder = cls(repository, root)
        builder.git("init", "-q", "-b", "main", "--template=", *init)
        builder.write("ontology/node-kinds.yaml", NODE_KINDS)
        builder.write("ontology/edge-kinds.yaml", EDGE_KINDS)
        builder.record("Team", "team:core", "Core team")
        return builder

    def git(self, *arguments: str, committed: str = day(1), authored: str | None = None) -> str:
        """Run git in the repository and return what it prints."""
        dates = {"GIT_COMMITTER_DATE": committed, "GIT_AUTHOR_DATE": authored or committed}
        return self._git(arguments, dates).decode("utf-8", "surrogateescape").strip()

    def blob(self, path: str) -> bytes:
        """The raw bytes of a file at HEAD."""
        return self._git(("cat-file", "blob", f"HEAD:{path}"), {})

    def _git(self, arguments: tuple[str, ...], dates: dict[str, str]) -> bytes:
        command = ["git", "-C", str(self.repository), "-c", "core.autocrlf=false", "-c", "gc.auto=0", *arguments]
        environment = {**os.environ, **IDENTITY, **dates}
        return subprocess.run(command, capture_output=True, check=True, env=environment).stdout

    def write(self, path: str, content: str | bytes) -> None:
        """Write a file below the brain's folder."""
        self.place(self.root, path, content)

    def place(self, folder: str, path: str, content: str | bytes) -> None:
        """Write a file below a folder of the repository."""
        file = self.repository / folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)

    def record(self, kind: str, record_id: str, title: str, edges: str = "") -> None:
        """Write a graph record; `edges` are the lines of its `edges` map."""
        stated = "".join(f"  {line}\n" for line in STATED.format(status="approved").splitlines())
        text = f'nodeKind: {kind}\nid: {record_id}\nattributes:\n  title: "{title}"\n{stated}'
        self.write(f"graph/{record_id.replace(':', '-')}.yaml", text + (f"edges:\n{edges}" if edges else ""))

    def page(self, path: str, record_id: str, title: str, body: str, *, kind: str = "Runbook") -> None:
        """Write a Markdown record that is approved."""
        self.write(path, frontmatter(record_id, title, kind=kind) + f"\n{body}\n")

    def commit(self, message: str, number: int, *, authored: str | None = None) -> str:
        """Commit everything, ignored files too, at a day of May 2026; returns the commit's id."""
        self.git("add", "-A", "-f", ":/")
        self.git(
            "commit", "-q", "--allow-empty", "-m", message, committed=day(number), authored=authored or day(number)
        )
        return self.git("rev-parse", "HEAD")


def targets(kind: str, *record_ids: str) -> str:
    """The lines of an `edges` map with one kind."""
    return f"  {kind}:\n" + "".join(f"    - target: {record_id}\n" for record_id in record_ids)
