"""A small catalogue made by hand, so that the command base is judged without the generator."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from ade_runtime.cli.catalog import Catalog, CommandInfo, CompleterInfo, GroupInfo
from ade_runtime.cli.commands import ActionCommand, RunCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam, RuleInfo


def text(field: str, **more: Any) -> FieldParam:
    dashed = field.replace("_", "-")
    defaults: dict[str, Any] = {
        "kind": "text",
        "flags": (f"--{dashed}",),
        "metavar": "TEXT",
        "help": f"The {field}.",
        "limits": "text",
    }
    return FieldParam(field=field, **{**defaults, **more})


def switch(field: str) -> FieldParam:
    dashed = field.replace("_", "-")
    return text(field, kind="boolean", off_flag=f"--no-{dashed}", limits="true or false")


def command(
    group: str, name: str, fields: list[FieldParam], *, rules: tuple[RuleInfo, ...] = ()
) -> ActionCommand:
    kind = RunCommand if (group, name) == ("actions", "run") else ActionCommand
    return kind(
        name,
        group=group,
        action=f"{group.removesuffix('s') if group == 'lanes' else group}.{name}",
        tool=f"{name}_{group.removesuffix('s')}",
        effect="write",
        scope="project",
        summary=f"Do {name}.",
        description="",
        fields=fields,
        rules=rules,
        errors=[ErrorInfo(code="lane_name_taken", exit=5, summary="A lane of that name exists.")],
        examples=[ExampleInfo(title="The usual way", line=f"ade {group} {name}")],
        skeleton={"name": ""},
    )


LANES = [
    command(
        "lanes",
        "create",
        [
            text("name", required=True, positional=True, metavar="NAME"),
            text("base", flags=("-b", "--base")),
            text("parent_lane", complete="lanes"),
            switch("force"),
            text("kind", choices=("worktree", "attached")),
            text("label", many=True, flags=("-l", "--label")),
            text("depth", kind="integer", metavar="INTEGER", limits="an integer"),
            text("ratio", kind="number", metavar="NUMBER"),
            text("options", kind="json", metavar="JSON"),
            text("size", kind="integer", many=True),
        ],
    ),
    command("lanes", "list", []),
    command(
        "lanes",
        "shift",
        [
            text("by", kind="integer", required=True, positional=True, metavar="BY"),
            text("path", many=True, positional=True, metavar="PATH"),
        ],
    ),
    command(
        "lanes",
        "wake",
        [text("cron"), text("run_at"), text("delay_seconds", kind="integer"), text("zone")],
        rules=(
            RuleInfo(kind="exactly_one_of", fields=("cron", "run_at", "delay_seconds")),
            RuleInfo(kind="requires", fields=("zone", "cron")),
        ),
    ),
]
ACTIONS = [
    command(
        "actions",
        "run",
        [
            text("action", required=True, positional=True, metavar="ACTION"),
            text("arguments", kind="json", metavar="JSON"),
            switch("background"),
        ],
    )
]
ODD = [
    command("class", "import", [text("class"), text("from"), text("lambda"), text("None"), text("match")]),
    command("class", "help", [text("async")]),
]


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    modules = {"lanes": LANES, "actions": ACTIONS, "class": ODD}
    groups = [
        GroupInfo(
            name=name,
            module=name,
            title=name.title(),
            summary=f"The {name} group.",
            aliases=("lane",) if name == "lanes" else (),
            within=("actions odd",) if name == "class" else (),
            commands=tuple(
                CommandInfo(name=str(one.name), action=one.action, tool=one.tool, summary=one.summary)
                for one in commands
            ),
        )
        for name, commands in modules.items()
    ]

    def load(module: str) -> Any:
        return SimpleNamespace(COMMANDS={str(one.name): (lambda one=one: one) for one in modules[module]})

    completers = {"lanes": CompleterInfo(action="lane.list", items="items", value="name", help="branch")}
    return Catalog(groups, completers, load=cast(Any, load))
