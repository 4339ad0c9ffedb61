"""Owners of very many records."""

from __future__ import annotations

from kradle_ctx.checks.invalid_owner import MOST_OWNERS, PERSON_HINT, invalid_owner
from tests.checks.examples import validated
from tests.unit.checks.counting import counting_brain

RECORDS = 500


def test_a_name_is_looked_up_once_however_many_name_it() -> None:
    alias = "nodeKind: Service\nid: service:{0}\ntitle: A\naliases: [everybody]\nowners: [everybody, 'team:{1}']\n"
    brain = counting_brain({"graph/a.yaml": "---\n".join(alias.format(n, n % 3) for n in range(RECORDS))})

    faults = list(invalid_owner(brain))

    assert len(faults) == 2 * RECORDS
    # `everybody` with all that have that alias, and three teams that nobody declares.
    assert brain.counts["named"] == 1 + RECORDS + 3


def test_owners_of_one_record_are_looked_at_up_to_a_bound() -> None:
    owners = ", ".join(f"'team:{number}'" for number in range(MOST_OWNERS * 2))
    brain = counting_brain({"graph/a.yaml": f"nodeKind: Service\nid: service:a\nowners: [{owners}]\n"})

    assert len(list(invalid_owner(brain))) == MOST_OWNERS


def test_people_are_told_to_name_a_record() -> None:
    files = {"graph/a.yaml": "nodeKind: Service\nid: service:a\nowners: ['@alice', 'alice@example.org', alice]\n"}
    found = [finding for finding in validated(files).findings if finding.check == "KB025"]

    assert [finding.hint == PERSON_HINT for finding in found] == [True, True, False]


def test_what_owns_is_no_note_though_its_frontmatter_has_an_id() -> None:
    team = "nodeKind: Service\nid: service:a\nowners: ['team:web']\n"
    files = {"graph/a.yaml": team, "notes/web.md": "---\nid: team:web\n---\n"}

    assert [finding.message for finding in validated(files).findings if finding.check == "KB025"] == [
        "the owner `team:web` is no record"
    ]
