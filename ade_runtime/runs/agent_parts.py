"""What an agent of a run is made of: its session, its chat, its row with its edge, and its brief."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ade_generated.models.types import RunSpawned
from ade_runtime.runs import briefs, budgets, lineage
from ade_runtime.runs.document import new_agent
from ade_runtime.runs.wanted import check, first_line
from ade_runtime.sessions import tokens
from ade_runtime.sessions.records import SessionRecord

if TYPE_CHECKING:
    from datetime import datetime

    from ade_runtime.chat.records import ChatRecord
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.pipeline.call import Call
    from ade_runtime.runs.document import Manifest
    from ade_runtime.runs.members import Member
    from ade_runtime.runs.receipts import Receipt
    from ade_runtime.runs.store import RunRecord
    from ade_runtime.runs.wanted import Wanted

OWN_MODEL = "default"
"""The model that a program takes where it is told of none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """A start that is under way. ``fingerprint`` is the model as the manifest has it; the receipt names the session to be."""

    call: Call
    record: RunRecord
    member: Member
    wanted: Wanted
    fingerprint: Mapping[str, Any]
    receipt: Receipt


def session_of(start: Start, lane: LaneRecord, now: datetime) -> SessionRecord:
    """The agent's session. Its token is made when its program is started, and goes to nobody else."""
    return SessionRecord(
        id=str(start.receipt.session),
        token_hash=tokens.digest(tokens.mint()),
        role="agent",
        kind="worker",
        provider=start.fingerprint["provider"],
        title=start.wanted.name,
        project=start.record.project,
        lane=lane.id,
        run=start.record.id,
        chat=None,
        parent=start.record.lead,
        interaction_mode=start.wanted.role,
        capability_mode="full_tooling",
        standalone=False,
        started_at=now,
    )


def chat_of(start: Start, session: SessionRecord) -> ChatRecord:
    """The chat of that session, in which nothing was said yet."""
    from ade_runtime.chat.records import ChatRecord

    model = start.fingerprint["modelId"]
    return ChatRecord(
        session=session.id,
        state="idle",
        title=start.wanted.name,
        provider=start.fingerprint["provider"],
        model=None if model == OWN_MODEL else model,
        effort=start.fingerprint["reasoningEffort"],
        permission_mode=start.wanted.permission_mode,
        role=session.role,
        project=session.project,
        lane=session.lane,
        created_at=session.started_at,
        updated_at=session.started_at,
    )


def enter(manifest: Manifest, start: Start, at: str) -> str:
    """Put the agent into the manifest, with the edge from its lead, and give its brief. Raises as ``wanted.check`` does."""
    check(manifest, start.record, start.wanted)
    wanted, session = start.wanted, str(start.receipt.session)
    brief = briefs.written(
        run=start.record.id,
        title=manifest["title"],
        role=wanted.role,
        lead=start.record.lead,
        step=wanted.step,
        brief=wanted.brief,
    )
    row = new_agent(session, wanted.role, wanted.name, at, "pending")
    row |= {"tag": wanted.tag, "goalSummary": first_line(wanted.brief), "currentStepId": wanted.step}
    row |= {"spawnFingerprint": dict(start.fingerprint), "budget": budgets.of(manifest, wanted.budget)}
    manifest["agents"].append(row)
    sent = hashlib.sha256(brief.encode()).hexdigest()
    lineage.add(manifest, parent=start.record.lead, child=session, brief_digest=sent, now=at)
    return brief


def spawned(start: Start, lane: LaneRecord, etag: str) -> RunSpawned:
    """What is told of an agent that was started."""
    return RunSpawned(
        session=str(start.receipt.session),
        role=start.wanted.role,
        name=start.wanted.name,
        lane=lane.id,
        lane_name=lane.name,
        branch=lane.branch,
        path=str(lane.path),
        provider=start.fingerprint["provider"],
        model=start.fingerprint["modelId"],
        routing=start.fingerprint["routingKey"],
        request_id=start.receipt.request_id,
        attempt=start.receipt.attempt,
        deduped=False,
        etag=etag,
    )
