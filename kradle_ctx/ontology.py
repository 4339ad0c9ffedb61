"""Reading an ontology: the plain form (lists or maps of kinds) and the Atlas form (a manifest that names files)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from kradle_ctx.digest import digest_bytes, digest_value
from kradle_ctx.documents import NAME_LIMIT, unreadable
from kradle_ctx.model.ontology import EdgeKind, NodeKind, Ontology
from kradle_ctx.yamldoc import InvalidYaml, Value, parse

FOLDER = "ontology/"
MANIFEST = "schema/ontology-schema.yaml"
SUFFIXES = (".yaml", ".yml")
STARTER = "starter_ontology.yaml"
REQUIRED_FIELDS = ("required", "requiredFields", "requiredAttributes")

MAX_BYTES = 8 << 20
"""Largest ontology, all files together; that of Atlas has less than a tenth."""

MOST_FAULTS = 100
"""So many faults of an ontology are told."""

ReadFile = Callable[[str], bytes | None]


class OntologyFile(Struct, frozen=True):
    """A file of the ontology: its bytes, None where it is absent, and what it says; or why it says nothing.

    `line` and `column` of the fault are 0 where the whole file is at fault.
    """

    path: str
    data: bytes | None
    value: Any = None
    fault: str | None = None
    line: int = 0
    column: int = 0

    @property
    def told(self) -> str:
        """The fault with its place, in one line."""
        place = f"{told(self.path)}:{self.line}" if self.line else told(self.path)
        return f"{place}: {self.fault}"


def read_ontology(paths: Sequence[str], read: ReadFile, override: str | None = None) -> Ontology:
    """Read the ontology of a brain whose files are `paths`; the starter ontology when there is none.

    `override` names a file or a folder of the brain. Files that do not parse are faults, never exceptions.
    """
    origin, named = ontology_files(paths, override)
    return build(origin, list(read_files(named, read))) if named else starter_ontology()


def read_files(named: Iterable[str], read: ReadFile) -> Iterator[OntologyFile]:
    """The files of an ontology, and those that a manifest among them names."""
    seen: set[str] = set()
    pending, size = deque(named), 0
    while pending:
        path = pending.popleft()
        if path in seen:
            continue
        data = read(path)
        if data is None:
            yield OntologyFile(path, None, fault="named by the ontology but absent or unreadable")
            continue
        seen.add(path)
        size += len(data)
        if size > MAX_BYTES:
            yield OntologyFile(path, data, fault=f"the ontology has more than {MAX_BYTES} bytes in all")
            return
        file = read_file(path, data)
        yield file
        pending.extend(manifest_files(file.value))


def read_file(path: str, data: bytes) -> OntologyFile:
    """A file of an ontology from its bytes."""
    try:
        return OntologyFile(path, data, file_value(data))
    except InvalidYaml as error:
        fault = error.fault
        return OntologyFile(path, data, None, fault.message, fault.line, fault.column)
    except ValueError as error:
        return OntologyFile(path, data, None, str(error))


def told(path: str) -> str:
    """A path that a manifest names as a message may repeat it, for a manifest can hold any text."""
    return path if path.isprintable() and len(path) <= NAME_LIMIT else "a path that cannot be shown"


def file_value(data: bytes) -> Value:
    """What a file says; `InvalidYaml` where it does not parse, `ValueError` with the reason where it is no text."""
    reason = unreadable(data)
    if reason is not None:
        raise ValueError(reason)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise ValueError("not UTF-8") from None
    return parse(text)


def ontology_files(paths: Sequence[str], override: str | None) -> tuple[str, tuple[str, ...]]:
    """Where the ontology is, and the files to begin with: `ontology/`, else the Atlas manifest, else none."""
    if override is not None:
        below = tuple(path for path in paths if path.startswith(override.rstrip("/") + "/") and path.endswith(SUFFIXES))
        return override, below or (override,)
    below = tuple(path for path in paths if path.startswith(FOLDER) and path.endswith(SUFFIXES))
    if below:
        return FOLDER, below
    return MANIFEST, (MANIFEST,) if MANIFEST in paths else ()


def first_files(ontology: Ontology) -> Sequence[str]:
    """The files with which reading an ontology began; of what several declare the first holds, so order counts."""
    if not ontology.paths and not ontology.faults:
        return ()
    folder = ontology.origin.rstrip("/") + "/"
    below = [path for path in ontology.paths if path.startswith(folder) and path.endswith(SUFFIXES)]
    return below or (ontology.origin,)


def manifest_files(value: Any) -> Iterator[str]:
    """The node-kind and edge-kind files that an Atlas manifest names, relative to the brain's root."""
    if isinstance(value, dict):
        listed = value.get("nodeKindFiles")
        for path in [*(listed if isinstance(listed, list) else []), value.get("edgeKindFile")]:
            if isinstance(path, str):
                yield path


def build(origin: str, files: Sequence[OntologyFile]) -> Ontology:
    """Join what the files say; a kind that several files name is taken from the first."""
    node_kinds: dict[str, NodeKind] = {}
    edge_kinds: dict[str, EdgeKind] = {}
    for file in files:
        if isinstance(file.value, dict):
            for name, fields in entries(file.value.get("nodeKinds")):
                node_kinds.setdefault(name, node_kind(name, fields))
            for name, fields in entries(file.value.get("edgeKinds")):
                edge_kinds.setdefault(name, edge_kind(name, fields))
    contents = {file.path: file.data for file in files if file.data is not None}
    faults = [file.told for file in files if file.fault is not None]
    digest = digest_value({path: digest_bytes(data) for path, data in contents.items()})
    return Ontology(origin, digest, node_kinds, edge_kinds, tuple(sorted(contents)), tuple(faults[:MOST_FAULTS]))


def entries(value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Named kinds from a list of mappings with `name`, a list of names, or a map from name to fields."""
    if isinstance(value, dict):
        for name, fields in value.items():
            yield name, fields if isinstance(fields, dict) else {}
    elif isinstance(value, list):
        for entry in value:
            if isinstance(entry, str):
                yield entry, {}
            elif isinstance(entry, dict) and isinstance(entry.get("name"), str):
                yield entry["name"], entry


def node_kind(name: str, fields: dict[str, Any]) -> NodeKind:
    """A node kind in either form."""
    prefix = fields.get("prefix")
    required = [field for key in REQUIRED_FIELDS for field in texts(fields.get(key))]
    attributes = fields.get("attributes")
    for attribute in attributes if isinstance(attributes, list) else []:
        if isinstance(attribute, dict) and attribute.get("required") is True:
            required.extend(texts(attribute.get("name")))
    return NodeKind(name, prefix if isinstance(prefix, str) else None, tuple(dict.fromkeys(required)))


def edge_kind(name: str, fields: dict[str, Any]) -> EdgeKind:
    """An edge kind in either form; what it does not restrict is `*`."""
    inverse, alias = fields.get("inverse"), fields.get("aliasOf")
    return EdgeKind(
        name,
        tuple(texts(fields.get("source") or fields.get("domain"))) or ("*",),
        tuple(texts(fields.get("target") or fields.get("range"))) or ("*",),
        inverse if isinstance(inverse, str) else None,
        alias if isinstance(alias, str) else None,
    )


def texts(value: Any) -> Iterator[str]:
    """The texts of a list or of a single value."""
    yield from (entry for entry in (value if isinstance(value, list) else [value]) if isinstance(entry, str))


@lru_cache(maxsize=1)
def starter_ontology() -> Ontology:
    """The built-in ontology for brains that have none."""
    built = build("starter", [starter_file()])
    return Ontology("starter", built.digest, built.node_kinds, built.edge_kinds)


def starter_file() -> OntologyFile:
    """The file of the built-in ontology."""
    from importlib.resources import files

    return read_file(STARTER, files("kradle_ctx").joinpath(STARTER).read_bytes())
