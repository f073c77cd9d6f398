"""The planning machine. Stages move by the table of specs/run_planning.yaml, through :func:`move` and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ade_generated import errors
from ade_generated.run_rules import PLANNING_MOVES
from ade_runtime.runs.document import ROUNDS, Manifest
from ade_runtime.runs.waivers import settled
from ade_runtime.storage.ids import new_id

SETTLED = {"round_functional": "functional", "round_ui": "ui", "round_extras": "extras"}
"""The round that each stage waits for."""


def planning_of(manifest: Manifest) -> dict[str, Any]:
    found: dict[str, Any] = manifest["leadState"]["planning"]
    return found


def approved(manifest: Manifest) -> bool:
    """Whether the plan was ever approved."""
    return manifest["leadState"]["planApprovedAt"] is not None


def check_open(manifest: Manifest) -> None:
    """Raise ``plan_already_approved`` once the plan was approved: planning is over."""
    if approved(manifest):
        raise errors.PlanAlreadyApproved(run=manifest["runId"])


def move(manifest: Manifest, name: str) -> None:
    """Take one row of the table; raises ``stage_conflict`` where the stage is none of its sources."""
    row, planning = PLANNING_MOVES[name], planning_of(manifest)
    if planning["stage"] not in row.sources:
        raise errors.StageConflict(stage=planning["stage"], needed=" or ".join(row.sources))
    planning["stage"] = row.target


def advance(manifest: Manifest) -> None:
    """Go on past every round that is settled."""
    planning = planning_of(manifest)
    while (kind := SETTLED.get(planning["stage"])) is not None and settled(manifest, kind):
        move(manifest, f"{kind}_settled")


def record_intake(manifest: Manifest, intake: Mapping[str, Any], now: str) -> None:
    """What the lead found in the code. Without anything visible the UI round has nothing to ask, which is noted."""
    check_open(manifest)
    planning = planning_of(manifest)
    if planning["stage"] != "intake":
        raise errors.StageConflict(stage=planning["stage"], needed="intake")
    planning["intake"] = dict(intake)
    if not intake["touchesUiSurface"]:
        planning["autoSkippedRounds"] = ["ui"]
        note(manifest, "service", "Nothing visible changes, so the UI round is left out.", now)
    move(manifest, "intake_recorded")
    advance(manifest)


def check_round(manifest: Manifest, kind: str, cascaded_from: str | None) -> None:
    """Whether a round may be asked now: its turn has come, or it follows one up."""
    check_open(manifest)
    planning = planning_of(manifest)
    stage = planning["stage"]
    if cascaded_from is not None:
        if planning["intake"] is None:
            raise errors.StageConflict(stage=stage, needed="a stage after intake")
        if cascaded_from not in {one["id"] for one in planning["rounds"]}:
            raise errors.RoundNotFound(round=cascaded_from)
        return
    if SETTLED.get(stage) != kind:
        raise errors.StageConflict(stage=stage, needed=f"round_{kind}")


def record_round(
    manifest: Manifest,
    kind: str,
    answer: Sequence[str],
    options: Sequence[str],
    now: str,
    *,
    question: str | None,
    cascaded_from: str | None = None,
) -> str:
    """Keep the user's answer; what is no option is their own text. Raises ``round_unanswered`` for nothing real."""
    check_round(manifest, kind, cascaded_from)
    texts = [one.strip() for one in answer if one.strip()]
    if not texts:
        raise errors.RoundUnanswered(kind=kind)
    free = "\n".join(one for one in texts if one not in options)
    planning = planning_of(manifest)
    identifier = new_id("rnd")
    planning["rounds"].append(
        {
            "id": identifier,
            "kind": kind,
            "questionId": question,
            "selections": [one for one in texts if one in options],
            "freeText": free or None,
            "summary": "\n".join(texts),
            "cascadedFrom": cascaded_from,
            "at": now,
        }
    )
    advance(manifest)
    return identifier


def record_override(
    manifest: Manifest, default: str, reason: str, now: str, *, question: str | None, task: str | None = None
) -> str:
    """Keep what the user let pass, in their words, and go on where that settles a round."""
    check_open(manifest)
    identifier = new_id("ovr")
    manifest["userOverrides"].append(
        {
            "id": identifier,
            "at": now,
            "affectedDefault": default,
            "reason": reason,
            "taskId": task,
            "questionId": question,
        }
    )
    advance(manifest)
    return identifier


def check_light(manifest: Manifest) -> None:
    """Whether the short way may still be offered: after the intake and before any round."""
    check_open(manifest)
    planning = planning_of(manifest)
    if planning["rounds"] or planning["stage"] == "rounds_complete":
        raise errors.RoundsStarted(run=manifest["runId"])
    row = PLANNING_MOVES["light_plan_accepted"]
    if planning["stage"] not in row.sources:
        raise errors.StageConflict(stage=planning["stage"], needed=" or ".join(row.sources))


def accept_light(manifest: Manifest, summary: str, now: str, *, question: str | None) -> None:
    check_light(manifest)
    planning_of(manifest)["lightPlan"] = {"summary": summary, "questionId": question, "at": now}
    move(manifest, "light_plan_accepted")


def expand(manifest: Manifest) -> None:
    """Back from the short way to the rounds; nothing that was found out is lost."""
    check_open(manifest)
    planning = planning_of(manifest)
    if planning["lightPlan"] is None:
        raise errors.StageConflict(stage=planning["stage"], needed="light_plan")
    move(manifest, "expanded")
    planning["lightPlan"] = None
    approval = manifest["planSpec"]["approval"]
    approval["state"], approval["planHash"] = "drafting", None
    advance(manifest)


def rounds_open(manifest: Manifest) -> list[str]:
    """Rounds that are neither answered nor waived nor left out."""
    return [kind for kind in ROUNDS if not settled(manifest, kind)]


def note(manifest: Manifest, by: str, text: str, now: str) -> None:
    """Keep a decision for those who come later."""
    manifest["decisions"].append({"id": new_id("dec"), "at": now, "by": by, "text": text})
