"""Handing an issue on to the CTO, to a run or to a worker, once.

Each step is a call of an action under a request id that follows from the item, made as whoever asked for it: what was done
before a crash is found and not done twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import orjson

from ade_generated import errors
from ade_runtime.contracts import AdeError
from ade_runtime.issues import links
from ade_runtime.linear_sync import store
from ade_runtime.linear_sync.records import Item, Route
from ade_runtime.storage.times import to_ms

if TYPE_CHECKING:
    from ade_runtime.contracts import JsonObject
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services

LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class How:
    """Wishes for a route; what is ``None`` is as usual. ``start`` is whether the worker begins at once."""

    session: str | None = None
    lane: str | None = None
    provider: str | None = None
    model: str | None = None
    start: bool = True


async def route(services: Services, call: Call, item: Item, to: Route, how: How) -> Item:
    """Hand the item on; raises ``linear_item_closed`` where that is done or somebody is at it, and what the steps raise, after
    writing down that it failed."""
    database = services.database
    now = services.clock.now()
    if not await database.write(lambda db: store.claim(db, item.id, now)):
        raise errors.LinearItemClosed(item=item.id, state=item.state)
    try:
        step = {"cto": _to_cto, "run": _to_run, "worker": _to_worker}[to]
        lane, target = await step(services, call, item, how)
    except BaseException as problem:
        told = problem.code if isinstance(problem, AdeError) else "interrupted"
        said = f"{told}: {problem}"[:500]
        failed = {"state": "failed", "attempts": item.attempts + 1, "error": said, "updated_at": to_ms(now)}
        await database.write(lambda db: store.change(db, item.id, **failed))
        raise
    done: dict[str, Any] = {"state": "routed", "route": to, "lane_id": lane, "target": target}
    done |= {"attempts": item.attempts + 1, "error": None, "updated_at": to_ms(now)}
    await database.write(lambda db: store.change(db, item.id, **done))
    return await found(services, call.project.id, item.id)


async def found(services: Services, project: str, identifier: str) -> Item:
    """The item with this id; raises ``linear_item_not_found``."""
    item = await services.database.read(lambda db: store.item(db, project, identifier))
    if item is None:
        raise errors.LinearItemNotFound(item=identifier)
    return item


async def work_off(services: Services, call: Call, limit: int) -> tuple[list[Item], list[Item]]:
    """Hand on what the policy sends somewhere, the oldest first: what was handed on, and what failed."""
    project = call.project.id
    waiting = [
        one
        for one in reversed(await services.database.read(lambda db: store.items(db, project)))
        if one.state in ("waiting", "routing") and one.route in ("cto", "run", "worker")
    ]
    routed, failed = [], []
    for item in waiting[:limit]:
        try:
            routed.append(await route(services, call, item, item.route, How()))
        except errors.LinearItemClosed:
            continue  # somebody else is at it
        except AdeError:
            failed.append(await found(services, project, item.id))
    return routed, failed


async def _to_cto(services: Services, call: Call, item: Item, how: How) -> tuple[str | None, str]:
    session = how.session
    if session is None:
        chats = await services.chats.all(project=call.project.id, everything=False)
        session = next((chat.session for chat in chats if chat.role == "cto" and chat.state != "ended"), None)
    if session is None:
        raise errors.LinearNoCto()
    await _call(services, call, "chat.send", {"session": session, "text": item.prompt}, f"{item.id}-cto")
    return item.lane, session


async def _to_run(services: Services, call: Call, item: Item, how: How) -> tuple[str | None, str]:
    wish = {"title": _named(item), "goal": item.prompt}
    if how.lane is not None:
        wish["lane"] = how.lane
    run = await _call(services, call, "run.create", wish, f"{item.id}-run")
    return item.lane, str(run["id"])


async def _to_worker(services: Services, call: Call, item: Item, how: How) -> tuple[str | None, str]:
    if how.lane is None:
        made = await _call(services, call, "lane.create", {"name": _named(item)}, f"{item.id}-lane")
        lane = str(made["id"])
    else:
        lane = (await services.lanes.find(call.project, how.lane)).id
    project, now = call.project.id, services.clock.now()
    link = links.IssueLink(lane, item.facts.id, item.facts.identifier)
    await services.database.write(lambda db: links.put(db, project, link, now))
    wish: JsonObject = {"lane": lane, "title": _named(item)}
    wish |= {name: value for name in ("provider", "model") if (value := getattr(how, name)) is not None}
    if how.start:
        wish["prompt"] = item.prompt
    chat = await _call(services, call, "chat.create", wish, f"{item.id}-chat")
    session = str(chat["session"])
    if not how.start:
        await _call(services, call, "chat.pause", {"session": session}, f"{item.id}-pause")
        told = {"session": session, "text": item.prompt}
        await _call(services, call, "chat.send", told, f"{item.id}-tell")
    return lane, session


async def _call(
    services: Services, call: Call, action: str, arguments: Mapping[str, Any], request_id: str
) -> JsonObject:
    caller = replace(call.caller, project=call.project.id, lane=None)
    answer = await services.pipeline.call(
        action, dict(arguments), identity=call.identity, caller=caller, request_id=request_id
    )
    document: JsonObject = orjson.loads(answer)
    return document


def _named(item: Item) -> str:
    return f"{item.facts.identifier} {item.facts.title}"[:LONGEST_NAME].rstrip()
