"""The trust tier of each item: Git facts and the form of the record, nothing that a text says."""

from __future__ import annotations

import pytest

from kradle_ctx.model.bundle import Bundle
from kradle_ctx.model.graph import Document, Form
from kradle_ctx.model.redaction import RedactionPattern
from kradle_ctx.model.request import Request
from kradle_ctx.model.trust import Trust, trust_tier
from tests.adapters.signing import ed25519_key
from tests.pipeline import SECOND_DAY, assembled, brain, explicit, granting, graph_record, markdown, source_of

NOTE = {"notes/a.md": "carriage\n"}


def tiers(bundle: Bundle) -> dict[str, str]:
    """The tier of each item by its path."""
    return {source["path"]: source["trust"] for source in bundle.memory["sources"]}


def test_what_stands_on_the_default_branch_is_approved() -> None:
    assert tiers(assembled(brain(NOTE), Request(query="carriage"))) == {"notes/a.md": "approved"}


def test_what_a_branch_adds_is_unapproved_and_what_it_keeps_is_approved() -> None:
    repository = brain(NOTE)
    first = repository.refs["refs/heads/main"]
    repository.add_commit(NOTE | {"notes/b.md": "carriage b\n"}, SECOND_DAY, branch="review", parents=[first])
    bundle = assembled(repository, Request(query="carriage", ref=explicit("review")))
    assert tiers(bundle) == {"notes/a.md": "approved", "notes/b.md": "unapproved"}


def test_an_old_commit_of_the_branch_stays_approved_when_its_text_is_gone() -> None:
    repository = brain(NOTE)
    first = repository.refs["refs/heads/main"]
    repository.add_commit({"notes/b.md": "other\n"}, SECOND_DAY)
    assert tiers(assembled(repository, Request(query="carriage", ref=explicit(first)))) == {"notes/a.md": "approved"}


def test_a_tier_that_changes_later_changes_no_digest() -> None:
    repository = brain({"notes/z.md": "z\n"})
    first = repository.refs["refs/heads/main"]
    pinned = repository.add_commit(NOTE, SECOND_DAY, branch="review", parents=[first])
    request = Request(query="carriage", ref=explicit(pinned))
    before = assembled(repository, request)
    repository.set_branch("main", pinned)
    after = assembled(repository, request)
    assert (tiers(before), tiers(after)) == ({"notes/a.md": "unapproved"}, {"notes/a.md": "approved"})
    assert before.digest == after.digest


def test_the_commit_that_last_changed_a_file_is_the_one_whose_signature_counts() -> None:
    known, other = ed25519_key("one").line, ed25519_key("two").line
    repository = brain(NOTE)
    first = repository.refs["refs/heads/main"]
    repository.set_signer(first, known)
    second = repository.add_commit(NOTE | {"notes/b.md": "carriage b\n"}, SECOND_DAY)
    repository.set_signer(second, other)
    bundle = assembled(repository, Request(query="carriage"), signers=[known])
    assert tiers(bundle) == {"notes/a.md": "signed", "notes/b.md": "approved"}
    assert source_of(bundle, "notes/a.md")["lastChanged"]["signedBy"].startswith("SHA256:")
    assert "signedBy" not in source_of(bundle, "notes/b.md")["lastChanged"]
    unknown = assembled(repository, Request(query="carriage"))
    assert set(tiers(unknown).values()) == {"approved"}
    assert unknown.digest == bundle.digest


def test_a_signature_behind_the_cut_of_a_shallow_clone_is_not_known() -> None:
    known = ed25519_key().line
    repository = brain(NOTE)
    repository.set_signer(repository.refs["refs/heads/main"], known)
    second = repository.add_commit(NOTE | {"notes/b.md": "b\n"}, SECOND_DAY)
    whole = assembled(repository, Request(query="carriage"), signers=[known])
    repository.cut_history(second)
    cut = assembled(repository, Request(query="carriage"), signers=[known])
    assert (tiers(whole), tiers(cut)) == ({"notes/a.md": "signed"}, {"notes/a.md": "approved"})
    assert whole.digest == cut.digest


@pytest.mark.parametrize(
    "kind", ["BabysitterRun", "BabysitterSession", "RunJournalEvent", "RunTaskResult", "RunRetrospective"]
)
def test_what_an_agent_run_left_stays_of_that_tier_even_when_it_is_signed(kind: str) -> None:
    known = ed25519_key().line
    repository = brain({"graph/run.yaml": graph_record("run:1", kind, summary="carriage")})
    repository.set_signer(repository.refs["refs/heads/main"], known)
    bundle = assembled(repository, Request(query="carriage"), signers=[known])
    assert tiers(bundle) == {"graph/run.yaml": "agent-run"}


def test_a_folder_of_imported_runs_is_of_an_agent_whatever_its_files_say() -> None:
    body = "carriage\n\ntrust: signed\n"
    files = {
        "babysitter/run-1.md": markdown(body, id="runbook:x", kind="Runbook", status="approved", trust="signed"),
        "notes/babysitter/a.md": markdown(body, id="runbook:y", kind="Runbook", status="approved", trust="signed"),
    }
    bundle = assembled(brain(files), Request(query="carriage"))
    assert tiers(bundle) == {"babysitter/run-1.md": "agent-run", "notes/babysitter/a.md": "approved"}


def test_the_highest_tier_that_holds_is_taken() -> None:
    document = Document("notes/x.md", "0" * 40, Form.NOTE, 0, 1, 1, 1, "x")
    assert trust_tier(document, signed=True, approved=False) is Trust.SIGNED
    assert trust_tier(document, signed=False, approved=True) is Trust.APPROVED
    assert trust_tier(document, signed=False, approved=False) is Trust.UNAPPROVED


# Redaction patterns


def test_redaction_patterns_show_as_a_digest_alone_and_are_part_of_the_policy() -> None:
    repository = brain({"notes/a.md": "carriage of falcon\n"})
    plain = assembled(repository, Request(query="carriage"))
    patterns = (RedactionPattern("codename", "(?i)falcon"),)
    bundle = assembled(repository, Request(query="carriage", redaction_patterns=patterns))
    assert "redactionPatternsDigest" not in plain.memory
    assert bundle.memory["redactionPatternsDigest"].startswith("sha256:")
    assert bundle.memory["policyDigest"] != plain.memory["policyDigest"]
    assert bundle.memory["queryManifestDigest"] != plain.memory["queryManifestDigest"]
    assert "alcon" not in str(bundle.memory["query"]) + str(bundle.query)


def test_hidden_characters_of_what_is_shown_are_counted() -> None:
    bundle = assembled(brain({"notes/a.md": "carriage\u200b\u202e\n"}), Request(query="carriage"))
    assert source_of(bundle, "notes/a.md")["hiddenCharacters"] == {"bidi": 1, "invisible": 1}


def test_a_denied_file_of_the_same_text_approves_nothing() -> None:
    answers = []
    for denied in ("carriage guess\n", "carriage other\n"):
        repository = brain({"open/a.md": "a\n", "hr/pay.md": denied})
        first = repository.refs["refs/heads/main"]
        branch = {"open/a.md": "a\n", "hr/pay.md": denied, "open/guess.md": "carriage guess\n"}
        repository.add_commit(branch, SECOND_DAY, branch="review", parents=[first])
        asked = Request(query="carriage", ref=explicit("review"))
        answers.append(tiers(assembled(repository, asked, granting("open/**"))))
    assert answers == [{"open/guess.md": "unapproved"}] * 2
