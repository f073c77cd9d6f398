"""What is stale in a run: claims whose time is over or whose holder has ended, and agents that have gone silent. It is decided
here; :mod:`sweeper` does it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from ade_runtime.runs import leases, lineage
from ade_runtime.runs.claims import LAPSED
from ade_runtime.runs.document import Manifest, instant, moment
from ade_runtime.runs.heartbeats import Beat
from ade_runtime.runs.tasks import HELD, free, held_by

STALL_AFTER = timedelta(minutes=10)
"""Silence up to this long is no stall."""

WATCHED = frozenset({"pending", "running"})
OPEN = frozenset({"pending", "running", "blocked"})
GONE = "its session has ended"
TAKEN = "the lead took it back"


@dataclass(frozen=True, slots=True)
class Recovered:
    """A task that waits for a claim again."""

    task: str
    holder: str
    reason: str


@dataclass(slots=True)
class Swept:
    """What a sweep has found. ``stalled`` are silent agents to be told of, with since when; ``gone`` agents whose session has
    ended; ``back`` agents that were silent and are heard of again; ``closed`` those whose edges it closed."""

    recovered: list[Recovered] = field(default_factory=list)
    stalled: dict[str, datetime] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)
    back: list[str] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return any((self.recovered, self.stalled, self.gone, self.back, self.closed))


def sweep(
    manifest: Manifest,
    beats: Mapping[str, Beat],
    ended: Collection[str],
    now: datetime,
    *,
    taken: Collection[str] = (),
) -> Swept:
    """Bring a manifest to where it stands now. ``ended`` are sessions that are over, ``taken`` tasks to take back whoever holds
    them. What changes nothing leaves the manifest as it is."""
    found = Swept()
    _recover(manifest, beats, ended, now, taken, found)
    for agent in manifest["agents"]:
        if agent["role"] != "lead":
            _look_at(manifest, agent, beats.get(agent["sessionId"]), ended, now, found)
    found.closed = lineage.reconcile(manifest, instant(now))
    return found


def _recover(
    manifest: Manifest,
    beats: Mapping[str, Beat],
    ended: Collection[str],
    now: datetime,
    taken: Collection[str],
    found: Swept,
) -> None:
    for task in manifest["tasks"]:
        if task["status"] not in HELD:
            continue
        holder = str(task["assigneeSessionId"])
        beat = beats.get(holder)
        if holder in ended:
            reason = GONE
        elif task["id"] in taken:
            reason = TAKEN
        elif leases.is_over(task, None if beat is None else beat.at, now):
            reason = LAPSED
        else:
            continue
        free(task, instant(now), reason)
        found.recovered.append(Recovered(task["id"], holder, reason))
        _let_go(manifest, holder)


def _let_go(manifest: Manifest, holder: str) -> None:
    """The row of a session that has lost a task: it is at another one, or at none."""
    held = next(held_by(manifest, holder), None)
    for agent in manifest["agents"]:
        if agent["sessionId"] == holder:
            agent["currentStepId"] = None if held is None else held["id"]


def _look_at(
    manifest: Manifest,
    agent: dict[str, Any],
    beat: Beat | None,
    ended: Collection[str],
    now: datetime,
    found: Swept,
) -> None:
    session = agent["sessionId"]
    if session in ended and agent["status"] in OPEN:
        agent |= {"status": "failed", "stalled": False, "currentStepId": None}
        lineage.close(manifest, session, "failed", GONE, instant(now))
        found.gone.append(session)
        return
    since = max(_signs(agent, beat), default=None)
    silent = agent["status"] in WATCHED and since is not None and now - since > STALL_AFTER
    if silent and since is not None:
        if not agent["stalled"] or beat is None or beat.told is None or beat.told < since:
            agent["stalled"] = True
            found.stalled[session] = since
    elif agent["stalled"]:
        agent["stalled"] = False
        found.back.append(session)


def _signs(agent: Mapping[str, Any], beat: Beat | None) -> Iterator[datetime]:
    """Every moment at which an agent is known to have lived."""
    for text in (agent["spawnedAt"], agent["lastHeartbeatAt"]):
        at = moment(text)
        if at is not None:
            yield at
    if beat is not None:
        yield beat.at
