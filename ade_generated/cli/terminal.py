"""Commands of the terminals group. Generated from specs/domains/terminal.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam, RuleInfo


def terminal_attach() -> ActionCommand:
    return ActionCommand(
        "attach",
        group="terminals",
        action="terminal.attach",
        tool="terminal_attach",
        effect="write",
        scope="machine",
        aliases=(),
        summary="Connect your own terminal to one of ADE's, until you detach or it ends.",
        description="On a terminal the command shows what was printed lately and then passes on every key; the detach key leaves without ending anything. Elsewhere it tells how to connect.",
        guidance="",
        fields=(
            FieldParam(
                field="terminal",
                kind="text",
                flags=("--terminal",),
                metavar="TERMINAL",
                help="Id of a terminal, such as trm_01hq3vd5n2kq.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="terminals",
            ),
            FieldParam(
                field="detach_key",
                kind="text",
                flags=("--detach-key",),
                metavar="TEXT",
                help="Key that leaves it running, or none; ctrl-\\ at first.",
                limits="text, matching ^(ctrl-[a-z\\[\\]^_\\\\]|none)$; default ctrl-\\",
            ),
            FieldParam(
                field="replay",
                kind="integer",
                flags=("--replay",),
                metavar="INTEGER",
                help="How many bytes of what was printed before to show.",
                limits="an integer, 0 to 1048576; default 65536",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="terminal_not_found", exit=4, summary="No terminal that the caller may see has that id."
            ),
            ErrorInfo(
                code="terminal_ended",
                exit=5,
                summary="The program in the terminal has ended, so nothing can be done with it any more.",
            ),
            ErrorInfo(
                code="terminal_out_of_reach",
                exit=5,
                summary="The program runs, but the process that holds its terminal was killed or does not answer, so it can only be ended.",
            ),
            ErrorInfo(
                code="terminal_is_own",
                exit=5,
                summary="The terminal is the one that the command was typed in.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="How to connect",
                line="ade terminals attach TERMINAL",
                error=None,
            ),
            ExampleInfo(
                title="A terminal that nobody started",
                line="ade terminals attach trm_nobody",
                error="terminal_not_found",
            ),
        ),
        skeleton={"terminal": "", "detach_key": "ctrl-\\", "replay": 65536},
    )


def terminal_close() -> ActionCommand:
    return ActionCommand(
        "close",
        group="terminals",
        action="terminal.close",
        tool="terminal_close",
        effect="write",
        scope="machine",
        aliases=(),
        summary="End a terminal with everything that was started in it.",
        description="Its programs are told to end, and killed after the time of grace, those that hide in the background too. What it printed stays readable for some days.",
        guidance="",
        fields=(
            FieldParam(
                field="terminal",
                kind="text",
                flags=("--terminal",),
                metavar="TERMINAL",
                help="Id of a terminal, such as trm_01hq3vd5n2kq.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="terminals",
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
                code="terminal_not_found", exit=4, summary="No terminal that the caller may see has that id."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A program that sleeps",
                line="ade terminals close TERMINAL",
                error=None,
            ),
            ExampleInfo(
                title="A terminal that nobody started",
                line="ade terminals close trm_nobody",
                error="terminal_not_found",
            ),
        ),
        skeleton={"terminal": "", "grace": 5.0},
    )


def terminal_list() -> ActionCommand:
    return ActionCommand(
        "list",
        group="terminals",
        action="terminal.list",
        tool="terminal_list",
        effect="read",
        scope="project",
        aliases=(),
        summary="List the terminals of a project, the newest first.",
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
                title="One terminal",
                line="ade terminals list",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade terminals list --cursor nowhere",
                error="invalid_cursor",
            ),
        ),
        skeleton={"lane": "", "all": False, "limit": 100, "cursor": ""},
    )


def terminal_read() -> ActionCommand:
    return ActionCommand(
        "read",
        group="terminals",
        action="terminal.read",
        tool="terminal_read",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Read what a terminal has printed.",
        description="Without a cursor it is the last of it. To follow a terminal, give next of the last answer as the cursor, with wait. Only the last megabyte or so is kept; dropped tells how many bytes between the cursor and what is given are gone.",
        guidance="",
        fields=(
            FieldParam(
                field="terminal",
                kind="text",
                flags=("--terminal",),
                metavar="TERMINAL",
                help="Id of a terminal, such as trm_01hq3vd5n2kq.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="terminals",
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
                code="terminal_not_found", exit=4, summary="No terminal that the caller may see has that id."
            ),
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A greeting",
                line="ade terminals read TERMINAL --cursor 0 --wait 30",
                error=None,
            ),
            ExampleInfo(
                title="A cursor after the end",
                line="ade terminals read TERMINAL --cursor 1000000",
                error="invalid_cursor",
            ),
            ExampleInfo(
                title="A terminal that nobody started",
                line="ade terminals read trm_nobody",
                error="terminal_not_found",
            ),
        ),
        skeleton={"terminal": "", "cursor": 0, "max_bytes": 16384, "plain": True, "wait": 0.0},
    )


def terminal_resize() -> ActionCommand:
    return ActionCommand(
        "resize",
        group="terminals",
        action="terminal.resize",
        tool="terminal_resize",
        effect="write",
        scope="machine",
        aliases=(),
        summary="Change the size of a terminal; the program in it is told.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="terminal",
                kind="text",
                flags=("--terminal",),
                metavar="TERMINAL",
                help="Id of a terminal, such as trm_01hq3vd5n2kq.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="terminals",
            ),
            FieldParam(
                field="rows",
                kind="integer",
                flags=("--rows",),
                metavar="ROWS",
                help="Height in lines.",
                limits="an integer, 1 to 1000",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="columns",
                kind="integer",
                flags=("--columns",),
                metavar="COLUMNS",
                help="Width in characters.",
                limits="an integer, 1 to 2000",
                required=True,
                positional=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="terminal_not_found", exit=4, summary="No terminal that the caller may see has that id."
            ),
            ErrorInfo(
                code="terminal_ended",
                exit=5,
                summary="The program in the terminal has ended, so nothing can be done with it any more.",
            ),
            ErrorInfo(
                code="terminal_out_of_reach",
                exit=5,
                summary="The program runs, but the process that holds its terminal was killed or does not answer, so it can only be ended.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A larger one",
                line="ade terminals resize TERMINAL 50 132",
                error=None,
            ),
            ExampleInfo(
                title="A terminal that nobody started",
                line="ade terminals resize trm_nobody 50 132",
                error="terminal_not_found",
            ),
        ),
        skeleton={"terminal": "", "rows": 1, "columns": 1},
    )


def terminal_signal() -> ActionCommand:
    return ActionCommand(
        "signal",
        group="terminals",
        action="terminal.signal",
        tool="terminal_signal",
        effect="write",
        scope="machine",
        aliases=(),
        summary="Send a signal to the programs in a terminal.",
        description="INT, QUIT, TSTP and WINCH go to the program in front, as from a keyboard; the others to everything in the terminal.",
        guidance="",
        fields=(
            FieldParam(
                field="terminal",
                kind="text",
                flags=("--terminal",),
                metavar="TERMINAL",
                help="Id of a terminal, such as trm_01hq3vd5n2kq.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="terminals",
            ),
            FieldParam(
                field="signal",
                kind="text",
                flags=("--signal",),
                metavar="SIGNAL",
                help="Name of a signal without SIG.",
                limits="one of HUP, INT, QUIT, TERM, KILL, USR1, USR2, STOP, TSTP, CONT, WINCH",
                required=True,
                positional=True,
                choices=(
                    "HUP",
                    "INT",
                    "QUIT",
                    "TERM",
                    "KILL",
                    "USR1",
                    "USR2",
                    "STOP",
                    "TSTP",
                    "CONT",
                    "WINCH",
                ),
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="terminal_not_found", exit=4, summary="No terminal that the caller may see has that id."
            ),
            ErrorInfo(
                code="terminal_ended",
                exit=5,
                summary="The program in the terminal has ended, so nothing can be done with it any more.",
            ),
            ErrorInfo(
                code="terminal_out_of_reach",
                exit=5,
                summary="The program runs, but the process that holds its terminal was killed or does not answer, so it can only be ended.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="Told to go on",
                line="ade terminals signal TERMINAL CONT",
                error=None,
            ),
            ExampleInfo(
                title="A terminal that nobody started",
                line="ade terminals signal trm_nobody TERM",
                error="terminal_not_found",
            ),
        ),
        skeleton={"terminal": "", "signal": "HUP"},
    )


def terminal_start() -> ActionCommand:
    return ActionCommand(
        "start",
        group="terminals",
        action="terminal.start",
        tool="terminal_start",
        effect="write",
        scope="project",
        aliases=(),
        summary="Start a program in a terminal of its own.",
        description="Without a command it is your login shell. The command is a program and its arguments; for a line of shell, name the shell: sh -c LINE. It gets your environment without any session token, and what runs in it is your session's, or the owner's own.",
        guidance="For programs that ask questions or run on; read it with terminal_read. A dev server belongs into process.start.",
        fields=(
            FieldParam(
                field="command",
                kind="text",
                flags=("--command",),
                metavar="COMMAND",
                help="Program and arguments; default is your login shell.",
                limits="a list of 1 to 1000 items, each text, at most 131072 characters",
                positional=True,
                many=True,
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to start it in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="cwd",
                kind="text",
                flags=("--cwd",),
                metavar="TEXT",
                help="Folder inside the lane, relative to it.",
                limits="text, 1 to 4096 characters",
            ),
            FieldParam(
                field="title",
                kind="text",
                flags=("-t", "--title"),
                metavar="TEXT",
                help="What it is for.",
                limits="text, 1 to 200 characters, matching ^[^\\x00-\\x1f\\x7f-\\x9f]+$",
            ),
            FieldParam(
                field="env",
                kind="json",
                flags=("--env",),
                metavar="JSON",
                help="Further variables for it.",
                limits="a JSON object of names to text, at most 131072 characters",
            ),
            FieldParam(
                field="rows",
                kind="integer",
                flags=("--rows",),
                metavar="INTEGER",
                help="Height in lines.",
                limits="an integer, 1 to 1000; default 24",
            ),
            FieldParam(
                field="columns",
                kind="integer",
                flags=("--columns",),
                metavar="INTEGER",
                help="Width in characters.",
                limits="an integer, 1 to 2000; default 80",
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
                title="A program in a lane",
                line="ade terminals start sleep 20 --lane fix-login --title Nap",
                error=None,
            ),
            ExampleInfo(
                title="A program that does not exist",
                line="ade terminals start no-such-program-anywhere --lane fix-login",
                error="command_not_started",
            ),
            ExampleInfo(
                title="A folder outside of the lane",
                line="ade terminals start ls --lane fix-login --cwd ../..",
                error="folder_not_in_lane",
            ),
            ExampleInfo(
                title="No lane to start it in",
                line="ade terminals start ls",
                error="lane_required",
            ),
        ),
        skeleton={"command": [""], "lane": "", "cwd": "", "title": "", "env": {}, "rows": 24, "columns": 80},
    )


def terminal_write() -> ActionCommand:
    return ActionCommand(
        "write",
        group="terminals",
        action="terminal.write",
        tool="terminal_write",
        effect="write",
        scope="machine",
        aliases=(),
        summary="Type into a terminal.",
        description="The text comes first, then the keys. A line is entered with the key enter.",
        guidance="",
        fields=(
            FieldParam(
                field="terminal",
                kind="text",
                flags=("--terminal",),
                metavar="TERMINAL",
                help="Id of a terminal, such as trm_01hq3vd5n2kq.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="terminals",
            ),
            FieldParam(
                field="text",
                kind="text",
                flags=("--text-value",),
                metavar="TEXT",
                help="Text to type.",
                limits="text, 1 to 65536 characters",
                positional=True,
            ),
            FieldParam(
                field="keys",
                kind="text",
                flags=("-k", "--key"),
                metavar="TEXT",
                help="Keys to press afterwards, in order.",
                limits="a list of 1 to 100 items, each one of enter, tab, escape, backspace, delete, up, down, right, left, home, end, page_up and 10 more",
                many=True,
                choices=(
                    "enter",
                    "tab",
                    "escape",
                    "backspace",
                    "delete",
                    "up",
                    "down",
                    "right",
                    "left",
                    "home",
                    "end",
                    "page_up",
                    "page_down",
                    "ctrl_a",
                    "ctrl_c",
                    "ctrl_d",
                    "ctrl_e",
                    "ctrl_l",
                    "ctrl_r",
                    "ctrl_u",
                    "ctrl_z",
                    "ctrl_backslash",
                ),
            ),
        ),
        rules=(RuleInfo(kind="at_least_one_of", fields=("text", "keys")),),
        errors=(
            ErrorInfo(
                code="terminal_not_found", exit=4, summary="No terminal that the caller may see has that id."
            ),
            ErrorInfo(
                code="terminal_ended",
                exit=5,
                summary="The program in the terminal has ended, so nothing can be done with it any more.",
            ),
            ErrorInfo(
                code="terminal_out_of_reach",
                exit=5,
                summary="The program runs, but the process that holds its terminal was killed or does not answer, so it can only be ended.",
            ),
            ErrorInfo(
                code="terminal_input_full",
                exit=5,
                summary="The program does not read what is typed; not everything could be passed on.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A line",
                line="ade terminals write TERMINAL yes --key enter",
                error=None,
            ),
            ExampleInfo(
                title="A terminal that nobody started",
                line="ade terminals write trm_nobody --key ctrl_c",
                error="terminal_not_found",
            ),
        ),
        skeleton={"terminal": "", "text": "", "keys": ["enter"]},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "attach": terminal_attach,
    "close": terminal_close,
    "list": terminal_list,
    "read": terminal_read,
    "resize": terminal_resize,
    "signal": terminal_signal,
    "start": terminal_start,
    "write": terminal_write,
}
