"""The phases after planning. What takes a run from one to the next is the table below, and nothing else does; planning is left
by approval alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ade_runtime.runs.checks import outstanding
from ade_runtime.runs.document import PHASES, Manifest
from ade_runtime.runs.planning import note
from ade_runtime.runs.tasks import HELD, settled

NOTHING_TO_VALIDATE = "Nothing is to be validated, so validating is left out."
LEAD_ENDS = "the lead, who ends it when nothing more is to be done"


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseMove:
    """What follows a phase once nothing is lacking in it; ``target`` is ``None`` where the run is over."""

    summary: str
    source: str
    target: str | None


PHASE_MOVES: Mapping[str, PhaseMove] = {
    "developing": PhaseMove(
        summary="Every task of developing is done, or another that took its place is.",
        source="developing",
        target="validating",
    ),
    "validating": PhaseMove(
        summary="So is every task of validating, and each required step has passed, or the user waived validation.",
        source="validating",
        target="wrapup",
    ),
    "wrapup": PhaseMove(
        summary="So is every task of wrapup, or the lead ends it; a run that becomes a pull request has its link.",
        source="wrapup",
        target=None,
    ),
}


def enter(manifest: Manifest, phase: str, *, skipped: str | None = None) -> None:
    """Make a phase the current one; those before it are done, and the one named is skipped."""
    place = PHASES.index(phase)
    manifest["currentPhase"] = phase
    for number, row in enumerate(manifest["phases"]):
        if number < place and row["status"] not in ("done", "skipped"):
            row["status"] = "skipped" if row["id"] == skipped else "done"
        elif number == place:
            row["status"] = "active"


def advance(manifest: Manifest, now: str) -> list[str]:
    """Go on as far as nothing is lacking, and give what has happened in words."""
    told: list[str] = []
    while (move := PHASE_MOVES.get(manifest["currentPhase"])) is not None:
        row = _row(manifest, move.source)
        ended = row["status"] == "done"
        if move.target is None:
            if ended or not lacking(manifest):
                row["status"] = "done"
                told.append("the run is completed")
            break
        if not ended and lacking(manifest):
            break
        empty = move.source == "validating" and _nothing_validated(manifest)
        if empty:
            note(manifest, "service", NOTHING_TO_VALIDATE, now)
        enter(manifest, move.target, skipped=move.source if empty else None)
        told.append(f"{move.target} begins")
    return told


def lacking(manifest: Manifest) -> list[str]:
    """What keeps the current phase from being over, in words; of planning, readiness says it."""
    phase = manifest["currentPhase"]
    found = [f"task {name}" for name in _unsettled(manifest, phase)]
    if not any(one["phaseId"] == phase for one in manifest["tasks"]):
        if phase == "developing":
            found.append("a task to be done")
        elif phase == "wrapup":
            found.append(LEAD_ENDS)
    return found + _needed(manifest, phase)


def end_refused(manifest: Manifest) -> str | None:
    """Why the lead may not end the current phase, although tasks of it may have failed; ``None`` where it may."""
    phase = manifest["currentPhase"]
    if phase == "planning":
        return "planning is left by approval alone"
    within = PHASES[1 : PHASES.index(phase) + 1]
    open_ones = [
        one["id"]
        for one in manifest["tasks"]
        if one["phaseId"] in within and (one["status"] == "pending" or one["status"] in HELD)
    ]
    open_ones = [one for one in open_ones if one not in settled(manifest)]
    needed = [f"task {name}" for name in open_ones] + _needed(manifest, phase)
    return f"it lacks {', '.join(needed)[:300]}" if needed else None


def is_completed(manifest: Manifest) -> bool:
    """Whether the run is over because everything was done."""
    return manifest["currentPhase"] == "wrapup" and _row(manifest, "wrapup")["status"] == "done"


def _needed(manifest: Manifest, phase: str) -> list[str]:
    """What a phase needs besides tasks."""
    if phase == "validating":
        return outstanding(manifest)
    finishing = manifest["finishing"]
    if phase == "wrapup" and finishing is not None and finishing["mode"] == "pr" and not _has_link(manifest):
        return ["an asset pr_link with the pull request"]
    return []


def _unsettled(manifest: Manifest, phase: str) -> list[str]:
    within = PHASES[1 : PHASES.index(phase) + 1]
    over = settled(manifest)
    return [one["id"] for one in manifest["tasks"] if one["phaseId"] in within and one["id"] not in over]


def _nothing_validated(manifest: Manifest) -> bool:
    tasks = any(one["phaseId"] == "validating" for one in manifest["tasks"])
    return not tasks and not manifest["validationStrategy"]["checklist"]


def _has_link(manifest: Manifest) -> bool:
    links = (one["externalRef"] or {} for one in manifest["assets"] if one["kind"] == "pr_link")
    return any(link.get("url") or link.get("prNumber") for link in links)


def _row(manifest: Manifest, phase: str) -> dict[str, str]:
    found: dict[str, str] = next(one for one in manifest["phases"] if one["id"] == phase)
    return found
