"""A brain, its resources and a request with a secret in every place that text can stand in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from tests.conftest import GitBuilder
from tests.hostile.planted import CODE_PATTERN, Planted

FIRST, SECOND = "2026-05-01T00:00:00Z", "2026-05-02T00:00:00Z"

API = "kradle.a5c.ai/v1alpha1"

HUB_EDGES = 66
"""Incoming edges of the hub: more than are followed."""


@dataclass(frozen=True, slots=True)
class SecretBrain:
    """The repository, the files that ask it, and the secrets by the place where they stand."""

    repository: Path
    resources: Path
    request: Path
    planted: Planted
    first_commit: str

    @property
    def asked(self) -> tuple[str | Path, ...]:
        """The options that put the request to the brain."""
        return ("--brain", self.repository, "-f", self.resources, "-f", self.request)


def build(folder: Path, planted: Planted) -> SecretBrain:
    """Build everything below a folder."""
    brain = GitBuilder(folder / planted.token("brain folder"))
    branch = f"{'r' * 36}/{planted.token('default branch')}"
    files = {**notes(planted), **records(planted), **graph(planted), **unreadable(planted)}
    first = brain.add_commit({"notes/old.md": "petrel was here first\n", **files}, FIRST, branch=branch)
    second = brain.add_commit(files, SECOND, branch=branch)
    brain.set_head(branch)
    brain.set_tag(planted.token("tag"), first)
    brain.set_tag(f"memory/snapshots/{planted.token('snapshot tag')}", first, annotated=True)
    brain.set_branch(planted.token("other branch"), second)
    brain.set_branch(planted.token("two meanings"), second)
    brain.set_tag(planted.token("two meanings"), first)
    resources, request = folder / "resources.yaml", folder / "request.yaml"
    resources.write_text(yaml.safe_dump_all(grants(planted, brain.path)))
    request.write_text(yaml.safe_dump(run(planted)))
    return SecretBrain(brain.path, resources, request, planted, first)


def notes(planted: Planted) -> dict[str, str]:
    """Notes with secrets in text, title, heading, file name and folder name."""
    return {
        "notes/content.md": f"A petrel runs\nwith {planted.token('note text')} as its token.\nIt is fast.\n",
        "notes/title.md": f"---\ntitle: petrel {planted.token('note title')}\n---\nIt flies.\n",
        "notes/heading.md": f"# petrel {planted.token('note heading')}\n\nIt flies.\n",
        "notes/alias.md": f"---\naliases: [{planted.token('note alias')}]\n---\nThe petrel flies.\n",
        f"notes/{planted.token('file name')}.md": "The petrel is in a file.\n",
        f"notes/{planted.token('folder name')}/note.md": "The petrel is in a folder.\n",
        f"notes/{planted.token('mostly secret')}.md": f"petrel\n{planted.token('lone secret')}\n",
    }


def records(planted: Planted) -> dict[str, str]:
    """A Markdown record with a secret in every field of its frontmatter and in its body."""
    head = {
        "id": f"runbook:{planted.token('record id')}",
        "kind": planted.token("record kind"),
        "title": f"petrel {planted.token('record title')}",
        "status": planted.token("record status"),
        "owners": [f"team:{planted.token('record owner')}"],
        "tags": [planted.token("record tag")],
        "aliases": [planted.token("record alias")],
        "updatedAt": planted.token("record date"),
        "summary": f"petrel {planted.token('record summary')}",
        "repoRefs": [planted.token("repository ref")],
        "sourceRefs": [planted.token("source ref")],
        "related": [{"kind": planted.token("related kind"), "target": "service:hub"}],
        planted.token("frontmatter key"): planted.token("frontmatter value"),
    }
    body = f"The petrel of {planted.token('record body')}.\n" + "It flies over the open sea.\n" * 80
    old = {"id": "runbook:old", "kind": "Runbook", "title": "petrel", "status": "superseded"}
    new = {
        "id": f"runbook:{planted.token('replacement')}",
        "kind": "Runbook",
        "title": "skua",
        "status": "approved",
        "edges": {"supersedes": ["runbook:old"]},
    }
    pages = {"full": (head, body), "old": (old, "petrel\n"), "new": (new, "skua\n")}
    return {f"runbooks/{name}.md": f"---\n{dumped(fields)}---\n{text}" for name, (fields, text) in pages.items()}


def graph(planted: Planted) -> dict[str, str]:
    """Graph records with secrets in ids, attributes, comments and edges; two of one id; a hub of that name."""
    target, hub, twice = (planted.token(place) for place in ("edge target", "hub", "declared twice"))
    start = {
        "nodeKind": "Service",
        "id": "service:start",
        "attributes": {
            "title": "petrel start",
            "settings": {planted.token("attribute key"): [{"value": planted.token("attribute")}]},
        },
        "edges": {
            planted.token("edge kind"): [{"target": f"service:{target}", "note": planted.token("edge attribute")}],
            "depends_on": [{"target": f"service:{hub}"}],
        },
    }
    reached = [
        {"nodeKind": "Service", "id": f"service:{name}", "attributes": {"title": "skua"}} for name in (target, hub)
    ]
    spokes = {f"ties_{number}": [f"service:{hub}"] for number in range(HUB_EDGES)}
    same = {"nodeKind": "Service", "id": f"service:{twice}", "attributes": {"title": "petrel"}}
    return {
        "graph/start.yaml": f"# {planted.token('comment')}\n{dumped(start)}",
        f"graph/{planted.token('graph file name')}.yaml": yaml.safe_dump_all(reached),
        "graph/spokes.yaml": dumped({"nodeKind": "Term", "id": "term:spokes", "edges": spokes}),
        "graph/one.yaml": dumped(same),
        "graph/two.yaml": dumped(same),
    }


def unreadable(planted: Planted) -> dict[str, str]:
    """Files that do not parse, of the ontology and of the graph: the path and the key at fault are told."""
    key, broken = planted.token("duplicate key"), planted.token("ontology key")
    return {
        f"graph/{planted.token('skipped file')}.yaml": f"id: x\n{key}: 1\n{key}: 2\n",
        f"ontology/{planted.token('ontology file')}.yaml": f"{broken}: 1\n{broken}: 2\n",
    }


def grants(planted: Planted, brain: Path) -> list[dict[str, object]]:
    """Resources with secrets in names, organisation, patterns, kinds and the tie of an association."""
    organization, name = planted.token("organisation"), planted.token("memory repository")
    source = {
        "organizationRef": organization,
        "repositoryRef": name,
        "include": {"paths": ["**", f"{planted.token('granted path')}/**", "[repo]/[stack]/**"]},
        "exclude": {"paths": [f"{planted.token('denied path')}/**"], "graphKinds": [planted.token("denied kind")]},
        "sensitivities": ["public", "internal", "restricted"],
        "allowInvalidOntology": True,
        "redactionPatterns": [{"kind": "code", "pattern": CODE_PATTERN}],
    }
    repository = {
        "organizationRef": organization,
        "repositoryRef": planted.token("git repository"),
        "location": str(brain),
    }
    tie = {
        "organizationRef": organization,
        "memoryRef": {"path": "notes/title.md"},
        "targetRef": {"kind": "Repository", "name": planted.token("request repository")},
        "relationship": planted.token("relationship"),
    }
    return [
        resource("AgentMemorySource", planted.token("source name"), source),
        resource("AgentMemoryRepository", name, repository),
        resource("AgentMemoryAssociation", planted.token("association name"), tie),
    ]


def run(planted: Planted) -> dict[str, object]:
    """A dispatch run with a secret in every field that is free."""
    spec = {
        "organizationRef": planted.token("organisation"),
        "repository": {"name": planted.token("request repository")},
        "agentStack": planted.token("stack"),
        "taskKind": planted.token("task kind"),
        "requester": {
            "user": planted.token("user"),
            "teams": [planted.token("team")],
            "process": planted.token("process"),
            "trigger": planted.token("trigger"),
        },
        "sourceRefs": {"issue": planted.token("issue"), planted.token("kind of source ref"): "x"},
        "memory": {
            "queryText": f"petrel {planted.token('query')}",
            "graph": {"edgeDepth": 4},
            "exclude": {"paths": [planted.token("request exclude")], "kinds": [planted.token("request kind")]},
            "grep": {"paths": ["**", f"{planted.token('request path')}/**"]},
            "limits": {"maxRecords": 200},
        },
    }
    value = resource("AgentDispatchRun", planted.token("run name"), spec)
    value["metadata"] = {"name": planted.token("run name"), "namespace": planted.token("namespace")}
    return value


def resource(kind: str, name: str, spec: Mapping[str, object]) -> dict[str, object]:
    """A resource of a kind."""
    return {"apiVersion": API, "kind": kind, "metadata": {"name": name}, "spec": spec}


def dumped(value: object) -> str:
    """YAML of one document, keys in their order."""
    return yaml.safe_dump(value, sort_keys=False, width=1000)
