"""Commands of the audit group. Generated from specs/domains/audit.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam, RuleInfo


def audit_list() -> ActionCommand:
    return ActionCommand(
        "list",
        group="audit",
        action="audit.list",
        tool="audit_list",
        effect="read",
        scope="machine",
        aliases=(),
        summary="List calls that changed something or were denied, the newest first.",
        description="The owner's shell sees every entry, a session that leads those of its project, any other session its own and those of the sessions it started. Entries are only ever added; they are kept for 90 days, at most half a million of them.",
        guidance="",
        fields=(
            FieldParam(
                field="action",
                kind="text",
                flags=("--action",),
                metavar="TEXT",
                help="Only this action, such as lane.delete, or every action of a domain, such as lane.",
                limits="text, 1 to 120 characters",
                complete="actions",
            ),
            FieldParam(
                field="identity",
                kind="text",
                flags=("--identity",),
                metavar="TEXT",
                help="Only calls of this identity, as an entry names it.",
                limits="text, 1 to 120 characters",
            ),
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="TEXT",
                help="Only calls of this session.",
                limits="text, 1 to 60 characters",
                complete="sessions",
            ),
            FieldParam(
                field="project",
                kind="text",
                flags=("--in-project",),
                metavar="TEXT",
                help="Only calls that worked on this project: id, name or path.",
                limits="text, 1 to 4096 characters",
                complete="projects",
            ),
            FieldParam(
                field="subject",
                kind="text",
                flags=("--subject",),
                metavar="TEXT",
                help="Only calls that worked on what has this id.",
                limits="text, 1 to 120 characters",
            ),
            FieldParam(
                field="outcome",
                kind="text",
                flags=("--outcome",),
                metavar="TEXT",
                help="Only calls that ended so: ok, failed (any error), or an error code such as policy_denied.",
                limits="text, 1 to 60 characters",
            ),
            FieldParam(
                field="since",
                kind="text",
                flags=("--since",),
                metavar="TIME",
                help="Only calls that ended at or after this time.",
                limits="a time like 2026-01-31T09:30:00Z",
            ),
            FieldParam(
                field="until",
                kind="text",
                flags=("--until",),
                metavar="TIME",
                help="Only calls that ended before this time.",
                limits="a time like 2026-01-31T09:30:00Z",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many to return at most.",
                limits="an integer, 1 to 1000; default 50",
            ),
            FieldParam(
                field="cursor",
                kind="text",
                flags=("--cursor",),
                metavar="TEXT",
                help="Where to go on; next of the last answer.",
                limits="text, 1 to 30 characters",
            ),
        ),
        rules=(RuleInfo(kind="at_most_one_of", fields=("identity", "session")),),
        errors=(
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
            ErrorInfo(
                code="project_not_found", exit=4, summary="No registered project has that id, name or path."
            ),
            ErrorInfo(code="project_ambiguous", exit=5, summary="Several projects have that name."),
        ),
        examples=(
            ExampleInfo(
                title="Who made lanes",
                line="ade audit list --action lane.create",
                error=None,
            ),
            ExampleInfo(
                title="Nothing has failed",
                line="ade audit list --outcome failed",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade audit list --cursor nowhere",
                error="invalid_cursor",
            ),
        ),
        skeleton={
            "action": "",
            "identity": "",
            "session": "",
            "project": "",
            "subject": "",
            "outcome": "",
            "since": "",
            "until": "",
            "limit": 50,
            "cursor": "",
        },
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "list": audit_list,
}
