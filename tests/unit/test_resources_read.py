"""Reading resources: what is accepted, and what is refused with file, line and field."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.resources import AppliesTo, Association, MemoryRepository, Updates
from kradle_ctx.resources import read_resources
from kradle_ctx.resources.build import normal_pattern
from kradle_ctx.resources.read import MOST_CHARACTERS

SOURCE = """\
apiVersion: kradle.a5c.ai/v1alpha1
kind: AgentMemorySource
metadata: {name: engineering}
spec:
  organizationRef: a5c
  repositoryRef: org-company-brain
  appliesTo: {repositories: [kradle], teams: []}
  include:
    graphKinds: [Runbook]
    paths: ["runbooks/**", "notes/"]
  exclude:
    paths: ["/incidents/security/**"]
  sensitivities: [public]
  maxContextBytes: 1000
  allowOnPublic: true
  updates: {targetBranch: main, paths: ["notes/**"]}
"""


def document(kind: str, spec: str, name: str = "one", organization: str = "a5c") -> str:
    """A resource as text: `spec` is YAML, indented by two."""
    head = f"apiVersion: kradle.a5c.ai/v1alpha1\nkind: {kind}\nmetadata: {{name: {name}}}\nspec:\n"
    return head + f"  organizationRef: {organization}\n" + textwrap.indent(textwrap.dedent(spec), "  ")


def refusal(text: str, name: str = "ci.yaml") -> str:
    """The message with which a text is refused."""
    with pytest.raises(KradleError) as caught:
        read_resources([(name, text)])
    assert caught.value.code is ErrorCode.RESOURCE_INVALID
    assert caught.value.hint
    return caught.value.message


def test_a_source_keeps_every_field_with_its_patterns_in_normal_form() -> None:
    (source,) = read_resources([("ci.yaml", SOURCE)]).memory_sources
    assert (source.organization, source.name, source.repository_ref) == ("a5c", "engineering", "org-company-brain")
    assert source.applies_to == AppliesTo(repositories=("kradle",), teams=())
    assert source.include_kinds == ("Runbook",)
    assert source.include_paths == ("runbooks/**", "notes/**")
    assert source.exclude_paths == ("incidents/security/**",)
    assert source.sensitivities == ("public",)
    assert (source.max_context_bytes, source.allow_on_public) == (1000, True)
    assert source.updates == Updates("main", ("notes/**",))


def test_the_short_form_of_include_is_a_list_of_paths() -> None:
    text = document("AgentMemorySource", 'include: ["runbooks/**"]\nexclude: ["runbooks/private/**"]')
    (source,) = read_resources([("short.yaml", text)]).memory_sources
    assert (source.include_paths, source.include_kinds) == (("runbooks/**",), None)
    assert (source.exclude_paths, source.exclude_kinds) == (("runbooks/private/**",), ())


def test_a_source_without_include_restricts_nothing_and_so_grants_nothing() -> None:
    (source,) = read_resources([("bare.yaml", document("AgentMemorySource", ""))]).memory_sources
    assert (source.include_paths, source.include_kinds) == (None, None)
    assert source.sensitivities == ("internal", "public")


def test_several_documents_and_null_ones_are_read_from_one_text() -> None:
    text = f"---\n---\n{SOURCE}---\nnull\n---\n{document('AgentStack', 'memorySnapshotRef: 2026-05-08T000000Z')}"
    resources = read_resources([("all.yaml", text), ("empty.yaml", "")])
    assert [source.name for source in resources.memory_sources] == ["engineering"]
    assert [stack.memory_snapshot_ref for stack in resources.stacks] == ["2026-05-08T000000Z"]


def test_a_memory_repository_is_known_by_its_name_and_by_the_git_repository_behind_it() -> None:
    spec = "repositoryRef: {owner: a5c-ai, name: company-brain}\nroot: ./brain/"
    (brain,) = read_resources([("brain.yaml", document("AgentMemoryRepository", spec))]).memory_repositories
    assert brain == MemoryRepository("a5c", "one", repository_ref="a5c-ai/company-brain", root="brain")
    assert brain.known_as == {"one", "a5c/one", "a5c-ai/company-brain"}


def test_an_association_ties_a_record_to_a_target() -> None:
    spec = "memoryRef: {id: 'runbook:x'}\ntargetRef: {kind: Repository, name: kradle}\nrelationship: applies_to_repo"
    (association,) = read_resources([("a.yaml", document("AgentMemoryAssociation", spec))]).associations
    assert association == Association("a5c", "one", "Repository", "kradle", "applies_to_repo", memory_id="runbook:x")


def test_an_ontology_resource_keeps_its_vocabulary() -> None:
    spec = "ontologyPath: schema\nrequiredFields: [id]\nedgeKinds: [mentions]\nvocabulary: {status: [draft, approved]}"
    (ontology,) = read_resources([("o.yaml", document("AgentMemoryOntology", spec))]).ontologies
    assert (ontology.ontology_path, ontology.required_fields, ontology.edge_kinds) == ("schema", ("id",), ("mentions",))
    assert ontology.vocabulary == {"status": ("draft", "approved")}


def test_a_stack_has_the_labels_of_its_metadata_and_of_its_spec_and_may_hold_foreign_fields() -> None:
    text = document("AgentStack", "labels: [nightly]\nmodel: large\nmemoryRepositoryRefs: [brain]")
    text = text.replace("{name: one}", "{name: one, labels: {purpose: ci}}")
    (stack,) = read_resources([("s.yaml", text)]).stacks
    assert set(stack.labels) == {"purpose=ci", "nightly"}
    assert stack.memory_repository_refs == ("brain",)


@pytest.mark.parametrize("foreign", ["", "9", "[a]", "{a: b}", "[{pattern: '('}]"])
def test_a_foreign_field_of_a_stack_may_have_the_name_of_a_field_of_others(foreign: str) -> None:
    (stack,) = read_resources([("s.yaml", document("AgentStack", f"redactionPatterns: {foreign}"))]).stacks
    assert stack.name == "one"


def test_tools_may_be_granted_by_either_spelling_of_their_name_or_by_the_word() -> None:
    spec = "tools: [memory.graph.search, memory_record_read, grep, query]\nallowRefresh: true"
    (grant,) = read_resources([("t.yaml", document("AgentToolGrant", spec))]).tool_grants
    assert (grant.tools, grant.allow_refresh) == (("query", "read", "grep"), True)


def test_a_fault_deep_in_a_document_is_told_with_line_and_field() -> None:
    text = SOURCE.replace(
        'paths: ["runbooks/**", "notes/"]', 'paths:\n      - "runbooks/**"\n      - notes/**\n      - [x]'
    )
    assert refusal("# one\n---\n" + text) == "ci.yaml:15: spec.include.paths[2]: must be text"


def test_an_unknown_field_is_told_on_its_own_line_with_the_field_it_resembles() -> None:
    text = SOURCE.replace("  sensitivities: [public]", "  sensitivites: [public]")
    assert refusal(text) == "ci.yaml:13: spec: unknown field sensitivites; did you mean sensitivities?"


@pytest.mark.parametrize("first", ["# a\x85b: c", "a: &x 1\nb: &x 2", "# a\u2028- b"])
def test_a_fault_in_what_yaml_1_1_reads_otherwise_is_told_with_the_document_s_line(first: str) -> None:
    assert refusal(f"---\n{first}\nkind: x\n").startswith("ci.yaml:2: apiVersion: must be")


def test_further_faults_are_counted() -> None:
    text = SOURCE.replace("maxContextBytes: 1000", "maxContextBytes: -1").replace(
        "allowOnPublic: true", "allowOnPublic: 1"
    )
    message = refusal(text)
    assert message.startswith("ci.yaml:")
    assert message.endswith(" (and 1 more)")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("maxContextBytes: 1.5", "spec.maxContextBytes: must be a whole number"),
        ("maxContextBytes: -1", "spec.maxContextBytes: must be at least 0"),
        ("sensitivities: [secret]", "must be one of public, internal, restricted, secret-metadata"),
        ("defaultQueryMode: fuzzy", "must be one of graph-only, grep-only, graph-and-grep, document-read"),
        ("include:", "spec.include: must be a mapping or a list, and is empty"),
        (
            'include: ["a/../../b"]',
            "spec.include[0]: must be a path pattern relative to the brain's root, without '..'",
        ),
        ('repositoryRef: "*"', "spec.repositoryRef: must be a name, or owner/name, without spaces, wildcards"),
        ("updates: {targetBranch: ''}", "spec.updates.targetBranch: must not be empty"),
        ("exclude: {kinds: [Runbook]}", "spec.exclude: unknown field kinds; known are graphKinds, paths"),
    ],
)
def test_a_field_that_does_not_fit_is_refused_with_what_it_must_be(spec: str, message: str) -> None:
    assert message in refusal(document("AgentMemorySource", spec))


def test_a_missing_field_is_named() -> None:
    text = document("AgentMemoryAssociation", "memoryRef: {id: x}\ntargetRef: {kind: Repository, name: kradle}")
    assert refusal(text) == "ci.yaml:4: spec: the field relationship is missing"


def test_an_unknown_kind_and_an_unknown_version_are_refused_with_the_known_ones() -> None:
    assert "AgentMemorySource, AgentMemoryAssociation" in refusal(SOURCE.replace("AgentMemorySource", "Secret"))
    message = refusal(SOURCE.replace("v1alpha1", "v9"))
    assert message == "ci.yaml:1: apiVersion: must be kradle.a5c.ai/v1alpha1"


@pytest.mark.parametrize("text", ["- a\n- b\n", "just words\n", "42\n", "kind: {}\n"])
def test_what_is_no_resource_at_all_is_refused(text: str) -> None:
    assert refusal(text).startswith("ci.yaml:1: ")


def test_broken_yaml_is_refused_with_its_line() -> None:
    assert refusal(SOURCE + "  exclude: {}\n").startswith("ci.yaml:17: duplicate key")


def test_a_resource_given_twice_is_refused_naming_both_places() -> None:
    with pytest.raises(KradleError) as caught:
        read_resources([("a.yaml", SOURCE), ("b.yaml", f"# two\n---\n{SOURCE}")])
    assert caught.value.message == "b.yaml:3: AgentMemorySource engineering is given twice, first at a.yaml:1"


def test_the_same_name_in_another_organisation_is_no_repetition() -> None:
    resources = read_resources([("a.yaml", SOURCE), ("b.yaml", SOURCE.replace("a5c\n", "globex\n"))])
    assert [source.organization for source in resources.memory_sources] == ["a5c", "globex"]
    assert resources.organizations == {"a5c", "globex"}


def test_a_text_of_resources_has_a_longest_length() -> None:
    assert "longer than" in refusal("#" * (MOST_CHARACTERS + 1))


def test_the_name_of_a_text_is_shown_whole_and_without_control_characters() -> None:
    """A cut could leave a part of a secret that redaction does not know."""
    message = refusal("- a", name="evil\x1b[2J\u202e.yaml" + "x" * 500)
    assert message.isprintable()
    assert "x" * 500 in message


@given(canary=st.from_regex(r"[a-z0-9_]{24,80}", fullmatch=True), place=st.sampled_from(range(9)))
def test_no_message_holds_a_value(canary: str, place: int) -> None:
    wrong = (
        ("kind: AgentMemorySource", f"kind: {canary}0"),
        ("v1alpha1", canary),
        ("name: engineering", f"name: [{canary}]"),
        ("  maxContextBytes: 1000", f"  maxContextBytes: x{canary}"),
        ("  maxContextBytes: 1000", f"  _{canary}: 1000"),
        ("[public]", f"[{canary}]"),
        ("repositories: [kradle]", f'repositories: ["{canary} *"]'),
        ("targetBranch: main", f"targetBranch: {{_{canary}: 1}}"),
        ("organizationRef: a5c", f"organizationRef: -{canary}-"),
    )
    assert canary not in refusal(SOURCE.replace(*wrong[place]))


@given(st.lists(st.sampled_from(["a", "b.md", ".", "", "**", "*"]), max_size=6))
def test_a_pattern_in_normal_form_has_no_empty_steps_and_stays_so(steps: list[str]) -> None:
    normal = normal_pattern("/".join(steps) or "/")
    assert not {"", ".", ".."} & set(normal.split("/"))
    assert normal_pattern(normal) == normal


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("/incidents/**", "incidents/**"),
        ("./notes/*.md", "notes/*.md"),
        ("notes/", "notes/**"),
        ("a//b", "a/b"),
        (".", "**"),
        ("/", "**"),
        ("notes/[draft].md", "notes/[draft].md"),
    ],
)
def test_patterns_have_one_normal_form(written: str, normal: str) -> None:
    assert normal_pattern(written) == normal


def test_a_list_that_is_too_long_is_refused_without_a_look_at_its_entries() -> None:
    message = refusal(document("AgentMemorySource", f"include: [{', '.join(['1'] * 1001)}]"))
    assert message == "ci.yaml:6: spec.include: has more than 1000 entries"


def test_no_validator_is_imported_before_there_is_something_to_validate() -> None:
    program = (
        "import sys; from kradle_ctx.resources import read_resources; "
        "read_resources([('none.yaml', '---')]); print('jsonschema' in sys.modules)"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "False"
