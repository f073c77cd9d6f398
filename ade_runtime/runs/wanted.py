"""The agent that is asked for, and whether it may be started."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ade_generated import errors
from ade_runtime.runs import briefs, bundle
from ade_runtime.runs.plan_text import digest, sections

if TYPE_CHECKING:
    from ade_runtime.chat.records import PermissionMode
    from ade_runtime.runs.document import Manifest
    from ade_runtime.runs.store import RunRecord

Role = Literal["worker", "validator"]
OVER = frozenset({"completed", "failed"})
MOST_AGENTS = 50
"""Agents of a run that are not over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The agent that is asked for. ``lane`` is one that is there, by its id or name; without it the agent gets a new one on top
    of ``parent``, else of the run's. ``model`` and ``budget`` are as the manifest has them."""

    role: Role
    name: str
    brief: str
    tag: str | None = None
    step: str | None = None
    lane: str | None = None
    parent: str | None = None
    model: Mapping[str, Any] | None = None
    budget: Mapping[str, Any] | None = None
    permission_mode: PermissionMode = "edit"

    def content(self, run: str) -> list[Any]:
        """What makes two requests the same."""
        return [run, self.role, self.tag, self.step, self.brief]


def check(manifest: Manifest, record: RunRecord, wanted: Wanted) -> None:
    """Whether an agent may be started now, by the plan as it is in its file. Raises ``run_over``, ``plan_not_approved``,
    ``plan_drifted``, ``brief_incomplete``, ``task_not_found`` and ``too_many_agents``."""
    run = record.id
    if record.state != "active":
        raise errors.RunOver(run=run)
    approval = manifest["planSpec"]["approval"]
    if manifest["leadState"]["planApprovedAt"] is None or approval["planHash"] is None:
        raise errors.PlanNotApproved(run=run)
    found = digest(bundle.read_plan(Path(manifest["bundlePath"])))
    if found != approval["planHash"]:
        raise errors.PlanDrifted(run=run, approved=approval["planHash"], found=found)
    missing = briefs.missing(wanted.brief)
    if missing:
        raise errors.BriefIncomplete(missing=", ".join(missing), details={"missing": list(missing)})
    named = [one["id"] for one in manifest["tasks"]]
    named += [one["id"] for one in manifest["validationStrategy"]["steps"]]
    if wanted.step is not None and wanted.step not in named:
        raise errors.TaskNotFound(run=run, task=wanted.step)
    count = sum(one["role"] != "lead" and one["status"] not in OVER for one in manifest["agents"])
    if count >= MOST_AGENTS:
        raise errors.TooManyRunAgents(run=run, count=count)


def first_line(text: str) -> str:
    """What a brief is about, on one line."""
    goal = next((body for name, body in sections(text).items() if name in briefs.SECTIONS["goal"]), text)
    return " ".join(goal.split())[:200]
