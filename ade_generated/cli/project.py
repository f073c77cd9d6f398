"""Commands of the projects group. Generated from specs/domains/project.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam


def project_add() -> ActionCommand:
    return ActionCommand(
        "add",
        group="projects",
        action="project.add",
        tool="project_add",
        effect="write",
        scope="machine",
        aliases=(),
        summary="Register a git repository as a project.",
        description="The path is resolved to the root of the main checkout, symlinks included, so one repository has one id however it is reached. Adding it again returns the same project. A repository without commits is accepted. Nothing is changed besides one line in git's own info/exclude that keeps the lanes out of git status.",
        guidance="Add the repository once; every later command finds it from the working folder.",
        fields=(
            FieldParam(
                field="path",
                kind="text",
                flags=("--path",),
                metavar="PATH",
                help="Folder on this machine; a relative one is read from the caller's working folder.",
                limits="text, 1 to 4096 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="name",
                kind="text",
                flags=("--name",),
                metavar="TEXT",
                help="Name to show instead of the folder's.",
                limits="text, 1 to 120 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="path_not_found", exit=4, summary="The folder does not exist or is not a folder."),
            ErrorInfo(
                code="not_a_git_repository", exit=2, summary="The folder is not inside a git repository."
            ),
            ErrorInfo(code="bare_repository", exit=2, summary="The repository has no checkout to work in."),
            ErrorInfo(code="invalid_project_name", exit=2, summary="The name cannot be shown safely."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
        ),
        examples=(
            ExampleInfo(
                title="The repository in a folder",
                line="ade projects add PROJECT",
                error=None,
            ),
            ExampleInfo(
                title="A repository without a first commit",
                line="ade projects add PROJECT",
                error=None,
            ),
            ExampleInfo(
                title="A folder that does not exist",
                line="ade projects add PROJECT/nowhere",
                error="path_not_found",
            ),
        ),
        skeleton={"path": "", "name": ""},
    )


def project_browse_directories() -> ActionCommand:
    return ActionCommand(
        "browse",
        group="projects",
        action="project.browse_directories",
        tool="project_browse_directories",
        effect="read",
        scope="machine",
        aliases=(),
        summary="List the folders below a folder, to choose a repository from.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="path",
                kind="text",
                flags=("--path",),
                metavar="PATH",
                help="Folder to look into; default is the home folder.",
                limits="text, 1 to 4096 characters",
                positional=True,
            ),
            FieldParam(
                field="hidden",
                kind="boolean",
                flags=("--hidden",),
                metavar="BOOLEAN",
                help="List folders whose name begins with a dot too.",
                limits="true or false; default false",
                off_flag="--no-hidden",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many to return at most.",
                limits="an integer, 1 to 1000; default 200",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="path_not_found", exit=4, summary="The folder does not exist or is not a folder."),
        ),
        examples=(
            ExampleInfo(
                title="Folders next to a project",
                line="ade projects browse PROJECT/..",
                error=None,
            ),
            ExampleInfo(
                title="A folder that does not exist",
                line="ade projects browse PROJECT/nowhere",
                error="path_not_found",
            ),
        ),
        skeleton={"path": "", "hidden": False, "limit": 200},
    )


def project_clone() -> ActionCommand:
    return ActionCommand(
        "clone",
        group="projects",
        action="project.clone",
        tool="project_clone",
        effect="write",
        scope="machine",
        aliases=(),
        summary="Clone a repository into a new folder and register it.",
        description="Addresses are https, ssh, git, user@host:path, file or a folder on this machine; nothing else is handed to git. Passwords in an address are never shown or stored by ADE. A clone that fails or is cancelled leaves no folder.",
        guidance="",
        fields=(
            FieldParam(
                field="url",
                kind="text",
                flags=("--url",),
                metavar="URL",
                help="Address of the repository.",
                limits="text, 1 to 4096 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="path",
                kind="text",
                flags=("--path",),
                metavar="PATH",
                help="Folder to make; default is named after the repository.",
                limits="text, 1 to 4096 characters",
                positional=True,
            ),
            FieldParam(
                field="branch",
                kind="text",
                flags=("-b", "--branch"),
                metavar="TEXT",
                help="Branch to check out; default is the remote's own.",
                limits="text, 1 to 250 characters",
            ),
            FieldParam(
                field="depth",
                kind="integer",
                flags=("--depth",),
                metavar="INTEGER",
                help="Fetch only this many commits of history.",
                limits="an integer, 1 to 1000000",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="invalid_url", exit=2, summary="The address is not one that ADE hands to git."),
            ErrorInfo(code="path_exists", exit=5, summary="The place for a new folder is taken."),
            ErrorInfo(code="path_not_found", exit=4, summary="The folder does not exist or is not a folder."),
            ErrorInfo(
                code="invalid_branch_name",
                exit=2,
                summary="The name cannot be made into a branch that git accepts.",
            ),
            ErrorInfo(
                code="clone_failed",
                exit=1,
                summary="The repository could not be cloned; nothing was left behind.",
            ),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
        ),
        examples=(
            ExampleInfo(
                title="A repository on this machine",
                line="ade projects clone PROJECT PROJECT-copy",
                error=None,
            ),
            ExampleInfo(
                title="An address that git would read as an option",
                line="ade projects clone -- '--upload-pack=touch pwned' PROJECT-copy",
                error="invalid_url",
            ),
        ),
        skeleton={"url": "", "path": "", "branch": "", "depth": 1},
    )


def project_create() -> ActionCommand:
    return ActionCommand(
        "create",
        group="projects",
        action="project.create",
        tool="project_create",
        effect="write",
        scope="machine",
        aliases=(),
        summary="Make a new folder with a git repository and a first commit, and register it.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="path",
                kind="text",
                flags=("--path",),
                metavar="PATH",
                help="Folder to make; it must not exist or be empty.",
                limits="text, 1 to 4096 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="branch",
                kind="text",
                flags=("--branch",),
                metavar="TEXT",
                help="Name of the first branch.",
                limits="text, 1 to 120 characters; default main",
            ),
            FieldParam(
                field="readme",
                kind="text",
                flags=("--readme",),
                metavar="TEXT",
                help="Text of README.md; default is a heading.",
                limits="text, 1 to 20000 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="path_exists", exit=5, summary="The place for a new folder is taken."),
            ErrorInfo(code="path_not_found", exit=4, summary="The folder does not exist or is not a folder."),
            ErrorInfo(
                code="invalid_branch_name",
                exit=2,
                summary="The name cannot be made into a branch that git accepts.",
            ),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="inside_repository", exit=5, summary="A new project would lie inside another repository."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A new project",
                line="ade projects create PROJECT-new",
                error=None,
            ),
            ExampleInfo(
                title="A folder that already holds something",
                line="ade projects create PROJECT",
                error="path_exists",
            ),
        ),
        skeleton={"path": "", "branch": "main", "readme": ""},
    )


def project_list() -> ActionCommand:
    return ActionCommand(
        "list",
        group="projects",
        action="project.list",
        tool="project_list",
        effect="read",
        scope="machine",
        aliases=(),
        summary="List the registered projects.",
        description="",
        guidance="",
        fields=(
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
                limits="text, 1 to 100 characters",
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
                title="Projects on this machine",
                line="ade projects list",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade projects list --cursor nonsense",
                error="invalid_cursor",
            ),
        ),
        skeleton={"limit": 200, "cursor": ""},
    )


def project_remove() -> ActionCommand:
    return ActionCommand(
        "remove",
        group="projects",
        action="project.remove",
        tool="project_remove",
        effect="destructive",
        scope="machine",
        aliases=(),
        summary="Forget a project. No file, branch or worktree is touched.",
        description="While lanes remain it is refused, unless forget_lanes says that ADE may forget them as well, and while programs run in its terminals, processes or test runs it is refused in any case. What was noted in the project's memory and its secrets are forgotten with it.",
        guidance="",
        fields=(
            FieldParam(
                field="project",
                kind="text",
                flags=("--project-value",),
                metavar="PROJECT",
                help="Project id, name or path; a folder inside the project or inside one of its lanes will do.",
                limits="text, 1 to 4096 characters",
                required=True,
                positional=True,
                complete="projects",
            ),
            FieldParam(
                field="forget_lanes",
                kind="boolean",
                flags=("--forget-lanes",),
                metavar="BOOLEAN",
                help="Forget its lanes too; their worktrees and branches stay.",
                limits="true or false; default false",
                off_flag="--no-forget-lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="project_not_found", exit=4, summary="No registered project has that id, name or path."
            ),
            ErrorInfo(code="project_ambiguous", exit=5, summary="Several projects have that name."),
            ErrorInfo(code="project_has_lanes", exit=5, summary="The project still has lanes."),
            ErrorInfo(
                code="project_in_use", exit=5, summary="Programs that ADE started still run in the project."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A project without lanes",
                line="ade projects remove PROJECT",
                error=None,
            ),
            ExampleInfo(
                title="A project that still has a lane",
                line="ade projects remove PROJECT",
                error="project_has_lanes",
            ),
            ExampleInfo(
                title="A project in which a terminal is open",
                line="ade projects remove PROJECT --forget-lanes",
                error="project_in_use",
            ),
        ),
        skeleton={"project": "", "forget_lanes": False},
    )


def project_show() -> ActionCommand:
    return ActionCommand(
        "show",
        group="projects",
        action="project.show",
        tool="project_show",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Show a project, its repository and what in its configuration needs attention.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="project",
                kind="text",
                flags=("--project-value",),
                metavar="PROJECT",
                help="Project id, name or path; a folder inside the project or inside one of its lanes will do.",
                limits="text, 1 to 4096 characters",
                positional=True,
                complete="projects",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="project_not_found", exit=4, summary="No registered project has that id, name or path."
            ),
            ErrorInfo(
                code="project_required",
                exit=2,
                summary="The action works on a project and none was named or found.",
            ),
            ErrorInfo(code="project_ambiguous", exit=5, summary="Several projects have that name."),
        ),
        examples=(
            ExampleInfo(
                title="A project by path",
                line="ade projects show PROJECT",
                error=None,
            ),
            ExampleInfo(
                title="A project nobody registered",
                line="ade projects show prj_unknown",
                error="project_not_found",
            ),
        ),
        skeleton={"project": ""},
    )


def project_touch() -> ActionCommand:
    return ActionCommand(
        "touch",
        group="projects",
        action="project.touch",
        tool="project_touch",
        effect="write",
        scope="machine",
        aliases=(),
        summary="Mark a project as just used, so that it is listed first.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="project",
                kind="text",
                flags=("--project-value",),
                metavar="PROJECT",
                help="Project id, name or path; a folder inside the project or inside one of its lanes will do.",
                limits="text, 1 to 4096 characters",
                positional=True,
                complete="projects",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="project_not_found", exit=4, summary="No registered project has that id, name or path."
            ),
            ErrorInfo(
                code="project_required",
                exit=2,
                summary="The action works on a project and none was named or found.",
            ),
            ErrorInfo(code="project_ambiguous", exit=5, summary="Several projects have that name."),
        ),
        examples=(
            ExampleInfo(
                title="A project by path",
                line="ade projects touch PROJECT",
                error=None,
            ),
            ExampleInfo(
                title="A project nobody registered",
                line="ade projects touch prj_unknown",
                error="project_not_found",
            ),
        ),
        skeleton={"project": ""},
    )


def project_work_summary() -> ActionCommand:
    return ActionCommand(
        "work-summary",
        group="projects",
        action="project.work_summary",
        tool="project_work_summary",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Tell what is going on in a project, lane by lane.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="project",
                kind="text",
                flags=("--project-value",),
                metavar="PROJECT",
                help="Project id, name or path; a folder inside the project or inside one of its lanes will do.",
                limits="text, 1 to 4096 characters",
                positional=True,
                complete="projects",
            ),
            FieldParam(
                field="commits",
                kind="integer",
                flags=("--commits",),
                metavar="INTEGER",
                help="Recent commits to show for each lane.",
                limits="an integer, 0 to 20; default 3",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="project_not_found", exit=4, summary="No registered project has that id, name or path."
            ),
            ErrorInfo(
                code="project_required",
                exit=2,
                summary="The action works on a project and none was named or found.",
            ),
            ErrorInfo(code="project_ambiguous", exit=5, summary="Several projects have that name."),
        ),
        examples=(
            ExampleInfo(
                title="A project with one lane",
                line="ade projects work-summary PROJECT",
                error=None,
            ),
            ExampleInfo(
                title="A project nobody registered",
                line="ade projects work-summary prj_unknown",
                error="project_not_found",
            ),
        ),
        skeleton={"project": "", "commits": 3},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "add": project_add,
    "browse": project_browse_directories,
    "clone": project_clone,
    "create": project_create,
    "list": project_list,
    "remove": project_remove,
    "show": project_show,
    "touch": project_touch,
    "work-summary": project_work_summary,
}
