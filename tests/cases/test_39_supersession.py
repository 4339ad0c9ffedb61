"""What was replaced never stands above its replacement, and a draft replaces nothing (gbrain #3672, #4056)."""

from __future__ import annotations

from pathlib import Path

from tests.cases.brain_builder import BrainBuilder, frontmatter
from tests.cases.place import Place, ids, places


def build(folder: Path, root: str) -> None:
    """An old decision full of the query's words, the one that replaced it, a draft and an archived one."""
    brain = BrainBuilder.create(folder, root)
    old = "queue queue queue: we use the bluebill queue for every queue"
    brain.page("decisions/old.md", "decision:old", "Queue choice queue choice", old, kind="Decision")
    new = "We moved to the scoter broker; the bluebill queue is retired."
    replaces(brain, "new", "Broker choice", "approved", "decision:old", new)
    replaces(brain, "draft", "Draft broker", "draft", "decision:new", "Maybe the bluebill queue goes to eider.")
    archived = frontmatter("decision:arch", "Archived", kind="Decision", status="archived")
    brain.write("decisions/arch.md", archived + "\nbluebill queue queue archived text\n")
    brain.commit("sup", 1)


def replaces(brain: BrainBuilder, name: str, title: str, status: str, replaced: str, body: str) -> None:
    """Write a decision that supersedes another."""
    related = f'related: {{supersedes: ["{replaced}"]}}\n'
    stated = frontmatter(f"decision:{name}", title, kind="Decision", status=status, more=related)
    brain.write(f"decisions/{name}.md", f"{stated}\n{body}\n")


def test_the_replacement_comes_first_and_the_archived_decision_last(place: Place) -> None:
    found = ids(place.ask("--query", "bluebill queue"))

    assert sorted(found) == ["decision:arch", "decision:draft", "decision:new", "decision:old"]
    assert found.index("decision:new") < found.index("decision:old")
    assert found.index("decision:new") < found.index("decision:draft")
    assert found[-1] == "decision:arch"


def test_the_replaced_decision_is_marked_though_it_says_approved(place: Place) -> None:
    sources = {source["id"]: source for source in place.ask("--query", "bluebill queue")["sources"]}

    assert sources["decision:old"]["status"] == "approved"
    assert sources["decision:old"]["why"]["supersededBy"] == "decision:new"
    assert "superseded by decision:new" in sources["decision:old"]["why"]["summary"]
    assert "supersededBy" not in sources["decision:new"]["why"]


def test_validation_tells_that_what_was_replaced_still_says_approved(place: Place) -> None:
    (finding,) = place.validate()
    lines = place.committed("decisions/new.md").decode().split("\n")
    (line,) = (number for number, text in enumerate(lines, start=1) if "supersedes" in text)

    assert places([finding]) == [f"KB040 decisions/new.md:{line}"]
    assert finding["severity"] != "error"
    assert [other["path"] for other in finding["related"]] == ["decisions/old.md"]
