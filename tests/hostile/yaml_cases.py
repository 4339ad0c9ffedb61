"""Section B of the list of attacks as a table: YAML that is hostile, and what is said of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.hostile.attack import CANARY, WORD

HEAD = f"title: {WORD} and {CANARY}\nsummary: {CANARY}\n"
"""Fields before the hostile lines; nothing of them may show."""


@dataclass(frozen=True, slots=True)
class Yaml:
    """Hostile lines of a mapping: their number in the list, what they are, and words of the fault."""

    number: str
    title: str
    lines: str
    fault: str

    @property
    def name(self) -> str:
        """The case as the beginning of a file's name."""
        return f"{self.number}-{self.title.replace(' ', '-')}"

    def as_graph(self) -> str:
        """A graph record that holds the lines."""
        return f"nodeKind: Term\nid: term:{self.name}\nattributes: {{title: {WORD}}}\n{HEAD}{self.lines}\n"

    def as_markdown(self) -> str:
        """A Markdown record whose frontmatter holds the lines."""
        return f"---\nkind: Term\nid: page:{self.name}\n{HEAD}{self.lines}\n---\n\n{WORD} and {CANARY}\n"

    def as_mapping(self) -> str:
        """The lines as a document of their own."""
        return f"{HEAD}{self.lines}\n"


def doubled(first: str, opening: str, closing: str, item: str, count: int, levels: int) -> str:
    """Lines of which each holds the one before several times, by aliases."""
    rows = [f"a0: &a0 {first}"]
    rows += [
        f"a{level}: &a{level} {opening}{', '.join([item.format(level - 1)] * count)}{closing}"
        for level in range(1, levels + 1)
    ]
    return "\n".join(rows)


def rejected() -> Iterator[Yaml]:
    """Everything that is refused."""
    merge, laughs = "merge keys (<<) are not supported", "aliases expand to more than 10000 nodes"
    own, deep = "an alias inside its own anchor", "nest"
    tag, key, twice = "unsupported tag", "a key that is not text", "duplicate key"
    yield Yaml("B01", "merge bomb", doubled("{k: 1}", "{<<: [", "], k: 1}", "*a{}", 8, 8), merge)
    yield Yaml("B01", "merge of one", "a: &a {k: 1}\nb: {<<: *a}", merge)
    yield Yaml("B01", "merge in a block", "a: &a {k: 1}\nb:\n  <<: [*a, *a]\n  k: 2", merge)
    yield Yaml("B02", "laughs in lists", doubled("[x]", "[", "]", "*a{}", 9, 8), laughs)
    yield Yaml("B02", "laughs in a mapping", doubled("{k: v}", "[", "]", "*a{}", 9, 8), laughs)
    yield Yaml("B02", "aliases of a long list", f"a: &a [{'x, ' * 9_000}]\nb: [*a, *a]", laughs)
    yield Yaml("B03", "list in itself", "a: &a [*a]", own)
    yield Yaml("B03", "mapping in itself", "a: &a {b: {c: [*a]}}", own)
    yield Yaml("B05", "deep block", "".join(f"{' ' * depth}a:\n" for depth in range(500)), deep)
    yield Yaml("B05", "deep lists", "a: " + "[" * 100_000, deep)
    yield Yaml("B05", "deep mappings", "a: " + "{a: " * 30_000, deep)
    yield Yaml("B05", "deep dashes", "a:\n" + "- " * 5_000, deep)
    yield Yaml("B05", "deep by aliases", doubled("[x]", "[", "]", "*a{}", 1, 70), deep)
    for name in (
        "!!set {x, y}",
        "!!python/object/apply:os.system [id]",
        "!!binary aGk=",
        "!!timestamp 2026-05-01",
        "!x y",
    ):
        yield Yaml("B06", f"tag {len(name)}", f"a: {name}", tag)
    yield Yaml("B07", "key twice", "a: 1\na: 2", twice)
    yield Yaml("B07", "key twice in a mapping", "a: {b: 1, c: 2, b: 3}", twice)
    yield Yaml("B07", "key twice spelled otherwise", 'a: 1\n"\\x61": 2', twice)
    for number, lines in enumerate(
        ("? [a, b]\n: 1", "1: x", "null: y", "true: x", "z: {[a]: b}", "? {a: b}", "&x y: z\n*x : z")
    ):
        yield Yaml("B10", f"key {number}", lines, key)
    yield Yaml("B13", "surrogate escape", 'a: "\\ud800"', "found invalid Unicode character escape code")
    yield Yaml("B13", "tab for a space", "a:\n\tb: 1", "indent with spaces")
    for code in (0x01, 0x08, 0x0B, 0x1B, 0x7F, 0x80, 0x9F, 0xFFFE):
        yield Yaml("B13", f"character {code:04X}", f"a: x{chr(code)}", f"character U+{code:04X} is not allowed")
    yield Yaml("B13", "marker after a carriage return", "a: 1\r---\ra: 2", "line break that is not LF")


REJECTED = tuple(rejected())

BY_NUMBER = {case.number: [other for other in REJECTED if other.number == case.number] for case in REJECTED}

SMALL_BOMB = "---\n" + "\n".join(
    (
        "a: &a [x, x, x, x, x, x, x, x, x, x]",
        f"b: &b [{', '.join(['*a'] * 10)}]",
        f"c: &c [{', '.join(['*b'] * 10)}]",
        f"d: [{', '.join(['*c'] * 7)}]\n",
    )
)
"""A document whose aliases stay below the limit; a mebibyte holds thousands."""

WHOLE_FILES = {
    "B02-many-small-bombs.yaml": SMALL_BOMB * 6_000,
    "B11-a-hundred-thousand.yaml": "---\n" * 100_000,
    "B11-end-markers.yaml": "...\n" * 100_000,
    "B11-documents-of-directives.yaml": "%YAML 1.2\n---\n" * 12_000,
    "B14-version.yaml": f"%YAML 9.9\n---\n{HEAD}",
    "B14-version-1.1.yaml": f"# c\n%YAML 1.1\n---\n{HEAD}",
    "B14-tags.yaml": f"%TAG !! tag:evil.invalid,1:\n---\n{HEAD}",
}
"""Graph files that are hostile as a whole."""

ODD_BYTES = {
    "utf-16-le-bom.md": (f"{WORD} {CANARY}".encode("utf-16"), "UTF-16, not UTF-8"),
    "utf-16-le.yaml": (f"id: {WORD} {CANARY}".encode("utf-16-le"), "UTF-16, not UTF-8"),
    "utf-16-be.md": (f"{WORD} {CANARY}".encode("utf-16-be"), "UTF-16, not UTF-8"),
    "utf-32.yaml": (f"id: {WORD} {CANARY}".encode("utf-32"), "UTF-16, not UTF-8"),
    "nul.md": (f"{WORD} {CANARY}\0".encode(), "binary"),
    "nul.yaml": (f"id: {WORD} {CANARY}\0".encode(), "binary"),
    "latin-1.yaml": (f"id: {WORD} {CANARY} \xe9".encode("latin-1"), "not UTF-8"),
    "cut-short.yaml": (f"id: {WORD} {CANARY} é".encode()[:-1], "not UTF-8"),
}
"""B13: files that are no UTF-8, or not only text, with what is said of them."""

RECORD = f"nodeKind: Term{{0}}id: term:{{1}}{{0}}attributes: {{{{title: {WORD} {{1}}}}}}{{0}}"

FINE_FILES = {
    "bom.yaml": "\ufeff" + RECORD.format("\n", "bom"),
    "crlf.yaml": RECORD.format("\r\n", "crlf"),
    "cr.yaml": RECORD.format("\r", "cr"),
    "nel.yaml": RECORD.format("\n", "nel") + "note: a\x85b\u2028c\n",
    "bom.md": f"\ufeff---\r\nid: page:bom\r\nkind: Term\r\ntitle: {WORD}\r\n---\r\n{WORD}\r\n",
    "dates.yaml": RECORD.format("\n", "dates") + "a: 2001-99-99\nb: 2001-01-01 10:99:99+99:99\nc: " + "1" * 5000 + "\n",
    "numbers.yaml": RECORD.format("\n", "numbers")
    + "a: [no, on, 010, 1_000, 190:20:30, ~, .inf, -.inf, 1e999, .nan, 0x"
    + "f" * 20_000
    + "]\n",
    "quoted-merge.yaml": RECORD.format("\n", "quoted-merge") + '"<<": {a: 1}\n',
    "aliases.yaml": RECORD.format("\n", "aliases") + "a: &a [x, y]\nb: *a\n",
    "nbsp.yaml": RECORD.format("\n", "nbsp") + "a: b:\xa0c\n",
}
"""B06, B09 and B13: files that look hostile, and are records all the same."""

UNCLOSED = {
    "unclosed.md": f"---\ntitle: {WORD}\n",
    "only-in-a-fence.md": f"# {WORD}\n\n```\n---\ntitle: x\n---\n```\n",
    "toml.md": f'+++\ntitle = "{WORD}"\n+++\n',
    "after-a-blank.md": f" ---\ntitle: {WORD}\n---\n",
    "four-dashes.md": f"----\ntitle: {WORD}\n---\n",
    "dots.md": f"---\ntitle: {WORD}\n...\n",
    "long.md": f"---\n{WORD}\n" + "a: b\n" * 200_000,
    "long-line.md": f"---\n{WORD}\n\n\n\n" + "-- " * 340_000,
}
"""B15: Markdown whose frontmatter is none, by the rule that it begins at the first byte and is closed."""
