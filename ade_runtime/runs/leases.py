"""Until when a claim holds: as long as its lease says, counted anew from each time that its holder was heard of."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from ade_runtime.runs.document import Manifest, instant, moment
from ade_runtime.runs.tasks import HELD


def until(task: Mapping[str, Any], heard: datetime | None) -> datetime | None:
    """When a held task's lease runs out; ``None`` for one that says nothing that could be read, which is over at once.
    ``heard`` is when its holder was last heard of. It is counted from there, so that being alive changes no manifest."""
    end, begun = moment(task["claimLeaseUntil"]), moment(task["claimedAt"])
    if end is None:
        return None
    if heard is None or begun is None or heard <= begun:
        return end
    return max(end, heard + (end - begun))


def is_over(task: Mapping[str, Any], heard: datetime | None, now: datetime) -> bool:
    """Whether anybody may take the task from its holder. One in review waits for others, so its time does not run."""
    if task["status"] == "review":
        return False
    end = until(task, heard)
    return end is None or end <= now


def show_alive(manifest: Manifest, heard: Mapping[str, datetime]) -> Manifest:
    """A manifest that was read to be shown, with what is kept beside it: when agents were last heard of, and until when they
    hold tasks by that."""
    for agent in manifest["agents"]:
        at, known = heard.get(agent["sessionId"]), moment(agent["lastHeartbeatAt"])
        if at is not None and (known is None or known < at):
            agent["lastHeartbeatAt"] = instant(at)
    for task in manifest["tasks"]:
        if task["status"] in HELD:
            end = until(task, heard.get(task["assigneeSessionId"]))
            task["claimLeaseUntil"] = None if end is None else instant(end)
    return manifest
