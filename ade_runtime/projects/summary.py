"""What is going on in a project, lane by lane."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from ade_runtime.integrations.git.log import read_log
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.lanes.status import GITS, read_statuses
from ade_runtime.lanes.view import commit_line, state_of

if TYPE_CHECKING:
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.lanes.service import LaneService
    from ade_runtime.lanes.status import LaneStatus
    from ade_runtime.projects.registry import Project


async def work_document(service: LaneService, project: Project, commits: int) -> dict[str, Any]:
    """Counts and one entry for each lane that is not archived; the caller adds the project itself."""
    lanes = await service.all(project)
    shown = [lane for lane in lanes if lane.state != "archived"]
    statuses = await read_statuses(project, lanes, shown)
    limit = asyncio.Semaphore(GITS)
    items = await asyncio.gather(
        *(_entry(project, lane, statuses.get(lane.id), commits, limit) for lane in shown)
    )
    return {
        "lanes": len(shown),
        "dirty": sum(status.dirty for status in statuses.values()),
        "conflicted": sum(1 for item in items if item["state"] == "conflicted"),
        "missing": sum(1 for item in items if item["state"] == "missing"),
        "items": items,
        "total": len(items),
        "next": None,
    }


async def _entry(
    project: Project, lane: LaneRecord, status: LaneStatus | None, commits: int, limit: asyncio.Semaphore
) -> dict[str, Any]:
    latest: list[dict[str, Any]] = []
    if status is not None and status.head is not None and commits:
        async with limit:
            git = Repository(project.root, project.git_dir).git
            latest = [commit_line(commit) for commit in await read_log(git, status.head, count=commits)]
    return {
        "lane": lane.name,
        "branch": status.branch if status is not None else lane.live_branch(),
        "state": state_of(lane, status),
        "changed": status.files if status is not None else 0,
        "ahead": status.ahead if status is not None else None,
        "behind": status.behind if status is not None else None,
        "commits": latest,
    }
