"""Commands of the agents group. Generated from specs/domains/agent.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam


def agent_list() -> ActionCommand:
    return ActionCommand(
        "list",
        group="agents",
        action="agent.list",
        tool="agent_list",
        effect="read",
        scope="project",
        aliases=(),
        summary="List the agents in terminals of a project, the newest first; managed chats are in `ade chats list`.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Only those of this lane.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="all",
                kind="boolean",
                flags=("--all",),
                metavar="BOOLEAN",
                help="List those that have ended, too.",
                limits="true or false; default false",
                off_flag="--no-all",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many to return at most.",
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
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
        ),
        examples=(
            ExampleInfo(
                title="One agent",
                line="ade agents list",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade agents list --cursor nowhere",
                error="invalid_cursor",
            ),
        ),
        skeleton={"lane": "", "all": False, "limit": 50, "cursor": ""},
    )


def agent_show() -> ActionCommand:
    return ActionCommand(
        "show",
        group="agents",
        action="agent.show",
        tool="get_agent",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Show an agent in a terminal, and how it ended.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="agent",
                kind="text",
                flags=("--agent",),
                metavar="AGENT",
                help="Id of an agent in a terminal, such as trm_01hq3vd5n2kq, or of its session.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="agents",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="agent_not_found",
                exit=4,
                summary="No agent in a terminal that the caller may see has that id.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="An agent at work",
                line="ade agents show AGENT",
                error=None,
            ),
            ExampleInfo(
                title="By its session",
                line="ade agents show SESSION",
                error=None,
            ),
            ExampleInfo(
                title="A terminal without an agent",
                line="ade agents show TERMINAL",
                error="agent_not_found",
            ),
        ),
        skeleton={"agent": ""},
    )


def agent_spawn() -> ActionCommand:
    return ActionCommand(
        "spawn",
        group="agents",
        action="agent.spawn",
        tool="spawn_agent",
        effect="write",
        scope="project",
        aliases=(),
        summary="Start an agent program in a terminal of its own in a lane.",
        description="It is the program's own screen, as a person would start it: watch it with `ade terminals read`, answer it with `ade terminals attach`. It gets a session of its own, which ends with it, and its task in a file that only you can read.",
        guidance="Starts a second agent that a person can watch and answer in a terminal; give it its own lane and a whole task.",
        fields=(
            FieldParam(
                field="prompt",
                kind="text",
                flags=("--prompt",),
                metavar="PROMPT",
                help="Its task.",
                limits="text, 1 to 100000 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane it works in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="provider",
                kind="text",
                flags=("-p", "--provider"),
                metavar="TEXT",
                help="Agent program: claude or codex.",
                limits="text, 1 to 40 characters; default claude",
            ),
            FieldParam(
                field="model",
                kind="text",
                flags=("-m", "--model"),
                metavar="TEXT",
                help="Model to use; default is the program's own.",
                limits="text, 1 to 100 characters, matching ^[A-Za-z0-9][A-Za-z0-9._:/@\\[\\]-]*$",
            ),
            FieldParam(
                field="permission_mode",
                kind="text",
                flags=("--permission-mode",),
                metavar="TEXT",
                help="How much the agent may do unasked. default: what the program allows by itself; auto: what its own judge allows; plan: nothing but reading; edit: edits in its lane; full-auto: everything.",
                limits="one of default, auto, plan, edit, full-auto; default default",
                choices=("default", "auto", "plan", "edit", "full-auto"),
            ),
            FieldParam(
                field="allowed_tools",
                kind="text",
                flags=("--allowed-tools",),
                metavar="TEXT",
                help="Tools that it may use unasked, in the program's words, such as Edit or Bash(git status); where it has such a list.",
                limits="a list of 1 to 100 items, each text, at most 300 characters, matching ^[A-Za-z][A-Za-z0-9_]*(\\([^(),]+\\))?$",
                many=True,
            ),
            FieldParam(
                field="context_file",
                kind="text",
                flags=("--context-file",),
                metavar="TEXT",
                help="File of the lane to read before it begins, relative to the lane.",
                limits="text, 1 to 4096 characters",
            ),
            FieldParam(
                field="title",
                kind="text",
                flags=("-t", "--title"),
                metavar="TEXT",
                help="What it is about; default is the beginning of the prompt.",
                limits="text, 1 to 200 characters, matching ^[^\\x00-\\x1f\\x7f-\\x9f]+$",
            ),
            FieldParam(
                field="rows",
                kind="integer",
                flags=("--rows",),
                metavar="INTEGER",
                help="Height of its terminal in lines.",
                limits="an integer, 1 to 1000; default 40",
            ),
            FieldParam(
                field="columns",
                kind="integer",
                flags=("--columns",),
                metavar="INTEGER",
                help="Width of its terminal in characters.",
                limits="an integer, 1 to 2000; default 120",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_required",
                exit=2,
                summary="The action writes and neither a lane was named nor the caller is inside one.",
            ),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="lane_busy", exit=5, summary="Another call is at work on the lane."),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
            ErrorInfo(code="unknown_provider", exit=4, summary="No such provider."),
            ErrorInfo(
                code="no_terminal_program",
                exit=2,
                summary="The provider is for managed chats only; ADE starts no program of it in a terminal.",
            ),
            ErrorInfo(
                code="unsupported_mode", exit=2, summary="The provider cannot hold the permission mode."
            ),
            ErrorInfo(
                code="no_tool_list",
                exit=2,
                summary="The program takes no list of tools that it may use unasked.",
            ),
            ErrorInfo(
                code="agent_program_missing",
                exit=7,
                summary="The agent program is not installed, or not where ADE looks for it.",
            ),
            ErrorInfo(
                code="context_not_in_lane",
                exit=2,
                summary="The context file does not exist or lies outside of the lane.",
            ),
            ErrorInfo(
                code="folder_not_in_lane",
                exit=2,
                summary="The folder to work in does not exist or lies outside of the lane.",
            ),
            ErrorInfo(
                code="command_not_started",
                exit=1,
                summary="The command could not be started; nothing of it runs.",
            ),
            ErrorInfo(
                code="too_many_terminals",
                exit=5,
                summary="The project has as many terminals as it may have at a time.",
            ),
            ErrorInfo(
                code="session_ended",
                exit=5,
                summary="The session has ended or expired, so nothing can be bound to it any more.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="An agent in a lane",
                line="ade agents spawn 'Fix the login.' --lane fix-login --provider codex --permission-mode plan",
                error=None,
            ),
            ExampleInfo(
                title="A program that ADE does not know",
                line="ade agents spawn 'Fix the login.' --lane fix-login --provider clod",
                error="unknown_provider",
            ),
            ExampleInfo(
                title="A list of tools for a program that takes none",
                line="ade agents spawn 'Fix the login.' --lane fix-login --provider codex --allowed-tools Edit",
                error="no_tool_list",
            ),
            ExampleInfo(
                title="A context file outside of the lane",
                line="ade agents spawn 'Fix the login.' --lane fix-login --context-file ../../.git/config",
                error="context_not_in_lane",
            ),
            ExampleInfo(
                title="No lane to work in",
                line="ade agents spawn 'Fix the login.'",
                error="lane_required",
            ),
        ),
        skeleton={
            "prompt": "",
            "lane": "",
            "provider": "claude",
            "model": "",
            "permission_mode": "default",
            "allowed_tools": [""],
            "context_file": "",
            "title": "",
            "rows": 40,
            "columns": 120,
        },
    )


def agent_stop() -> ActionCommand:
    return ActionCommand(
        "stop",
        group="agents",
        action="agent.stop",
        tool="stop_agent",
        effect="write",
        scope="machine",
        aliases=(),
        summary="End an agent in a terminal with everything that it started; its token is revoked first.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="agent",
                kind="text",
                flags=("--agent",),
                metavar="AGENT",
                help="Id of an agent in a terminal, such as trm_01hq3vd5n2kq, or of its session.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="agents",
            ),
            FieldParam(
                field="grace",
                kind="number",
                flags=("--grace",),
                metavar="NUMBER",
                help="Seconds after which what is left is killed.",
                limits="a number, 0.0 to 60.0; default 5.0",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="agent_not_found",
                exit=4,
                summary="No agent in a terminal that the caller may see has that id.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="An agent at work",
                line="ade agents stop AGENT",
                error=None,
            ),
            ExampleInfo(
                title="An agent that nobody started",
                line="ade agents stop trm_nobody",
                error="agent_not_found",
            ),
        ),
        skeleton={"agent": "", "grace": 5.0},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "list": agent_list,
    "show": agent_show,
    "spawn": agent_spawn,
    "stop": agent_stop,
}
