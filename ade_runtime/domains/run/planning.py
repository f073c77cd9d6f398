"""What the lead does while planning."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_generated.models import run as models
from ade_generated.models.types import Run, RunModelOption, RunStep
from ade_runtime.contracts import AdeError
from ade_runtime.domains.run.shared import RunDomain
from ade_runtime.questions.records import Choice, Part
from ade_runtime.runs import checks, outcomes, plan_text, planning, readiness, steps
from ade_runtime.runs.asking import Asked
from ade_runtime.runs.bundle import plan_text as as_text
from ade_runtime.runs.planning import planning_of

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call
    from ade_runtime.runs.document import Manifest


class Planning(RunDomain):
    async def record_codebase_intake(self, call: Call, args: models.RunRecordCodebaseIntakeInput) -> Run:
        member = await self._leading(call, args.run)
        intake = {
            "projectShape": args.project_shape,
            "testStack": args.test_stack,
            "inFlightWork": args.in_flight_work,
            "ancillarySurfaces": [*(args.ancillary_surfaces or ())],
            "docMap": [*(args.doc_map or ())],
            "ciGates": [*(args.ci_gates or ())],
            "touchesUiSurface": args.touches_ui_surface,
            "goalSource": args.goal_source,
        }
        await self._runs.change(
            args.run,
            member.name,
            "intake",
            "Told what is in the code",
            lambda manifest, now: planning.record_intake(manifest, intake, now),
        )
        return await self._told(call, args.run)

    async def ask_planning_round(self, call: Call, args: models.RunAskPlanningRoundInput) -> Run:
        options = [*(args.options or ())]
        payload = {
            "kind": args.kind,
            "question": args.question,
            "options": options,
            "cascadedFrom": args.cascaded_from,
        }
        part = Part("answer", args.question, tuple(Choice(one) for one in options), args.multiple)
        asked = Asked(
            kind="round",
            payload=payload,
            title=f"Planning, {args.kind}: {args.question}"[:300],
            parts=(part,),
            check=lambda manifest: planning.check_round(manifest, args.kind, args.cascaded_from),
            wait=args.wait,
        )
        return await self._ask(call, args.run, asked)

    async def record_planning_override(self, call: Call, args: models.RunRecordPlanningOverrideInput) -> Run:
        if args.task is not None:
            return await self._ask(call, args.run, _gate_asked(args.task, args.why, args.wait))
        rounds: list[str] = [*(args.rounds or ())]
        payload = {"rounds": rounds, "validation": bool(args.validation), "why": args.why}
        if args.validation:
            text = "May this run do without validation?"
            labels = (outcomes.NO_VALIDATION, "Keep validation")
            parts: tuple[Part, ...] = (Part("answer", text, tuple(Choice(one) for one in labels)),)
        else:
            text = f"May planning leave out {', '.join(rounds)}?"
            labels = (outcomes.SKIP, outcomes.KEEP)
            choices = tuple(Choice(one) for one in labels)
            parts = (Part("answer", text, choices, free=False), Part("reason", "Why?"))
        asked = Asked(
            kind="override",
            payload=payload,
            title=text,
            body=args.why,
            parts=parts,
            check=planning.check_open,
            wait=args.wait,
        )
        return await self._ask(call, args.run, asked)

    async def offer_light_plan(self, call: Call, args: models.RunOfferLightPlanInput) -> Run:
        choices = (Choice(outcomes.SHORT), Choice(outcomes.LONG))
        part = Part("answer", "Shall we plan this the short way?", choices, free=False)
        asked = Asked(
            kind="light_plan",
            payload={"summary": args.summary},
            title="A short plan is enough for this, I think. Is it?",
            body=args.summary,
            parts=(part,),
            check=planning.check_light,
            wait=args.wait,
        )
        return await self._ask(call, args.run, asked)

    async def expand_to_full_plan(self, call: Call, args: models.RunExpandToFullPlanInput) -> Run:
        member = await self._leading(call, args.run)

        def mutate(manifest: Manifest, now: str) -> None:
            pending = planning_of(manifest)["pendingQuestion"]
            if pending is not None:
                raise errors.RunQuestionPending(run=args.run, question=pending["questionId"])
            planning.expand(manifest)

        await self._runs.change(args.run, member.name, "expanded", "Back to the rounds", mutate)
        return await self._told(call, args.run)

    async def choose_finishing_mode(self, call: Call, args: models.RunChooseFinishingModeInput) -> Run:
        member = await self._leading(call, args.run)

        def mutate(manifest: Manifest, now: str) -> None:
            planning.check_open(manifest)
            manifest["finishing"] = {"mode": args.mode, "chosenAt": now}

        await self._runs.change(args.run, member.name, "finishing", f"Ends as {args.mode}", mutate)
        return await self._told(call, args.run)

    async def propose_validation_steps(
        self, call: Call, args: models.RunProposeValidationStepsInput
    ) -> models.RunProposeValidationStepsOutput:
        await self._leading(call, args.run)
        found = [RunStep.from_wire(one) for one in steps.suggestions(await self._runs.manifest(args.run))]
        return models.RunProposeValidationStepsOutput(items=found, total=len(found), next=None)

    async def ask_user_for_model_selection(
        self, call: Call, args: models.RunAskUserForModelSelectionInput
    ) -> Run:
        options = [{"label": one.label, "routing": _routing(one)} for one in args.options]
        labels = [one.label for one in args.options]
        if len(set(labels)) != len(labels):
            raise errors.DuplicatePart(id=next(one for one in labels if labels.count(one) > 1))
        part = Part("answer", "Which models shall do the work?", tuple(map(Choice, labels)), free=False)
        asked = Asked(
            kind="models",
            payload={"options": options},
            title="Which models shall do the work?",
            parts=(part,),
            check=_check_models_open,
            wait=args.wait,
        )
        return await self._ask(call, args.run, asked)

    async def request_plan_approval(self, call: Call, args: models.RunRequestPlanApprovalInput) -> Run:
        await self._leading(call, args.run)
        manifest = await self._runs.manifest(args.run)
        pending = planning_of(manifest)["pendingQuestion"]
        if pending is not None and pending["kind"] == "approval":
            # the plan that was shown is waited on for, whatever stands in the file by now
            shown = Asked(
                kind="approval", payload=pending["payload"], check=planning.check_open, wait=args.wait
            )
            return await self._ask(call, args.run, shown)
        data = await self._runs.plan(manifest)
        found = plan_text.digest(data)
        again = planning.approved(manifest)
        _check_asked(manifest, found)
        text = _checked_plan(manifest, data, Path(manifest["bundlePath"]))

        def check(manifest: Manifest) -> None:
            _check_asked(manifest, found)
            _check_complete(manifest)
            if planning_of(manifest)["stage"] != "ready":
                planning.move(manifest, "ready")

        part = Part("decision", "Do you approve this plan?", _APPROVAL_CHOICES)
        asked = Asked(
            kind="approval",
            payload={"sha256": found, "again": True} if again else {"sha256": found},
            title=f"Approve the plan of {manifest['title']}? (sha256 {found})"[:300],
            body=text,
            parts=(part,),
            check=check,
            wait=args.wait,
        )
        try:
            return await self._ask(call, args.run, asked)
        except AdeError:
            raise
        except Exception as problem:
            await self._runs.change(args.run, "service", "answered", "Could not be asked", _not_asked)
            raise errors.ApprovalPromptFailed(run=args.run) from problem

    async def _ask(self, call: Call, run: str, asked: Asked) -> Run:
        await self._leading(call, run)
        await self._services.run_questions.ask(run, call.identity, asked)
        return await self._told(call, run)


def _gate_asked(task: str, why: str, wait: float) -> Asked:
    """May a task be done although its gate has not passed? That is asked once planning is over, too."""
    text = f"May task {task} be done although its gate has not passed?"
    choices = (Choice(outcomes.SKIP), Choice(outcomes.KEEP))
    return Asked(
        kind="override",
        payload={"rounds": [], "validation": False, "task": task, "why": why},
        title=text[:300],
        body=why,
        parts=(Part("answer", text, choices, free=False), Part("reason", "Why?")),
        check=lambda manifest: checks.check_gated(manifest, task),
        wait=wait,
    )


_APPROVAL_CHOICES = (Choice(outcomes.APPROVE), Choice(outcomes.CHANGE))


def _check_asked(manifest: Manifest, sha256: str) -> None:
    """Whether the plan is to be approved: for the first time, or once more because its file was changed."""
    if manifest["planSpec"]["approval"]["planHash"] == sha256 or not planning.approved(manifest):
        planning.check_open(manifest)


def _check_models_open(manifest: Manifest) -> None:
    planning.check_open(manifest)
    stage = planning_of(manifest)["stage"]
    if stage not in ("rounds_complete", "light_plan", "ready"):
        raise errors.StageConflict(stage=stage, needed="rounds_complete or light_plan")


def _check_complete(manifest: Manifest) -> None:
    missing = readiness.lacking(manifest)
    if missing:
        raise errors.PlanningIncomplete(missing="; ".join(missing), details={"missing": list(missing)})


def _checked_plan(manifest: Manifest, data: bytes, folder: Path) -> str:
    """The plan as text, where nothing is missing in the state or in it. The state is told of first."""
    _check_complete(manifest)
    text = as_text(data, folder)
    missing = plan_text.missing(
        text, light=readiness.is_light(manifest), ui_needed=readiness.ui_needed(manifest)
    )
    if missing:
        raise errors.PlanNotReady(missing=", ".join(missing), details={"missing": list(missing)})
    return text


def _not_asked(manifest: Manifest, now: str) -> None:
    planning_of(manifest)["pendingQuestion"] = None
    if planning.approved(manifest):
        return
    approval = manifest["planSpec"]["approval"]
    approval |= {"state": "changes_requested", "planHash": None, "decidedAt": now}


def _routing(option: RunModelOption) -> dict[str, Any]:
    found = option.to_wire()
    routing: dict[str, Any] = {"default": found.get("default")}
    return routing | {key: found.get(key) or {} for key in ("byRole", "byTag", "byRoleTag")}
