"""Commands of the packs group. Generated from specs/domains/pack.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam, RuleInfo


def pack_add() -> ActionCommand:
    return ActionCommand(
        "add",
        group="packs",
        action="pack.add",
        tool="pack_add",
        effect="write",
        scope="machine",
        aliases=(),
        summary="Make a pack known, so that it can be reviewed; nothing of it is trusted by that.",
        description="Without a package it is the pack of the project you are in, the files in its .ade/specs.",
        guidance="",
        fields=(
            FieldParam(
                field="package",
                kind="text",
                flags=("--package",),
                metavar="TEXT",
                help="Name of an installed Python package that brings a pack.",
                limits="text, 1 to 120 characters",
            ),
            FieldParam(
                field="name",
                kind="text",
                flags=("--name",),
                metavar="TEXT",
                help="Name to know a project's pack by; by default the project's.",
                limits="text, 1 to 120 characters",
            ),
        ),
        rules=(RuleInfo(kind="at_most_one_of", fields=("package", "name")),),
        errors=(
            ErrorInfo(
                code="pack_unreadable",
                exit=1,
                summary="The files of a pack cannot be read, or are not what a pack may hold.",
            ),
            ErrorInfo(
                code="pack_name_taken",
                exit=5,
                summary="A pack has a name, or brings a name, that something else has.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="The pack of this project",
                line="ade packs add",
                error=None,
            ),
            ExampleInfo(
                title="A project without a pack",
                line="ade packs add",
                error="pack_unreadable",
            ),
            ExampleInfo(
                title="A package that is not installed",
                line="ade packs add --package no_such_package_of_ade",
                error="pack_unreadable",
            ),
        ),
        skeleton={"package": "", "name": ""},
    )


def pack_docs() -> ActionCommand:
    return ActionCommand(
        "docs",
        group="packs",
        action="pack.docs",
        tool="pack_docs",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Show the reference of a pack, in Markdown like that of ADE's own actions.",
        description="It is made from what the pack's author wrote; nothing of the pack is run for it.",
        guidance="",
        fields=(
            FieldParam(
                field="name",
                kind="text",
                flags=("--name",),
                metavar="NAME",
                help="Name of the pack.",
                limits="text, 1 to 120 characters",
                required=True,
                positional=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="pack_not_found", exit=4, summary="Nobody added a pack of that name."),
            ErrorInfo(
                code="pack_unreadable",
                exit=1,
                summary="The files of a pack cannot be read, or are not what a pack may hold.",
            ),
            ErrorInfo(
                code="pack_invalid",
                exit=1,
                summary="A pack is not written as the spec language and the rules for packs want it.",
            ),
            ErrorInfo(
                code="pack_compiler_missing", exit=7, summary="What checks packs is not installed beside ade."
            ),
        ),
        examples=(
            ExampleInfo(
                title="What a project's pack would bring",
                line="ade packs docs project",
                error=None,
            ),
            ExampleInfo(
                title="A pack that nobody added",
                line="ade packs docs nothing",
                error="pack_not_found",
            ),
        ),
        skeleton={"name": ""},
    )


def pack_list() -> ActionCommand:
    return ActionCommand(
        "list",
        group="packs",
        action="pack.list",
        tool="pack_list",
        effect="read",
        scope="machine",
        aliases=(),
        summary="List the packs that were added, with their state.",
        description="",
        guidance="",
        fields=(),
        rules=(),
        errors=(),
        examples=(
            ExampleInfo(
                title="One that nobody trusts yet",
                line="ade packs list",
                error=None,
            ),
        ),
        skeleton={},
    )


def pack_remove() -> ActionCommand:
    return ActionCommand(
        "remove",
        group="packs",
        action="pack.remove",
        tool="pack_remove",
        effect="write",
        scope="machine",
        aliases=(),
        summary="Forget a pack and that it was trusted; its actions are gone at once.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="name",
                kind="text",
                flags=("--name",),
                metavar="NAME",
                help="Name of the pack.",
                limits="text, 1 to 120 characters",
                required=True,
                positional=True,
            ),
        ),
        rules=(),
        errors=(ErrorInfo(code="pack_not_found", exit=4, summary="Nobody added a pack of that name."),),
        examples=(
            ExampleInfo(
                title="A pack",
                line="ade packs remove project",
                error=None,
            ),
            ExampleInfo(
                title="A pack that nobody added",
                line="ade packs remove nothing",
                error="pack_not_found",
            ),
        ),
        skeleton={"name": ""},
    )


def pack_show() -> ActionCommand:
    return ActionCommand(
        "show",
        group="packs",
        action="pack.show",
        tool="pack_show",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Show a pack to review it, with its files, its actions and the commands that perform them.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="name",
                kind="text",
                flags=("--name",),
                metavar="NAME",
                help="Name of the pack.",
                limits="text, 1 to 120 characters",
                required=True,
                positional=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="pack_not_found", exit=4, summary="Nobody added a pack of that name."),
            ErrorInfo(
                code="pack_unreadable",
                exit=1,
                summary="The files of a pack cannot be read, or are not what a pack may hold.",
            ),
            ErrorInfo(
                code="pack_invalid",
                exit=1,
                summary="A pack is not written as the spec language and the rules for packs want it.",
            ),
            ErrorInfo(
                code="pack_compiler_missing", exit=7, summary="What checks packs is not installed beside ade."
            ),
        ),
        examples=(
            ExampleInfo(
                title="What a project's pack would run",
                line="ade packs show project",
                error=None,
            ),
            ExampleInfo(
                title="A pack that nobody added",
                line="ade packs show nothing",
                error="pack_not_found",
            ),
        ),
        skeleton={"name": ""},
    )


def pack_trust() -> ActionCommand:
    return ActionCommand(
        "trust",
        group="packs",
        action="pack.trust",
        tool="pack_trust",
        effect="write",
        scope="machine",
        aliases=(),
        summary="Have a pack's actions, exactly as they were reviewed.",
        description="Only the owner in person may, in a shell outside of every session. The hash says what was reviewed; content that changed since is refused, and any later change takes the actions away until they are trusted again.",
        guidance="",
        fields=(
            FieldParam(
                field="name",
                kind="text",
                flags=("--name",),
                metavar="NAME",
                help="Name of the pack.",
                limits="text, 1 to 120 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="hash",
                kind="text",
                flags=("--hash",),
                metavar="HASH",
                help="Hash of the content that was reviewed, from `ade packs show`.",
                limits="text, matching ^sha256:[0-9a-f]{64}$",
                required=True,
                positional=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="pack_not_found", exit=4, summary="Nobody added a pack of that name."),
            ErrorInfo(
                code="pack_unreadable",
                exit=1,
                summary="The files of a pack cannot be read, or are not what a pack may hold.",
            ),
            ErrorInfo(
                code="pack_invalid",
                exit=1,
                summary="A pack is not written as the spec language and the rules for packs want it.",
            ),
            ErrorInfo(
                code="pack_hash_differs",
                exit=5,
                summary="The content of the pack is another one than the hash that was given.",
            ),
            ErrorInfo(
                code="pack_name_taken",
                exit=5,
                summary="A pack has a name, or brings a name, that something else has.",
            ),
            ErrorInfo(
                code="pack_compiler_missing", exit=7, summary="What checks packs is not installed beside ade."
            ),
        ),
        examples=(
            ExampleInfo(
                title="What was reviewed",
                line="ade packs trust project PACK_HASH",
                error=None,
            ),
            ExampleInfo(
                title="Content that is another by now",
                line="ade packs trust project sha256:0000000000000000000000000000000000000000000000000000000000000000",
                error="pack_hash_differs",
            ),
        ),
        skeleton={"name": "", "hash": ""},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "add": pack_add,
    "docs": pack_docs,
    "list": pack_list,
    "remove": pack_remove,
    "show": pack_show,
    "trust": pack_trust,
}
