"""Commands of the events group. Generated from specs/domains/event.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam


def event_poll() -> ActionCommand:
    return ActionCommand(
        "poll",
        group="events",
        action="event.poll",
        tool="event_poll",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Read events from a cursor on, and wait for the next one if wanted.",
        description="Ask again with `next` as the cursor; then no event is skipped or given twice. A gap says what was missed.",
        guidance="To wait for something, poll with wait_ms and the last next; do not poll in a loop without it.",
        fields=(
            FieldParam(
                field="cursor",
                kind="text",
                flags=("--cursor",),
                metavar="TEXT",
                help="Where to go on, as an earlier answer or event gave it; it means nothing but that.",
                limits="text, 1 to 60 characters",
            ),
            FieldParam(
                field="start",
                kind="text",
                flags=("--start",),
                metavar="TEXT",
                help="Without a cursor: oldest begins with the oldest event that is kept, now with the next one.",
                limits="one of oldest, now; default oldest",
                choices=("oldest", "now"),
            ),
            FieldParam(
                field="categories",
                kind="text",
                flags=("-c", "--category"),
                metavar="TEXT",
                help="Only events of these categories; default all.",
                limits="a list of at most 50 items, each text, 1 to 60 characters",
                many=True,
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
                field="max_bytes",
                kind="integer",
                flags=("--max-bytes",),
                metavar="INTEGER",
                help="About how many bytes to return at most; one event always comes.",
                limits="an integer, 1024 to 1048576; default 262144",
            ),
            FieldParam(
                field="wait_ms",
                kind="integer",
                flags=("--wait-ms",),
                metavar="INTEGER",
                help="How long to wait for an event where there is none.",
                limits="an integer, 0 to 60000; default 0",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
            ErrorInfo(code="unknown_category", exit=2, summary="No event is of that category."),
            ErrorInfo(
                code="events_need_runtime",
                exit=7,
                summary="Events are kept in the runtime and this command was performed without it.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="What happened to lanes",
                line="ade events poll --category lane",
                error=None,
            ),
            ExampleInfo(
                title="Nothing from now on",
                line="ade events poll --start now --wait-ms 1",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade events poll --cursor yesterday",
                error="invalid_cursor",
            ),
            ExampleInfo(
                title="A category that does not exist",
                line="ade events poll --category lanes",
                error="unknown_category",
            ),
        ),
        skeleton={
            "cursor": "",
            "start": "oldest",
            "categories": [""],
            "limit": 100,
            "max_bytes": 262144,
            "wait_ms": 0,
        },
    )


def event_subscribe() -> ActionCommand:
    return ActionCommand(
        "subscribe",
        group="events",
        action="event.subscribe",
        tool="event_subscribe",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Start following events; gives the cursor after which nothing is missed.",
        description="Go on with `ade events poll`, or see them live with `ade events tail --follow`. A program on the machine socket calls runtimeEvents.subscribe instead and gets each event as a notification.",
        guidance="",
        fields=(
            FieldParam(
                field="cursor",
                kind="text",
                flags=("--cursor",),
                metavar="TEXT",
                help="Where to go on, as an earlier answer or event gave it; it means nothing but that.",
                limits="text, 1 to 60 characters",
            ),
            FieldParam(
                field="start",
                kind="text",
                flags=("--start",),
                metavar="TEXT",
                help="Without a cursor: oldest begins with the oldest event that is kept, now with the next one.",
                limits="one of oldest, now; default now",
                choices=("oldest", "now"),
            ),
            FieldParam(
                field="categories",
                kind="text",
                flags=("-c", "--category"),
                metavar="TEXT",
                help="Only events of these categories; default all.",
                limits="a list of at most 50 items, each text, 1 to 60 characters",
                many=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
            ErrorInfo(code="unknown_category", exit=2, summary="No event is of that category."),
            ErrorInfo(
                code="events_need_runtime",
                exit=7,
                summary="Events are kept in the runtime and this command was performed without it.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="From now on",
                line="ade events subscribe --category lane",
                error=None,
            ),
            ExampleInfo(
                title="From the beginning",
                line="ade events subscribe --start oldest --category lane",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade events subscribe --cursor yesterday",
                error="invalid_cursor",
            ),
        ),
        skeleton={"cursor": "", "start": "now", "categories": [""]},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "poll": event_poll,
    "subscribe": event_subscribe,
}
