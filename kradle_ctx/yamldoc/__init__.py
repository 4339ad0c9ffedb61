"""YAML as this product reads and writes it: the 1.2 core schema, values as written, faults as values.

Reading rests on PyYAML's event stream (libyaml where it was built in); everything above the events is ours.
"""

from __future__ import annotations

from kradle_ctx.yamldoc.documents import parse, read_documents
from kradle_ctx.yamldoc.faults import shown
from kradle_ctx.yamldoc.frontmatter import Frontmatter, split_frontmatter
from kradle_ctx.yamldoc.values import LIMITS, InvalidYaml, Limits, Value, YamlDocument, YamlFault
from kradle_ctx.yamldoc.writer import emit

__all__ = [
    "LIMITS",
    "Frontmatter",
    "InvalidYaml",
    "Limits",
    "Value",
    "YamlDocument",
    "YamlFault",
    "emit",
    "parse",
    "read_documents",
    "shown",
    "split_frontmatter",
]
