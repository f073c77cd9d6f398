"""Reading and writing what came in and what waits; every function works inside the caller's transaction."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from ade_runtime.linear_sync.policy import NOTHING_SAID, Decision, FlowPolicy, decide, parse
from ade_runtime.linear_sync.records import (
    FINISHED_TYPES,
    OPEN,
    Event,
    Facts,
    Item,
    Outcome,
    Source,
    event_of,
    item_of,
)
from ade_runtime.machine.process import is_running, own_mark
from ade_runtime.storage.ids import new_id
from ade_runtime.storage.schema import linear_events, linear_items, linear_policies, linear_syncs
from ade_runtime.storage.times import to_ms

EVENTS_KEPT = timedelta(days=30)
_E, _I, _P, _S = linear_events.c, linear_items.c, linear_policies.c, linear_syncs.c


def take(
    db: Connection,
    project: str,
    *,
    identifier: str,
    change: str,
    source: Source,
    kind: str,
    action: str,
    facts: Facts | None,
    now: datetime,
) -> Outcome | None:
    """Take in what happened, once: ``None`` where it is known already, by its id or because another way told of it."""
    known = select(_E.id).where(_E.project_id == project, (_E.id == identifier) | (_E.change == change))
    if db.execute(known).first() is not None:
        return None
    outcome, reason = _meant(db, project, action, facts, now)
    db.execute(
        insert(linear_events).values(
            project_id=project,
            id=identifier,
            change=change,
            source=source,
            kind=kind,
            action=action,
            identifier=None if facts is None else facts.identifier,
            outcome=outcome,
            reason=reason,
            received_at=to_ms(now),
        )
    )
    db.execute(
        delete(linear_events).where(_E.project_id == project, _E.received_at < to_ms(now - EVENTS_KEPT))
    )
    return outcome


def _meant(
    db: Connection, project: str, action: str, facts: Facts | None, now: datetime
) -> tuple[Outcome, str]:
    """What an event does to the queue, and why."""
    if facts is None or action == "remove":
        return "ignored", "it is not about an issue that there is"
    item = item_about(db, project, facts.id)
    decision = decide(policy(db, project), facts)
    if item is None:
        if decision.route == "ignore":
            return "ignored", decision.reason
        add(db, project, new_item(facts, decision, now))
        return "queued", decision.reason
    if item.state not in (*OPEN, "over"):
        change(db, item.id, facts=facts.to_json(), updated_at=to_ms(now))
        return "followed", f"its item is {item.state}"
    over = facts.state_type in FINISHED_TYPES or decision.route == "ignore"
    put(db, replace(new_item(facts, decision, now), id=item.id, created_at=item.created_at), over=over)
    return "updated", decision.reason


def new_item(facts: Facts, decision: Decision, now: datetime) -> Item:
    return Item(
        id=new_id("lin"),
        facts=facts,
        state="waiting",
        route=decision.route,
        rule=decision.rule,
        reason=decision.reason,
        prompt=decision.prompt,
        lane=None,
        target=None,
        attempts=0,
        error=None,
        created_at=now,
        updated_at=now,
    )


# -- items


def add(db: Connection, project: str, item: Item) -> None:
    db.execute(insert(linear_items).values(project_id=project, **item.row()))


def put(db: Connection, item: Item, *, over: bool) -> None:
    """Write a waiting item anew; ``over`` where nothing is left to do about its issue."""
    kept = {name: value for name, value in item.row().items() if name not in ("id", "lane_id")}
    db.execute(
        update(linear_items).where(_I.id == item.id).values({**kept, "state": "over" if over else item.state})
    )


def change(db: Connection, identifier: str, **values: Any) -> None:
    db.execute(update(linear_items).where(_I.id == identifier).values(**values))


def item(db: Connection, project: str, identifier: str) -> Item | None:
    row = (
        db.execute(select(linear_items).where(_I.project_id == project, _I.id == identifier))
        .mappings()
        .first()
    )
    return None if row is None else item_of(row)


def item_about(db: Connection, project: str, issue: str) -> Item | None:
    """The item of the issue with this id in Linear."""
    row = (
        db.execute(select(linear_items).where(_I.project_id == project, _I.issue_id == issue))
        .mappings()
        .first()
    )
    return None if row is None else item_of(row)


def items(db: Connection, project: str) -> list[Item]:
    """All of a project, the newest first; of those that came at once, by what people call them."""
    found = [
        item_of(row) for row in db.execute(select(linear_items).where(_I.project_id == project)).mappings()
    ]
    return sorted(found, key=lambda one: (-to_ms(one.created_at), one.facts.identifier))


def claim(db: Connection, identifier: str, now: datetime) -> bool:
    """Whether the item is now this process's to route: nobody else who lives is at it, and it is still open."""
    row = db.execute(select(_I.state, _I.holder).where(_I.id == identifier)).one()
    abandoned = row.state == "routing" and not is_running(row.holder or "")
    if row.state not in OPEN and not abandoned:
        return False
    change(db, identifier, state="routing", holder=own_mark(), updated_at=to_ms(now))
    return True


# -- events


def events(db: Connection, project: str) -> list[Event]:
    """All of a project, the newest first."""
    rows = db.execute(
        select(linear_events).where(_E.project_id == project).order_by(_E.received_at.desc(), _E.id)
    ).mappings()
    return [event_of(row) for row in rows]


def events_about(db: Connection, project: str, identifier: str, limit: int) -> list[Event]:
    query = select(linear_events).where(_E.project_id == project, _E.identifier == identifier)
    rows = db.execute(query.order_by(_E.received_at.desc(), _E.id).limit(limit)).mappings()
    return [event_of(row) for row in rows]


def count_events(db: Connection, project: str) -> int:
    return int(
        db.execute(
            select(func.count()).select_from(linear_events).where(_E.project_id == project)
        ).scalar_one()
    )


# -- policies


def policy(db: Connection, project: str) -> FlowPolicy:
    """The policy that is in force; where none was saved, everything waits for somebody to decide."""
    row = latest_policy(db, project)
    found = None if row is None else parse(row["text"])[0]
    return found or NOTHING_SAID


def latest_policy(db: Connection, project: str) -> dict[str, Any] | None:
    query = select(linear_policies).where(_P.project_id == project).order_by(_P.revision.desc()).limit(1)
    row = db.execute(query).mappings().first()
    return None if row is None else dict(row)


def policy_revision(db: Connection, project: str, revision: int) -> dict[str, Any] | None:
    query = select(linear_policies).where(_P.project_id == project, _P.revision == revision)
    row = db.execute(query).mappings().first()
    return None if row is None else dict(row)


def policy_revisions(db: Connection, project: str, limit: int) -> list[dict[str, Any]]:
    query = select(linear_policies).where(_P.project_id == project).order_by(_P.revision.desc()).limit(limit)
    return [dict(row) for row in db.execute(query).mappings()]


def save_policy(
    db: Connection, project: str, revision: int, text: str, author: str, note: str | None, now: datetime
) -> None:
    """Add a revision, and decide anew about all that waits."""
    db.execute(
        insert(linear_policies).values(
            project_id=project,
            revision=revision,
            text=text,
            author=author,
            note=note,
            created_at=to_ms(now),
        )
    )
    rules = policy(db, project)
    for one in items(db, project):
        if one.state == "waiting":
            decision = decide(rules, one.facts)
            fresh = replace(new_item(one.facts, decision, now), id=one.id, created_at=one.created_at)
            put(db, fresh, over=decision.route == "ignore")


# -- how the connection stands


def standing(db: Connection, project: str) -> dict[str, Any]:
    row = db.execute(select(linear_syncs).where(_S.project_id == project)).mappings().first()
    empty = {column.name: None for column in linear_syncs.columns}
    return dict(row) if row is not None else {**empty, "project_id": project, "taken": 0, "rejected": 0}


def stand(db: Connection, project: str, **values: Any) -> None:
    """Write down how the connection of a project stands."""
    if not db.execute(update(linear_syncs).where(_S.project_id == project).values(**values)).rowcount:
        db.execute(insert(linear_syncs).values({"project_id": project, "taken": 0, "rejected": 0, **values}))
