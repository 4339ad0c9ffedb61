"""Run check-jsonschema as a peer: `schema_checker.py SCHEMA FOLDER`, or `--load FOLDER` to load the files alone.

check-jsonschema ends with 1 where a file does not fit, which is no failure of a measurement.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main() -> None:
    """Check, or load, every file of a folder."""
    schema, folder = sys.argv[1], Path(sys.argv[2])
    files = sorted(str(file) for file in folder.glob("*.yaml"))
    if schema == "--load":
        import yaml

        for file in files:
            yaml.load(Path(file).read_bytes(), yaml.CSafeLoader)
        return
    command = [sys.executable, "-m", "check_jsonschema", "--quiet", "--schemafile", schema, *files]
    if subprocess.run(command, stdout=subprocess.DEVNULL).returncode not in (0, 1):
        raise SystemExit("check-jsonschema failed")


if __name__ == "__main__":
    main()
