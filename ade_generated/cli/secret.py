"""Commands of the secrets group. Generated from specs/domains/secret.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam


def secret_delete() -> ActionCommand:
    return ActionCommand(
        "delete",
        group="secrets",
        action="secret.delete",
        tool="secret_delete",
        effect="destructive",
        scope="machine",
        aliases=(),
        summary="Delete a secret; its value is gone for good.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="name",
                kind="text",
                flags=("--name",),
                metavar="NAME",
                help="Name of the secret, such as STRIPE_KEY.",
                limits="text, 1 to 100 characters, matching ^[A-Za-z_][A-Za-z0-9_.-]*$",
                required=True,
                positional=True,
                complete="secrets",
            ),
            FieldParam(
                field="machine",
                kind="boolean",
                flags=("--machine",),
                metavar="BOOLEAN",
                help="Delete the machine's, not the project's.",
                limits="true or false; default false",
                off_flag="--no-machine",
            ),
            FieldParam(
                field="project",
                kind="text",
                flags=("--of-project",),
                metavar="TEXT",
                help="Project whose secret it is: id, name or path; default is the caller's.",
                limits="text, 1 to 4096 characters",
                complete="projects",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="secret_not_found",
                exit=4,
                summary="There is no secret of that name that the caller may have.",
            ),
            ErrorInfo(
                code="secret_protected",
                exit=3,
                summary="The secret exists and the caller's role may neither have nor change it.",
            ),
            ErrorInfo(
                code="secret_store_failed",
                exit=7,
                summary="The keyring or the encrypted file did not work; nothing was changed.",
            ),
            ErrorInfo(
                code="project_not_found", exit=4, summary="No registered project has that id, name or path."
            ),
            ErrorInfo(code="project_ambiguous", exit=5, summary="Several projects have that name."),
            ErrorInfo(
                code="project_required",
                exit=2,
                summary="The action works on a project and none was named or found.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A secret of the project",
                line="ade secrets delete STRIPE_KEY",
                error=None,
            ),
            ExampleInfo(
                title="A secret that nobody set",
                line="ade secrets delete NO_SUCH_KEY",
                error="secret_not_found",
            ),
        ),
        skeleton={"name": "", "machine": False, "project": ""},
    )


def secret_get() -> ActionCommand:
    return ActionCommand(
        "get",
        group="secrets",
        action="secret.get",
        tool="secret_get",
        effect="secret",
        scope="machine",
        aliases=(),
        summary="Give the value of one secret.",
        description="The project's own is found before the machine's. The use is written into the audit with the name. Put the value where it is needed, such as the environment of one command; never into a file, a commit, a message or a command's arguments.",
        guidance="",
        fields=(
            FieldParam(
                field="name",
                kind="text",
                flags=("--name",),
                metavar="NAME",
                help="Name of the secret, such as STRIPE_KEY.",
                limits="text, 1 to 100 characters, matching ^[A-Za-z_][A-Za-z0-9_.-]*$",
                required=True,
                positional=True,
                complete="secrets",
            ),
            FieldParam(
                field="machine",
                kind="boolean",
                flags=("--machine",),
                metavar="BOOLEAN",
                help="Take the machine's even if the project has one of that name.",
                limits="true or false; default false",
                off_flag="--no-machine",
            ),
            FieldParam(
                field="project",
                kind="text",
                flags=("--of-project",),
                metavar="TEXT",
                help="Project whose secret it is: id, name or path; default is the caller's.",
                limits="text, 1 to 4096 characters",
                complete="projects",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="secret_not_found",
                exit=4,
                summary="There is no secret of that name that the caller may have.",
            ),
            ErrorInfo(
                code="secret_store_failed",
                exit=7,
                summary="The keyring or the encrypted file did not work; nothing was changed.",
            ),
            ErrorInfo(
                code="project_not_found", exit=4, summary="No registered project has that id, name or path."
            ),
            ErrorInfo(code="project_ambiguous", exit=5, summary="Several projects have that name."),
        ),
        examples=(
            ExampleInfo(
                title="A secret of the project",
                line="ade secrets get STRIPE_KEY",
                error=None,
            ),
            ExampleInfo(
                title="A secret that nobody set",
                line="ade secrets get NO_SUCH_KEY",
                error="secret_not_found",
            ),
        ),
        skeleton={"name": "", "machine": False, "project": ""},
    )


def secret_list() -> ActionCommand:
    return ActionCommand(
        "list",
        group="secrets",
        action="secret.list",
        tool="secret_list",
        effect="read",
        scope="machine",
        aliases=(),
        summary="List the names of secrets that you may have, never their values.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="machine",
                kind="boolean",
                flags=("--machine",),
                metavar="BOOLEAN",
                help="List those of the machine only.",
                limits="true or false; default false",
                off_flag="--no-machine",
            ),
            FieldParam(
                field="project",
                kind="text",
                flags=("--of-project",),
                metavar="TEXT",
                help="Project whose secrets to list besides the machine's: id, name or path; default is the caller's.",
                limits="text, 1 to 4096 characters",
                complete="projects",
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
                limits="text, 1 to 200 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
            ErrorInfo(
                code="project_not_found", exit=4, summary="No registered project has that id, name or path."
            ),
            ErrorInfo(code="project_ambiguous", exit=5, summary="Several projects have that name."),
        ),
        examples=(
            ExampleInfo(
                title="One secret of the project",
                line="ade secrets list",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade secrets list --cursor nowhere",
                error="invalid_cursor",
            ),
        ),
        skeleton={"machine": False, "project": "", "limit": 100, "cursor": ""},
    )


def secret_set() -> ActionCommand:
    return ActionCommand(
        "set",
        group="secrets",
        action="secret.set",
        tool="secret_set",
        effect="secret",
        scope="machine",
        aliases=(),
        summary="Set the value of a secret, or replace it.",
        description="The value goes to the system's keyring where there is one that works, else to a file that ADE encrypts. On the command line it is asked for, or read from standard input or a file; it is never an argument.",
        guidance="",
        fields=(
            FieldParam(
                field="name",
                kind="text",
                flags=("--name",),
                metavar="NAME",
                help="Name of the secret, such as STRIPE_KEY.",
                limits="text, 1 to 100 characters, matching ^[A-Za-z_][A-Za-z0-9_.-]*$",
                required=True,
                positional=True,
                complete="secrets",
            ),
            FieldParam(
                field="value",
                kind="text",
                flags=("--value",),
                metavar="@FILE",
                help="Its value; it is never shown in an answer, a log or an error.",
                limits="text, 1 to 65536 characters",
                required=True,
                secret=True,
            ),
            FieldParam(
                field="machine",
                kind="boolean",
                flags=("--machine",),
                metavar="BOOLEAN",
                help="Set it for the whole machine instead of one project.",
                limits="true or false; default false",
                off_flag="--no-machine",
            ),
            FieldParam(
                field="project",
                kind="text",
                flags=("--of-project",),
                metavar="TEXT",
                help="Project it is for: id, name or path; default is the caller's.",
                limits="text, 1 to 4096 characters",
                complete="projects",
            ),
            FieldParam(
                field="readers",
                kind="text",
                flags=("--readers",),
                metavar="TEXT",
                help="Lowest role that may have its value; agent, or what it was.",
                limits="one of agent, orchestrator, cto",
                choices=("agent", "orchestrator", "cto"),
            ),
            FieldParam(
                field="description",
                kind="text",
                flags=("--description",),
                metavar="TEXT",
                help="What it is for; shown in lists.",
                limits="text, at most 200 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="secret_protected",
                exit=3,
                summary="The secret exists and the caller's role may neither have nor change it.",
            ),
            ErrorInfo(
                code="secret_store_failed",
                exit=7,
                summary="The keyring or the encrypted file did not work; nothing was changed.",
            ),
            ErrorInfo(
                code="project_not_found", exit=4, summary="No registered project has that id, name or path."
            ),
            ErrorInfo(code="project_ambiguous", exit=5, summary="Several projects have that name."),
            ErrorInfo(
                code="project_required",
                exit=2,
                summary="The action works on a project and none was named or found.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A new secret of the project",
                line="ade secrets set STRIPE_KEY --description 'For the test shop'",
                error=None,
            ),
            ExampleInfo(
                title="A new value for one of the machine",
                line="ade secrets set NPM_TOKEN --machine --readers orchestrator",
                error=None,
            ),
            ExampleInfo(
                title="One that only the CTO may have",
                line="ade secrets set DEPLOY_KEY",
                error="secret_protected",
            ),
        ),
        skeleton={
            "name": "",
            "value": "",
            "machine": False,
            "project": "",
            "readers": "agent",
            "description": "",
        },
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "delete": secret_delete,
    "get": secret_get,
    "list": secret_list,
    "set": secret_set,
}
