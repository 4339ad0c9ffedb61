"""KB001: a file, or records in one, that are not read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kradle_ctx.checks.check import Brain, Check, Fault, File, at_field, at_file
from kradle_ctx.checks.names import quoted
from kradle_ctx.documents import is_readable, name
from kradle_ctx.model.constraints import Constraints
from kradle_ctx.model.findings import Severity

TOLD_ELSEWHERE = ("invalid YAML", "invalid frontmatter")
"""Reasons of which KB002, KB003 and KB004 tell."""

ALWAYS = {
    "symlink": (Severity.INFO, "is a symbolic link", "links are never followed: commit the file itself"),
    "submodule": (Severity.INFO, "is a submodule", "what is in a submodule is no part of the brain: copy it here"),
    "unknown-mode": (Severity.INFO, "is neither a file nor a folder", "remove it"),
    "folder-too-deep": (Severity.WARNING, "lies too many folders deep", "move it up"),
    "path-too-long": (Severity.WARNING, "has too long a path", "give it a shorter one"),
}
"""Reasons that are told of any file: severity, what is wrong, what to do."""

TOO_LARGE = "too-large"
"""A reason that nobody misses a picture or a film for."""

OF_RECORDS = {
    TOO_LARGE: ("is larger than what is read", "split it into smaller files"),
    "control-character-in-path": ("has a character in its name that cannot be shown", "rename it"),
    "path-not-utf8": ("has a name that is not UTF-8", "rename it"),
    "Git LFS pointer, content not in the repository": (
        "is a pointer of Git LFS: its content is not in the repository",
        "commit the text itself: `git lfs untrack`, then add it again",
    ),
    "UTF-16, not UTF-8": ("is UTF-16, not UTF-8", "save it as UTF-8"),
    "not UTF-8": ("is not UTF-8", "save it as UTF-8"),
    "binary": ("holds NUL bytes, so it is no text", "save it as UTF-8, or give it another ending"),
}
"""Reasons that matter where the file has the ending of Markdown or YAML: what is wrong, what to do."""

UTF_16_MARK = "\ufffd\ufffd"
"""What is left of the mark of UTF-16, whose two bytes never are UTF-8."""


def unreadable_file(brain: Brain) -> Iterator[Fault]:
    """The files that are left out of every answer, or are no part of a brain."""
    for entry in brain.skipped:
        readable = is_readable(entry.path)
        if entry.read or entry.reason.startswith(TOLD_ELSEWHERE) or (entry.reason == TOO_LARGE and not readable):
            continue
        if entry.reason in ALWAYS:
            severity, message, hint = ALWAYS[entry.reason]
        elif entry.reason in OF_RECORDS:
            message, hint = OF_RECORDS[entry.reason]
            severity = Severity.ERROR if readable else Severity.INFO
        else:
            severity, message, hint = Severity.WARNING, "is not read", CHECK.hint
        yield Fault(
            at_file(entry.path, entry.line or 1), f"the file {message}", entry.reason, hint=hint, severity=severity
        )


def unread_content(file: File, constraints: Constraints) -> Iterator[Fault]:
    """What stands in a file that is read, and is not read itself."""
    yield from replaced_bytes(file)
    yield from listed_records(file, constraints)


def listed_records(file: File, constraints: Constraints) -> Iterator[Fault]:
    """Lists of records: what declares a record is a document of its own."""
    for document, stated in file.others:
        lists = stated.items() if isinstance(stated, dict) else ((None, stated),)
        for key, value in lists:
            count = sum(is_record(each, constraints) for each in value) if isinstance(value, list) else 0
            if count:
                told = "1 record, which is" if count == 1 else f"{count} records, which are"
                below = f"below {quoted(key)}" if key is not None else "in this list"
                yield Fault(
                    at_field(document, *(() if key is None else (key,)), key=True),
                    f"{below} stand{'s' if count == 1 else ''} {told} not read",
                    key=f"list {key or ''}",
                    hint="make each a document of its own, with `nodeKind` and `id`, between lines of `---`",
                    severity=Severity.WARNING,
                )


def is_record(value: Any, constraints: Constraints) -> bool:
    """Whether a mapping looks like a record: an id and a kind of the ontology alone may only refer to one."""
    if not isinstance(value, dict) or ":" not in (name(value.get("id")) or ""):
        return False
    if name(value.get("nodeKind")) is not None:
        return True
    says_more = any(isinstance(value.get(field), dict) for field in ("attributes", "edges"))
    return says_more and name(value.get("kind")) in constraints.kinds


def replaced_bytes(file: File) -> Iterator[Fault]:
    """Markdown that is not UTF-8: it is read with U+FFFD in place of bytes that are not."""
    text = file.text
    at = text.find("\ufffd") if file.is_markdown and not file.is_utf8 else -1
    if at < 0 or "\0" in text or text.startswith(UTF_16_MARK):
        return
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    yield Fault(
        at_file(file.path, line, column),
        "this byte is not UTF-8, and is read as U+FFFD",
        key="U+FFFD",
        hint="save the file as UTF-8, and write the lost characters again",
    )


CHECK = Check(
    "KB001",
    "unreadable-file",
    Severity.ERROR,
    "A file, or records in one, that are not read",
    "make it a file of UTF-8 text; it is left out of every answer until then",
    of_file=unread_content,
    of_brain=unreadable_file,
)
