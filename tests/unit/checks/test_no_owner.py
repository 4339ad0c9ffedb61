"""Records without owners, in brains that are made to slow the check down."""

from __future__ import annotations

from kradle_ctx.checks.no_owner import no_owner
from tests.checks.examples import validated
from tests.unit.checks.counting import counting_brain

KINDS = "nodeKinds: [{name: Board, prefix: board}]\nedgeKinds: [{name: owned_by, source: ['*'], target: [Team]}]\n"


def test_an_id_that_very_many_declare_is_looked_up_once() -> None:
    many = "---\n".join("nodeKind: Board\nid: board:a\n" for _ in range(500))
    brain = counting_brain({"ontology/a.yaml": KINDS, "graph/a.yaml": many})

    assert len(list(no_owner(brain))) == 1
    assert brain.counts["declaring"] == 1 + 500


def test_an_owner_may_be_named_in_another_file() -> None:
    files = {
        "ontology/a.yaml": KINDS,
        "graph/a.yaml": "nodeKind: Board\nid: board:a\n",
        "graph/b.yaml": "extendsNode: {id: 'board:a', nodeKind: Board}\nedges: {owned_by: ['team:web']}\n",
    }

    assert [finding for finding in validated(files).findings if finding.check == "KB060"] == []
