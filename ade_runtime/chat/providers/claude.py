"""Claude Code, through the Claude Agent SDK. ADE's tools are objects in this process; the user's own settings and tool servers
stay."""

from __future__ import annotations

import logging
from collections import deque
from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4

import claude_agent_sdk as sdk
import psutil

from ade_runtime.chat.providers.base import ProviderError, TurnEnded
from ade_runtime.chat.providers.claude_permissions import Permissions
from ade_runtime.chat.providers.claude_updates import Reader
from ade_runtime.pipeline.identify import TOKEN_VARIABLE
from ade_runtime.tooling.definitions import all_tools
from ade_runtime.tooling.mcp_server import mcp_server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from ade_runtime.chat.providers.base import Opening, Update
    from ade_runtime.contracts import ProviderEntry
    from ade_runtime.sessions.records import CapabilityMode

log = logging.getLogger("ade.chat.claude")

LARGEST_MESSAGE = 32 * 1024 * 1024
LAST_WORDS = 20
"""Lines of the program's standard error that are kept for the account of its end."""


def provider(entry: ProviderEntry) -> ClaudeProvider:
    return ClaudeProvider(entry)


def bundled() -> Path | None:
    """The program that comes with the SDK, for machines on which it is not installed."""
    from pathlib import Path

    found = Path(sdk.__file__).parent / "_bundled" / "claude"
    return found if found.is_file() else None


class ClaudeProvider:
    def __init__(self, entry: ProviderEntry) -> None:
        self._entry = entry

    @property
    def name(self) -> str:
        return self._entry.name

    async def open(self, opening: Opening) -> ClaudeConversation:
        conversation = ClaudeConversation(opening, self._entry.permission_modes[opening.permission_mode])
        await conversation.connect()
        return conversation


class ClaudeConversation:
    def __init__(self, opening: Opening, mode: str) -> None:
        self._opening = opening
        self._ref = opening.resume or str(uuid4())
        self._reader = Reader()
        self._errors: deque[str] = deque(maxlen=LAST_WORDS)
        self._outstanding: set[str] = set()
        self._client = sdk.ClaudeSDKClient(self._options(mode))
        self._messages: AsyncIterator[Any]

    @property
    def ref(self) -> str | None:
        return self._reader.session or self._ref

    @property
    def capability_mode(self) -> CapabilityMode:
        return "full_tooling" if self._reader.has_tools else "fallback"

    @property
    def pid(self) -> int | None:
        """The child that was started with this session's token: the SDK does not tell."""
        token = self._opening.env[TOKEN_VARIABLE]
        for child in psutil.Process().children():
            try:
                if child.environ().get(TOKEN_VARIABLE) == token:
                    return child.pid
            except psutil.Error:
                continue
        return None

    async def connect(self) -> None:
        """Start the program; raises :class:`ProviderError`."""
        try:
            await self._client.connect()
        except sdk.CLINotFoundError as problem:
            raise ProviderError("missing", str(problem)) from problem
        except sdk.ClaudeSDKError as problem:
            raise self._crashed(problem) from problem
        self._messages = aiter(self._client.receive_messages())

    async def turn(self, text: str) -> AsyncIterator[Update]:
        await self._say(text)
        while True:
            try:
                message = await anext(self._messages)
            except StopAsyncIteration:
                raise ProviderError("crashed", self._account("Claude Code ended.")) from None
            except sdk.ClaudeSDKError as problem:
                raise self._crashed(problem) from problem
            for update in self._reader.updates(message):
                if isinstance(update, TurnEnded):
                    if self._still_to_come():
                        continue
                    yield update
                    return
                yield update

    async def steer(self, text: str) -> bool:
        await self._say(text)
        return True

    async def interrupt(self) -> None:
        self._outstanding.clear()
        try:
            await self._client.interrupt()
        except sdk.ClaudeSDKError as problem:
            log.info("interrupting failed: %s", problem)

    async def close(self) -> None:
        await self._client.disconnect()

    async def _say(self, text: str) -> None:
        identifier = str(uuid4())
        self._outstanding.add(identifier)

        async def one() -> AsyncIterator[dict[str, Any]]:
            yield {
                "type": "user",
                "message": {"role": "user", "content": text},
                "parent_tool_use_id": None,
                "uuid": identifier,
            }

        try:
            await self._client.query(one())
        except sdk.ClaudeSDKError as problem:
            raise self._crashed(problem) from problem

    def _still_to_come(self) -> bool:
        """Whether something was said into the turn that its end does not answer yet: another end follows."""
        self._outstanding -= self._reader.answered
        if not self._reader.tells_what_it_answers:
            self._outstanding.clear()
        return bool(self._outstanding)

    def _options(self, mode: str) -> sdk.ClaudeAgentOptions:
        opening = self._opening
        servers = dict.fromkeys(tool.server for tool in all_tools())
        return sdk.ClaudeAgentOptions(
            cli_path=opening.executable,
            cwd=opening.cwd,
            env=dict(opening.env),
            model=opening.model,
            effort=cast("Any", opening.effort),
            permission_mode=cast("Any", mode),
            system_prompt={"type": "preset", "preset": "claude_code", "append": opening.system_prompt},
            mcp_servers={
                name: {
                    "type": "sdk",
                    "name": name,
                    "instance": mcp_server(opening.toolbox, name=name),
                }
                for name in servers
            },
            setting_sources=["user", "project", "local"],
            can_use_tool=Permissions(opening.desk, opening.permission_mode).decide,
            resume=opening.resume,
            session_id=None if opening.resume else self._ref,
            include_partial_messages=True,
            max_buffer_size=LARGEST_MESSAGE,
            stderr=self._errors.append,
        )

    def _crashed(self, problem: Exception) -> ProviderError:
        return ProviderError("crashed", self._account(str(problem)))

    def _account(self, what: str) -> str:
        said = " ".join(line.strip() for line in self._errors if line.strip())
        return f"{what} It said: {said[-1000:]}" if said else what
