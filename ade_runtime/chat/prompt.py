"""What is added to a program's own system prompt, part by part; the same text for every provider."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from ade_runtime.chat.surroundings import chat_skill_roots
from ade_runtime.lanes.directive import directive
from ade_runtime.memory.context import estimate_tokens
from ade_runtime.skills.section import build as skills_section

if TYPE_CHECKING:
    from ade_runtime.chat.records import ChatRecord
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.services import Services

BUDGET = 4000
"""Most tokens of a prompt, estimated from above. An agent pays for them in every session."""

MEMORY_TOKENS = 1200
SKILLS_TOKENS = 700
"""Most tokens of a part; less where the others leave less."""

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


async def system_prompt(services: Services, chat: ChatRecord) -> Prompt:
    """What a chat is told. What seldom changes comes first, so that programs which cache a prompt's beginning profit."""
    lane = await lane_of(services, chat)
    parts = [
        _guidance("system_prompt"),
        _guidance("scheduled_work"),
        Part(name="place", text=NOWHERE if lane is None else directive(lane)),
    ]
    if lane is not None:
        parts.append(await _skills(lane, min(SKILLS_TOKENS, _room(parts))))
        parts.append(await _memory(services, lane, min(MEMORY_TOKENS, _room(parts))))
    return Prompt(parts=tuple(part for part in parts if part.text))


async def lane_of(services: Services, chat: ChatRecord) -> LaneRecord | None:
    """The lane a chat works in, if it works in one."""
    for project in await services.projects.all():
        if project.id == chat.project and chat.lane is not None:
            return await services.lanes.find(project, chat.lane)
    return None


def _room(parts: list[Part]) -> int:
    return max(0, BUDGET - sum(part.tokens + 1 for part in parts))


@cache
def _guidance(name: str) -> Part:
    text = (files("ade_generated") / "guidance" / f"{name}.md").read_text("utf-8")
    return Part(name="guidance" if name == "system_prompt" else name, text=text.strip())


async def _skills(lane: LaneRecord, room: int) -> Part:
    home = Path(os.environ.get("HOME") or Path.home())
    roots = await asyncio.to_thread(chat_skill_roots, lane.path, home)
    text, omitted = await asyncio.to_thread(skills_section, roots, room)
    return Part(name="skills", text=text, omitted=omitted)


async def _memory(services: Services, lane: LaneRecord, room: int) -> Part:
    found = await services.memory.section(lane, room)
    return Part(name="memory", text=found.text.strip(), omitted=found.omitted)
