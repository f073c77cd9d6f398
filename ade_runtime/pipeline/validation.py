"""Stage 4: arguments become the action's input model, or every problem with them is told at once."""

from __future__ import annotations

from ade_generated import errors
from ade_runtime.contracts import ActionEntry, JsonObject
from ade_runtime.wire import WireError, WireModel

PROBLEMS_TOLD = 20


def read_input(entry: ActionEntry, arguments: JsonObject) -> WireModel:
    """The validated input. Raises ``invalid_arguments`` with ``details.problems``: a list of ``{path, message}``."""
    try:
        return entry.input_model.from_wire(arguments)
    except WireError as refusal:
        raise invalid(entry.id, refusal) from None


def invalid(action: str, refusal: WireError) -> errors.InvalidArguments:
    """All problems of one refusal as an error: its message is the first, its details hold them all."""
    found = refusal.problems
    text = str(found[0]) if found else str(refusal)
    if len(found) > 1:
        text += f" (and {len(found) - 1} more)"
    told = [{"path": problem.path, "message": problem.message} for problem in found[:PROBLEMS_TOLD]]
    return errors.InvalidArguments(problem=text, action=action, details={"problems": told})
