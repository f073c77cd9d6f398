"""Handlers that do nothing: each answers as an example of its action's spec does."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_runtime.contracts import AdeError
from ade_runtime.mock.choice import Choice, choice_of, wrong_choice
from ade_runtime.mock.examples import as_written, examples, fitting, said
from ade_runtime.mock.fill import fill
from ade_runtime.pipeline.handlers import Handlers
from ade_runtime.pipeline.schemas import output_schema
from ade_runtime.wire import WireError, WireModel

if TYPE_CHECKING:
    from ade_runtime.contracts import ActionEntry, JsonObject
    from ade_runtime.pipeline.call import Call
    from ade_runtime.pipeline.execute import Handler

ABOUT_ITSELF = frozenset(["actions", "runtime"])
"""Domains that tell of the runtime which answers. What they say is true here, too, unless another answer is chosen."""

PASSES_ON = "actions.run"
ALWAYS = frozenset(
    [
        "invalid_arguments",
        "policy_denied",
        "unknown_action",
        "project_required",
        "rate_limited",
        "timed_out",
        "internal_error",
        "storage_full",
        "shutting_down",
    ]
)
"""Errors that every call may meet, besides those its spec declares."""

SAMPLES: dict[str, Any] = {"str": "example", "int": 1, "float": 1.0, "bool": True}


class MockHandlers(Handlers):
    """What takes the place of the handlers. Everything before them is the same: visibility, permission, validation, limits."""

    def of(self, action: ActionEntry) -> Handler:
        if action.id == PASSES_ON:
            return super().of(action)

        async def answer(call: Call, model: WireModel) -> WireModel:
            choice = choice_of(call.caller, action.id)
            if choice is None and action.domain in ABOUT_ITSELF:
                return await super(MockHandlers, self).of(action)(call, model)
            return made_up(action, model, choice)

        return answer


def made_up(entry: ActionEntry, model: WireModel, choice: Choice | None) -> WireModel:
    """The answer of an action to valid arguments; raises the error that was chosen."""
    arguments = model.to_wire()
    if choice is not None and choice.kind == "error":
        raise chosen_error(entry, choice.value, arguments)
    case = fitting(entry, arguments) if choice is None else _chosen(entry, choice.value)
    if "error" in case:
        raise chosen_error(entry, case["error"]["code"], arguments)
    schema = output_schema(entry)
    try:
        return entry.output_model.from_wire(fill(schema, said(case, arguments)))
    except WireError:  # a value of the call that its answer may not hold
        return entry.output_model.from_wire(fill(schema, as_written(case)))


def _chosen(entry: ActionEntry, title: str) -> JsonObject:
    known = {case["title"]: case for case in examples(entry)}
    if title not in known:
        titles = "; ".join(list(known)[:10])
        raise wrong_choice(f"example:{title}", entry.id, f"Examples of {entry.id}: {titles}.")
    return known[title]


def chosen_error(entry: ActionEntry, code: str, arguments: JsonObject) -> AdeError:
    """The error with this code, its slots filled from the arguments where they have the same name."""
    kind = next((one for one in vars(errors).values() if getattr(one, "code", None) == code), None)
    if kind is None or code not in ALWAYS.union(entry.errors):
        codes = ", ".join((*entry.errors, "and the errors of every action"))
        return wrong_choice(f"error:{code}", entry.id, f"{entry.id} may answer: {codes}.")
    slots = {
        name: _slot(name, str(slot.annotation), arguments)
        for name, slot in inspect.signature(kind).parameters.items()
        if slot.default is inspect.Parameter.empty
    }
    made: AdeError = kind(**slots)
    if made.retry and made.retry_after_ms is None:
        made.retry_after_ms = 1000
    return made


def _slot(name: str, annotation: str, arguments: JsonObject) -> Any:
    sample = SAMPLES.get(annotation, "example")
    given = arguments.get(name)
    return given if type(given) is type(sample) else sample
