"""Commands of the tests group. Generated from specs/domains/tests.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam, RuleInfo


def tests_logs() -> ActionCommand:
    return ActionCommand(
        "logs",
        group="tests",
        action="tests.logs",
        tool="tests_logs",
        effect="read",
        scope="project",
        aliases=(),
        summary="Read what a run of tests has printed.",
        description="Without a cursor it is the last of it. To follow a run, give next of the last answer as the cursor, with wait. Only the last few megabytes are kept; dropped tells how many bytes between the cursor and what is given are gone.",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of a test run, such as tst_01hq3vd5n2kq.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="test_runs",
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
                code="test_run_not_found",
                exit=4,
                summary="There is no run of tests with that id, or it is no longer kept.",
            ),
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
        ),
        examples=(
            ExampleInfo(
                title="All of it",
                line="ade tests logs RUN --cursor 0",
                error=None,
            ),
            ExampleInfo(
                title="A run that nobody started",
                line="ade tests logs tst_nobody",
                error="test_run_not_found",
            ),
        ),
        skeleton={"run": "", "cursor": 0, "max_bytes": 16384, "plain": True, "wait": 0.0},
    )


def tests_run() -> ActionCommand:
    return ActionCommand(
        "run",
        group="tests",
        action="tests.run",
        tool="run_tests",
        effect="write",
        scope="project",
        aliases=(),
        summary="Run a test suite, or any command that tests, and tell how it went.",
        description="Without a suite it is the only one there is. Who stops waiting stops the run; without wait it goes on in the background, even when the runtime ends. After the time limit the whole of it is asked to end, and killed 5 seconds later.",
        guidance="Run the tests of your lane before you commit and before you say that something works.",
        fields=(
            FieldParam(
                field="suite",
                kind="text",
                flags=("--suite",),
                metavar="SUITE",
                help="Suite to run; default is the only one there is.",
                limits="text, 1 to 60 characters",
                positional=True,
                complete="suites",
            ),
            FieldParam(
                field="command",
                kind="text",
                flags=("-c", "--command"),
                metavar="TEXT",
                help="Program and arguments to run instead of a suite, one by one.",
                limits="a list of 1 to 1000 items, each text, at most 131072 characters",
                many=True,
            ),
            FieldParam(
                field="cwd",
                kind="text",
                flags=("--cwd",),
                metavar="TEXT",
                help="Folder inside the lane for the command, relative to it.",
                limits="text, 1 to 4096 characters",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to test; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="wait",
                kind="boolean",
                flags=("--wait",),
                metavar="BOOLEAN",
                help="Wait until it is over.",
                limits="true or false; default true",
                off_flag="--no-wait",
            ),
            FieldParam(
                field="check",
                kind="boolean",
                flags=("--check",),
                metavar="BOOLEAN",
                help="Answer with an error unless the tests pass, for scripts.",
                limits="true or false; default false",
                off_flag="--no-check",
            ),
            FieldParam(
                field="timeout",
                kind="number",
                flags=("--time-limit",),
                metavar="NUMBER",
                help="Seconds after which it is stopped; default is the suite's or 600.",
                limits="a number, 0.1 to 86400.0",
            ),
        ),
        rules=(
            RuleInfo(kind="at_most_one_of", fields=("suite", "command")),
            RuleInfo(kind="requires", fields=("cwd", "command")),
        ),
        errors=(
            ErrorInfo(code="suite_not_found", exit=4, summary="The lane has no test suite of that name."),
            ErrorInfo(
                code="suite_required",
                exit=2,
                summary="No suite was named, and there is none or more than one.",
            ),
            ErrorInfo(
                code="tests_failed",
                exit=1,
                summary="The tests did not pass, and the call asked to be told so by an error.",
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
                title="A suite that passes, with its report",
                line="ade tests run quick --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A command that fails",
                line="ade tests run --command sh --command=-c --command 'echo no; exit 2' --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="The same for a script",
                line="ade tests run --command sh --command=-c --command 'exit 2' --lane fix-login --check",
                error="tests_failed",
            ),
            ExampleInfo(
                title="A suite that is not there",
                line="ade tests run nowhere --lane fix-login",
                error="suite_not_found",
            ),
            ExampleInfo(
                title="No suite where there is more than one",
                line="ade tests run --lane fix-login",
                error="suite_required",
            ),
        ),
        skeleton={
            "suite": "",
            "command": [""],
            "cwd": "",
            "lane": "",
            "wait": True,
            "check": False,
            "timeout": 0.1,
        },
    )


def tests_runs() -> ActionCommand:
    return ActionCommand(
        "runs",
        group="tests",
        action="tests.runs",
        tool="tests_runs",
        effect="read",
        scope="project",
        aliases=(),
        summary="List the runs of tests, the newest first.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="suite",
                kind="text",
                flags=("--suite",),
                metavar="TEXT",
                help="Only those of this suite.",
                limits="text, 1 to 60 characters",
                complete="suites",
            ),
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
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many to return at most.",
                limits="an integer, 1 to 1000; default 20",
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
                title="One run",
                line="ade tests runs",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade tests runs --cursor nowhere",
                error="invalid_cursor",
            ),
        ),
        skeleton={"suite": "", "lane": "", "limit": 20, "cursor": ""},
    )


def tests_stop() -> ActionCommand:
    return ActionCommand(
        "stop",
        group="tests",
        action="tests.stop",
        tool="tests_stop",
        effect="write",
        scope="project",
        aliases=(),
        summary="Stop a run of tests with everything it started.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of a test run, such as tst_01hq3vd5n2kq.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="test_runs",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("--lane",),
                metavar="TEXT",
                help="Lane it must be in.",
                limits="text, 1 to 200 characters",
                complete="lanes",
                hidden=True,
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
                code="test_run_not_found",
                exit=4,
                summary="There is no run of tests with that id, or it is no longer kept.",
            ),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
        ),
        examples=(
            ExampleInfo(
                title="One that runs",
                line="ade tests stop RUN",
                error=None,
            ),
            ExampleInfo(
                title="A run that nobody started",
                line="ade tests stop tst_nobody",
                error="test_run_not_found",
            ),
        ),
        skeleton={"run": "", "grace": 5.0},
    )


def tests_suites() -> ActionCommand:
    return ActionCommand(
        "suites",
        group="tests",
        action="tests.suites",
        tool="tests_suites",
        effect="read",
        scope="project",
        aliases=(),
        summary="List the test suites that the configuration defines or the lane's files tell of.",
        description="Detected are pytest, npm, cargo, go and make; nothing is run to find out.",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to look in; default is the caller's own.",
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
                title="One from a makefile and one from pytest's settings",
                line="ade tests suites",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade tests suites --cursor nowhere",
                error="invalid_cursor",
            ),
        ),
        skeleton={"lane": "", "limit": 100, "cursor": ""},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "logs": tests_logs,
    "run": tests_run,
    "runs": tests_runs,
    "stop": tests_stop,
    "suites": tests_suites,
}
