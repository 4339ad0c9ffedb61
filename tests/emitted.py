"""Every document that a test sees emitted has to fit its schema."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from kradle_ctx.model.bundle import Bundle
from kradle_ctx.resources.schema import schema_folder


@cache
def validator(kind: str) -> Draft202012Validator:
    """The validator of a kind."""
    return Draft202012Validator(json.loads((schema_folder() / f"{kind}.schema.json").read_text(encoding="utf-8")))


def assert_fits(document: Mapping[str, Any]) -> None:
    """Fail when a document does not fit the schema of its kind."""
    faults = [
        f"{error.json_path}: {error.message[:200]}" for error in validator(document["kind"]).iter_errors(document)
    ]
    assert faults == []


def assert_bundle_fits(bundle: Bundle) -> None:
    """Fail when the bundle or one of the records beside it does not fit its schema."""
    for document in (bundle.document, bundle.snapshot, bundle.query):
        if document:
            assert_fits(document)
