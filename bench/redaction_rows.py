"""Make labelled rows for measuring redaction: secrets where people leave them, and what only looks like one.

    python bench/redaction_rows.py --seed 1 > rows.jsonl

One JSON object a line: `id`, `text`, `label` (pos or neg), `spans` as [start, end, kind] in characters, `pub` (how many
characters of each span are public, such as a prefix), `tier` (core, or stretch for evasions and what nobody can tell),
`group` and `note`. The same seed gives the same rows. The templates are in `redaction_corpus`; no token stands there,
only its prefix and the alphabet of the rest.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from redaction_pieces import expand

CORPUS = Path(__file__).with_name("redaction_corpus")
POSITIVES = ("credentials", "prose", "connections", "keys", "evasions")
NEGATIVES = ("identifiers", "assets", "placeholders", "talk")
PLACES_FOR_A_TOKEN = 4
"""Carriers drawn for each vendor, of all that there are."""

_SECRET = re.compile(r"⟦(?:([^⟦⟧|]*)\|)?([^⟦⟧]*)⟧")
_NO_NEWLINE = "{EOF}\n"


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled text; the fields are those that the module's description names."""

    id: str
    text: str
    label: str
    spans: tuple[tuple[int, int, str], ...]
    pub: tuple[int, ...]
    tier: str
    group: str
    note: str


@dataclass(frozen=True, slots=True)
class Template:
    """What a row is made from: text with its secrets in `⟦⟧` and its random pieces in braces."""

    group: str
    note: str
    text: str
    tier: str = "core"
    label: str = "pos"


@dataclass(frozen=True, slots=True)
class Vendor:
    """A format of tokens: `public` is the part that tells it, `marked` says that there is one."""

    group: str
    variable: str
    service: str
    public: str
    rest: str
    marked: bool


@cache
def entries(name: str) -> tuple[tuple[tuple[str, ...], str], ...]:
    """The entries of a corpus file: the fields of the title, and the text."""
    text = (CORPUS / f"{name}.txt").read_text(encoding="utf-8").removesuffix("\n")
    found = []
    for part in text.split("\n=== ")[1:]:
        title, _, body = part.partition("\n")
        fields = tuple(field.strip() for field in title.split(" | "))
        found.append((fields, f"{body}\n".replace(_NO_NEWLINE, "")))
    return tuple(found)


@cache
def vendors() -> tuple[Vendor, ...]:
    """All formats of tokens."""
    found, marked = [], True
    for line in (CORPUS / "vendors.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            marked = line == "[marked]"
        elif line and not line.startswith("#"):
            group, variable, service, public, rest = (field.strip() for field in line.split(" | "))
            found.append(Vendor(group, variable, service, public, rest, marked))
    return tuple(found)


def templates(seed: int, places: int = PLACES_FOR_A_TOKEN) -> Iterator[Template]:
    """The templates of a seed; only the places of tokens depend on it."""
    generator = random.Random(seed)
    bare = [entry for entry in entries("carriers") if entry[0][-1] == "bare"]
    named = [entry for entry in entries("carriers") if entry[0][-1] != "bare"]
    for vendor in vendors():
        for title, text in generator.sample(named, places) + generator.sample(bare, 1 if vendor.marked else 0):
            yield Template(vendor.group, title[0], _carried(vendor, text))
    for name in POSITIVES:
        for (group, note, *rest), text in entries(name):
            yield Template(group, note, text, tier="stretch" if rest else "core")
    for name in NEGATIVES:
        for (group,), text in entries(name):
            yield Template(group, group, text, label="neg")


def _carried(vendor: Vendor, text: str) -> str:
    named = text.replace("$NAME", vendor.variable).replace("$Service", vendor.service.title())
    return named.replace("$service", vendor.service).replace("¤", f"⟦{vendor.public}|{vendor.rest}⟧")


def rows(seed: int, places: int = PLACES_FOR_A_TOKEN) -> Iterator[Row]:
    """All rows of a seed, each template once and each vendor in some of the places."""
    for number, template in enumerate(templates(seed, places)):
        generator = random.Random(f"{seed}/{number}/{template.group}/{template.note}")
        yield row(f"g{number:05d}", template, generator)


def row(identity: str, template: Template, generator: random.Random) -> Row:
    """A template with its pieces drawn and its secrets marked by offsets."""
    pieces: list[str] = []
    spans: list[tuple[int, int, str]] = []
    public: list[int] = []
    at = size = 0
    for match in _SECRET.finditer(template.text):
        before = expand(template.text[at : match.start()], generator)
        prefix = expand(match.group(1) or "", generator)
        secret = prefix + expand(match.group(2), generator)
        size += len(before)
        spans.append((size, size + len(secret), template.group))
        public.append(len(prefix))
        pieces += (before, secret)
        size, at = size + len(secret), match.end()
    text = "".join([*pieces, expand(template.text[at:], generator)])
    return Row(
        identity, text, template.label, tuple(spans), tuple(public), template.tier, template.group, template.note
    )


def main() -> None:
    """Write the rows of a seed to standard output."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--places", type=int, default=PLACES_FOR_A_TOKEN, help="places for each kind of token")
    arguments = parser.parse_args()
    for each in rows(arguments.seed, arguments.places):
        sys.stdout.write(json.dumps(asdict(each), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
