"""A name that could mean two things is refused, with what it could mean (rugged #916, go-git #823, pygit2 #923)."""

from __future__ import annotations

from pathlib import Path

from tests.cases.brain_builder import BrainBuilder
from tests.cases.place import Place


def build(folder: Path, root: str) -> None:
    """Three commits, and names that collide or look like ids."""
    brain = BrainBuilder.create(folder, root)
    for number, name in enumerate(("one", "two", "three"), start=1):
        brain.write("notes/v.md", f"v={name}\n")
        brain.commit(name, number)
    brain.git("tag", "release", "main~2")
    brain.git("branch", "release", "main~1")
    for name in (brain.git("rev-parse", "--short=7", "main~2"), "plan-gabcdef", "OPS-1-gdc"):
        brain.git("branch", name)
    brain.git("tag", "-a", "-m", "annotated", "snap", "main~1")
    brain.git("update-ref", "refs/heads/refs/heads/main", "main~2")


def commits(place: Place) -> tuple[str, str, str]:
    """Commits one, two and three, by git."""
    one, two, three = place.git("rev-list", "--reverse", "refs/heads/main", "--").split()
    return one, two, three


def test_full_names_and_names_of_one_thing_are_found(place: Place) -> None:
    one, two, three = commits(place)
    meant = {
        "heads/release": two,
        "refs/tags/release": one,
        "snap": two,
        "plan-gabcdef": three,
        "OPS-1-gdc": three,
        "refs/heads/main": three,
        one: one,
    }

    for name in place.sweep(tuple(meant)):
        assert place.resolved("--ref", name) == meant[name], name


def test_a_tag_and_a_branch_of_one_name_are_ambiguous(place: Place) -> None:
    one, two, _ = commits(place)
    code, error = place.refuse("resolve", "--ref", "release")

    assert (code, error["code"]) == (3, "MEMORY_REF_AMBIGUOUS")
    assert {(found["kind"], found["name"], found["commit"]) for found in error["candidates"]} == {
        ("tag", "refs/tags/release", one),
        ("branch", "refs/heads/release", two),
    }


def test_a_branch_named_like_a_short_id_is_ambiguous(place: Place) -> None:
    one, _, three = commits(place)
    code, error = place.refuse("resolve", "--ref", one[:7])

    assert (code, error["code"]) == (3, "MEMORY_REF_AMBIGUOUS")
    assert {(found["kind"], found["name"], found["commit"]) for found in error["candidates"]} == {
        ("branch", f"refs/heads/{one[:7]}", three),
        ("commit", one, one),
    }


def test_an_ambiguous_ref_blocks_a_bundle_and_names_the_candidates_to_a_person(place: Place) -> None:
    answer = place.run("assemble", "--local-grant", "--ref", "release", "--query", "v")

    assert (answer.code, answer.stdout) == (3, b"")
    assert "ambiguous" in answer.talk
    assert "refs/tags/release" in answer.talk and "refs/heads/release" in answer.talk


def test_revision_expressions_and_reflog_queries_are_refused(place: Place) -> None:
    for ref in place.sweep(("main^{/one}", "main:notes/v.md", "nope", "HEAD@{2026-05-02}")):
        code, error = place.refuse("resolve", "--ref", ref)
        assert (code, error["code"]) == (3, "MEMORY_REF_UNRESOLVED"), ref
        assert ref in error["message"]
