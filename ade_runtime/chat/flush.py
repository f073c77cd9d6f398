"""The CTO saves what must outlive a conversation, before its program shortens it and before another model goes on with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_runtime.chat import store
from ade_runtime.chat.records import ACTIVE
from ade_runtime.guidance import guidance

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.chat.records import ChatRecord
    from ade_runtime.chat.service import ChatService
    from ade_runtime.services import Services

FULL = 0.6
"""Share of the model's window from which on it is told to save. Programs shorten a conversation from about 0.8 on."""

SECONDS = 120.0
"""How long a model that is about to be replaced may take."""

IDENTITY = "ade"
"""Who says it, in the messages."""

NOT_SAVED = "It was to save what it must not forget before the change, and did not end in time."


def text() -> str:
    """What the model is told."""
    return guidance("memory_flush")


class Fullness:
    """Tells once for each time that a conversation fills up."""

    def __init__(self) -> None:
        self._told = False

    def due(self, chat: ChatRecord, fill: float | None) -> bool:
        """Whether the chat is to save now, ``fill`` being the share of its window that is taken."""
        if chat.role != "cto" or fill is None:
            return False
        due = fill >= FULL and not self._told
        self._told = fill >= FULL
        return due


async def before_change(services: Services, chats: ChatService, chat: ChatRecord) -> None:
    """Have a CTO that can speak save, where something was said since it last did. Whatever comes of it, the change is made: a
    model whose quota is used up is no reason to stay with it."""
    if chat.role != "cto" or chat.state != "idle" or not services.settings.listening:
        return

    def is_saved(db: Connection) -> bool:
        asked = [entry.text for entry in store.spoken(db, chat.session, 0) if entry.kind == "user"]
        return not asked or asked[-1] == text()

    if await services.database.read(is_saved):
        return
    message, _ = await chats.send(
        chat.session, text(), steer=False, identity=IDENTITY, receipt=None, told=lambda said, _: said
    )
    after = await chats.wait(chat.session, SECONDS)
    if after.state in ACTIVE:
        await chats.interrupt(chat.session)
        await chats.note(chat.session, after.turn, "notice", NOT_SAVED, is_error=True)
    left = await services.database.read(lambda db: store.message(db, chat.session, message.id))
    if left is not None and left.state == "queued":
        await chats.take_back(chat.session, message.id)
