"""Selection -> Bundle: pins, digests, and the two records that go beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from kradle_ctx.digest import Digest, canonical_bytes, digest_bytes, digest_text, digest_value
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.access import Access
from kradle_ctx.model.budget import Budget, tokens_of
from kradle_ctx.model.bundle import API_VERSION, Bundle, WarningCode, covered
from kradle_ctx.model.hits import LISTED, Omitted, Selection
from kradle_ctx.model.redaction import RedactionPattern
from kradle_ctx.model.refs import CommitPin, RefMode
from kradle_ctx.model.request import Request
from kradle_ctx.model.timestamps import format_age, format_instant
from kradle_ctx.model.trust import trust_tier
from kradle_ctx.model.versions import TOKENIZER, versions
from kradle_ctx.passages import BlobRedactor
from kradle_ctx.ports import Clock, Repository
from kradle_ctx.records import metadata, query_document, snapshot_document, snapshot_pins, unanswered
from kradle_ctx.redaction import marker
from kradle_ctx.render.prompt import prompt_section, rendered_digest
from kradle_ctx.resources import denied_scopes
from kradle_ctx.sources import source_entry
from kradle_ctx.view import View

BUNDLE_BYTES = 750_000
"""Most bytes of a whole bundle as canonical JSON; the memory section's own limit lies below."""

BRANCH_SHOWN = 60
"""Characters of a branch's name in the banner, for which the budget keeps room."""

WITHOUT_MEMORY = {
    ErrorCode.MEMORY_MODE_FORBIDDEN: "the memory mode forbids reading memory",
    ErrorCode.MEMORY_PERMISSION_DENIED: "no memory source applies to this request",
    ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE: "the memory repository is not available",
}
"""Why a bundle has no memory, in words that are the same on every machine; the error's own may name a place on one."""

SKIPPED_SHOWN = 5
"""Files that the warning on unreadable ones names."""


def emit(
    selection: Selection,
    pin: CommitPin,
    view: View,
    request: Request,
    access: Access,
    budget: Budget,
    *,
    repository: Repository,
    clock: Clock,
    redactor: BlobRedactor,
    signers: Sequence[str] = (),
    validation: Mapping[str, Any] | None = None,
) -> Bundle:
    """Write the bundle, its snapshot and its query record, every digest filled in.

    What the request and the grants say is shown redacted, and the digests are over what is shown.
    """
    denied, patterns = denied_scopes(access, request), request.redaction_patterns
    pin = replace(pin, requested=redactor.name(pin.requested), default_branch=redactor.name(pin.default_branch))
    request, access = redactor.shown(request), redactor.shown(access)
    memory = memory_pins(pin, view, request, access, patterns)
    memory["refResolution"]["resolvedAt"] = format_instant(clock.now())
    if validation is not None:
        memory["validation"] = validation
    memory["sources"] = sources(selection, pin, view, repository, signers)
    memory["omitted"] = omitted_entry(selection.omitted)
    memory["denied"] = [{"pattern": redactor.name(name), "reason": reason} for name, reason in denied]
    if view.skipped:
        listed = view.skipped[:LISTED]
        named = [{"path": redactor.name(entry.place), "reason": redactor.name(entry.reason)} for entry in listed]
        memory["skipped"] = {"count": len(view.skipped), "items": named}
    memory["warnings"] = warnings(selection, pin, view, redactor)
    memory |= content_digests(memory)
    section = len(prompt_section(memory, branch_facts=False).encode())
    memory["limits"] = {
        "maxMemoryBytes": budget.max_bytes,
        "maxTokens": budget.max_tokens,
        "usedBytes": section,
        "usedTokens": tokens_of(section),
        "tokenizer": TOKENIZER,
        "truncated": selection.truncated,
    }
    return assembled(memory, pin, request, selection.truncated)


def memory_pins(
    pin: CommitPin, view: View, request: Request, access: Access, patterns: Sequence[RedactionPattern]
) -> dict[str, Any]:
    """The part of `spec.memory` that says which commit, which question and which grants."""
    memory: dict[str, Any] = {"enabled": True, "repositoryRef": request.brain}
    memory |= requested(pin, request)
    memory |= {
        "resolvedCommit": pin.commit.id,
        "refResolution": {
            "mode": pin.mode.value,
            "requested": pin.requested,
            "resolvedCommit": pin.commit.id,
            "committedAt": format_instant(pin.commit.committed_at),
        },
    }
    if pin.historical:
        memory["currentCommitAtDispatch"] = pin.current.id
    if pin.behind is not None:
        memory["staleBy"] = format_age(pin.behind)
    memory |= {"accessCommit": pin.current.id, "versions": versions()}
    memory["query"] = request.to_json()
    memory["grants"] = [grant.to_json() for grant in access.grants]
    memory["queryMode"] = request.query_mode.value
    ontology, policy = view.ontology.digest, policy_pins(access, patterns)
    index = digest_value(
        {
            "rootTree": view.tree,
            "ontologyDigest": ontology,
            "layoutProfile": request.layout_profile,
            "indexer": versions()["indexer"],
        }
    )
    manifest = {"query": memory["query"], "resolvedCommit": pin.commit.id, "indexDigest": index}
    manifest |= {"policyDigest": policy["policyDigest"], "versions": versions()}
    memory["queryManifestDigest"] = digest_value(manifest)
    return memory | policy | {"ontologyDigest": ontology, "indexDigest": index}


def requested(pin: CommitPin, request: Request) -> dict[str, str]:
    """What was asked for, under the name that its mode has in the request."""
    field = {RefMode.AT_TIME: "requestedRefAt", RefMode.SNAPSHOT_TAG: "requestedSnapshotTag"}.get(pin.mode)
    return {field or "requestedRef": pin.requested}


def policy_pins(access: Access, patterns: Sequence[RedactionPattern]) -> dict[str, Digest]:
    """`policyDigest`, and `redactionPatternsDigest` where there are patterns.

    The policy is the grants in normal form, whether only public items may pass, and what is hidden beside the built-in
    rules. A pattern can name what it hides, so it shows in no other form.
    """
    policy: dict[str, Any] = {
        "grants": [grant.to_json() for grant in access.grants],
        "publicDispatch": access.public_dispatch,
    }
    if not patterns:
        return {"policyDigest": digest_value(policy)}
    added = digest_value([pattern.to_json() for pattern in patterns])
    return {
        "policyDigest": digest_value(policy | {"redactionPatternsDigest": added}),
        "redactionPatternsDigest": added,
    }


def sources(
    selection: Selection, pin: CommitPin, view: View, repository: Repository, signers: Sequence[str]
) -> list[dict[str, Any]]:
    """The entries of the selected items, each with its trust tier and, where history tells, its last change.

    A signature counts when it is that of the commit that last changed the file, by one of the `signers`.
    """
    prefix = f"{view.root}/" if view.root else ""
    paths = sorted({prefix + item.document.path for item in selection.items})
    changed = repository.last_changed(pin.commit.id, paths)
    commits = {commit.id for commit in changed.values()} if signers else set()
    signed = {commit: signer for commit in sorted(commits) if (signer := repository.signer(commit, signers))}
    entries = []
    for item in selection.items:
        entry = source_entry(item)
        commit = changed.get(prefix + item.document.path)
        if commit is not None:
            entry["lastChanged"] = {"commit": commit.id, "at": format_instant(commit.committed_at)}
            if commit.id in signed:
                entry["lastChanged"]["signedBy"] = signed[commit.id]
        approved = bool(pin.approved) or view.stands_today(item.document)
        is_signed = commit is not None and commit.id in signed
        entry["trust"] = trust_tier(item.document, signed=is_signed, approved=approved).value
        entries.append(entry)
    return entries


def omitted_entry(omitted: Iterable[Omitted]) -> dict[str, Any]:
    """What was left out: how many, how much, why, and the first ones by name."""
    entries = list(omitted)
    return {
        "count": len(entries),
        "bytes": sum(entry.bytes for entry in entries),
        "reasons": dict(sorted(Counter(entry.reason for entry in entries).items())),
        "items": [{"id": entry.item, "reason": entry.reason} for entry in entries[:LISTED]],
    }


def warnings(selection: Selection, pin: CommitPin, view: View, redactor: BlobRedactor) -> list[dict[str, str]]:
    """Everything the reader should know, with a stable code each; a fault may name a key of a file."""
    said: list[tuple[WarningCode, str]] = [(WarningCode.REF, warning) for warning in pin.warnings]
    if view.ontology.origin == "starter":
        said.append((WarningCode.STARTER_ONTOLOGY, "the brain has no ontology at this commit; the starter one is used"))
    said += [
        (WarningCode.ONTOLOGY_FAULT, f"does not parse: {fault.partition(':')[0]}") for fault in view.ontology.faults
    ]
    said += [(WarningCode.RETRIEVAL, warning) for warning in selection.warnings]
    if view.skipped:
        named = ", ".join(f"{entry.place} ({entry.reason})" for entry in view.skipped[:SKIPPED_SHOWN])
        more = ", ..." if len(view.skipped) > SKIPPED_SHOWN else ""
        said.append((WarningCode.SKIPPED, f"not read as written: {named}{more}; {len(view.skipped)} in all"))
    if pin.historical:
        said.append((WarningCode.STALE, stale_banner(pin)))
    # What an unmerged branch adds was never there.
    gone = sum(view.gone_today(item.document) for item in selection.items) if pin.approved else 0
    if gone:
        said.append((WarningCode.GONE_TODAY, f"no longer in the brain today: {gone} of the items"))
    return [{"code": code.value, "message": redactor.name(message)} for code, message in said]


def stale_banner(pin: CommitPin) -> str:
    """Which commit the memory is from, and how far behind the default branch that is."""
    branch = pin.default_branch[:BRANCH_SHOWN]
    age = f"{format_age(pin.behind)} behind" if pin.behind is not None else "not the tip of"
    date = format_instant(pin.commit.committed_at)[:10]
    return f"Memory is pinned to {pin.commit.id} from {date} ({age} {branch})."


def content_digests(memory: Mapping[str, Any]) -> dict[str, Any]:
    """Digests of what was selected, and the snapshot's name, which follows from all pins together."""
    fields = ("kind", "id", "path", "lineStart", "lineEnd", "blob", "digest")
    chosen = [{name: source[name] for name in fields if name in source} for source in memory["sources"]]
    records = [source for source in chosen if source["kind"] != "memory-grep-excerpt"]
    excerpts = [source for source in chosen if source["kind"] == "memory-grep-excerpt"]
    digests = {"selectedRecordsDigest": digest_value(records), "selectedExcerptsDigest": digest_value(excerpts)}
    name = digest_value(snapshot_pins({**memory, **digests}))
    return digests | {"snapshotRef": f"ams-{name.hex[:12]}"}


def without_memory(request: Request, access: Access, reason: KradleError, *, redactor: BlobRedactor) -> Bundle:
    """The bundle of a run that goes on without memory, with the reason as a warning."""
    denied, patterns = denied_scopes(access, request), request.redaction_patterns
    if reason.code is ErrorCode.MEMORY_PERMISSION_DENIED:
        denied = denied or (("**", "not-granted"),)
    request, access = redactor.shown(request), redactor.shown(access)
    message = f"{reason.code}: {WITHOUT_MEMORY[reason.code]}"
    memory: dict[str, Any] = {
        "enabled": reason.code is not ErrorCode.MEMORY_MODE_FORBIDDEN,
        "repositoryRef": request.brain,
        "versions": versions(),
        "query": request.to_json(),
        "grants": [grant.to_json() for grant in access.grants],
        "queryMode": request.query_mode.value,
        **policy_pins(access, patterns),
        "sources": [],
        "omitted": omitted_entry(()),
        "denied": [{"pattern": redactor.name(name), "reason": kind} for name, kind in denied],
        "warnings": [{"code": WarningCode.MEMORY_UNAVAILABLE.value, "message": message}],
    }
    document = bundle_document(memory, request, digest_text(""), truncated=False)
    granted = reason.code is not ErrorCode.MEMORY_PERMISSION_DENIED
    stated = [
        condition("AccessReviewed", granted, "GrantsApplied" if granted else "NoGrantApplies"),
        condition("Ready", True, "MemoryNotAvailable"),
    ]
    finished = finish(document, request, stated)
    return Bundle(finished, {}, unanswered(request, reason, redactor.name(reason.message)))


def assembled(memory: dict[str, Any], pin: CommitPin, request: Request, truncated: bool) -> Bundle:
    """Put the documents together around `spec.memory`."""
    organization = request.organization or "local"
    rendered = rendered_digest(memory)
    document = finish(
        bundle_document(memory, request, rendered, truncated=truncated), request, conditions(memory, truncated)
    )
    snapshot = snapshot_document(memory, request, organization, rendered)
    query = query_document(memory, request, organization)
    return Bundle(document, snapshot, query, pin.notes)


def bundle_document(memory: dict[str, Any], request: Request, rendered: Digest, *, truncated: bool) -> dict[str, Any]:
    """The bundle without name and status, which follow from its digest."""
    counts: Counter[str] = Counter()
    for source in memory["sources"]:
        counts.update(source["redactions"])
    spec: dict[str, Any] = {"organizationRef": request.organization or "local"}
    if request.name is not None:
        spec["dispatchRun"] = request.name
    spec |= {
        "sourceRefs": {kind: shortest(values) for kind, values in sorted(request.source_refs.items()) if values},
        "prompt": {"renderedMemoryDigest": rendered},
        "memory": memory,
        "redactions": [
            {"kind": kind, "count": count, "replacement": marker(kind)} for kind, count in sorted(counts.items())
        ],
        "limits": {"maxBytes": BUNDLE_BYTES, "truncated": truncated},
    }
    return {"apiVersion": API_VERSION, "kind": "AgentContextBundle", "metadata": {}, "spec": spec}


def finish(document: dict[str, Any], request: Request, stated: list[dict[str, str]]) -> dict[str, Any]:
    """Add the digest, the name that begins like it, and the conditions."""
    data = canonical_bytes(covered(document))
    size = len(data)
    if size > BUNDLE_BYTES:
        raise KradleError(
            ErrorCode.LIMIT_EXCEEDED,
            f"the bundle would have {size} bytes, more than {BUNDLE_BYTES}",
            "lower --max-bytes, or select fewer documents",
        )
    digest = digest_bytes(data)
    document["metadata"] = metadata(f"acb-{digest.hex[:12]}", request, request.organization or "local")
    document["status"] = {"phase": "Ready", "digest": digest, "conditions": stated}
    return document


def shortest(values: tuple[str, ...]) -> str | list[str]:
    """One value as itself, several as a sorted list."""
    return values[0] if len(values) == 1 else sorted(values)


def conditions(memory: Mapping[str, Any], truncated: bool) -> list[dict[str, str]]:
    """The conditions in their fixed order."""
    codes = {warning["code"] for warning in memory["warnings"]}
    parsed = WarningCode.ONTOLOGY_FAULT.value not in codes
    starter = WarningCode.STARTER_ONTOLOGY.value in codes
    values = (
        ("RefResolved", True, "CommitFound"),
        ("AccessReviewed", True, "GrantsApplied"),
        ("OntologyValid", parsed, "FaultsAllowed" if not parsed else "StarterOntology" if starter else "Parsed"),
        ("SecretsRedacted", True, "RulesApplied"),
        ("WithinLimits", True, "Truncated" if truncated else "AllFit"),
        ("Ready", True, "BundleAssembled"),
    )
    return [condition(*value) for value in values]


def condition(kind: str, holds: bool, reason: str) -> dict[str, str]:
    """One condition, as Kubernetes writes them."""
    return {"type": kind, "status": str(holds), "reason": reason}
