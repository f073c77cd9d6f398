"""Commands of the git group. Generated from specs/domains/git.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam, RuleInfo


def git_branches() -> ActionCommand:
    return ActionCommand(
        "branches",
        group="git",
        action="git.branches",
        tool="git_branches",
        effect="read",
        scope="project",
        aliases=(),
        summary="List branches with their latest commit, upstream and lane.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="kind",
                kind="text",
                flags=("-k", "--kind"),
                metavar="TEXT",
                help="Which branches.",
                limits="one of local, remote, all; default local",
                choices=("local", "remote", "all"),
            ),
            FieldParam(
                field="search",
                kind="text",
                flags=("--search",),
                metavar="SEARCH",
                help="Only names that hold this text, whatever its case.",
                limits="text, 1 to 240 characters",
                positional=True,
            ),
            FieldParam(
                field="merged_into",
                kind="text",
                flags=("--merged-into",),
                metavar="TEXT",
                help="Only branches whose commits this one has.",
                limits="text, 1 to 500 characters",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many branches to return at most.",
                limits="an integer, 1 to 1000; default 100",
            ),
            FieldParam(
                field="cursor",
                kind="text",
                flags=("--cursor",),
                metavar="TEXT",
                help="Where to go on; next of the last answer.",
                limits="text, 1 to 100 characters",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to look at; default is the caller's own or else the primary one.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="revision_not_found", exit=4, summary="The revision names no commit, or more than one."
            ),
            ErrorInfo(
                code="invalid_revision",
                exit=2,
                summary="The revision is not written as a branch, tag or commit.",
            ),
            ErrorInfo(code="no_commits", exit=1, summary="The lane has no commit yet."),
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="The branch of a lane and the main one",
                line="ade git branches fix",
                error=None,
            ),
            ExampleInfo(
                title="A revision that does not exist",
                line="ade git branches --merged-into nowhere",
                error="revision_not_found",
            ),
        ),
        skeleton={"kind": "local", "search": "", "merged_into": "", "limit": 100, "cursor": "", "lane": ""},
    )


def git_checkout_branch() -> ActionCommand:
    return ActionCommand(
        "checkout-branch",
        group="git",
        action="git.checkout_branch",
        tool="git_checkout_branch",
        effect="write",
        scope="project",
        aliases=(),
        summary="Check a branch out in a lane, or make one and check it out.",
        description="A branch that only one remote has is made from there and tracks it. Changes are carried over or refuse the call; none is lost.",
        guidance="",
        fields=(
            FieldParam(
                field="branch",
                kind="text",
                flags=("--branch",),
                metavar="BRANCH",
                help="Name of a branch, without refs/heads/.",
                limits="text, 1 to 240 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="create",
                kind="boolean",
                flags=("-c", "--create"),
                metavar="BOOLEAN",
                help="Make the branch.",
                limits="true or false",
                off_flag="--no-create",
            ),
            FieldParam(
                field="start",
                kind="text",
                flags=("--start",),
                metavar="TEXT",
                help="Where a made branch starts; default is the commit checked out.",
                limits="text, 1 to 500 characters",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to work in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(RuleInfo(kind="requires", fields=("start", "create")),),
        errors=(
            ErrorInfo(
                code="invalid_branch_name",
                exit=2,
                summary="The name cannot be made into a branch that git accepts.",
            ),
            ErrorInfo(code="branch_not_found", exit=4, summary="The repository has no such branch."),
            ErrorInfo(
                code="branch_exists",
                exit=5,
                summary="A branch of that name, or one that a case-insensitive disk takes for it, exists.",
            ),
            ErrorInfo(code="branch_in_use", exit=5, summary="The branch is checked out in another worktree."),
            ErrorInfo(
                code="revision_not_found", exit=4, summary="The revision names no commit, or more than one."
            ),
            ErrorInfo(
                code="invalid_revision",
                exit=2,
                summary="The revision is not written as a branch, tag or commit.",
            ),
            ErrorInfo(code="no_commits", exit=1, summary="The lane has no commit yet."),
            ErrorInfo(
                code="local_changes",
                exit=5,
                summary="Work that is not committed, or an ignored file, is in the way; nothing was done.",
            ),
            ErrorInfo(
                code="operation_in_progress",
                exit=5,
                summary="A merge, rebase or similar waits to be finished in the lane.",
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
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A new branch",
                line="ade git checkout-branch fix/login-2 --create --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A branch that another worktree has",
                line="ade git checkout-branch main --lane fix-login",
                error="branch_in_use",
            ),
            ExampleInfo(
                title="A branch that does not exist",
                line="ade git checkout-branch nowhere --lane fix-login",
                error="branch_not_found",
            ),
            ExampleInfo(
                title="A name that differs only in case",
                line="ade git checkout-branch Main --create --lane fix-login",
                error="branch_exists",
            ),
        ),
        skeleton={"branch": "", "create": False, "start": "", "lane": ""},
    )


def git_cherry_pick() -> ActionCommand:
    return ActionCommand(
        "cherry-pick",
        group="git",
        action="git.cherry_pick",
        tool="git_cherry_pick",
        effect="write",
        scope="project",
        aliases=(),
        summary="Make commits that repeat others on this branch.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="commits",
                kind="text",
                flags=("--commits",),
                metavar="COMMITS",
                help="Commits to repeat, in this order.",
                limits="a list of 1 to 100 items, each text, 1 to 500 characters",
                required=True,
                positional=True,
                many=True,
            ),
            FieldParam(
                field="mainline",
                kind="integer",
                flags=("--mainline",),
                metavar="INTEGER",
                help="For merge commits: number of the parent that counts as the line to keep.",
                limits="an integer, 1 to 100",
            ),
            FieldParam(
                field="no_commit",
                kind="boolean",
                flags=("-n", "--no-commit"),
                metavar="BOOLEAN",
                help="Stage the changes and make no commit.",
                limits="true or false; default false",
                off_flag="--no-no-commit",
            ),
            FieldParam(
                field="record_origin",
                kind="boolean",
                flags=("-x", "--record-origin"),
                metavar="BOOLEAN",
                help="Add a line to each message that names the commit it was taken from.",
                limits="true or false; default false",
                off_flag="--no-record-origin",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to work in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="revision_not_found", exit=4, summary="The revision names no commit, or more than one."
            ),
            ErrorInfo(
                code="invalid_revision",
                exit=2,
                summary="The revision is not written as a branch, tag or commit.",
            ),
            ErrorInfo(code="no_commits", exit=1, summary="The lane has no commit yet."),
            ErrorInfo(
                code="conflicts_left",
                exit=5,
                summary="The operation stopped at conflicts, which are now in the lane's files.",
            ),
            ErrorInfo(code="nothing_to_commit", exit=1, summary="The commit would be empty."),
            ErrorInfo(
                code="local_changes",
                exit=5,
                summary="Work that is not committed, or an ignored file, is in the way; nothing was done.",
            ),
            ErrorInfo(
                code="operation_in_progress",
                exit=5,
                summary="A merge, rebase or similar waits to be finished in the lane.",
            ),
            ErrorInfo(code="hook_failed", exit=1, summary="A hook of the repository refused."),
            ErrorInfo(code="identity_unknown", exit=1, summary="Git does not know whose commit it would be."),
            ErrorInfo(
                code="signing_failed",
                exit=1,
                summary="The commit or tag was to be signed and could not be; it was not made.",
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
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A commit of another lane",
                line="ade git cherry-pick ade/fix-login --lane add-search",
                error=None,
            ),
            ExampleInfo(
                title="A commit that is in conflict",
                line="ade git cherry-pick ade/fix-login --lane add-search",
                error="conflicts_left",
            ),
        ),
        skeleton={"commits": [""], "mainline": 1, "no_commit": False, "record_origin": False, "lane": ""},
    )


def git_commit() -> ActionCommand:
    return ActionCommand(
        "commit",
        group="git",
        action="git.commit",
        tool="commit_changes",
        effect="write",
        scope="project",
        aliases=(),
        summary="Commit what is staged, or with stage_all every change.",
        description="Runs the repository's commit hooks as git would. When the commit fails, what is staged is as it was before.",
        guidance="Commit small, finished steps; the message says why.",
        fields=(
            FieldParam(
                field="message",
                kind="text",
                flags=("-m", "--message"),
                metavar="TEXT",
                help="Message of the commit; may be left out to keep that of an amended one.",
                limits="text, 1 to 100000 characters",
            ),
            FieldParam(
                field="stage_all",
                kind="boolean",
                flags=("-a", "--stage-all"),
                metavar="BOOLEAN",
                help="Stage every change first, new and deleted files among them.",
                limits="true or false; default false",
                off_flag="--no-stage-all",
            ),
            FieldParam(
                field="amend",
                kind="boolean",
                flags=("--amend",),
                metavar="BOOLEAN",
                help="Replace the latest commit.",
                limits="true or false",
                off_flag="--no-amend",
            ),
            FieldParam(
                field="author",
                kind="text",
                flags=("--author",),
                metavar="TEXT",
                help="Whose work it is, as Name <mail>; default is git's user.",
                limits="text, 3 to 400 characters, matching ^[^<>]*[^<> ] <[^<> ]+>$",
            ),
            FieldParam(
                field="allow_empty",
                kind="boolean",
                flags=("--allow-empty",),
                metavar="BOOLEAN",
                help="Make a commit that changes nothing.",
                limits="true or false; default false",
                off_flag="--no-allow-empty",
            ),
            FieldParam(
                field="allow_markers",
                kind="boolean",
                flags=("--allow-markers",),
                metavar="BOOLEAN",
                help="With stage_all, stage files in conflict although they still hold conflict markers.",
                limits="true or false; default false",
                off_flag="--no-allow-markers",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to work in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(RuleInfo(kind="at_least_one_of", fields=("message", "amend")),),
        errors=(
            ErrorInfo(code="nothing_to_commit", exit=1, summary="The commit would be empty."),
            ErrorInfo(code="no_commits", exit=1, summary="The lane has no commit yet."),
            ErrorInfo(code="hook_failed", exit=1, summary="A hook of the repository refused."),
            ErrorInfo(code="identity_unknown", exit=1, summary="Git does not know whose commit it would be."),
            ErrorInfo(
                code="signing_failed",
                exit=1,
                summary="The commit or tag was to be signed and could not be; it was not made.",
            ),
            ErrorInfo(
                code="conflicts_left",
                exit=5,
                summary="The operation stopped at conflicts, which are now in the lane's files.",
            ),
            ErrorInfo(code="conflict_markers", exit=5, summary="Files still hold conflict markers."),
            ErrorInfo(
                code="operation_in_progress",
                exit=5,
                summary="A merge, rebase or similar waits to be finished in the lane.",
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
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="Everything in a lane",
                line="ade git commit --message 'Add notes' --stage-all --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A better message for the latest commit",
                line="ade git commit --message 'Fix the login form' --amend --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="Nothing staged",
                line="ade git commit --message 'Add notes' --lane fix-login",
                error="nothing_to_commit",
            ),
        ),
        skeleton={
            "message": "",
            "stage_all": False,
            "amend": False,
            "author": "",
            "allow_empty": False,
            "allow_markers": False,
            "lane": "",
        },
    )


def git_conflict_state() -> ActionCommand:
    return ActionCommand(
        "conflict-state",
        group="git",
        action="git.conflict_state",
        tool="get_lane_conflict_state",
        effect="read",
        scope="project",
        aliases=(),
        summary="Show how an unfinished merge, rebase, cherry-pick or revert stands.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to look at; default is the caller's own or else the primary one.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A merge that stopped at a conflict",
                line="ade git conflict-state --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="Nothing is in progress",
                line="ade git conflict-state --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A lane that does not exist",
                line="ade git conflict-state --lane nowhere",
                error="lane_not_found",
            ),
        ),
        skeleton={"lane": ""},
    )


def git_create_tag() -> ActionCommand:
    return ActionCommand(
        "create-tag",
        group="git",
        action="git.create_tag",
        tool="git_create_tag",
        effect="write",
        scope="project",
        aliases=(),
        summary="Make a tag.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="name",
                kind="text",
                flags=("--name",),
                metavar="NAME",
                help="Name of the tag, such as v1.2.0.",
                limits="text, 1 to 240 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="target",
                kind="text",
                flags=("--target",),
                metavar="TEXT",
                help="What to tag; default is the commit checked out in the lane.",
                limits="text, 1 to 500 characters",
            ),
            FieldParam(
                field="message",
                kind="text",
                flags=("-m", "--message"),
                metavar="TEXT",
                help="Makes an annotated tag with this text.",
                limits="text, 1 to 100000 characters",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to work in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="invalid_tag_name", exit=2, summary="Git accepts no tag of that name."),
            ErrorInfo(code="tag_exists", exit=5, summary="A tag of that name exists."),
            ErrorInfo(
                code="revision_not_found", exit=4, summary="The revision names no commit, or more than one."
            ),
            ErrorInfo(
                code="invalid_revision",
                exit=2,
                summary="The revision is not written as a branch, tag or commit.",
            ),
            ErrorInfo(code="no_commits", exit=1, summary="The lane has no commit yet."),
            ErrorInfo(code="identity_unknown", exit=1, summary="Git does not know whose commit it would be."),
            ErrorInfo(
                code="signing_failed",
                exit=1,
                summary="The commit or tag was to be signed and could not be; it was not made.",
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
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="An annotated tag",
                line="ade git create-tag v1.0 --message 'First release' --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A name that git would read as an option",
                line="ade git create-tag --lane fix-login -- --force",
                error="invalid_tag_name",
            ),
        ),
        skeleton={"name": "", "target": "", "message": "", "lane": ""},
    )


def git_discard() -> ActionCommand:
    return ActionCommand(
        "discard",
        group="git",
        action="git.discard",
        tool="git_discard",
        effect="destructive",
        scope="project",
        aliases=(),
        summary="Discard changes that are not committed; they are kept for 30 days.",
        description="",
        guidance="Discard only what you made yourself; stash what may be wanted.",
        fields=(
            FieldParam(
                field="paths",
                kind="text",
                flags=("--paths",),
                metavar="PATHS",
                help="Files and folders; names are taken literally.",
                limits="a list of 1 to 1000 items, each text, 1 to 4096 characters",
                positional=True,
                many=True,
            ),
            FieldParam(
                field="all",
                kind="boolean",
                flags=("-a", "--all"),
                metavar="BOOLEAN",
                help="Discard the changes of the whole lane.",
                limits="true or false",
                off_flag="--no-all",
            ),
            FieldParam(
                field="untracked",
                kind="boolean",
                flags=("-u", "--untracked"),
                metavar="BOOLEAN",
                help="Remove files that git does not track too; ignored ones stay.",
                limits="true or false; default false",
                off_flag="--no-untracked",
            ),
            FieldParam(
                field="keep_staged",
                kind="boolean",
                flags=("--keep-staged",),
                metavar="BOOLEAN",
                help="Go back to what is staged and not to the last commit.",
                limits="true or false; default false",
                off_flag="--no-keep-staged",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to work in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(RuleInfo(kind="exactly_one_of", fields=("paths", "all")),),
        errors=(
            ErrorInfo(
                code="path_outside_lane",
                exit=2,
                summary="The path leaves the lane or lies in git's own folder.",
            ),
            ErrorInfo(
                code="nothing_to_discard", exit=1, summary="There are no changes of the kind to discard."
            ),
            ErrorInfo(code="no_commits", exit=1, summary="The lane has no commit yet."),
            ErrorInfo(
                code="operation_in_progress",
                exit=5,
                summary="A merge, rebase or similar waits to be finished in the lane.",
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
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A changed file",
                line="ade git discard README.md --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A file without changes",
                line="ade git discard README.md --lane fix-login",
                error="nothing_to_discard",
            ),
        ),
        skeleton={"paths": [""], "all": False, "untracked": False, "keep_staged": False, "lane": ""},
    )


def git_fetch() -> ActionCommand:
    return ActionCommand(
        "fetch",
        group="git",
        action="git.fetch",
        tool="git_fetch",
        effect="write",
        scope="project",
        aliases=(),
        summary="Ask remotes for their commits and branches; no file changes.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="remote",
                kind="text",
                flags=("--remote",),
                metavar="REMOTE",
                help="Remote to ask; default is the branch's own or else origin.",
                limits="text, 1 to 200 characters",
                positional=True,
            ),
            FieldParam(
                field="all",
                kind="boolean",
                flags=("--all",),
                metavar="BOOLEAN",
                help="Ask every remote.",
                limits="true or false; default false",
                off_flag="--no-all",
            ),
            FieldParam(
                field="prune",
                kind="boolean",
                flags=("-p", "--prune"),
                metavar="BOOLEAN",
                help="Forget remote branches that no longer exist there.",
                limits="true or false; default false",
                off_flag="--no-prune",
            ),
            FieldParam(
                field="tags",
                kind="boolean",
                flags=("-t", "--tags"),
                metavar="BOOLEAN",
                help="Take all tags and not only those of fetched commits.",
                limits="true or false; default false",
                off_flag="--no-tags",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many changed refs to return at most.",
                limits="an integer, 1 to 2000; default 200",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to look at; default is the caller's own or else the primary one.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="remote_not_found", exit=4, summary="The repository has no such remote."),
            ErrorInfo(code="invalid_remote", exit=2, summary="The remote is not written as a name."),
            ErrorInfo(
                code="remote_unreachable",
                exit=7,
                summary="The remote could not be reached or is no repository.",
            ),
            ErrorInfo(code="auth_failed", exit=3, summary="The remote did not accept git's credentials."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A branch that someone else pushed",
                line="ade git fetch",
                error=None,
            ),
            ExampleInfo(
                title="A remote that does not exist",
                line="ade git fetch upstream",
                error="remote_not_found",
            ),
            ExampleInfo(
                title="An option in place of a remote",
                line="ade git fetch -- '--upload-pack=touch x'",
                error="invalid_remote",
            ),
        ),
        skeleton={"remote": "", "all": False, "prune": False, "tags": False, "limit": 200, "lane": ""},
    )


def git_file_history() -> ActionCommand:
    return ActionCommand(
        "file-history",
        group="git",
        action="git.file_history",
        tool="git_file_history",
        effect="read",
        scope="project",
        aliases=(),
        summary="List the commits that changed a file.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="path",
                kind="text",
                flags=("--path",),
                metavar="PATH",
                help="Path from the lane's root; taken literally. One with bytes that are not UTF-8 is written as git quotes it.",
                limits="text, 1 to 4096 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="ref",
                kind="text",
                flags=("--ref",),
                metavar="TEXT",
                help="Where to start; default is the commit checked out.",
                limits="text, 1 to 500 characters",
            ),
            FieldParam(
                field="follow",
                kind="boolean",
                flags=("--follow",),
                metavar="BOOLEAN",
                help="Go on under former names where the file was renamed.",
                limits="true or false; default true",
                off_flag="--no-follow",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many commits to return at most.",
                limits="an integer, 1 to 500; default 30",
            ),
            FieldParam(
                field="cursor",
                kind="text",
                flags=("--cursor",),
                metavar="TEXT",
                help="Where to go on; next of the last answer.",
                limits="text, 1 to 100 characters",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to look at; default is the caller's own or else the primary one.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="revision_not_found", exit=4, summary="The revision names no commit, or more than one."
            ),
            ErrorInfo(
                code="invalid_revision",
                exit=2,
                summary="The revision is not written as a branch, tag or commit.",
            ),
            ErrorInfo(code="no_commits", exit=1, summary="The lane has no commit yet."),
            ErrorInfo(
                code="path_outside_lane",
                exit=2,
                summary="The path leaves the lane or lies in git's own folder.",
            ),
            ErrorInfo(code="path_unmatched", exit=4, summary="The lane has no file of that name."),
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A file with one commit",
                line="ade git file-history login.py --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A file that never existed",
                line="ade git file-history nothing.py --lane fix-login",
                error="path_unmatched",
            ),
        ),
        skeleton={"path": "", "ref": "", "follow": True, "limit": 30, "cursor": "", "lane": ""},
    )


def git_log() -> ActionCommand:
    return ActionCommand(
        "log",
        group="git",
        action="git.log",
        tool="git_log",
        effect="read",
        scope="project",
        aliases=(),
        summary="List commits, the latest first.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="ref",
                kind="text",
                flags=("--ref",),
                metavar="REF",
                help="Where to start; default is the commit checked out.",
                limits="text, 1 to 500 characters",
                positional=True,
            ),
            FieldParam(
                field="not_in",
                kind="text",
                flags=("--not-in",),
                metavar="TEXT",
                help="Leave out commits that this one has.",
                limits="text, 1 to 500 characters",
            ),
            FieldParam(
                field="paths",
                kind="text",
                flags=("-p", "--path"),
                metavar="TEXT",
                help="Only commits that touch these files and folders.",
                limits="a list of at most 1000 items, each text, 1 to 4096 characters",
                many=True,
            ),
            FieldParam(
                field="author",
                kind="text",
                flags=("--author",),
                metavar="TEXT",
                help="Only commits whose author's name or mail holds this text, whatever its case.",
                limits="text, 1 to 200 characters",
            ),
            FieldParam(
                field="grep",
                kind="text",
                flags=("--grep",),
                metavar="TEXT",
                help="Only commits whose message holds this text, whatever its case.",
                limits="text, 1 to 200 characters",
            ),
            FieldParam(
                field="since",
                kind="text",
                flags=("--since",),
                metavar="TIME",
                help="Only commits from then on.",
                limits="a time like 2026-01-31T09:30:00Z",
            ),
            FieldParam(
                field="until",
                kind="text",
                flags=("--until",),
                metavar="TIME",
                help="Only commits up to then.",
                limits="a time like 2026-01-31T09:30:00Z",
            ),
            FieldParam(
                field="first_parent",
                kind="boolean",
                flags=("--first-parent",),
                metavar="BOOLEAN",
                help="Follow only the first parent of merges.",
                limits="true or false; default false",
                off_flag="--no-first-parent",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many commits to return at most.",
                limits="an integer, 1 to 500; default 30",
            ),
            FieldParam(
                field="cursor",
                kind="text",
                flags=("--cursor",),
                metavar="TEXT",
                help="Where to go on; next of the last answer.",
                limits="text, 1 to 100 characters",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to look at; default is the caller's own or else the primary one.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="revision_not_found", exit=4, summary="The revision names no commit, or more than one."
            ),
            ErrorInfo(
                code="invalid_revision",
                exit=2,
                summary="The revision is not written as a branch, tag or commit.",
            ),
            ErrorInfo(
                code="path_outside_lane",
                exit=2,
                summary="The path leaves the lane or lies in git's own folder.",
            ),
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="What a lane adds to main",
                line="ade git log --not-in main --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A revision that does not exist",
                line="ade git log 'HEAD~1000000' --lane fix-login",
                error="revision_not_found",
            ),
            ExampleInfo(
                title="A search",
                line="ade git log 'main^{/fix}'",
                error="invalid_revision",
            ),
        ),
        skeleton={
            "ref": "",
            "not_in": "",
            "paths": [""],
            "author": "",
            "grep": "",
            "since": "",
            "until": "",
            "first_parent": False,
            "limit": 30,
            "cursor": "",
            "lane": "",
        },
    )


def git_merge_abort() -> ActionCommand:
    return ActionCommand(
        "merge-abort",
        group="git",
        action="git.merge_abort",
        tool="git_merge_abort",
        effect="write",
        scope="project",
        aliases=(),
        summary="Take a merge, cherry-pick or revert back as if it had not been begun.",
        description="What was resolved so far is kept for 30 days under refs/ade/trash.",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to work in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="no_operation", exit=5, summary="Nothing waits to be finished in the lane."),
            ErrorInfo(
                code="local_changes",
                exit=5,
                summary="Work that is not committed, or an ignored file, is in the way; nothing was done.",
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
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A merge that stopped at a conflict",
                line="ade git merge-abort --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="Nothing is in progress",
                line="ade git merge-abort --lane fix-login",
                error="no_operation",
            ),
        ),
        skeleton={"lane": ""},
    )


def git_merge_continue() -> ActionCommand:
    return ActionCommand(
        "merge-continue",
        group="git",
        action="git.merge_continue",
        tool="git_merge_continue",
        effect="write",
        scope="project",
        aliases=(),
        summary="Finish a merge, cherry-pick or revert once its conflicts are resolved and staged.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="message",
                kind="text",
                flags=("-m", "--message"),
                metavar="TEXT",
                help="Message of the commit; default is the one git prepared.",
                limits="text, 1 to 100000 characters",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to work in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="no_operation", exit=5, summary="Nothing waits to be finished in the lane."),
            ErrorInfo(
                code="conflicts_left",
                exit=5,
                summary="The operation stopped at conflicts, which are now in the lane's files.",
            ),
            ErrorInfo(code="nothing_to_commit", exit=1, summary="The commit would be empty."),
            ErrorInfo(code="hook_failed", exit=1, summary="A hook of the repository refused."),
            ErrorInfo(code="identity_unknown", exit=1, summary="Git does not know whose commit it would be."),
            ErrorInfo(
                code="signing_failed",
                exit=1,
                summary="The commit or tag was to be signed and could not be; it was not made.",
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
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A merge whose conflict is resolved",
                line="ade git merge-continue --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="Conflicts that are not resolved",
                line="ade git merge-continue --lane fix-login",
                error="conflicts_left",
            ),
            ExampleInfo(
                title="Nothing is in progress",
                line="ade git merge-continue --lane fix-login",
                error="no_operation",
            ),
        ),
        skeleton={"message": "", "lane": ""},
    )


def git_pull() -> ActionCommand:
    return ActionCommand(
        "pull",
        group="git",
        action="git.pull",
        tool="git_pull",
        effect="write",
        scope="project",
        aliases=(),
        summary="Bring a lane's branch up to its remote branch.",
        description="",
        guidance="Rebase a lane that only you work on; merge where others have its commits.",
        fields=(
            FieldParam(
                field="strategy",
                kind="text",
                flags=("-s", "--strategy"),
                metavar="TEXT",
                help="What to do when both sides have commits.",
                limits="one of ff_only, merge, rebase; default ff_only",
                choices=("ff_only", "merge", "rebase"),
            ),
            FieldParam(
                field="autostash",
                kind="boolean",
                flags=("--autostash",),
                metavar="BOOLEAN",
                help="Stash changes first and bring them back afterwards.",
                limits="true or false; default false",
                off_flag="--no-autostash",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to work in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="no_upstream", exit=5, summary="The branch tracks no remote branch."),
            ErrorInfo(code="detached_head", exit=5, summary="No branch is checked out in the lane."),
            ErrorInfo(code="no_commits", exit=1, summary="The lane has no commit yet."),
            ErrorInfo(
                code="not_fast_forward",
                exit=5,
                summary="Both sides have commits of their own, so a fast-forward cannot bring them together.",
            ),
            ErrorInfo(
                code="conflicts_left",
                exit=5,
                summary="The operation stopped at conflicts, which are now in the lane's files.",
            ),
            ErrorInfo(
                code="local_changes",
                exit=5,
                summary="Work that is not committed, or an ignored file, is in the way; nothing was done.",
            ),
            ErrorInfo(
                code="operation_in_progress",
                exit=5,
                summary="A merge, rebase or similar waits to be finished in the lane.",
            ),
            ErrorInfo(code="hook_failed", exit=1, summary="A hook of the repository refused."),
            ErrorInfo(code="identity_unknown", exit=1, summary="Git does not know whose commit it would be."),
            ErrorInfo(
                code="signing_failed",
                exit=1,
                summary="The commit or tag was to be signed and could not be; it was not made.",
            ),
            ErrorInfo(code="remote_not_found", exit=4, summary="The repository has no such remote."),
            ErrorInfo(code="invalid_remote", exit=2, summary="The remote is not written as a name."),
            ErrorInfo(
                code="remote_unreachable",
                exit=7,
                summary="The remote could not be reached or is no repository.",
            ),
            ErrorInfo(code="auth_failed", exit=3, summary="The remote did not accept git's credentials."),
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
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="Commits that only the remote has",
                line="ade git pull --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="Histories that have parted",
                line="ade git pull --lane fix-login",
                error="not_fast_forward",
            ),
            ExampleInfo(
                title="A branch without a remote branch",
                line="ade git pull --lane fix-login",
                error="no_upstream",
            ),
        ),
        skeleton={"strategy": "ff_only", "autostash": False, "lane": ""},
    )


def git_push() -> ActionCommand:
    return ActionCommand(
        "push",
        group="git",
        action="git.push",
        tool="git_push",
        effect="write",
        scope="project",
        aliases=(),
        summary="Push a lane's branch to a remote.",
        description="",
        guidance="Never force without a lease, and never a branch that others build on.",
        fields=(
            FieldParam(
                field="remote",
                kind="text",
                flags=("--remote",),
                metavar="REMOTE",
                help="Remote to push to; default is the branch's own or else origin.",
                limits="text, 1 to 200 characters",
                positional=True,
            ),
            FieldParam(
                field="branch",
                kind="text",
                flags=("-b", "--branch"),
                metavar="TEXT",
                help="Name on the remote; default is that of the upstream or else the branch's own.",
                limits="text, 1 to 240 characters",
            ),
            FieldParam(
                field="set_upstream",
                kind="boolean",
                flags=("--set-upstream",),
                metavar="BOOLEAN",
                help="Track the pushed branch when none is tracked yet.",
                limits="true or false; default true",
                off_flag="--no-set-upstream",
            ),
            FieldParam(
                field="force_with_lease",
                kind="boolean",
                flags=("-f", "--force-with-lease"),
                metavar="BOOLEAN",
                help="Replace the remote branch if it is still where it was last seen.",
                limits="true or false",
                off_flag="--no-force-with-lease",
            ),
            FieldParam(
                field="expected",
                kind="text",
                flags=("--expected",),
                metavar="TEXT",
                help="Commit that the remote branch must still be at; needs force_with_lease.",
                limits="text, 40 to 64 characters, matching ^[0-9a-f]+$",
            ),
            FieldParam(
                field="tags",
                kind="boolean",
                flags=("-t", "--tags"),
                metavar="BOOLEAN",
                help="Push the annotated tags of the pushed commits too.",
                limits="true or false; default false",
                off_flag="--no-tags",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to work in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(RuleInfo(kind="requires", fields=("expected", "force_with_lease")),),
        errors=(
            ErrorInfo(code="detached_head", exit=5, summary="No branch is checked out in the lane."),
            ErrorInfo(code="no_commits", exit=1, summary="The lane has no commit yet."),
            ErrorInfo(code="remote_not_found", exit=4, summary="The repository has no such remote."),
            ErrorInfo(code="invalid_remote", exit=2, summary="The remote is not written as a name."),
            ErrorInfo(
                code="invalid_branch_name",
                exit=2,
                summary="The name cannot be made into a branch that git accepts.",
            ),
            ErrorInfo(
                code="push_rejected",
                exit=5,
                summary="The remote branch has commits that the local one does not; nothing was pushed.",
            ),
            ErrorInfo(
                code="lease_stale",
                exit=5,
                summary="The remote branch is not where it was last seen; a forced push would lose commits.",
            ),
            ErrorInfo(
                code="remote_refused", exit=3, summary="The remote's own rules or hooks refused the push."
            ),
            ErrorInfo(
                code="remote_unreachable",
                exit=7,
                summary="The remote could not be reached or is no repository.",
            ),
            ErrorInfo(code="auth_failed", exit=3, summary="The remote did not accept git's credentials."),
            ErrorInfo(code="hook_failed", exit=1, summary="A hook of the repository refused."),
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
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A lane pushed for the first time",
                line="ade git push --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="The same, replaced on purpose",
                line="ade git push --force-with-lease --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A branch that was rewritten after it was pushed",
                line="ade git push --lane fix-login",
                error="push_rejected",
            ),
            ExampleInfo(
                title="A repository without a remote",
                line="ade git push --lane fix-login",
                error="remote_not_found",
            ),
        ),
        skeleton={
            "remote": "",
            "branch": "",
            "set_upstream": True,
            "force_with_lease": False,
            "expected": "",
            "tags": False,
            "lane": "",
        },
    )


def git_rebase() -> ActionCommand:
    return ActionCommand(
        "rebase",
        group="git",
        action="git.rebase",
        tool="rebase_lane",
        effect="write",
        scope="project",
        aliases=(),
        summary="Move a lane's commits on top of another commit.",
        description="Stops at the first conflict and leaves it in the lane's files; go on with rebase_continue or take it all back with rebase_abort. Branches of other lanes are not moved.",
        guidance="",
        fields=(
            FieldParam(
                field="onto",
                kind="text",
                flags=("--onto",),
                metavar="ONTO",
                help="What to move onto; default is the latest commit of the lane's parent.",
                limits="text, 1 to 500 characters",
                positional=True,
            ),
            FieldParam(
                field="autostash",
                kind="boolean",
                flags=("--autostash",),
                metavar="BOOLEAN",
                help="Stash changes first and bring them back afterwards.",
                limits="true or false; default false",
                off_flag="--no-autostash",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to work in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="no_comparison",
                exit=2,
                summary="The lane has nothing of the kind that it was to be compared with.",
            ),
            ErrorInfo(
                code="revision_not_found", exit=4, summary="The revision names no commit, or more than one."
            ),
            ErrorInfo(
                code="invalid_revision",
                exit=2,
                summary="The revision is not written as a branch, tag or commit.",
            ),
            ErrorInfo(code="no_commits", exit=1, summary="The lane has no commit yet."),
            ErrorInfo(
                code="conflicts_left",
                exit=5,
                summary="The operation stopped at conflicts, which are now in the lane's files.",
            ),
            ErrorInfo(
                code="local_changes",
                exit=5,
                summary="Work that is not committed, or an ignored file, is in the way; nothing was done.",
            ),
            ErrorInfo(
                code="operation_in_progress",
                exit=5,
                summary="A merge, rebase or similar waits to be finished in the lane.",
            ),
            ErrorInfo(code="hook_failed", exit=1, summary="A hook of the repository refused."),
            ErrorInfo(code="identity_unknown", exit=1, summary="Git does not know whose commit it would be."),
            ErrorInfo(
                code="signing_failed",
                exit=1,
                summary="The commit or tag was to be signed and could not be; it was not made.",
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
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A lane onto the newer main",
                line="ade git rebase --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="Changes of the same line",
                line="ade git rebase main --lane fix-login",
                error="conflicts_left",
            ),
            ExampleInfo(
                title="The primary lane stands on no other",
                line="ade git rebase --lane primary",
                error="no_comparison",
            ),
        ),
        skeleton={"onto": "", "autostash": False, "lane": ""},
    )


def git_rebase_abort() -> ActionCommand:
    return ActionCommand(
        "rebase-abort",
        group="git",
        action="git.rebase_abort",
        tool="git_rebase_abort",
        effect="write",
        scope="project",
        aliases=(),
        summary="Take a rebase back as if it had not been begun.",
        description="What was resolved so far is kept for 30 days under refs/ade/trash.",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to work in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="no_operation", exit=5, summary="Nothing waits to be finished in the lane."),
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
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A rebase that stopped at a conflict",
                line="ade git rebase-abort --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="No rebase is in progress",
                line="ade git rebase-abort --lane fix-login",
                error="no_operation",
            ),
        ),
        skeleton={"lane": ""},
    )


def git_rebase_continue() -> ActionCommand:
    return ActionCommand(
        "rebase-continue",
        group="git",
        action="git.rebase_continue",
        tool="git_rebase_continue",
        effect="write",
        scope="project",
        aliases=(),
        summary="Go on with a rebase once its conflicts are resolved and staged.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="skip",
                kind="boolean",
                flags=("--skip",),
                metavar="BOOLEAN",
                help="Leave out the commit it stopped at.",
                limits="true or false; default false",
                off_flag="--no-skip",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to work in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="no_operation", exit=5, summary="Nothing waits to be finished in the lane."),
            ErrorInfo(
                code="conflicts_left",
                exit=5,
                summary="The operation stopped at conflicts, which are now in the lane's files.",
            ),
            ErrorInfo(code="nothing_to_commit", exit=1, summary="The commit would be empty."),
            ErrorInfo(
                code="local_changes",
                exit=5,
                summary="Work that is not committed, or an ignored file, is in the way; nothing was done.",
            ),
            ErrorInfo(code="hook_failed", exit=1, summary="A hook of the repository refused."),
            ErrorInfo(code="identity_unknown", exit=1, summary="Git does not know whose commit it would be."),
            ErrorInfo(
                code="signing_failed",
                exit=1,
                summary="The commit or tag was to be signed and could not be; it was not made.",
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
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="The commit it stopped at is left out",
                line="ade git rebase-continue --skip --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="Conflicts that are not resolved",
                line="ade git rebase-continue --lane fix-login",
                error="conflicts_left",
            ),
            ExampleInfo(
                title="No rebase is in progress",
                line="ade git rebase-continue --lane fix-login",
                error="no_operation",
            ),
        ),
        skeleton={"skip": False, "lane": ""},
    )


def git_redo_last_head_change() -> ActionCommand:
    return ActionCommand(
        "redo-last-head-change",
        group="git",
        action="git.redo_last_head_change",
        tool="git_redo_last_head_change",
        effect="write",
        scope="project",
        aliases=(),
        summary="Bring back what undo_last_head_change took back.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to work in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="nothing_to_undo",
                exit=5,
                summary="Nothing that can be undone happened to the lane's HEAD.",
            ),
            ErrorInfo(code="no_commits", exit=1, summary="The lane has no commit yet."),
            ErrorInfo(
                code="local_changes",
                exit=5,
                summary="Work that is not committed, or an ignored file, is in the way; nothing was done.",
            ),
            ErrorInfo(
                code="operation_in_progress",
                exit=5,
                summary="A merge, rebase or similar waits to be finished in the lane.",
            ),
            ErrorInfo(code="branch_in_use", exit=5, summary="The branch is checked out in another worktree."),
            ErrorInfo(code="branch_not_found", exit=4, summary="The repository has no such branch."),
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
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A commit that was undone",
                line="ade git redo-last-head-change --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="Nothing was undone",
                line="ade git redo-last-head-change --lane fix-login",
                error="nothing_to_undo",
            ),
        ),
        skeleton={"lane": ""},
    )


def git_reset() -> ActionCommand:
    return ActionCommand(
        "reset",
        group="git",
        action="git.reset",
        tool="git_reset",
        effect="destructive",
        scope="project",
        aliases=(),
        summary="Move a lane's branch to another commit.",
        description="Changes that a hard reset discards are kept for 30 days, files that git does not track are left alone, and undo_last_head_change moves the branch back.",
        guidance="",
        fields=(
            FieldParam(
                field="target",
                kind="text",
                flags=("--target",),
                metavar="TARGET",
                help="Commit to move to.",
                limits="text, 1 to 500 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="mode",
                kind="text",
                flags=("--mode",),
                metavar="TEXT",
                help="soft: keep index and files; mixed: keep files; keep: refuse where changes are in the way; hard: discard changes.",
                limits="one of soft, mixed, keep, hard; default mixed",
                choices=("soft", "mixed", "keep", "hard"),
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to work in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="revision_not_found", exit=4, summary="The revision names no commit, or more than one."
            ),
            ErrorInfo(
                code="invalid_revision",
                exit=2,
                summary="The revision is not written as a branch, tag or commit.",
            ),
            ErrorInfo(code="no_commits", exit=1, summary="The lane has no commit yet."),
            ErrorInfo(
                code="local_changes",
                exit=5,
                summary="Work that is not committed, or an ignored file, is in the way; nothing was done.",
            ),
            ErrorInfo(
                code="operation_in_progress",
                exit=5,
                summary="A merge, rebase or similar waits to be finished in the lane.",
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
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="Back to main",
                line="ade git reset main --mode hard --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A commit that does not exist",
                line="ade git reset nowhere --lane fix-login",
                error="revision_not_found",
            ),
        ),
        skeleton={"target": "", "mode": "mixed", "lane": ""},
    )


def git_revert() -> ActionCommand:
    return ActionCommand(
        "revert",
        group="git",
        action="git.revert",
        tool="git_revert",
        effect="write",
        scope="project",
        aliases=(),
        summary="Make commits that undo earlier ones.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="commits",
                kind="text",
                flags=("--commits",),
                metavar="COMMITS",
                help="Commits to undo, in this order.",
                limits="a list of 1 to 100 items, each text, 1 to 500 characters",
                required=True,
                positional=True,
                many=True,
            ),
            FieldParam(
                field="mainline",
                kind="integer",
                flags=("--mainline",),
                metavar="INTEGER",
                help="For merge commits: number of the parent that counts as the line to keep.",
                limits="an integer, 1 to 100",
            ),
            FieldParam(
                field="no_commit",
                kind="boolean",
                flags=("-n", "--no-commit"),
                metavar="BOOLEAN",
                help="Stage the changes and make no commit.",
                limits="true or false; default false",
                off_flag="--no-no-commit",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to work in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="revision_not_found", exit=4, summary="The revision names no commit, or more than one."
            ),
            ErrorInfo(
                code="invalid_revision",
                exit=2,
                summary="The revision is not written as a branch, tag or commit.",
            ),
            ErrorInfo(code="no_commits", exit=1, summary="The lane has no commit yet."),
            ErrorInfo(
                code="conflicts_left",
                exit=5,
                summary="The operation stopped at conflicts, which are now in the lane's files.",
            ),
            ErrorInfo(code="nothing_to_commit", exit=1, summary="The commit would be empty."),
            ErrorInfo(
                code="local_changes",
                exit=5,
                summary="Work that is not committed, or an ignored file, is in the way; nothing was done.",
            ),
            ErrorInfo(
                code="operation_in_progress",
                exit=5,
                summary="A merge, rebase or similar waits to be finished in the lane.",
            ),
            ErrorInfo(code="hook_failed", exit=1, summary="A hook of the repository refused."),
            ErrorInfo(code="identity_unknown", exit=1, summary="Git does not know whose commit it would be."),
            ErrorInfo(
                code="signing_failed",
                exit=1,
                summary="The commit or tag was to be signed and could not be; it was not made.",
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
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="The latest commit",
                line="ade git revert HEAD --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A commit that does not exist",
                line="ade git revert nowhere --lane fix-login",
                error="revision_not_found",
            ),
        ),
        skeleton={"commits": [""], "mainline": 1, "no_commit": False, "lane": ""},
    )


def git_show() -> ActionCommand:
    return ActionCommand(
        "show",
        group="git",
        action="git.show",
        tool="git_show",
        effect="read",
        scope="project",
        aliases=(),
        summary="Show a commit with its message, files and differences.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="ref",
                kind="text",
                flags=("--ref",),
                metavar="REF",
                help="Which commit; default is the one checked out.",
                limits="text, 1 to 500 characters",
                positional=True,
            ),
            FieldParam(
                field="paths",
                kind="text",
                flags=("-p", "--path"),
                metavar="TEXT",
                help="Only these files and folders.",
                limits="a list of at most 1000 items, each text, 1 to 4096 characters",
                many=True,
            ),
            FieldParam(
                field="patch",
                kind="boolean",
                flags=("--patch",),
                metavar="BOOLEAN",
                help="Show the differences line by line.",
                limits="true or false; default true",
                off_flag="--no-patch",
            ),
            FieldParam(
                field="context",
                kind="integer",
                flags=("-U", "--context"),
                metavar="INTEGER",
                help="Unchanged lines around each difference.",
                limits="an integer, 0 to 100; default 3",
            ),
            FieldParam(
                field="max_bytes",
                kind="integer",
                flags=("--max-bytes",),
                metavar="INTEGER",
                help="Cut the differences after so many bytes.",
                limits="an integer, 0 to 1000000; default 60000",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many files to return at most.",
                limits="an integer, 1 to 2000; default 200",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to look at; default is the caller's own or else the primary one.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="revision_not_found", exit=4, summary="The revision names no commit, or more than one."
            ),
            ErrorInfo(
                code="invalid_revision",
                exit=2,
                summary="The revision is not written as a branch, tag or commit.",
            ),
            ErrorInfo(code="no_commits", exit=1, summary="The lane has no commit yet."),
            ErrorInfo(
                code="path_outside_lane",
                exit=2,
                summary="The path leaves the lane or lies in git's own folder.",
            ),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="The latest commit of a lane",
                line="ade git show --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="An option in place of a revision",
                line="ade git show -- --all",
                error="invalid_revision",
            ),
        ),
        skeleton={
            "ref": "",
            "paths": [""],
            "patch": True,
            "context": 3,
            "max_bytes": 60000,
            "limit": 200,
            "lane": "",
        },
    )


def git_stage() -> ActionCommand:
    return ActionCommand(
        "stage",
        group="git",
        action="git.stage",
        tool="git_stage",
        effect="write",
        scope="project",
        aliases=(),
        summary="Stage files for the next commit.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="paths",
                kind="text",
                flags=("--paths",),
                metavar="PATHS",
                help="Files and folders; names are taken literally.",
                limits="a list of 1 to 1000 items, each text, 1 to 4096 characters",
                required=True,
                positional=True,
                many=True,
            ),
            FieldParam(
                field="force",
                kind="boolean",
                flags=("-f", "--force"),
                metavar="BOOLEAN",
                help="Stage ignored files too.",
                limits="true or false; default false",
                off_flag="--no-force",
            ),
            FieldParam(
                field="allow_markers",
                kind="boolean",
                flags=("--allow-markers",),
                metavar="BOOLEAN",
                help="Stage files in conflict although they still hold conflict markers.",
                limits="true or false; default false",
                off_flag="--no-allow-markers",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to work in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="path_outside_lane",
                exit=2,
                summary="The path leaves the lane or lies in git's own folder.",
            ),
            ErrorInfo(code="path_unmatched", exit=4, summary="The lane has no file of that name."),
            ErrorInfo(code="path_ignored", exit=5, summary="The file is ignored by the repository's rules."),
            ErrorInfo(code="conflict_markers", exit=5, summary="Files still hold conflict markers."),
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
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A new file",
                line="ade git stage notes.txt --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A file that does not exist",
                line="ade git stage nothing.txt --lane fix-login",
                error="path_unmatched",
            ),
            ExampleInfo(
                title="Git's own folder",
                line="ade git stage .GIT/hooks/pre-commit --lane fix-login",
                error="path_outside_lane",
            ),
        ),
        skeleton={"paths": [""], "force": False, "allow_markers": False, "lane": ""},
    )


def git_stage_all() -> ActionCommand:
    return ActionCommand(
        "stage-all",
        group="git",
        action="git.stage_all",
        tool="git_stage_all",
        effect="write",
        scope="project",
        aliases=(),
        summary="Stage every change of a lane, new and deleted files among them.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="allow_markers",
                kind="boolean",
                flags=("--allow-markers",),
                metavar="BOOLEAN",
                help="Stage files in conflict although they still hold conflict markers.",
                limits="true or false; default false",
                off_flag="--no-allow-markers",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to work in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="conflict_markers", exit=5, summary="Files still hold conflict markers."),
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
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A new file",
                line="ade git stage-all --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A file that still holds conflict markers",
                line="ade git stage-all --lane fix-login",
                error="conflict_markers",
            ),
        ),
        skeleton={"allow_markers": False, "lane": ""},
    )


def git_stash_apply() -> ActionCommand:
    return ActionCommand(
        "stash-apply",
        group="git",
        action="git.stash_apply",
        tool="git_stash_apply",
        effect="write",
        scope="project",
        aliases=(),
        summary="Bring the changes of a stash back and keep it.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="stash",
                kind="text",
                flags=("--stash",),
                metavar="STASH",
                help="Object id (safest) or number; default is the latest made on the lane's own branch.",
                limits="text, 1 to 64 characters, matching ^([0-9a-f]{40}([0-9a-f]{24})?|[0-9]{1,6})$",
                positional=True,
            ),
            FieldParam(
                field="restore_index",
                kind="boolean",
                flags=("-i", "--restore-index"),
                metavar="BOOLEAN",
                help="Stage again what was staged.",
                limits="true or false; default false",
                off_flag="--no-restore-index",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to work in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="stash_not_found", exit=4, summary="There is no such stash."),
            ErrorInfo(code="no_commits", exit=1, summary="The lane has no commit yet."),
            ErrorInfo(
                code="conflicts_left",
                exit=5,
                summary="The operation stopped at conflicts, which are now in the lane's files.",
            ),
            ErrorInfo(
                code="local_changes",
                exit=5,
                summary="Work that is not committed, or an ignored file, is in the way; nothing was done.",
            ),
            ErrorInfo(
                code="operation_in_progress",
                exit=5,
                summary="A merge, rebase or similar waits to be finished in the lane.",
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
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="The latest stash of the lane",
                line="ade git stash-apply --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="There is none",
                line="ade git stash-apply --lane fix-login",
                error="stash_not_found",
            ),
        ),
        skeleton={"stash": "", "restore_index": False, "lane": ""},
    )


def git_stash_clear() -> ActionCommand:
    return ActionCommand(
        "stash-clear",
        group="git",
        action="git.stash_clear",
        tool="git_stash_clear",
        effect="destructive",
        scope="project",
        aliases=(),
        summary="Drop the stashes of a lane's branch, or of all; they are kept for 30 days.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="everything",
                kind="boolean",
                flags=("--everything",),
                metavar="BOOLEAN",
                help="Drop the stashes of all lanes and branches.",
                limits="true or false; default false",
                off_flag="--no-everything",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to work in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="detached_head", exit=5, summary="No branch is checked out in the lane."),
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
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="The stash of a lane",
                line="ade git stash-clear --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A lane that does not exist",
                line="ade git stash-clear --lane nowhere",
                error="lane_not_found",
            ),
        ),
        skeleton={"everything": False, "lane": ""},
    )


def git_stash_drop() -> ActionCommand:
    return ActionCommand(
        "stash-drop",
        group="git",
        action="git.stash_drop",
        tool="git_stash_drop",
        effect="destructive",
        scope="project",
        aliases=(),
        summary="Drop a stash; it is kept for 30 days.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="stash",
                kind="text",
                flags=("--stash",),
                metavar="STASH",
                help="Object id of a stash (safest) or its number in list_stashes.",
                limits="text, 1 to 64 characters, matching ^([0-9a-f]{40}([0-9a-f]{24})?|[0-9]{1,6})$",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to work in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="stash_not_found", exit=4, summary="There is no such stash."),
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
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="The latest stash",
                line="ade git stash-drop 0 --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A number that is not taken",
                line="ade git stash-drop 7 --lane fix-login",
                error="stash_not_found",
            ),
        ),
        skeleton={"stash": "", "lane": ""},
    )


def git_stash_list() -> ActionCommand:
    return ActionCommand(
        "stash-list",
        group="git",
        action="git.stash_list",
        tool="list_stashes",
        effect="read",
        scope="project",
        aliases=(),
        summary="List stashes; all lanes of a project share them.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="own",
                kind="boolean",
                flags=("-o", "--own"),
                metavar="BOOLEAN",
                help="Only those made on the branch checked out in the lane.",
                limits="true or false; default false",
                off_flag="--no-own",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many stashes to return at most.",
                limits="an integer, 1 to 1000; default 100",
            ),
            FieldParam(
                field="cursor",
                kind="text",
                flags=("--cursor",),
                metavar="TEXT",
                help="Where to go on; next of the last answer.",
                limits="text, 1 to 100 characters",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to look at; default is the caller's own or else the primary one.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A stash",
                line="ade git stash-list",
                error=None,
            ),
            ExampleInfo(
                title="A lane that does not exist",
                line="ade git stash-list --lane nowhere",
                error="lane_not_found",
            ),
        ),
        skeleton={"own": False, "limit": 100, "cursor": "", "lane": ""},
    )


def git_stash_pop() -> ActionCommand:
    return ActionCommand(
        "stash-pop",
        group="git",
        action="git.stash_pop",
        tool="git_stash_pop",
        effect="write",
        scope="project",
        aliases=(),
        summary="Bring the changes of a stash back and drop it.",
        description="The stash stays in the list when its changes are in conflict.",
        guidance="",
        fields=(
            FieldParam(
                field="stash",
                kind="text",
                flags=("--stash",),
                metavar="STASH",
                help="Object id (safest) or number; default is the latest made on the lane's own branch.",
                limits="text, 1 to 64 characters, matching ^([0-9a-f]{40}([0-9a-f]{24})?|[0-9]{1,6})$",
                positional=True,
            ),
            FieldParam(
                field="restore_index",
                kind="boolean",
                flags=("-i", "--restore-index"),
                metavar="BOOLEAN",
                help="Stage again what was staged.",
                limits="true or false; default false",
                off_flag="--no-restore-index",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to work in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="stash_not_found", exit=4, summary="There is no such stash."),
            ErrorInfo(code="no_commits", exit=1, summary="The lane has no commit yet."),
            ErrorInfo(
                code="conflicts_left",
                exit=5,
                summary="The operation stopped at conflicts, which are now in the lane's files.",
            ),
            ErrorInfo(
                code="local_changes",
                exit=5,
                summary="Work that is not committed, or an ignored file, is in the way; nothing was done.",
            ),
            ErrorInfo(
                code="operation_in_progress",
                exit=5,
                summary="A merge, rebase or similar waits to be finished in the lane.",
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
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="The latest stash of the lane",
                line="ade git stash-pop --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="There is none",
                line="ade git stash-pop --lane fix-login",
                error="stash_not_found",
            ),
        ),
        skeleton={"stash": "", "restore_index": False, "lane": ""},
    )


def git_stash_push() -> ActionCommand:
    return ActionCommand(
        "stash-push",
        group="git",
        action="git.stash_push",
        tool="git_stash_push",
        effect="write",
        scope="project",
        aliases=(),
        summary="Put changes aside and leave the lane clean.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="message",
                kind="text",
                flags=("-m", "--message"),
                metavar="TEXT",
                help="What to call it.",
                limits="text, 1 to 500 characters",
            ),
            FieldParam(
                field="include_untracked",
                kind="boolean",
                flags=("-u", "--include-untracked"),
                metavar="BOOLEAN",
                help="Put files that git does not track aside too.",
                limits="true or false; default false",
                off_flag="--no-include-untracked",
            ),
            FieldParam(
                field="staged_only",
                kind="boolean",
                flags=("--staged-only",),
                metavar="BOOLEAN",
                help="Only what is staged.",
                limits="true or false",
                off_flag="--no-staged-only",
            ),
            FieldParam(
                field="keep_index",
                kind="boolean",
                flags=("--keep-index",),
                metavar="BOOLEAN",
                help="Leave what is staged in place.",
                limits="true or false",
                off_flag="--no-keep-index",
            ),
            FieldParam(
                field="paths",
                kind="text",
                flags=("--paths",),
                metavar="PATHS",
                help="Only these files and folders.",
                limits="a list of 1 to 1000 items, each text, 1 to 4096 characters",
                positional=True,
                many=True,
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to work in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(
            RuleInfo(kind="at_most_one_of", fields=("staged_only", "keep_index")),
            RuleInfo(kind="at_most_one_of", fields=("staged_only", "paths")),
        ),
        errors=(
            ErrorInfo(code="nothing_to_stash", exit=1, summary="There are no changes to stash."),
            ErrorInfo(code="no_commits", exit=1, summary="The lane has no commit yet."),
            ErrorInfo(
                code="path_outside_lane",
                exit=2,
                summary="The path leaves the lane or lies in git's own folder.",
            ),
            ErrorInfo(code="path_unmatched", exit=4, summary="The lane has no file of that name."),
            ErrorInfo(
                code="operation_in_progress",
                exit=5,
                summary="A merge, rebase or similar waits to be finished in the lane.",
            ),
            ErrorInfo(code="identity_unknown", exit=1, summary="Git does not know whose commit it would be."),
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
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A new file",
                line="ade git stash-push --message 'half done' --include-untracked --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="Nothing to put aside",
                line="ade git stash-push --lane fix-login",
                error="nothing_to_stash",
            ),
        ),
        skeleton={
            "message": "",
            "include_untracked": False,
            "staged_only": False,
            "keep_index": False,
            "paths": [""],
            "lane": "",
        },
    )


def git_status() -> ActionCommand:
    return ActionCommand(
        "status",
        group="git",
        action="git.status",
        tool="git_status",
        effect="read",
        scope="project",
        aliases=(),
        summary="Show what is changed, staged and in conflict in a lane.",
        description="",
        guidance="Look here before you commit and after anything that failed.",
        fields=(
            FieldParam(
                field="untracked",
                kind="text",
                flags=("-u", "--untracked"),
                metavar="TEXT",
                help="New files: each one, wholly new folders as one, or none.",
                limits="one of all, normal, none; default normal",
                choices=("all", "normal", "none"),
            ),
            FieldParam(
                field="ignored",
                kind="boolean",
                flags=("--ignored",),
                metavar="BOOLEAN",
                help="List ignored files too.",
                limits="true or false; default false",
                off_flag="--no-ignored",
            ),
            FieldParam(
                field="paths",
                kind="text",
                flags=("--paths",),
                metavar="PATHS",
                help="Only these files and folders.",
                limits="a list of at most 1000 items, each text, 1 to 4096 characters",
                positional=True,
                many=True,
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many files to return at most.",
                limits="an integer, 1 to 5000; default 500",
            ),
            FieldParam(
                field="cursor",
                kind="text",
                flags=("--cursor",),
                metavar="TEXT",
                help="Where to go on; next of the last answer.",
                limits="text, 1 to 100 characters",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to look at; default is the caller's own or else the primary one.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="path_outside_lane",
                exit=2,
                summary="The path leaves the lane or lies in git's own folder.",
            ),
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A lane with a new file",
                line="ade git status --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A clean lane",
                line="ade git status --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A path that leaves the lane",
                line="ade git status ../other-lane/f --lane fix-login",
                error="path_outside_lane",
            ),
            ExampleInfo(
                title="A lane that does not exist",
                line="ade git status --lane nowhere",
                error="lane_not_found",
            ),
        ),
        skeleton={
            "untracked": "normal",
            "ignored": False,
            "paths": [""],
            "limit": 500,
            "cursor": "",
            "lane": "",
        },
    )


def git_sync_status() -> ActionCommand:
    return ActionCommand(
        "sync-status",
        group="git",
        action="git.sync_status",
        tool="git_get_sync_status",
        effect="read",
        scope="project",
        aliases=(),
        summary="Tell how a lane's branch and its remote branch have parted.",
        description="Compares with what was last fetched and asks no remote; fetch first for what is new there.",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to look at; default is the caller's own or else the primary one.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A lane that was never pushed",
                line="ade git sync-status --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A pushed lane",
                line="ade git sync-status --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A lane that does not exist",
                line="ade git sync-status --lane nowhere",
                error="lane_not_found",
            ),
        ),
        skeleton={"lane": ""},
    )


def git_undo_last_head_change() -> ActionCommand:
    return ActionCommand(
        "undo-last-head-change",
        group="git",
        action="git.undo_last_head_change",
        tool="git_undo_last_head_change",
        effect="write",
        scope="project",
        aliases=(),
        summary="Take back the last commit, amendment, reset, merge, rebase, pull or checkout.",
        description="A commit's changes stay staged; anything else goes back as a whole and is refused where it would touch changes that are not committed. Can be repeated; redo_last_head_change takes it back.",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to work in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="nothing_to_undo",
                exit=5,
                summary="Nothing that can be undone happened to the lane's HEAD.",
            ),
            ErrorInfo(code="no_commits", exit=1, summary="The lane has no commit yet."),
            ErrorInfo(
                code="local_changes",
                exit=5,
                summary="Work that is not committed, or an ignored file, is in the way; nothing was done.",
            ),
            ErrorInfo(
                code="operation_in_progress",
                exit=5,
                summary="A merge, rebase or similar waits to be finished in the lane.",
            ),
            ErrorInfo(code="branch_in_use", exit=5, summary="The branch is checked out in another worktree."),
            ErrorInfo(code="branch_not_found", exit=4, summary="The repository has no such branch."),
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
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A commit, whose changes stay staged",
                line="ade git undo-last-head-change --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A lane in which nothing happened yet",
                line="ade git undo-last-head-change --lane fix-login",
                error="nothing_to_undo",
            ),
        ),
        skeleton={"lane": ""},
    )


def git_unstage() -> ActionCommand:
    return ActionCommand(
        "unstage",
        group="git",
        action="git.unstage",
        tool="git_unstage",
        effect="write",
        scope="project",
        aliases=(),
        summary="Take files out of the next commit; they keep their changes.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="paths",
                kind="text",
                flags=("--paths",),
                metavar="PATHS",
                help="Files and folders; names are taken literally.",
                limits="a list of 1 to 1000 items, each text, 1 to 4096 characters",
                required=True,
                positional=True,
                many=True,
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to work in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="path_outside_lane",
                exit=2,
                summary="The path leaves the lane or lies in git's own folder.",
            ),
            ErrorInfo(code="path_unmatched", exit=4, summary="The lane has no file of that name."),
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
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A staged file",
                line="ade git unstage notes.txt --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A file that does not exist",
                line="ade git unstage nothing.txt --lane fix-login",
                error="path_unmatched",
            ),
        ),
        skeleton={"paths": [""], "lane": ""},
    )


def git_unstage_all() -> ActionCommand:
    return ActionCommand(
        "unstage-all",
        group="git",
        action="git.unstage_all",
        tool="git_unstage_all",
        effect="write",
        scope="project",
        aliases=(),
        summary="Take everything out of the next commit; files keep their changes.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to work in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
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
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_locked",
                exit=5,
                summary="Another git holds a lock; it was waited for and left alone.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A staged file",
                line="ade git unstage-all --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A lane that does not exist",
                line="ade git unstage-all --lane nowhere",
                error="lane_not_found",
            ),
        ),
        skeleton={"lane": ""},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "branches": git_branches,
    "checkout-branch": git_checkout_branch,
    "cherry-pick": git_cherry_pick,
    "commit": git_commit,
    "conflict-state": git_conflict_state,
    "create-tag": git_create_tag,
    "discard": git_discard,
    "fetch": git_fetch,
    "file-history": git_file_history,
    "log": git_log,
    "merge-abort": git_merge_abort,
    "merge-continue": git_merge_continue,
    "pull": git_pull,
    "push": git_push,
    "rebase": git_rebase,
    "rebase-abort": git_rebase_abort,
    "rebase-continue": git_rebase_continue,
    "redo-last-head-change": git_redo_last_head_change,
    "reset": git_reset,
    "revert": git_revert,
    "show": git_show,
    "stage": git_stage,
    "stage-all": git_stage_all,
    "stash-apply": git_stash_apply,
    "stash-clear": git_stash_clear,
    "stash-drop": git_stash_drop,
    "stash-list": git_stash_list,
    "stash-pop": git_stash_pop,
    "stash-push": git_stash_push,
    "status": git_status,
    "sync-status": git_sync_status,
    "undo-last-head-change": git_undo_last_head_change,
    "unstage": git_unstage,
    "unstage-all": git_unstage_all,
}
