"""A23 to A35: configuration, formats, and what lies around the objects of a repository."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

from tests.hostile.attack import CANARY, HOSTILE, SOUND, SOUND_PATH, WORD, Attack, HostileBrain
from tests.hostile.git_cases import (
    NOWHERE,
    UNAVAILABLE,
    UNRESOLVED,
    UNSOUND,
    Case,
    Harmless,
    Make,
    Refused,
    Withheld,
    configured,
    file,
    huge,
    link,
    pipe,
    tip,
)

BORROWED = Refused(UNAVAILABLE, "borrows objects")
ELSEWHERE = Refused(UNAVAILABLE, "leads to a repository elsewhere")
UNREADABLE = Refused(UNAVAILABLE, "the configuration of repository")

RUNNING = (
    "[core]\n fsmonitor = PROGRAM\n sshCommand = PROGRAM\n gitProxy = PROGRAM\n pager = PROGRAM\n editor = PROGRAM\n"
    " askPass = PROGRAM\n hooksPath = hooks\n alternateRefsCommand = PROGRAM\n",
    '[filter "p"]\n clean = PROGRAM\n smudge = PROGRAM\n process = PROGRAM\n required = true\n'
    '[diff "p"]\n textconv = PROGRAM\n command = PROGRAM\n[diff]\n external = PROGRAM\n'
    '[merge "p"]\n driver = PROGRAM\n',
    '[gpg]\n program = PROGRAM\n[gpg "ssh"]\n program = PROGRAM\n[gpg "x509"]\n program = PROGRAM\n'
    "[credential]\n helper = !PROGRAM\n[uploadpack]\n packObjectsHook = PROGRAM\n",
    "[alias]\n log = !PROGRAM\n status = !PROGRAM\n[pager]\n log = PROGRAM\n[sequence]\n editor = PROGRAM\n"
    '[remote "origin"]\n url = ext::PROGRAM\n uploadpack = PROGRAM\n promisor = true\n partialclonefilter = blob:none\n'
    '[url "ext::PROGRAM"]\n insteadOf = https://\n[protocol "ext"]\n allow = always\n'
    '[submodule "x"]\n update = !PROGRAM\n',
)
"""Every key of gitconfig(5) that names a program."""

HOOKS = ("post-checkout", "post-index-change", "reference-transaction", "fsmonitor-watchman", "pre-auto-gc", "update")

FORMATS = (
    ("objectFormat = sha256", "object format sha256"),
    ("refStorage = reftable", "extensions.refstorage"),
    ("somethingNew = true", "extensions.somethingnew"),
)


def private(attack: Attack) -> HostileBrain:
    """Another repository on this machine, which is nobody's business."""
    brain = HostileBrain(attack.folder / "private", bare=True)
    brain.hold({"private.md": HOSTILE})
    return brain


def other_objects(name: str, text: str) -> Make:
    """Write a file that names the objects of the private repository as `OTHER`, and ask for its commit."""

    def make(brain: HostileBrain, attack: Attack) -> None:
        other = private(attack)
        brain.write(name, text.replace("OTHER", str(other.folder)))
        brain.set_ref("refs/heads/other", tip(other))

    return make


def linked_to_other(name: str) -> Make:
    """Put a link to the same place of the private repository into this one."""

    def make(brain: HostileBrain, attack: Attack) -> None:
        other = private(attack)
        place = brain.folder / name
        if place.is_dir():
            shutil.rmtree(place)
        place.unlink(missing_ok=True)
        place.symlink_to(other.folder / name)
        if name.startswith("objects"):
            brain.set_ref("refs/heads/main", tip(other))

    return make


def linked_objects(brain: HostileBrain, attack: Attack) -> None:
    """Link each object of the private repository, by its own name."""
    other = private(attack)
    for found in (other.folder / "objects").glob("??/*"):
        place = brain.folder / "objects" / found.parent.name / found.name
        place.parent.mkdir(exist_ok=True)
        if not place.exists():
            place.symlink_to(found)
    brain.set_ref("refs/heads/main", tip(other))


def git_file(text: str) -> Make:
    """Put a file in the place of `.git`; `OTHER` is the private repository."""

    def make(brain: HostileBrain, attack: Attack) -> None:
        other = private(attack)
        shutil.rmtree(brain.folder)
        (brain.path / ".git").write_text(text.replace("OTHER", str(other.folder)))

    return make


def git_link(brain: HostileBrain, attack: Attack) -> None:
    """Put a link to the private repository in the place of `.git`."""
    other = private(attack)
    shutil.rmtree(brain.folder)
    (brain.path / ".git").symlink_to(other.folder)


def elsewhere() -> Iterator[Case]:
    """A23 and A25: a work tree, objects or a whole repository that lie elsewhere."""
    for tree in ("/etc", "../.."):
        yield Case("A23", f"work tree at {tree}", configured(f"[core]\n\tworktree = {tree}\n"), Harmless())
    for tree in ("", CANARY):
        yield Case("A23", f"work tree at no {tree}", configured(f"[core]\n\tworktree = {tree}\n"), Refused(UNAVAILABLE))
    asked = ("--ref", "other")
    alternates = "objects/info/alternates"
    yield Case("A25", "alternates", other_objects(alternates, "OTHER/objects\n"), BORROWED, asked)
    yield Case(
        "A25", "alternates by a relative path", other_objects(alternates, "../../../private/objects"), BORROWED, asked
    )
    yield Case("A25", "alternates in quotes", other_objects(alternates, '"OTHER/objects"\n'), BORROWED, asked)
    yield Case(
        "A25", "alternates after a comment", other_objects(alternates, "#\n\n\r\nOTHER/objects\n"), BORROWED, asked
    )
    yield Case("A25", "alternates of itself", file(alternates, "../objects\n"), BORROWED)
    yield Case("A25", "alternates are a pipe", pipe(alternates), Refused(UNAVAILABLE, alternates))
    yield Case("A25", "alternates by HTTP", file("objects/info/http-alternates", "http://evil.invalid/\n"), Harmless())
    yield Case("A25", "common folder elsewhere", other_objects("commondir", "OTHER\n"), BORROWED, asked)
    yield Case("A25", "common folder is a pipe", pipe("commondir"), Refused(UNAVAILABLE, "commondir"))
    for name in ("objects", "objects/pack", "objects/info"):
        yield Case("A25", f"link for {name}", linked_to_other(name), BORROWED)
    yield Case("A25", "links for objects", linked_objects, Refused(UNSOUND))
    yield Case("A25", "link for refs", linked_to_other("refs"), Refused(UNRESOLVED, "cannot be read"))
    yield Case("A25", "link for HEAD", linked_to_other("HEAD"), Refused(UNAVAILABLE, "HEAD is a link"))
    yield Case("A25", "link for the configuration", linked_to_other("config"), Refused(UNAVAILABLE, "config is a link"))
    yield Case("A25", "file .git", git_file("gitdir: OTHER\n"), ELSEWHERE)
    yield Case("A25", "file .git by a relative path", git_file("gitdir: ../private\n"), ELSEWHERE)
    yield Case("A25", "file .git to nowhere", git_file(f"gitdir: {CANARY}\n"), Refused(UNAVAILABLE))
    yield Case("A25", "link .git", git_link, ELSEWHERE)


def programs() -> Iterator[Case]:
    """A26: everything in a repository that names a program to run."""
    for text in RUNNING:
        yield Case("A26", f"programs in {text.split()[0]}", configured(text), Harmless())
    yield Case("A26", "programs in an included file", included_programs, Harmless())
    yield Case("A26", "hooks", hooks, Harmless())
    yield Case("A26", "drivers named by attributes", drivers, Harmless(("a.md",)))


def included_programs(brain: HostileBrain, attack: Attack) -> None:
    """Programs that the configuration includes, on conditions that hold."""
    brain.write("more", RUNNING[0].replace("PROGRAM", attack.program))
    brain.configure(
        '[include]\n\tpath = more\n[includeIf "gitdir:**"]\n\tpath = more\n[includeIf "onbranch:main"]\n\tpath = more\n'
    )


def hooks(brain: HostileBrain, attack: Attack) -> None:
    """Hooks that can be run."""
    for name in HOOKS:
        brain.write(f"hooks/{name}", f"#!/bin/sh\n{attack.program}\n").chmod(0o755)


def drivers(brain: HostileBrain, attack: Attack) -> None:
    """Attributes that ask for the drivers of the configuration."""
    brain.configure(RUNNING[1].replace("PROGRAM", attack.program))
    brain.hold({".gitattributes": "* filter=p diff=p merge=p\n", "a.md": HOSTILE})


def configurations() -> Iterator[Case]:
    """A27: configuration that includes itself or what is outside, or is none."""
    outside = Refused(UNAVAILABLE, "a file that the configuration includes is not a regular file")
    yield Case("A27", "include of itself", configured("[include]\n\tpath = config\n"), UNREADABLE)
    yield Case("A27", "include of each other", two_configurations, UNREADABLE)
    yield Case("A27", "include of a secret file", included_secret, UNREADABLE)
    yield Case("A27", "include of a folder", configured("[include]\n\tpath = objects\n"), Harmless())
    yield Case("A27", "include of nothing", configured("[include]\n\tpath = none\n[include]\n\tpath\n"), Harmless())
    yield Case("A27", "include of a device", configured("[include]\n\tpath = /dev/zero\n"), outside)
    for spelled in (
        "path = more",
        "PATH=more",
        'path = "mo""re"',
        "path = mo\\\nre",
        "path = more ; end",
        'path="more" # end',
    ):
        yield Case("A27", f"include of a pipe by {spelled!r}", included_pipe(f"[include]\n{spelled}\n"), outside)
    yield Case("A27", "include on a section's line", included_pipe("[Include] path = more\n"), outside)
    yield Case("A27", "include on a condition", included_pipe('[includeIf "gitdir:**"]\n\tpath = more\n'), outside)
    yield Case("A27", "include of a huge file", huge_include, outside)
    yield Case("A27", "huge configuration", huge("config"), Refused(UNAVAILABLE, "config is"))
    yield Case("A27", "configuration is a pipe", pipe("config"), Refused(UNAVAILABLE, "config is"))
    yield Case("A27", "configuration is a link", link("config", "/etc/passwd"), Refused(UNAVAILABLE, "config is"))
    yield Case("A27", "words in the configuration", configured(f"{CANARY}\n{CANARY} = {CANARY}\n"), Harmless())
    for text in ("[core\n", "\xff\0"):
        yield Case("A27", f"configuration of {text[:9]!r}", file("config", text), Refused(UNAVAILABLE))


def included_pipe(text: str) -> Make:
    """Include a pipe."""

    def make(brain: HostileBrain, attack: Attack) -> None:
        pipe("more")(brain, attack)
        brain.configure(text)

    return make


def two_configurations(brain: HostileBrain, attack: Attack) -> None:
    """Two files that include each other."""
    brain.write("more", "[include]\n\tpath = config\n")
    brain.configure("[include]\n\tpath = more\n")


def included_secret(brain: HostileBrain, attack: Attack) -> None:
    """A file outside that is no configuration."""
    outside = attack.folder / "shadow"
    outside.write_text(f"root:{CANARY}:1\n")
    brain.configure(f"[include]\n\tpath = {outside}\n")


def huge_include(brain: HostileBrain, attack: Attack) -> None:
    """A gibibyte that is included."""
    huge("more")(brain, attack)
    brain.configure("[include]\n\tpath = more\n")


def replaced() -> Iterator[Case]:
    """A30: what stands beside the objects and would have others read."""
    shallow = Refused(UNAVAILABLE)
    yield Case("A30", "replace ref for the commit", replace_commit, Harmless())
    yield Case("A30", "graft", file("info/grafts", f"{NOWHERE} {NOWHERE}\n"), Harmless())
    yield Case("A30", "grafts of other content", file("info/grafts", CANARY), Refused(UNAVAILABLE))
    yield Case("A30", "grafts are a pipe", pipe("info/grafts"), Refused(UNAVAILABLE, "info/grafts"))
    yield Case("A30", "shallow at no commit", file("shallow", NOWHERE + "\n"), Harmless())
    yield Case("A30", "shallow of other content", file("shallow", CANARY), shallow)
    yield Case("A30", "shallow is a pipe", pipe("shallow"), shallow)
    yield Case("A30", "shallow is huge", huge("shallow"), shallow)
    yield Case(
        "A30", "commit graph of other content", file("objects/info/commit-graph", b"CGPH\1\1\0\0junk"), Harmless()
    )
    yield Case(
        "A30", "index of packs of other content", file("objects/pack/multi-pack-index", b"MIDX\1\1\0\0junk"), Harmless()
    )
    yield Case("A30", "index of packs is a pipe", pipe("objects/pack/multi-pack-index"), Refused(UNAVAILABLE))


def replace_commit(brain: HostileBrain, attack: Attack) -> None:
    """A replace ref that puts a hostile commit in the place of the sound one."""
    commit = tip(brain)
    hostile = brain.hold({SOUND_PATH: HOSTILE, "z.md": HOSTILE}, branch="other")
    brain.set_ref(f"refs/replace/{commit}", hostile)


def formats() -> Iterator[Case]:
    """A31: formats that are not known, and objects that were promised."""
    version = "[core]\n\trepositoryformatversion = 1\n[extensions]\n\t"
    for extension, named in FORMATS:
        yield Case("A31", extension, configured(version + extension + "\n"), Refused(UNAVAILABLE, f"format: {named}"))
    for number in (2, 2147483647):
        text = f"[core]\n\trepositoryformatversion = {number}\n"
        yield Case("A31", f"version {number}", configured(text), Refused(UNAVAILABLE, f"format version {number}"))
    partial = configured(version + "partialClone = origin\n" + RUNNING[3])
    yield Case("A31", "partial clone that is whole", partial, Harmless())
    yield Case("A31", "partial clone without a blob", promised, Refused(UNSOUND, NOWHERE))


def promised(brain: HostileBrain, attack: Attack) -> None:
    """A blob that a remote has promised, by a transport that is a program."""
    text = "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n" + RUNNING[3]
    brain.configure(text.replace("PROGRAM", attack.program))
    brain.hold_entries(("100644", b"z.md", NOWHERE))


def pointers_and_attributes() -> Iterator[Case]:
    """A33 and A35: content that is elsewhere, and attributes that would change it."""
    pointer = f"oid sha256:{'a' * 64}\nsize 12\n{CANARY} {WORD}\n"
    reason = "Git LFS pointer, content not in the repository"
    texts = {
        f"{number}{suffix}": f"version {name}\n{pointer}"
        for suffix in (".md", ".yaml")
        for number, name in enumerate(
            ("https://git-lfs.github.com/spec/v1", "https://hawser.github.com/spec/v1", "http://git-media.io/v/2")
        )
    }
    yield Case("A33", "LFS pointers", lambda brain, attack: brain.hold(texts), Withheld(dict.fromkeys(texts, reason)))
    ontology = {"ontology/kinds.yaml": texts["0.md"]}
    yield Case(
        "A33", "ontology in LFS", lambda brain, attack: brain.hold(ontology), Refused("ONTOLOGY_INVALID", reason)
    )
    attributes = "* text=auto eol=crlf working-tree-encoding=UTF-16 ident export-ignore\n"
    files = {".gitattributes": attributes, ".gitignore": "*\n", "a.md": SOUND}
    yield Case("A35", "attributes", lambda brain, attack: brain.hold(files), Harmless(("a.md",)))


AROUND_CASES = (
    *elsewhere(),
    *programs(),
    *configurations(),
    *replaced(),
    *formats(),
    *pointers_and_attributes(),
)
