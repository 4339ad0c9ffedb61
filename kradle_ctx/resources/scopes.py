"""Scopes that a request may not see, named without a look at what is there."""

from __future__ import annotations

import re
from functools import lru_cache

from kradle_ctx.expressions import linear_expression
from kradle_ctx.model.access import WILDCARD, Access
from kradle_ctx.model.request import Request

ANYTHING, ANY_FOLDERS, ANY_NAME, ANY_CHARACTER = "\x01", "\x02", "\x03", "\x04"
"""What stands for `**`, `**/`, `*` and `?` of a pattern whose text another pattern is matched against.

No pattern holds a control character: schemas and flags refuse it.
"""


def denied_scopes(access: Access, request: Request) -> tuple[tuple[str, str], ...]:
    """The denied path patterns and kinds with their reason, sorted; they do not depend on the brain's content.

    Every exclude of an applicable grant is `excluded-path` or `excluded-kind`. A path pattern or kind that the
    request asks for is `not-granted` when no grant reaches it, and a path pattern is `partly-granted` when grants
    reach into it but none covers it as a whole.
    """
    paths = {pattern for grant in access.grants for pattern in grant.exclude_paths}
    kinds = {kind for grant in access.grants for kind in grant.exclude_kinds}
    denied = {(pattern, "excluded-path") for pattern in paths} | {(kind, "excluded-kind") for kind in kinds}
    for pattern in set(request.include_paths) - paths:
        if reason := path_denial(access, pattern):
            denied.add((pattern, reason))
    denied |= {(kind, "not-granted") for kind in set(request.kinds) - kinds if not kind_granted(access, kind)}
    return tuple(sorted(denied))


def kind_granted(access: Access, kind: str) -> bool:
    """Whether a grant lets records of a kind through."""
    return any(kind in grant.kinds if grant.kinds is not None else grant.paths is not None for grant in access.grants)


def path_denial(access: Access, pattern: str) -> str | None:
    """Why a path pattern is not granted as a whole, None when it is; a grant by kind alone covers every path."""
    if any(grant.paths is None and grant.kinds is not None for grant in access.grants):
        return None
    allowed = [path for grant in access.grants for path in grant.paths or ()]
    if any(covers(wider, pattern) for wider in allowed):
        return None
    return "partly-granted" if any(may_overlap(path, pattern) for path in allowed) else "not-granted"


def may_overlap(first: str, second: str) -> bool:
    """Whether the literal beginnings and ends of two path patterns let one path match both."""
    parts = [WILDCARD.split(pattern) for pattern in (first, second)]
    short_head, long_head = sorted((part[0] for part in parts), key=len)
    short_tail, long_tail = sorted((part[-1] for part in parts), key=len)
    return long_head.startswith(short_head) and long_tail.endswith(short_tail)


def covers(wider: str, narrower: str) -> bool:
    """Whether every path that `narrower` matches is certain to be matched by `wider`.

    The wildcards of `narrower` are read as characters of their own that only a wildcard at least as wide takes.
    """
    return covering(wider).fullmatch(spelled(narrower)) is not None


def spelled(pattern: str) -> str:
    """A pattern as a text in which one character stands for each wildcard."""
    characters = {"*": ANY_NAME, "?": ANY_CHARACTER}
    return "".join(
        (ANY_FOLDERS if token.endswith("/") else ANYTHING) if token.startswith("**") else characters.get(token, token)
        for token in WILDCARD.split(pattern)
    )


@lru_cache(maxsize=1024)
def covering(pattern: str) -> re.Pattern[str]:
    """The expression over spelled patterns that a pattern covers; on RE2, for patterns come from outside."""
    spoken = {"*": f"[^/{ANYTHING}{ANY_FOLDERS}]*", "?": f"[^/{ANYTHING}{ANY_FOLDERS}{ANY_NAME}]"}
    folders = f"(?:[^/{ANY_FOLDERS}]*/|{ANY_FOLDERS})*"
    expression = "".join(
        (folders if token.endswith("/") else ".*") if token.startswith("**") else spoken.get(token) or re.escape(token)
        for token in WILDCARD.split(pattern)
    )
    return linear_expression(f"(?s){expression}")
