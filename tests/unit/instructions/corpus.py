"""The texts of attacks.yaml and benign.yaml."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from .carriers import CARRIERS

HERE = Path(__file__).parent


def _groups(name: str) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = yaml.safe_load((HERE / name).read_text(encoding="utf-8"))
    return loaded


def attacks() -> Iterator[tuple[str, str, str]]:
    """Language, carrier, and the text as a document carries it."""
    for group in _groups("attacks.yaml"):
        for text in group["texts"]:
            yield group["language"], group["carrier"], CARRIERS[group["carrier"]](text)


def benign() -> Iterator[tuple[str, str]]:
    """Topic and text."""
    for group in _groups("benign.yaml"):
        for text in group["texts"]:
            yield group["topic"], text
