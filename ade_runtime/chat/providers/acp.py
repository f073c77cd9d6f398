"""Any agent that speaks the Agent Client Protocol, revision 1, over its standard streams.

ADE's tools are handed over as an MCP server with the bearer token of a lease. Files and terminals are not offered: the program
uses its own, in the lane.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from ade_runtime.chat.providers.acp_permissions import SERVER, Permissions
from ade_runtime.chat.providers.acp_updates import Reader, account, failure
from ade_runtime.chat.providers.base import Notice, ProviderError, TurnEnded
from ade_runtime.chat.providers.peer import Peer, RpcError
from ade_runtime.contracts import ProviderAcp
from ade_runtime.machine.facts import package_version

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from ade_runtime.chat.providers.base import Endpoint, Opening, Update
    from ade_runtime.contracts import JsonObject, ProviderEntry
    from ade_runtime.sessions.records import CapabilityMode

log = logging.getLogger("ade.chat.acp")

PROTOCOL = 1
START_LIMIT = 120.0
"""Seconds until the program must have said that it is there."""

SIGN_IN = -32000
"""The protocol's code for a program that nobody is signed in to."""

UNREACHED = "The program did not come for ADE's tools; it may not trust this folder, or not this tool server."
CONNECT_LIMIT, CONNECT_LOOK = 10.0, 0.05
"""Seconds that a program which comes for the tools only after it has said that the session is there is given to do so, and
between two looks: what is asked at once is asked of a model that has no tools yet. That it did not come is told later."""

SETTLE = 0.3
"""Seconds that it is given, once it was sent the tools, to read them and hand them to its model."""

REFUSED = "About what was just refused:"


def provider(entry: ProviderEntry) -> AcpProvider:
    """The provider of a row with ``acp:``, which says what its program does in a way of its own."""
    return AcpProvider(entry)


class AcpProvider:
    def __init__(self, entry: ProviderEntry) -> None:
        self._entry = entry

    @property
    def name(self) -> str:
        return self._entry.name

    async def open(self, opening: Opening) -> AcpConversation:
        try:
            return await self._open(opening)
        except EndedAtOnce:  # as where two set up their folder side by side; another kind ends again
            return await self._open(opening)

    async def _open(self, opening: Opening) -> AcpConversation:
        conversation = AcpConversation(opening, self._entry)
        try:
            await conversation.connect()
        except BaseException:
            await conversation.close()
            raise
        return conversation


class EndedAtOnce(ProviderError):
    """The program ended before it had said anything."""


class AcpConversation:
    def __init__(self, opening: Opening, entry: ProviderEntry) -> None:
        self._opening = opening
        self._entry = entry
        self._ways = entry.acp or ProviderAcp(tool_names=())
        self._session = ""
        self._spoken = opening.resume is not None
        self._started = False
        self._running = False
        self._stop_asked = False
        self._can: JsonObject = {}
        self._endpoint: Endpoint | None = None
        self._reader = Reader()
        self._noticed = False
        self._news: asyncio.Queue[JsonObject | None] = asyncio.Queue()
        self._permissions = Permissions(entry.title, self._ways, opening, self._reader.name_of)
        self._peer = Peer(
            title=entry.title,
            heard=self._heard,
            answer=self._permissions.answer,
            ended=lambda: self._news.put_nowait(None),
            envelope={"jsonrpc": "2.0"},
        )

    @property
    def ref(self) -> str | None:
        """The program's session, once something was said in it."""
        return self._session if self._spoken else None

    @property
    def capability_mode(self) -> CapabilityMode:
        """The protocol does not say whether a tool server is used; the server knows."""
        reached = self._endpoint is not None and self._endpoint.reached()
        return "full_tooling" if reached else "fallback"

    @property
    def pid(self) -> int | None:
        return self._peer.pid if self._started else None

    # -- beginning

    async def connect(self) -> None:
        """Start the program and its session; raises :class:`ProviderError`."""
        argv = [str(self._opening.executable), *self._entry.arguments]
        try:
            await self._peer.start(argv, cwd=self._opening.cwd, env=self._environment())
        except OSError as problem:
            reason = f"{self._entry.title} cannot be started: {problem.strerror}. {self._entry.hint}"
            raise ProviderError("missing", reason) from problem
        self._started = True
        try:
            async with asyncio.timeout(START_LIMIT):
                await self._greet()
                offered = await self._begin()
                await self._choose(offered)
            await self._await_tools()
        except TimeoutError:
            raise self._peer.crashed(f"{self._entry.title} did not answer.") from None

    def _environment(self) -> dict[str, str]:
        plans = self._opening.permission_mode == "plan"
        return {**self._opening.env, **(self._ways.plan_environment if plans else {})}

    async def _greet(self) -> None:
        hello: JsonObject = {
            "protocolVersion": PROTOCOL,
            "clientCapabilities": {"fs": {"readTextFile": False, "writeTextFile": False}, "terminal": False},
            "clientInfo": {"name": "ade", "title": "ADE", "version": package_version()},
        }
        try:
            result = await self._peer.request("initialize", hello)
        except (RpcError, ProviderError) as problem:
            reason = (
                f"{self._entry.title} does not speak the Agent Client Protocol. {problem} {self._entry.hint}"
            )
            refusal = ProviderError if isinstance(problem, RpcError) else EndedAtOnce
            raise refusal("missing", reason) from problem
        if result.get("protocolVersion") != PROTOCOL:
            spoken = result.get("protocolVersion")
            reason = (
                f"{self._entry.title} speaks revision {spoken} of the Agent Client Protocol, not {PROTOCOL}."
            )
            raise ProviderError("missing", f"{reason} {self._entry.hint}")
        self._can = result.get("agentCapabilities") or {}

    async def _begin(self) -> JsonObject:
        """What the program offers to choose from in the new or resumed session."""
        where = {"cwd": str(self._opening.cwd), "mcpServers": await self._servers()}
        resume = self._opening.resume
        if resume is None:
            offered = await self._ask("session/new", where)
            self._session = str(offered["sessionId"])
            return offered
        self._session = resume
        if (self._can.get("sessionCapabilities") or {}).get("resume") is not None:
            return await self._ask("session/resume", {"sessionId": resume, **where})
        if self._can.get("loadSession"):
            return await self._ask("session/load", {"sessionId": resume, **where})
        raise ProviderError(
            "refused", f"{self._entry.title} cannot go on with a conversation once it has ended."
        )

    async def _servers(self) -> list[JsonObject]:
        declared = (self._can.get("mcpCapabilities") or {}).get("http")
        if not declared and not self._ways.undeclared_tools:
            return []
        self._endpoint = await self._opening.endpoint()
        header = {"name": "Authorization", "value": f"Bearer {self._endpoint.token}"}
        return [{"type": "http", "name": SERVER, "url": self._endpoint.url, "headers": [header]}]

    async def _await_tools(self) -> None:
        """Give a program that connects later the time to do so."""
        endpoint = self._endpoint
        if endpoint is None or not self._ways.late_tools:
            return
        for _ in range(int(CONNECT_LIMIT / CONNECT_LOOK)):
            if endpoint.reached():
                await asyncio.sleep(SETTLE)
                return
            await asyncio.sleep(CONNECT_LOOK)

    async def _choose(self, offered: JsonObject) -> None:
        opening = self._opening
        mode = self._entry.permission_modes[opening.permission_mode]
        await self._set(offered, "mode", mode, needed=opening.permission_mode == "plan")
        if opening.model is not None:
            await self._set(offered, "model", opening.model)
        if opening.effort is not None:
            await self._set(offered, "thought_level", opening.effort)

    async def _set(self, offered: JsonObject, what: str, value: str, *, needed: bool = True) -> None:
        """Choose among what the program offers: as an option, or in the older way that only modes and models have."""
        here: JsonObject = {"sessionId": self._session}
        options = [one for one in offered.get("configOptions") or [] if one.get("category") == what]
        if options:
            if options[0].get("currentValue") != value:
                chosen = {"configId": options[0]["id"], "value": value}
                await self._ask("session/set_config_option", here | chosen)
        elif offered.get(f"{what}s"):
            await self._ask(f"session/set_{what}", here | {f"{what}Id": value})
        elif needed:
            words = {"mode": "mode", "model": "model", "thought_level": "effort"}
            raise ProviderError("refused", f"{self._entry.title} offers no choice of {words[what]}.")

    async def _ask(self, method: str, params: JsonObject) -> JsonObject:
        try:
            return await self._peer.request(method, params)
        except RpcError as problem:
            reason = f"{self._entry.title} refused {method}: {account(problem)}"
            if problem.code == SIGN_IN:
                reason = f"{reason} {self._entry.hint}"
            raise ProviderError("refused", reason) from problem

    # -- turns

    async def turn(self, text: str) -> AsyncIterator[Update]:
        self._stop_asked = False
        self._permissions.begin()
        self._reader.begin()
        self._running = True
        asked = asyncio.create_task(
            self._peer.request("session/prompt", {"sessionId": self._session, "prompt": self._prompt(text)})
        )
        asked.add_done_callback(lambda _: self._news.put_nowait(None))
        self._spoken = True
        try:
            while (news := await self._news.get()) is not None:
                for update in self._reader.updates(news):
                    yield update
            for update in self._reader.rest():
                yield update
            if not asked.done():  # the program has ended, which the request is told next
                await asyncio.wait([asked])
            if self._endpoint is not None and not self._endpoint.reached() and not self._noticed:
                self._noticed = True
                yield Notice(UNREACHED)
            for update in self._ended(asked):
                yield update
        finally:
            self._running = False
            asked.cancel()
            while not self._news.empty():
                self._news.get_nowait()

    def _prompt(self, text: str) -> list[JsonObject]:
        """The protocol knows no system prompt: what is to be said beforehand stands before the first message."""
        parts = [text] if self._spoken else [self._opening.system_prompt, text]
        untold = self._permissions.untold()
        told = [f"{REFUSED} {reason}" for reason in untold]
        return [{"type": "text", "text": part} for part in (*told, *parts) if part]

    def _ended(self, asked: asyncio.Task[JsonObject]) -> list[Update]:
        try:
            result = asked.result()
        except RpcError as problem:
            if self._stop_asked:
                return [TurnEnded("interrupted")]
            return [failure(problem, self._entry.hint if problem.code == SIGN_IN else "")]
        return self._reader.ended(result, stop_asked=self._stop_asked)

    async def steer(self, text: str) -> bool:
        """The protocol has no way to say something into a turn."""
        return False

    async def interrupt(self) -> None:
        self._stop_asked = True
        self._permissions.cancel()
        if not self._running:
            return
        try:
            await self._peer.notify("session/cancel", {"sessionId": self._session})
        except ProviderError as problem:
            log.info("interrupting failed: %s", problem)

    async def close(self) -> None:
        endpoint, self._endpoint = self._endpoint, None
        try:
            if self._started:
                await self._peer.close()
        finally:
            if endpoint is not None:
                await endpoint.withdraw()

    def _heard(self, method: str, params: JsonObject) -> None:
        """What is told outside of a turn is the replay of an old one, or what may be chosen."""
        if method == "session/update" and self._running and params.get("sessionId") == self._session:
            self._news.put_nowait(params.get("update") or {})
