"""What a runtime that is no more has left: programs that still run, turns that nobody runs, and tools lent to programs.

A program whose runtime was killed need not end by itself: Claude Code waits for ever for the answer of a tool that nobody will
give. What is known to be a chat's program is ended before another one is started for the same chat.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Mapping
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING

from ade_generated.providers import PROVIDERS
from ade_runtime.chat import store
from ade_runtime.chat.lending import withdraw_left
from ade_runtime.chat.records import ChatRecord, Entry, known
from ade_runtime.sessions import store as sessions

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from ade_runtime.chat.service import ChatService
    from ade_runtime.machine.ancestry import Process
    from ade_runtime.services import Services

GONE = "The runtime ended during this turn. What the agent was doing may be half done; look before you go on."
GRACE = 2.0
"""Seconds that a program has to end when it is asked to."""

log = logging.getLogger("ade.chat")


async def settle(services: Services, service: ChatService) -> None:
    """What the last runtime left running is ended, and what it lent withdrawn. To be done before any turn begins here."""
    await _end_programs(services)
    await withdraw_left(services)
    for chat in await services.database.read(store.left_running):
        await service.approvals.withdraw(chat.session)
        over = partial(_over, session=chat.session, now=services.clock.now())
        after, entry = await services.database.write(over)
        service.tell_entry(chat.session, entry)
        service.tell(after)


def _over(db: Connection, *, session: str, now: datetime) -> tuple[ChatRecord, Entry]:
    chat = known(store.change(db, session, now, state="interrupted", problem=GONE), session)
    return chat, store.append(db, session, chat.turn, "ended", GONE, now, is_error=True)


async def _end_programs(services: Services) -> None:
    chats = await services.database.read(store.providers)
    if not chats:
        return
    found = await asyncio.to_thread(families, str(services.paths.home), chats)
    if found:
        bound = await services.database.read(partial(_bound, found=found))
        meant = [one for one in found if one in bound or _is_named(one, chats[found[one]])]
        await asyncio.to_thread(_end, meant)


def families(home: str, chats: Mapping[str, str]) -> dict[Process, str]:
    """Processes that were started for a chat of this ``ADE_HOME`` and not by another such process, with the chat."""
    import psutil

    from ade_runtime.machine.ancestry import environment_values, look

    members: dict[int, tuple[Process, str]] = {}
    for pid in psutil.pids():
        process = look(pid)
        if process is None:
            continue
        chat = next(environment_values(process, "ADE_CHAT_SESSION_ID"), None)
        if chat is not None and chat in chats and home in environment_values(process, "ADE_HOME"):
            members[pid] = (process, chat)
    return {process: chat for process, chat in members.values() if process.parent not in members}


def _bound(db: Connection, found: Mapping[Process, str]) -> set[Process]:
    """Those that are known to be the program of their chat."""
    from ade_runtime.machine.ancestry import boot

    places = {chat: sessions.processes(db, chat) for chat in set(found.values())}
    return {one for one, chat in found.items() if (boot(), one.pid, one.start) in places[chat]}


def _is_named(process: Process, provider: str) -> bool:
    """Whether a process is called as the provider's program, by itself or as the script that it runs."""
    import psutil

    try:
        words = psutil.Process(process.pid).cmdline()[:2]
    except psutil.Error:
        return False
    entry = PROVIDERS.get(provider)
    return entry is not None and any(PurePath(word).name == entry.program for word in words)


def _end(programs: list[Process]) -> None:
    """End programs and everything below them."""
    import psutil

    family: list[psutil.Process] = []
    for one in programs:
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(one.pid)
            family += [process, *process.children(recursive=True)]
    for process in family:
        with contextlib.suppress(psutil.Error):
            process.terminate()
    for process in psutil.wait_procs(family, timeout=GRACE)[1]:
        with contextlib.suppress(psutil.Error):
            process.kill()
    if family:
        log.info("ended %d processes that an earlier runtime had left", len(family))
