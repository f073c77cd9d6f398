"""Commands of the config group. Generated from specs/domains/config.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam, RuleInfo


def config_distrust() -> ActionCommand:
    return ActionCommand(
        "distrust",
        group="config",
        action="config.distrust",
        tool="config_distrust",
        effect="write",
        scope="project",
        aliases=(),
        summary="Forget that the project's commands were ever trusted; none of them runs until they are again.",
        description="",
        guidance="",
        fields=(),
        rules=(),
        errors=(
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
                title="Commands that were trusted",
                line="ade config distrust",
                error=None,
            ),
        ),
        skeleton={},
    )


def config_schema() -> ActionCommand:
    return ActionCommand(
        "schema",
        group="config",
        action="config.schema",
        tool="config_schema",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Give the JSON Schema of .ade/config.yaml, for editors.",
        description="",
        guidance="",
        fields=(),
        rules=(),
        errors=(),
        examples=(
            ExampleInfo(
                title="The schema",
                line="ade config schema",
                error=None,
            ),
        ),
        skeleton={},
    )


def config_set() -> ActionCommand:
    return ActionCommand(
        "set",
        group="config",
        action="config.set",
        tool="config_set",
        effect="write",
        scope="project",
        aliases=(),
        summary="Set or remove one value of the project's configuration; comments and layout stay.",
        description="The value is read as YAML, so that text, numbers, lists ([a, b]) and mappings ({a: b}) can be given. What the file would not allow is refused and nothing is written. Commands that change have to be trusted again.",
        guidance="Change .ade/config.yaml with this rather than by hand; it cannot break the file.",
        fields=(
            FieldParam(
                field="path",
                kind="text",
                flags=("--path",),
                metavar="PATH",
                help="Where in the file: names joined by dots, such as processes.web.restart.",
                limits="text, 1 to 500 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="value",
                kind="text",
                flags=("--value",),
                metavar="VALUE",
                help="The new value as YAML.",
                limits="text, at most 65536 characters",
                positional=True,
            ),
            FieldParam(
                field="unset",
                kind="boolean",
                flags=("--unset",),
                metavar="BOOLEAN",
                help="Remove it.",
                limits="true or false",
                off_flag="--no-unset",
            ),
        ),
        rules=(RuleInfo(kind="exactly_one_of", fields=("value", "unset")),),
        errors=(
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
            ErrorInfo(
                code="config_path_unknown",
                exit=4,
                summary="The path of a setting is not one that the configuration can have, or there is nothing to remove.",
            ),
            ErrorInfo(
                code="config_value_invalid",
                exit=2,
                summary="With the new value the file would not be valid, so it was left as it is.",
            ),
            ErrorInfo(
                code="config_not_editable",
                exit=5,
                summary="The file is laid out in a way that cannot be changed without touching more than was asked for.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
        ),
        examples=(
            ExampleInfo(
                title="A process that is started again when it fails",
                line="ade config set processes.web.restart on-failure",
                error=None,
            ),
            ExampleInfo(
                title="A first setting",
                line="ade config set tests.suites.unit.command '[pytest, -q]'",
                error=None,
            ),
            ExampleInfo(
                title="A key that the file does not know",
                line="ade config set processes.web.autostart true",
                error="config_value_invalid",
            ),
        ),
        skeleton={"path": "", "value": "", "unset": False},
    )


def config_show() -> ActionCommand:
    return ActionCommand(
        "show",
        group="config",
        action="config.show",
        tool="config_show",
        effect="read",
        scope="project",
        aliases=(),
        summary="Show the project's configuration, the commands in it, and whether they may run.",
        description="",
        guidance="",
        fields=(),
        rules=(),
        errors=(
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
                title="A project with a process and a test suite",
                line="ade config show",
                error=None,
            ),
            ExampleInfo(
                title="A project without a configuration",
                line="ade config show",
                error=None,
            ),
            ExampleInfo(
                title="A key that does not exist",
                line="ade config show",
                error="config_invalid",
            ),
        ),
        skeleton={},
    )


def config_trust() -> ActionCommand:
    return ActionCommand(
        "trust",
        group="config",
        action="config.trust",
        tool="config_trust",
        effect="write",
        scope="project",
        aliases=(),
        summary="Allow ADE to run the commands that the project's configuration names.",
        description="Only the owner in a shell of their own, or a CTO, may. The hash says what was reviewed; a file that changed since is refused, and any later change has to be trusted again.",
        guidance="",
        fields=(
            FieldParam(
                field="hash",
                kind="text",
                flags=("--hash",),
                metavar="HASH",
                help="Hash of the parts that name commands, as shown with them.",
                limits="text, at most 71 characters, matching ^sha256:[0-9a-f]{64}$",
                required=True,
                positional=True,
            ),
        ),
        rules=(),
        errors=(
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
            ErrorInfo(
                code="config_changed",
                exit=5,
                summary="The commands in the configuration are not those that were reviewed.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
        ),
        examples=(
            ExampleInfo(
                title="Commands that were reviewed",
                line="ade config trust CONFIG_HASH",
                error=None,
            ),
            ExampleInfo(
                title="A file that changed since",
                line="ade config trust sha256:0000000000000000000000000000000000000000000000000000000000000000",
                error="config_changed",
            ),
        ),
        skeleton={"hash": ""},
    )


def config_validate() -> ActionCommand:
    return ActionCommand(
        "validate",
        group="config",
        action="config.validate",
        tool="config_validate",
        effect="read",
        scope="project",
        aliases=(),
        summary="Check the project's configuration and list everything that is wrong with it.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="content",
                kind="text",
                flags=("--content",),
                metavar="TEXT",
                help="A text to check in place of the file.",
                limits="text, at most 262144 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="config_unreadable",
                exit=1,
                summary="The project's .ade/config.yaml cannot be read or written, or is no plain file.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
        ),
        examples=(
            ExampleInfo(
                title="A file without faults",
                line="ade config validate",
                error=None,
            ),
            ExampleInfo(
                title="A misspelt key",
                line="ade config validate --content 'processes:\n  web:\n    comand: [true]\n'",
                error=None,
            ),
        ),
        skeleton={"content": ""},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "distrust": config_distrust,
    "schema": config_schema,
    "set": config_set,
    "show": config_show,
    "trust": config_trust,
    "validate": config_validate,
}
