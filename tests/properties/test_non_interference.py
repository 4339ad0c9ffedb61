"""What a reader may not see changes nothing of what the reader gets.

`KRADLE_EXAMPLES=2000` looks at more random brains, grants and requests than the suite has time for.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kradle_ctx.errors import KradleError
from kradle_ctx.model.access import DEFAULT_SENSITIVITIES, SENSITIVITIES, Access, Grant
from kradle_ctx.model.request import Request
from kradle_ctx.render.bundle_yaml import to_yaml
from kradle_ctx.render.preview import preview_markdown
from kradle_ctx.render.prompt import prompt_section
from kradle_ctx.render.summary import summarize
from tests.cases.command_line import environment
from tests.command_server import warm
from tests.conftest import GitBuilder
from tests.fakes import Content, InMemoryRepository
from tests.pipeline import FIRST_DAY, SECOND_DAY, assembled, explicit
from tests.properties.brains import (
    IDS,
    KINDS,
    bodies,
    fields,
    files,
    granted_files,
    graph_text,
    markdown_text,
    requests,
    words,
)
from tests.properties.examples import examples

ACCESS = Access((Grant("source", paths=("open/**",), kinds=KINDS, exclude_paths=("open/closed/**",)),))

SHARED = "open/many-freight.yaml"
"""A file whose first and last documents the reader may not see, and whose middle one the reader may."""

MASKED = frozenset(
    {
        "resolvedCommit",
        "currentCommitAtDispatch",
        "accessCommit",
        "lastChanged",
        "queryManifestDigest",
        "indexDigest",
        "snapshotRef",
        "renderedMemoryDigest",
    }
)
"""Commit ids, and what is made from them or from the tree."""

MADE_FROM_IDS = re.compile(r"(\"?)\b(?:[0-9a-f]{40}|sha256:[0-9a-f]{64}|(?:acb|ams|amq)-[0-9a-f]{12})\b\1")
"""Object ids, digests, and names that follow from digests, in a text; YAML quotes one that looks like a number."""

Denied = dict[str, Content]


@st.composite
def denied_files(draw: st.DrawFn, ids: st.SearchStrategy[str]) -> Denied:
    """Files that the grant denies: by path, by exclude, by kind or by sensitivity; in denied folders anything goes."""
    found: Denied = {}
    for number in range(draw(st.integers(0, 4))):
        where = draw(st.sampled_from(("elsewhere/", "open/closed/", "open/hidden-", "kind", "garbage")))
        if where == "garbage":
            found[f"open/closed/{number}.md"] = draw(
                st.sampled_from([b"\x00", b"---\nid: [\n---\n", b"\xff\xfecarriage"])
            )
        elif where == "kind":
            found[f"open/kind-{number}.yaml"] = graph_text(draw(fields(ids, ("Customer",))))
        else:
            closed = st.sampled_from(["restricted", "secret-metadata", "nobody knows"])
            suffix, text = draw(files(ids, draw(closed) if where == "open/hidden-" else None))
            found[f"{where}{number}{suffix}"] = text
    return found


@st.composite
def shared_files(draw: st.DrawFn, visible: str) -> str:
    """The shared file: a denied record of one line, the visible one, and another denied record."""
    denied = st.one_of(
        st.just("null\n"),
        fields(st.sampled_from(IDS)).map(lambda said: graph_text(said, "restricted")),
        fields(st.sampled_from(IDS), ("Customer",)).map(graph_text),
    )
    return f"{draw(denied)}---\n{visible}---\n{draw(denied)}"


def masked(value: Any) -> Any:
    """The same value with everything hidden that a commit id decides."""
    if isinstance(value, dict):
        return {name: "masked" if name in MASKED else masked(entry) for name, entry in value.items()}
    return [masked(entry) for entry in value] if isinstance(value, list) else value


def answer(repository: InMemoryRepository, request: Request, access: Access = ACCESS) -> Any:
    """All that a reader gets, masked: the bundle, its query record and what is rendered of it, or the error."""
    try:
        bundle = assembled(repository, request, access)
    except KradleError as error:
        return error.code, error.message, error.hint, dict(error.details)
    texts = (to_yaml([bundle.document]), prompt_section(bundle.memory), preview_markdown(summarize(bundle)))
    document, query = masked(dict(bundle.document)), masked(dict(bundle.query))
    document["metadata"]["name"] = query["metadata"]["name"] = document["status"]["digest"] = "masked"
    for source in document["spec"]["memory"]["sources"]:
        if source["path"] == SHARED:
            source["blob"] = "masked"
            document["spec"]["memory"]["selectedRecordsDigest"] = "masked"
            document["spec"]["memory"]["selectedExcerptsDigest"] = "masked"
    return document, query, bundle.notes, [MADE_FROM_IDS.sub("masked", text) for text in texts]


@settings(max_examples=examples(40), deadline=None)
@given(st.data())
def test_a_denied_document_changes_nothing_of_the_answer(data: st.DataObject) -> None:
    granted, request = data.draw(granted_files()), data.draw(requests())
    visible = graph_text(data.draw(fields(st.sampled_from(IDS))))
    answers = []
    for _ in range(2):
        repository = InMemoryRepository()
        shared = data.draw(shared_files(visible))
        repository.add_commit(granted | {SHARED: shared} | data.draw(denied_files(st.sampled_from(IDS))), FIRST_DAY)
        answers.append(answer(repository, request))
    assert answers[0] == answers[1]


@settings(max_examples=examples(30), deadline=None)
@given(st.data())
def test_a_denied_document_changes_nothing_of_an_old_pin(data: st.DataObject) -> None:
    """Today's sensitivity is looked up by id, so here no denied record has the id of a granted one."""
    granted, today, request = data.draw(granted_files()), data.draw(granted_files()), data.draw(requests())
    others = st.sampled_from(["vault:a", "vault:b"])
    answers = []
    for _ in range(2):
        repository = InMemoryRepository()
        first = repository.add_commit(granted | data.draw(denied_files(others)), FIRST_DAY)
        repository.add_commit(today | data.draw(denied_files(others)), SECOND_DAY)
        value = answer(repository, replace(request, ref=explicit(first)))
        answers.append(repr(value).replace(first, "first"))
    assert answers[0] == answers[1]


def test_denied_edges_make_no_hub() -> None:
    def hub(denied: Denied) -> Any:
        granted = {
            "open/a.yaml": '{"nodeKind": "Term", "id": "term:a", "edges": {"documents": ["term:b"]}}\n',
            "open/b.yaml": '{"nodeKind": "Term", "id": "term:b"}\n',
            "open/c.yaml": '{"nodeKind": "Term", "id": "term:c", "edges": {"documents": ["term:b"]}}\n',
        }
        repository = InMemoryRepository()
        repository.add_commit(granted | denied, FIRST_DAY)
        return answer(repository, Request(source_refs={"term": ("a",)}))

    pulling = {
        f"elsewhere/{n}.yaml": f'{{"nodeKind": "Term", "id": "x:{n}", "edges": {{"documents": ["term:b"]}}}}\n'
        for n in range(80)
    }
    quiet = hub({})
    assert [source["id"] for source in quiet[0]["spec"]["memory"]["sources"]] == ["term:a", "term:b", "term:c"]
    assert hub(pulling) == quiet


# Random grants

PATTERNS: Mapping[str, Callable[[str], bool]] = {
    "**": lambda path: True,
    "open/**": lambda path: path.startswith("open/"),
    "closed/**": lambda path: path.startswith("closed/"),
    "**/*.md": lambda path: path.endswith(".md"),
    "open/*.yaml": lambda path: path.startswith("open/") and path.endswith(".yaml") and path.count("/") == 1,
    "*/far/**": lambda path: path.split("/")[1] == "far",
    "[x]/**": lambda path: path.startswith("[x]/"),
}
"""Path patterns, each with what it means said otherwise."""

FOLDERS = ("open/", "closed/", "open/far/", "closed/far/away/", "[x]/", "o/")
ALL_KINDS = (*KINDS, "Customer")
WORDS_OF_SENSITIVITY = (None, None, *SENSITIVITIES, "nobody knows")

Said = tuple[str, str | None, str, str]
"""Path, kind, sensitivity and text of a file."""


@st.composite
def any_files(draw: st.DrawFn, number: int) -> Said:
    """A file anywhere, of any kind and sensitivity."""
    said, sensitivity = draw(fields(st.sampled_from(IDS), ALL_KINDS)), draw(st.sampled_from(WORDS_OF_SENSITIVITY))
    place = f"{draw(st.sampled_from(FOLDERS))}{draw(words)}-{number}"
    form, counts = draw(st.sampled_from(("graph", "markdown", "note"))), sensitivity or "internal"
    if form == "graph":
        return f"{place}.yaml", said["kind"], counts, graph_text(said, sensitivity)
    kind: str | None = said["kind"]
    if form == "note":
        kind, said = None, {name: value for name, value in said.items() if name not in ("id", "kind")}
    return f"{place}.md", kind, counts, markdown_text(said, draw(bodies), sensitivity)


@st.composite
def grants(draw: st.DrawFn) -> Grant:
    """A grant by paths, by kinds, by both, or by neither."""
    patterns, kinds = st.sampled_from(sorted(PATTERNS)), st.sampled_from(ALL_KINDS)
    allowed = st.one_of(st.none(), st.lists(patterns, max_size=2).map(tuple))
    return Grant(
        draw(st.sampled_from(("a", "b"))),
        paths=draw(allowed),
        kinds=draw(st.one_of(st.none(), st.lists(kinds, min_size=1, max_size=3).map(tuple))),
        exclude_paths=tuple(draw(st.lists(patterns.filter(lambda pattern: pattern != "**"), max_size=1))),
        exclude_kinds=tuple(draw(st.lists(kinds, max_size=1))),
        sensitivities=draw(st.sampled_from([DEFAULT_SENSITIVITIES, ("public",), SENSITIVITIES[:3], SENSITIVITIES])),
        allow_on_public=draw(st.booleans()),
    )


def may_read(access: Access, said: Said) -> bool:
    """Whether a reader may see a file, by the rules as the data model states them."""
    path, kind, sensitivity, _ = said
    if any(kind in grant.exclude_kinds for grant in access.grants):
        return False
    if any(PATTERNS[pattern](path) for grant in access.grants for pattern in grant.exclude_paths):
        return False
    return any(
        sensitivity in grant.sensitivities
        and not (access.public_dispatch and sensitivity != "public" and not grant.allow_on_public)
        and (kind is None or grant.kinds is None or kind in grant.kinds)
        and (any(PATTERNS[pattern](path) for pattern in grant.paths) if grant.paths is not None else kind is not None)
        and not (grant.paths is None and grant.kinds is None)
        for grant in access.grants
    )


accesses = st.builds(Access, st.lists(grants(), min_size=1, max_size=2).map(tuple), st.booleans())


@st.composite
def brains(draw: st.DrawFn, access: Access) -> tuple[dict[str, Content], list[dict[str, Content]]]:
    """The files of a brain that a reader may see, and two choices of files that the reader may not."""
    drawn = [draw(any_files(number)) for number in range(draw(st.integers(1, 9)))]
    more = [draw(any_files(number)) for number in range(9, 9 + draw(st.integers(0, 4)))]
    seen: dict[str, Content] = {said[0]: said[3] for said in drawn if may_read(access, said)}
    hidden = [[said for said in some if not may_read(access, said)] for some in (drawn, more)]
    return seen, [{said[0]: said[3] for said in some} for some in hidden]


@settings(max_examples=examples(75), deadline=None)
@given(st.data())
def test_under_any_grant_a_denied_document_changes_nothing_of_the_answer(data: st.DataObject) -> None:
    access, request = data.draw(accesses), data.draw(requests())
    seen, hidden = data.draw(brains(access))
    answers = []
    for denied in hidden:
        repository = InMemoryRepository()
        repository.add_commit(seen | denied | {"o/ground.md": b"\xff"}, FIRST_DAY)
        answers.append(answer(repository, request, access))
    assert answers[0] == answers[1]


@settings(max_examples=examples(30), deadline=None)
@given(st.data())
def test_a_denied_text_that_a_branch_repeats_changes_nothing_of_the_answer(data: st.DataObject) -> None:
    texts = data.draw(st.lists(bodies, min_size=2, max_size=3, unique=True))
    some = st.dictionaries(st.sampled_from(("a.md", "b.md", "c.md")), st.sampled_from(texts), max_size=3)
    merged, added, request = data.draw(some), data.draw(some), data.draw(requests())
    answers = []
    for _ in range(2):
        denied: dict[str, Content] = {f"closed/{name}": text for name, text in data.draw(some).items()}
        repository = InMemoryRepository()
        base: dict[str, Content] = {"o/ground.md": b"\xff", **{f"open/{name}": text for name, text in merged.items()}}
        first = repository.add_commit(base | denied, FIRST_DAY)
        branch = base | denied | {f"open/branch-{name}": text for name, text in added.items()}
        pinned = repository.add_commit(branch, SECOND_DAY, branch="review", parents=[first])
        value = answer(repository, replace(request, ref=explicit("review")), Access((Grant("a", paths=("open/**",)),)))
        answers.append(repr(value).replace(first, "first").replace(pinned, "pinned"))
    assert answers[0] == answers[1]


def source_document(grant: Grant, number: int) -> dict[str, Any]:
    """A grant as an AgentMemorySource."""
    include = {"paths": grant.paths, "graphKinds": grant.kinds}
    exclude = {"paths": grant.exclude_paths, "graphKinds": grant.exclude_kinds}
    spec: dict[str, Any] = {"organizationRef": "a5c", "sensitivities": list(grant.sensitivities)}
    spec["include"] = {name: list(values) for name, values in include.items() if values is not None}
    spec["exclude"] = {name: list(values) for name, values in exclude.items() if values}
    spec["allowOnPublic"] = grant.allow_on_public
    head = {"apiVersion": "kradle.a5c.ai/v1alpha1", "kind": "AgentMemorySource", "metadata": {"name": f"s{number}"}}
    return head | {"spec": spec}


@settings(max_examples=examples(8, one_in=10), deadline=None)
@given(st.data())
def test_nor_of_any_byte_on_any_stream_or_of_the_exit_code(data: st.DataObject) -> None:
    access, words_asked = data.draw(accesses), data.draw(st.lists(words, min_size=1, max_size=3).map(" ".join))
    seen, hidden = data.draw(brains(access))
    command = data.draw(st.sampled_from([("assemble",), ("preview", "--summary"), ("query",)]))
    asked = ["--query", words_asked, *(["--visibility", "public"] if access.public_dispatch else [])]
    asked += data.draw(st.sampled_from([[], ["--select", "term:a"], ["--error-format", "json"]]))
    answers = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = [source_document(grant, number) for number, grant in enumerate(access.grants)]
        (folder / "sources.yaml").write_text(yaml.safe_dump_all(sources), encoding="utf-8")
        for number, denied in enumerate(hidden):
            builder = GitBuilder(folder / f"{number}" / "brain")
            builder.add_commit({"o/ground.md": b"\xff"} | seen | denied, FIRST_DAY)
            place = ["--brain", "brain", "-f", str(folder / "sources.yaml")]
            given_out = warm().run([*command, *place, *asked], folder=folder / f"{number}", environment=environment())
            answers.append((given_out.code, *(MADE_FROM_IDS.sub("masked", text) for text in streams(given_out))))
    assert answers[0] == answers[1]
    assert answers[0][0] in (0, 1, 4)


def streams(answer_given: Any) -> tuple[str, str]:
    """Both streams as text."""
    return answer_given.text, answer_given.talk
