"""A09 to A19: names, links and bombs in trees."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from tests.hostile.attack import CANARY, HOSTILE, Attack, HostileBrain
from tests.hostile.git_cases import TOO_MUCH, UNSOUND, Case, Harmless, Make, Refused, Withheld, names

UNREADABLE, UNSHOWABLE, TOO_LONG = "path-not-utf8", "control-character-in-path", "path-too-long"

DANGEROUS = (b"..", b".GIT", b"../x.md", b"a\\b", b"", b"GIT~1", ".g\u200cit".encode())

BROKEN_TREES = (b"100644 a.md\0short", b"junk")

NO_UTF8 = {
    b"caf\xe9.md": r"caf\xe9.md",
    b"\xff.md": r"\xff.md",
    b"\xc0\xae.md": r"\xc0\xae.md",
    b"\xed\xa0\x80.md": r"\xed\xa0\x80.md",
    b"\xf4\x90\x80\x80.md": r"\xf4\x90\x80\x80.md",
    b"a\xe2\x80.md": r"a\xe2\x80.md",
    b"\x80.yaml": r"\x80.yaml",
}
"""Latin-1, a bare byte, an overlong dot, a surrogate, beyond Unicode, cut short, a bare continuation."""

NOT_TO_BE_SHOWN = {
    b"\x1b]0;pwn\x07.md": r"\x1b]0;pwn\x07.md",
    b"a\nb.md": r"a\nb.md",
    b"a\rb.md": r"a\rb.md",
    b"a\tb.md": r"a\tb.md",
    b"\x7f.md": r"\x7f.md",
    "\x9b31m.md".encode(): r"\x9b31m.md",
    "\u202egnp.md".encode(): r"\u202egnp.md",
    "\u2066x.md".encode(): r"\u2066x.md",
    "\u2028.md".encode(): r"\u2028.md",
}

ODD = (" a.md", "..md", "CON.md", "aux.md", "--help.md", "-rf.md", "$(id).md", "`id`.md", "';x.md", '"q".md', "~.md")
ODD_TOO = ("[red]x.md", "[link=x]y.md", ":lock:.md", "*.md", "?.md", "[ab].md", "|.md", "#.md", "<b>.md", "\ue000.md")
UNSEEN = ("\u200b.md", "z\u200dw.md", "\ufeff.md", "\U000e0041.md", "\u3164.md", "\xad.md", "\xa0.md", "%2e%2e%2f.md")

TWINS = ("README.md", "readme.md", *(unicodedata.normalize(form, "é.md") for form in ("NFC", "NFD")), "ß.md", "SS.md")


def entries(*rows: tuple[str, bytes]) -> Make:
    """Commit entries of (mode, name) that all hold the hostile text."""

    def make(brain: HostileBrain, attack: Attack) -> None:
        blob = brain.blob()
        brain.hold_entries(*((mode, name, blob) for mode, name in rows))

    return make


def folder(name: bytes) -> Make:
    """Commit a folder of that name with a hostile file in it."""
    return lambda brain, attack: brain.hold_entries(("40000", name, brain.tree({"x.md": HOSTILE})))


def raw_tree(data: bytes) -> Make:
    """Commit the bytes as a tree."""
    return lambda brain, attack: brain.add_raw_commit(brain.add_object("tree", data))


def linked(name: bytes, target: str) -> Make:
    """Commit a symbolic link."""
    return lambda brain, attack: brain.hold_entries(("120000", name, brain.blob(target)))


def names_in_trees() -> Iterator[Case]:
    """Names that are not UTF-8, are dangerous, stand twice, collide, or act on a terminal."""
    malformed, twice = Refused(UNSOUND, "is malformed"), Refused(UNSOUND, "stands in it twice")
    yield Case("A09", "names not UTF-8", names(*NO_UTF8), Withheld(dict.fromkeys(NO_UTF8.values(), UNREADABLE)))
    yield Case("A09", "folder not UTF-8", folder(b"caf\xe9"), Withheld({r"caf\xe9": UNREADABLE}))
    for name in DANGEROUS:
        yield Case("A10", f"file named {name!r}", names(name), malformed)
    yield Case("A10", "folder named .. further down", further_down, malformed)
    for data in BROKEN_TREES:
        yield Case("A10", f"tree of {data[:11]!r}", raw_tree(data), malformed)
    yield Case("A11", "file twice", entries(("100644", b"a.md"), ("100644", b"a.md")), twice)
    yield Case("A11", "file and folder", entries(("100644", b"a"), ("40000", b"a")), twice)
    yield Case("A11", "twice and not side by side", names(b"a.md", b"b.md", b"a.md"), twice)
    yield Case("A13", "names that collide", names(*(name.encode() for name in TWINS)), Harmless(TWINS))
    yield Case(
        "A14", "names that act", names(*NOT_TO_BE_SHOWN), Withheld(dict.fromkeys(NOT_TO_BE_SHOWN.values(), UNSHOWABLE))
    )
    yield Case("A14", "folder that acts", folder(b"a\x1b[2J"), Withheld({r"a\x1b[2J": UNSHOWABLE}))
    long = Withheld({"a name of 5003 characters": TOO_LONG})
    yield Case("A14", "name of 5000", names(b"n" * 5000 + b".md"), long)
    yield Case("A14", "names that end in a blank", names(b"a.md ", b"a.md."), Harmless())
    for odd in (ODD, ODD_TOO, UNSEEN):
        yield Case("A14", f"names such as {odd[0].strip()}", names(*(name.encode() for name in odd)), Harmless(odd))


def further_down(brain: HostileBrain, attack: Attack) -> None:
    """A dangerous folder in a folder."""
    inner = brain.add_tree(("40000", b"..", brain.tree({"x.md": HOSTILE})))
    brain.hold_entries(("40000", b"notes", inner))


def links_in_trees() -> Iterator[Case]:
    """Links, submodules and modes of no kind."""
    link = Withheld({"z.md": "symlink"})
    for target in ("/etc/passwd", "sound.md", CANARY):
        yield Case("A15", f"link to {target[:16]!r}", linked(b"z.md", target), link)
    yield Case(
        "A15",
        "link named as the brain's folder",
        linked(b".company-brain", "/etc"),
        Withheld({".company-brain": "symlink"}),
    )
    yield Case("A15", "link named as the ontology", linked(b"ontology", "/etc"), Withheld({"ontology": "symlink"}))
    odd = {"m.md": "unknown-mode", "s": "submodule"}
    yield Case("A15", "submodule and odd modes", entries(("160000", b"s"), ("10644", b"m.md")), Withheld(odd))


def bombs_of_trees() -> Iterator[Case]:
    """Trees that are small on the disk and have no end."""
    entries_budget = Refused(TOO_MUCH, "more than 200000 entries")
    too_deep, text = Withheld({"/".join(["z", *["d"] * 63]): "folder-too-deep"}), Refused(TOO_MUCH, "bytes of text")
    yield Case("A18", "ten times ten levels", multiplied, entries_budget)
    yield Case("A18", "one file under a thousand names", thousand_times_one_mebibyte, text)
    for depth in (65, 1000):
        yield Case("A19", f"{depth} deep", nested(depth), too_deep)


def multiplied(brain: HostileBrain, attack: Attack) -> None:
    """Trees that hold one other ten times: eleven objects, 10^10 paths."""
    tree = brain.tree({"a.md": HOSTILE})
    for _ in range(10):
        tree = brain.add_tree(*(("40000", b"d%d" % number, tree) for number in range(10)))
    brain.hold_entries(("40000", b"z", tree))


def nested(depth: int) -> Make:
    """A file in so many folders."""

    def make(brain: HostileBrain, attack: Attack) -> None:
        tree = brain.tree({"a.md": HOSTILE})
        for _ in range(depth - 1):
            tree = brain.add_tree(("40000", b"d", tree))
        brain.hold_entries(("40000", b"z", tree))

    return make


def thousand_times_one_mebibyte(brain: HostileBrain, attack: Attack) -> None:
    """One text of a mebibyte, a few kilobytes on the disk, under a thousand names."""
    text = (HOSTILE * 40_000)[: 1 << 20]
    brain.hold_names((b"%04d.md" % number for number in range(1000)), text)


TREE_CASES = (*names_in_trees(), *links_in_trees(), *bombs_of_trees())
