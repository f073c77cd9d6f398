"""How a project stands, counted, and what wants somebody's attention."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ade_runtime.chat.records import STOPPED
from ade_runtime.memory.service import CTO

if TYPE_CHECKING:
    from ade_runtime.chat.records import ChatRecord, ChatState
    from ade_runtime.projects.registry import Project
    from ade_runtime.services import Services

MOST_CHATS = 20
"""Chats that are named one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """``chats`` counts them by state; ``attention`` are those that wait for somebody or have stopped, ``approvals`` what they
    wait for. ``notes`` are the CTO's own, ``discoveries`` those it has not dealt with."""

    lanes: int
    chats: dict[ChatState, int]
    attention: list[ChatRecord]
    approvals: int
    notes: int
    discoveries: int


async def standing(services: Services, project: Project) -> Standing:
    chats = await services.chats.all(project=project.id, everything=False)
    pending = await services.chats.approvals.pending([chat.session for chat in chats])
    wanting = [chat for chat in chats if chat.state == "waiting" or chat.state in STOPPED]
    return Standing(
        lanes=len(await services.lanes.all(project)),
        chats=dict(sorted(Counter(chat.state for chat in chats).items())),
        attention=wanting[:MOST_CHATS],
        approvals=len(pending),
        notes=len(await services.memory.listed(project, (CTO,), tags=(), archived=False)),
        discoveries=await services.memory.waiting(project),
    )
