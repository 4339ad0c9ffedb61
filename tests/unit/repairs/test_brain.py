"""From findings to repairs, on brains in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kradle_ctx.adapters.no_index import NoIndexStore
from kradle_ctx.adapters.surveyor import BrainSurveyor
from kradle_ctx.model.refs import MemoryRef, RefMode
from kradle_ctx.model.request import Request
from kradle_ctx.passages import BlobRedactor
from kradle_ctx.repairs.brain import Repairs, Seen, repaired
from kradle_ctx.stages.load import MERGING_PROFILE
from kradle_ctx.validate import committed, validate
from kradle_ctx.validation.brain import IndexedBrain
from kradle_ctx.validation.reports import Asked
from tests.fakes import InMemoryRepository, InMemorySearcher
from tests.pipeline import REDACTOR
from tests.unit.repairs.layouts import graph_files, markdown_files

MOMENT = "2026-06-01T00:00:00Z"
CHANGED = "2026-05-03T10:00:00Z"

KINDS = """\
nodeKinds:
  - {name: Team, prefix: team}
  - {name: Service, prefix: service, required: [updatedAt]}
  - {name: Runbook, prefix: runbook, required: [title, updatedAt]}
edgeKinds:
  - {name: owned_by, inverse: owns, requiresInverse: true}
  - {name: owns, inverse: owned_by}
  - {name: part_of, source: [Service], target: [Service], inverse: contains, requiresInverse: true}
  - {name: contains, source: [Service], target: [Service], inverse: part_of}
  - {name: leads, inverse: led_by, requiresInverse: true}
  - {name: led_by, cardinality: "N:1", inverse: leads}
  - {name: hosts, inverse: hosted_on, requiresInverse: true}
  - {name: hosted_on, cardinality: "1:N", inverse: hosts}
"""


class Brain:
    """A brain in memory whose files can be repaired."""

    def __init__(self, files: Mapping[str, str], *, layout: str | None = None, known: Sequence[str] = ()) -> None:
        self.files = {"ontology/kinds.yaml": KINDS.encode(), **{path: text.encode() for path, text in files.items()}}
        self.rounds = 0
        self._request = Request(
            ref=MemoryRef(RefMode.EXPLICIT, "HEAD"), **({"layout_profile": layout} if layout is not None else {})
        )
        self._known = frozenset(known)
        self._redactor = BlobRedactor(REDACTOR)
        self._surveyor = BrainSurveyor(NoIndexStore(), InMemorySearcher(), self._redactor)

    def look(self, changed: Mapping[str, bytes]) -> Seen:
        """The brain with some files in the place of its own."""
        self.rounds += 1
        repository = InMemoryRepository()
        repository.add_commit({**self.files, **changed}, MOMENT)
        side = committed(self._request, repository, None)
        report = validate(
            self._request,
            Asked(known=self._known),
            side,
            repository=repository,
            surveyor=self._surveyor,
            redactor=self._redactor,
        )
        survey = self._surveyor.survey(side.snapshot, side.root, None)
        brain = IndexedBrain(survey, side.moment, merges=self._request.layout_profile == MERGING_PROFILE)
        return Seen(survey, brain, frozenset(finding.fingerprint for finding in report.findings))

    def repair(
        self,
        *,
        may_change: Callable[[str], bool] = lambda path: True,
        dated: bool = True,
        order: bool = True,
        most_bytes: int = 1 << 20,
    ) -> Repairs:
        """Repair the brain; it then has the new files."""

        def last_changes(paths: Sequence[str]) -> Mapping[str, str]:
            return dict.fromkeys(paths, CHANGED) if dated else {}

        found = repaired(self.look, last_changes, may_change, most_bytes=most_bytes, order=order)
        self.files.update(found.files)
        return found

    def text(self, path: str) -> str:
        """The text of a file."""
        return self.files[path].decode()


def told(found: Repairs) -> list[str]:
    """What was done, as `path:line: what`."""
    return [f"{path}:{note.line}: {note.what}" for path, note in found.done]


def reasons(found: Repairs) -> list[str]:
    """What was left alone, as `path:line: what: why`."""
    return [f"{path}:{note.line}: {note.what}: {note.why}" for path, note in found.left]


def service(name: str, edges: str = "") -> str:
    """A graph record that lacks nothing but perhaps edges."""
    return f"nodeKind: Service\nid: service:{name}\nupdatedAt: {MOMENT}\n{edges}"


def test_what_is_mended_shows_more_to_repair() -> None:
    brain = Brain({"graph/a.yaml": "edges: {part_of: [service:b]}\ntitle: A: one\nid: service:a\nnodeKind: Service\n"})
    brain.files["graph/b.yaml"] = service("b").encode()
    found = brain.repair()
    assert told(found) == [
        "graph/a.yaml:2: quotes",
        "graph/a.yaml:1: updatedAt of `service:a`",
        "graph/b.yaml:1: `contains` of `service:b` to `service:a`",
        "graph/a.yaml:1: order of the keys of `service:a`",
    ]
    assert brain.text("graph/a.yaml") == (
        f'nodeKind: Service\nid: service:a\ntitle: "A: one"\nupdatedAt: {CHANGED}\nedges: {{part_of: [service:b]}}\n'
    )
    assert brain.text("graph/b.yaml") == service("b", 'edges:\n  contains: ["service:a"]\n')
    assert brain.repair() == Repairs()


def test_nothing_is_repaired_in_a_brain_where_all_is_well() -> None:
    brain = Brain({"graph/a.yaml": service("a"), "runbooks/b.md": "# B\n"})
    assert brain.repair() == Repairs()


RECORDS = st.one_of(
    graph_files().map(lambda text: {"graph/a.yaml": text}), markdown_files().map(lambda text: {"runbooks/a.md": text})
)


@given(RECORDS)
@settings(max_examples=40, deadline=None)
def test_a_second_run_does_nothing(files: dict[str, str]) -> None:
    team = "nodeKind: Team\nid: team:a\n"
    brain = Brain({**files, "graph/z.yaml": team, "graph/s.yaml": service("b", "edges: {part_of: [service:a]}\n")})
    brain.repair()
    before = dict(brain.files)
    again = brain.repair()
    assert (again.done, dict(again.files)) == ((), {})
    assert brain.files == before


def test_findings_that_do_not_count_are_not_repaired() -> None:
    undated = "nodeKind: Service\nid: service:a # kradle-ctx: ignore KB020 -- it is older than its history\n"
    lonely = service(
        "b", "edges:\n  # kradle-ctx: ignore KB034 -- the other side is written by a tool\n  part_of: [service:c]\n"
    )
    broken = "# kradle-ctx: ignore-file KB002 -- a template\ntitle: @x\n"
    files = {"graph/a.yaml": undated, "graph/b.yaml": lonely, "graph/c.yaml": service("c"), "graph/d.yaml": broken}
    assert Brain(files).repair() == Repairs()


def test_findings_of_a_baseline_are_not_repaired() -> None:
    files = {"graph/a.yaml": "nodeKind: Service\nid: service:a\n"}
    known = Brain(files).look({}).counted
    assert known
    assert Brain(files, known=sorted(known)).repair() == Repairs()


def test_a_file_that_may_not_be_changed_is_left_alone() -> None:
    brain = Brain({"graph/a.yaml": service("a", "edges: {part_of: [service:b]}\n"), "graph/b.yaml": service("b")})
    found = brain.repair(may_change=lambda path: path == "graph/a.yaml")
    assert (found.files, found.done) == ({}, ())
    assert reasons(found) == [
        "graph/a.yaml:4: `contains` of `service:b` to `service:a`: "
        "it is in graph/b.yaml, which is not among the paths that are given"
    ]


def test_without_history_no_date_is_made_up() -> None:
    brain = Brain({"graph/a.yaml": "nodeKind: Service\nid: service:a\n"})
    found = brain.repair(dated=False)
    assert (found.files, found.done) == ({}, ())
    assert [reason.partition(":1: ")[2].partition(" (")[0] for reason in reasons(found)] == [
        "updatedAt of `service:a`: the history of this clone does not tell when the file was changed"
    ]


def test_a_date_whose_name_is_misspelt_is_for_its_author_to_mend() -> None:
    brain = Brain({"graph/a.yaml": "nodeKind: Service\nid: service:a\nattributes:\n  updateAt: 2026-01-01T00:00:00Z\n"})
    found = brain.repair()
    assert (found.files, found.done) == ({}, ())
    assert [reason.rpartition(": ")[2] for reason in reasons(found)] == [
        "a field of nearly that name may be meant to be it"
    ]


def test_other_fields_that_are_missing_are_not_filled_in() -> None:
    brain = Brain({"runbooks/a.md": "---\nid: runbook:a\nkind: Runbook\n---\n"})
    assert told(brain.repair()) == ["runbooks/a.md:1: updatedAt of `runbook:a`"]
    assert brain.text("runbooks/a.md") == f"---\nid: runbook:a\nkind: Runbook\nupdatedAt: {CHANGED}\n---\n"


@pytest.mark.parametrize(
    ("files", "why"),
    [
        (
            {"a": service("a", "edges: {leads: [service:b]}\n"), "b": service("b", "edges: {led_by: [service:c]}\n")},
            "`service:b` may state one `led_by`, and states another",
        ),
        (
            {
                "a": service("a", "edges: {hosts: [service:b]}\n"),
                "b": service("b"),
                "c": service("c", "edges: {hosted_on: [service:a]}\n"),
            },
            "another record states `hosted_on` to `service:a`, and one may",
        ),
        (
            {"a": service("a", "edges: {part_of: ['team:b']}\n"), "b": "nodeKind: Team\nid: team:b\n"},
            "the ontology does not allow `contains` between these kinds of records",
        ),
        ({"a": service("a", "edges: {part_of: [service:a]}\n")}, "the edge leads back to its own record"),
        (
            {"a": service("a", "edges: {part_of: [service:b]}\n"), "b": service("b"), "c": service("b")},
            "`service:b` is declared more than once",
        ),
    ],
)
def test_an_inverse_that_would_be_wrong_is_not_added(files: dict[str, str], why: str) -> None:
    brain = Brain({f"graph/{name}.yaml": text for name, text in files.items()})
    found = brain.repair()
    assert (found.files, found.done) == ({}, ())
    assert [reason for reason in reasons(found) if reason.endswith(f": {why}")]


def test_a_note_is_given_no_edge() -> None:
    brain = Brain({"graph/a.yaml": service("a", "edges: {owned_by: [notes/b.md]}\n"), "notes/b.md": "# B\n"})
    found = brain.repair()
    assert (found.files, found.done) == ({}, ())
    assert reasons(found)[0].endswith("`notes/b.md` is no record with an id of its own")


def test_one_that_may_be_stated_once_is_stated_once() -> None:
    files = {f"graph/{name}.yaml": service(name, "edges: {leads: [service:z]}\n") for name in "ab"}
    brain = Brain({**files, "graph/z.yaml": service("z")})
    found = brain.repair()
    assert told(found) == ["graph/z.yaml:1: `led_by` of `service:z` to `service:a`"]
    assert [reason.rpartition(": ")[2] for reason in reasons(found)] == [
        "`service:z` may state one `led_by`, and states another"
    ]


def test_an_inverse_of_a_joined_record_goes_where_its_edges_are() -> None:
    files = {
        "graph/a.yaml": service("a", "edges: {part_of: [service:b]}\n"),
        "graph/b.yaml": service("b"),
        "graph/c.yaml": service("b", "edges:\n  mentions: [service:a]\n"),
    }
    brain = Brain(files, layout=MERGING_PROFILE)
    assert told(brain.repair()) == ["graph/c.yaml:1: `contains` of `service:b` to `service:a`"]
    assert brain.text("graph/c.yaml").endswith("  mentions: [service:a]\n  contains: [service:a]\n")


def test_a_record_that_very_many_lead_to_is_given_all_edges_at_once() -> None:
    many = "---\n".join(service(f"s{number}", "edges: {part_of: [service:z]}\n") for number in range(400))
    brain = Brain({"graph/a.yaml": many, "graph/z.yaml": service("z")})
    found = brain.repair()
    assert told(found) == [
        "graph/z.yaml:1: `contains` of `service:z` to `service:s0`, `service:s1`, `service:s2` and 397 more"
    ]
    assert brain.rounds == 3


def test_a_record_that_states_very_many_edges_is_answered_in_rounds() -> None:
    targets = ", ".join(f"service:s{number}" for number in range(250))
    many = "---\n".join(service(f"s{number}") for number in range(250))
    brain = Brain({"graph/a.yaml": service("a", f"edges: {{part_of: [{targets}]}}\n"), "graph/z.yaml": many})
    assert len(brain.repair().done) == 250
    assert brain.repair() == Repairs()


def test_a_file_that_would_grow_too_large_is_left_alone() -> None:
    text = "nodeKind: Service\nid: service:a\n"
    brain = Brain({"graph/a.yaml": text})
    found = brain.repair(most_bytes=len(text) + 10)
    assert (found.files, found.done) == ({}, ())
    assert [reason.rpartition(": ")[2] for reason in reasons(found)] == ["the file would be larger than what is read"]


def test_a_file_that_is_not_utf_8_is_left_alone() -> None:
    brain = Brain({})
    brain.files["runbooks/a.md"] = b"---\nid: runbook:a\nkind: Runbook\n---\nna\xefve\n"
    found = brain.repair()
    assert (found.files, found.done) == ({}, ())
    assert [reason for reason in reasons(found) if "UTF-8" in reason] == ["runbooks/a.md:1: the file: it is not UTF-8"]


def test_the_order_of_keys_is_repaired_only_where_that_is_wanted() -> None:
    text = f"attributes: {{updatedAt: {MOMENT}}}\nid: service:a\nnodeKind: Service\n"
    brain = Brain({"graph/a.yaml": text})
    assert brain.repair(order=False) == Repairs()
    assert brain.repair(may_change=lambda path: False) == Repairs()
    assert told(brain.repair()) == ["graph/a.yaml:1: order of the keys of `service:a`"]
