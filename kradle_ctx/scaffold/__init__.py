"""The files of a new brain: layout, ontology, examples, grants, and what checks it in CI and in editors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from importlib.resources import files
from importlib.resources.abc import Traversable

from kradle_ctx import __version__
from kradle_ctx.constraints import read_constraints
from kradle_ctx.expressions import lazy_expression
from kradle_ctx.ontology import FOLDER, STARTER, read_file
from kradle_ctx.render.ontology_schemas import exported_schemas

TEMPLATES = "brain"
"""The folder beside this module whose files are those of a new brain, but for what is filled in."""

SCHEMAS = ".vscode/schemas"
"""Where the editor settings of a new brain look for the schemas of its ontology."""

PLACEHOLDER = lazy_expression(r"\{(organization|name|today|version|nodeKinds|edgeKinds)\}")


def scaffold(organization: str, name: str, today: date) -> dict[str, bytes]:
    """The files of a new brain by their paths, in path order; the same for the same arguments.

    `organization` and `name` are names as resources have them, without anything that YAML or Markdown reads otherwise.
    `today` is the day on which its examples count as up to date.
    """
    filled_in = {"organization": organization, "name": name, "today": today.isoformat(), "version": __version__}
    filled_in |= starter_kinds()
    made = {path: filled(text, filled_in).encode() for path, text in templates(files(__package__) / TEMPLATES)}
    ontology = [read_file(path, made[path]) for path in sorted(made) if path.startswith(FOLDER)]
    schemas = exported_schemas(read_constraints(ontology))
    made |= {f"{SCHEMAS}/{file}": data for file, data in schemas.items()}
    return dict(sorted(made.items()))


def templates(folder: Traversable, before: str = "") -> Iterator[tuple[str, str]]:
    """Every file below a folder by its path, with its text."""
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from templates(entry, f"{before}{entry.name}/")
        else:
            yield before + entry.name, entry.read_text(encoding="utf-8")


def filled(text: str, values: Mapping[str, str]) -> str:
    """A text with its placeholders filled in; braces around anything else stay."""
    return PLACEHOLDER.sub(lambda found: values[found[1]], text)


def starter_kinds() -> dict[str, str]:
    """The two lists of the starter ontology as they are written, comments included."""
    text = (files("kradle_ctx") / STARTER).read_text(encoding="utf-8")
    lists = re.findall(r"^(nodeKinds|edgeKinds):\n(.*?)(?=^\S|\Z)", text, re.DOTALL | re.MULTILINE)
    return {title: f"{title}:\n{body}".rstrip("\n") for title, body in lists}
