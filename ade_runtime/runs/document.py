"""The manifest of a run as a JSON document: a new one, the rows a patch adds, and older ones brought up to date."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

Manifest = dict[str, Any]
"""A manifest as JSON has it; its form is ``RunManifest`` of specs/types/run.yaml."""

PHASES = ("planning", "developing", "validating", "wrapup")
ROUNDS = ("functional", "ui", "extras")
VERSION = 1


def instant(moment: datetime) -> str:
    """A moment as the manifest has it."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def moment(text: Any) -> datetime | None:
    """A moment of a manifest; ``None`` where it has none, or one that cannot be read."""
    if not isinstance(text, str):
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo is not None else None


def new_manifest(
    *, run: str, lane: str, bundle: str, title: str, goal: str, lead: str, at: datetime, etag: str
) -> Manifest:
    """A run whose lead has done nothing yet."""
    now = instant(at)
    return {
        "version": VERSION,
        "runId": run,
        "laneId": lane,
        "bundlePath": bundle,
        "etag": etag,
        "serverGeneration": 1,
        "createdAt": now,
        "updatedAt": now,
        "title": title,
        "goalSummary": goal,
        "currentPhase": "planning",
        "phases": [{"id": one, "status": "active" if one == "planning" else "pending"} for one in PHASES],
        "agents": [new_agent(lead, "lead", "Lead", now)],
        "tasks": [],
        "validationStrategy": {"steps": [], "checklist": []},
        "modelRouting": {"default": None, "byRole": {}, "byTag": {}, "byRoleTag": {}},
        "assets": [],
        "decisions": [],
        "userOverrides": [],
        "leadState": _lead_state(),
        "planSpec": {"approval": _approval()},
        "defaultBudget": None,
        "finishing": None,
        "scheduledFollowups": [],
        "lineage": [],
    }


def new_agent(session: str, role: str, name: str, now: str, status: str = "running") -> dict[str, Any]:
    """The row of a session that takes part from ``now`` on."""
    return {
        "sessionId": session,
        "role": role,
        "tag": None,
        "displayName": name,
        "goalSummary": None,
        "status": status,
        "currentStepId": None,
        "cancellationRequested": False,
        "lastHeartbeatAt": None,
        "stalled": False,
        "spawnedAt": now,
        "spawnFingerprint": None,
        "budget": None,
        "usage": None,
    }


def new_task() -> dict[str, Any]:
    """What a task has that its author says nothing of."""
    return {
        "phaseId": "developing",
        "description": None,
        "status": "pending",
        "blockedBy": [],
        "blocks": [],
        "supersedes": None,
        "supersededBy": None,
        "filesHint": [],
        "tag": None,
        "labels": [],
        "priority": None,
        "estimatedComplexity": None,
        "assigneeSessionId": None,
        "claimedAt": None,
        "claimLeaseUntil": None,
        "attempts": [],
        "currentAttemptId": None,
        "evidence": [],
        "validationGate": {"required": False, "stepIds": []},
        "humanOverride": None,
    }


def new_step() -> dict[str, Any]:
    """What a validation step has that its author says nothing of."""
    return {"scope": "per_step", "required": True, "evidenceRequired": False, "appliesToTaskIds": []}


def _lead_state() -> dict[str, Any]:
    return {
        "planApprovedAt": None,
        "planApprovedBySessionId": None,
        "lastSnapshotEtag": None,
        "planning": {
            "stage": "intake",
            "intake": None,
            "rounds": [],
            "autoSkippedRounds": [],
            "lightPlan": None,
            "pendingQuestion": None,
            "lastRefusal": None,
        },
    }


def _approval() -> dict[str, Any]:
    return {
        "state": "drafting",
        "planHash": None,
        "reviewedHash": None,
        "questionId": None,
        "comment": None,
        "decidedAt": None,
    }


def normalise(found: Mapping[str, Any]) -> Manifest:
    """A manifest of today from one that an earlier version has written. The stage of planning is taken as it is."""
    manifest = dict(found)
    template = new_manifest(run="-", lane="-", bundle="-", title="-", goal="-", lead="-", at=_EPOCH, etag="-")
    for key, value in template.items():
        manifest.setdefault(key, value)
    for key in ("receipts", "outbox", "history"):  # these have stores of their own
        manifest.pop(key, None)
    now = str(manifest["updatedAt"])
    manifest["lineage"] = [_LATER | one for one in _rows(manifest["lineage"]) if one.keys() >= _EDGE]
    manifest["decisions"] = [_decision(one, place, now) for place, one in enumerate(manifest["decisions"])]
    manifest["userOverrides"] = [
        _override(one, place, now) for place, one in enumerate(manifest["userOverrides"])
    ]
    manifest["tasks"] = [_task(one) for one in _rows(manifest["tasks"])]
    manifest["leadState"] = _filled(_lead_state(), manifest["leadState"])
    manifest["planSpec"] = {"approval": _approval() | (manifest["planSpec"] or {}).get("approval", {})}
    return manifest


_EPOCH = datetime.fromisoformat("1970-01-01T00:00:00+00:00")
_EDGE = frozenset({"parent", "child", "role", "tag", "briefDigest", "status", "resultSummary"})
_LATER: dict[str, Any] = {"spawnFingerprint": None, "startedAt": None, "endedAt": None}
"""What edges have not always had."""


def _rows(found: Any) -> list[dict[str, Any]]:
    return [dict(one) for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []


def _filled(template: dict[str, Any], found: Mapping[str, Any] | None) -> dict[str, Any]:
    merged = template | dict(found or {})
    merged["planning"] = template["planning"] | dict((found or {}).get("planning") or {})
    return merged


def _task(row: dict[str, Any]) -> dict[str, Any]:
    if "phase" in row:
        row.setdefault("phaseId", row["phase"])
        del row["phase"]
    return new_task() | row


def _decision(one: Any, place: int, now: str) -> Any:
    if isinstance(one, str):
        return {"id": f"decision-{place + 1}", "at": now, "by": "unknown", "text": one}
    return one


def _override(one: Any, place: int, now: str) -> Any:
    if isinstance(one, str):
        row = {"id": f"override-{place + 1}", "at": now, "affectedDefault": "unknown", "reason": one}
        return row | {"taskId": None, "questionId": None}
    return one
