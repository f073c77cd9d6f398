"""From a connection of the machine socket to one that speaks MCP."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

from ade_generated import errors
from ade_runtime.mcp_endpoint.service import load
from ade_runtime.pipeline.call import Caller
from ade_runtime.pipeline.identify import TOKEN_VARIABLE
from ade_runtime.server.params import Params
from ade_runtime.tooling.shapes import PALETTES, SHAPES, Palette, Shape

if TYPE_CHECKING:
    from collections.abc import Callable

    from ade_runtime.contracts import JsonObject
    from ade_runtime.server.methods import Context

METHOD = "mcp/connect"
_FIELDS = ("cwd", "role", "project", "lane", "shape", "tools")


async def prepare(context: Context) -> Callable[[], None]:
    """Find out who asks, load what speaks MCP, and give what hands the connection over once the reply is sent."""
    from ade_runtime.server.methods import introduce

    given = context.request.params
    env = _environment(given)
    params = Params(METHOD, {name: value for name, value in given.items() if name in _FIELDS})
    fields = {name: params.maybe(name) for name in _FIELDS}
    wanted = fields["role"] or env.get("ADE_DEFAULT_ROLE") or None
    shape = cast("Shape", _one_of("shape", fields["shape"] or SHAPES[0], SHAPES))
    tools = cast("Palette", _one_of("tools", fields["tools"] or PALETTES[0], PALETTES))
    if fields["cwd"] is None or not fields["cwd"].startswith("/"):
        raise errors.InvalidArguments(problem="cwd must be an absolute path", action=METHOD)
    await introduce(context, env.get(TOKEN_VARIABLE) or None)
    await context.connection.identity(METHOD, wanted)
    caller = Caller(
        transport="mcp",
        cwd=fields["cwd"],
        project=fields["project"],
        lane=fields["lane"] or env.get("ADE_LANE_ID") or None,
        project_root=env.get("ADE_PROJECT_ROOT") or None,
        chat=env.get("ADE_CHAT_SESSION_ID") or None,
        env=env,
    )
    await _check_place(context, caller, named=fields["lane"])
    await asyncio.to_thread(load)

    def hand_over() -> None:
        from ade_runtime.mcp_endpoint.pipe import CallersToolbox, Pipe

        toolbox = CallersToolbox(context.server, context.connection, caller, wanted)
        context.connection.pipe = Pipe(context.server, context.connection, toolbox, shape=shape, tools=tools)

    return hand_over


def _environment(given: JsonObject) -> dict[str, str]:
    env = given.get("env", {})
    if not isinstance(env, dict) or not all(isinstance(value, str) for value in env.values()):
        raise errors.InvalidArguments(problem="env must be an object of texts", action=METHOD)
    return env


async def _check_place(context: Context, caller: Caller, *, named: str | None) -> None:
    """What the line names is there: said when the client starts, not with each call. Raises ``project_not_found``,
    ``project_ambiguous``, ``project_required`` and ``lane_not_found``."""
    if named is None and caller.project is None:
        return
    services = context.server.services
    project = await services.projects.resolve(caller)
    if project is None:
        raise errors.ProjectRequired(action="ade mcp --lane")
    if named is not None:
        await services.lanes.find(project, named)


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        flags = " or ".join(f"--{name} {one}" for one in allowed)
        hint = f"Give {flags}; `ade mcp serve --help` says what each means."
        raise errors.InvalidArguments(
            problem=f"--{name} {value[:60]!a} is not known", action=METHOD, hint=hint
        )
    return value
