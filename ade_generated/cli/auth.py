"""Commands of the auth group. Generated from specs/domains/auth.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ExampleInfo


def auth_status() -> ActionCommand:
    return ActionCommand(
        "status",
        group="auth",
        action="auth.status",
        tool="auth_status",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Tell who you are to ADE, why, and what follows from it.",
        description="",
        guidance="",
        fields=(),
        rules=(),
        errors=(),
        examples=(
            ExampleInfo(
                title="The owner's shell",
                line="ade auth status",
                error=None,
            ),
        ),
        skeleton={},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "status": auth_status,
}
