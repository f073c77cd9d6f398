"""Commands of the cto-memory group. Generated from specs/domains/cto_memory.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam


def cto_memory_read() -> ActionCommand:
    return ActionCommand(
        "read",
        group="cto-memory",
        action="cto_memory.read",
        tool="cto_memory_read",
        effect="read",
        scope="project",
        aliases=(),
        summary="Read the core and your own notes, pinned ones first, then the newest.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="tags",
                kind="text",
                flags=("-t", "--tag"),
                metavar="TEXT",
                help="Tags that a note must have.",
                limits="a list of at most 20 items, each text, 6 to 200 characters, matching ^(lane|pr|path|topic):[^\\n\\r]+$",
                many=True,
            ),
            FieldParam(
                field="archived",
                kind="boolean",
                flags=("--archived",),
                metavar="BOOLEAN",
                help="Read archived notes, too.",
                limits="true or false; default false",
                off_flag="--no-archived",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many notes to return at most.",
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
                title="Nothing noted yet, and one discovery",
                line="ade cto-memory read --role cto",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade cto-memory read --cursor mem_nothing --role cto",
                error="invalid_cursor",
            ),
        ),
        skeleton={"tags": [""], "archived": False, "limit": 50, "cursor": ""},
    )


def cto_memory_read_discoveries() -> ActionCommand:
    return ActionCommand(
        "read-discoveries",
        group="cto-memory",
        action="cto_memory.read_discoveries",
        tool="cto_memory_read_discoveries",
        effect="write",
        scope="project",
        aliases=(),
        summary="Read what agents reported, the oldest first, and take off the queue what you have dealt with.",
        description="What is read stays on the queue until acknowledge names the cursor behind it, so that nothing is lost when you end in between; it may then be read twice.",
        guidance="",
        fields=(
            FieldParam(
                field="acknowledge",
                kind="integer",
                flags=("--acknowledge",),
                metavar="INTEGER",
                help="Cursor up to which everything is dealt with; from an answer of before.",
                limits="an integer, at least 0",
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
                field="max_bytes",
                kind="integer",
                flags=("--max-bytes",),
                metavar="INTEGER",
                help="How long their texts may be together; the first is always given.",
                limits="an integer, 1024 to 1048576; default 65536",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="discovery_cursor_unknown",
                exit=2,
                summary="The cursor lies beyond what was ever read, so that acknowledging it would lose discoveries.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="One that waits",
                line="ade cto-memory read-discoveries --role cto",
                error=None,
            ),
            ExampleInfo(
                title="Acknowledging what was never read",
                line="ade cto-memory read-discoveries --acknowledge 10 --role cto",
                error="discovery_cursor_unknown",
            ),
        ),
        skeleton={"acknowledge": 0, "limit": 50, "max_bytes": 65536},
    )


def cto_memory_save() -> ActionCommand:
    return ActionCommand(
        "save",
        group="cto-memory",
        action="cto_memory.save",
        tool="cto_memory_save",
        effect="write",
        scope="project",
        aliases=(),
        summary="Note something for yourself; no other role can read it.",
        description="",
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
                help="What it is about, such as topic:release.",
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
                title="A note",
                line="ade cto-memory save 'The owner prefers small pull requests.' --role cto",
                error=None,
            ),
            ExampleInfo(
                title="Nothing but spaces",
                line="ade cto-memory save '  ' --role cto",
                error="memory_text_empty",
            ),
        ),
        skeleton={"text": "", "tags": [""]},
    )


def cto_memory_search() -> ActionCommand:
    return ActionCommand(
        "search",
        group="cto-memory",
        action="cto_memory.search",
        tool="cto_memory_search",
        effect="read",
        scope="project",
        aliases=(),
        summary="Find facts of the project and your own notes by words, the best match first.",
        description="",
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
                help="Look among archived ones, too.",
                limits="true or false; default true",
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
                title="A fact that an agent noted",
                line="ade cto-memory search redis --role cto",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade cto-memory search redis --cursor mem_nothing --role cto",
                error="invalid_cursor",
            ),
        ),
        skeleton={"query": "", "tags": [""], "archived": True, "limit": 20, "cursor": ""},
    )


def cto_memory_update_core() -> ActionCommand:
    return ActionCommand(
        "update-core",
        group="cto-memory",
        action="cto_memory.update_core",
        tool="memory_update_core",
        effect="write",
        scope="project",
        aliases=(),
        summary="Replace what every agent of the project is told first.",
        description="Secrets in the text are taken out before it is kept.",
        guidance="",
        fields=(
            FieldParam(
                field="text",
                kind="text",
                flags=("--text-value",),
                metavar="TEXT",
                help="The whole new text, Markdown; empty removes it.",
                limits="text, at most 16000 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="if_revision",
                kind="integer",
                flags=("--if-revision",),
                metavar="INTEGER",
                help="Refuse unless the text still has this revision.",
                limits="an integer, at least 0",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="memory_core_changed",
                exit=5,
                summary="The core has changed since the revision that the caller knew.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="The first text",
                line="ade cto-memory update-core 'Deploys are on Tuesdays.' --if-revision 0 --role cto",
                error=None,
            ),
            ExampleInfo(
                title="A text that somebody has changed since",
                line="ade cto-memory update-core 'Deploys are on Fridays.' --if-revision 3 --role cto",
                error="memory_core_changed",
            ),
        ),
        skeleton={"text": "", "if_revision": 0},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "read": cto_memory_read,
    "read-discoveries": cto_memory_read_discoveries,
    "save": cto_memory_save,
    "search": cto_memory_search,
    "update-core": cto_memory_update_core,
}
