"""Commands of the lanes group. Generated from specs/domains/lane.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam


def lane_archive() -> ActionCommand:
    return ActionCommand(
        "archive",
        group="lanes",
        action="lane.archive",
        tool="archive_lane",
        effect="write",
        scope="project",
        aliases=(),
        summary="Put a lane away; its branch, folder and work stay as they are.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("--lane",),
                metavar="LANE",
                help="Lane id or name; primary is the project's own checkout.",
                limits="text, 1 to 200 characters",
                required=True,
                positional=True,
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="primary_lane_protected",
                exit=5,
                summary="The project's own checkout cannot be used like that.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A lane that is done for now",
                line="ade lanes archive fix-login",
                error=None,
            ),
            ExampleInfo(
                title="The primary lane",
                line="ade lanes archive primary",
                error="primary_lane_protected",
            ),
        ),
        skeleton={"lane": ""},
    )


def lane_attach() -> ActionCommand:
    return ActionCommand(
        "attach",
        group="lanes",
        action="lane.attach",
        tool="attach_lane",
        effect="write",
        scope="project",
        aliases=(),
        summary="Make a lane of a worktree that someone else made.",
        description="ADE never removes the folder of an attached lane; deleting the lane only forgets it.",
        guidance="",
        fields=(
            FieldParam(
                field="path",
                kind="text",
                flags=("--path",),
                metavar="PATH",
                help="Folder of the worktree, as list_unregistered_lanes tells it.",
                limits="text, 1 to 4096 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="name",
                kind="text",
                flags=("--name",),
                metavar="TEXT",
                help="Name of the lane; default is the branch's or the folder's.",
                limits="text, 1 to 120 characters",
            ),
            FieldParam(
                field="description",
                kind="text",
                flags=("-d", "--description"),
                metavar="TEXT",
                help="What is done in it.",
                limits="text, 1 to 2000 characters",
            ),
            FieldParam(
                field="parent",
                kind="text",
                flags=("--parent",),
                metavar="TEXT",
                help="Lane it is merged into later; default is the primary lane.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="worktree_not_found",
                exit=4,
                summary="The folder is not the root of a worktree of this repository.",
            ),
            ErrorInfo(code="worktree_is_lane", exit=5, summary="The worktree is a lane already."),
            ErrorInfo(
                code="lane_name_taken",
                exit=5,
                summary="Another lane has that name, or one that differs only in case or Unicode form.",
            ),
            ErrorInfo(
                code="invalid_branch_name",
                exit=2,
                summary="The name cannot be made into a branch that git accepts.",
            ),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A worktree made with git",
                line="ade lanes attach PROJECT/.ade/spare",
                error=None,
            ),
            ExampleInfo(
                title="A folder that is not a worktree",
                line="ade lanes attach PROJECT/.git",
                error="worktree_not_found",
            ),
        ),
        skeleton={"path": "", "name": "", "description": "", "parent": ""},
    )


def lane_create() -> ActionCommand:
    return ActionCommand(
        "create",
        group="lanes",
        action="lane.create",
        tool="create_lane",
        effect="write",
        scope="project",
        aliases=("new",),
        summary="Create a lane from a base branch.",
        description="Makes a branch ade/<name> and a worktree for it under .ade/worktrees. Without parent and base it starts from the project's default branch; with a parent, from the parent's latest commit. All of it happens or nothing.",
        guidance="Create one lane per task; never edit in the primary checkout.",
        fields=(
            FieldParam(
                field="name",
                kind="text",
                flags=("--name",),
                metavar="NAME",
                help="What the lane is for; its branch and folder are named after it.",
                limits="text, 1 to 120 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="description",
                kind="text",
                flags=("-d", "--description"),
                metavar="TEXT",
                help="What is to be done in it.",
                limits="text, 1 to 2000 characters",
            ),
            FieldParam(
                field="parent",
                kind="text",
                flags=("--parent",),
                metavar="TEXT",
                help="Lane it is merged into later; default is the primary lane.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="base",
                kind="text",
                flags=("-b", "--base"),
                metavar="TEXT",
                help="Branch, tag or commit to start from.",
                limits="text, 1 to 500 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="lane_name_taken",
                exit=5,
                summary="Another lane has that name, or one that differs only in case or Unicode form.",
            ),
            ErrorInfo(
                code="invalid_branch_name",
                exit=2,
                summary="The name cannot be made into a branch that git accepts.",
            ),
            ErrorInfo(code="base_not_found", exit=4, summary="The base names no commit, or more than one."),
            ErrorInfo(
                code="invalid_base", exit=2, summary="The base is not written as a branch, tag or commit."
            ),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(
                code="repository_has_no_commits",
                exit=1,
                summary="The repository has no commit yet, and a lane has to start from one.",
            ),
            ErrorInfo(
                code="lane_creation_failed",
                exit=1,
                summary="The lane could not be made; nothing was left behind.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A lane from the default branch",
                line="ade lanes create fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A name in another script",
                line="ade lanes create '\u4fee\u6b63\u30ed\u30b0\u30a4\u30f3'",
                error=None,
            ),
            ExampleInfo(
                title="A name that git would read as an option",
                line="ade lanes create -- --upload-pack=x",
                error="invalid_branch_name",
            ),
            ExampleInfo(
                title="A name that is taken",
                line="ade lanes create Fix-Login",
                error="lane_name_taken",
            ),
            ExampleInfo(
                title="A base that does not exist",
                line="ade lanes create fix-login --base 'HEAD~1000000'",
                error="base_not_found",
            ),
        ),
        skeleton={"name": "", "description": "", "parent": "", "base": ""},
    )


def lane_create_child() -> ActionCommand:
    return ActionCommand(
        "create-child",
        group="lanes",
        action="lane.create_child",
        tool="create_child_lane",
        effect="write",
        scope="project",
        aliases=(),
        summary="Create a lane on top of another one, to be merged into it.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="name",
                kind="text",
                flags=("--name",),
                metavar="NAME",
                help="What the lane is for; its branch and folder are named after it.",
                limits="text, 1 to 120 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("--lane",),
                metavar="TEXT",
                help="Lane to build on; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="description",
                kind="text",
                flags=("-d", "--description"),
                metavar="TEXT",
                help="What is to be done in it.",
                limits="text, 1 to 2000 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="lane_name_taken",
                exit=5,
                summary="Another lane has that name, or one that differs only in case or Unicode form.",
            ),
            ErrorInfo(
                code="invalid_branch_name",
                exit=2,
                summary="The name cannot be made into a branch that git accepts.",
            ),
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
                code="repository_has_no_commits",
                exit=1,
                summary="The repository has no commit yet, and a lane has to start from one.",
            ),
            ErrorInfo(
                code="lane_creation_failed",
                exit=1,
                summary="The lane could not be made; nothing was left behind.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A second step on top of a first",
                line="ade lanes create-child fix-login-tests --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A lane that does not exist",
                line="ade lanes create-child second --lane nowhere",
                error="lane_not_found",
            ),
        ),
        skeleton={"name": "", "lane": "", "description": ""},
    )


def lane_delete() -> ActionCommand:
    return ActionCommand(
        "delete",
        group="lanes",
        action="lane.delete",
        tool="delete_lane",
        effect="destructive",
        scope="project",
        aliases=(),
        summary="Delete a lane and its worktree, unless that would lose work.",
        description="Refused while the lane holds uncommitted or new files, commits found nowhere else, or a running process; the refusal lists them. discard names what is given up, item by item. Processes are never stopped. The branch stays unless its commits are merged into the parent or delete_branch asks for it. What is discarded can be undeleted for 30 days.",
        guidance="Delete the lanes you created once their work is merged; never discard work that you did not make.",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("--lane",),
                metavar="LANE",
                help="Lane id or name; primary is the project's own checkout.",
                limits="text, 1 to 200 characters",
                required=True,
                positional=True,
                complete="lanes",
            ),
            FieldParam(
                field="discard",
                kind="text",
                flags=("--discard",),
                metavar="TEXT",
                help="What may be given up; see discard_needed of get_lane_delete_risk.",
                limits="a list of at most 4 items, no two alike, each one of uncommitted, untracked, unpublished, live_process",
                many=True,
                choices=("uncommitted", "untracked", "unpublished", "live_process"),
            ),
            FieldParam(
                field="delete_branch",
                kind="boolean",
                flags=("--delete-branch",),
                metavar="BOOLEAN",
                help="Delete the branch even though it is not merged; commits found nowhere else need discard unpublished.",
                limits="true or false; default false",
                off_flag="--no-delete-branch",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_has_work",
                exit=5,
                summary="Deleting the lane would lose work or pull the ground from under a process.",
            ),
            ErrorInfo(
                code="lane_locked", exit=5, summary="The lane's worktree was locked with git worktree lock."
            ),
            ErrorInfo(
                code="primary_lane_protected",
                exit=5,
                summary="The project's own checkout cannot be used like that.",
            ),
            ErrorInfo(
                code="lane_removal_failed",
                exit=1,
                summary="Git refused to remove the worktree; it was not forced.",
            ),
            ErrorInfo(code="lane_busy", exit=5, summary="Another call is at work on the lane."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
        ),
        examples=(
            ExampleInfo(
                title="A lane with nothing to lose",
                line="ade lanes delete fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A lane with a new file, given up by name",
                line="ade lanes delete fix-login --discard untracked",
                error=None,
            ),
            ExampleInfo(
                title="A lane with a new file",
                line="ade lanes delete fix-login",
                error="lane_has_work",
            ),
            ExampleInfo(
                title="A lane with a commit found nowhere else",
                line="ade lanes delete fix-login",
                error="lane_has_work",
            ),
            ExampleInfo(
                title="The primary lane",
                line="ade lanes delete primary",
                error="primary_lane_protected",
            ),
        ),
        skeleton={"lane": "", "discard": ["uncommitted"], "delete_branch": False},
    )


def lane_delete_risk() -> ActionCommand:
    return ActionCommand(
        "delete-risk",
        group="lanes",
        action="lane.delete_risk",
        tool="get_lane_delete_risk",
        effect="read",
        scope="project",
        aliases=(),
        summary="Tell what deleting a lane would give up, without deleting it.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("--lane",),
                metavar="LANE",
                help="Lane id or name; primary is the project's own checkout.",
                limits="text, 1 to 200 characters",
                required=True,
                positional=True,
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="primary_lane_protected",
                exit=5,
                summary="The project's own checkout cannot be used like that.",
            ),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A lane with nothing to lose",
                line="ade lanes delete-risk fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A lane with a commit of its own",
                line="ade lanes delete-risk fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A lane that does not exist",
                line="ade lanes delete-risk nowhere",
                error="lane_not_found",
            ),
        ),
        skeleton={"lane": ""},
    )


def lane_import_branch() -> ActionCommand:
    return ActionCommand(
        "import-branch",
        group="lanes",
        action="lane.import_branch",
        tool="import_lane",
        effect="write",
        scope="project",
        aliases=(),
        summary="Make a lane for a branch that exists already, here or on a remote.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="branch",
                kind="text",
                flags=("--branch",),
                metavar="BRANCH",
                help="Branch name; remote/branch for one that only a remote has.",
                limits="text, 1 to 250 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="name",
                kind="text",
                flags=("--name",),
                metavar="TEXT",
                help="Name of the lane; default is the branch's.",
                limits="text, 1 to 120 characters",
            ),
            FieldParam(
                field="description",
                kind="text",
                flags=("-d", "--description"),
                metavar="TEXT",
                help="What is to be done in it.",
                limits="text, 1 to 2000 characters",
            ),
            FieldParam(
                field="parent",
                kind="text",
                flags=("--parent",),
                metavar="TEXT",
                help="Lane it is merged into later; default is the primary lane.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="lane_name_taken",
                exit=5,
                summary="Another lane has that name, or one that differs only in case or Unicode form.",
            ),
            ErrorInfo(
                code="invalid_branch_name",
                exit=2,
                summary="The name cannot be made into a branch that git accepts.",
            ),
            ErrorInfo(code="branch_not_found", exit=4, summary="The repository has no such branch."),
            ErrorInfo(code="branch_in_use", exit=5, summary="The branch is checked out in another worktree."),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="repository_has_no_commits",
                exit=1,
                summary="The repository has no commit yet, and a lane has to start from one.",
            ),
            ErrorInfo(
                code="lane_creation_failed",
                exit=1,
                summary="The lane could not be made; nothing was left behind.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A local branch",
                line="ade lanes import-branch feature",
                error=None,
            ),
            ExampleInfo(
                title="A branch that does not exist",
                line="ade lanes import-branch nowhere",
                error="branch_not_found",
            ),
            ExampleInfo(
                title="A branch that is checked out already",
                line="ade lanes import-branch main",
                error="branch_in_use",
            ),
        ),
        skeleton={"branch": "", "name": "", "description": "", "parent": ""},
    )


def lane_list() -> ActionCommand:
    return ActionCommand(
        "list",
        group="lanes",
        action="lane.list",
        tool="list_lanes",
        effect="read",
        scope="project",
        aliases=(),
        summary="List the lanes of a project.",
        description="Quick by default; include_status looks into every worktree for changes, ahead and behind.",
        guidance="Look for a lane that already serves the task before creating another.",
        fields=(
            FieldParam(
                field="include_status",
                kind="boolean",
                flags=("-s", "--status"),
                metavar="BOOLEAN",
                help="Look into every worktree: changes, ahead and behind.",
                limits="true or false; default false",
                off_flag="--no-status",
            ),
            FieldParam(
                field="archived",
                kind="boolean",
                flags=("--archived",),
                metavar="BOOLEAN",
                help="List archived lanes too.",
                limits="true or false; default false",
                off_flag="--no-archived",
            ),
            FieldParam(
                field="deleted",
                kind="boolean",
                flags=("--deleted",),
                metavar="BOOLEAN",
                help="List the deleted lanes that can still be undeleted, and nothing else.",
                limits="true or false; default false",
                off_flag="--no-deleted",
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
                limits="text, 1 to 100 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="The primary lane and one more",
                line="ade lanes list",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade lanes list --cursor nonsense",
                error="invalid_cursor",
            ),
        ),
        skeleton={"include_status": False, "archived": False, "deleted": False, "limit": 500, "cursor": ""},
    )


def lane_list_unregistered() -> ActionCommand:
    return ActionCommand(
        "list-unregistered",
        group="lanes",
        action="lane.list_unregistered",
        tool="list_unregistered_lanes",
        effect="read",
        scope="project",
        aliases=(),
        summary="List the worktrees of the repository that are not lanes.",
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
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A worktree made with git",
                line="ade lanes list-unregistered",
                error=None,
            ),
        ),
        skeleton={"limit": 200},
    )


def lane_merge() -> ActionCommand:
    return ActionCommand(
        "merge",
        group="lanes",
        action="lane.merge",
        tool="merge_lane",
        effect="write",
        scope="project",
        aliases=(),
        summary="Merge a lane into its parent.",
        description="Both must be free of uncommitted changes. Conflicts are found before anything is written and refuse the merge, unless keep_conflict asks to leave them in the parent's worktree to be resolved there.",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("--lane",),
                metavar="LANE",
                help="Lane id or name; primary is the project's own checkout.",
                limits="text, 1 to 200 characters",
                positional=True,
                complete="lanes",
            ),
            FieldParam(
                field="message",
                kind="text",
                flags=("-m", "--message"),
                metavar="TEXT",
                help="Message of the merge commit.",
                limits="text, 1 to 10000 characters",
            ),
            FieldParam(
                field="mode",
                kind="text",
                flags=("--mode",),
                metavar="TEXT",
                help="merge: a merge commit; squash: one commit with all changes; fast_forward: move the parent or refuse.",
                limits="one of merge, squash, fast_forward; default merge",
                choices=("merge", "squash", "fast_forward"),
            ),
            FieldParam(
                field="keep_conflict",
                kind="boolean",
                flags=("--keep-conflict",),
                metavar="BOOLEAN",
                help="Leave conflicts in the parent's worktree instead of refusing.",
                limits="true or false; default false",
                off_flag="--no-keep-conflict",
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
                code="primary_lane_protected",
                exit=5,
                summary="The project's own checkout cannot be used like that.",
            ),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="lane_dirty", exit=5, summary="The lane has changes that are not committed."),
            ErrorInfo(
                code="operation_in_progress",
                exit=5,
                summary="A merge, rebase or similar waits to be finished in the lane.",
            ),
            ErrorInfo(
                code="merge_conflict",
                exit=5,
                summary="The two sides change the same lines; nothing was written.",
            ),
            ErrorInfo(
                code="merge_refused",
                exit=1,
                summary="Git or a hook stopped the merge; the parent is as it was.",
            ),
            ErrorInfo(
                code="parent_branch_mismatch",
                exit=5,
                summary="The parent has another branch checked out than the lane was started from.",
            ),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(
                code="local_changes",
                exit=5,
                summary="Work that is not committed, or an ignored file, is in the way; nothing was done.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A lane with one commit",
                line="ade lanes merge fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A lane without commits of its own",
                line="ade lanes merge fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A conflict that is wanted",
                line="ade lanes merge fix-login --keep-conflict",
                error=None,
            ),
            ExampleInfo(
                title="A lane that changes what its parent changed",
                line="ade lanes merge fix-login",
                error="merge_conflict",
            ),
            ExampleInfo(
                title="A lane with a file not committed",
                line="ade lanes merge fix-login",
                error="lane_dirty",
            ),
        ),
        skeleton={"lane": "", "message": "", "mode": "merge", "keep_conflict": False},
    )


def lane_rename() -> ActionCommand:
    return ActionCommand(
        "rename",
        group="lanes",
        action="lane.rename",
        tool="rename_lane",
        effect="write",
        scope="project",
        aliases=(),
        summary="Give a lane another name; its branch and folder keep theirs.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("--lane",),
                metavar="LANE",
                help="Lane id or name; primary is the project's own checkout.",
                limits="text, 1 to 200 characters",
                required=True,
                positional=True,
                complete="lanes",
            ),
            FieldParam(
                field="name",
                kind="text",
                flags=("--name",),
                metavar="NAME",
                help="The new name.",
                limits="text, 1 to 120 characters",
                required=True,
                positional=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_name_taken",
                exit=5,
                summary="Another lane has that name, or one that differs only in case or Unicode form.",
            ),
            ErrorInfo(
                code="invalid_branch_name",
                exit=2,
                summary="The name cannot be made into a branch that git accepts.",
            ),
            ErrorInfo(
                code="primary_lane_protected",
                exit=5,
                summary="The project's own checkout cannot be used like that.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A better name",
                line="ade lanes rename fix-login repair-login",
                error=None,
            ),
            ExampleInfo(
                title="The primary lane",
                line="ade lanes rename primary main-lane",
                error="primary_lane_protected",
            ),
        ),
        skeleton={"lane": "", "name": ""},
    )


def lane_repair() -> ActionCommand:
    return ActionCommand(
        "repair",
        group="lanes",
        action="lane.repair",
        tool="repair_lane",
        effect="write",
        scope="project",
        aliases=(),
        summary="Bring back the folder of a lane that went missing, at the same commit.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("--lane",),
                metavar="LANE",
                help="Lane id or name; primary is the project's own checkout.",
                limits="text, 1 to 200 characters",
                required=True,
                positional=True,
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="primary_lane_protected",
                exit=5,
                summary="The project's own checkout cannot be used like that.",
            ),
            ErrorInfo(
                code="lane_not_repairable",
                exit=5,
                summary="The lane's folder cannot be brought back as it was.",
            ),
            ErrorInfo(code="branch_in_use", exit=5, summary="The branch is checked out in another worktree."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A lane whose folder is gone",
                line="ade lanes repair fix-login",
                error=None,
            ),
            ExampleInfo(
                title="The primary lane",
                line="ade lanes repair primary",
                error="primary_lane_protected",
            ),
        ),
        skeleton={"lane": ""},
    )


def lane_reparent() -> ActionCommand:
    return ActionCommand(
        "reparent",
        group="lanes",
        action="lane.reparent",
        tool="reparent_lane",
        effect="write",
        scope="project",
        aliases=(),
        summary="Change the lane that a lane is merged into; no commit is touched.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("--lane",),
                metavar="LANE",
                help="Lane id or name; primary is the project's own checkout.",
                limits="text, 1 to 200 characters",
                required=True,
                positional=True,
                complete="lanes",
            ),
            FieldParam(
                field="parent",
                kind="text",
                flags=("--parent",),
                metavar="PARENT",
                help="The new parent.",
                limits="text, 1 to 200 characters",
                required=True,
                positional=True,
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="primary_lane_protected",
                exit=5,
                summary="The project's own checkout cannot be used like that.",
            ),
            ErrorInfo(code="lane_cycle", exit=5, summary="The lane would stand on itself."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A lane put on top of another",
                line="ade lanes reparent add-search fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A lane put on top of itself",
                line="ade lanes reparent fix-login fix-login",
                error="lane_cycle",
            ),
        ),
        skeleton={"lane": "", "parent": ""},
    )


def lane_show() -> ActionCommand:
    return ActionCommand(
        "show",
        group="lanes",
        action="lane.show",
        tool="get_lane_status",
        effect="read",
        scope="project",
        aliases=(),
        summary="Show a lane with the state of its files, commits and upstream.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("--lane",),
                metavar="LANE",
                help="Lane id or name; primary is the project's own checkout.",
                limits="text, 1 to 200 characters",
                positional=True,
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A lane with one commit of its own",
                line="ade lanes show fix-login",
                error=None,
            ),
            ExampleInfo(
                title="The project's own checkout",
                line="ade lanes show",
                error=None,
            ),
            ExampleInfo(
                title="A lane whose folder is gone",
                line="ade lanes show fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A lane that does not exist",
                line="ade lanes show nowhere",
                error="lane_not_found",
            ),
        ),
        skeleton={"lane": ""},
    )


def lane_stack() -> ActionCommand:
    return ActionCommand(
        "stack",
        group="lanes",
        action="lane.stack",
        tool="get_lane_stack",
        effect="read",
        scope="project",
        aliases=(),
        summary="Show how the lanes build on each other.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("--lane",),
                metavar="LANE",
                help="Lane to start from; default is the primary lane.",
                limits="text, 1 to 200 characters",
                positional=True,
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="Two lanes on top of each other",
                line="ade lanes stack",
                error=None,
            ),
            ExampleInfo(
                title="A lane that does not exist",
                line="ade lanes stack nowhere",
                error="lane_not_found",
            ),
        ),
        skeleton={"lane": ""},
    )


def lane_switch_branch() -> ActionCommand:
    return ActionCommand(
        "switch-branch",
        group="lanes",
        action="lane.switch_branch",
        tool="switch_lane_branch",
        effect="write",
        scope="project",
        aliases=(),
        summary="Check out another branch in a lane.",
        description="Refused with uncommitted changes and for a branch that another worktree has checked out.",
        guidance="",
        fields=(
            FieldParam(
                field="branch",
                kind="text",
                flags=("--branch",),
                metavar="BRANCH",
                help="Branch to check out.",
                limits="text, 1 to 250 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("--lane",),
                metavar="TEXT",
                help="Lane id or name; primary is the project's own checkout.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="create",
                kind="boolean",
                flags=("-c", "--create"),
                metavar="BOOLEAN",
                help="Make the branch at the lane's current commit first.",
                limits="true or false; default false",
                off_flag="--no-create",
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
            ErrorInfo(code="lane_dirty", exit=5, summary="The lane has changes that are not committed."),
            ErrorInfo(
                code="operation_in_progress",
                exit=5,
                summary="A merge, rebase or similar waits to be finished in the lane.",
            ),
            ErrorInfo(code="branch_not_found", exit=4, summary="The repository has no such branch."),
            ErrorInfo(code="branch_in_use", exit=5, summary="The branch is checked out in another worktree."),
            ErrorInfo(
                code="branch_exists",
                exit=5,
                summary="A branch of that name, or one that a case-insensitive disk takes for it, exists.",
            ),
            ErrorInfo(
                code="invalid_branch_name",
                exit=2,
                summary="The name cannot be made into a branch that git accepts.",
            ),
            ErrorInfo(
                code="repository_has_no_commits",
                exit=1,
                summary="The repository has no commit yet, and a lane has to start from one.",
            ),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(
                code="local_changes",
                exit=5,
                summary="Work that is not committed, or an ignored file, is in the way; nothing was done.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="Another branch in a lane",
                line="ade lanes switch-branch feature --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A branch that the primary lane has",
                line="ade lanes switch-branch main --lane fix-login",
                error="branch_in_use",
            ),
        ),
        skeleton={"branch": "", "lane": "", "create": False},
    )


def lane_unarchive() -> ActionCommand:
    return ActionCommand(
        "unarchive",
        group="lanes",
        action="lane.unarchive",
        tool="unarchive_lane",
        effect="write",
        scope="project",
        aliases=(),
        summary="Bring an archived lane back into the list.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("--lane",),
                metavar="LANE",
                help="Lane id or name; primary is the project's own checkout.",
                limits="text, 1 to 200 characters",
                required=True,
                positional=True,
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="primary_lane_protected",
                exit=5,
                summary="The project's own checkout cannot be used like that.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="An archived lane",
                line="ade lanes unarchive fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A lane that does not exist",
                line="ade lanes unarchive nowhere",
                error="lane_not_found",
            ),
        ),
        skeleton={"lane": ""},
    )


def lane_undelete() -> ActionCommand:
    return ActionCommand(
        "undelete",
        group="lanes",
        action="lane.undelete",
        tool="undelete_lane",
        effect="write",
        scope="project",
        aliases=(),
        summary="Bring a deleted lane back with the work that was discarded, within 30 days.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("--lane",),
                metavar="LANE",
                help="Id or name the lane had; the one deleted last wins.",
                limits="text, 1 to 200 characters",
                required=True,
                positional=True,
                complete="deleted_lanes",
            ),
            FieldParam(
                field="name",
                kind="text",
                flags=("--name",),
                metavar="TEXT",
                help="Name to bring it back under; default is the old one.",
                limits="text, 1 to 120 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="deleted_lane_not_found",
                exit=4,
                summary="No lane of that name was deleted in the last 30 days.",
            ),
            ErrorInfo(
                code="lane_name_taken",
                exit=5,
                summary="Another lane has that name, or one that differs only in case or Unicode form.",
            ),
            ErrorInfo(
                code="invalid_branch_name",
                exit=2,
                summary="The name cannot be made into a branch that git accepts.",
            ),
            ErrorInfo(
                code="lane_creation_failed",
                exit=1,
                summary="The lane could not be made; nothing was left behind.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A lane deleted with a new file in it",
                line="ade lanes undelete fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A lane nobody deleted",
                line="ade lanes undelete nowhere",
                error="deleted_lane_not_found",
            ),
        ),
        skeleton={"lane": "", "name": ""},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "archive": lane_archive,
    "attach": lane_attach,
    "create": lane_create,
    "create-child": lane_create_child,
    "delete": lane_delete,
    "delete-risk": lane_delete_risk,
    "import-branch": lane_import_branch,
    "list": lane_list,
    "list-unregistered": lane_list_unregistered,
    "merge": lane_merge,
    "rename": lane_rename,
    "repair": lane_repair,
    "reparent": lane_reparent,
    "show": lane_show,
    "stack": lane_stack,
    "switch-branch": lane_switch_branch,
    "unarchive": lane_unarchive,
    "undelete": lane_undelete,
}
