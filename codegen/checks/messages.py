"""Slots in the messages and hints of errors are their params, each used and each known."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codegen.checks.context import Context
from codegen.wording import did_you_mean, quote

_SLOT = re.compile(r"\{([^{}]*)\}")
_STRAY = re.compile(r"\{\{|\}\}|[{}]")


def slots(text: str) -> Iterator[str]:
    """The names in braces."""
    return (found[1] for found in _SLOT.finditer(text))


def stray_brace(text: str) -> bool:
    """Whether braces are left when the slots are taken out."""
    return _STRAY.search(_SLOT.sub("", text)) is not None


def check(ctx: Context) -> None:
    for error in ctx.specs.errors.values():
        used: set[str] = set()
        for key, text in (("message", error.message.raw), ("hint", error.hint.raw)):
            span = ctx.places.at(error.span, key)
            if stray_brace(text):
                message = f"the {key} has a brace that is no slot"
                ctx.sink.add(span, "bad-slot", message, "write {param} for a slot, and no other braces")
            for name in slots(text):
                used.add(name)
                if name not in error.params and not stray_brace(text):
                    message = f"the {key} has the slot {quote(name)}, which is no param"
                    ctx.sink.add(span, "bad-slot", message + did_you_mean(name, error.params))
        for name in error.params:
            if name not in used:
                span = ctx.places.key(error.span, "params", name)
                message = f"the param {quote(name)} is in neither message nor hint"
                ctx.sink.add(
                    span, "bad-slot", message, "use it there, or leave it out and pass it in details"
                )
