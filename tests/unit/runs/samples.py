"""Manifests and plans to start from."""

from __future__ import annotations

import copy
from datetime import UTC, datetime
from typing import Any

from ade_runtime.runs import lineage, planning
from ade_runtime.runs.document import Manifest, new_agent, new_manifest, new_step, new_task
from ade_runtime.runs.phases import enter

AT = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
NOW = "2026-01-31T09:30:00.000Z"
INTAKE: dict[str, Any] = {
    "projectShape": "A web service",
    "testStack": "pytest",
    "inFlightWork": "none seen",
    "ancillarySurfaces": [],
    "docMap": [],
    "ciGates": ["lint"],
    "touchesUiSurface": True,
    "goalSource": None,
}
MODEL = {"provider": "codex", "modelId": "gpt-5", "reasoningEffort": None, "fastMode": False}
STEP = {"id": "tests", "concern": "The tests pass", "prompt": "Run them.", **new_step()}
PLAN = """# Login

## Goal
People can log in with a passkey.

## In scope
Passkeys in the browser.

## Out of scope
Passwords stay as they are.

## Alternatives considered
One-time codes, which are weaker.

## Implementation order
First the store, then the form.

## Agent plan
One worker does it all.

## Validation plan
The tests pass, then a review.

## UI decisions
A single button below the form.

## Coordination
The lead merges after each task.
"""


def fresh() -> Manifest:
    """A run that has just been made."""
    return new_manifest(
        run="run_1",
        lane="lane_1",
        bundle="/b",
        title="Login",
        goal="Passkeys",
        lead="ses_lead",
        at=AT,
        etag="etg_1",
    )


def taken_in(*, ui: bool = True) -> Manifest:
    manifest = fresh()
    planning.record_intake(manifest, INTAKE | {"touchesUiSurface": ui}, NOW)
    return manifest


def answered(manifest: Manifest, *kinds: str) -> Manifest:
    for kind in kinds:
        planning.record_round(manifest, kind, ["Passkeys"], ["Passkeys"], NOW, question="qst_1")
    return manifest


def complete() -> Manifest:
    """A run that lacks nothing but approval."""
    manifest = answered(taken_in(), "functional", "ui", "extras")
    manifest["validationStrategy"]["steps"].append(dict(STEP))
    manifest["modelRouting"]["byRole"]["worker"] = dict(MODEL)
    manifest["finishing"] = {"mode": "worktree", "chosenAt": NOW}
    return manifest


def with_workers() -> Manifest:
    """A run with two workers and a validator; worker a holds T-1, T-2 is open, T-3 is done."""
    manifest = fresh()
    for name, role in (("ses_a", "worker"), ("ses_b", "worker"), ("ses_v", "validator")):
        manifest["agents"].append(new_agent(name, role, name, NOW))
    manifest["validationStrategy"]["steps"].append(dict(STEP))
    for name in ("T-1", "T-2", "T-3"):
        manifest["tasks"].append({"id": name, "title": name, **copy.deepcopy(new_task())})
    held, _, done = manifest["tasks"]
    held |= {"status": "claimed", "assigneeSessionId": "ses_a"}
    held["validationGate"] = {"required": True, "stepIds": ["tests"]}
    done["status"] = "done"
    return manifest


def developing() -> Manifest:
    """An approved run with workers a and b, validator v, tasks T-1 (gated by step tests), T-2, and V-1 of validating."""
    manifest = complete()
    planning.planning_of(manifest)["stage"] = "ready"
    manifest["planSpec"]["approval"] |= {"state": "approved", "planHash": "0" * 64, "decidedAt": NOW}
    manifest["leadState"] |= {"planApprovedAt": NOW, "planApprovedBySessionId": "owner"}
    enter(manifest, "developing")
    for name, role in (("ses_a", "worker"), ("ses_b", "worker"), ("ses_v", "validator")):
        manifest["agents"].append(new_agent(name, role, name, NOW, "pending"))
        lineage.add(manifest, parent="ses_lead", child=name, brief_digest="0" * 64, now=NOW)
    for name, phase in (("T-1", "developing"), ("T-2", "developing"), ("V-1", "validating")):
        manifest["tasks"].append({"id": name, "title": name, **copy.deepcopy(new_task()), "phaseId": phase})
    manifest["tasks"][0]["validationGate"] = {"required": True, "stepIds": ["tests"]}
    return manifest
