"""Small brains for the tests of `validate`, and what it tells of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from tests.cases.command_line import Answer
from tests.fakes import Content
from tests.pipeline import graph_record

Here = Callable[..., Answer]

FORMATS = ("text", "json", "github", "gitlab", "sarif", "junit")

ONTOLOGY = """\
requiredFields: {record: [title]}
nodeKinds: [{name: Team, prefix: team}, {name: Service, prefix: service}]
edgeKinds: [{name: owned_by, target: [Team]}, depends_on]
checks: {KB060: "off", KB062: "off"}
"""

CLEAN: dict[str, Content] = {
    "ontology/kinds.yaml": ONTOLOGY,
    "graph/team.yaml": graph_record("team:core", "Team", title="Core"),
    "graph/api.yaml": graph_record("service:api", "Service", title="API", edges={"owned_by": ["team:core"]}),
    "notes/a.md": "# A note\n",
}

DANGLING = graph_record("service:web", "Service", title="Web", edges={"depends_on": ["service:gone"]})
NAMELESS = graph_record("service:store", "Service")


def records(found: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Path and check of the findings of a report in JSON."""
    return [(finding["path"], finding["check"]) for finding in found["findings"]]


def told(answer: Answer) -> list[tuple[str, str]]:
    """The same of an answer, whatever its code."""
    assert answer.code in (0, 1), answer.talk
    return records(json.loads(answer.stdout))
