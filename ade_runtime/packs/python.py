"""Performing a pack's action with a function of its Python package."""

from __future__ import annotations

import asyncio
import importlib
import inspect
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_runtime.contracts import JsonObject
from ade_runtime.wire import WireError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ade_runtime.packs.records import PackEntry
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services
    from ade_runtime.wire import WireModel


@dataclass(frozen=True, slots=True)
class Context:
    """What a function of a pack is told besides its input. ``project`` is the root of the project it is called in, ``None`` for
    an action of the machine; ``progress(message, fraction)`` reports how far it is, ``environment`` is the caller's."""

    action: str
    role: str
    project: Path | None
    cwd: Path | None
    environment: Mapping[str, str]
    progress: Callable[[str, float | None], None]


async def perform(services: Services, entry: PackEntry, call: Call, model: WireModel) -> WireModel:
    """Call the function with its input as plain JSON: every field is there, ``None`` where it was left out. One that is not a
    coroutine runs in a thread, which goes on by itself once the call's time is over: nothing can end it."""
    function = _function(entry)
    scope = call.scope
    context = Context(
        action=entry.id,
        role=call.identity.role,
        project=None if scope is None else scope.root,
        cwd=None if call.caller.cwd is None else Path(call.caller.cwd),
        environment={name: value for name, value in call.caller.env.items() if name != "ADE_SESSION_TOKEN"},
        progress=call.progress,
    )
    arguments: JsonObject = model.model_dump(mode="json", by_alias=True)
    if inspect.iscoroutinefunction(function):
        answer: Any = await function(context, arguments)
    else:
        answer = await asyncio.to_thread(function, context, arguments)
    try:
        return entry.output_model.from_wire(answer)
    except WireError as problem:
        raise errors.PackAnswerInvalid(action=entry.id, problem=str(problem)) from None


def _function(entry: PackEntry) -> Callable[..., Any]:
    module, _, name = str(entry.handler).partition(":")
    try:
        found: Callable[..., Any] = getattr(getattr(importlib.import_module(module), name)(), entry.method)
    except Exception as problem:
        raise errors.PackCommandFailed(
            action=entry.id, reason=f"{entry.handler} has no {entry.method}: {problem}"
        ) from problem
    return found
