"""What everybody may read of runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ade_generated.models import run as models
from ade_generated.models.types import (
    Run,
    RunHistoryEntry,
    RunListed,
    RunOutside,
    RunPlanningMove,
    RunPolicyRule,
    RunTask,
)
from ade_generated.run_rules import PATCH_RULES, PLANNING_MOVES
from ade_runtime.domains.run.shared import RunDomain
from ade_runtime.paging import cut
from ade_runtime.runs import plan_text, readiness
from ade_runtime.runs.boundary import store as outside
from ade_runtime.runs.bundle import PLAN
from ade_runtime.runs.bundle import plan_text as as_text

if TYPE_CHECKING:
    from datetime import datetime

    from ade_runtime.pipeline.call import Call
    from ade_runtime.runs.document import Manifest

_SECTIONS: Mapping[str, Sequence[str]] = {
    "phases": ("phases",),
    "agents": ("agents",),
    "tasks": ("tasks",),
    "steps": ("validationStrategy", "steps"),
    "checklist": ("validationStrategy", "checklist"),
    "routing": ("modelRouting",),
    "assets": ("assets",),
    "decisions": ("decisions",),
    "overrides": ("userOverrides",),
    "planning": ("leadState", "planning"),
    "approval": ("planSpec", "approval"),
    "finishing": ("finishing",),
    "followups": ("scheduledFollowups",),
    "lineage": ("lineage",),
}
"""Where each section is in the manifest."""


class Reading(RunDomain):
    async def list(self, call: Call, args: models.RunListInput) -> models.RunListOutput:
        found = await self._runs.listed(call.project.id, everything=args.all)
        page, rest = cut(found, args.cursor, args.limit, key=lambda one: one.id)
        items = [
            RunListed(
                id=one.id,
                title=one.title,
                state=one.state,
                phase=one.phase,
                lane=one.lane,
                lead=one.lead,
                created_at=one.created_at,
                updated_at=one.updated_at,
            )
            for one in page
        ]
        return models.RunListOutput(items=items, total=len(found), next=rest)

    async def show(self, call: Call, args: models.RunShowInput) -> Run:
        return await self._told(call, args.run)

    async def section(self, call: Call, args: models.RunSectionInput) -> models.RunSectionOutput:
        await self._find(call, args.run)
        manifest = await self._runs.alive(args.run)
        rows = _rows(manifest, args.section)
        numbered = list(enumerate(rows))
        page, rest = cut(numbered, args.cursor, args.limit, key=lambda one: str(one[0]))
        items = [row for _, row in page]
        return models.RunSectionOutput(etag=manifest["etag"], items=items, total=len(rows), next=rest)

    async def tasks(self, call: Call, args: models.RunTasksInput) -> models.RunTasksOutput:
        await self._find(call, args.run)
        manifest = await self._runs.alive(args.run)
        page, rest = cut(manifest["tasks"], args.cursor, args.limit, key=lambda one: str(one["id"]))
        items = [RunTask.from_wire(one) for one in page]
        return models.RunTasksOutput(
            etag=manifest["etag"], items=items, total=len(manifest["tasks"]), next=rest
        )

    async def policy(self, call: Call, args: models.RunPolicyInput) -> models.RunPolicyOutput:
        rules = [one for one in PATCH_RULES.values() if args.role in (None, one.role)]
        items = [
            RunPolicyRule(
                rule=one.name,
                role=one.role,
                summary=one.summary,
                ops=[*one.ops],
                paths=[*one.paths],
                fields_=[*one.fields],
                guard=one.guard,
                phases=[*one.phases],
            )
            for one in rules
        ]
        moves = [
            RunPlanningMove(move=one.name, summary=one.summary, sources=[*one.sources], target=one.target)
            for one in PLANNING_MOVES.values()
        ]
        return models.RunPolicyOutput(items=items, moves=moves, total=len(items), next=None)

    async def history(self, call: Call, args: models.RunHistoryInput) -> models.RunHistoryOutput:
        await self._find(call, args.run)
        found = await self._runs.history(args.run)
        page, rest = cut(found, args.cursor, args.limit, key=lambda one: str(one.generation))
        items = [
            RunHistoryEntry(
                generation=one.generation,
                at=one.at,
                actor=one.actor,
                kind=one.kind,
                summary=one.summary,
                etag=one.etag,
            )
            for one in page
        ]
        return models.RunHistoryOutput(items=items, total=len(found), next=rest)

    async def outside(self, call: Call, args: models.RunOutsideInput) -> models.RunOutsideOutput:
        await self._find(call, args.run)
        found = await self._services.database.read(lambda db: outside.listed(db, args.run))
        page, rest = cut(found, args.cursor, args.limit, key=lambda one: one[0])
        items = [outside_told(*one) for one in page]
        return models.RunOutsideOutput(items=items, total=len(found), next=rest)

    async def plan(self, call: Call, args: models.RunPlanInput) -> models.RunPlanOutput:
        await self._find(call, args.run)
        manifest = await self._runs.manifest(args.run)
        data = await self._runs.plan(manifest)
        folder = Path(manifest["bundlePath"])
        text, found = as_text(data, folder), plan_text.digest(data)
        approval = manifest["planSpec"]["approval"]
        return models.RunPlanOutput(
            text=text,
            sha256=found,
            notes=as_text(await self._runs.notes(manifest), folder),
            path=str(folder / PLAN),
            missing=plan_text.missing(
                text, light=readiness.is_light(manifest), ui_needed=readiness.ui_needed(manifest)
            ),
            drifted=approval["planHash"] not in (None, found),
        )


def outside_told(identifier: str, at: datetime, finding: outside.Finding) -> RunOutside:
    change = finding.change
    return RunOutside(
        id=identifier,
        session=finding.session,
        agent=finding.agent,
        sole=finding.sole,
        others=[*finding.others],
        kind=change.kind,
        lane=finding.lane_name,
        ref=change.ref,
        paths=[*change.paths],
        more=change.more,
        before=change.before,
        after=change.after,
        text=finding.text,
        at=at,
    )


def _rows(manifest: Manifest, section: str) -> Sequence[dict[str, Any]]:
    """The rows of a section; a section that is one object is one row, one that is not there yet none."""
    found: Any = manifest
    for key in _SECTIONS[section]:
        found = found[key]
    return found if isinstance(found, list) else [] if found is None else [found]
