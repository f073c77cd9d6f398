"""Commands of the processes group. Generated from specs/domains/process.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam


def process_definitions() -> ActionCommand:
    return ActionCommand(
        "definitions",
        group="processes",
        action="process.definitions",
        tool="process_definitions",
        effect="read",
        scope="project",
        aliases=(),
        summary="List the processes that the project's configuration defines.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane whose runs to show; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
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
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="config_invalid",
                exit=1,
                summary="The project's .ade/config.yaml has faults; details list them by line and column.",
            ),
            ErrorInfo(
                code="config_unreadable",
                exit=1,
                summary="The project's .ade/config.yaml cannot be read or written, or is no plain file.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
        ),
        examples=(
            ExampleInfo(
                title="One process that nobody trusted yet",
                line="ade processes definitions",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade processes definitions --cursor nowhere",
                error="invalid_cursor",
            ),
        ),
        skeleton={"lane": "", "limit": 100, "cursor": ""},
    )


def process_list() -> ActionCommand:
    return ActionCommand(
        "list",
        group="processes",
        action="process.list",
        tool="process_list",
        effect="read",
        scope="project",
        aliases=(),
        summary="List the runs of processes, the newest first.",
        description="The last run of each process in each lane; all lists the earlier ones too, as long as they are kept.",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Only those in this lane.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="all",
                kind="boolean",
                flags=("--all",),
                metavar="BOOLEAN",
                help="List earlier runs, too.",
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
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
        ),
        examples=(
            ExampleInfo(
                title="One that runs",
                line="ade processes list",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade processes list --cursor nowhere",
                error="invalid_cursor",
            ),
        ),
        skeleton={"lane": "", "all": False, "limit": 100, "cursor": ""},
    )


def process_logs() -> ActionCommand:
    return ActionCommand(
        "logs",
        group="processes",
        action="process.logs",
        tool="process_logs",
        effect="read",
        scope="project",
        aliases=(),
        summary="Read what a process has printed, both its standard output and its errors.",
        description="Without a cursor it is the last of it. To follow it, give next of the last answer as the cursor, with wait. Only the last few megabytes of a run are kept; dropped tells how many bytes between the cursor and what is given are gone.",
        guidance="",
        fields=(
            FieldParam(
                field="process",
                kind="text",
                flags=("--process",),
                metavar="PROCESS",
                help="Name of a process in .ade/config.yaml, or id of one of its runs.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="processes",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane it runs in; default is the caller's own, else what its definition says.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="cursor",
                kind="integer",
                flags=("--cursor",),
                metavar="INTEGER",
                help="Where to go on; next of the last answer.",
                limits="an integer, 0 to 9007199254740991",
            ),
            FieldParam(
                field="max_bytes",
                kind="integer",
                flags=("--max-bytes",),
                metavar="INTEGER",
                help="Most bytes of output to give.",
                limits="an integer, 16 to 262144; default 16384",
            ),
            FieldParam(
                field="plain",
                kind="boolean",
                flags=("--plain",),
                metavar="BOOLEAN",
                help="Leave out colours and other control sequences.",
                limits="true or false; default true",
                off_flag="--no-plain",
            ),
            FieldParam(
                field="wait",
                kind="number",
                flags=("--wait",),
                metavar="NUMBER",
                help="Seconds to wait for output after the cursor, where there is none yet.",
                limits="a number, 0.0 to 60.0; default 0.0",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="process_run_not_found",
                exit=4,
                summary="There is no run of that process in the lane, or none that is still kept.",
            ),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
            ErrorInfo(
                code="config_invalid",
                exit=1,
                summary="The project's .ade/config.yaml has faults; details list them by line and column.",
            ),
            ErrorInfo(
                code="config_unreadable",
                exit=1,
                summary="The project's .ade/config.yaml cannot be read or written, or is no plain file.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
        ),
        examples=(
            ExampleInfo(
                title="A greeting",
                line="ade processes logs idle --cursor 0 --wait 30",
                error=None,
            ),
            ExampleInfo(
                title="One that was never started",
                line="ade processes logs idle",
                error="process_run_not_found",
            ),
        ),
        skeleton={"process": "", "lane": "", "cursor": 0, "max_bytes": 16384, "plain": True, "wait": 0.0},
    )


def process_restart() -> ActionCommand:
    return ActionCommand(
        "restart",
        group="processes",
        action="process.restart",
        tool="process_restart",
        effect="write",
        scope="project",
        aliases=(),
        summary="Stop a process, if it runs, and start it as it is defined now.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="process",
                kind="text",
                flags=("--process",),
                metavar="PROCESS",
                help="Name of a process in .ade/config.yaml.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="processes",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane it runs in; default is the caller's own, else what its definition says.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="wait",
                kind="boolean",
                flags=("--wait",),
                metavar="BOOLEAN",
                help="Wait until it is ready, as its definition tells.",
                limits="true or false; default true",
                off_flag="--no-wait",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="process_not_defined",
                exit=4,
                summary="The project's configuration defines no process of that name.",
            ),
            ErrorInfo(
                code="process_port_taken",
                exit=5,
                summary="Another program takes connections on the port that the process needs; it was not started.",
            ),
            ErrorInfo(
                code="process_failed", exit=1, summary="The process ended with a failure before it was ready."
            ),
            ErrorInfo(
                code="process_not_ready",
                exit=124,
                summary="The process was not ready in time; it goes on running.",
            ),
            ErrorInfo(
                code="command_not_started",
                exit=1,
                summary="The command could not be started; nothing of it runs.",
            ),
            ErrorInfo(
                code="folder_not_in_lane",
                exit=2,
                summary="The folder to work in does not exist or lies outside of the lane.",
            ),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="lane_busy", exit=5, summary="Another call is at work on the lane."),
            ErrorInfo(
                code="config_untrusted",
                exit=3,
                summary="The configuration names a command that the owner has not trusted yet, or that changed since.",
            ),
            ErrorInfo(
                code="config_invalid",
                exit=1,
                summary="The project's .ade/config.yaml has faults; details list them by line and column.",
            ),
            ErrorInfo(
                code="config_unreadable",
                exit=1,
                summary="The project's .ade/config.yaml cannot be read or written, or is no plain file.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
            ErrorInfo(
                code="session_ended",
                exit=5,
                summary="The session has ended or expired, so nothing can be bound to it any more.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="One that runs",
                line="ade processes restart idle",
                error=None,
            ),
            ExampleInfo(
                title="One that is not defined",
                line="ade processes restart nowhere",
                error="process_not_defined",
            ),
        ),
        skeleton={"process": "", "lane": "", "wait": True},
    )


def process_start() -> ActionCommand:
    return ActionCommand(
        "start",
        group="processes",
        action="process.start",
        tool="process_start",
        effect="write",
        scope="project",
        aliases=(),
        summary="Start a process of the project, unless it runs already.",
        description="It goes on when the runtime ends, and is started again as its definition says, with longer and longer pauses, until it fails five times in a row. The owner has to trust the configuration first.",
        guidance="Start servers this way, not in a shell of your own; read what they print with process_logs.",
        fields=(
            FieldParam(
                field="process",
                kind="text",
                flags=("--process",),
                metavar="PROCESS",
                help="Name of a process in .ade/config.yaml.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="processes",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to run it in; default is the caller's own, else what its definition says.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="wait",
                kind="boolean",
                flags=("--wait",),
                metavar="BOOLEAN",
                help="Wait until it is ready, as its definition tells.",
                limits="true or false; default true",
                off_flag="--no-wait",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="process_not_defined",
                exit=4,
                summary="The project's configuration defines no process of that name.",
            ),
            ErrorInfo(
                code="process_port_taken",
                exit=5,
                summary="Another program takes connections on the port that the process needs; it was not started.",
            ),
            ErrorInfo(
                code="process_failed", exit=1, summary="The process ended with a failure before it was ready."
            ),
            ErrorInfo(
                code="process_not_ready",
                exit=124,
                summary="The process was not ready in time; it goes on running.",
            ),
            ErrorInfo(
                code="command_not_started",
                exit=1,
                summary="The command could not be started; nothing of it runs.",
            ),
            ErrorInfo(
                code="folder_not_in_lane",
                exit=2,
                summary="The folder to work in does not exist or lies outside of the lane.",
            ),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="lane_busy", exit=5, summary="Another call is at work on the lane."),
            ErrorInfo(
                code="config_untrusted",
                exit=3,
                summary="The configuration names a command that the owner has not trusted yet, or that changed since.",
            ),
            ErrorInfo(
                code="config_invalid",
                exit=1,
                summary="The project's .ade/config.yaml has faults; details list them by line and column.",
            ),
            ErrorInfo(
                code="config_unreadable",
                exit=1,
                summary="The project's .ade/config.yaml cannot be read or written, or is no plain file.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
            ErrorInfo(
                code="session_ended",
                exit=5,
                summary="The session has ended or expired, so nothing can be bound to it any more.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A process that the owner trusts",
                line="ade processes start idle",
                error=None,
            ),
            ExampleInfo(
                title="One that runs already",
                line="ade processes start idle",
                error=None,
            ),
            ExampleInfo(
                title="One that ends at once with a failure",
                line="ade processes start broken",
                error="process_failed",
            ),
            ExampleInfo(
                title="One that nobody trusted yet",
                line="ade processes start web",
                error="config_untrusted",
            ),
            ExampleInfo(
                title="One that is not defined",
                line="ade processes start nowhere",
                error="process_not_defined",
            ),
        ),
        skeleton={"process": "", "lane": "", "wait": True},
    )


def process_start_all() -> ActionCommand:
    return ActionCommand(
        "start-all",
        group="processes",
        action="process.start_all",
        tool="process_start_all",
        effect="write",
        scope="project",
        aliases=(),
        summary="Start every process of the project that does not run.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to run them in; default is the caller's own, else what each definition says.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="wait",
                kind="boolean",
                flags=("--wait",),
                metavar="BOOLEAN",
                help="Wait for each until it is ready, as its definition tells.",
                limits="true or false; default true",
                off_flag="--no-wait",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="config_untrusted",
                exit=3,
                summary="The configuration names a command that the owner has not trusted yet, or that changed since.",
            ),
            ErrorInfo(
                code="config_invalid",
                exit=1,
                summary="The project's .ade/config.yaml has faults; details list them by line and column.",
            ),
            ErrorInfo(
                code="config_unreadable",
                exit=1,
                summary="The project's .ade/config.yaml cannot be read or written, or is no plain file.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
        ),
        examples=(
            ExampleInfo(
                title="One that works and one that does not",
                line="ade processes start-all",
                error=None,
            ),
            ExampleInfo(
                title="A configuration that nobody trusted yet",
                line="ade processes start-all",
                error="config_untrusted",
            ),
        ),
        skeleton={"lane": "", "wait": True},
    )


def process_stop() -> ActionCommand:
    return ActionCommand(
        "stop",
        group="processes",
        action="process.stop",
        tool="process_stop",
        effect="write",
        scope="project",
        aliases=(),
        summary="Stop a process with everything it started.",
        description="It is asked with the signal of its definition and killed after its time. One that has ended is told as it is; an orphaned one is ended, too, known by its pid together with its start time.",
        guidance="",
        fields=(
            FieldParam(
                field="process",
                kind="text",
                flags=("--process",),
                metavar="PROCESS",
                help="Name of a process in .ade/config.yaml, or id of one of its runs.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="processes",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane it runs in; default is the caller's own, else what its definition says.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="grace",
                kind="number",
                flags=("--grace",),
                metavar="NUMBER",
                help="Seconds after which what is left is killed; default is its definition's.",
                limits="a number, 0.0 to 600.0",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="process_run_not_found",
                exit=4,
                summary="There is no run of that process in the lane, or none that is still kept.",
            ),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="config_invalid",
                exit=1,
                summary="The project's .ade/config.yaml has faults; details list them by line and column.",
            ),
            ErrorInfo(
                code="config_unreadable",
                exit=1,
                summary="The project's .ade/config.yaml cannot be read or written, or is no plain file.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
        ),
        examples=(
            ExampleInfo(
                title="One that runs",
                line="ade processes stop idle",
                error=None,
            ),
            ExampleInfo(
                title="One that was never started",
                line="ade processes stop idle",
                error="process_run_not_found",
            ),
        ),
        skeleton={"process": "", "lane": "", "grace": 0},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "definitions": process_definitions,
    "list": process_list,
    "logs": process_logs,
    "restart": process_restart,
    "start": process_start,
    "start-all": process_start_all,
    "stop": process_stop,
}
