"""What is added to a program's own system prompt, part by part; the same text for every provider."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ade_runtime.chat.surroundings import chat_skill_roots
from ade_runtime.guidance import guidance
from ade_runtime.lanes.directive import directive
from ade_runtime.memory.context import cut, estimate_tokens
from ade_runtime.skills.section import build as skills_section

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from ade_runtime.chat.records import ChatRecord
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.services import Services

BUDGET = 4000
"""Most tokens of a prompt, estimated from above. An agent pays for them in every session."""

MEMORY_TOKENS = 1200
SKILLS_TOKENS = 700
IDENTITY_TOKENS = 500
NOTES_TOKENS = 500
"""Most tokens of a part; less where the others leave less."""

MODES = ("lead", "worker", "validator")
"""What a chat does in a run, each told of in a text of its own."""

LEAST_ROOM = 100
"""Tokens below which a part says nothing worth its heading."""

NOWHERE = "You work on no lane; make one with create_lane before you change anything."


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """``omitted`` counts what had no room: facts, or skills."""

    name: str
    text: str
    omitted: int = 0

    @property
    def tokens(self) -> int:
        return estimate_tokens(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """``parts`` in the order they are said; none is empty."""

    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        return "\n\n".join(part.text for part in self.parts)

    @property
    def tokens(self) -> int:
        return estimate_tokens(self.text)


async def system_prompt(services: Services, chat: ChatRecord, mode: str | None = None) -> Prompt:
    """What a chat is told. What seldom changes comes first, so that programs which cache a prompt's beginning profit. ``mode``
    is what it would do in a run, of a chat that is yet to be made; else its session says so."""
    lane = await lane_of(services, chat)
    leads = chat.role == "cto"
    parts = [_guidance("cto"), await _identity(services, chat)] if leads else []
    parts += [
        _guidance("system_prompt"),
        _guidance("scheduled_work"),
        await _part_in_run(services, chat, mode),
        Part(name="place", text=NOWHERE if lane is None else directive(lane)),
    ]
    if lane is not None:
        for limit, said in _of_lane(services, lane, leads):
            room = min(limit, _room(parts))
            if room >= LEAST_ROOM:
                parts.append(await said(room))
    return Prompt(parts=tuple(part for part in parts if part.text))


async def _part_in_run(services: Services, chat: ChatRecord, mode: str | None) -> Part:
    """What a lead, worker or validator of a run is told about being one."""
    if chat.session:
        session = await services.sessions.find(chat.session)
        mode = None if session.run is None else session.interaction_mode
    return _guidance(f"run_{mode}") if mode in MODES else Part(name="run", text="")


async def lane_of(services: Services, chat: ChatRecord) -> LaneRecord | None:
    """The lane a chat works in, if it works in one."""
    for project in await services.projects.all():
        if project.id == chat.project and chat.lane is not None:
            return await services.lanes.find(project, chat.lane)
    return None


def _of_lane(
    services: Services, lane: LaneRecord, leads: bool
) -> list[tuple[int, Callable[[int], Awaitable[Part]]]]:
    """What there is to say about a lane, with the most tokens it may take."""

    async def notes(room: int) -> Part:
        found = await services.memory.own_section(lane, room)
        return Part(name="notes", text=found.text.strip(), omitted=found.omitted)

    async def memory(room: int) -> Part:
        found = await services.memory.section(lane, room)
        return Part(name="memory", text=found.text.strip(), omitted=found.omitted)

    said: list[tuple[int, Callable[[int], Awaitable[Part]]]] = [
        (SKILLS_TOKENS, lambda room: _skills(lane, room)),
        (MEMORY_TOKENS, memory),
    ]
    return [*said, (NOTES_TOKENS, notes)] if leads else said


async def _identity(services: Services, chat: ChatRecord) -> Part:
    from ade_runtime.cto import identity

    project = chat.project or ""
    found = await services.database.read(lambda db: identity.read(db, project))
    text = f"Who you are:\n\n{cut(found.text, IDENTITY_TOKENS)}" if found.text else ""
    return Part(name="identity", text=text)


def _room(parts: list[Part]) -> int:
    return max(0, BUDGET - sum(part.tokens + 1 for part in parts))


def _guidance(name: str) -> Part:
    return Part(name="guidance" if name == "system_prompt" else name, text=guidance(name))


async def _skills(lane: LaneRecord, room: int) -> Part:
    home = Path(os.environ.get("HOME") or Path.home())
    roots = await asyncio.to_thread(chat_skill_roots, lane.path, home)
    text, omitted = await asyncio.to_thread(skills_section, roots, room)
    return Part(name="skills", text=text, omitted=omitted)
