"""The rules by which two sets of specs are compared: an id, a level, and what it means for whoever calls.

What callers send must not become narrower; what they get must not become wider. ``breaking``: a caller that did everything
right before may fail now. ``risky``: it goes on, but may see something new or different. ``safe``: nothing that worked stops.
"""

from __future__ import annotations

from typing import Literal

Level = Literal["breaking", "risky", "safe"]
LEVELS: tuple[Level, ...] = ("breaking", "risky", "safe")

RULES: dict[str, tuple[Level, str]] = {
    "action-removed": ("breaking", "An action is gone."),
    "action-added": ("safe", "An action is new."),
    "retired-as-announced": ("safe", "What was deprecated is gone after the version it was to be removed after."),
    "deprecated": ("safe", "Something is now deprecated."),
    "tool-renamed": ("breaking", "Models and programs call a tool by a name it no longer has."),
    "name-reused": ("breaking", "A name that was given before now means something else."),
    "command-removed": ("breaking", "A command or alias of the command line is gone."),
    "command-added": ("safe", "A command or alias is new."),
    "flag-removed": ("breaking", "An option of a command is gone."),
    "flag-added": ("safe", "An option of a command is new."),
    "flag-meaning": ("breaking", "An option of a command is read in another way."),
    "positional-moved": ("breaking", "The words behind a command mean other fields than before."),
    "effect-raised": ("breaking", "An action now needs a permission that its callers may not have."),
    "effect-lowered": ("risky", "An action is open to callers who could not call it before."),
    "visibility-narrowed": ("breaking", "Some who saw an action no longer see it."),
    "visibility-widened": ("risky", "Some see an action who did not before."),
    "scope-narrowed": ("breaking", "An action now needs a project."),
    "scope-widened": ("risky", "An action no longer belongs to one project."),
    "retry-unsafe": ("breaking", "Repeating a call may now do it twice."),
    "retry-safer": ("safe", "Repeating a call is safer than before."),
    "target-changed": ("risky", "What a session may change with an action is decided by other fields."),
    "moves-refs-changed": ("safe", "Which changes of refs a run lays at an action's door has changed."),
    "limit-tightened": ("breaking", "Fewer calls are let through than before."),
    "limit-relaxed": ("safe", "More calls are let through than before."),
    "timeout-shortened": ("risky", "A call is stopped sooner than before."),
    "timeout-lengthened": ("safe", "A call may take longer than before."),
    "error-added": ("risky", "An action can fail with an error that its callers do not know."),
    "error-removed": ("safe", "An action no longer fails with an error."),
    "error-code-removed": ("breaking", "An error code that programs branch on is gone."),
    "error-code-added": ("safe", "An error code is new."),
    "error-exit-changed": ("breaking", "An error ends a command with another exit code, or has another JSON-RPC code."),
    "error-retry-changed": ("risky", "Whether an error is worth a retry has changed."),
    "error-detail-removed": ("breaking", "A detail of an error is gone or of another type."),
    "field-removed": ("breaking", "An input field is gone, so that sending it is refused."),
    "field-added": ("safe", "An input field is new and may be left out."),
    "field-added-required": ("breaking", "An input field is new and must be given."),
    "field-now-required": ("breaking", "An input field must now be given."),
    "field-now-optional": ("safe", "An input field may now be left out."),
    "default-changed": ("risky", "Leaving a field out means another value than before."),
    "secret-changed": ("risky", "Whether a field is a secret has changed, and with it how it is given."),
    "rule-added": ("breaking", "A rule across fields refuses input that was fine."),
    "rule-removed": ("safe", "A rule across fields no longer refuses input."),
    "input-type": ("breaking", "An input value is of another type."),
    "input-narrowed": ("breaking", "Input that was accepted is refused."),
    "input-widened": ("safe", "Input that was refused is accepted."),
    "output-type": ("breaking", "An output value is of another type."),
    "output-field-removed": ("breaking", "An output field is gone."),
    "output-field-added": ("safe", "An output field is new."),
    "output-widened": ("breaking", "An output can hold what it could not before."),
    "output-range-widened": ("risky", "An output can be longer, larger or smaller than before."),
    "output-narrowed": ("safe", "An output no longer holds all that it could."),
    "event-removed": ("breaking", "An event is told no more."),
    "event-added": ("safe", "An event is new."),
    "method-removed": ("breaking", "A JSON-RPC method is gone, or no longer answered or sent."),
    "method-added": ("safe", "A JSON-RPC method is new."),
    "variable-removed": ("breaking", "An environment variable is read no more."),
    "variable-added": ("safe", "An environment variable is new."),
    "role-removed": ("breaking", "A role is gone."),
    "role-changed": ("risky", "A role may do other things, or stands elsewhere among the roles."),
    "role-added": ("safe", "A role is new."),
}  # fmt: skip
"""By id. Ids are stable: announcements and other people's tools name them."""
