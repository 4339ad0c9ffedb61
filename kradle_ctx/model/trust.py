"""How far an item can be trusted, from Git facts and the form of the record, never from what its text claims."""

from __future__ import annotations

from enum import StrEnum

from kradle_ctx.model.graph import Document

RUN_KINDS = frozenset({"BabysitterRun", "BabysitterSession", "RunJournalEvent", "RunTaskResult", "RunRetrospective"})
"""Kinds of records that an agent run left; an agent wrote their text."""

RUN_FOLDER = "babysitter/"
"""Folder below the brain's root into which runs are imported."""


class Trust(StrEnum):
    """The trust tier of an item, the highest that holds; `agent-run` and `external` stand whatever Git says.

    `signed`: the commit that last changed its file is signed by a key of the memory repository's `signers`. `approved`:
    it stands on the default branch. `unapproved`: it is not known to. `agent-run`: imported from an agent run.
    `external`: recalled from another memory service.
    """

    SIGNED = "signed"
    APPROVED = "approved"
    UNAPPROVED = "unapproved"
    AGENT_RUN = "agent-run"
    EXTERNAL = "external"


def from_agent_run(document: Document) -> bool:
    """Whether a document was imported from an agent run."""
    return document.kind in RUN_KINDS or document.path.startswith(RUN_FOLDER)


def trust_tier(document: Document, *, signed: bool, approved: bool) -> Trust:
    """The tier of a document of the brain."""
    if from_agent_run(document):
        return Trust.AGENT_RUN
    if signed:
        return Trust.SIGNED
    return Trust.APPROVED if approved else Trust.UNAPPROVED
