"""What becomes of an answer, by the kind of its question. Each changes the manifest wholly or raises before it does, except
that a refused plan is noted as refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ade_generated import errors
from ade_runtime.runs import planning, readiness
from ade_runtime.runs.checks import let_pass
from ade_runtime.runs.document import Manifest
from ade_runtime.runs.phases import enter
from ade_runtime.runs.waivers import VALIDATION, round_default, waives_validation

APPROVE = "Approve"
CHANGE = "Request changes"
SKIP = "Skip"
KEEP = "Keep"
SHORT = "Yes, the short way"
LONG = "No, ask me everything"
NO_VALIDATION = "No validation for this run"


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question. ``values`` are by part, ``None`` when it was dismissed; ``by`` is who decided, ``None`` for
    somebody who does not decide for the user; ``plan`` is the SHA-256 of plan.md when the answer was looked at."""

    question: str
    values: Mapping[str, list[str]] | None
    by: str | None
    plan: str

    def of(self, part: str) -> list[str]:
        return list((self.values or {}).get(part, ()))


Outcome = Callable[[Manifest, Answer, Mapping[str, Any], str], None]


def round_answered(manifest: Manifest, answer: Answer, payload: Mapping[str, Any], now: str) -> None:
    if answer.values is None:
        raise errors.RoundCancelled(kind=payload["kind"])
    planning.record_round(
        manifest,
        payload["kind"],
        answer.of("answer"),
        payload["options"],
        now,
        question=answer.question,
        cascaded_from=payload["cascadedFrom"],
    )


def override_answered(manifest: Manifest, answer: Answer, payload: Mapping[str, Any], now: str) -> None:
    """Only what the user wrote or chose; a lead's words waive nothing."""
    words = answer.of("answer")
    reason = "\n".join([*answer.of("reason"), *words]).strip()
    if payload.get("task") is not None:
        if words != [SKIP] or answer.by is None:
            raise errors.OverrideDeclined(what=f"the gate of task {payload['task']}")
        let_pass(manifest, payload["task"], reason, now, question=answer.question)
        return
    if payload["validation"]:
        if not waives_validation("\n".join(words)):
            raise errors.OverrideDeclined(what=VALIDATION)
        planning.record_override(manifest, VALIDATION, "\n".join(words), now, question=answer.question)
        return
    if words != [SKIP]:
        raise errors.OverrideDeclined(what=", ".join(payload["rounds"]))
    for kind in payload["rounds"]:
        planning.record_override(manifest, round_default(kind), reason, now, question=answer.question)


def light_answered(manifest: Manifest, answer: Answer, payload: Mapping[str, Any], now: str) -> None:
    if answer.of("answer") != [SHORT]:
        raise errors.LightPlanDeclined(run=manifest["runId"])
    planning.accept_light(manifest, payload["summary"], now, question=answer.question)


def models_answered(manifest: Manifest, answer: Answer, payload: Mapping[str, Any], now: str) -> None:
    chosen = answer.of("answer")
    for option in payload["options"]:
        if [option["label"]] == chosen:
            manifest["modelRouting"] = dict(option["routing"])
            return
    raise errors.ModelsDeclined(run=manifest["runId"])


def approval_answered(manifest: Manifest, answer: Answer, payload: Mapping[str, Any], now: str) -> None:
    """Approved counts only as the very choice, by somebody who decides for the user, for the very bytes that were shown, and
    with nothing missing. It and nothing else ends planning."""
    words = answer.of("decision")
    approval = manifest["planSpec"]["approval"]
    if payload.get("again"):
        _approved_again(manifest, answer, payload, now)
        return
    approval |= {"state": "changes_requested", "planHash": None, "decidedAt": now, "comment": None}
    if words != [APPROVE] or answer.by is None:
        approval["comment"] = "\n".join(words) or None
        raise errors.PlanRejected(run=manifest["runId"])
    if answer.plan != payload["sha256"]:
        raise errors.PlanChangedAfterReview(reviewed=payload["sha256"], found=answer.plan)
    missing = readiness.lacking(manifest)
    if missing or planning.planning_of(manifest)["stage"] != "ready":
        raise errors.PlanningIncomplete(missing="; ".join(missing) or "stage ready")
    approval |= {"state": "approved", "planHash": answer.plan}
    lead = manifest["leadState"]
    lead["planApprovedAt"], lead["planApprovedBySessionId"] = now, answer.by
    enter(manifest, "developing")


def _approved_again(manifest: Manifest, answer: Answer, payload: Mapping[str, Any], now: str) -> None:
    """An approved plan was changed: what was approved stays that, unless these bytes are, too."""
    approval = manifest["planSpec"]["approval"]
    approval |= {"decidedAt": now, "comment": None}
    if answer.of("decision") != [APPROVE] or answer.by is None:
        approval["comment"] = "\n".join(answer.of("decision")) or None
        raise errors.PlanRejected(run=manifest["runId"])
    if answer.plan != payload["sha256"]:
        raise errors.PlanChangedAfterReview(reviewed=payload["sha256"], found=answer.plan)
    approval["planHash"] = answer.plan
    manifest["leadState"]["planApprovedBySessionId"] = answer.by


OUTCOMES: Mapping[str, Outcome] = {
    "round": round_answered,
    "override": override_answered,
    "light_plan": light_answered,
    "models": models_answered,
    "approval": approval_answered,
}
