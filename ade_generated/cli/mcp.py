"""Commands of the mcp group. Generated from specs/domains/mcp.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam, RuleInfo


def mcp_config() -> ActionCommand:
    return ActionCommand(
        "config",
        group="mcp",
        action="mcp.config",
        tool="configure_mcp_client",
        effect="write",
        scope="machine",
        aliases=(),
        summary="Print what a client's file needs to have ADE's tools, put it there, or take it out again.",
        description="Comments and everything else in the file stay; a copy of the file as it was is kept; doing it again changes nothing, and undo gives the file back to the byte where nobody else has changed it since. The client starts ade itself, or with lease talks to the endpoint. No token is written into any file.",
        guidance="",
        fields=(
            FieldParam(
                field="client",
                kind="text",
                flags=("--client",),
                metavar="CLIENT",
                help="A program that speaks MCP: claude, codex, cursor, droid, opencode, vscode or zed.",
                limits="one of claude, codex, cursor, droid, opencode, vscode, zed",
                required=True,
                positional=True,
                choices=("claude", "codex", "cursor", "droid", "opencode", "vscode", "zed"),
            ),
            FieldParam(
                field="place",
                kind="text",
                flags=("--place",),
                metavar="TEXT",
                help="user: its file for all of your work; project: the one in the project.",
                limits="one of user, project; default user",
                choices=("user", "project"),
            ),
            FieldParam(
                field="file",
                kind="text",
                flags=("--file",),
                metavar="TEXT",
                help="File to use instead, such as config.toml in $CODEX_HOME.",
                limits="text, 1 to 4096 characters",
            ),
            FieldParam(
                field="lease",
                kind="text",
                flags=("--lease",),
                metavar="TEXT",
                help="Lease whose address the client gets instead of a program to start.",
                limits="text, 1 to 60 characters",
                complete="leases",
            ),
            FieldParam(
                field="write",
                kind="boolean",
                flags=("--write",),
                metavar="BOOLEAN",
                help="Put it into the file.",
                limits="true or false",
                off_flag="--no-write",
            ),
            FieldParam(
                field="undo",
                kind="boolean",
                flags=("--undo",),
                metavar="BOOLEAN",
                help="Take it out of the file again.",
                limits="true or false",
                off_flag="--no-undo",
            ),
        ),
        rules=(RuleInfo(kind="at_most_one_of", fields=("write", "undo")),),
        errors=(
            ErrorInfo(
                code="lease_not_found",
                exit=4,
                summary="There is no lease with that id, or it ended long ago.",
            ),
            ErrorInfo(
                code="mcp_entry_exists",
                exit=5,
                summary="The client's file has an entry named ade that ade did not put there.",
            ),
            ErrorInfo(code="mcp_file_unusable", exit=1, summary="A client's file cannot be read or changed."),
            ErrorInfo(
                code="install_blocked",
                exit=5,
                summary="Something that ade did not make is where it would be installed, or the place cannot be used; nothing was changed.",
            ),
            ErrorInfo(
                code="project_required",
                exit=2,
                summary="The action works on a project and none was named or found.",
            ),
            ErrorInfo(
                code="project_not_found", exit=4, summary="No registered project has that id, name or path."
            ),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
        ),
        examples=(
            ExampleInfo(
                title="What Codex needs",
                line="ade mcp config codex --file /nonexistent/ade-sample/config.toml",
                error=None,
            ),
            ExampleInfo(
                title="In the project",
                line="ade mcp config opencode --place project --write",
                error=None,
            ),
            ExampleInfo(
                title="What was never put there",
                line="ade mcp config cursor --place project --undo",
                error=None,
            ),
            ExampleInfo(
                title="A lease nobody was given",
                line="ade mcp config droid --lease lse_nobody",
                error="lease_not_found",
            ),
        ),
        skeleton={
            "client": "claude",
            "place": "user",
            "file": "",
            "lease": "",
            "write": False,
            "undo": False,
        },
    )


def mcp_lease() -> ActionCommand:
    return ActionCommand(
        "lease",
        group="mcp",
        action="mcp.lease",
        tool="lease_mcp",
        effect="secret",
        scope="machine",
        aliases=(),
        summary="Give a session's tools to a client that speaks MCP over HTTP, for a time.",
        description="The token is given once, here, and kept by nobody. The client sends it as a bearer token with every request, and its own address; put it into the client's environment or its own settings, never on a command line. The lease ends when it expires, is revoked, or its session ends. A repeated call gives another lease.",
        guidance="For whoever launches a program that takes MCP servers over HTTP; a program that starts one itself runs `ade mcp`.",
        fields=(
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="SESSION",
                help="Session whose tools it gives; default is your own.",
                limits="text, 1 to 60 characters",
                positional=True,
                complete="sessions",
            ),
            FieldParam(
                field="client",
                kind="text",
                flags=("--client",),
                metavar="TEXT",
                help="For whom it is, such as opencode.",
                limits="text, 1 to 60 characters",
            ),
            FieldParam(
                field="shape",
                kind="text",
                flags=("--shape",),
                metavar="TEXT",
                help="text: results are text alone; both: with the structured part, which holds the same facts.",
                limits="one of text, both; default text",
                choices=("text", "both"),
            ),
            FieldParam(
                field="tools",
                kind="text",
                flags=("--tools",),
                metavar="TEXT",
                help="first: about a dozen tools, by which the others are found and called; all: every tool.",
                limits="one of first, all; default first",
                choices=("first", "all"),
            ),
            FieldParam(
                field="expires_in",
                kind="duration",
                flags=("--expires-in",),
                metavar="DURATION",
                help="Seconds after which it stops working by itself.",
                limits="such as 90s, 12m or 2h30m, 1s to 30d; default 12h",
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
                code="session_required",
                exit=2,
                summary="The action works on a session, none was named, and the caller is in none.",
            ),
            ErrorInfo(code="endpoint_unavailable", exit=7, summary="The MCP endpoint cannot be had here."),
        ),
        examples=(
            ExampleInfo(
                title="A lease for a program",
                line="ade mcp lease SESSION --client opencode",
                error=None,
            ),
            ExampleInfo(
                title="No session to lease",
                line="ade mcp lease",
                error="session_required",
            ),
            ExampleInfo(
                title="A session nobody started",
                line="ade mcp lease ses_nobody",
                error="session_not_found",
            ),
        ),
        skeleton={"session": "", "client": "", "shape": "text", "tools": "first", "expires_in": 43200},
    )


def mcp_leases() -> ActionCommand:
    return ActionCommand(
        "leases",
        group="mcp",
        action="mcp.leases",
        tool="list_mcp_leases",
        effect="read",
        scope="machine",
        aliases=(),
        summary="List the leases of the MCP endpoint, the newest first.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="TEXT",
                help="Only those of this session.",
                limits="text, 1 to 60 characters",
                complete="sessions",
            ),
            FieldParam(
                field="all",
                kind="boolean",
                flags=("--all",),
                metavar="BOOLEAN",
                help="List those that no longer work, too.",
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
            ErrorInfo(
                code="session_not_found", exit=4, summary="No session that the caller may see has that id."
            ),
        ),
        examples=(
            ExampleInfo(
                title="One lease",
                line="ade mcp leases",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade mcp leases --cursor nowhere",
                error="invalid_cursor",
            ),
        ),
        skeleton={"session": "", "all": False, "limit": 100, "cursor": ""},
    )


def mcp_revoke() -> ActionCommand:
    return ActionCommand(
        "revoke",
        group="mcp",
        action="mcp.revoke",
        tool="revoke_mcp_lease",
        effect="write",
        scope="machine",
        aliases=(),
        summary="End a lease; its token is refused from then on.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="lease",
                kind="text",
                flags=("--lease",),
                metavar="LEASE",
                help="Id of a lease, such as lse_01hq3vd5n2kq.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="leases",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="lease_not_found",
                exit=4,
                summary="There is no lease with that id, or it ended long ago.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A lease that is no longer needed",
                line="ade mcp revoke LEASE",
                error=None,
            ),
            ExampleInfo(
                title="A lease nobody was given",
                line="ade mcp revoke lse_nobody",
                error="lease_not_found",
            ),
        ),
        skeleton={"lease": ""},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "config": mcp_config,
    "lease": mcp_lease,
    "leases": mcp_leases,
    "revoke": mcp_revoke,
}
