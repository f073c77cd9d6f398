"""Stages 8 and 9: the handler within its time, and its answer as the declared output."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.pipeline.deadline import Deadlines, Expired

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call
    from ade_runtime.wire import WireModel

Handler = Callable[["Call", "WireModel"], Awaitable["WireModel"]]
log = logging.getLogger("ade.pipeline")


async def execute(
    handler: Handler, call: Call, arguments: WireModel, timeout: float, deadlines: Deadlines
) -> bytes:
    """Run the handler for at most ``timeout`` seconds and give its output as a JSON document.

    The handler is cancelled when its time is over (``timed_out``). An output of another class than the declared one is a
    fault of ADE and raises :class:`TypeError`.
    """
    try:
        with deadlines.limit(timeout):
            output = await handler(call, arguments)
    except Expired:
        raise errors.TimedOut(action=call.action.id, seconds=timeout) from None
    if type(output) is not call.action.output_model:
        raise TypeError(f"{call.action.id} answered {type(output).__name__}, not {call.action.output_ref}")
    return to_json(output) if call.wire is None else call.wire


def to_json(output: WireModel) -> bytes:
    """The wire form of a model."""
    return output.__pydantic_serializer__.to_json(output, by_alias=True, exclude_unset=True)


def inner_fault(action: str, problem: BaseException) -> errors.InternalError:
    """Log ``problem`` under a fresh reference and make the error that names it. Nothing of the problem itself is told."""
    reference = secrets.token_hex(6)
    log.error("reference %s: %s failed", reference, action, exc_info=problem)
    return errors.InternalError(action=action, reference=reference)
