"""What members of a run say to each other: promised in the outbox with the receipt of the request, in one transaction."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from ade_generated import errors
from ade_runtime.runs import outbox, receipts
from ade_runtime.runs.tasks import agent_of, lead_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.runs.document import Manifest
    from ade_runtime.runs.members import Member
    from ade_runtime.runs.outbox import Delivery, Entry, Kind

Intent = Literal["instruction", "status", "question", "cancel"]
OVER = frozenset({"completed", "failed"})

_KINDS: dict[Intent, Kind] = {
    "instruction": "ping",
    "status": "lead_status",
    "question": "lead_status",
    "cancel": "cancel_interrupt",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a member says. ``to`` is a session of the run, ``None`` for its lead."""

    to: str | None
    intent: Intent
    text: str
    delivery: Delivery
    task: str | None = None


@dataclass(frozen=True, slots=True)
class Sent:
    """The entry that it became, and whether the same request had sent it before."""

    entry: Entry
    request_id: str
    deduped: bool


def check(manifest: Manifest, member: Member, said: Said, action: str) -> str:
    """Whom it goes to. The lead tells its agents; an agent tells its lead how it stands, or asks. Raises
    ``run_agent_not_found``, ``run_agent_over`` and ``policy_denied``."""
    lead = lead_of(manifest)
    target = said.to or lead
    agent = agent_of(manifest, target)
    leads = member.role == "lead"
    if leads and (target == lead or said.intent in ("status", "question")):
        raise _denied(
            member, action, "A lead instructs its agents or cancels them; it does not report to itself."
        )
    if not leads and (target != lead or said.intent not in ("status", "question")):
        reason = "A worker or validator tells its lead how it stands, or asks it."
        raise _denied(member, action, reason)
    if leads and agent["status"] in OVER and said.intent != "cancel":
        raise errors.RunAgentOver(session=target, status=agent["status"])
    return target


def send(
    db: Connection,
    run: str,
    member: Member,
    said: Said,
    target: str,
    request_id: str | None,
    now: datetime,
) -> Sent:
    """Promise it, or give what the same request has promised. The same words once more, without an id, are said once more."""
    kind = _KINDS[said.intent]
    content = [run, member.name, target, kind, said.intent, said.delivery, said.task, said.text]
    digest = receipts.digest_of(content)
    if request_id is None:
        last = receipts.last_attempt(db, run, "message", digest)
        request_id = receipts.default_id(digest, 1 if last is None else last.attempt + 1)
    receipt = receipts.reserve(db, run, "message", request_id, digest, session=None, now=now)
    if receipt.result is not None:
        entry = outbox.get(db, str(receipt.result["id"]))
        if entry is not None:
            return Sent(entry, request_id, True)
    identifier = outbox.enqueue(
        db,
        run,
        kind=kind,
        target=target,
        text=said.text,
        at=now,
        task=said.task,
        sender=member.session,
        delivery=said.delivery,
    )
    receipts.complete(db, receipt, {"id": identifier})
    receipts.end(receipt)
    entry = outbox.get(db, identifier)
    assert entry is not None
    return Sent(entry, request_id, False)


def worded(manifest: Manifest, member: Member, said: Said) -> Said:
    """With who says it and what it is about, for the one who reads it between other things."""
    from dataclasses import replace

    if said.intent == "cancel":
        return said
    who = "The lead" if member.role == "lead" else _name(manifest, member)
    about = "" if said.task is None else f" about task {said.task}"
    verb = {"instruction": "says", "status": "tells how it stands", "question": "asks"}[said.intent]
    return replace(said, text=f"({who} {verb}{about}.)\n\n{said.text}")


def _name(manifest: Manifest, member: Member) -> str:
    agent: dict[str, Any] = agent_of(manifest, str(member.session))
    return f"{agent['displayName']} ({agent['role']} {agent['sessionId']})"


def _denied(member: Member, action: str, reason: str) -> errors.PolicyDenied:
    return errors.PolicyDenied(role=member.role, action=action, reason=reason)
