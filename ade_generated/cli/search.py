"""Commands of the search group. Generated from specs/domains/search.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam


def search_workspace() -> ActionCommand:
    return ActionCommand(
        "workspace",
        group="search",
        action="search.workspace",
        tool="search_workspace",
        effect="read",
        scope="project",
        aliases=(),
        summary="Search lanes, commits, chats, pull requests, issues, proof and memory, the best and newest results first.",
        description='A result holds every word of the query, in any of its forms; where none does, words that begin so count. "Words in quotes" stand together, and auth* is a beginning. What you may not read is neither found nor counted. Only the newest 10,000 that fit are ranked. Pull requests and issues are found as they were last read here; listing them reads them.',
        guidance="Search before you ask or begin anew; others may have done or noted it.",
        fields=(
            FieldParam(
                field="query",
                kind="text",
                flags=("--query",),
                metavar="QUERY",
                help='Words to look for, such as: login "empty password" auth*.',
                limits="text, 1 to 400 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="kinds",
                kind="text",
                flags=("-k", "--kind"),
                metavar="TEXT",
                help="Kinds of results; all when left out.",
                limits="a list of at most 20 items, no two alike, each one of chat, commit, issue, lane, memory, pr, proof",
                many=True,
                choices=("chat", "commit", "issue", "lane", "memory", "pr", "proof"),
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane that results must belong to; of commits, those on its branch alone.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="author",
                kind="text",
                flags=("--author",),
                metavar="TEXT",
                help="Part of the author's name or address.",
                limits="text, 1 to 200 characters",
            ),
            FieldParam(
                field="since",
                kind="text",
                flags=("--since",),
                metavar="DATE",
                help="Day from which on results were made.",
                limits="a date like 2026-01-31",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many to return at most.",
                limits="an integer, 1 to 100; default 20",
            ),
            FieldParam(
                field="cursor",
                kind="text",
                flags=("--cursor",),
                metavar="TEXT",
                help="Where to go on; next of the last answer.",
                limits="text, 1 to 20 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="search_query_empty", exit=2, summary="The query holds no word to look for."),
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
        ),
        examples=(
            ExampleInfo(
                title="A commit by a word of its subject",
                line="ade search workspace login --kind commit",
                error=None,
            ),
            ExampleInfo(
                title="A lane by its name",
                line="ade search workspace fix-login --kind lane",
                error=None,
            ),
            ExampleInfo(
                title="A fact from memory",
                line="ade search workspace redis",
                error=None,
            ),
            ExampleInfo(
                title="A pull request by its title",
                line="ade search workspace login --kind pr",
                error=None,
            ),
            ExampleInfo(
                title="Signs without a word",
                line="ade search workspace '((*\" OR'",
                error=None,
            ),
        ),
        skeleton={
            "query": "",
            "kinds": ["chat"],
            "lane": "",
            "author": "",
            "since": "",
            "limit": 20,
            "cursor": "",
        },
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "workspace": search_workspace,
}
