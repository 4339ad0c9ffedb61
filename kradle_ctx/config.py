"""Configuration: what the flags and the environment say, resolved once into one frozen value."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from kradle_ctx.model.memory_mode import MemoryMode, narrowest, parse_memory_mode

RESOURCES_VARIABLE = "KRADLE_RESOURCES"
CACHE_VARIABLE = "KRADLE_CACHE_DIR"
MEMORY_MODE_VARIABLE = "KRADLE_MEMORY_MODE"


class RequestFlags(Struct, frozen=True):
    """Everything a request can say, as flags; None or empty leaves it to the request's own document.

    `resources` are files or folders, `-` for stdin. Paths are as typed.
    """

    brain: str | None = None
    resources: tuple[str, ...] = ()
    local_grant: bool = False
    query: str | None = None
    regex: bool = False
    mode: str | None = None
    select: tuple[str, ...] = ()
    ref: str | None = None
    at: str | None = None
    snapshot: str | None = None
    repo: str | None = None
    org: str | None = None
    stack: str | None = None
    issue: tuple[str, ...] = ()
    pr: tuple[str, ...] = ()
    service: tuple[str, ...] = ()
    skill: tuple[str, ...] = ()
    trigger: str | None = None
    job: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    kind: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    exclude_kind: tuple[str, ...] = ()
    owner: tuple[str, ...] = ()
    status: tuple[str, ...] = ()
    tag: tuple[str, ...] = ()
    edge: tuple[str, ...] = ()
    rank: str | None = None
    depth: int | None = None
    max_matches: int | None = None
    context: int | None = None
    max_bytes: int | None = None
    max_tokens: int | None = None
    max_records: int | None = None
    root: str | None = None
    ontology: str | None = None
    layout_profile: str | None = None
    redaction_pattern: tuple[str, ...] = ()
    memory_repository: str | None = None
    memory_mode: str | None = None
    required: bool | None = None
    task_kind: str | None = None
    prompt: str | None = None
    visibility: str | None = None
    user: str | None = None
    team: tuple[str, ...] = ()
    process: str | None = None
    name: str | None = None
    namespace: str | None = None
    no_index: bool = False


class Settings(Struct, frozen=True):
    """One command's flags beside what the environment adds to them."""

    flags: RequestFlags
    resource_paths: tuple[str, ...]
    memory_mode: MemoryMode
    environment: Mapping[str, str]
    folder: Path
    cache: Path | None = None


def settings_from(flags: RequestFlags, environment: Mapping[str, str], folder: Path) -> Settings:
    """Resolve flags and environment; `folder` is the starting folder.

    The narrowest memory mode of flag and environment holds; an unreadable one raises `MEMORY_MODE_INVALID`.
    """
    configured = environment.get(RESOURCES_VARIABLE, "")
    paths = flags.resources or tuple(path for path in configured.split(":") if path)
    modes = [flags.memory_mode, environment.get(MEMORY_MODE_VARIABLE)]
    mode = narrowest(*(parse_memory_mode(text) for text in modes if text is not None))
    cache = None if flags.no_index else cache_folder(environment, folder)
    return Settings(flags, paths, mode, environment, folder, cache)


def cache_folder(environment: Mapping[str, str], folder: Path) -> Path | None:
    """Where indexes are kept: `KRADLE_CACHE_DIR`, else below the user's cache folder; None where there is none.

    A relative `XDG_CACHE_HOME` counts as absent, by the XDG Base Directory Specification.
    """
    stated = environment.get(CACHE_VARIABLE)
    if stated:
        return folder / stated
    shared, home = environment.get("XDG_CACHE_HOME", ""), environment.get("HOME", "")
    if shared.startswith("/"):
        return Path(shared) / "kradle-ctx"
    return Path(home) / ".cache" / "kradle-ctx" if home.startswith("/") else None
