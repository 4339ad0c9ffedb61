"""What is told of kinds that an ontology does not have."""

from __future__ import annotations

import pytest

from tests.checks.examples import validated

ONTOLOGY = """\
nodeKinds:
  - {name: Team, prefix: team}
  - {name: Claim, prefix: claim}
  - {name: TestableClaim, prefix: claim}
  - {name: Service, prefix: service}
"""
NOTHING = "correct the kind, or add it to the ontology"


@pytest.mark.parametrize(
    ("kind", "record", "hint"),
    [
        ("Teem", "team:a", "did you mean `Team`?"),
        ("Servce", "thing:a", "did you mean `Service`?"),
        ("Squad", "team:a", "ids that begin with `team:` are of the kind `Team`"),
        ("EvidenceClaim", "claim:a", "ids that begin with `claim:` are of the kind `Claim` or `TestableClaim`"),
        ("Clam", "claim:a", "did you mean `Claim`?"),
        ("Teem", "service:a", "ids that begin with `service:` are of the kind `Service`"),
        ("Squad", "squad:a", NOTHING),
        ("Squad", "team", NOTHING),
    ],
)
def test_the_kind_is_guessed_by_the_prefix_of_the_id_before_its_spelling(kind: str, record: str, hint: str) -> None:
    files = {"ontology/kinds.yaml": ONTOLOGY, "graph/a.yaml": f"nodeKind: {kind}\nid: {record}\n"}

    assert [finding.hint for finding in validated(files).findings if finding.check == "KB013"] == [hint]
