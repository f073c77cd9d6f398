"""A run whose plan is approved, and a program that its agents are run with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import select

from ade_runtime.chat import store as chats
from ade_runtime.chat.records import Message
from ade_runtime.runs import outbox
from ade_runtime.runs.document import Manifest
from ade_runtime.services import Services
from tests.integration.runs.conftest import House
from tests.support import acp_program
from tests.unit.runs.samples import MODEL

GEMINI = MODEL | {"provider": "gemini", "modelId": "flash"}
BRIEF = """## Goal
Store passkeys.
## Context
A web service.
## Scope
The store.
## Constraints
Not the form.
## Done when
The tests pass.
## Report
What was changed.
"""


def install(house: House, folder: Path) -> None:
    """A program that agents of the run are run with."""
    place = acp_program.install(folder, "toolless", "gemini")
    house.monkeypatch.setenv("PATH", f"{place}:/usr/bin:/bin")


async def approve(house: House, *changes: tuple[str, str, dict[str, Any]]) -> None:
    """Bring the run's plan to approval, with further changes made before."""
    await house.complete()
    if changes:
        await house.patch(*changes)
    await house.call("request_plan_approval", wait=0)
    await house.call("approve")

    def routed(manifest: Manifest, now: str) -> None:
        manifest["modelRouting"]["default"] = dict(GEMINI)

    await house.runtime.services.runs.change(house.run, "test", "routed", "gemini", routed)


async def spawn(house: House, **more: Any) -> dict[str, Any]:
    wanted = {"role": "worker", "name": "Store", "brief": BRIEF} | more
    return await house.call("spawn_agent", **wanted)


async def told(services: Services, session: str) -> list[str]:
    """What a chat was told, in order."""
    return [message.text for message in await queued(services, session)]


async def queued(services: Services, session: str) -> list[Message]:
    return await services.database.read(lambda db: chats.queued(db, session))


async def entries(services: Services, run: str, target: str | None = None) -> list[outbox.Entry]:
    return await services.database.read(lambda db: outbox.listed(db, run, target=target))


async def promise(services: Services, run: str, target: str, *texts: str, **more: Any) -> list[str]:
    now = services.sessions.now()
    return await services.database.write(
        lambda db: [
            outbox.enqueue(db, run, kind="ping", target=target, text=text, at=now, **more) for text in texts
        ]
    )


async def count(services: Services, table: str) -> int:
    from ade_runtime.storage import schema

    found = getattr(schema, table)
    return await services.database.read(lambda db: len(db.execute(select(found)).all()))


async def snapshot(house: House) -> dict[str, int]:
    """How much there is of everything that an agent is made of."""
    services = house.runtime.services
    names = ("sessions", "chats", "lanes", "run_outbox", "run_receipts")
    return {name: await count(services, name) for name in names} | {
        "agents": len((await house.manifest())["agents"])
    }
