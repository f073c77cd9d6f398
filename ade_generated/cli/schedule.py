"""Commands of the schedules group. Generated from specs/domains/schedule.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam, RuleInfo


def schedule_cancel() -> ActionCommand:
    return ActionCommand(
        "cancel",
        group="schedules",
        action="schedule.cancel",
        tool="schedule_cancel",
        effect="write",
        scope="project",
        aliases=(),
        summary="Give up a schedule; its history stays.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="schedule",
                kind="text",
                flags=("--schedule",),
                metavar="SCHEDULE",
                help="Id of the schedule.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="schedules",
            ),
        ),
        rules=(),
        errors=(ErrorInfo(code="schedule_not_found", exit=4, summary="No such schedule."),),
        examples=(
            ExampleInfo(
                title="A schedule nobody needs",
                line="ade schedules cancel SCHEDULE",
                error=None,
            ),
            ExampleInfo(
                title="A schedule nobody made",
                line="ade schedules cancel sch_none",
                error="schedule_not_found",
            ),
        ),
        skeleton={"schedule": ""},
    )


def schedule_create() -> ActionCommand:
    return ActionCommand(
        "create",
        group="schedules",
        action="schedule.create",
        tool="schedule_create",
        effect="write",
        scope="project",
        aliases=(),
        summary="Have a chat told something later, or an action performed, once or again and again.",
        description="A delay and an instant fire once. A cron expression has five fields (minute, hour, day of month, month, day of week) in the zone, and fires again and again. Read the next run in the answer before you rely on it. An agent in a terminal is told by typing there, once its screen has come to rest.",
        guidance="For elapsed time give delay_seconds, for a moment run_at with its offset; cron is local to the zone. Check the next run that comes back.",
        fields=(
            FieldParam(
                field="prompt",
                kind="text",
                flags=("--prompt",),
                metavar="PROMPT",
                help="What the chat is told; not blank.",
                limits="text, 1 to 20000 characters, matching [^ \\t\\r\\n]",
                positional=True,
            ),
            FieldParam(
                field="session",
                kind="text",
                flags=("-s", "--session"),
                metavar="TEXT",
                help="Chat to wake, or agent in a terminal; default is your own session.",
                limits="text, 1 to 60 characters",
                complete="chats",
            ),
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="TEXT",
                help="Action to perform instead, by id.",
                limits="text, 3 to 80 characters",
                complete="actions",
            ),
            FieldParam(
                field="arguments",
                kind="json",
                flags=("--arguments",),
                metavar="JSON",
                help="Arguments of that action.",
                limits="a JSON object",
            ),
            FieldParam(
                field="delay_seconds",
                kind="duration",
                flags=("--in",),
                metavar="DURATION",
                help="In how many seconds.",
                limits="such as 90s, 12m or 2h30m, 1s to 731d",
            ),
            FieldParam(
                field="run_at",
                kind="text",
                flags=("--at",),
                metavar="TEXT",
                help="At which instant, with Z or an offset, such as 2026-12-01T09:00:00+01:00.",
                limits="text, 1 to 40 characters",
            ),
            FieldParam(
                field="cron",
                kind="text",
                flags=("--cron",),
                metavar="TEXT",
                help="Cron expression, such as 0 9 * * 1-5, or @daily.",
                limits="text, 1 to 256 characters",
            ),
            FieldParam(
                field="zone",
                kind="text",
                flags=("--zone",),
                metavar="TEXT",
                help="IANA zone of the cron expression, such as Europe/Berlin; default is the machine's.",
                limits="text, 1 to 60 characters",
            ),
            FieldParam(
                field="recurring",
                kind="boolean",
                flags=("--recurring",),
                metavar="BOOLEAN",
                help="Whether a cron expression fires again and again; default is yes.",
                limits="true or false",
                off_flag="--once",
            ),
            FieldParam(
                field="catch_up",
                kind="text",
                flags=("--catch-up",),
                metavar="TEXT",
                help="What becomes of firings that were missed while no runtime ran. none: they are skipped; one: a single one makes up for all; all: each is made up for. With all, a chat is also told again while what it was told before still waits.",
                limits="one of none, one, all; default one",
                choices=("none", "one", "all"),
            ),
            FieldParam(
                field="max_age_seconds",
                kind="duration",
                flags=("--max-age",),
                metavar="DURATION",
                help="A firing missed for longer is not made up for.",
                limits="such as 90s, 12m or 2h30m, 1s to 731d",
            ),
            FieldParam(
                field="reason",
                kind="text",
                flags=("--reason",),
                metavar="TEXT",
                help="What it is for.",
                limits="text, 1 to 500 characters",
            ),
        ),
        rules=(
            RuleInfo(kind="exactly_one_of", fields=("delay_seconds", "run_at", "cron")),
            RuleInfo(kind="exactly_one_of", fields=("prompt", "run")),
            RuleInfo(kind="requires", fields=("arguments", "run")),
        ),
        errors=(
            ErrorInfo(
                code="invalid_cron", exit=2, summary="A text is no cron expression, or one that never fires."
            ),
            ErrorInfo(
                code="invalid_instant", exit=2, summary="A text is no instant, or one that cannot be used."
            ),
            ErrorInfo(code="unknown_zone", exit=2, summary="No such time zone."),
            ErrorInfo(
                code="session_required",
                exit=2,
                summary="The action works on a session, none was named, and the caller is in none.",
            ),
            ErrorInfo(code="chat_not_found", exit=4, summary="No such chat."),
            ErrorInfo(code="chat_ended", exit=5, summary="The chat is over."),
            ErrorInfo(
                code="too_many_schedules", exit=5, summary="The chat or its maker has too many schedules."
            ),
            ErrorInfo(
                code="unknown_action", exit=4, summary="No action of that name is visible to the caller."
            ),
        ),
        examples=(
            ExampleInfo(
                title="In twelve minutes",
                line="ade schedules create 'Check the build again.' --session CHAT --in 12m",
                error=None,
            ),
            ExampleInfo(
                title="Every weekday at nine",
                line="ade schedules create 'What is new?' --session CHAT --cron '0 9 * * 1-5' --zone Europe/Berlin",
                error=None,
            ),
            ExampleInfo(
                title="An instant without a zone",
                line="ade schedules create Hello --session CHAT --at 2099-12-01T09:00:00",
                error="invalid_instant",
            ),
            ExampleInfo(
                title="A date that does not exist",
                line="ade schedules create Hello --session CHAT --cron '0 0 30 2 *'",
                error="invalid_cron",
            ),
        ),
        skeleton={
            "prompt": "",
            "session": "",
            "run": "",
            "arguments": {},
            "delay_seconds": 1,
            "run_at": "",
            "cron": "",
            "zone": "",
            "recurring": False,
            "catch_up": "one",
            "max_age_seconds": 1,
            "reason": "",
        },
    )


def schedule_history() -> ActionCommand:
    return ActionCommand(
        "history",
        group="schedules",
        action="schedule.history",
        tool="schedule_history",
        effect="read",
        scope="project",
        aliases=(),
        summary="Tell when a schedule fired, what came of it, and what was missed.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="schedule",
                kind="text",
                flags=("--schedule",),
                metavar="SCHEDULE",
                help="Only of this schedule.",
                limits="text, 1 to 60 characters",
                positional=True,
                complete="schedules",
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
            ErrorInfo(code="schedule_not_found", exit=4, summary="No such schedule."),
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A schedule that has not fired",
                line="ade schedules history SCHEDULE",
                error=None,
            ),
            ExampleInfo(
                title="A schedule nobody made",
                line="ade schedules history sch_none",
                error="schedule_not_found",
            ),
        ),
        skeleton={"schedule": "", "limit": 50, "cursor": ""},
    )


def schedule_list() -> ActionCommand:
    return ActionCommand(
        "list",
        group="schedules",
        action="schedule.list",
        tool="schedule_list",
        effect="read",
        scope="project",
        aliases=(),
        summary="List schedules, the one that fires next first.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="all",
                kind="boolean",
                flags=("--all",),
                metavar="BOOLEAN",
                help="List those that will not fire again, too.",
                limits="true or false; default false",
                off_flag="--no-all",
            ),
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="TEXT",
                help="Only those that wake this chat.",
                limits="text, 1 to 60 characters",
                complete="chats",
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
            ErrorInfo(code="chat_not_found", exit=4, summary="No such chat."),
        ),
        examples=(
            ExampleInfo(
                title="What will be done",
                line="ade schedules list",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade schedules list --cursor nowhere",
                error="invalid_cursor",
            ),
        ),
        skeleton={"all": False, "session": "", "limit": 50, "cursor": ""},
    )


def schedule_pause() -> ActionCommand:
    return ActionCommand(
        "pause",
        group="schedules",
        action="schedule.pause",
        tool="schedule_pause",
        effect="write",
        scope="project",
        aliases=(),
        summary="Let nothing fire for a while; of one schedule, of a chat, or on the whole machine.",
        description="What falls due meanwhile is treated as missed once it goes on.",
        guidance="",
        fields=(
            FieldParam(
                field="schedule",
                kind="text",
                flags=("--schedule",),
                metavar="SCHEDULE",
                help="Id of the schedule.",
                limits="text, 1 to 60 characters",
                positional=True,
                complete="schedules",
            ),
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="TEXT",
                help="All that wake this chat.",
                limits="text, 1 to 60 characters",
                complete="chats",
            ),
            FieldParam(
                field="machine",
                kind="boolean",
                flags=("--machine",),
                metavar="BOOLEAN",
                help="All of this machine; only the owner may.",
                limits="true or false",
                off_flag="--no-machine",
            ),
        ),
        rules=(RuleInfo(kind="exactly_one_of", fields=("schedule", "session", "machine")),),
        errors=(
            ErrorInfo(code="schedule_not_found", exit=4, summary="No such schedule."),
            ErrorInfo(code="schedule_over", exit=5, summary="The schedule will not fire again."),
            ErrorInfo(code="chat_not_found", exit=4, summary="No such chat."),
        ),
        examples=(
            ExampleInfo(
                title="One schedule",
                line="ade schedules pause SCHEDULE",
                error=None,
            ),
            ExampleInfo(
                title="A schedule nobody made",
                line="ade schedules pause sch_none",
                error="schedule_not_found",
            ),
        ),
        skeleton={"schedule": "", "session": "", "machine": False},
    )


def schedule_preview() -> ActionCommand:
    return ActionCommand(
        "preview",
        group="schedules",
        action="schedule.preview",
        tool="schedule_preview",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Tell when a cron expression would fire, without making anything.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="cron",
                kind="text",
                flags=("--cron",),
                metavar="TEXT",
                help="Cron expression.",
                limits="text, 1 to 256 characters",
                required=True,
            ),
            FieldParam(
                field="zone",
                kind="text",
                flags=("--zone",),
                metavar="TEXT",
                help="IANA zone; default is the machine's.",
                limits="text, 1 to 60 characters",
            ),
            FieldParam(
                field="after",
                kind="text",
                flags=("--after",),
                metavar="TEXT",
                help="Instant to begin after, with Z or an offset; default is now.",
                limits="text, 1 to 40 characters",
            ),
            FieldParam(
                field="count",
                kind="integer",
                flags=("--count",),
                metavar="INTEGER",
                help="How many firings to tell.",
                limits="an integer, 1 to 100; default 3",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="invalid_cron", exit=2, summary="A text is no cron expression, or one that never fires."
            ),
            ErrorInfo(
                code="invalid_instant", exit=2, summary="A text is no instant, or one that cannot be used."
            ),
            ErrorInfo(code="unknown_zone", exit=2, summary="No such time zone."),
        ),
        examples=(
            ExampleInfo(
                title="A night on which an hour is skipped",
                line="ade schedules preview --cron '30 2 * * *' --zone America/New_York --after 2026-03-07T17:00:00Z --count 2",
                error=None,
            ),
            ExampleInfo(
                title="A zone that does not exist",
                line="ade schedules preview --cron '30 2 * * *' --zone Mars/Base",
                error="unknown_zone",
            ),
        ),
        skeleton={"cron": "", "zone": "", "after": "", "count": 3},
    )


def schedule_resume() -> ActionCommand:
    return ActionCommand(
        "resume",
        group="schedules",
        action="schedule.resume",
        tool="schedule_resume",
        effect="write",
        scope="project",
        aliases=(),
        summary="Let fire again what was paused.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="schedule",
                kind="text",
                flags=("--schedule",),
                metavar="SCHEDULE",
                help="Id of the schedule.",
                limits="text, 1 to 60 characters",
                positional=True,
                complete="schedules",
            ),
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="TEXT",
                help="All that wake this chat.",
                limits="text, 1 to 60 characters",
                complete="chats",
            ),
            FieldParam(
                field="machine",
                kind="boolean",
                flags=("--machine",),
                metavar="BOOLEAN",
                help="All of this machine; only the owner may.",
                limits="true or false",
                off_flag="--no-machine",
            ),
        ),
        rules=(RuleInfo(kind="exactly_one_of", fields=("schedule", "session", "machine")),),
        errors=(
            ErrorInfo(code="schedule_not_found", exit=4, summary="No such schedule."),
            ErrorInfo(code="schedule_over", exit=5, summary="The schedule will not fire again."),
            ErrorInfo(code="chat_not_found", exit=4, summary="No such chat."),
        ),
        examples=(
            ExampleInfo(
                title="One schedule",
                line="ade schedules resume SCHEDULE",
                error=None,
            ),
            ExampleInfo(
                title="A schedule nobody made",
                line="ade schedules resume sch_none",
                error="schedule_not_found",
            ),
        ),
        skeleton={"schedule": "", "session": "", "machine": False},
    )


def schedule_run_now() -> ActionCommand:
    return ActionCommand(
        "run-now",
        group="schedules",
        action="schedule.run_now",
        tool="schedule_run_now",
        effect="write",
        scope="project",
        aliases=(),
        summary="Fire a schedule now, besides its own times.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="schedule",
                kind="text",
                flags=("--schedule",),
                metavar="SCHEDULE",
                help="Id of the schedule.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="schedules",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="schedule_not_found", exit=4, summary="No such schedule."),
            ErrorInfo(code="schedule_over", exit=5, summary="The schedule will not fire again."),
        ),
        examples=(
            ExampleInfo(
                title="Not to wait for it",
                line="ade schedules run-now SCHEDULE",
                error=None,
            ),
            ExampleInfo(
                title="A schedule nobody made",
                line="ade schedules run-now sch_none",
                error="schedule_not_found",
            ),
        ),
        skeleton={"schedule": ""},
    )


def schedule_show() -> ActionCommand:
    return ActionCommand(
        "show",
        group="schedules",
        action="schedule.show",
        tool="schedule_show",
        effect="read",
        scope="project",
        aliases=(),
        summary="Show a schedule and when it fires next.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="schedule",
                kind="text",
                flags=("--schedule",),
                metavar="SCHEDULE",
                help="Id of the schedule.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="schedules",
            ),
        ),
        rules=(),
        errors=(ErrorInfo(code="schedule_not_found", exit=4, summary="No such schedule."),),
        examples=(
            ExampleInfo(
                title="A schedule that waits",
                line="ade schedules show SCHEDULE",
                error=None,
            ),
            ExampleInfo(
                title="A schedule nobody made",
                line="ade schedules show sch_none",
                error="schedule_not_found",
            ),
        ),
        skeleton={"schedule": ""},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "cancel": schedule_cancel,
    "create": schedule_create,
    "history": schedule_history,
    "list": schedule_list,
    "pause": schedule_pause,
    "preview": schedule_preview,
    "resume": schedule_resume,
    "run-now": schedule_run_now,
    "show": schedule_show,
}
