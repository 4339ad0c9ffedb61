"""What CI systems take a line of a log for: their rules, written down anew from their documentation."""

from __future__ import annotations

import re

from hypothesis import strategies as st

REGISTERED = {"error", "warning", "notice", "debug", "add-mask", "stop-commands", "set-env", "set-output", "group"}
"""Some of the commands of GitHub's runner; it leaves other words alone."""

OF_DATA = {"%25": "%", "%0D": "\r", "%0A": "\n"}
OF_PROPERTY = OF_DATA | {"%3A": ":", "%2C": ","}

ELSEWHERE = re.compile(r"##(vso|teamcity)\[")
"""How commands of Azure Pipelines and TeamCity begin."""

COMMANDS = (
    "::add-mask::a",
    " \t::stop-commands::b",
    ":::add-mask::c",
    "##[add-mask]d",
    "###[set-env name=PATH]e",
    "a ##[error]f",
    "##vso[task.setvariable variable=PATH]g",
    "##teamcity[buildStop comment='h']",
    "a%0A::error::i",
    "a\n::error::j",
)

hostile = st.sampled_from(COMMANDS) | st.text(st.sampled_from("#:[]% \n,aerro"), max_size=12)
"""Texts that are commands, or come near one."""

Command = tuple[str, dict[str, str], str]


def command_in(line: str) -> Command | None:
    """The command that GitHub's runner finds in a line: `::name key=value,...::data` at its start, else `##[name]`."""
    return current_form(line.lstrip()) or older_form(line)


def current_form(line: str) -> Command | None:
    """The form that the toolkit writes."""
    head, separator, data = line[2:].partition("::")
    name, _, stated = head.partition(" ")
    if not line.startswith("::") or not separator or name.lower() not in REGISTERED:
        return None
    pairs = [part.split("=", 1) for part in stated.strip().split(",") if part]
    properties = {pair[0]: unescaped(pair[1], OF_PROPERTY) for pair in pairs if len(pair) == 2}
    return name, properties, unescaped(data, OF_DATA)


def older_form(line: str) -> Command | None:
    """The form that the runner still obeys anywhere in a line; what it says in detail does not matter here."""
    found = re.search(r"##\[([^\] ]*)[^\]]*\](.*)", line)
    return (found[1], {}, found[2]) if found is not None and found[1].lower() in REGISTERED else None


def unescaped(text: str, signs: dict[str, str]) -> str:
    """A text without the escapes of a command."""
    return re.sub("%(25|0D|0A|3A|2C)", lambda found: signs.get(found.group(), found.group()), text)
