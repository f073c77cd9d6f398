"""Commands of the actions group. Generated from specs/domains/actions.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand, RunCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam


def actions_describe() -> ActionCommand:
    return ActionCommand(
        "describe",
        group="actions",
        action="actions.describe",
        tool="actions_describe",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Describe one action with its schemas, errors and limits.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="action",
                kind="text",
                flags=("--action",),
                metavar="ACTION",
                help="Id or tool name of an action, such as lane.create or create_lane.",
                limits="text, 1 to 120 characters",
                required=True,
                positional=True,
                complete="actions",
            ),
        ),
        rules=(),
        errors=(),
        examples=(
            ExampleInfo(
                title="An action by its tool name",
                line="ade actions describe runtime_health",
                error=None,
            ),
            ExampleInfo(
                title="An action nobody declared",
                line="ade actions describe lane.explode",
                error="unknown_action",
            ),
        ),
        skeleton={"action": ""},
    )


def actions_explain() -> ActionCommand:
    return ActionCommand(
        "explain",
        group="actions",
        action="actions.explain",
        tool="actions_explain",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Tell why you can or cannot see and call an action.",
        description="The owner's shell is told about every action there is, and may ask for another role. Sessions are told about what they can see; anything else is unknown to them.",
        guidance="",
        fields=(
            FieldParam(
                field="action",
                kind="text",
                flags=("--action",),
                metavar="ACTION",
                help="Id or tool name of an action, such as lane.create or create_lane.",
                limits="text, 1 to 120 characters",
                required=True,
                positional=True,
                complete="actions",
            ),
            FieldParam(
                field="as_role",
                kind="text",
                flags=("--as-role",),
                metavar="TEXT",
                help="Role to explain it for, in place of your own; for the owner only.",
                limits="one of external, evaluator, agent, orchestrator, cto",
                choices=("external", "evaluator", "agent", "orchestrator", "cto"),
            ),
        ),
        rules=(),
        errors=(),
        examples=(
            ExampleInfo(
                title="An action everybody may call",
                line="ade actions explain runtime.health",
                error=None,
            ),
            ExampleInfo(
                title="A write for a role that reads",
                line="ade actions explain lane.create --as-role evaluator",
                error=None,
            ),
            ExampleInfo(
                title="An action nobody declared",
                line="ade actions explain lane.explode",
                error="unknown_action",
            ),
        ),
        skeleton={"action": "", "as_role": "external"},
    )


def actions_list() -> ActionCommand:
    return ActionCommand(
        "list",
        group="actions",
        action="actions.list",
        tool="actions_list",
        effect="read",
        scope="machine",
        aliases=(),
        summary="List the actions you may see.",
        description="A compact list names each action with its arguments; schemas adds the full JSON Schemas.",
        guidance="Look here before calling a task blocked.",
        fields=(
            FieldParam(
                field="domain",
                kind="text",
                flags=("--domain",),
                metavar="TEXT",
                help="Only actions of this domain, such as lane.",
                limits="text, 1 to 60 characters",
            ),
            FieldParam(
                field="effect",
                kind="text",
                flags=("--effect",),
                metavar="TEXT",
                help="Only actions with this effect.",
                limits="one of read, write, destructive, secret",
                choices=("read", "write", "destructive", "secret"),
            ),
            FieldParam(
                field="contains",
                kind="text",
                flags=("--contains",),
                metavar="TEXT",
                help="Only actions whose names or summary contain this text, in any case.",
                limits="text, 1 to 120 characters",
            ),
            FieldParam(
                field="schemas",
                kind="boolean",
                flags=("--schemas",),
                metavar="BOOLEAN",
                help="Add the JSON Schemas of input and output.",
                limits="true or false; default false",
                off_flag="--no-schemas",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many to return at most.",
                limits="an integer, 1 to 1000; default 500",
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
        errors=(),
        examples=(
            ExampleInfo(
                title="The actions of one domain",
                line="ade actions list --domain runtime --effect read --contains health",
                error=None,
            ),
        ),
        skeleton={
            "domain": "",
            "effect": "read",
            "contains": "",
            "schemas": False,
            "limit": 500,
            "cursor": "",
        },
    )


def actions_run() -> ActionCommand:
    return RunCommand(
        "run",
        group="actions",
        action="actions.run",
        tool="actions_run",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Run any action by name, at once or in the background.",
        description="The named action's own permissions, limits and checks apply unchanged.",
        guidance="For long work use background, then actions.status with wait.",
        fields=(
            FieldParam(
                field="action",
                kind="text",
                flags=("--action",),
                metavar="ACTION",
                help="Id or tool name of an action, such as lane.create or create_lane.",
                limits="text, 1 to 120 characters",
                required=True,
                positional=True,
                complete="actions",
            ),
            FieldParam(
                field="arguments",
                kind="json",
                flags=("--arguments",),
                metavar="JSON",
                help="Its input as one object.",
                limits="a JSON object; default {}",
            ),
            FieldParam(
                field="background",
                kind="boolean",
                flags=("--background",),
                metavar="BOOLEAN",
                help="Return an operation id at once instead of waiting for the result.",
                limits="true or false; default false",
                off_flag="--no-background",
            ),
        ),
        rules=(),
        errors=(),
        examples=(
            ExampleInfo(
                title="An action without arguments",
                line="ade actions run runtime.health",
                error=None,
            ),
            ExampleInfo(
                title="An action nobody declared",
                line="ade actions run lane.explode",
                error="unknown_action",
            ),
        ),
        skeleton={"action": "", "arguments": {}, "background": False},
    )


def actions_search() -> ActionCommand:
    return ActionCommand(
        "search",
        group="actions",
        action="actions.search",
        tool="actions_search",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Find the few actions that fit a description of what you want to do.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="words",
                kind="text",
                flags=("--words",),
                metavar="WORDS",
                help="What you want to do, in plain words.",
                limits="text, 1 to 400 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many to return at most.",
                limits="an integer, 1 to 20; default 5",
            ),
        ),
        rules=(),
        errors=(),
        examples=(
            ExampleInfo(
                title="By what it does",
                line="ade actions search 'which runtime answers' --limit 1",
                error=None,
            ),
        ),
        skeleton={"words": "", "limit": 5},
    )


def actions_status() -> ActionCommand:
    return ActionCommand(
        "status",
        group="actions",
        action="actions.status",
        tool="actions_status",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Tell how a background run stands, or wait for its end.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="operation",
                kind="text",
                flags=("--operation",),
                metavar="OPERATION",
                help="Id that a background run returned.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="wait",
                kind="number",
                flags=("--wait",),
                metavar="NUMBER",
                help="Seconds to wait for its end.",
                limits="a number, 0.0 to 600.0; default 0.0",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="operation_not_found",
                exit=4,
                summary="No background operation of the caller has that id.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A background run that ended",
                line="ade actions status OPERATION --wait 10",
                error=None,
            ),
            ExampleInfo(
                title="An operation nobody started",
                line="ade actions status op_unknown",
                error="operation_not_found",
            ),
        ),
        skeleton={"operation": "", "wait": 0.0},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "describe": actions_describe,
    "explain": actions_explain,
    "list": actions_list,
    "run": actions_run,
    "search": actions_search,
    "status": actions_status,
}
