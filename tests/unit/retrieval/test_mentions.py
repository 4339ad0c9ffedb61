"""Notes that mention the id of a reached record."""

from __future__ import annotations

import pytest

from kradle_ctx.model.access import Access
from kradle_ctx.retrieval.mentions import MENTIONED, with_mentions
from kradle_ctx.retrieval.seeds import Seed
from kradle_ctx.retrieval.traverse import Reach, traverse
from tests.fakes import Content, InMemorySearcher
from tests.pipeline import EVERYTHING, blob_redactor, brain, granting, graph_record, markdown, view_of

WEB: dict[str, Content] = {"web.yaml": graph_record("service:web", "Service", edges={"owned_by": ["team:a"]})}


def reached(
    files: dict[str, Content], access: Access = EVERYTHING, start: str = "service:web", depth: int = 1
) -> Reach:
    """What is reached from one record, mentions included."""
    view = view_of(brain(files), access)
    reach = traverse(view, [Seed(start, 0, (start,))], depth)
    return with_mentions(view, reach, InMemorySearcher(), blob_redactor())


def test_a_note_that_mentions_a_reached_record_is_one_step_farther() -> None:
    files = WEB | {
        "a.yaml": graph_record("team:a", "Team"),
        "notes/n.md": "We asked team:a.\n",
        "notes/m.md": "nothing\n",
    }
    node = reached(files).nodes["notes/n.md"]
    assert node.distance == 2
    assert node.breadcrumb == ("service:web", "-owned_by->", "team:a", "<-mentions-", "notes/n.md")
    assert "notes/m.md" not in reached(files).nodes


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("service:web", True),
        ("see service:web.", True),
        ("(SERVICE:Web)", True),
        ("[[service:web]]", True),
        ("service:web: down", True),
        ("service:web-front", False),
        ("service:web.internal", False),
        ("service:web/api", False),
        ("service:web2", False),
        ("microservice:web", False),
        ("x-service:web", False),
        ("web", False),
    ],
)
def test_only_the_whole_id_is_a_mention(text: str, mentions: bool) -> None:
    assert ("notes/n.md" in reached(WEB | {"notes/n.md": f"say {text}\n"}).nodes) is mentions


def test_records_are_tied_by_edges_and_not_by_mentions() -> None:
    files = WEB | {
        "a.md": markdown("service:web\n", id="term:a", kind="Term"),
        "b.yaml": graph_record("term:b", note="service:web"),
    }
    assert set(reached(files).nodes) == {"service:web"}


def test_the_nearest_of_several_mentioned_records_counts() -> None:
    files = WEB | {"a.yaml": graph_record("team:a", "Team"), "notes/n.md": "team:a and service:web\n"}
    assert reached(files).nodes["notes/n.md"].breadcrumb == ("service:web", "<-mentions-", "notes/n.md")


def test_a_note_that_is_reached_already_keeps_its_distance() -> None:
    files = WEB | {"notes/n.md": markdown("service:web\n", related={"mentions": ["service:web"]})}
    node = reached(files).nodes["notes/n.md"]
    assert node.breadcrumb == ("service:web", "<-mentions-", "notes/n.md")
    assert node.distance == 1


def test_a_denied_note_and_a_denied_record_tie_nothing() -> None:
    files = WEB | {"closed/n.md": "service:web\n"}
    assert set(reached(files, granting("**", exclude_paths=("closed/**",))).nodes) == {"service:web"}
    nodes = reached(WEB | {"notes/n.md": "service:web\n"}, granting("**", exclude_paths=("web.yaml",))).nodes
    assert "notes/n.md" not in nodes


def test_a_mention_inside_a_secret_is_none() -> None:
    files: dict[str, Content] = {
        "a.yaml": graph_record("term:Tr0ub4dor", "Term"),
        "n.md": "the password is term:Tr0ub4dor&3x9Q\n",
    }
    assert "n.md" not in reached(files, start="term:Tr0ub4dor").nodes


def test_only_the_nearest_records_are_looked_for() -> None:
    names = [f"term:{number:03}" for number in range(MENTIONED + 5)]
    files: dict[str, Content] = {
        f"{name[5:]}.yaml": graph_record(name, "Term", edges={"x": ["term:000"]}) for name in names
    }
    files |= {"notes/near.md": f"{names[1]}\n", "notes/far.md": f"{names[-1]}\n"}
    nodes = reached(files, start="term:000").nodes
    assert "notes/near.md" in nodes
    assert "notes/far.md" not in nodes
