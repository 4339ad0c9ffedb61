"""Emitted documents as text: what any reader of YAML or JSON gets back."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from kradle_ctx.digest import digest_text, digest_value
from kradle_ctx.model.bundle import Bundle, covered
from kradle_ctx.render.bundle_yaml import plain, to_json, to_yaml
from kradle_ctx.yamldoc import emit
from tests.fakes import Content
from tests.pipeline import graph_record
from tests.unit.render.memory import bundle_of

NASTY = [
    "brake",
    "yes",
    "no: on",
    "1.10",
    "0123",
    "0o17",
    "0x1f",
    "1e3",
    "1_000",
    "12:30:45",
    "2026-05-10",
    "null",
    "~",
    "- a: b",
    "# no comment",
    "key: value #",
    "%YAML 1.2",
    "---",
    "...",
    "&anchor *alias !tag",
    "<<: *x",
    "'single' \"double\"",
    "tab\tinside\t",
    "trailing blanks   ",
    "   leading blanks",
    "",
    "é 日本 😀",
    "nel\x85ls\u2028ps\u2029bom\ufeff",
    "cr\rinside",
    "\\u{1b} \\n",
    "{{ template }} | > @ `",
    "=",
]

lines = st.one_of(st.sampled_from(NASTY), st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30))


def with_pyyaml(text: str) -> list[Any]:
    """The documents as a YAML 1.1 reader has them."""
    return list(yaml.safe_load_all(text))


def with_ruamel(text: str) -> list[Any]:
    """The documents as a YAML 1.2 reader has them."""
    return list(YAML(typ="safe", pure=True).load_all(io.StringIO(text)))


READERS = {"PyYAML": with_pyyaml, "ruamel": with_ruamel}


def nasty_bundle(body: list[str]) -> Bundle:
    """A bundle whose items hold these lines in text and fields."""
    text = "\n".join(body)
    stated: Any = {"id": "term:a", "kind": "Term", "title": f"brake {text}", "status": body[0], "owners": list(body)}
    files: dict[str, Content] = {
        "notes/n.md": f"brake\n{text}\n",
        "a.md": f"---\n{emit(stated)}---\n{text}\n",
        "b.yaml": graph_record("term:b", "Term", title="brake", note=text),
    }
    return bundle_of(files, context_lines=20, max_matches=25)


def documents_of(bundle: Bundle) -> list[dict[str, Any]]:
    """Bundle, snapshot and query record as plain values."""
    return [plain(document) for document in (bundle.document, bundle.snapshot, bundle.query)]


@pytest.mark.parametrize("reader", list(READERS))
def test_a_bundle_of_nasty_text_comes_back_the_same(reader: str) -> None:
    documents = documents_of(nasty_bundle(NASTY))
    assert len(documents[0]["spec"]["memory"]["sources"]) == 3
    for document in documents:
        assert READERS[reader](to_yaml([document])) == [document]
    assert READERS[reader](to_yaml(documents)) == documents


@settings(max_examples=20, deadline=None)
@given(st.lists(lines, min_size=1, max_size=4))
def test_emit_and_parse_are_inverse_in_both_readers(body: list[str]) -> None:
    documents = documents_of(nasty_bundle(body))
    text = to_yaml(documents)
    assert with_pyyaml(text) == with_ruamel(text) == documents


def test_digests_can_be_recomputed_from_what_was_read_back() -> None:
    bundle = nasty_bundle(NASTY)
    (read,) = with_pyyaml(to_yaml([bundle.document]))
    assert digest_value(covered(read)) == bundle.digest == read["status"]["digest"]
    for source in read["spec"]["memory"]["sources"]:
        assert digest_text(source["content"]) == source["digest"]
        assert len(source["content"].encode()) == source["bytes"]


def test_json_and_yaml_say_the_same() -> None:
    documents = documents_of(nasty_bundle(NASTY))
    assert json.loads(to_json(documents)) == documents
    assert json.loads(to_json(documents[:1])) == documents[0]
    assert to_json(documents).endswith("]\n")


def test_one_document_has_no_marker_and_several_have_one_each() -> None:
    assert to_yaml([{"a": "x"}]) == "a: x\n"
    assert to_yaml([{"a": "x"}, {"b": "z"}]) == "---\na: x\n---\nb: z\n"


def test_repeated_values_are_written_out_without_anchors() -> None:
    shared = {"list": ["x"]}
    text = to_yaml([{"a": shared, "b": shared}])
    assert "&" not in text
    assert "*" not in text
    assert yaml.safe_load(text) == {"a": shared, "b": shared}


def test_fields_keep_their_order() -> None:
    bundle = bundle_of({"a.md": "brake\n"})
    assert list(yaml.safe_load(to_yaml([bundle.document]))) == ["apiVersion", "kind", "metadata", "spec", "status"]
    assert list(json.loads(to_json([bundle.document]))) == ["apiVersion", "kind", "metadata", "spec", "status"]


def test_the_text_is_the_same_on_every_call() -> None:
    files: dict[str, Content] = {"a.md": "brake\n"}
    assert to_yaml([bundle_of(files).document]) == to_yaml([bundle_of(files).document])


def test_plain_takes_mappings_sequences_and_kinds_of_text_to_their_plain_forms() -> None:
    bundle = bundle_of({"a.md": "brake\n"})
    value = plain({"digest": bundle.document["status"]["digest"], "t": (1, True, None, 1.5), 7: {"x": ()}})
    assert type(value["digest"]) is str
    assert value["t"] == [1, True, None, 1.5]
    assert value["7"] == {"x": []}
