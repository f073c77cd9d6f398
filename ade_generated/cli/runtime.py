"""Commands of the runtime group. Generated from specs/domains/runtime.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ExampleInfo


def runtime_health() -> ActionCommand:
    return ActionCommand(
        "health",
        group="runtime",
        action="runtime.health",
        tool="runtime_health",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Answer at once when the runtime and its database work.",
        description="",
        guidance="",
        fields=(),
        rules=(),
        errors=(),
        examples=(
            ExampleInfo(
                title="A healthy runtime",
                line="ade runtime health",
                error=None,
            ),
        ),
        skeleton={},
    )


def runtime_info() -> ActionCommand:
    return ActionCommand(
        "info",
        group="runtime",
        action="runtime.info",
        tool="runtime_info",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Tell which runtime answers, where it lives and which protocol it speaks.",
        description="",
        guidance="",
        fields=(),
        rules=(),
        errors=(),
        examples=(
            ExampleInfo(
                title="The runtime that answers",
                line="ade runtime info",
                error=None,
            ),
        ),
        skeleton={},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "health": runtime_health,
    "info": runtime_info,
}
