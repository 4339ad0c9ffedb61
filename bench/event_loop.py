"""The peer of reading a brain: PyYAML's C event loop over the same YAML, in one process, with nothing kept.

    python bench/event_loop.py FILE

FILE holds the texts to parse with a NUL between them.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import yaml


def main() -> None:
    """Parse every text to its last event; one that is not YAML ends at its fault."""
    for text in Path(sys.argv[1]).read_bytes().split(b"\0"):
        with suppress(yaml.YAMLError):
            for _ in yaml.parse(text, Loader=yaml.CSafeLoader):
                pass


if __name__ == "__main__":
    main()
