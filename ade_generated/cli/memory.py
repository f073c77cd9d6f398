"""Commands of the memory group. Generated from specs/domains/memory.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam


def memory_add() -> ActionCommand:
    return ActionCommand(
        "add",
        group="memory",
        action="memory.add",
        tool="memory_add",
        effect="write",
        scope="project",
        aliases=(),
        summary="Note a fact about the project for every agent.",
        description="Secrets in the text are taken out before it is kept. The same text again, in whatever case and spacing, adds nothing and gives the fact there is. When there are more than the project may have, the oldest that are not pinned are archived.",
        guidance="Note what the next agent would otherwise find out anew, one fact a note; what may be wrong or concerns all goes to record_discovery.",
        fields=(
            FieldParam(
                field="text",
                kind="text",
                flags=("--text-value",),
                metavar="TEXT",
                help="What to remember, in a sentence or a few; secrets in it are taken out.",
                limits="text, 1 to 4000 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="tags",
                kind="text",
                flags=("-t", "--tag"),
                metavar="TEXT",
                help="What it is about, such as topic:build or path:src/login.py.",
                limits="a list of at most 20 items, each text, 6 to 200 characters, matching ^(lane|pr|path|topic):[^\\n\\r]+$",
                many=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="memory_text_empty", exit=2, summary="There is nothing to remember in the text."),
        ),
        examples=(
            ExampleInfo(
                title="A fact about the build",
                line="ade memory add 'The tests need Redis on port 6390.' --tag topic:tests",
                error=None,
            ),
            ExampleInfo(
                title="The same again, spelled otherwise",
                line="ade memory add 'the tests  need redis on port 6390'",
                error=None,
            ),
            ExampleInfo(
                title="A secret is taken out",
                line="ade memory add 'Log in with password=Tr0ub4dor&3x'",
                error=None,
            ),
            ExampleInfo(
                title="Nothing but spaces",
                line="ade memory add '   '",
                error="memory_text_empty",
            ),
        ),
        skeleton={"text": "", "tags": [""]},
    )


def memory_context() -> ActionCommand:
    return ActionCommand(
        "context",
        group="memory",
        action="memory.context",
        tool="memory_context",
        effect="read",
        scope="project",
        aliases=(),
        summary="Give what an agent in a lane should know from memory, as a section for its prompt.",
        description="The project's core comes first, then pinned facts, then those about the lane, then the newest, as far as the tokens go. Tokens are estimated, never below what common models count for English.",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("--lane",),
                metavar="LANE",
                help="Lane to work in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                positional=True,
                complete="lanes",
            ),
            FieldParam(
                field="max_tokens",
                kind="integer",
                flags=("--max-tokens",),
                metavar="INTEGER",
                help="How long it may get.",
                limits="an integer, 100 to 20000; default 1500",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
        ),
        examples=(
            ExampleInfo(
                title="A pinned fact is in it",
                line="ade memory context",
                error=None,
            ),
            ExampleInfo(
                title="A lane that does not exist",
                line="ade memory context nowhere",
                error="lane_not_found",
            ),
        ),
        skeleton={"lane": "", "max_tokens": 1500},
    )


def memory_list() -> ActionCommand:
    return ActionCommand(
        "list",
        group="memory",
        action="memory.list",
        tool="memory_list",
        effect="read",
        scope="project",
        aliases=(),
        summary="List facts, pinned ones first, then the newest.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="tags",
                kind="text",
                flags=("-t", "--tag"),
                metavar="TEXT",
                help="Tags that a fact must have.",
                limits="a list of at most 20 items, each text, 6 to 200 characters, matching ^(lane|pr|path|topic):[^\\n\\r]+$",
                many=True,
            ),
            FieldParam(
                field="pinned",
                kind="boolean",
                flags=("--pinned",),
                metavar="BOOLEAN",
                help="List pinned facts only.",
                limits="true or false; default false",
                off_flag="--no-pinned",
            ),
            FieldParam(
                field="archived",
                kind="boolean",
                flags=("--archived",),
                metavar="BOOLEAN",
                help="List archived facts, too.",
                limits="true or false; default false",
                off_flag="--no-archived",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many to return at most.",
                limits="an integer, 1 to 200; default 50",
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
                title="One fact",
                line="ade memory list",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade memory list --cursor mem_nothing",
                error="invalid_cursor",
            ),
        ),
        skeleton={"tags": [""], "pinned": False, "archived": False, "limit": 50, "cursor": ""},
    )


def memory_pin() -> ActionCommand:
    return ActionCommand(
        "pin",
        group="memory",
        action="memory.pin",
        tool="memory_pin",
        effect="write",
        scope="project",
        aliases=(),
        summary="Make a fact part of what every agent of the project is told.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="fact",
                kind="text",
                flags=("--fact",),
                metavar="FACT",
                help="Id of a fact, such as mem_01hq3vd5n2kq.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="facts",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="fact_not_found", exit=4, summary="The caller may read no fact with that id."),
            ErrorInfo(
                code="memory_pins_full",
                exit=5,
                summary="As many facts are pinned as every agent can be told.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A fact that everybody needs",
                line="ade memory pin FACT",
                error=None,
            ),
            ExampleInfo(
                title="A fact that nobody noted",
                line="ade memory pin mem_nothing",
                error="fact_not_found",
            ),
        ),
        skeleton={"fact": ""},
    )


def memory_record_discovery() -> ActionCommand:
    return ActionCommand(
        "record-discovery",
        group="memory",
        action="memory.record_discovery",
        tool="memory_record_discovery",
        effect="write",
        scope="project",
        aliases=("discover",),
        summary="Report something you found out to the CTO, who decides what becomes of it.",
        description="It is appended to the project's queue of discoveries, which only the CTO reads and takes from. The same text while it waits adds nothing.",
        guidance="",
        fields=(
            FieldParam(
                field="text",
                kind="text",
                flags=("--text-value",),
                metavar="TEXT",
                help="What to remember, in a sentence or a few; secrets in it are taken out.",
                limits="text, 1 to 4000 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="tags",
                kind="text",
                flags=("-t", "--tag"),
                metavar="TEXT",
                help="What it is about, such as lane:fix-login.",
                limits="a list of at most 20 items, each text, 6 to 200 characters, matching ^(lane|pr|path|topic):[^\\n\\r]+$",
                many=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="memory_text_empty", exit=2, summary="There is nothing to remember in the text."),
            ErrorInfo(
                code="discoveries_full",
                exit=5,
                summary="The queue of discoveries is full until the CTO has dealt with some.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A discovery",
                line="ade memory record-discovery 'The login form accepts empty passwords.' --tag topic:security",
                error=None,
            ),
            ExampleInfo(
                title="The same while it waits",
                line="ade memory record-discovery 'The login form accepts empty passwords'",
                error=None,
            ),
        ),
        skeleton={"text": "", "tags": [""]},
    )


def memory_remove() -> ActionCommand:
    return ActionCommand(
        "remove",
        group="memory",
        action="memory.remove",
        tool="memory_remove",
        effect="destructive",
        scope="project",
        aliases=(),
        summary="Forget a fact for good.",
        description="An agent forgets what its own session noted; others' facts are for the owner and for who leads.",
        guidance="",
        fields=(
            FieldParam(
                field="fact",
                kind="text",
                flags=("--fact",),
                metavar="FACT",
                help="Id of a fact, such as mem_01hq3vd5n2kq.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="facts",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="fact_not_found", exit=4, summary="The caller may read no fact with that id."),
        ),
        examples=(
            ExampleInfo(
                title="A fact that is no longer true",
                line="ade memory remove FACT",
                error=None,
            ),
            ExampleInfo(
                title="A fact that nobody noted",
                line="ade memory remove mem_nothing",
                error="fact_not_found",
            ),
        ),
        skeleton={"fact": ""},
    )


def memory_search() -> ActionCommand:
    return ActionCommand(
        "search",
        group="memory",
        action="memory.search",
        tool="memory_search",
        effect="read",
        scope="project",
        aliases=(),
        summary="Find facts by words, the best match first.",
        description="A fact fits when it holds every word, or its beginning; tags narrow it down further.",
        guidance="",
        fields=(
            FieldParam(
                field="query",
                kind="text",
                flags=("--query",),
                metavar="QUERY",
                help="Words to look for.",
                limits="text, 1 to 400 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="tags",
                kind="text",
                flags=("-t", "--tag"),
                metavar="TEXT",
                help="Tags that a fact must have.",
                limits="a list of at most 20 items, each text, 6 to 200 characters, matching ^(lane|pr|path|topic):[^\\n\\r]+$",
                many=True,
            ),
            FieldParam(
                field="archived",
                kind="boolean",
                flags=("--archived",),
                metavar="BOOLEAN",
                help="Look among archived facts, too.",
                limits="true or false; default false",
                off_flag="--no-archived",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many to return at most.",
                limits="an integer, 1 to 200; default 20",
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
                title="By the beginning of a word",
                line="ade memory search redi",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade memory search redis --cursor mem_nothing",
                error="invalid_cursor",
            ),
        ),
        skeleton={"query": "", "tags": [""], "archived": False, "limit": 20, "cursor": ""},
    )


def memory_unpin() -> ActionCommand:
    return ActionCommand(
        "unpin",
        group="memory",
        action="memory.unpin",
        tool="memory_unpin",
        effect="write",
        scope="project",
        aliases=(),
        summary="Take a fact out of what every agent is told; it stays noted.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="fact",
                kind="text",
                flags=("--fact",),
                metavar="FACT",
                help="Id of a fact, such as mem_01hq3vd5n2kq.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="facts",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="fact_not_found", exit=4, summary="The caller may read no fact with that id."),
        ),
        examples=(
            ExampleInfo(
                title="A fact that was pinned",
                line="ade memory unpin FACT",
                error=None,
            ),
            ExampleInfo(
                title="A fact that nobody noted",
                line="ade memory unpin mem_nothing",
                error="fact_not_found",
            ),
        ),
        skeleton={"fact": ""},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "add": memory_add,
    "context": memory_context,
    "list": memory_list,
    "pin": memory_pin,
    "record-discovery": memory_record_discovery,
    "remove": memory_remove,
    "search": memory_search,
    "unpin": memory_unpin,
}
