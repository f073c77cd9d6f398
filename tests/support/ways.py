"""The ways in, each as the same small interface, so that one table of examples runs over all of them."""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pytest

from ade_generated.dispatch import ACTIONS
from ade_generated.roles import TOOLSETS
from ade_runtime.cli.run import Line, run_line
from ade_runtime.client.environment import CALLER_NAMES
from ade_runtime.client.in_process import Runtime
from ade_runtime.contracts import AdeError
from ade_runtime.machine.paths import Paths
from ade_runtime.pipeline.identify import TOKEN_VARIABLE
from ade_runtime.server.ownership import Ownership
from ade_runtime.server.server import Server
from ade_runtime.services import Services, Settings
from tests.support.holders import end_holders


@dataclass(frozen=True)
class Outcome:
    """``output`` on success, else ``error`` (the envelope) with the codes this way in reports beside it."""

    output: Any = None
    error: dict[str, Any] | None = None
    exit: int | None = None
    rpc: int | None = None


class Way(ABC):
    """A way in to one ADE_HOME; use as an async context manager. ``project`` is where calls are made."""

    name: str

    def __init__(self, home: Path, project: Path, env: Mapping[str, str]) -> None:
        self.home = home
        self.project = project
        self.env = dict(env)
        self.stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stack.aclose()
        end_holders(self.home)

    @abstractmethod
    async def open(self) -> None: ...

    @abstractmethod
    async def perform(self, case: Mapping[str, Any]) -> Outcome:
        """Make the call of a contract case (``action``, ``tool``, ``input``, ``argv``), ``as`` the session of a token."""

    async def call(self, action: str, arguments: dict[str, Any], token: str | None = None) -> dict[str, Any]:
        """Call an action that must work, for fixtures."""
        case = {"action": action, "tool": action, "input": arguments, "argv": None, "as": token}
        outcome = await self.perform(case)
        assert outcome.error is None, f"{action} {arguments}: {outcome.error}"
        output: dict[str, Any] = outcome.output
        return output


class InProcess(Way):
    """The pipeline called from Python, by action id."""

    name = "in process"

    async def open(self) -> None:
        self.runtime = await self.stack.enter_async_context(Runtime.open(self.home))

    async def perform(self, case: Mapping[str, Any]) -> Outcome:
        try:
            with pytest.MonkeyPatch.context() as patch:
                if case.get("as"):
                    patch.setenv(TOKEN_VARIABLE, case["as"])
                return Outcome(
                    await self.runtime.call(
                        case["action"],
                        case["input"],
                        project=None,
                        cwd=self.project,
                        env=self.env,
                        role=case.get("role"),
                    )
                )
        except AdeError as problem:
            return Outcome(error=problem.envelope(), exit=int(problem.exit), rpc=problem.rpc)


@asynccontextmanager
async def serving(home: Path, ceiling: str = "cto"):
    """A real server on a real socket, in this process's event loop."""
    paths = Paths.of_home(home)
    ownership = Ownership.acquire(paths)
    server = Server(Services(paths, Settings(ceiling=ceiling, listening=True)), ownership)
    task = asyncio.create_task(server.serve(ownership.bind()))
    try:
        yield paths.socket
    finally:
        server.stop()
        server.stop()
        await task
        ownership.release()


class Socket(Way):
    """JSON-RPC over the machine socket, by tool name."""

    name = "socket"

    async def open(self) -> None:
        path = await self.stack.enter_async_context(serving(self.home))
        await self._connect(path)

    async def _connect(self, path: Path) -> None:
        self.path = path
        self.reader, self.writer = await asyncio.open_unix_connection(path, limit=16 * 2**20)
        self.stack.callback(self.writer.close)
        self.requests = 0

    async def become(self, role: str, mode: str | None = None) -> None:
        """A connection of its own for a session of that role and mode: a call over the socket asks for none by itself."""
        wanted = {"role": role} | ({"interaction_mode": mode} if mode else {})
        await self._connect(self.path)
        line = ["actions", "run", "session.start", "--input-json", json.dumps(wanted), "--role", role]
        params = {"argv": [*line, "--json"], "cwd": str(self.project), "env": {}, "width": 80}
        answer = await self.request("cli/run", params)
        await self.introduce(json.loads(answer["result"]["stdout"])["token"])

    async def introduce(self, token: str) -> None:
        """A connection of its own for the session of a token."""
        await self._connect(self.path)
        answer = await self.request("ade/initialize", {"session_token": token})
        assert "result" in answer, answer

    async def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.requests += 1
        message = {"jsonrpc": "2.0", "id": self.requests, "method": method, "params": params}
        self.writer.write(json.dumps(message).encode() + b"\n")
        while True:
            answer: dict[str, Any] = json.loads(await self.reader.readline())
            if answer.get("id") == self.requests:
                return answer

    async def perform(self, case: Mapping[str, Any]) -> Outcome:
        own = self.reader, self.writer
        if case.get("as"):
            await self.introduce(case["as"])
        elif case.get("role"):
            await self.become(case["role"])
        params = {"name": case["tool"], "arguments": case["input"], "cwd": str(self.project)}
        answer = await self.request("ade/actions/call", params)
        self.reader, self.writer = own
        if "result" in answer:
            return Outcome(answer["result"])
        return Outcome(error=answer["error"]["data"], rpc=answer["error"]["code"])


class CommandLine(Way):
    """Base of the ways that send a whole command line and read what it prints."""

    @abstractmethod
    async def run(
        self, argv: list[str], texts: Mapping[str, str] | None = None, token: str | None = None
    ) -> dict[str, Any]:
        """``{stdout, stderr, exit}`` of one command line; ``texts`` holds what it reads. ``token`` is that of the session
        it is typed in."""

    def line(self, case: Mapping[str, Any]) -> list[str]:
        """The command line of a case: here the one that reaches every action. A secret comes over standard input."""
        secret = ACTIONS[case["action"]].secrets
        document = "-" if any(name in case["input"] for name in secret) else json.dumps(case["input"])
        return ["actions", "run", case["action"], "--input-json", document]

    async def perform(self, case: Mapping[str, Any]) -> Outcome:
        role = ["--role", case["role"]] if case.get("role") else []
        line = ["--json", *role, *self.line(case)]
        answer = await self.run(line, {"-": json.dumps(case["input"])}, case.get("as"))
        if answer["exit"] == 0:
            assert answer["stderr"] == ""
            return Outcome(json.loads(answer["stdout"]), exit=0)
        assert answer["stdout"] == "", "an error leaves standard output empty"
        return Outcome(error=json.loads(answer["stderr"])["error"], exit=answer["exit"])


class SocketCommand(CommandLine):
    """``ade actions run`` through the thin client's method of the socket."""

    name = "command over the socket"

    async def open(self) -> None:
        self.socket = await self.stack.enter_async_context(Socket(self.home, self.project, self.env))

    async def run(
        self, argv: list[str], texts: Mapping[str, str] | None = None, token: str | None = None
    ) -> dict[str, Any]:
        env = {TOKEN_VARIABLE: token} if token else {}
        params = {"argv": argv, "cwd": str(self.project), "env": env, "width": 80, "texts": dict(texts or {})}
        answer = await self.socket.request("cli/run", params)
        result: dict[str, Any] = answer["result"]
        return result


class Headless(CommandLine):
    """The typed command, performed in this process as ``--headless`` does."""

    name = "headless typed command"

    async def open(self) -> None:
        self.services = Services(Paths.of_home(self.home), Settings())
        self.services.paths.make_folders()
        self.stack.push_async_callback(self.services.close)

    def line(self, case: Mapping[str, Any]) -> list[str]:
        argv = case.get("argv")
        if argv is None:
            return super().line(case)
        return list(argv)

    async def run(
        self, argv: list[str], texts: Mapping[str, str] | None = None, token: str | None = None
    ) -> dict[str, Any]:
        env = self.env | ({TOKEN_VARIABLE: token} if token else {})
        line = Line(argv=tuple(argv), cwd=str(self.project), env=env, texts=texts or {}, transport="headless")
        return (await run_line(self.services, line)).to_wire()


class Mcp(Way):
    """The Model Context Protocol as ``ade mcp`` carries it, by tool name. What a model is shown is what is looked at: the text
    and the structured part, which must say the same."""

    name = "mcp"

    async def open(self) -> None:
        self.path = await self.stack.enter_async_context(serving(self.home))
        await self._connect(None)

    async def _connect(self, role: str | None, token: str | None = None) -> None:
        self.reader, self.writer = await asyncio.open_unix_connection(self.path, limit=16 * 2**20)
        self.stack.callback(self.writer.close)
        self.requests = 0
        env = {name: value for name, value in self.env.items() if name in CALLER_NAMES}
        if token is not None:
            env[TOKEN_VARIABLE] = token
        params: dict[str, Any] = {"cwd": str(self.project), "env": env, "shape": "both", "tools": "all"}
        answer = await self._request("mcp/connect", params if role is None else {**params, "role": role})
        assert answer.get("result") == {"connected": True}, answer
        client = {"name": "contract", "version": "1"}
        await self._request(
            "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
        )
        self.writer.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')

    async def call(self, action: str, arguments: dict[str, Any], token: str | None = None) -> dict[str, Any]:
        """An agent's model cannot make everything that fixtures need: who may, does."""
        if token is not None or "agent" in TOOLSETS[ACTIONS[action].toolset].roles:
            return await super().call(action, arguments, token)
        own = self.reader, self.writer
        await self._connect("cto")
        made = await super().call(action, arguments)
        self.reader, self.writer = own
        return made

    async def _request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.requests += 1
        message = {"jsonrpc": "2.0", "id": self.requests, "method": method, "params": params}
        self.writer.write(json.dumps(message).encode() + b"\n")
        while True:
            answer: dict[str, Any] = json.loads(await self.reader.readline())
            if answer.get("id") == self.requests:
                return answer

    async def perform(self, case: Mapping[str, Any]) -> Outcome:
        own = self.reader, self.writer
        if case.get("role") or case.get("as"):
            await self._connect(case.get("role"), case.get("as"))
        answer = await self._request("tools/call", {"name": case["tool"], "arguments": case["input"]})
        self.reader, self.writer = own
        result = answer["result"]
        (content,) = result["content"]
        if result.get("isError"):
            assert "structuredContent" not in result
            return Outcome(error=json.loads(content["text"])["error"])
        shown = result["structuredContent"]
        assert json.loads(content["text"].split("\n")[1 if content["text"].startswith("[") else 0]) == shown
        return Outcome(shown)


WAYS: tuple[type[Way], ...] = (InProcess, Socket, SocketCommand, Headless, Mcp)
