"""The ontology: which kinds of node and edge a brain may hold."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from kradle_ctx.digest import Digest


class NodeKind(Struct, frozen=True):
    """A kind of record: its id prefix and the fields it must have."""

    name: str
    prefix: str | None = None
    required: tuple[str, ...] = ()


class EdgeKind(Struct, frozen=True):
    """A kind of edge: the node kinds it may join, `*` for any."""

    name: str
    sources: tuple[str, ...] = ("*",)
    targets: tuple[str, ...] = ("*",)
    inverse: str | None = None
    alias_of: str | None = None


class Ontology(Struct, frozen=True):
    """Node and edge kinds by name, where they came from, and a digest of their source files.

    `origin` is the path of the file or folder, or `starter` for the built-in one. `faults` are places that did not
    parse, as `path:line: message`.
    """

    origin: str
    digest: Digest
    node_kinds: Mapping[str, NodeKind] = field(default_factory=dict)
    edge_kinds: Mapping[str, EdgeKind] = field(default_factory=dict)
    paths: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
