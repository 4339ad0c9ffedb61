"""Each command end to end: what it answers, how it refuses, and where it writes."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cases.command_line import COMMAND, Answer, environment
from tests.conftest import GitBuilder
from tests.example import REQUESTS, RESOURCES, asking, bundle_of, documents_of, invoke, items_of

COMMANDS = ("assemble", "preview", "query", "read", "resolve")
GRANT = "--local-grant"
"""The caller's own word; resolve reads no document and knows no grants."""

CASES = {"query": (GRANT, "--query", "flaky"), "read": (GRANT, "runbook:ci-playwright-flake"), "resolve": ()}
"""What each command needs to have something to do; assemble and preview need what query does."""


@pytest.fixture
def ask(example_brain: Path, tmp_path: Path) -> Callable[..., Answer]:
    """Runs a command on the example brain, on the caller's own word, from an empty folder."""

    def run(command: str, *arguments: str | Path, **options: Any) -> Answer:
        granted = () if command == "resolve" or GRANT in arguments else (GRANT,)
        return invoke(tmp_path, command, "--brain", example_brain, *granted, *arguments, **options)

    return run


def needs(command: str) -> tuple[str, ...]:
    """The arguments that give a command something to do."""
    return CASES.get(command, CASES["query"])


# Help and usage


@pytest.mark.parametrize("command", COMMANDS)
def test_help_names_every_flag_and_succeeds(command: str, tmp_path: Path) -> None:
    answer = invoke(tmp_path, command, "--help")
    assert (answer.code, answer.stderr) == (0, b"")
    assert "--brain" in answer.text
    assert "--error-format" in answer.text


def test_the_version_is_one_line(tmp_path: Path) -> None:
    answer = invoke(tmp_path, "--version")
    assert answer.code == 0
    assert re.fullmatch(r"kradle-ctx \d+\.\d+\.\d+\S*\n", answer.text)


@pytest.mark.parametrize(
    "arguments",
    [("nonsense",), ("assemble", "--nonsense"), ("assemble", "--depth", "-1"), ("query", "--mode", "guess"), ("read",)],
)
def test_a_usage_error_is_two_lines_and_exit_2(arguments: tuple[str, ...], tmp_path: Path) -> None:
    answer = invoke(tmp_path, *arguments)
    assert (answer.code, answer.stdout) == (2, b"")
    first, second = answer.talk.splitlines()
    assert first.startswith("error: ")
    assert first.endswith("[USAGE]")
    assert second.startswith("hint: ")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_works_from_any_folder_and_says_nothing_else_when_quiet(
    ask: Callable[..., Answer], command: str
) -> None:
    answer = ask(command, *needs(command), "--quiet")
    assert answer.code == 0
    assert answer.stderr == b""
    assert answer.stdout


# Refusals


@pytest.mark.parametrize(
    ("arguments", "exit_code", "error_code"),
    [
        (("query", "--query", "x", "--ref", "nope"), 3, "MEMORY_REF_UNRESOLVED"),
        (("query", "--query", "x", "--snapshot", "nope"), 3, "MEMORY_REF_UNRESOLVED"),
        (("query", "--query", "x", "--at", "2026-05-08"), 2, "TIMESTAMP_AMBIGUOUS"),
        (("query", "--query", "x", "--at", "yesterday"), 2, "USAGE"),
        (("query", "--query", "x", "--ref", "main", "--at", "2026-05-08T00:00:00Z"), 2, "USAGE"),
        (("query", "--query", "(", "--regex"), 2, "USAGE"),
        (("query",), 2, "USAGE"),
        (("read", "runbook:absent"), 1, "MEMORY_ITEM_UNAVAILABLE"),
        (("assemble", "--query", "x", "--select", "runbook:absent"), 1, "MEMORY_ITEM_UNAVAILABLE"),
        (("assemble", "--query", "x", "--max-bytes", "100"), 3, "LIMIT_EXCEEDED"),
        (("assemble", "--query", "x", "--memory-mode", "disabled"), 4, "MEMORY_MODE_FORBIDDEN"),
        (("assemble", "--query", "x", "--memory-mode", "off"), 2, "MEMORY_MODE_INVALID"),
        (("resolve", "--ref", "main~1"), 3, "MEMORY_REF_UNRESOLVED"),
        (("resolve", "--memory-mode", "disabled"), 4, "MEMORY_MODE_FORBIDDEN"),
        (("assemble", "--query", "x", "-f", "missing.yaml"), 2, "RESOURCE_INVALID"),
    ],
)
def test_a_refusal_has_its_code_in_both_forms_and_no_output(
    ask: Callable[..., Answer], arguments: tuple[str, ...], exit_code: int, error_code: str
) -> None:
    text = ask(*arguments)
    assert (text.code, text.stdout) == (exit_code, b"")
    assert f"[{error_code}]" in text.talk
    assert "\nhint: " in text.talk
    as_json = ask(*arguments, "--error-format", "json")
    assert as_json.code == exit_code
    assert as_json.error["code"] == error_code
    assert as_json.error["message"] in text.talk


@pytest.mark.parametrize("command", COMMANDS)
def test_a_brain_that_is_not_there_blocks(tmp_path: Path, command: str) -> None:
    answer = invoke(tmp_path, command, "--brain", "absent", *needs(command), "--error-format", "json")
    assert answer.code == 3
    assert answer.error["code"] == "MEMORY_REPOSITORY_UNAVAILABLE"


def test_no_grant_is_a_refusal_for_assemble(example_brain: Path, tmp_path: Path) -> None:
    answer = invoke(tmp_path, "assemble", "--brain", example_brain, "--query", "flaky", "--error-format", "json")
    assert answer.code == 4
    assert answer.error["code"] == "MEMORY_PERMISSION_DENIED"


def test_a_pull_request_cannot_grant_itself_anything(example_brain: Path) -> None:
    """The brain holds a `.kradle` folder; assemble takes grants only from what it is given."""
    answer = invoke(example_brain, "assemble", "--query", "flaky", "--error-format", "json")
    assert answer.code == 4
    assert answer.error["code"] == "MEMORY_PERMISSION_DENIED"


@pytest.mark.parametrize("command", ["assemble", "preview"])
def test_another_organisations_memory_is_refused_before_it_is_opened(tmp_path: Path, command: str) -> None:
    globex = RESOURCES.parent / "globex"
    answer = invoke(
        tmp_path,
        command,
        *("--brain", tmp_path / "absent", "-f", globex, "--org", "a5c", "--memory-repository", "org-company-brain"),
        *("--query", "flaky", "--error-format", "json"),
    )
    assert answer.code == 4
    assert answer.error["code"] == "CROSS_ORG_REF_DENIED"


def test_an_absent_item_and_a_denied_one_differ_in_their_name_alone(example_brain: Path, tmp_path: Path) -> None:
    def refusal(item: str, *form: str) -> tuple[int, str]:
        arguments = ("--brain", example_brain, "-f", RESOURCES, "--repo", "kradle", "--stack", "docs-writer")
        answer = invoke(tmp_path, "read", *arguments, item, *form)
        assert answer.stdout == b""
        return answer.code, answer.talk.replace(item, "ITEM")

    for form in ((), ("--error-format", "json")):
        absent = refusal("incident:2026-04-20-laptop-lost", *form)
        assert absent[0] == 1
        assert refusal("incident:2026-04-20-laptop-loss", *form) == absent
        assert refusal("incidents/security/2026-04-20-laptop-loss.md", *form) == absent
        assert refusal("customer:1", *form) == absent


def test_a_secret_in_an_argument_is_not_repeated(ask: Callable[..., Answer]) -> None:
    token = "xox" + "b-" + "-".join(("293847561029", "384756102938", "Ab3dEf6hIj9lMn2pQr5tUv8x"))
    for form in ((), ("--error-format", "json")):
        answer = ask("read", token, *form)
        assert answer.code == 1
        assert "Ab3dEf6h" not in answer.talk
    bundle = ask("assemble", "--query", f"flaky {token}", "--format", "json")
    assert bundle.code == 0
    assert "Ab3dEf6h" not in bundle.text


# assemble


def test_assemble_writes_one_bundle_and_notes_beside_it(ask: Callable[..., Answer]) -> None:
    answer = ask("assemble", "--repo", "kradle", "--query", "flaky playwright failures")
    bundle = bundle_of(answer)
    assert "runbook:ci-playwright-flake" in items_of(bundle)
    assert all(line.startswith("note: ") for line in answer.talk.splitlines())


def test_the_formats_hold_the_same_bundle(ask: Callable[..., Answer]) -> None:
    question = ("assemble", "--repo", "kradle", "--query", "flaky")
    as_yaml, as_json, prompt = (ask(*question, "--format", form) for form in ("yaml", "json", "prompt"))
    assert documents_of(as_json.text) == documents_of(as_yaml.text)
    assert prompt.text.startswith("## Company Brain Memory\n")
    facts = sum(len(line) for line in prompt.stdout.splitlines(keepends=True) if line.startswith(b"  trust: "))
    assert len(prompt.stdout) - facts == bundle_of(as_yaml)["spec"]["memory"]["limits"]["usedBytes"]


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_all_documents_stand_in_one_output(ask: Callable[..., Answer], form: str) -> None:
    answer = ask("assemble", "--query", "flaky", "--all-documents", "--format", form)
    kinds = [document["kind"] for document in documents_of(answer.text)]
    assert kinds == ["AgentContextBundle", "AgentMemorySnapshot", "AgentMemoryQuery"]


def test_records_are_files_named_by_their_digests(ask: Callable[..., Answer], tmp_path: Path) -> None:
    answer = ask("assemble", "--query", "flaky", "--records", tmp_path / "a" / "records")
    memory = bundle_of(answer)["spec"]["memory"]
    files = sorted((tmp_path / "a" / "records").iterdir())
    found = [document for file in files for document in documents_of(file.read_text(encoding="utf-8"))]
    assert [file.name for file in files] == [f"{document['metadata']['name']}.yaml" for document in found]
    assert {document["kind"] for document in found} == {"AgentMemorySnapshot", "AgentMemoryQuery"}
    assert memory["snapshotRef"] in {document["metadata"]["name"] for document in found}


def test_a_blocked_run_leaves_its_query_record_alone(ask: Callable[..., Answer], tmp_path: Path) -> None:
    answer = ask("assemble", "--query", "flaky", "--ref", "nope", "--records", tmp_path / "records")
    assert (answer.code, answer.stdout) == (3, b"")
    (file,) = (tmp_path / "records").iterdir()
    (record,) = documents_of(file.read_text(encoding="utf-8"))
    assert record["kind"] == "AgentMemoryQuery"
    assert record["status"]["phase"] == "Blocked"
    assert record["status"]["reason"] == "MEMORY_REF_UNRESOLVED"


def test_a_request_comes_from_stdin(example_brain: Path, tmp_path: Path) -> None:
    data = REQUESTS["ci-repair"].read_bytes()
    piped = invoke(tmp_path, "assemble", "--brain", example_brain, "-f", RESOURCES, "-f", "-", data=data)
    named = invoke(tmp_path, "assemble", *asking(example_brain, "ci-repair"))
    assert bundle_of(named)["spec"]["dispatchRun"] == "adr-01hx"
    assert piped.stdout == named.stdout


def test_a_flag_lays_over_the_request(example_brain: Path, tmp_path: Path) -> None:
    changed = invoke(tmp_path, "assemble", *asking(example_brain, "ci-repair"), "--max-records", "2", "--depth", "0")
    memory = bundle_of(changed)["spec"]["memory"]
    assert memory["query"]["limits"]["maxRecords"] == 2
    assert memory["query"]["edgeDepth"] == 0
    assert memory["query"]["text"] == "flaky playwright failures"
    assert memory["omitted"]["reasons"]["over-max-records"] > 0


# Memory mode


def test_a_disabled_memory_gives_an_optional_run_a_bundle_and_opens_nothing(tmp_path: Path) -> None:
    arguments = ("--brain", tmp_path / "absent", "--local-grant", "--query", "flaky", "--memory-mode", "disabled")
    refused = invoke(tmp_path, "assemble", *arguments, "--required", "--error-format", "json")
    assert (refused.code, refused.error["code"]) == (4, "MEMORY_MODE_FORBIDDEN")
    bundle = bundle_of(invoke(tmp_path, "assemble", *arguments, "--optional"))
    assert bundle["spec"]["memory"]["enabled"] is False
    assert bundle["spec"]["memory"]["sources"] == []
    prompt = invoke(tmp_path, "assemble", *arguments, "--optional", "--format", "prompt")
    assert (prompt.code, prompt.stdout) == (0, b"")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_mode_from_the_environment_narrows_and_never_widens(ask: Callable[..., Answer], command: str) -> None:
    for flag, variable in (("full", "disabled"), ("disabled", "full")):
        answer = ask(
            command, *needs(command), "--memory-mode", flag, "--error-format", "json",
            changes={"KRADLE_MEMORY_MODE": variable},
        )  # fmt: skip
        assert (answer.code, answer.error["code"]) == (4, "MEMORY_MODE_FORBIDDEN")


def test_an_optional_run_goes_on_when_the_brain_is_away(tmp_path: Path) -> None:
    arguments = ("--brain", tmp_path / "absent", "--local-grant", "--query", "flaky", "--optional")
    bundle = bundle_of(invoke(tmp_path, "assemble", *arguments))
    assert [warning["code"] for warning in bundle["spec"]["memory"]["warnings"]] == ["memory-unavailable"]
    preview = invoke(tmp_path, "preview", *arguments)
    assert preview.code == 0
    assert "MEMORY_REPOSITORY_UNAVAILABLE" in preview.text
    query = invoke(tmp_path, "query", *arguments)
    assert (query.code, query.stdout) == (3, b""), "a question is answered or refused"
    assert "MEMORY_REPOSITORY_UNAVAILABLE" in query.talk


# Output files


def test_an_output_file_is_whole_and_its_owners_alone(ask: Callable[..., Answer], tmp_path: Path) -> None:
    target = tmp_path / "bundle.yaml"
    written = ask("assemble", "--query", "flaky", "-o", target)
    assert (written.code, written.stdout) == (0, b"")
    assert target.read_bytes() == ask("assemble", "--query", "flaky").stdout
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["bundle.yaml"]


def test_an_existing_file_is_kept_when_the_run_fails_and_replaced_when_it_succeeds(
    ask: Callable[..., Answer], tmp_path: Path
) -> None:
    target = tmp_path / "bundle.yaml"
    target.write_text("before\n")
    assert ask("assemble", "--query", "flaky", "--ref", "nope", "-o", target).code == 3
    assert target.read_text() == "before\n"
    assert ask("assemble", "--query", "flaky", "-o", target).code == 0
    assert target.read_text() != "before\n"


def odd_target(kind: str, folder: Path) -> Path:
    """A path that is no regular file, with whatever makes it so."""
    target = folder / "target"
    if kind == "folder":
        target.mkdir()
    elif kind == "fifo":
        os.mkfifo(target)
    elif kind == "link":
        (folder / "elsewhere").write_text("before\n")
        target.symlink_to(folder / "elsewhere")
    elif kind == "dangling":
        target.symlink_to(folder / "nowhere")
    else:
        return folder / "no folder" / "target"
    return target


@pytest.mark.parametrize("kind", ["folder", "fifo", "link", "dangling", "absent folder"])
def test_a_target_that_is_no_regular_file_is_refused(ask: Callable[..., Answer], tmp_path: Path, kind: str) -> None:
    target = odd_target(kind, tmp_path)
    before = sorted(path.name for path in tmp_path.iterdir())
    answer = ask("assemble", "--query", "flaky", "-o", target, "--error-format", "json")
    assert (answer.code, answer.error["code"]) == (3, "OUTPUT_UNWRITABLE")
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    if kind == "link":
        assert (tmp_path / "elsewhere").read_text() == "before\n"


@pytest.mark.parametrize("target", ["/dev/null", "/dev/stdout", "-"])
def test_a_device_is_written_to(ask: Callable[..., Answer], target: str) -> None:
    answer = ask("assemble", "--query", "flaky", "-o", target)
    assert answer.code == 0
    assert bool(answer.stdout) is (target != "/dev/null")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_a_full_device_is_a_refusal(ask: Callable[..., Answer]) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    answer = ask("assemble", "--query", "flaky", "-o", "/dev/full", "--error-format", "json")
    assert (answer.code, answer.error["code"]) == (3, "OUTPUT_UNWRITABLE")


@pytest.mark.parametrize("command", ["assemble", "preview"])
def test_a_closed_pipe_ends_quietly_when_python_ends_too(example_brain: Path, tmp_path: Path, command: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*COMMAND, command, "--brain", str(example_brain), *needs(command), "--quiet"],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=writer,
        stderr=subprocess.PIPE,
        env=environment(),
        timeout=60,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


# preview, query, read, resolve


def test_a_preview_shows_the_section_and_then_why(ask: Callable[..., Answer]) -> None:
    question = ("--repo", "kradle", "--query", "flaky playwright failures")
    whole, short = ask("preview", *question), ask("preview", *question, "--summary")
    assert whole.text.startswith("## Company Brain Memory\n")
    assert whole.text.endswith(short.text)
    assert short.text.startswith("repository")
    for text in ("runbook:ci-playwright-flake", "direct association of repository:kradle", "budget"):
        assert text in short.text


def test_a_preview_is_markdown_or_json_when_asked(ask: Callable[..., Answer]) -> None:
    question = ("--repo", "kradle", "--query", "flaky")
    markdown = ask("preview", *question, "--format", "markdown", "--summary")
    assert markdown.text.startswith("# Company brain preview\n")
    assert "`runbook:ci-playwright-flake`" in markdown.text
    bundle = bundle_of(ask("preview", *question, "--format", "json"))
    assert bundle == bundle_of(ask("assemble", *question))


def test_a_preview_says_what_it_took_for_granted(example_brain: Path, tmp_path: Path) -> None:
    plain = invoke(tmp_path, "preview", "--brain", example_brain, "--query", "flaky", "--summary")
    assert "note: grant: the whole brain at public and internal" in plain.text
    given = invoke(tmp_path, "preview", "--brain", example_brain, "--local-grant", "--query", "flaky", "--summary")
    assert "note: grant" not in given.text
    (tmp_path / ".kradle").mkdir()
    source = {
        "apiVersion": "kradle.a5c.ai/v1alpha1",
        "kind": "AgentMemorySource",
        "metadata": {"name": "pages"},
        "spec": {"organizationRef": "a5c", "include": {"paths": ["pages/**"]}},
    }
    (tmp_path / ".kradle" / "source.yaml").write_text(yaml.safe_dump(source))
    found = invoke(tmp_path, "preview", "--brain", example_brain, "--query", "browser", "--format", "json")
    assert {source["path"].split("/")[0] for source in bundle_of(found)["spec"]["memory"]["sources"]} == {"pages"}


def test_a_preview_of_an_old_pin_carries_the_banner(ask: Callable[..., Answer]) -> None:
    answer = ask("preview", "--query", "flaky", "--at", "2026-05-08T09:30:00Z", "--summary")
    assert "Memory is pinned to 19aab26" in answer.text
    assert "(6d2h behind main)" in answer.text


def test_nothing_found_is_said_and_is_no_failure(ask: Callable[..., Answer]) -> None:
    query = ask("query", "--query", "zeppelin")
    assert (query.code, query.stdout) == (0, b"")
    assert "nothing in what may be read answers this" in query.talk
    preview = ask("preview", "--query", "zeppelin", "--summary")
    assert "no item" in preview.text


def test_a_query_answers_as_text_or_json(ask: Callable[..., Answer]) -> None:
    text = ask("query", "--query", "flaky playwright")
    assert "== runbook:ci-playwright-flake  runbooks/ci/playwright-flake.md:1-" in text.text
    answer = ask("query", "--query", "flaky playwright", "--format", "json").json
    assert answer["sources"][0]["why"]["grep"]["terms"]
    assert answer["resolvedCommit"]
    assert answer["omitted"]["count"] >= 0


@pytest.mark.parametrize("mode", ["graph-only", "grep-only", "graph-and-grep"])
def test_a_query_knows_every_mode(ask: Callable[..., Answer], mode: str) -> None:
    answer = ask("query", "--query", "flaky", "--repo", "kradle", "--mode", mode, "--format", "json").json
    kinds = {source["kind"] for source in answer["sources"]}
    assert answer["query"]["mode"] == mode
    assert (kinds == {"memory-grep-excerpt"}) is (mode == "grep-only")


def test_a_regular_expression_matches_without_regard_to_case(ask: Callable[..., Answer]) -> None:
    answer = ask("query", "--query", "PLAY[a-z]+GHT", "--regex", "--format", "json").json
    assert "runbook:ci-playwright-flake" in [source.get("id") for source in answer["sources"]]


def test_read_gives_the_text_of_one_document(ask: Callable[..., Answer], example_brain: Path) -> None:
    file = example_brain / "runbooks" / "ci" / "playwright-flake.md"
    by_id, by_path = ask("read", "runbook:ci-playwright-flake"), ask("read", "runbooks/ci/playwright-flake.md")
    assert by_id.stdout == by_path.stdout == file.read_bytes()
    value = ask("read", "runbook:ci-playwright-flake", "--format", "json").json
    assert value["sources"][0]["content"] == file.read_text(encoding="utf-8")
    old = ask("read", "runbook:ci-playwright-flake", "--snapshot", "2026-05-08T000000Z")
    assert old.code == 0
    assert old.stdout != by_id.stdout


def test_read_gives_one_record_of_a_file_of_many(ask: Callable[..., Answer]) -> None:
    (document,) = yaml.safe_load_all(ask("read", "tool:playwright").text)
    assert document["id"] == "tool:playwright"


def test_resolve_says_which_commit_and_how_it_was_found(ask: Callable[..., Answer]) -> None:
    text = ask("resolve")
    assert re.search(r"^resolvedCommit +[0-9a-f]{40}$", text.text, re.MULTILINE)
    value = ask("resolve", "--at", "2026-05-08T09:30:00Z", "--format", "json").json
    assert value["mode"] == "ref-at-time"
    assert value["committedAt"] == "2026-05-06T14:00:00Z"
    assert value["approved"] == "yes"
    assert value["staleBy"] == "6d2h"
    same = ask("resolve", "--ref", value["resolvedCommit"][:10], "--format", "json").json
    assert same["resolvedCommit"] == value["resolvedCommit"]


def test_an_unmerged_review_was_not_memory_on_that_day(ask: Callable[..., Answer]) -> None:
    value = ask("resolve", "--at", "2026-04-26T00:00:00Z", "--format", "json").json
    assert value["committedAt"] == "2026-04-22T10:00:00Z"


def test_text_from_the_brain_never_reaches_the_terminal_raw(git: Callable[..., GitBuilder], tmp_path: Path) -> None:
    """Markup of rich, escape sequences and bidi controls are shown, never sent."""
    hostile = "[bold red]carriage[/] \x1b]0;title\x07 \u202egnirts\u202c [/nonsense]\n"
    name = "notes/[red]a.md"
    git("brain").add_commit({name: hostile, "b.md": "---\ntitle: '[link=x]carriage'\n---\n"}, "2026-05-01T00:00:00Z")
    for command in ("preview", "query"):
        for form in ("text", "markdown") if command == "preview" else ("text",):
            answer = invoke(
                tmp_path, command, "--brain", tmp_path / "brain", "--local-grant", "--query", "carriage",
                "--format", form,
            )  # fmt: skip
            assert answer.code == 0
            assert "[bold red]carriage[/]" in answer.text
            assert not set(answer.text) & set("\x1b\x07\u202e\u202c")
            assert "\\u{1b}" in answer.text


def test_arguments_that_are_not_utf_8_do_not_crash(example_brain: Path, tmp_path: Path) -> None:
    for arguments in (["query", "--query", b"flaky \xff"], ["read", b"\xff"], ["assemble", "--query", b"\xff"]):
        done = subprocess.run(
            [*COMMAND, arguments[0], "--brain", str(example_brain), "--local-grant", *arguments[1:]],
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment(),
            timeout=60,
        )
        assert done.returncode == 2
        assert b"is not UTF-8 [USAGE]" in done.stderr


@pytest.mark.parametrize("changes", [{"LC_ALL": "C"}, {"TERM": "dumb", "COLUMNS": "20"}, {"NO_COLOR": "1"}])
def test_a_poor_terminal_crashes_nothing(ask: Callable[..., Answer], changes: dict[str, str]) -> None:
    answer = ask("preview", "--query", "flaky", "--summary", changes=changes)
    assert answer.code == 0
    assert "\x1b" not in answer.text


def test_the_progress_and_the_preview_go_to_a_terminal_only(ask: Callable[..., Answer]) -> None:
    answer = ask("assemble", "--query", "flaky")
    assert "reading the brain" not in answer.talk
    assert "budget" not in answer.talk
    assert json.dumps(answer.talk)
