"""Commands of the cto group. Generated from specs/domains/cto.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam


def cto_identity_update() -> ActionCommand:
    return ActionCommand(
        "identity-update",
        group="cto",
        action="cto.identity_update",
        tool="cto_identity_update",
        effect="write",
        scope="project",
        aliases=(),
        summary="Replace what the CTO is told that it is; its prompt begins with it.",
        description="Name, manner, duties and limits, in a few sentences. Secrets in the text are taken out. A running program is told when it is started next.",
        guidance="",
        fields=(
            FieldParam(
                field="text",
                kind="text",
                flags=("--text-value",),
                metavar="TEXT",
                help="The whole new text, Markdown; empty removes it.",
                limits="text, at most 4000 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="if_revision",
                kind="integer",
                flags=("--if-revision",),
                metavar="INTEGER",
                help="Refuse unless the text still has this revision.",
                limits="an integer, at least 0",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="cto_identity_changed",
                exit=5,
                summary="The CTO's identity has changed since the revision that the caller knew.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="The first text",
                line="ade cto identity-update 'You are Ada. You keep releases small.' --if-revision 0 --role cto",
                error=None,
            ),
            ExampleInfo(
                title="A text that somebody has changed since",
                line="ade cto identity-update 'You are Bob.' --if-revision 3 --role cto",
                error="cto_identity_changed",
            ),
        ),
        skeleton={"text": "", "if_revision": 0},
    )


def cto_state() -> ActionCommand:
    return ActionCommand(
        "state",
        group="cto",
        action="cto.state",
        tool="get_cto_state",
        effect="read",
        scope="project",
        aliases=(),
        summary="Show who the CTO is, how the project stands, and what wants attention.",
        description="",
        guidance="",
        fields=(),
        rules=(),
        errors=(),
        examples=(
            ExampleInfo(
                title="A project with a chat that waits",
                line="ade cto state --role cto",
                error=None,
            ),
        ),
        skeleton={},
    )


def cto_usage() -> ActionCommand:
    return ActionCommand(
        "usage",
        group="cto",
        action="cto.usage",
        tool="cto_usage",
        effect="read",
        scope="project",
        aliases=(),
        summary="Show what the chats of the project have used, the one that used most first.",
        description="Tokens and cost are what the agent programs report; one that reports no cost counts as none.",
        guidance="",
        fields=(
            FieldParam(
                field="days",
                kind="integer",
                flags=("--days",),
                metavar="INTEGER",
                help="Only the last so many days.",
                limits="an integer, 1 to 3650",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many chats to return at most.",
                limits="an integer, 1 to 500; default 50",
            ),
            FieldParam(
                field="cursor",
                kind="text",
                flags=("--cursor",),
                metavar="TEXT",
                help="Where to go on; next of the last answer.",
                limits="text, 1 to 120 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
        ),
        examples=(
            ExampleInfo(
                title="Chats that have used nothing yet",
                line="ade cto usage --role cto",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade cto usage --cursor nowhere --role cto",
                error="invalid_cursor",
            ),
        ),
        skeleton={"days": 1, "limit": 50, "cursor": ""},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "identity-update": cto_identity_update,
    "state": cto_state,
    "usage": cto_usage,
}
