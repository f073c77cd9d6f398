"""Commands of the issues group. Generated from specs/domains/issue.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam, RuleInfo


def issue_add_label() -> ActionCommand:
    return ActionCommand(
        "add-label",
        group="issues",
        action="issue.add_label",
        tool="issue_add_label",
        effect="write",
        scope="project",
        aliases=(),
        summary="Put a label on an issue of Linear.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="issue",
                kind="text",
                flags=("--issue",),
                metavar="TEXT",
                help="Issue, such as ENG-123; default is that of your lane.",
                limits="text, 3 to 60 characters, matching ^([A-Za-z][A-Za-z0-9]*-[1-9][0-9]*|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
            ),
            FieldParam(
                field="label",
                kind="text",
                flags=("--label",),
                metavar="LABEL",
                help="Name of a label there is.",
                limits="text, 1 to 100 characters",
                required=True,
                positional=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="issue_not_found", exit=4, summary="Linear has no such issue that the account may see."
            ),
            ErrorInfo(code="issue_required", exit=2, summary="No issue is named, and the lane has none."),
            ErrorInfo(
                code="issue_label_not_found",
                exit=4,
                summary="Neither the team nor the workspace has such a label.",
            ),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(code="linear_key_missing", exit=3, summary="There is no key for Linear."),
            ErrorInfo(
                code="linear_key_malformed",
                exit=3,
                summary="What is set as the key for Linear cannot be one.",
            ),
            ErrorInfo(code="linear_key_refused", exit=3, summary="Linear does not accept the key."),
            ErrorInfo(
                code="linear_address_unsafe",
                exit=1,
                summary="The configured address of Linear must not be sent a key.",
            ),
            ErrorInfo(code="linear_forbidden", exit=3, summary="The account may not do that in Linear."),
            ErrorInfo(code="linear_rate_limited", exit=6, summary="Linear wants fewer requests for a while."),
            ErrorInfo(
                code="linear_unavailable", exit=7, summary="Linear could not be reached, or did not answer."
            ),
            ErrorInfo(code="linear_refused", exit=1, summary="Linear refused the request."),
        ),
        examples=(
            ExampleInfo(
                title="It is a bug",
                line="ade issues add-label bug --issue ENG-1",
                error=None,
            ),
            ExampleInfo(
                title="A label that there is not",
                line="ade issues add-label Perhaps --issue ENG-1",
                error="issue_label_not_found",
            ),
        ),
        skeleton={"issue": "", "label": ""},
    )


def issue_assign() -> ActionCommand:
    return ActionCommand(
        "assign",
        group="issues",
        action="issue.assign",
        tool="issue_assign",
        effect="write",
        scope="project",
        aliases=(),
        summary="Say who does an issue of Linear, or that nobody does.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="issue",
                kind="text",
                flags=("--issue",),
                metavar="TEXT",
                help="Issue, such as ENG-123; default is that of your lane.",
                limits="text, 3 to 60 characters, matching ^([A-Za-z][A-Za-z0-9]*-[1-9][0-9]*|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
            ),
            FieldParam(
                field="user",
                kind="text",
                flags=("--user",),
                metavar="USER",
                help="Who does it: name, display name, e-mail, or me.",
                limits="text, 1 to 200 characters",
                positional=True,
            ),
            FieldParam(
                field="nobody",
                kind="boolean",
                flags=("--nobody",),
                metavar="BOOLEAN",
                help="Nobody does it.",
                limits="true or false",
                off_flag="--no-nobody",
            ),
        ),
        rules=(RuleInfo(kind="exactly_one_of", fields=("user", "nobody")),),
        errors=(
            ErrorInfo(
                code="issue_not_found", exit=4, summary="Linear has no such issue that the account may see."
            ),
            ErrorInfo(code="issue_required", exit=2, summary="No issue is named, and the lane has none."),
            ErrorInfo(code="issue_user_not_found", exit=4, summary="Linear knows no such person."),
            ErrorInfo(code="issue_user_ambiguous", exit=5, summary="Several people are called that."),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(code="linear_key_missing", exit=3, summary="There is no key for Linear."),
            ErrorInfo(
                code="linear_key_malformed",
                exit=3,
                summary="What is set as the key for Linear cannot be one.",
            ),
            ErrorInfo(code="linear_key_refused", exit=3, summary="Linear does not accept the key."),
            ErrorInfo(
                code="linear_address_unsafe",
                exit=1,
                summary="The configured address of Linear must not be sent a key.",
            ),
            ErrorInfo(code="linear_forbidden", exit=3, summary="The account may not do that in Linear."),
            ErrorInfo(code="linear_rate_limited", exit=6, summary="Linear wants fewer requests for a while."),
            ErrorInfo(
                code="linear_unavailable", exit=7, summary="Linear could not be reached, or did not answer."
            ),
            ErrorInfo(code="linear_refused", exit=1, summary="Linear refused the request."),
        ),
        examples=(
            ExampleInfo(
                title="I do it",
                line="ade issues assign me --issue ENG-1",
                error=None,
            ),
            ExampleInfo(
                title="Somebody Linear does not know",
                line="ade issues assign charles --issue ENG-1",
                error="issue_user_not_found",
            ),
        ),
        skeleton={"issue": "", "user": "", "nobody": False},
    )


def issue_comment() -> ActionCommand:
    return ActionCommand(
        "comment",
        group="issues",
        action="issue.comment",
        tool="issue_comment",
        effect="write",
        scope="project",
        aliases=(),
        summary="Write a comment on an issue of Linear.",
        description="With a request id, the comment has an id that follows from it, and however often the call is repeated there is one comment.",
        guidance="",
        fields=(
            FieldParam(
                field="issue",
                kind="text",
                flags=("--issue",),
                metavar="TEXT",
                help="Issue, such as ENG-123; default is that of your lane.",
                limits="text, 3 to 60 characters, matching ^([A-Za-z][A-Za-z0-9]*-[1-9][0-9]*|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
            ),
            FieldParam(
                field="body",
                kind="text",
                flags=("--body",),
                metavar="BODY",
                help="Text, in Markdown.",
                limits="text, 1 to 60000 characters",
                required=True,
                positional=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="issue_not_found", exit=4, summary="Linear has no such issue that the account may see."
            ),
            ErrorInfo(code="issue_required", exit=2, summary="No issue is named, and the lane has none."),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(code="linear_key_missing", exit=3, summary="There is no key for Linear."),
            ErrorInfo(
                code="linear_key_malformed",
                exit=3,
                summary="What is set as the key for Linear cannot be one.",
            ),
            ErrorInfo(code="linear_key_refused", exit=3, summary="Linear does not accept the key."),
            ErrorInfo(
                code="linear_address_unsafe",
                exit=1,
                summary="The configured address of Linear must not be sent a key.",
            ),
            ErrorInfo(code="linear_forbidden", exit=3, summary="The account may not do that in Linear."),
            ErrorInfo(code="linear_rate_limited", exit=6, summary="Linear wants fewer requests for a while."),
            ErrorInfo(
                code="linear_unavailable", exit=7, summary="Linear could not be reached, or did not answer."
            ),
            ErrorInfo(code="linear_refused", exit=1, summary="Linear refused the request."),
        ),
        examples=(
            ExampleInfo(
                title="How far it is",
                line="ade issues comment 'It works in Firefox.' --issue ENG-1",
                error=None,
            ),
            ExampleInfo(
                title="An issue that Linear does not have",
                line="ade issues comment Hello --issue ENG-99",
                error="issue_not_found",
            ),
        ),
        skeleton={"issue": "", "body": ""},
    )


def issue_link_to_lane() -> ActionCommand:
    return ActionCommand(
        "link-to-lane",
        group="issues",
        action="issue.link_to_lane",
        tool="issue_link_to_lane",
        effect="write",
        scope="project",
        aliases=(),
        summary="Say that an issue of Linear is worked on in a lane.",
        description="A lane works on one issue; the one it was linked to before is given up. Other issue actions in the lane then mean it.",
        guidance="",
        fields=(
            FieldParam(
                field="issue",
                kind="text",
                flags=("--issue",),
                metavar="ISSUE",
                help="Issue, such as ENG-123.",
                limits="text, 3 to 60 characters, matching ^([A-Za-z][A-Za-z0-9]*-[1-9][0-9]*|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane that works on it; default is your own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="issue_not_found", exit=4, summary="Linear has no such issue that the account may see."
            ),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_required",
                exit=2,
                summary="The action writes and neither a lane was named nor the caller is inside one.",
            ),
            ErrorInfo(code="linear_key_missing", exit=3, summary="There is no key for Linear."),
            ErrorInfo(
                code="linear_key_malformed",
                exit=3,
                summary="What is set as the key for Linear cannot be one.",
            ),
            ErrorInfo(code="linear_key_refused", exit=3, summary="Linear does not accept the key."),
            ErrorInfo(
                code="linear_address_unsafe",
                exit=1,
                summary="The configured address of Linear must not be sent a key.",
            ),
            ErrorInfo(code="linear_forbidden", exit=3, summary="The account may not do that in Linear."),
            ErrorInfo(code="linear_rate_limited", exit=6, summary="Linear wants fewer requests for a while."),
            ErrorInfo(
                code="linear_unavailable", exit=7, summary="Linear could not be reached, or did not answer."
            ),
            ErrorInfo(code="linear_refused", exit=1, summary="Linear refused the request."),
        ),
        examples=(
            ExampleInfo(
                title="A lane for an issue",
                line="ade issues link-to-lane ENG-1 --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A lane that does not exist",
                line="ade issues link-to-lane ENG-1 --lane nowhere",
                error="lane_not_found",
            ),
        ),
        skeleton={"issue": "", "lane": ""},
    )


def issue_list() -> ActionCommand:
    return ActionCommand(
        "list",
        group="issues",
        action="issue.list",
        tool="issue_list",
        effect="read",
        scope="project",
        aliases=(),
        summary="List issues of Linear, the one that changed last first.",
        description="Without a state only those that are neither done nor cancelled. Linear does not count them, so the total is null.",
        guidance="",
        fields=(
            FieldParam(
                field="team",
                kind="text",
                flags=("--team",),
                metavar="TEXT",
                help="Only those of the team with this key.",
                limits="text, 1 to 40 characters",
            ),
            FieldParam(
                field="state",
                kind="text",
                flags=("--state",),
                metavar="TEXT",
                help="Only those in the state with this name.",
                limits="text, 1 to 100 characters",
            ),
            FieldParam(
                field="assignee",
                kind="text",
                flags=("--assignee",),
                metavar="TEXT",
                help="Only those of this person: name, display name, e-mail, or me.",
                limits="text, 1 to 200 characters",
            ),
            FieldParam(
                field="label",
                kind="text",
                flags=("--label",),
                metavar="TEXT",
                help="Only those with this label.",
                limits="text, 1 to 100 characters",
            ),
            FieldParam(
                field="all",
                kind="boolean",
                flags=("--all",),
                metavar="BOOLEAN",
                help="List those that are done or cancelled, too.",
                limits="true or false; default false",
                off_flag="--no-all",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many to return at most.",
                limits="an integer, 1 to 100; default 30",
            ),
            FieldParam(
                field="cursor",
                kind="text",
                flags=("--cursor",),
                metavar="TEXT",
                help="Where to go on; next of the last answer.",
                limits="text, 1 to 200 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="linear_key_missing", exit=3, summary="There is no key for Linear."),
            ErrorInfo(
                code="linear_key_malformed",
                exit=3,
                summary="What is set as the key for Linear cannot be one.",
            ),
            ErrorInfo(code="linear_key_refused", exit=3, summary="Linear does not accept the key."),
            ErrorInfo(
                code="linear_address_unsafe",
                exit=1,
                summary="The configured address of Linear must not be sent a key.",
            ),
            ErrorInfo(code="linear_forbidden", exit=3, summary="The account may not do that in Linear."),
            ErrorInfo(code="linear_rate_limited", exit=6, summary="Linear wants fewer requests for a while."),
            ErrorInfo(
                code="linear_unavailable", exit=7, summary="Linear could not be reached, or did not answer."
            ),
            ErrorInfo(code="linear_refused", exit=1, summary="Linear refused the request."),
        ),
        examples=(
            ExampleInfo(
                title="What I have to do",
                line="ade issues list --assignee me",
                error=None,
            ),
        ),
        skeleton={
            "team": "",
            "state": "",
            "assignee": "",
            "label": "",
            "all": False,
            "limit": 30,
            "cursor": "",
        },
    )


def issue_remove_label() -> ActionCommand:
    return ActionCommand(
        "remove-label",
        group="issues",
        action="issue.remove_label",
        tool="issue_remove_label",
        effect="write",
        scope="project",
        aliases=(),
        summary="Take a label off an issue of Linear.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="issue",
                kind="text",
                flags=("--issue",),
                metavar="TEXT",
                help="Issue, such as ENG-123; default is that of your lane.",
                limits="text, 3 to 60 characters, matching ^([A-Za-z][A-Za-z0-9]*-[1-9][0-9]*|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
            ),
            FieldParam(
                field="label",
                kind="text",
                flags=("--label",),
                metavar="LABEL",
                help="Name of the label.",
                limits="text, 1 to 100 characters",
                required=True,
                positional=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="issue_not_found", exit=4, summary="Linear has no such issue that the account may see."
            ),
            ErrorInfo(code="issue_required", exit=2, summary="No issue is named, and the lane has none."),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(code="linear_key_missing", exit=3, summary="There is no key for Linear."),
            ErrorInfo(
                code="linear_key_malformed",
                exit=3,
                summary="What is set as the key for Linear cannot be one.",
            ),
            ErrorInfo(code="linear_key_refused", exit=3, summary="Linear does not accept the key."),
            ErrorInfo(
                code="linear_address_unsafe",
                exit=1,
                summary="The configured address of Linear must not be sent a key.",
            ),
            ErrorInfo(code="linear_forbidden", exit=3, summary="The account may not do that in Linear."),
            ErrorInfo(code="linear_rate_limited", exit=6, summary="Linear wants fewer requests for a while."),
            ErrorInfo(
                code="linear_unavailable", exit=7, summary="Linear could not be reached, or did not answer."
            ),
            ErrorInfo(code="linear_refused", exit=1, summary="Linear refused the request."),
        ),
        examples=(
            ExampleInfo(
                title="It is no feature",
                line="ade issues remove-label feature --issue ENG-1",
                error=None,
            ),
            ExampleInfo(
                title="An issue that Linear does not have",
                line="ade issues remove-label Bug --issue ENG-99",
                error="issue_not_found",
            ),
        ),
        skeleton={"issue": "", "label": ""},
    )


def issue_search() -> ActionCommand:
    return ActionCommand(
        "search",
        group="issues",
        action="issue.search",
        tool="issue_search",
        effect="read",
        scope="project",
        aliases=(),
        summary="Search the issues of Linear by words.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="query",
                kind="text",
                flags=("--query",),
                metavar="QUERY",
                help="Words to look for.",
                limits="text, 1 to 500 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="comments",
                kind="boolean",
                flags=("--comments",),
                metavar="BOOLEAN",
                help="Look into comments, too.",
                limits="true or false; default false",
                off_flag="--no-comments",
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
                limits="text, 1 to 200 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="linear_key_missing", exit=3, summary="There is no key for Linear."),
            ErrorInfo(
                code="linear_key_malformed",
                exit=3,
                summary="What is set as the key for Linear cannot be one.",
            ),
            ErrorInfo(code="linear_key_refused", exit=3, summary="Linear does not accept the key."),
            ErrorInfo(
                code="linear_address_unsafe",
                exit=1,
                summary="The configured address of Linear must not be sent a key.",
            ),
            ErrorInfo(code="linear_forbidden", exit=3, summary="The account may not do that in Linear."),
            ErrorInfo(code="linear_rate_limited", exit=6, summary="Linear wants fewer requests for a while."),
            ErrorInfo(
                code="linear_unavailable", exit=7, summary="Linear could not be reached, or did not answer."
            ),
            ErrorInfo(code="linear_refused", exit=1, summary="Linear refused the request."),
        ),
        examples=(
            ExampleInfo(
                title="By a word of the title",
                line="ade issues search passkey",
                error=None,
            ),
        ),
        skeleton={"query": "", "comments": False, "limit": 20, "cursor": ""},
    )


def issue_show() -> ActionCommand:
    return ActionCommand(
        "show",
        group="issues",
        action="issue.show",
        tool="issue_show",
        effect="read",
        scope="project",
        aliases=(),
        summary="Show an issue of Linear with its text and comments.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="issue",
                kind="text",
                flags=("--issue",),
                metavar="ISSUE",
                help="Issue, such as ENG-123; default is that of your lane.",
                limits="text, 3 to 60 characters, matching ^([A-Za-z][A-Za-z0-9]*-[1-9][0-9]*|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
                positional=True,
            ),
            FieldParam(
                field="comments",
                kind="integer",
                flags=("--comments",),
                metavar="INTEGER",
                help="How many comments to show at most.",
                limits="an integer, 1 to 100; default 30",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="issue_not_found", exit=4, summary="Linear has no such issue that the account may see."
            ),
            ErrorInfo(code="issue_required", exit=2, summary="No issue is named, and the lane has none."),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(code="linear_key_missing", exit=3, summary="There is no key for Linear."),
            ErrorInfo(
                code="linear_key_malformed",
                exit=3,
                summary="What is set as the key for Linear cannot be one.",
            ),
            ErrorInfo(code="linear_key_refused", exit=3, summary="Linear does not accept the key."),
            ErrorInfo(
                code="linear_address_unsafe",
                exit=1,
                summary="The configured address of Linear must not be sent a key.",
            ),
            ErrorInfo(code="linear_forbidden", exit=3, summary="The account may not do that in Linear."),
            ErrorInfo(code="linear_rate_limited", exit=6, summary="Linear wants fewer requests for a while."),
            ErrorInfo(
                code="linear_unavailable", exit=7, summary="Linear could not be reached, or did not answer."
            ),
            ErrorInfo(code="linear_refused", exit=1, summary="Linear refused the request."),
        ),
        examples=(
            ExampleInfo(
                title="An issue with its text",
                line="ade issues show ENG-1",
                error=None,
            ),
            ExampleInfo(
                title="An issue that Linear does not have",
                line="ade issues show ENG-99",
                error="issue_not_found",
            ),
        ),
        skeleton={"issue": "", "comments": 30},
    )


def issue_update_state() -> ActionCommand:
    return ActionCommand(
        "update-state",
        group="issues",
        action="issue.update_state",
        tool="issue_update_state",
        effect="write",
        scope="project",
        aliases=(),
        summary="Put an issue of Linear into another state.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="issue",
                kind="text",
                flags=("--issue",),
                metavar="TEXT",
                help="Issue, such as ENG-123; default is that of your lane.",
                limits="text, 3 to 60 characters, matching ^([A-Za-z][A-Za-z0-9]*-[1-9][0-9]*|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
            ),
            FieldParam(
                field="state",
                kind="text",
                flags=("--state",),
                metavar="STATE",
                help="Name of a state of its team, such as In Progress.",
                limits="text, 1 to 100 characters",
                required=True,
                positional=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="issue_not_found", exit=4, summary="Linear has no such issue that the account may see."
            ),
            ErrorInfo(code="issue_required", exit=2, summary="No issue is named, and the lane has none."),
            ErrorInfo(
                code="issue_state_not_found", exit=4, summary="The team of the issue has no such state."
            ),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(code="linear_key_missing", exit=3, summary="There is no key for Linear."),
            ErrorInfo(
                code="linear_key_malformed",
                exit=3,
                summary="What is set as the key for Linear cannot be one.",
            ),
            ErrorInfo(code="linear_key_refused", exit=3, summary="Linear does not accept the key."),
            ErrorInfo(
                code="linear_address_unsafe",
                exit=1,
                summary="The configured address of Linear must not be sent a key.",
            ),
            ErrorInfo(code="linear_forbidden", exit=3, summary="The account may not do that in Linear."),
            ErrorInfo(code="linear_rate_limited", exit=6, summary="Linear wants fewer requests for a while."),
            ErrorInfo(
                code="linear_unavailable", exit=7, summary="Linear could not be reached, or did not answer."
            ),
            ErrorInfo(code="linear_refused", exit=1, summary="Linear refused the request."),
        ),
        examples=(
            ExampleInfo(
                title="Begun",
                line="ade issues update-state 'in progress' --issue ENG-1",
                error=None,
            ),
            ExampleInfo(
                title="A state that the team does not have",
                line="ade issues update-state Shipped --issue ENG-1",
                error="issue_state_not_found",
            ),
        ),
        skeleton={"issue": "", "state": ""},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "add-label": issue_add_label,
    "assign": issue_assign,
    "comment": issue_comment,
    "link-to-lane": issue_link_to_lane,
    "list": issue_list,
    "remove-label": issue_remove_label,
    "search": issue_search,
    "show": issue_show,
    "update-state": issue_update_state,
}
