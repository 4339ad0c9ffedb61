"""CRLF, a byte order mark and a fence at the end of the file change no record (mdbasequery #3, ripgrep #1568)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.cases.brain_builder import BrainBuilder, frontmatter
from tests.cases.place import Place, paths, texts

BODY = "\nwalrus step one\nOwner: core\n"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

RECORDS = {
    "runbook:crlf": ("runbooks/crlf.md", "CRLF page"),
    "runbook:bom": ("runbooks/bom.md", "BOM page"),
    "runbook:eof": ("runbooks/eof.md", "EOF page"),
    "service:bom": ("graph/bom.yaml", "BOM yaml"),
}


def build(folder: Path, root: str) -> None:
    """Records as Windows editors write them, and a restricted one that must not become a plain note."""
    brain = BrainBuilder.create(folder, root)
    crlf = (frontmatter("runbook:crlf", "CRLF page") + BODY).replace("\n", "\r\n")
    brain.write("runbooks/crlf.md", crlf)
    brain.write("runbooks/bom.md", BYTE_ORDER_MARK + (frontmatter("runbook:bom", "BOM page") + BODY).encode())
    brain.write("runbooks/eof.md", frontmatter("runbook:eof", "EOF page").removesuffix("\n"))
    brain.record("Service", "service:bom", "BOM yaml")
    plain = (brain.brain / "graph" / "service-bom.yaml").read_text()
    (brain.brain / "graph" / "service-bom.yaml").unlink()
    brain.write("graph/bom.yaml", BYTE_ORDER_MARK + plain.replace("\n", "\r\n").encode())
    hidden = frontmatter("runbook:hidden", "Hidden page", more="sensitivity: restricted\n") + BODY
    brain.write("runbooks/hidden.md", BYTE_ORDER_MARK + hidden.replace("\n", "\r\n").encode())
    brain.commit("windows authored", 2)


def records(place: Place) -> dict[str, dict[str, Any]]:
    """The records by their id, read by it."""
    selected = [argument for record_id in RECORDS for argument in ("--select", record_id)]
    return {source["id"]: source for source in place.ask("--mode", "document-read", *selected)["sources"]}


def test_records_are_what_their_plain_twins_would_be(place: Place) -> None:
    sources = records(place)

    assert {name: (source["path"], source["title"]) for name, source in sources.items()} == RECORDS
    for source in sources.values():
        assert (source["status"], source["owners"]) == ("approved", ["team:core"])
        assert not [text for text in texts(source) if "\r" in text or "\ufeff" in text]


def test_the_blob_is_that_of_the_raw_bytes(place: Place) -> None:
    sources = records(place)

    for record_id, (path, _) in RECORDS.items():
        assert sources[record_id]["blob"] == place.git("rev-parse", f"HEAD:{place.in_repository(path)}")


def test_text_is_found_past_the_frontmatter(place: Place) -> None:
    assert sorted(paths(place.ask("--query", "walrus"))) == ["runbooks/bom.md", "runbooks/crlf.md"]


def test_a_line_end_of_a_regular_expression_fits_before_crlf(place: Place) -> None:
    found = paths(place.ask("--regex", "--query", "^Owner: core$"))

    assert sorted(found) == ["runbooks/bom.md", "runbooks/crlf.md"]
