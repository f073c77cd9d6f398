"""What is added to a program's own system prompt: the generated guidance, and where the agent is."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from ade_runtime.lanes.directive import directive

if TYPE_CHECKING:
    from ade_runtime.chat.records import ChatRecord
    from ade_runtime.services import Services


async def system_prompt(services: Services, chat: ChatRecord) -> str:
    """The text for a chat; the same for every provider."""
    return "\n\n".join([_guidance().strip(), await _place(services, chat)])


@cache
def _guidance() -> str:
    return (files("ade_generated") / "guidance" / "system_prompt.md").read_text("utf-8")


async def _place(services: Services, chat: ChatRecord) -> str:
    for project in await services.projects.all():
        if project.id == chat.project and chat.lane is not None:
            lane = await services.lanes.find(project, chat.lane)
            return directive(lane)
    return "You work on no lane; make one with create_lane before you change anything."
