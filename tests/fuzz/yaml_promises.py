"""What holds for whatever the YAML reader gives."""

from __future__ import annotations

from typing import Any

from kradle_ctx.yamldoc import LIMITS, YamlFault
from tests.fuzz.target import kind_of, require

MOST_NODES = LIMITS.nodes + LIMITS.expanded
LARGEST_INTEGER = 2**53 - 1
LONGEST_FAULT = 200


def require_value(value: Any) -> None:
    """Check that a value is plain data within the limits, which can be written as JSON."""
    waiting, nodes = [(value, 0)], 0
    while waiting:
        value, depth = waiting.pop()
        nodes += 1
        require(depth <= LIMITS.depth and nodes <= MOST_NODES, "a value keeps to the limits of depth and nodes")
        if isinstance(value, dict):
            waiting += [(entry, depth + 1) for pair in value.items() for entry in pair]
            require(all(type(key) is str for key in value), "keys are text")
        elif isinstance(value, list):
            waiting += [(entry, depth + 1) for entry in value]
        else:
            require(type(value) in (str, int, float, bool, type(None)), "leaves are plain")
            require(type(value) is not int or abs(value) <= LARGEST_INTEGER, "integers fit canonical JSON")
            require(type(value) is not float or abs(value) < float("inf"), "numbers are finite")
            require(type(value) is not str or not has_surrogate(value), "text has no lone surrogates")


def has_surrogate(text: str) -> bool:
    """Whether a text cannot be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def fault_word(fault: YamlFault, first_line: int, last_line: int) -> str:
    """The word for a fault, which is one short line and lies within the text."""
    require(first_line <= fault.line <= last_line and fault.column >= 1, "a fault lies within its text")
    require(fault.message.isprintable() and 0 < len(fault.message) <= LONGEST_FAULT, "a fault is one short line")
    require("Error)" not in fault.message, "a fault is none of Python's or the library's own errors")
    return kind_of(fault.message)
