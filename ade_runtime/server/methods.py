"""The JSON-RPC methods of the machine socket. Those that do work end in the pipeline."""

from __future__ import annotations

import os
import re
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import orjson

from ade_generated import errors
from ade_runtime.client.environment import caller_environment
from ade_runtime.contracts import AdeError, Exit, JsonObject
from ade_runtime.machine.facts import PROTOCOL, build_hash, package_version
from ade_runtime.mock.choice import VARIABLE as MOCK_VARIABLE
from ade_runtime.pipeline.call import Caller
from ade_runtime.pipeline.identify import Attempt
from ade_runtime.pipeline.identity import foreign_token
from ade_runtime.pipeline.notices import notices
from ade_runtime.server import following
from ade_runtime.server.builds import REPLACE, UPDATE, incompatible, protocol_of
from ade_runtime.server.params import Params

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Identity
    from ade_runtime.server.connection import Connection
    from ade_runtime.server.envelope import Request
    from ade_runtime.server.server import Server

Method = Callable[["Context"], Awaitable[Any]]
_PROJECT_ACTIONS = {"get_detail": "show"}
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
PROGRESS_GAP = 0.1
"""Least seconds between two progress notes of one call."""


class UnknownMethod(Exception):
    """No method of that name exists on this socket."""


class Context:
    """One request together with where it came from."""

    __slots__ = ("_last_progress", "afterwards", "connection", "request", "server")

    def __init__(self, server: Server, connection: Connection, request: Request) -> None:
        self.server = server
        self.connection = connection
        self.request = request
        self.afterwards: list[Callable[[], None]] = []
        """What is done once the answer has been sent."""
        self._last_progress = 0.0

    async def identity(self, action: str | None = None, wanted: str | None = None) -> Identity:
        """Who asks: the session the connection introduced itself as, else what its process is. ``action`` is what is asked,
        ``wanted`` a role to be in, at most its own."""
        known = None if wanted else self.connection.known()
        return known or await self.connection.identity(self.named(action), wanted)

    async def perform(self, action: str, arguments: JsonObject, who: Identity) -> bytes:
        """Call an action for a method that is little else; gives its output document."""
        self.server.check_open()
        return await self.server.pipeline.call(
            action, arguments, identity=who, caller=_NOWHERE, progress=self.progress
        )

    def named(self, action: str | None) -> str:
        """The action's id for the audit, or the method where there is no such action: never what a caller made up."""
        entry = None if action is None else self.server.pipeline.visibility.named(action)
        return self.request.method if entry is None else entry.id

    def progress(self, message: str, fraction: float | None) -> None:
        """Pass a report on as ``$/progress`` under the request's id, not more often than ten times a second."""
        now = self.server.loop_time()
        if now - self._last_progress < PROGRESS_GAP and fraction != 1.0:
            return
        self._last_progress = now
        note = {"token": self.request.id, "message": message, "fraction": fraction}
        self.connection.notify("$/progress", note)


class Methods:
    """Names to methods."""

    def __init__(self) -> None:
        self._table: dict[str, Method] = {
            "ade/actions/call": call_action,
            "ade/actions/list": list_actions,
            "ade/initialize": initialize,
            "ade/initialized": initialized,
            "cli/complete": complete_line,
            "cli/run": run_command,
            "mcp/connect": connect_mcp,
            "runtime/info": runtime_info,
            "runtimeEvents.subscribe": following.subscribe,
            "runtimeEvents.unsubscribe": following.unsubscribe,
            "runtime/replace": replace_runtime,
            "shutdown": shutdown,
        }

    async def call(self, context: Context) -> Any:
        name = context.request.method
        method = self._table.get(name)
        if method is not None:
            return await method(context)
        if name.startswith("projects."):
            return await call_project(context)
        raise UnknownMethod(name)


async def call_action(context: Context) -> Any:
    """``{name, arguments?, project?, cwd?, lane?, request_id?, timeout_ms?, mock?}`` → the action's output document."""
    given = context.request.params
    name, arguments = given.get("name"), given.get("arguments")
    if (
        len(given) == 2 and type(name) is str and type(arguments) is dict
    ):  # the usual call, read without a detour
        caller, request_id, timeout = _NOWHERE, None, None
    else:
        params = Params("ade/actions/call", given)
        name, arguments = params.text("name"), params.object("arguments")
        mock = params.maybe("mock")
        caller = Caller(
            "socket",
            params.maybe("cwd"),
            params.maybe("project"),
            params.maybe("lane"),
            env={} if mock is None else {MOCK_VARIABLE: mock},
        )
        request_id = params.maybe("request_id")
        timeout = params.seconds("timeout_ms")
        params.end()
    context.server.check_open()
    output = await context.server.pipeline.call(
        name,
        arguments,
        identity=await context.identity(name),
        caller=caller,
        request_id=request_id,
        timeout=timeout,
        progress=context.progress,
    )
    for notice in notices(name, arguments):
        context.progress(notice, None)
    return orjson.Fragment(output)


_NOWHERE = Caller("socket")


async def list_actions(context: Context) -> Any:
    """The parameters and the answer of ``actions.list``."""
    return await _run(context, "actions.list", context.request.params)


async def runtime_info(context: Context) -> Any:
    """The answer of ``runtime.info``."""
    return await _run(context, "runtime.info", context.request.params)


async def call_project(context: Context) -> Any:
    """``projects.browseDirectories`` and its like are the actions of the project domain under their older names."""
    name = _CAMEL.sub("_", context.request.method.removeprefix("projects.")).lower()
    action = f"project.{_PROJECT_ACTIONS.get(name, name)}"
    if action not in context.server.pipeline.visibility.ids:
        raise UnknownMethod(context.request.method)
    return await _run(context, action, context.request.params)


async def _run(context: Context, action: str, arguments: JsonObject) -> Any:
    context.server.check_open()
    return orjson.Fragment(await context.perform(action, arguments, await context.identity(action)))


async def initialize(context: Context) -> Any:
    """``{protocol?, client?, identity?, session_token?}`` → what answers and what it can do.

    ``identity`` is read and grants nothing. A session's token makes this connection that session from here on.
    """
    protocol = protocol_of(context.request.params)
    if protocol != PROTOCOL:
        raise incompatible(protocol, UPDATE if protocol < PROTOCOL else REPLACE)
    services = context.server.services
    identity = await introduce(context, context.request.params.get("session_token"))
    context.server.lists.watch(context.connection, identity)
    return {
        "runtimeInfo": {
            "version": package_version(),
            "buildHash": build_hash(),
            "defaultRole": services.settings.ceiling,
            "role": identity.role,
            "projectRoot": None,
            "pid": os.getpid(),
            "protocol": PROTOCOL,
        },
        "capabilities": {
            "actions": {"listChanged": True},
            "events": True,
            "batches": True,
            "cancellation": True,
            "progress": True,
            "framing": ["line", "content-length"],
            "mock": services.paths.is_mock,
        },
    }


async def introduce(context: Context, token: object) -> Identity:
    """The connection's identity from here on. A connection is one session or none: a second one is refused."""
    if token is None or token == "":
        return await context.identity()
    if not isinstance(token, str):
        raise errors.InvalidArguments(problem="session_token must be a text", action="ade/initialize")
    connection, attempt = context.connection, Attempt(context.request.method, "socket")
    identification = context.server.services.identification
    identity = await identification.identify(connection.origin, attempt, token=token)
    if connection.session is not None and connection.session != identity.session:
        await identification.note(attempt, refusal := foreign_token(), None)
        raise refusal
    connection.session = identity.session
    return identity


async def initialized(context: Context) -> Any:
    """The client's note that it is ready; nothing follows from it."""
    return {}


async def shutdown(context: Context) -> Any:
    """End the runtime once the calls in flight are done. ``{}`` → ``{stopping: true}``."""
    try:
        await context.server.require_owner(await context.identity(), "shutdown")
    except AdeError as problem:
        if problem.exit is not Exit.UNAVAILABLE:  # without its database the runtime must still be able to end
            raise
    context.server.stop()
    return {"stopping": True}


async def replace_runtime(context: Context) -> Any:
    """``{build, protocol, session_token?}`` → ``{replaced, managed}``: make room for the client's newer build, which starts it
    unless a service manager does."""
    params = context.request.params
    token = params.get("session_token")
    attempt = Attempt(context.request.method, "socket")
    identity = await context.server.services.identification.identify(
        context.connection.origin, attempt, token=token if isinstance(token, str) else None
    )
    replaced = await context.server.builds.make_room(params, identity)
    return {"replaced": replaced, "managed": context.server.managed}


async def run_command(context: Context) -> Any:
    """A whole command line for the thin client; see :mod:`ade_runtime.cli.run`."""
    from ade_runtime.cli.run import Line, run_line

    params = context.request.params
    line = Line.from_wire(here(params) if params.get("elsewhere") is True else params)
    if context.server.builds.outdated(params):
        return {"stale": True}
    context.server.check_open()
    answer = await run_line(context.server.services, line, context.progress, context.connection)
    return answer.to_wire()


async def connect_mcp(context: Context) -> Any:
    """``{cwd, env?, role?, project?, shape?, tools?, build?, protocol?}`` → ``{connected: true}``; what follows is MCP."""
    from ade_runtime.mcp_endpoint import connect

    if context.server.builds.outdated(context.request.params):
        return {"stale": True}
    context.server.check_open()
    context.afterwards.append(await connect.prepare(context))
    return {"connected": True}


def here(params: JsonObject) -> JsonObject:
    """The parameters of a line typed on another machine, with this one's folder and environment in the place of that one's."""
    sent = params.get("env")
    env = {**caller_environment(dict(os.environ)), **(sent if isinstance(sent, dict) else {})}
    return {**params, "cwd": os.path.expanduser("~"), "env": env}  # noqa: PTH111


async def complete_line(context: Context) -> Any:
    """Completions of the last word of a command line for the thin client."""
    from ade_runtime.cli.run import Line, complete

    context.server.check_open()
    line = Line.from_wire(context.request.params)
    shell = str(context.request.params.get("shell", "bash"))
    return {"lines": await complete(context.server.services, line, shell, context.connection)}
