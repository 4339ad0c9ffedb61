"""Requests: a dispatch run with flags laid over it becomes one request, or is refused."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from kradle_ctx.config import RequestFlags
from kradle_ctx.digest import digest_value
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.memory_mode import parse_memory_mode
from kradle_ctx.model.request import QueryMode, Request, Visibility
from kradle_ctx.resources import complete_request, read_resources, request_from
from kradle_ctx.resources.overlay import FIELDS, overlay
from tests.fuzz.target import RECORD_MARK, Target, bytes_of, refusal, require, text_of
from tests.fuzz.targets import yaml_documents
from tests.fuzz.targets.resources import FIXTURES

CODES = (
    ErrorCode.USAGE,
    ErrorCode.RESOURCE_INVALID,
    ErrorCode.MEMORY_MODE_INVALID,
    ErrorCode.TIMESTAMP_AMBIGUOUS,
    ErrorCode.CROSS_ORG_REF_DENIED,
)
CHOICES = {"visibility": tuple(Visibility), "mode": tuple(QueryMode)}
"""Flags whose values the command line checks itself."""

TEXT_FLAGS = sorted(
    name for name, _ in FIELDS if RequestFlags.__annotations__[name] in ("str | None", "tuple[str, ...]")
)
NUMBER_FLAGS = ("depth", "max_matches", "context", "max_bytes", "max_tokens", "max_records")
MOST_FLAGS = 8

VALUES = st.sampled_from(
    [
        *["a", "a5c", "kradle/91", "..", "a/../b", "*", "[org]", "a b", "", "\n", "\x00", "\u202e", "\udcff"],
        *["x" * 5_000, "-x", "2026-05-08", "2026-05-08T09:30:00Z", "main", "main..old", "graph-only", "public", "no"],
        *["0", "(", "é", "id:1"],
    ]
)
FLAGS = st.tuples(st.sampled_from(TEXT_FLAGS), VALUES | st.text(max_size=4)).map("=".join)
SCRAPS = (
    *yaml_documents.SCRAPS,
    *(RECORD_MARK + name.encode() + b"=" for name in TEXT_FLAGS),
    *(b"memory:\n    ", b"refAt: 2026-05-08\n    ", b"snapshotTag: a\n    ", b"mode: x\n    "),
    *(b"limits: {maxTokens: 1.0}", b"sourceRefs: {issue: [1, a]}", b"repository: x", b"requester: {teams: []}"),
    *(b"select: [", b"regex: true\n    "),
)


def check(data: bytes) -> str:
    """Read a run, lay flags over it, and make the request; flags alone are a run as well."""
    text, *flags = text_of(data).split(RECORD_MARK.decode())
    words = []
    for document in (run_of(text), None):
        try:
            request = request_from(overlay(document, flags_from(flags[:MOST_FLAGS])))
        except KradleError as error:
            words.append(refusal(error, *CODES).partition(" ")[0])
        else:
            require_request(request)
            words.append(request.ref.mode.value)
    return " ".join([*words, memory_mode(text[:50])])


def run_of(text: str) -> Any:
    """The first dispatch run of a text, None where there is none that fits."""
    try:
        runs = read_resources([("run.yaml", text)]).runs
    except KradleError as error:
        refusal(error, ErrorCode.RESOURCE_INVALID)
        return None
    return runs[0].document if runs else None


def flags_from(lines: list[str]) -> RequestFlags:
    """Flags from lines of `name=value`; those that are no flags count as the query."""
    given: dict[str, Any] = {}
    for line in lines:
        name, _, value = line.partition("=")
        if name in NUMBER_FLAGS:
            given[name] = len(value) - 1
        elif name not in TEXT_FLAGS:
            given["query"] = line
        elif name in CHOICES:
            given[name] = CHOICES[name][len(value) % len(CHOICES[name])].value
        elif RequestFlags.__annotations__[name].startswith("tuple"):
            given[name] = (*given.get(name, ()), value)
        else:
            given[name] = value
    return RequestFlags(**given)


def require_request(request: Request) -> None:
    """Check that a request is plain, that its digest can be made, and that its texts can be written."""
    digest_value(request.to_json())
    repr(request).encode()
    require(request.limits.max_bytes >= 0 and request.edge_depth >= -1, "numbers are those that were asked for")
    require(
        complete_request(read_resources([]), request).query == request.query, "completing leaves the question alone"
    )
    paths = (*request.include_paths, *request.exclude_paths)
    require(all(path and not path.startswith("/") and ".." not in path.split("/") for path in paths), "paths lead down")
    names = (request.organization, request.name, request.repository, request.stack, request.task_kind)
    require(all(name is None or "\n" not in name for name in names), "a name is one line")


def memory_mode(text: str) -> str:
    """The word for a memory mode: one of three, or an error."""
    try:
        return parse_memory_mode(text).label
    except KradleError as error:
        return refusal(error, ErrorCode.MEMORY_MODE_INVALID).partition(" ")[0]


TARGET = Target(
    name="requests",
    promise="a run and flags make a request that can be digested and written, or are refused in one line",
    check=check,
    inputs=st.tuples(
        st.sampled_from(sorted(FIXTURES.glob("requests/*.yaml"))).map(lambda path: path.read_text()),
        st.lists(FLAGS, max_size=5),
    ).map(lambda pair: bytes_of(RECORD_MARK.decode().join([pair[0], *pair[1]]))),
    seeds=lambda: [path.read_bytes() for path in sorted(FIXTURES.glob("requests/*.yaml"))] + [b"full", b"read-only"],
    scraps=SCRAPS,
)
