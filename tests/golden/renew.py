"""Write the golden files anew: `python tests/golden/renew.py`. Read the difference before you commit it."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.example import REQUESTS, asking, build_example, invoke

HERE = Path(__file__).resolve().parent

FORMS = {
    "yaml": ("assemble", "--all-documents"),
    "prompt.md": ("assemble", "--format", "prompt"),
    "preview.md": ("preview", "--summary", "--format", "markdown"),
}
"""The golden files of each request, by suffix, and the command that makes them."""


def golden_file(request: str, suffix: str) -> Path:
    """Where a golden file is."""
    return HERE / f"{request}.{suffix}"


def output(brain: Path, request: str, suffix: str) -> bytes:
    """What the command gives now."""
    command, *options = FORMS[suffix]
    answer = invoke(brain.parent, command, *asking(brain, request), *options, "--quiet")
    assert answer.code == 0, answer.talk
    return answer.stdout


def main() -> None:
    """Build the example brain, and write every golden file that is not as it was."""
    with tempfile.TemporaryDirectory() as folder:
        brain = Path(folder) / "brain"
        build_example(brain)
        for request in REQUESTS:
            for suffix in FORMS:
                file, data = golden_file(request, suffix), output(brain, request, suffix)
                if not file.exists() or file.read_bytes() != data:
                    file.write_bytes(data)
                    sys.stdout.write(f"wrote {file.relative_to(HERE)}\n")


if __name__ == "__main__":
    main()
