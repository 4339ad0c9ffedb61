"""The files of a new brain: complete, filled in, and of one mind with the starter ontology and the schemas."""

from __future__ import annotations

import json
import re
from datetime import date
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from kradle_ctx import __version__
from kradle_ctx.constraints import read_constraints
from kradle_ctx.ontology import ontology_files, read_file, starter_file
from kradle_ctx.resources import access_for, read_resources, request_from
from kradle_ctx.scaffold import scaffold

TODAY = date(2026, 5, 15)

LAYOUT = """\
.gitattributes .github/workflows/memory.yml .gitlab-ci.yml .kradle/memory-repository.yaml .kradle/memory-source.yaml
.pre-commit-config.yaml .vscode/schemas/frontmatter.schema.json .vscode/schemas/graph-record.schema.json
.vscode/settings.json CODEOWNERS README.md decisions/roll-back-first.md evals/roll-back.yaml graph/services.yaml
graph/teams.yaml notes/health-check.md ontology/controlled-vocabulary.yaml ontology/edge-kinds.yaml
ontology/node-kinds.yaml ontology/validation-rules.yaml repositories/shop.md runbooks/roll-back-a-deploy.md
""".split()


def made(organization: str = "acme", name: str = "handbook") -> dict[str, bytes]:
    """A brain of the day."""
    return scaffold(organization, name, TODAY)


def values(files: dict[str, bytes], beginning: str) -> dict[str, Any]:
    """The YAML files of a folder as another reader takes them."""
    return {path: yaml.safe_load(data) for path, data in files.items() if path.startswith(beginning)}


def frontmatter(data: bytes) -> dict[str, Any]:
    """The frontmatter of a page."""
    value: dict[str, Any] = yaml.safe_load(data.decode().split("---\n")[1])
    return value


def test_the_layout_is_whole_and_in_path_order() -> None:
    assert list(made()) == LAYOUT


def test_every_file_is_plain_text_with_unix_lines_and_nothing_left_to_fill_in() -> None:
    for path, data in made().items():
        text = data.decode("ascii")
        assert text.endswith("\n"), path
        assert "\r" not in text, path
        assert not re.search(r"(?<!\$)\{[a-zA-Z]+\}", text), path
        assert max(map(len, text.splitlines())) <= 130 or path.endswith(".json"), path


def test_the_day_stands_in_every_record_and_nowhere_else_is_a_clock() -> None:
    files = made()
    later = scaffold("acme", "handbook", date(2027, 1, 2))
    assert {path for path in files if files[path] != later[path]} == {
        path for path in files if path.startswith(("decisions/", "graph/", "repositories/", "runbooks/"))
    }
    assert all(data.replace(b"2026-05-15T", b"2027-01-02T") == later[path] for path, data in files.items())


def test_the_ontology_says_what_the_starter_ontology_says() -> None:
    starter = yaml.safe_load(starter_file().data or b"")
    files = values(made(), "ontology/")
    assert files["ontology/node-kinds.yaml"] == {"nodeKinds": starter["nodeKinds"]}
    assert files["ontology/edge-kinds.yaml"] == {"edgeKinds": starter["edgeKinds"]}


def test_the_rules_are_read_and_demand_of_no_kind_what_the_starter_ontology_does_not() -> None:
    files = made()
    _, paths = ontology_files(list(files), None)
    constraints = read_constraints([read_file(path, files[path]) for path in paths])
    assert constraints.required == ("id", "title", "updatedAt")
    assert all(set(constraints.required) <= set(kind.required) for kind in constraints.kinds.values())
    assert constraints.transitions is not None
    statuses = set(constraints.vocabulary["status"])
    assert set(constraints.transitions) == statuses == {"draft", "approved", "deprecated", "archived"}
    assert all(statuses.issuperset(following) for following in constraints.transitions.values())
    assert constraints.forbidden_paths == ("**/transcripts/**", "**/secrets/**")
    assert constraints.stale_after_days == 365
    assert constraints.settings == {}


def test_there_is_a_record_of_each_kind_that_a_beginner_needs() -> None:
    files = made()
    graph = [value for path, value in values(files, "graph/").items()]
    pages = [frontmatter(data) for path, data in files.items() if path.endswith(".md") and data.startswith(b"---\n")]
    kinds = sorted([record["nodeKind"] for record in graph] + [page["kind"] for page in pages])
    assert kinds == ["Decision", "Repository", "Runbook", "Service", "Team"]
    assert files["notes/health-check.md"].startswith(b"# ")


def test_every_edge_leads_to_a_record_that_is_there() -> None:
    files = made()
    graph = list(values(files, "graph/").values())
    pages = [frontmatter(data) for data in files.values() if data.startswith(b"---\n")]
    ids = {record["id"] for record in [*graph, *pages]}
    edges = [record.get("edges", {}) for record in graph] + [page["related"] for page in pages]
    targets = [target for stated in edges for listed in stated.values() for target in listed]
    assert len(targets) > 5
    assert set(targets) <= ids


def test_the_golden_query_names_records_that_are_there() -> None:
    files = made()
    (golden,) = values(files, "evals/").values()
    assert set(golden) == {"name", "request", "must", "mustNot", "maxBytes"}
    ids = {frontmatter(data)["id"] for data in files.values() if data.startswith(b"---\n")}
    assert golden["must"]
    assert set(golden["must"]) <= ids


def test_the_resources_grant_the_whole_brain_at_public_and_internal_to_its_organisation_alone() -> None:
    texts = [(path, data.decode()) for path, data in made().items() if path.startswith(".kradle/")]
    resources = read_resources(texts)
    (brain,), (source,) = resources.memory_repositories, resources.memory_sources
    assert (brain.name, brain.organization) == ("handbook", "acme")
    assert (source.organization, source.repository_ref, source.include_paths) == ("acme", "handbook", ("**",))
    assert set(source.sensitivities) == {"public", "internal"}
    (grant,) = access_for(resources, asked("acme")).grants
    assert grant.paths == ("**",)


def asked(organization: str) -> Any:
    """The request of an organisation."""
    return request_from(
        {
            "apiVersion": "kradle.a5c.ai/v1alpha1",
            "kind": "AgentDispatchRun",
            "metadata": {"name": "x"},
            "spec": {"organizationRef": organization, "memory": {"repositoryRef": "handbook"}},
        }
    )


NAMES = st.from_regex(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,20}[A-Za-z0-9])?", fullmatch=True)


@given(NAMES | st.sampled_from(["true", "null", "1.10", "0123", "1e5", "2026-05-15", "no"]), NAMES)
def test_any_name_stays_text_in_the_resources(organization: str, name: str) -> None:
    files = made(organization, name)
    resources = read_resources([(path, data.decode()) for path, data in files.items() if path.startswith(".kradle/")])
    assert (resources.memory_repositories[0].organization, resources.memory_repositories[0].name) == (
        organization,
        name,
    )
    assert resources.memory_sources[0].organization == organization
    assert f"@{organization}/platform\n".encode() in files["CODEOWNERS"]


def test_the_schemas_that_the_editor_settings_name_are_there_and_take_the_examples() -> None:
    files = made()
    settings = json.loads(files[".vscode/settings.json"])
    mapped = {path.removeprefix("./") for path in settings["yaml.schemas"]}
    # VS Code's YAML extension looks into no Markdown file; the other schema is for editors that do.
    assert mapped == {".vscode/schemas/graph-record.schema.json"}
    graph, page = (json.loads(files[f".vscode/schemas/{name}.schema.json"]) for name in ("graph-record", "frontmatter"))
    for record in values(files, "graph/").values():
        assert not list(Draft7Validator(graph).iter_errors(plain(record)))
    for data in files.values():
        if data.startswith(b"---\n"):
            assert not list(Draft7Validator(page).iter_errors(plain(frontmatter(data))))
    (team, *_) = [value for path, value in values(files, "graph/").items() if path.endswith("teams.yaml")]
    assert list(Draft7Validator(graph).iter_errors({**plain(team), "nodeKind": "Tema"}))


def plain(value: Any) -> Any:
    """A value as JSON has it: YAML 1.1 makes an instant of a timestamp."""
    return json.loads(json.dumps(value, default=str))


# What checks it


def test_the_github_workflow_needs_no_more_than_to_read_and_fetches_the_base() -> None:
    workflow = yaml.safe_load(made()[".github/workflows/memory.yml"])
    assert workflow["permissions"] == {"contents": "read"}
    # "on" is true in YAML 1.1.
    assert workflow[True] == {"pull_request": None, "push": {"branches": ["main"]}}
    (job,) = workflow["jobs"].values()
    assert "permissions" not in job
    checkout = job["steps"][0]["with"]
    assert checkout == {"fetch-depth": 0, "persist-credentials": False}
    runs = [step["run"] for step in job["steps"] if "run" in step]
    assert not any("${{" in run for run in runs)
    assert f'"kradle-ctx=={__version__}"' in runs[0]
    assert "--format github" in runs[1]


def test_the_comments_of_the_github_workflow_are_steps_that_parse() -> None:
    text = made()[".github/workflows/memory.yml"].decode()
    lines = text[text.index("      # - name: Report") :].splitlines()
    steps = yaml.safe_load("\n".join(line.replace("# ", "", 1) for line in lines))
    assert [set(step) for step in steps] == [{"name", "if", "run"}, {"uses", "if", "with"}]
    assert f"-o {steps[1]['with']['sarif_file']}" in steps[0]["run"]


def test_the_gitlab_job_gives_a_code_quality_report_and_fails_by_what_it_finds() -> None:
    (job,) = yaml.safe_load(made()[".gitlab-ci.yml"]).values()
    report, decided = job["script"]
    assert job["variables"] == {"GIT_DEPTH": "0"}
    assert f"--output {job['artifacts']['reports']['codequality']}" in report
    assert "--format gitlab" in report
    assert "--fail-on none" in report
    assert "--fail-on" not in decided
    assert job["artifacts"]["when"] == "always"


@pytest.mark.parametrize("path", [".github/workflows/memory.yml", ".gitlab-ci.yml", ".pre-commit-config.yaml"])
def test_what_runs_installs_the_version_that_wrote_it(path: str) -> None:
    assert f"kradle-ctx=={__version__}" in made()[path].decode()


def test_ci_and_grants_are_owned_by_somebody() -> None:
    lines = made()["CODEOWNERS"].decode().splitlines()
    owned = {line.split()[0] for line in lines if line and not line.startswith("#")}
    assert {"*", "/.kradle/", "/ontology/", "/.github/", "/.gitlab-ci.yml", "/CODEOWNERS"} <= owned
