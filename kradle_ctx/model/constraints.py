"""What an ontology and the rules beside it demand of records, for validation."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field


class ValueType(Struct, frozen=True):
    """The type of an attribute: a name such as `string`, `enum`, `ref`, `list` or `map`.

    `values` are those of an `enum`, or the kinds that a `ref` may name, empty for any; `of` are the types inside a
    `list`, `set` or `map`.
    """

    name: str
    values: tuple[str, ...] = ()
    of: tuple[ValueType, ...] = ()


class Attribute(Struct, frozen=True):
    """A typed attribute of a record or of an edge; `type` is None where the ontology does not say."""

    name: str
    type: ValueType | None = None
    required: bool = False
    description: str = ""


class KindConstraints(Struct, frozen=True):
    """What records of one kind must be like.

    `required` are fields, `paths` the patterns that their files must fit, none for any place. `versioned` ids must end
    in `@` and a version. `isolated` ones need no edge.
    """

    name: str
    prefix: str | None = None
    required: tuple[str, ...] = ()
    attributes: Mapping[str, Attribute] = {}
    paths: tuple[str, ...] = ()
    versioned: bool = False
    isolated: bool = False
    description: str = ""


class EdgeConstraints(Struct, frozen=True):
    """What edges of one kind must be like; an alias has what its canonical kind has where it says nothing itself.

    `one_target` allows each source one target, and `one_source` each target one source. With `requires_inverse` the
    target must state the inverse edge.
    """

    name: str
    sources: frozenset[str] | None = None
    targets: frozenset[str] | None = None
    one_target: bool = False
    one_source: bool = False
    attributes: Mapping[str, Attribute] = {}
    inverse: str | None = None
    alias_of: str | None = None
    requires_inverse: bool = False
    description: str = ""


class Constraints(Struct, frozen=True):
    """All that validation takes from an ontology.

    `version` is the ontology's own. `required` are fields of every record. `vocabulary` holds the values that a field
    may take, in any kind. `transitions` are the statuses that may follow a status, None where nothing is said.
    `settings` are severities, or `off`, by check id. `owner_kinds` are the kinds that may own records. `edges_within`
    are the edge kinds that say what holds what.
    """

    kinds: Mapping[str, KindConstraints] = {}
    edges: Mapping[str, EdgeConstraints] = {}
    version: str | None = None
    required: tuple[str, ...] = ()
    vocabulary: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    transitions: Mapping[str, tuple[str, ...]] | None = None
    forbidden_paths: tuple[str, ...] = ()
    stale_after_days: int = 365
    owner_kinds: frozenset[str] | None = None
    edges_within: tuple[str, ...] = ("part_of", "contains")
    settings: Mapping[str, str] = {}
