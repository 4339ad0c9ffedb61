"""The whole pipeline on random brains: a bundle that fits and shows nothing that it must not, or a refusal."""

from __future__ import annotations

import io
import json
from typing import Any

import yaml
from hypothesis import strategies as st
from rich.console import Console

from kradle_ctx.digest import canonical_bytes
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.bundle import Bundle
from kradle_ctx.model.request import Request
from kradle_ctx.render.answer import answer_json, answer_text
from kradle_ctx.render.bundle_yaml import plain, to_json, to_yaml
from kradle_ctx.render.preview import preview, preview_markdown
from kradle_ctx.render.prompt import prompt_section
from kradle_ctx.render.summary import summarize
from tests.fakes import InMemoryRepository
from tests.fuzz.asked import CANARY, access_of, brain_files, fields_of, request_of
from tests.fuzz.target import RECORD_MARK, Target, bytes_of, records_of, refusal, require
from tests.fuzz.targets import records
from tests.fuzz.targets.fences import MAY_STAY, UNSEEN
from tests.fuzz.targets.redaction import PLANT, leaks
from tests.pipeline import FIRST_DAY, assembled
from tests.properties import brains

CODES = (
    ErrorCode.USAGE,
    ErrorCode.LIMIT_EXCEEDED,
    ErrorCode.ONTOLOGY_INVALID,
    ErrorCode.MEMORY_ITEM_UNAVAILABLE,
    ErrorCode.MEMORY_PERMISSION_DENIED,
    ErrorCode.REDACTION_TOO_BROAD,
)
MOST_FILES = 12
FAST_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

QUERIES = st.sampled_from(["query=carriage wheel", "query=the brake of term:a", "regex=(wheel|brake)", "query="])
NARROWED = st.sampled_from(
    [
        *["kinds=Term", "select=term:a", "select=open/a.md", "include=open/**", "exclude=**/*.yaml", "depth=3"],
        *["bytes=700", "bytes=1", "records=1", "rank=1", "tags=ship", "allow=open/*", "kind=Runbook"],
        *["repository=kradle", "context=0", "matches=1", "edges=documents", "root=open"],
        *["layout=atlas-md-yaml-v1", "public=1", "excludeKinds=Term", "statuses=approved", "ontology=ontology"],
    ]
)
ASKED = st.tuples(
    QUERIES, st.sampled_from(["", "mode=0", "mode=1", "mode=3\nselect=open/a.md"]), st.lists(NARROWED, max_size=2)
)
NAMES = st.sampled_from(
    ["open/a.md", "open/b.yaml", "open/c.md", "ontology/kinds.yaml", "open/d/e.md", "other/f.md", "é [x].md"]
)
FILES = st.tuples(NAMES, brains.files(st.sampled_from(brains.IDS))).map(lambda pair: f"{pair[0]}\n{pair[1][1]}")
SCRAPS = (
    *records.SCRAPS,
    *(RECORD_MARK, RECORD_MARK + b"open/x.md\n", RECORD_MARK + b"open/y.yaml\n", PLANT.encode(), b"[memory "),
    *(b" ends]\n", b"query=", b"\nmode=3", b"\nregex=.*", b"\nselect=term:a", b"\nbytes=300", b"\nrecords=0"),
    *(b"\nallow=**\n", b"carriage ", b"supersedes: [term:a]", b"\x1b[2J", b"[/]", "\u202e".encode()),
    *(b"related: {documents: [term:a]}\n", b"aliases: [term:b]\n"),
)


def check(data: bytes) -> str:
    """Assemble a bundle twice, and show it in every form."""
    asked, *files = records_of(data, 1)[: MOST_FILES + 1]
    fields = fields_of(asked.decode(errors="replace"))
    secrets: list[str] = []
    repository = InMemoryRepository()
    repository.add_commit(brain_files(files, fields.get("query", ""), secrets), FIRST_DAY)
    try:
        request, access = request_of(fields), access_of(fields)
        bundle = assembled(repository, request, access)
    except KradleError as error:
        require(
            CANARY not in error.message + error.hint and not leaks(error.message, secrets), "an error shows nothing"
        )
        return refusal(error, *CODES).partition(" ")[0]
    require_budget(bundle, request)
    texts = shown_forms(bundle)
    require(not any(CANARY in text for text in texts), "nothing of a denied file shows")
    require(not any(leaks(text, secrets) for text in texts), "no part of a planted token shows")
    again = assembled(repository, request, access)
    require(canonical_bytes(plain(again.document)) == canonical_bytes(plain(bundle.document)), "a bundle is repeatable")
    return f"{request.query_mode.value} {min(len(bundle.memory['sources']), 3)} items"


def require_budget(bundle: Bundle, request: Request) -> None:
    """Check that the section keeps the limits that were asked for."""
    section, sources = prompt_section(bundle.memory), bundle.memory["sources"]
    require(len(section.encode()) <= request.limits.max_bytes or not sources, "the section keeps its bytes")
    require(len(sources) <= request.limits.max_records, "items are counted")


def shown_forms(bundle: Bundle) -> list[str]:
    """A bundle in every form that leaves the product; data forms are read back, the others hold nothing hidden."""
    documents = [document for document in (bundle.document, bundle.snapshot, bundle.query) if document]
    as_yaml, as_json = to_yaml(documents), to_json(documents)
    expected = [plain(document) for document in documents]
    require(list(yaml.load_all(as_yaml, Loader=FAST_LOADER)) == expected, "what is written as YAML is read back")
    require(json.loads(as_json) == (expected if len(expected) > 1 else expected[0]), "and so is JSON")
    terminal = Console(file=io.StringIO(), width=50, color_system=None, emoji=False)
    terminal.print(preview(summarize(bundle)))
    printed: str = terminal.file.getvalue()  # type: ignore[attr-defined]
    texts = [printed, preview_markdown(summarize(bundle)), prompt_section(bundle.memory), answer_text(bundle.memory)]
    for text in [as_json, *texts]:
        require(not UNSEEN.search(MAY_STAY.sub("", text)), "nothing that acts on a terminal or hides is sent")
    return [as_yaml, as_json, json.dumps(answer_json(bundle.memory)), *texts]


TARGET = Target(
    name="pipeline",
    promise="a bundle fits its schema, keeps its budget, is repeatable and shows nothing denied or secret",
    check=check,
    inputs=st.tuples(
        ASKED.map(lambda asked: "\n".join([*asked[:2], *asked[2]])),
        st.lists(FILES, max_size=5, unique_by=lambda text: text.partition("\n")[0]),
    ).map(lambda pair: RECORD_MARK.join(map(bytes_of, [pair[0], *pair[1]]))),
    seeds=lambda: [
        RECORD_MARK.join(
            [
                b"query=carriage wheel\nselect=runbook:c",
                b"open/a.yaml\n" + records.SEEDS[0],
                b"open/b.md\n" + records.SEEDS[1],
            ]
        ),
        RECORD_MARK.join(
            [
                b"regex=(note|text)\nmode=1\ncontext=1",
                b"open/n.md\n" + records.SEEDS[2] * 30,
                b"o/k.yaml\n" + records.SEEDS[3],
            ]
        ),
        RECORD_MARK.join(
            [
                b"query=token\nbytes=900",
                b"open/t.md\n# token\n\x1d\nafter\n\x1d\n",
                b"open/u.md\ntoken " + b"long " * 500,
            ]
        ),
    ],
    scraps=SCRAPS,
)
