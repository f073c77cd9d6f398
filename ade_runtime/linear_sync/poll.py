"""Asking Linear what has changed, for what no webhook brought."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from ade_runtime.contracts import AdeError
from ade_runtime.linear_sync.records import Facts, facts_of
from ade_runtime.linear_sync.telling import tell
from ade_runtime.storage.times import to_ms

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.contracts import JsonObject
    from ade_runtime.linear_sync.records import Facts
    from ade_runtime.services import Services

PAGE = 50
MOST_PAGES = 10
FIRST_LOOK = timedelta(days=7)
"""How far back the first look goes."""

OVERLAP = timedelta(seconds=30)
"""A change may become visible a little after its time; what is seen again is known by its change."""


@dataclass(frozen=True, slots=True)
class Polled:
    """``seen`` issues had changed, ``fresh`` of the changes were new; ``more`` is whether there are yet others."""

    seen: int
    fresh: int
    more: bool


async def poll(services: Services, project: str) -> Polled:
    """Take in what changed since the last look. Raises what :class:`Issues` raises, and writes down that it failed."""
    from ade_runtime.linear_sync import store

    standing = await services.database.read(lambda db: store.standing(db, project))
    now = services.clock.now()
    since = standing["cursor"] or _text(now - FIRST_LOOK)
    try:
        nodes, more = await _changed_since(services, since)
    except AdeError as problem:
        said = f"{problem.code}: {problem.message}"[:500]
        await services.database.write(lambda db: store.stand(db, project, poll_error=said))
        raise

    def write(db: Connection) -> list[Facts | None]:
        fresh: list[Facts | None] = []
        for issue in nodes:
            change = change_of("Issue", str(issue["id"]), str(issue["updatedAt"]))
            facts = facts_of(issue)
            outcome = store.take(
                db,
                project,
                identifier=f"poll:{change}",
                change=change,
                source="poll",
                kind="Issue",
                action="update",
                facts=facts,
                now=now,
            )
            if outcome is not None:
                fresh.append(facts)
        stamps = [str(issue["updatedAt"]) for issue in nodes]
        cursor = standing["cursor"]
        if stamps:  # what is left over begins where this ends
            cursor = max(stamps) if more else _before(max(stamps))
        store.stand(db, project, polled_at=to_ms(now), poll_error=None, cursor=cursor)
        return fresh

    fresh = await services.database.write(write)
    for facts in filter(None, fresh):
        tell(services, project, "update", facts)
    return Polled(len(nodes), len(fresh), more)


def change_of(kind: str, identifier: str, updated_at: str) -> str:
    """What names a change, whichever way it came in."""
    return f"{kind}:{identifier}:{updated_at}"


async def _changed_since(services: Services, since: str) -> tuple[list[JsonObject], bool]:
    found: list[JsonObject] = []
    cursor: str | None = None
    for _ in range(MOST_PAGES):
        page = await services.issues.changed(since, PAGE, cursor)
        found += page["nodes"]
        if not page["pageInfo"]["hasNextPage"]:
            return found, False
        cursor = page["pageInfo"]["endCursor"]
    return found, True


def _before(stamp: str) -> str:
    return _text(datetime.fromisoformat(stamp.replace("Z", "+00:00")) - OVERLAP)


def _text(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
