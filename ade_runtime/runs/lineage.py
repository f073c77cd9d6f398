"""Who spawned whom, and what came back: one edge for each session that a run's member has started."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from ade_runtime.runs.document import Manifest

LONGEST_SUMMARY = 4000


class EdgeError(ValueError):
    """An edge that does not fit the run's agents."""


def add(manifest: Manifest, *, parent: str, child: str, brief_digest: str, now: str) -> dict[str, Any]:
    """Record that ``parent`` spawned ``child``. Both take part in the run (:class:`EdgeError`); an edge that is there stays as
    it is."""
    agents = {one["sessionId"]: one for one in manifest["agents"]}
    for side in (parent, child):
        if side not in agents:
            raise EdgeError(f"session {side} takes no part in the run")
    if parent == child or agents[child]["role"] == "lead":
        raise EdgeError("a lead is spawned by nobody")
    if agents[parent]["role"] != "lead":
        raise EdgeError("only a lead spawns")
    found = of(manifest, child)
    if found is not None:
        return found
    edge = {
        "parent": parent,
        "child": child,
        "role": agents[child]["role"],
        "tag": agents[child]["tag"],
        "briefDigest": brief_digest,
        "spawnFingerprint": agents[child]["spawnFingerprint"],
        "status": "running",
        "resultSummary": None,
        "startedAt": now,
        "endedAt": None,
    }
    manifest["lineage"].append(edge)
    return edge


def of(manifest: Manifest, child: str) -> dict[str, Any] | None:
    """The edge of a child; ``None`` where it has none."""
    edges: Iterator[dict[str, Any]] = (one for one in manifest["lineage"] if one["child"] == child)
    return next(edges, None)


def close(
    manifest: Manifest, session: str, status: Literal["completed", "failed"], summary: str | None, now: str
) -> bool:
    """A child's work is over; false where it has no edge, or was over before: what came back first stays."""
    edge = of(manifest, session)
    if edge is None or edge["status"] != "running":
        return False
    edge["status"] = status
    edge["resultSummary"] = None if summary is None else summary[:LONGEST_SUMMARY]
    edge["endedAt"] = now
    return True


def reconcile(manifest: Manifest, now: str) -> list[str]:
    """Close the edges of children whose rows are over, and give those children."""
    closed = []
    for agent in manifest["agents"]:
        status = agent["status"]
        if status in ("completed", "failed") and close(manifest, agent["sessionId"], status, None, now):
            closed.append(str(agent["sessionId"]))
    return closed
