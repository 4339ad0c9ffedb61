"""Section B of the list of attacks, YAML that is hostile, at the command line: in each place where YAML is read."""

from __future__ import annotations

import json

import pytest
import ruamel.yaml
import yaml

from kradle_ctx.yamldoc import parse
from tests.hostile.attack import CANARY, SOUND_PATH, WORD, Attack, HostileBrain, memory, served_paths, withheld
from tests.hostile.yaml_cases import (
    BY_NUMBER,
    FINE_FILES,
    HEAD,
    ODD_BYTES,
    RECORD,
    UNCLOSED,
    WHOLE_FILES,
    Yaml,
)

SEES_RESTRICTED = """apiVersion: kradle.a5c.ai/v1alpha1
kind: AgentMemorySource
metadata: {name: source}
spec:
  organizationRef: local
  include: {paths: ["**"]}
  sensitivities: [public, internal, restricted]
"""

RUN = """apiVersion: kradle.a5c.ai/v1alpha1
kind: AgentDispatchRun
metadata: {name: run}
spec:
  organizationRef: local
  task: {prompt: ibis}
"""

numbers = pytest.mark.parametrize("number", BY_NUMBER)


def files_of(cases: list[Yaml]) -> dict[str, str | bytes]:
    """Each case as a graph record and as a Markdown record."""
    graph: dict[str, str | bytes] = {f"{case.name}.yaml": case.as_graph() for case in cases}
    return graph | {f"{case.name}.md": case.as_markdown() for case in cases}


def reasons(attack: Attack, brain: HostileBrain) -> dict[str, str]:
    """What a reader who may see restricted files is told of those that could not be read, by path and line."""
    words = ("--org", "local", "--query", WORD, "--format", "json")
    stdin = SEES_RESTRICTED.encode()
    told = withheld(attack.run("assemble", "--brain", brain.path, "-f", "-", *words, stdin=stdin, served=True))
    assert not [reason for reason in told.values() if CANARY in reason or not reason.isprintable()]
    return told


def refused_resource(attack: Attack, text: str | bytes) -> str:
    """The message about a resource from stdin that cannot be read."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    error = attack.refuse("assemble", "--brain", attack.brain().path, "-f", "-", "--query", WORD, stdin=data)
    assert error["code"] == "RESOURCE_INVALID"
    return str(error["message"])


# What is refused, in each place


@numbers
def test_a_hostile_file_is_withheld_and_listed_and_the_rest_is_served(attack: Attack, number: str) -> None:
    brain = attack.brain()
    files = files_of(BY_NUMBER[number])
    brain.hold(files)
    answer = attack.assemble(brain.path)
    assert served_paths(answer) == [SOUND_PATH]
    markdown = "invalid frontmatter, so it counts as restricted"
    assert withheld(answer) == {path: markdown if path.endswith(".md") else "invalid YAML" for path in files}


def test_who_may_see_a_hostile_file_is_told_its_fault_and_line(attack: Attack) -> None:
    cases = [case for cases in BY_NUMBER.values() for case in cases[:2]]
    brain = attack.brain()
    brain.hold(files_of(cases))
    told = reasons(attack, brain)
    for case in cases:
        for suffix in (".yaml", ".md"):
            (place,) = [place for place in told if place.startswith(f"{case.name}{suffix}:")]
            assert case.fault in told[place]
            assert int(place.rpartition(":")[2]) >= 2


@numbers
def test_a_hostile_ontology_is_refused(attack: Attack, number: str) -> None:
    case = BY_NUMBER[number][0]
    brain = attack.brain()
    brain.hold({"ontology/kinds.yaml": case.as_mapping()})
    error = attack.assemble(brain.path).error
    assert error["code"] == "ONTOLOGY_INVALID"
    assert error["message"].startswith("the ontology does not parse: ontology/kinds.yaml:")
    assert case.fault in error["message"]


@numbers
def test_a_hostile_resource_or_request_is_refused_with_file_and_line(attack: Attack, number: str) -> None:
    case = BY_NUMBER[number][-1]
    message = refused_resource(attack, f"{RUN}{case.lines}\n")
    assert message.startswith("stdin:")
    assert case.fault in message


@pytest.mark.parametrize("name", WHOLE_FILES)
def test_a_file_that_is_hostile_as_a_whole_takes_only_itself(attack: Attack, name: str) -> None:
    text = WHOLE_FILES[name]
    brain = attack.brain()
    brain.hold({name: text})
    answer = attack.assemble(brain.path)
    assert served_paths(answer) == [SOUND_PATH]
    assert withheld(answer)[name] == "invalid YAML"
    assert memory(answer)["skipped"]["count"] <= 10_001
    assert refused_resource(attack, text).startswith("stdin:")


def test_b11_a_second_document_redefines_nothing(attack: Attack) -> None:
    wider = SEES_RESTRICTED.replace("restricted", "secret-metadata")
    assert "is given twice" in refused_resource(attack, f"{SEES_RESTRICTED}---\n{wider}")
    brain = attack.brain()
    second = f"---\ntitle: {WORD}\nsensitivity: restricted\n...\nsensitivity: public\n---\n{WORD} {CANARY}\n"
    brain.hold({"z.md": second})
    answer = attack.assemble(brain.path)
    assert withheld(answer) == {"z.md": "invalid frontmatter, so it counts as restricted"}


def test_b11_a_faulty_document_takes_only_itself(attack: Attack) -> None:
    brain = attack.brain()
    brain.hold({"z.yaml": RECORD.format("\n", "one") + f"---\n{HEAD}a: [\n---\n" + RECORD.format("\n", "two")})
    answer = attack.assemble(brain.path)
    assert withheld(answer) == {"z.yaml": "invalid YAML"}
    assert [source["id"] for source in memory(answer)["sources"] if "id" in source] == ["term:one", "term:two"]


def test_b06_b09_b13_odd_files_that_are_fine_are_served(attack: Attack) -> None:
    brain = attack.brain()
    brain.hold(FINE_FILES)
    answer = attack.assemble(brain.path)
    assert set(served_paths(answer)) == {SOUND_PATH, *FINE_FILES}
    assert "skipped" not in memory(answer)


def test_b13_bytes_that_are_no_text_are_named_for_what_they_are(attack: Attack) -> None:
    brain = attack.brain()
    brain.hold({name: data for name, (data, _) in ODD_BYTES.items()})
    answer = attack.assemble(brain.path)
    assert served_paths(answer) == [SOUND_PATH]
    assert withheld(answer) == {name: reason for name, (_, reason) in ODD_BYTES.items()}


@pytest.mark.parametrize("name", ["utf-16-le.yaml", "nul.yaml", "latin-1.yaml"])
def test_b13_a_resource_that_is_no_text_is_named_for_what_it_is(attack: Attack, name: str) -> None:
    data, reason = ODD_BYTES[name]
    assert refused_resource(attack, data) == f"stdin: {reason}"


@pytest.mark.parametrize("value", [".inf", "1e999", "1_000", "~"])
def test_b09_the_schema_decides_what_is_a_number(attack: Attack, value: str) -> None:
    message = refused_resource(attack, f"{SEES_RESTRICTED}  maxContextBytes: {value}\n")
    assert message.startswith("stdin:8: spec.maxContextBytes: must be ")


def test_b15_frontmatter_that_is_none_is_text(attack: Attack) -> None:
    brain = attack.brain()
    brain.hold(UNCLOSED)
    answer = attack.assemble(brain.path)
    assert set(served_paths(answer)) == {SOUND_PATH, *UNCLOSED}
    assert {source["kind"] for source in memory(answer)["sources"]} == {"memory-grep-excerpt"}


TRAPS = (
    "yes",
    "1e3",
    "- x",
    "# y",
    ": ",
    "!!x",
    "\u2028",
    "x ",
    "\x85",
    "<<",
    "010",
    "~",
    ".nan",
    "\ud7ff",
    "x" * 100_000,
)


def test_b17_what_is_emitted_reads_back_the_same_in_every_reader(attack: Attack) -> None:
    brain = attack.brain()
    records = [
        {
            "nodeKind": "Term",
            "id": f"term:{number}",
            "attributes": {"title": f"{WORD} {trap}", "tags": [trap], "note": trap},
        }
        for number, trap in enumerate(TRAPS)
    ]
    brain.hold({"z.yaml": "\n---\n".join(map(json.dumps, records)) + "\n"})
    given = ("--brain", brain.path, "--local-grant", "--query", WORD, "--max-bytes", "500000", "--max-tokens", "200000")
    as_json = attack.run("assemble", *given, "--format", "json")
    as_yaml = attack.run("assemble", *given, "--format", "yaml").text
    assert len(memory(as_json)["sources"]) == len(TRAPS) + 1
    readers = (parse, yaml.safe_load, ruamel.yaml.YAML(typ="safe", pure=True).load)
    assert [read(as_yaml) for read in readers] == [as_json.json] * len(readers)
