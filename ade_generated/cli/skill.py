"""Commands of the skills group. Generated from specs/domains/skill.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam


def skill_install() -> ActionCommand:
    return ActionCommand(
        "install",
        group="skills",
        action="skill.install",
        tool="install_skills",
        effect="write",
        scope="machine",
        aliases=(),
        summary="Copy ADE's own skills to where an agent program looks for skills.",
        description="Copies are marked as ADE's. One that is there already is brought up to date; a skill of that name which is not ADE's stays, and is reported.",
        guidance="",
        fields=(
            FieldParam(
                field="names",
                kind="text",
                flags=("--names",),
                metavar="NAMES",
                help="Skills to copy; default is all of ADE's.",
                limits="a list of 1 to 50 items, no two alike, each text, 1 to 64 characters",
                positional=True,
                many=True,
            ),
            FieldParam(
                field="place",
                kind="text",
                flags=("--place",),
                metavar="TEXT",
                help="Whether for one lane or, from the owner's shell, for all of your work.",
                limits="one of lane, home; default lane",
                choices=("lane", "home"),
            ),
            FieldParam(
                field="reader",
                kind="text",
                flags=("--reader",),
                metavar="TEXT",
                help="Whose folder: .claude/skills, .agents/skills, .ade/skills or .codex/skills.",
                limits="one of claude, agents, ade, codex; default claude",
                choices=("claude", "agents", "ade", "codex"),
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to copy to; default is your own, primary the project's checkout.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="project",
                kind="text",
                flags=("--lane-project",),
                metavar="TEXT",
                help="Project of the lane: id, name or path; default is the one you are in.",
                limits="text, 1 to 4096 characters",
                complete="projects",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_required",
                exit=2,
                summary="The action writes and neither a lane was named nor the caller is inside one.",
            ),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(
                code="project_required",
                exit=2,
                summary="The action works on a project and none was named or found.",
            ),
            ErrorInfo(
                code="project_not_found", exit=4, summary="No registered project has that id, name or path."
            ),
            ErrorInfo(code="project_ambiguous", exit=5, summary="Several projects have that name."),
            ErrorInfo(code="skill_not_found", exit=4, summary="No skill of that name is in any root."),
            ErrorInfo(
                code="skill_copy_failed", exit=1, summary="A copy of a skill could not be written or removed."
            ),
        ),
        examples=(
            ExampleInfo(
                title="Into a lane",
                line="ade skills install ade-deeplinks --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A skill that ADE does not have",
                line="ade skills install knitting --lane fix-login",
                error="skill_not_found",
            ),
        ),
        skeleton={"names": [""], "place": "lane", "reader": "claude", "lane": "", "project": ""},
    )


def skill_list() -> ActionCommand:
    return ActionCommand(
        "list",
        group="skills",
        action="skill.list",
        tool="list_skills",
        effect="read",
        scope="machine",
        aliases=(),
        summary="List the skills of all roots, and which of them an agent gets.",
        description="Of several skills with one name the nearest counts, and the others are shown as shadowed by it. A skill whose file is not as the Agent Skills format wants it is shown with what is wrong.",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to look from; default is the folder you are in.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="state",
                kind="text",
                flags=("--state",),
                metavar="TEXT",
                help="Only skills in this state.",
                limits="one of ok, shadowed, faulty",
                choices=("ok", "shadowed", "faulty"),
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many to return at most.",
                limits="an integer, 1 to 1000; default 200",
            ),
            FieldParam(
                field="cursor",
                kind="text",
                flags=("--cursor",),
                metavar="TEXT",
                help="Where to go on; next of the last answer.",
                limits="text, 1 to 4096 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="project_required",
                exit=2,
                summary="The action works on a project and none was named or found.",
            ),
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
        ),
        examples=(
            ExampleInfo(
                title="The nearest one of a name counts",
                line="ade skills list --lane fix-login --limit 1",
                error=None,
            ),
            ExampleInfo(
                title="The same name farther away",
                line="ade skills list --lane fix-login --state shadowed",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade skills list --cursor nowhere",
                error="invalid_cursor",
            ),
        ),
        skeleton={"lane": "", "state": "ok", "limit": 200, "cursor": ""},
    )


def skill_roots() -> ActionCommand:
    return ActionCommand(
        "roots",
        group="skills",
        action="skill.roots",
        tool="list_skill_roots",
        effect="read",
        scope="machine",
        aliases=(),
        summary="List the folders that skills are taken from, the nearest first.",
        description="The folders .claude/skills, .agents/skills, .ade/skills and .codex/skills of the lane, of each folder above it and of your home, then those named by ADE_AGENT_SKILLS_DIRS, then ADE's own. Only those that exist, each once.",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to look from; default is the folder you are in.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="project_required",
                exit=2,
                summary="The action works on a project and none was named or found.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A lane with a skill of its own",
                line="ade skills roots --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A lane that does not exist",
                line="ade skills roots --lane nowhere",
                error="lane_not_found",
            ),
        ),
        skeleton={"lane": ""},
    )


def skill_show() -> ActionCommand:
    return ActionCommand(
        "show",
        group="skills",
        action="skill.show",
        tool="show_skill",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Show a skill's instructions, or another file of it.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="name",
                kind="text",
                flags=("--name",),
                metavar="NAME",
                help="Name of the skill.",
                limits="text, 1 to 120 characters",
                required=True,
                positional=True,
                complete="skills",
            ),
            FieldParam(
                field="file",
                kind="text",
                flags=("--file",),
                metavar="FILE",
                help="File of the skill to show, relative to its folder.",
                limits="text, 1 to 4096 characters; default SKILL.md",
                positional=True,
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to look from; default is the folder you are in.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="offset",
                kind="integer",
                flags=("--offset",),
                metavar="INTEGER",
                help="Bytes to leave out at the beginning.",
                limits="an integer, at least 0; default 0",
            ),
            FieldParam(
                field="max_bytes",
                kind="integer",
                flags=("--max-bytes",),
                metavar="INTEGER",
                help="Bytes to return at most.",
                limits="an integer, 1 to 1048576; default 65536",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="project_required",
                exit=2,
                summary="The action works on a project and none was named or found.",
            ),
            ErrorInfo(code="skill_not_found", exit=4, summary="No skill of that name is in any root."),
            ErrorInfo(
                code="skill_file_unreadable",
                exit=4,
                summary="A file of a skill does not exist, is no regular file, or leads out of the skill.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="What a skill says",
                line="ade skills show review --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A skill that nobody wrote",
                line="ade skills show no-such-skill",
                error="skill_not_found",
            ),
            ExampleInfo(
                title="A file outside of the skill",
                line="ade skills show review ../../../README.md --lane fix-login",
                error="skill_file_unreadable",
            ),
        ),
        skeleton={"name": "", "file": "SKILL.md", "lane": "", "offset": 0, "max_bytes": 65536},
    )


def skill_uninstall() -> ActionCommand:
    return ActionCommand(
        "uninstall",
        group="skills",
        action="skill.uninstall",
        tool="uninstall_skills",
        effect="write",
        scope="machine",
        aliases=(),
        summary="Remove the copies of ADE's own skills again.",
        description="Only copies that are marked as ADE's are removed.",
        guidance="",
        fields=(
            FieldParam(
                field="place",
                kind="text",
                flags=("--place",),
                metavar="TEXT",
                help="Whether from one lane or, from the owner's shell, from your home.",
                limits="one of lane, home; default lane",
                choices=("lane", "home"),
            ),
            FieldParam(
                field="reader",
                kind="text",
                flags=("--reader",),
                metavar="TEXT",
                help="Whose folder: .claude/skills, .agents/skills, .ade/skills or .codex/skills.",
                limits="one of claude, agents, ade, codex; default claude",
                choices=("claude", "agents", "ade", "codex"),
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to remove from; default is your own, primary the project's checkout.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="project",
                kind="text",
                flags=("--lane-project",),
                metavar="TEXT",
                help="Project of the lane: id, name or path; default is the one you are in.",
                limits="text, 1 to 4096 characters",
                complete="projects",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_required",
                exit=2,
                summary="The action writes and neither a lane was named nor the caller is inside one.",
            ),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(
                code="project_required",
                exit=2,
                summary="The action works on a project and none was named or found.",
            ),
            ErrorInfo(
                code="project_not_found", exit=4, summary="No registered project has that id, name or path."
            ),
            ErrorInfo(code="project_ambiguous", exit=5, summary="Several projects have that name."),
            ErrorInfo(
                code="skill_copy_failed", exit=1, summary="A copy of a skill could not be written or removed."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A copy, and another's skill",
                line="ade skills uninstall --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A lane that does not exist",
                line="ade skills uninstall --lane nowhere",
                error="lane_not_found",
            ),
        ),
        skeleton={"place": "lane", "reader": "claude", "lane": "", "project": ""},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "install": skill_install,
    "list": skill_list,
    "roots": skill_roots,
    "show": skill_show,
    "uninstall": skill_uninstall,
}
