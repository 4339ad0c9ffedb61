"""Where a case's brain stands, and how its tests ask questions there."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from tests.cases.brain_builder import BrainBuilder
from tests.cases.command_line import Answer, CommandLine

Value = TypeVar("Value")

LAYOUTS = {"brain_at_the_root": "", "brain_in_company_brain": ".company-brain"}
"""The brain's folder in the repository, by the layout's name."""

THOROUGH = "EVERY_LAYOUT"
"""The variable that asks for every shared case in every layout, and for every value of a sweep."""


SEES_RESTRICTED = """\
apiVersion: kradle.a5c.ai/v1alpha1
kind: AgentMemorySource
metadata: {name: everything, namespace: local}
spec:
  organizationRef: local
  include: {paths: ["**"]}
  sensitivities: [public, internal, restricted]
"""


@dataclass(frozen=True, slots=True)
class Place:
    """A case's folder, the brain's folder in each repository there, and the command line.

    Most cases have one repository, which is the folder itself; `repository` names another one below it.
    """

    folder: Path
    root: str
    line: CommandLine
    thorough: bool

    def sweep(self, values: Sequence[Value]) -> Sequence[Value]:
        """All values at the one place of a case that is thorough, the first and the last at the others."""
        return values if self.thorough else (values[0], values[-1])

    def run(
        self,
        *arguments: str,
        repository: str = ".",
        changes: Mapping[str, str] | None = None,
        prefix: Sequence[str] = (),
    ) -> Answer:
        """Run a command on a repository of the case; `changes` to the environment, `prefix` before the command."""
        command, *rest = arguments
        brain = str(self.folder / repository)
        return self.line.run(self.folder, command, "--brain", brain, *rest, changes=changes, prefix=prefix)

    def ask(self, *arguments: str, repository: str = ".") -> dict[str, Any]:
        """The answer of `query` as JSON."""
        return self.run("query", "--format", "json", *arguments, repository=repository).json

    def ask_as_trusted(self, *arguments: str) -> dict[str, Any]:
        """The answer for a reader who may see restricted text, and so what keeps a file from being read."""
        grant = self.folder.parent / "sees-restricted.yaml"
        grant.write_text(SEES_RESTRICTED)
        return self.ask(*arguments, "-f", str(grant))

    def validate(self, *arguments: str, repository: str = ".") -> list[dict[str, Any]]:
        """The findings of `validate` in the files themselves, which no grant cuts, with paths below the brain."""
        answer = self.run("validate", "--format", "json", *arguments, repository=repository)
        found: list[dict[str, Any]] = json.loads(answer.text)["findings"]
        assert answer.code == int(any(finding["severity"] == "error" for finding in found))
        prefix = self.in_repository("")
        for stated in (stated for finding in found for stated in (finding, *finding.get("related", ()))):
            assert stated["path"].startswith(prefix)
            stated["path"] = stated["path"].removeprefix(prefix)
        return found

    def refuse(self, *arguments: str, repository: str = ".") -> tuple[int, dict[str, Any]]:
        """Exit code and error of a command that must be refused."""
        answer = self.run(*arguments, "--error-format", "json", repository=repository)
        return answer.code, answer.error

    def resolved(self, *arguments: str, repository: str = ".") -> str:
        """The commit that `resolve` finds."""
        return str(self.run("resolve", "--format", "json", *arguments, repository=repository).json["resolvedCommit"])

    def git(self, *arguments: str, repository: str = ".") -> str:
        """What git says, as the second opinion."""
        return BrainBuilder(self.folder / repository, self.root).git(*arguments)

    def committed(self, path: str, repository: str = ".") -> bytes:
        """The bytes of a file of the brain at HEAD, by git."""
        return BrainBuilder(self.folder / repository, self.root).blob(self.in_repository(path))

    def in_repository(self, path: str) -> str:
        """A path of the brain as a path of the repository."""
        return f"{self.root}/{path}" if self.root else path


def paths(answer: Mapping[str, Any]) -> list[str]:
    """Paths of the items of an answer, in their order."""
    return [source["path"] for source in answer["sources"]]


def ids(answer: Mapping[str, Any]) -> list[str]:
    """Ids of the items of an answer, in their order."""
    return [source["id"] for source in answer["sources"] if "id" in source]


def skipped(answer: Mapping[str, Any]) -> dict[str, str]:
    """The reason of each file or line that an answer says could not be read."""
    return {entry["path"]: entry["reason"] for entry in answer.get("skipped", {}).get("items", ())}


def places(found: Sequence[Mapping[str, Any]]) -> list[str]:
    """The check and the place of each finding."""
    return [f"{finding['check']} {finding['path']}:{finding['line']}" for finding in found]


def texts(value: Any) -> list[str]:
    """Every text in a JSON value, names of fields included."""
    if isinstance(value, dict):
        return [text for name, entry in value.items() for text in (name, *texts(entry))]
    if isinstance(value, list):
        return [text for entry in value for text in texts(entry)]
    return [value] if isinstance(value, str) else []
