"""Content is the raw bytes of the commit, never the work tree or a filter (big-code-analysis #838, retrodep #13)."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.cases.brain_builder import BrainBuilder
from tests.cases.place import Place, paths

ATTRIBUTES = "incidents/ export-ignore\n*.md export-subst ident\nnotes/*.md text eol=crlf\n"
COMMITTED = "commit $Format:%H$\nident $Id$\ngodwit keep these bytes\n"


def build(folder: Path, root: str) -> None:
    """A commit whose attributes change what an export holds, under a desk full of edits."""
    brain = BrainBuilder.create(folder, root)
    brain.page("incidents/i1.md", "incident:i1", "I1", "godwit incident body", kind="Incident")
    brain.write("notes/subst.md", COMMITTED)
    brain.write(".gitattributes", ATTRIBUTES)
    brain.commit("one", 1)
    brain.write("notes/new.md", "godwit UNCOMMITTED\n")
    brain.write("notes/subst.md", "godwit EDITED\n")
    (brain.brain / "incidents" / "i1.md").unlink()
    brain.write("notes/staged.md", "godwit STAGED\n")
    brain.git("add", "-f", brain.root + "/notes/staged.md" if brain.root else "notes/staged.md")


def fresh_clone(place: Place) -> str:
    """A clone beside the case's folder, by its path from there."""
    clone = place.folder.parent / "clone"
    if not clone.exists():
        command = ["git", "clone", "-q", f"file://{place.folder}", str(clone)]
        subprocess.run(command, check=True, capture_output=True)
    return "../clone"


def test_only_committed_bytes_are_found(place: Place) -> None:
    sources = {source["path"]: source for source in place.ask("--ref", "HEAD", "--query", "godwit")["sources"]}

    assert sorted(sources) == ["incidents/i1.md", "notes/subst.md"]
    assert sources["notes/subst.md"]["content"] == COMMITTED
    assert place.run("read", "notes/subst.md").stdout == COMMITTED.encode()
    assert sources["incidents/i1.md"]["content"].encode() == place.committed("incidents/i1.md")


def test_nothing_of_the_work_tree_or_the_index_is_shown(place: Place) -> None:
    for word in ("godwit", "UNCOMMITTED EDITED STAGED"):
        answer = place.ask("--ref", "HEAD", "--query", word)
        assert not {"notes/new.md", "notes/staged.md"} & set(paths(answer))
        contents = "".join(source["content"] for source in answer["sources"])
        assert not [mark for mark in ("UNCOMMITTED", "EDITED", "STAGED") if mark in contents]


def test_a_fresh_clone_gives_the_same_bundle_to_the_byte(place: Place) -> None:
    asked = ("assemble", "--local-grant", "--query", "godwit")
    clone = fresh_clone(place)

    assert place.run(*asked, repository=clone).stdout == place.run(*asked).stdout
    assert place.run(*asked).bundle["status"]["phase"] == "Ready"
