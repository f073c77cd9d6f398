"""Codex, through ``codex app-server``. ADE's tools are declared when a thread starts; the user's own settings, account and tool
servers stay."""

from __future__ import annotations

import asyncio
import logging
import re
from typing import TYPE_CHECKING
from uuid import uuid4

from ade_runtime.chat.providers.base import ProviderError, TurnEnded
from ade_runtime.chat.providers.codex_requests import Requests
from ade_runtime.chat.providers.codex_tools import declared
from ade_runtime.chat.providers.codex_updates import HEARD, RATE_LIMITS, Reader
from ade_runtime.chat.providers.peer import Peer, RpcError
from ade_runtime.machine.facts import package_version

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from ade_runtime.chat.providers.base import Opening, Update
    from ade_runtime.contracts import JsonObject, ProviderEntry
    from ade_runtime.sessions.records import CapabilityMode

log = logging.getLogger("ade.chat.codex")

OLDEST = (0, 171)
"""The first version that is known to take tools in namespaces; older ones pass over what they do not know."""

OVERLOADED = -32001
START_LIMIT = 60.0
"""Seconds until the program must have said that it is there."""

CONFIG = {"features.default_mode_request_user_input": True, "suppress_unstable_features_warning": True}
"""Lets the model ask the user questions outside of plan mode, too, without a warning about it in every chat."""

_VERSION = re.compile(r"/([0-9]+)\.([0-9]+)\.")


def provider(entry: ProviderEntry) -> CodexProvider:
    return CodexProvider(entry)


class CodexProvider:
    def __init__(self, entry: ProviderEntry) -> None:
        self._entry = entry

    @property
    def name(self) -> str:
        return self._entry.name

    async def open(self, opening: Opening) -> CodexConversation:
        conversation = CodexConversation(opening, self._entry)
        try:
            await conversation.connect()
        except BaseException:
            await conversation.close()
            raise
        return conversation


class CodexConversation:
    def __init__(self, opening: Opening, entry: ProviderEntry) -> None:
        self._opening = opening
        self._entry = entry
        self._thread: str | None = opening.resume
        self._model = ""
        self._kept = opening.resume is not None
        self._turn: str | None = None
        self._stop_asked = False
        self._started = False
        self._unheard: dict[str, str] = {}
        self._items: dict[str, JsonObject] = {}
        self._news: asyncio.Queue[tuple[str, JsonObject] | None] = asyncio.Queue()
        self._reader = Reader(entry.hint)
        requests = Requests(
            opening.desk,
            opening.toolbox,
            opening.permission_mode,
            item=self._items.get,
            say=self.steer,
        )
        self._peer = Peer(
            title=entry.title,
            heard=self._heard,
            answer=requests.answer,
            ended=lambda: self._news.put_nowait(None),
            overloaded=OVERLOADED,
        )

    @property
    def ref(self) -> str | None:
        """The thread, once it has a turn: before, the program keeps nothing of it."""
        return self._thread if self._kept else None

    @property
    def capability_mode(self) -> CapabilityMode:
        """A thread that started has its tools: one that the program does not take fails it."""
        return "full_tooling"

    @property
    def pid(self) -> int | None:
        return self._peer.pid if self._started else None

    # -- beginning

    async def connect(self) -> None:
        """Start the program and its thread; raises :class:`ProviderError`."""
        opening = self._opening
        argv = [str(opening.executable), *self._entry.arguments]
        try:
            await self._peer.start(argv, cwd=opening.cwd, env=opening.env)
        except OSError as problem:
            reason = f"Codex cannot be started: {problem.strerror}. {self._entry.hint}"
            raise ProviderError("missing", reason) from problem
        self._started = True
        await self._greet()
        params = self._settings()
        if opening.resume is None:
            tools = declared(await opening.toolbox.tools())
            result = await self._ask("thread/start", {**params, "dynamicTools": tools})
        else:
            result = await self._ask(
                "thread/resume", {**params, "threadId": opening.resume, "excludeTurns": True}
            )
        self._thread = result["thread"]["id"]
        self._model = result["model"]

    async def _greet(self) -> None:
        hello = {
            "clientInfo": {"name": "ade", "title": "ADE", "version": package_version()},
            "capabilities": {"experimentalApi": True},
        }
        try:
            async with asyncio.timeout(START_LIMIT):
                result = await self._peer.request("initialize", hello)
        except TimeoutError:
            raise self._peer.crashed("Codex did not answer.") from None
        except (RpcError, ProviderError) as problem:
            raise self._too_old(str(problem)) from problem
        found = _VERSION.search(str(result.get("userAgent")))
        if found is not None and (int(found[1]), int(found[2])) < OLDEST:
            raise self._too_old(f"It is version {found[1]}.{found[2]}.")
        await self._peer.notify("initialized")

    def _too_old(self, what: str) -> ProviderError:
        wanted = ".".join(str(part) for part in OLDEST)
        return ProviderError("missing", f"Codex {wanted} or newer is needed. {what} {self._entry.hint}")

    def _settings(self) -> JsonObject:
        """Where the thread works and what it may do. What is not said here is as in the user's own configuration."""
        opening = self._opening
        policy, sandbox, *reviewer = self._entry.permission_modes[opening.permission_mode].split("/")
        settings: JsonObject = {
            "cwd": str(opening.cwd),
            "approvalPolicy": policy,
            "sandbox": sandbox,
            "config": CONFIG,
            "developerInstructions": opening.system_prompt,
        }
        if reviewer:
            settings["approvalsReviewer"] = reviewer[0]
        if opening.model is not None:
            settings["model"] = opening.model
        return settings

    async def _ask(self, method: str, params: JsonObject) -> JsonObject:
        try:
            return await self._peer.request(method, params)
        except RpcError as problem:
            raise ProviderError("refused", f"Codex refused {method}: {problem.message}") from problem

    # -- turns

    async def turn(self, text: str) -> AsyncIterator[Update]:
        self._stop_asked = False
        self._reader.begin()
        self._items.clear()
        params: JsonObject = {"threadId": self._thread, "input": _input(text)}
        if self._opening.effort is not None:
            params["effort"] = self._opening.effort
        if self._opening.permission_mode == "plan":
            params["collaborationMode"] = self._planning()
        self._turn = (await self._ask("turn/start", params))["turn"]["id"]
        self._kept = True
        if self._stop_asked:
            await self.interrupt()
        try:
            while True:
                news = await self._news.get()
                if news is None:
                    raise self._peer.crashed()
                for update in self._reader.updates(*news):
                    if isinstance(update, TurnEnded):
                        self._turn = None
                        if (
                            update.state != "completed"
                        ):  # Codex takes back its questions, but no calls of tools
                            self._peer.stop_answering()
                        await self._keep_unheard()
                        yield update
                        return
                    yield update
        finally:
            self._turn = None

    def _planning(self) -> JsonObject:
        """Codex's own plan mode, with what it tells its model of it; it wants these settings said again."""
        settings = {
            "model": self._model,
            "reasoning_effort": self._opening.effort,
            "developer_instructions": None,
        }
        return {"mode": "plan", "settings": settings}

    async def steer(self, text: str) -> bool:
        if self._turn is None:
            return False
        identifier = str(uuid4())
        self._unheard[identifier] = text
        try:
            await self._peer.request(
                "turn/steer",
                {
                    "threadId": self._thread,
                    "expectedTurnId": self._turn,
                    "input": _input(text),
                    "clientUserMessageId": identifier,
                },
            )
        except RpcError as problem:
            log.info("not said into the turn: %s", problem)
            self._unheard.pop(identifier, None)
            return False
        return True

    async def _keep_unheard(self) -> None:
        """What was said into a turn that ended before its model heard it is put into the thread, to be read next: the program
        itself forgets it."""
        unheard, self._unheard = self._unheard, {}
        if not unheard:
            return
        items = [
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
            for text in unheard.values()
        ]
        await self._ask("thread/inject_items", {"threadId": self._thread, "items": items})

    async def interrupt(self) -> None:
        self._stop_asked = True
        if self._turn is None:
            return
        try:
            await self._peer.request("turn/interrupt", {"threadId": self._thread, "turnId": self._turn})
        except (RpcError, ProviderError) as problem:
            log.info("interrupting failed: %s", problem)

    async def close(self) -> None:
        if self._started:
            await self._peer.close()

    # -- what comes

    def _heard(self, method: str, params: JsonObject) -> None:
        """Told at once, before a question about what is told: keep what such a question needs."""
        if method == RATE_LIMITS:
            self._reader.limits(params)
            return
        if method not in HEARD or params.get("threadId") not in (None, self._thread):
            return
        item = params.get("item") or {}
        if item.get("type") == "userMessage":
            self._unheard.pop(str(item.get("clientId")), None)
        elif method == "item/started":
            self._items[item["id"]] = item
        self._news.put_nowait((method, params))


def _input(text: str) -> list[JsonObject]:
    return [{"type": "text", "text": text}]
