"""Commands of the sessions group. Generated from specs/domains/session.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam


def session_attach() -> ActionCommand:
    return ActionCommand(
        "attach",
        group="sessions",
        action="session.attach",
        tool="attach_session",
        effect="write",
        scope="machine",
        aliases=(),
        summary="Bind a process to a session, so that everything below it is that session even without its token.",
        description="Do so before the agent's own program runs in it. The processes of a session may bind their own descendants only.",
        guidance="",
        fields=(
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="SESSION",
                help="Id of a session, such as ses_01hq3vd5n2kq.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="sessions",
            ),
            FieldParam(
                field="pid",
                kind="integer",
                flags=("--pid",),
                metavar="PID",
                help="Id of the process; default is the one that ran this command, such as your shell.",
                limits="an integer, 2 to 4294967295",
                positional=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="session_not_found", exit=4, summary="No session that the caller may see has that id."
            ),
            ErrorInfo(
                code="session_ended",
                exit=5,
                summary="The session has ended or expired, so nothing can be bound to it any more.",
            ),
            ErrorInfo(
                code="process_not_found",
                exit=4,
                summary="There is no process of the owner's with that id that could belong to a session.",
            ),
            ErrorInfo(
                code="session_process_taken",
                exit=5,
                summary="The process already belongs to another session.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="The process that ran the command",
                line="ade sessions attach SESSION",
                error=None,
            ),
            ExampleInfo(
                title="A process that does not exist",
                line="ade sessions attach SESSION 4194999",
                error="process_not_found",
            ),
            ExampleInfo(
                title="A session nobody started",
                line="ade sessions attach ses_nobody 4194999",
                error="session_not_found",
            ),
        ),
        skeleton={"session": "", "pid": 2},
    )


def session_end() -> ActionCommand:
    return ActionCommand(
        "end",
        group="sessions",
        action="session.end",
        tool="end_session",
        effect="write",
        scope="machine",
        aliases=(),
        summary="End a session; its token and its processes are refused from then on.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="SESSION",
                help="Session to end; default is your own.",
                limits="text, 1 to 60 characters",
                positional=True,
                complete="sessions",
            ),
            FieldParam(
                field="reason",
                kind="text",
                flags=("--reason",),
                metavar="TEXT",
                help="Why, for the log.",
                limits="text, 1 to 200 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="session_not_found", exit=4, summary="No session that the caller may see has that id."
            ),
            ErrorInfo(
                code="session_required",
                exit=2,
                summary="The action works on a session, none was named, and the caller is in none.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A session that is over",
                line="ade sessions end SESSION --reason done",
                error=None,
            ),
            ExampleInfo(
                title="A session nobody started",
                line="ade sessions end ses_nobody",
                error="session_not_found",
            ),
        ),
        skeleton={"session": "", "reason": ""},
    )


def session_list() -> ActionCommand:
    return ActionCommand(
        "list",
        group="sessions",
        action="session.list",
        tool="session_list",
        effect="read",
        scope="machine",
        aliases=(),
        summary="List sessions, the newest first.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="all",
                kind="boolean",
                flags=("--all",),
                metavar="BOOLEAN",
                help="List those that have ended or expired, too.",
                limits="true or false; default false",
                off_flag="--no-all",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many to return at most.",
                limits="an integer, 1 to 1000; default 100",
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
                title="One session",
                line="ade sessions list",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade sessions list --cursor nowhere",
                error="invalid_cursor",
            ),
        ),
        skeleton={"all": False, "limit": 100, "cursor": ""},
    )


def session_show() -> ActionCommand:
    return ActionCommand(
        "show",
        group="sessions",
        action="session.show",
        tool="session_show",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Show one session.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="SESSION",
                help="Session to show; default is your own.",
                limits="text, 1 to 60 characters",
                positional=True,
                complete="sessions",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="session_not_found", exit=4, summary="No session that the caller may see has that id."
            ),
            ErrorInfo(
                code="session_required",
                exit=2,
                summary="The action works on a session, none was named, and the caller is in none.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A session by its id",
                line="ade sessions show SESSION",
                error=None,
            ),
            ExampleInfo(
                title="A session nobody started",
                line="ade sessions show ses_nobody",
                error="session_not_found",
            ),
            ExampleInfo(
                title="The caller's own, outside of every session",
                line="ade sessions show",
                error="session_required",
            ),
        ),
        skeleton={"session": ""},
    )


def session_start() -> ActionCommand:
    return ActionCommand(
        "start",
        group="sessions",
        action="session.start",
        tool="start_session",
        effect="secret",
        scope="machine",
        aliases=(),
        summary="Start a session for an agent that is about to be launched, and give its token.",
        description="The token is given once, here, and kept by nobody: put it into the environment of the agent's process as ADE_SESSION_TOKEN, never on a command line. A repeated call starts another session. A session gets a role no higher than the caller's; a session that starts one passes on its own project, lane, run and mode.",
        guidance="For whoever launches an agent; to give work to another agent, spawn it instead.",
        fields=(
            FieldParam(
                field="role",
                kind="text",
                flags=("--role-value",),
                metavar="TEXT",
                help="Role of the session, at most your own.",
                limits="one of external, evaluator, agent, orchestrator, cto; default agent",
                choices=("external", "evaluator", "agent", "orchestrator", "cto"),
            ),
            FieldParam(
                field="kind",
                kind="text",
                flags=("--kind",),
                metavar="TEXT",
                help="chat: a managed conversation; terminal: an agent program in a terminal; worker: part of a run.",
                limits="one of chat, terminal, worker; default terminal",
                choices=("chat", "terminal", "worker"),
            ),
            FieldParam(
                field="project",
                kind="text",
                flags=("--bind-project",),
                metavar="TEXT",
                help="Project it stays in: id, name or path; default is the caller's.",
                limits="text, 1 to 4096 characters",
                complete="projects",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane it works in, and the only one it may change as an agent.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="TEXT",
                help="Run it is part of.",
                limits="text, 1 to 60 characters",
            ),
            FieldParam(
                field="chat",
                kind="text",
                flags=("--chat",),
                metavar="TEXT",
                help="Chat it belongs to.",
                limits="text, 1 to 60 characters",
            ),
            FieldParam(
                field="provider",
                kind="text",
                flags=("--provider",),
                metavar="TEXT",
                help="The agent program or model provider, such as codex.",
                limits="text, 1 to 60 characters",
            ),
            FieldParam(
                field="title",
                kind="text",
                flags=("--title",),
                metavar="TEXT",
                help="What it is about.",
                limits="text, 1 to 200 characters, matching ^[^\\x00-\\x1f\\x7f-\\x9f]+$",
            ),
            FieldParam(
                field="interaction_mode",
                kind="text",
                flags=("--interaction-mode",),
                metavar="TEXT",
                help="What it does in an orchestrated run: planning, lead, worker or validator.",
                limits="one of planning, lead, worker, validator",
                choices=("planning", "lead", "worker", "validator"),
            ),
            FieldParam(
                field="capability_mode",
                kind="text",
                flags=("--capability-mode",),
                metavar="TEXT",
                help="full_tooling: the agent has ADE's tools; fallback: it reaches ADE by the command line alone.",
                limits="one of full_tooling, fallback; default full_tooling",
                choices=("full_tooling", "fallback"),
            ),
            FieldParam(
                field="standalone",
                kind="boolean",
                flags=("--standalone",),
                metavar="BOOLEAN",
                help="Whether it is a chat that works on nothing.",
                limits="true or false; default false",
                off_flag="--no-standalone",
            ),
            FieldParam(
                field="expires_in",
                kind="duration",
                flags=("--expires-in",),
                metavar="DURATION",
                help="Seconds after which its token stops working by itself.",
                limits="such as 90s, 12m or 2h30m, 1s to 365d",
            ),
            FieldParam(
                field="pid",
                kind="integer",
                flags=("--pid",),
                metavar="INTEGER",
                help="Process whose descendants are the session even without its token.",
                limits="an integer, 2 to 4294967295",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="project_not_found", exit=4, summary="No registered project has that id, name or path."
            ),
            ErrorInfo(code="project_ambiguous", exit=5, summary="Several projects have that name."),
            ErrorInfo(
                code="project_required",
                exit=2,
                summary="The action works on a project and none was named or found.",
            ),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="process_not_found",
                exit=4,
                summary="There is no process of the owner's with that id that could belong to a session.",
            ),
            ErrorInfo(
                code="session_process_taken",
                exit=5,
                summary="The process already belongs to another session.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="An agent in a lane",
                line="ade sessions start --lane fix-login --provider codex",
                error=None,
            ),
            ExampleInfo(
                title="A role above the caller's",
                line="ade sessions start --role-value cto",
                error="policy_denied",
            ),
        ),
        skeleton={
            "role": "agent",
            "kind": "terminal",
            "project": "",
            "lane": "",
            "run": "",
            "chat": "",
            "provider": "",
            "title": "",
            "interaction_mode": "planning",
            "capability_mode": "full_tooling",
            "standalone": False,
            "expires_in": 1,
            "pid": 2,
        },
    )


def session_verify() -> ActionCommand:
    return ActionCommand(
        "verify",
        group="sessions",
        action="session.verify",
        tool="session_verify",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Prove that the session log is whole and that the sessions are as it says.",
        description="",
        guidance="",
        fields=(),
        rules=(),
        errors=(),
        examples=(
            ExampleInfo(
                title="A log that is whole",
                line="ade sessions verify",
                error=None,
            ),
        ),
        skeleton={},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "attach": session_attach,
    "end": session_end,
    "list": session_list,
    "show": session_show,
    "start": session_start,
    "verify": session_verify,
}
