"""Commands of the prs group. Generated from specs/domains/pr.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam, RuleInfo


def pr_add_comment() -> ActionCommand:
    return ActionCommand(
        "add-comment",
        group="prs",
        action="pr.add_comment",
        tool="pr_add_comment",
        effect="write",
        scope="project",
        aliases=(),
        summary="Comment on a pull request.",
        description="A repeated call with the same request id writes one comment, even if the connection was lost before GitHub's answer.",
        guidance="",
        fields=(
            FieldParam(
                field="number",
                kind="integer",
                flags=("--number",),
                metavar="NUMBER",
                help="Number of the pull request; default is that of the lane.",
                limits="an integer, 1 to 2147483647",
                positional=True,
                complete="pulls",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane whose pull request it is; default is your own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="body",
                kind="text",
                flags=("-b", "--body"),
                metavar="TEXT",
                help="What to say, in Markdown.",
                limits="text, 1 to 60000 characters",
                required=True,
            ),
        ),
        rules=(RuleInfo(kind="at_most_one_of", fields=("number", "lane")),),
        errors=(
            ErrorInfo(
                code="lane_required",
                exit=2,
                summary="The action writes and neither a lane was named nor the caller is inside one.",
            ),
            ErrorInfo(code="pr_not_found", exit=4, summary="There is no such pull request."),
            ErrorInfo(code="pr_not_linked", exit=4, summary="The lane has no pull request."),
            ErrorInfo(
                code="github_repository_archived", exit=5, summary="An archived repository cannot be changed."
            ),
            ErrorInfo(
                code="policy_denied", exit=3, summary="The action is visible but the caller may not use it."
            ),
            ErrorInfo(code="github_signed_out", exit=3, summary="No token for GitHub was found."),
            ErrorInfo(code="github_sign_in_refused", exit=3, summary="GitHub does not take the token."),
            ErrorInfo(code="github_scope_missing", exit=3, summary="The token may not do this."),
            ErrorInfo(
                code="github_sso_required",
                exit=3,
                summary="The organisation wants the token authorised for its single sign-on.",
            ),
            ErrorInfo(
                code="github_repository_not_found",
                exit=4,
                summary="GitHub shows no such repository to this token.",
            ),
            ErrorInfo(
                code="not_at_github", exit=4, summary="The project's remote is no repository at GitHub."
            ),
            ErrorInfo(
                code="github_interface_invalid",
                exit=2,
                summary="The configured address of GitHub's interface cannot be used.",
            ),
            ErrorInfo(
                code="github_rate_limited", exit=6, summary="GitHub wants to be left alone for a while."
            ),
            ErrorInfo(code="github_unreachable", exit=7, summary="GitHub gave no whole answer."),
            ErrorInfo(code="github_refused", exit=1, summary="GitHub refused a request."),
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
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
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
                title="A comment",
                line="ade prs add-comment 1 --body 'The tests pass.'",
                error=None,
            ),
            ExampleInfo(
                title="A number that no pull request has",
                line="ade prs add-comment 4000 --body Hello",
                error="pr_not_found",
            ),
        ),
        skeleton={"number": 1, "lane": "", "body": ""},
    )


def pr_checks() -> ActionCommand:
    return ActionCommand(
        "checks",
        group="prs",
        action="pr.checks",
        tool="pr_get_checks",
        effect="read",
        scope="project",
        aliases=(),
        summary="List the checks of a pull request's last commit, those that merging needs first.",
        description="Check runs and statuses together, and what the base branch requires but nobody has reported yet.",
        guidance="",
        fields=(
            FieldParam(
                field="number",
                kind="integer",
                flags=("--number",),
                metavar="NUMBER",
                help="Number of the pull request; default is that of the lane.",
                limits="an integer, 1 to 2147483647",
                positional=True,
                complete="pulls",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane whose pull request it is; default is your own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(RuleInfo(kind="at_most_one_of", fields=("number", "lane")),),
        errors=(
            ErrorInfo(code="pr_not_found", exit=4, summary="There is no such pull request."),
            ErrorInfo(code="pr_not_linked", exit=4, summary="The lane has no pull request."),
            ErrorInfo(code="github_signed_out", exit=3, summary="No token for GitHub was found."),
            ErrorInfo(code="github_sign_in_refused", exit=3, summary="GitHub does not take the token."),
            ErrorInfo(code="github_scope_missing", exit=3, summary="The token may not do this."),
            ErrorInfo(
                code="github_sso_required",
                exit=3,
                summary="The organisation wants the token authorised for its single sign-on.",
            ),
            ErrorInfo(
                code="github_repository_not_found",
                exit=4,
                summary="GitHub shows no such repository to this token.",
            ),
            ErrorInfo(
                code="not_at_github", exit=4, summary="The project's remote is no repository at GitHub."
            ),
            ErrorInfo(
                code="github_interface_invalid",
                exit=2,
                summary="The configured address of GitHub's interface cannot be used.",
            ),
            ErrorInfo(
                code="github_rate_limited", exit=6, summary="GitHub wants to be left alone for a while."
            ),
            ErrorInfo(code="github_unreachable", exit=7, summary="GitHub gave no whole answer."),
            ErrorInfo(code="github_refused", exit=1, summary="GitHub refused a request."),
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
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
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
                title="One passed and one failed",
                line="ade prs checks 1",
                error=None,
            ),
            ExampleInfo(
                title="A number that no pull request has",
                line="ade prs checks 4000",
                error="pr_not_found",
            ),
        ),
        skeleton={"number": 1, "lane": ""},
    )


def pr_close() -> ActionCommand:
    return ActionCommand(
        "close",
        group="prs",
        action="pr.close",
        tool="pr_close",
        effect="write",
        scope="project",
        aliases=(),
        summary="Close a pull request without merging it.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="number",
                kind="integer",
                flags=("--number",),
                metavar="NUMBER",
                help="Number of the pull request; default is that of the lane.",
                limits="an integer, 1 to 2147483647",
                positional=True,
                complete="pulls",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane whose pull request it is; default is your own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(RuleInfo(kind="at_most_one_of", fields=("number", "lane")),),
        errors=(
            ErrorInfo(code="pr_over", exit=5, summary="The pull request is merged or closed."),
            ErrorInfo(
                code="lane_required",
                exit=2,
                summary="The action writes and neither a lane was named nor the caller is inside one.",
            ),
            ErrorInfo(code="pr_not_found", exit=4, summary="There is no such pull request."),
            ErrorInfo(code="pr_not_linked", exit=4, summary="The lane has no pull request."),
            ErrorInfo(
                code="github_repository_archived", exit=5, summary="An archived repository cannot be changed."
            ),
            ErrorInfo(
                code="policy_denied", exit=3, summary="The action is visible but the caller may not use it."
            ),
            ErrorInfo(code="github_signed_out", exit=3, summary="No token for GitHub was found."),
            ErrorInfo(code="github_sign_in_refused", exit=3, summary="GitHub does not take the token."),
            ErrorInfo(code="github_scope_missing", exit=3, summary="The token may not do this."),
            ErrorInfo(
                code="github_sso_required",
                exit=3,
                summary="The organisation wants the token authorised for its single sign-on.",
            ),
            ErrorInfo(
                code="github_repository_not_found",
                exit=4,
                summary="GitHub shows no such repository to this token.",
            ),
            ErrorInfo(
                code="not_at_github", exit=4, summary="The project's remote is no repository at GitHub."
            ),
            ErrorInfo(
                code="github_interface_invalid",
                exit=2,
                summary="The configured address of GitHub's interface cannot be used.",
            ),
            ErrorInfo(
                code="github_rate_limited", exit=6, summary="GitHub wants to be left alone for a while."
            ),
            ErrorInfo(code="github_unreachable", exit=7, summary="GitHub gave no whole answer."),
            ErrorInfo(code="github_refused", exit=1, summary="GitHub refused a request."),
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
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
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
                title="One nobody needs",
                line="ade prs close 1",
                error=None,
            ),
            ExampleInfo(
                title="A number that no pull request has",
                line="ade prs close 4000",
                error="pr_not_found",
            ),
        ),
        skeleton={"number": 1, "lane": ""},
    )


def pr_create_from_lane() -> ActionCommand:
    return ActionCommand(
        "create",
        group="prs",
        action="pr.create_from_lane",
        tool="create_pr_from_lane",
        effect="write",
        scope="project",
        aliases=("new",),
        summary="Open a pull request from a lane; one that is open already is given instead.",
        description="Pushes the lane's branch where GitHub lacks its commits. Without a title and a body, both are drafted: from the commits, and from the repository's template where it has one. Calling again gives the same pull request.",
        guidance="Open it when the work is committed and its tests pass. Say in the body what changed and why, and how it was tested.",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("--lane",),
                metavar="LANE",
                help="Lane to open it from; default is your own.",
                limits="text, 1 to 200 characters",
                positional=True,
                complete="lanes",
            ),
            FieldParam(
                field="title",
                kind="text",
                flags=("-t", "--title"),
                metavar="TEXT",
                help="Its title; drafted when left out.",
                limits="text, 1 to 250 characters",
            ),
            FieldParam(
                field="body",
                kind="text",
                flags=("--body",),
                metavar="TEXT",
                help="Its description, in Markdown; drafted when left out.",
                limits="text, 1 to 60000 characters",
            ),
            FieldParam(
                field="base",
                kind="text",
                flags=("-b", "--base"),
                metavar="TEXT",
                help="Branch to merge into; default is that of the lane's parent where GitHub has it, else the repository's own.",
                limits="text, 1 to 250 characters",
            ),
            FieldParam(
                field="draft",
                kind="boolean",
                flags=("-d", "--draft"),
                metavar="BOOLEAN",
                help="Open it as a draft.",
                limits="true or false; default false",
                off_flag="--no-draft",
            ),
            FieldParam(
                field="labels",
                kind="text",
                flags=("--labels",),
                metavar="TEXT",
                help="Labels to give it.",
                limits="a list of at most 50 items, each text, 1 to 100 characters",
                many=True,
            ),
            FieldParam(
                field="reviewers",
                kind="text",
                flags=("--reviewers",),
                metavar="TEXT",
                help="Accounts to ask for a review.",
                limits="a list of at most 15 items, each text, 1 to 100 characters, matching ^[A-Za-z0-9][A-Za-z0-9_-]*(\\[bot\\])?$",
                many=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="pr_no_commits", exit=5, summary="The branch holds nothing that its base lacks."),
            ErrorInfo(code="pr_base_missing", exit=4, summary="The base branch does not exist at GitHub."),
            ErrorInfo(code="pr_same_branch", exit=5, summary="A branch cannot be merged into itself."),
            ErrorInfo(code="detached_head", exit=5, summary="No branch is checked out in the lane."),
            ErrorInfo(code="no_commits", exit=1, summary="The lane has no commit yet."),
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
            ErrorInfo(code="remote_not_found", exit=4, summary="The repository has no such remote."),
            ErrorInfo(code="invalid_remote", exit=2, summary="The remote is not written as a name."),
            ErrorInfo(
                code="invalid_branch_name",
                exit=2,
                summary="The name cannot be made into a branch that git accepts.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(
                code="lane_required",
                exit=2,
                summary="The action writes and neither a lane was named nor the caller is inside one.",
            ),
            ErrorInfo(
                code="operation_in_progress",
                exit=5,
                summary="A merge, rebase or similar waits to be finished in the lane.",
            ),
            ErrorInfo(
                code="github_repository_archived", exit=5, summary="An archived repository cannot be changed."
            ),
            ErrorInfo(
                code="policy_denied", exit=3, summary="The action is visible but the caller may not use it."
            ),
            ErrorInfo(code="github_signed_out", exit=3, summary="No token for GitHub was found."),
            ErrorInfo(code="github_sign_in_refused", exit=3, summary="GitHub does not take the token."),
            ErrorInfo(code="github_scope_missing", exit=3, summary="The token may not do this."),
            ErrorInfo(
                code="github_sso_required",
                exit=3,
                summary="The organisation wants the token authorised for its single sign-on.",
            ),
            ErrorInfo(
                code="github_repository_not_found",
                exit=4,
                summary="GitHub shows no such repository to this token.",
            ),
            ErrorInfo(
                code="not_at_github", exit=4, summary="The project's remote is no repository at GitHub."
            ),
            ErrorInfo(
                code="github_interface_invalid",
                exit=2,
                summary="The configured address of GitHub's interface cannot be used.",
            ),
            ErrorInfo(
                code="github_rate_limited", exit=6, summary="GitHub wants to be left alone for a while."
            ),
            ErrorInfo(code="github_unreachable", exit=7, summary="GitHub gave no whole answer."),
            ErrorInfo(code="github_refused", exit=1, summary="GitHub refused a request."),
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
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
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
                title="A lane whose commits GitHub lacks",
                line="ade prs create fix-login",
                error=None,
            ),
            ExampleInfo(
                title="One that is open already",
                line="ade prs create fix-login --title 'Something else'",
                error=None,
            ),
            ExampleInfo(
                title="A lane without commits",
                line="ade prs create fix-login",
                error="pr_no_commits",
            ),
            ExampleInfo(
                title="A base that GitHub lacks",
                line="ade prs create fix-login --base nowhere",
                error="pr_base_missing",
            ),
        ),
        skeleton={
            "lane": "",
            "title": "",
            "body": "",
            "base": "",
            "draft": False,
            "labels": [""],
            "reviewers": [""],
        },
    )


def pr_health() -> ActionCommand:
    return ActionCommand(
        "health",
        group="prs",
        action="pr.health",
        tool="get_pr_health",
        effect="read",
        scope="project",
        aliases=(),
        summary="Tell whether a pull request can be merged, from its checks, reviews, threads and conflicts.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="number",
                kind="integer",
                flags=("--number",),
                metavar="NUMBER",
                help="Number of the pull request; default is that of the lane.",
                limits="an integer, 1 to 2147483647",
                positional=True,
                complete="pulls",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane whose pull request it is; default is your own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(RuleInfo(kind="at_most_one_of", fields=("number", "lane")),),
        errors=(
            ErrorInfo(code="pr_not_found", exit=4, summary="There is no such pull request."),
            ErrorInfo(code="pr_not_linked", exit=4, summary="The lane has no pull request."),
            ErrorInfo(code="github_signed_out", exit=3, summary="No token for GitHub was found."),
            ErrorInfo(code="github_sign_in_refused", exit=3, summary="GitHub does not take the token."),
            ErrorInfo(code="github_scope_missing", exit=3, summary="The token may not do this."),
            ErrorInfo(
                code="github_sso_required",
                exit=3,
                summary="The organisation wants the token authorised for its single sign-on.",
            ),
            ErrorInfo(
                code="github_repository_not_found",
                exit=4,
                summary="GitHub shows no such repository to this token.",
            ),
            ErrorInfo(
                code="not_at_github", exit=4, summary="The project's remote is no repository at GitHub."
            ),
            ErrorInfo(
                code="github_interface_invalid",
                exit=2,
                summary="The configured address of GitHub's interface cannot be used.",
            ),
            ErrorInfo(
                code="github_rate_limited", exit=6, summary="GitHub wants to be left alone for a while."
            ),
            ErrorInfo(code="github_unreachable", exit=7, summary="GitHub gave no whole answer."),
            ErrorInfo(code="github_refused", exit=1, summary="GitHub refused a request."),
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
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
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
                title="One that can be merged",
                line="ade prs health --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="One with a failed check",
                line="ade prs health 1",
                error=None,
            ),
            ExampleInfo(
                title="A number that no pull request has",
                line="ade prs health 4000",
                error="pr_not_found",
            ),
        ),
        skeleton={"number": 1, "lane": ""},
    )


def pr_issue_inventory() -> ActionCommand:
    return ActionCommand(
        "issue-inventory",
        group="prs",
        action="pr.issue_inventory",
        tool="pr_refresh_issue_inventory",
        effect="read",
        scope="project",
        aliases=(),
        summary="List all that stands between a pull request and its merge, with what to do about each.",
        description="",
        guidance="Work through it from the top, then ask again; it is done when the verdict is ready.",
        fields=(
            FieldParam(
                field="number",
                kind="integer",
                flags=("--number",),
                metavar="NUMBER",
                help="Number of the pull request; default is that of the lane.",
                limits="an integer, 1 to 2147483647",
                positional=True,
                complete="pulls",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane whose pull request it is; default is your own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(RuleInfo(kind="at_most_one_of", fields=("number", "lane")),),
        errors=(
            ErrorInfo(code="pr_not_found", exit=4, summary="There is no such pull request."),
            ErrorInfo(code="pr_not_linked", exit=4, summary="The lane has no pull request."),
            ErrorInfo(code="github_signed_out", exit=3, summary="No token for GitHub was found."),
            ErrorInfo(code="github_sign_in_refused", exit=3, summary="GitHub does not take the token."),
            ErrorInfo(code="github_scope_missing", exit=3, summary="The token may not do this."),
            ErrorInfo(
                code="github_sso_required",
                exit=3,
                summary="The organisation wants the token authorised for its single sign-on.",
            ),
            ErrorInfo(
                code="github_repository_not_found",
                exit=4,
                summary="GitHub shows no such repository to this token.",
            ),
            ErrorInfo(
                code="not_at_github", exit=4, summary="The project's remote is no repository at GitHub."
            ),
            ErrorInfo(
                code="github_interface_invalid",
                exit=2,
                summary="The configured address of GitHub's interface cannot be used.",
            ),
            ErrorInfo(
                code="github_rate_limited", exit=6, summary="GitHub wants to be left alone for a while."
            ),
            ErrorInfo(code="github_unreachable", exit=7, summary="GitHub gave no whole answer."),
            ErrorInfo(code="github_refused", exit=1, summary="GitHub refused a request."),
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
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
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
                title="Nothing",
                line="ade prs issue-inventory 1",
                error=None,
            ),
            ExampleInfo(
                title="A failed check",
                line="ade prs issue-inventory 1",
                error=None,
            ),
            ExampleInfo(
                title="A number that no pull request has",
                line="ade prs issue-inventory 4000",
                error="pr_not_found",
            ),
        ),
        skeleton={"number": 1, "lane": ""},
    )


def pr_link_to_lane() -> ActionCommand:
    return ActionCommand(
        "link-to-lane",
        group="prs",
        action="pr.link_to_lane",
        tool="pr_link_to_lane",
        effect="write",
        scope="project",
        aliases=(),
        summary="Say which pull request a lane has, where its branch does not tell.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="number",
                kind="integer",
                flags=("--number",),
                metavar="NUMBER",
                help="Number of the pull request.",
                limits="an integer, 1 to 2147483647",
                required=True,
                positional=True,
                complete="pulls",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane whose pull request it is; default is your own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="lane_required",
                exit=2,
                summary="The action writes and neither a lane was named nor the caller is inside one.",
            ),
            ErrorInfo(code="pr_not_found", exit=4, summary="There is no such pull request."),
            ErrorInfo(code="pr_not_linked", exit=4, summary="The lane has no pull request."),
            ErrorInfo(
                code="github_repository_archived", exit=5, summary="An archived repository cannot be changed."
            ),
            ErrorInfo(
                code="policy_denied", exit=3, summary="The action is visible but the caller may not use it."
            ),
            ErrorInfo(code="github_signed_out", exit=3, summary="No token for GitHub was found."),
            ErrorInfo(code="github_sign_in_refused", exit=3, summary="GitHub does not take the token."),
            ErrorInfo(code="github_scope_missing", exit=3, summary="The token may not do this."),
            ErrorInfo(
                code="github_sso_required",
                exit=3,
                summary="The organisation wants the token authorised for its single sign-on.",
            ),
            ErrorInfo(
                code="github_repository_not_found",
                exit=4,
                summary="GitHub shows no such repository to this token.",
            ),
            ErrorInfo(
                code="not_at_github", exit=4, summary="The project's remote is no repository at GitHub."
            ),
            ErrorInfo(
                code="github_interface_invalid",
                exit=2,
                summary="The configured address of GitHub's interface cannot be used.",
            ),
            ErrorInfo(
                code="github_rate_limited", exit=6, summary="GitHub wants to be left alone for a while."
            ),
            ErrorInfo(code="github_unreachable", exit=7, summary="GitHub gave no whole answer."),
            ErrorInfo(code="github_refused", exit=1, summary="GitHub refused a request."),
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
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
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
                title="A lane that goes on with the work of another",
                line="ade prs link-to-lane 1 --lane add-search",
                error=None,
            ),
            ExampleInfo(
                title="A number that no pull request has",
                line="ade prs link-to-lane 4000 --lane fix-login",
                error="pr_not_found",
            ),
        ),
        skeleton={"number": 1, "lane": ""},
    )


def pr_list() -> ActionCommand:
    return ActionCommand(
        "list",
        group="prs",
        action="pr.list",
        tool="pr_list",
        effect="read",
        scope="project",
        aliases=(),
        summary="List pull requests with their checks and reviews, the last changed first.",
        description="One request for each hundred. What was read in the last moments is given again; max_age 0 reads anew.",
        guidance="",
        fields=(
            FieldParam(
                field="state",
                kind="text",
                flags=("-s", "--state"),
                metavar="TEXT",
                help="Which to list: open, closed without a merge, merged or all.",
                limits="one of open, closed, merged, all; default open",
                choices=("open", "closed", "merged", "all"),
            ),
            FieldParam(
                field="author",
                kind="text",
                flags=("-a", "--author"),
                metavar="TEXT",
                help="Only those that this account opened.",
                limits="text, 1 to 100 characters, matching ^[A-Za-z0-9][A-Za-z0-9_-]*(\\[bot\\])?$",
            ),
            FieldParam(
                field="mine",
                kind="boolean",
                flags=("--mine",),
                metavar="BOOLEAN",
                help="Only those that come from lanes of this project.",
                limits="true or false; default false",
                off_flag="--no-mine",
            ),
            FieldParam(
                field="max_age",
                kind="duration",
                flags=("--max-age",),
                metavar="DURATION",
                help="How many seconds old the list may be.",
                limits="such as 90s, 12m or 2h30m, 0s to 1d; default 30s",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many to return at most.",
                limits="an integer, 1 to 1000; default 50",
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
            ErrorInfo(code="github_signed_out", exit=3, summary="No token for GitHub was found."),
            ErrorInfo(code="github_sign_in_refused", exit=3, summary="GitHub does not take the token."),
            ErrorInfo(code="github_scope_missing", exit=3, summary="The token may not do this."),
            ErrorInfo(
                code="github_sso_required",
                exit=3,
                summary="The organisation wants the token authorised for its single sign-on.",
            ),
            ErrorInfo(
                code="github_repository_not_found",
                exit=4,
                summary="GitHub shows no such repository to this token.",
            ),
            ErrorInfo(
                code="not_at_github", exit=4, summary="The project's remote is no repository at GitHub."
            ),
            ErrorInfo(
                code="github_interface_invalid",
                exit=2,
                summary="The configured address of GitHub's interface cannot be used.",
            ),
            ErrorInfo(
                code="github_rate_limited", exit=6, summary="GitHub wants to be left alone for a while."
            ),
            ErrorInfo(code="github_unreachable", exit=7, summary="GitHub gave no whole answer."),
            ErrorInfo(code="github_refused", exit=1, summary="GitHub refused a request."),
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
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
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
                title="One that is open",
                line="ade prs list --max-age 0s",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade prs list --cursor nowhere",
                error="invalid_cursor",
            ),
        ),
        skeleton={"state": "open", "author": "", "mine": False, "max_age": 30, "limit": 50, "cursor": ""},
    )


def pr_merge() -> ActionCommand:
    return ActionCommand(
        "merge",
        group="prs",
        action="pr.merge",
        tool="pr_merge",
        effect="destructive",
        scope="project",
        aliases=(),
        summary="Merge a pull request, if it is still at the commit that was seen.",
        description="Without expect, the commit is the one that GitHub has now. Protection is never overridden.",
        guidance="Ask for the health first, and give expect with the commit that you have checked.",
        fields=(
            FieldParam(
                field="number",
                kind="integer",
                flags=("--number",),
                metavar="NUMBER",
                help="Number of the pull request; default is that of the lane.",
                limits="an integer, 1 to 2147483647",
                positional=True,
                complete="pulls",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane whose pull request it is; default is your own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="method",
                kind="text",
                flags=("-m", "--method"),
                metavar="TEXT",
                help="merge, squash or rebase; default is the first of them that the repository allows.",
                limits="one of merge, squash, rebase",
                choices=("merge", "squash", "rebase"),
            ),
            FieldParam(
                field="expect",
                kind="text",
                flags=("-e", "--expect"),
                metavar="TEXT",
                help="Full id of the commit that its branch must be at.",
                limits="text, 40 to 64 characters, matching ^[0-9a-f]+$",
            ),
            FieldParam(
                field="title",
                kind="text",
                flags=("--title",),
                metavar="TEXT",
                help="First line of the merge's commit.",
                limits="text, 1 to 250 characters",
            ),
            FieldParam(
                field="message",
                kind="text",
                flags=("--message",),
                metavar="TEXT",
                help="The rest of its message.",
                limits="text, 1 to 20000 characters",
            ),
            FieldParam(
                field="delete_branch",
                kind="boolean",
                flags=("--delete-branch",),
                metavar="BOOLEAN",
                help="Delete the branch at GitHub once it is merged.",
                limits="true or false; default false",
                off_flag="--no-delete-branch",
            ),
        ),
        rules=(RuleInfo(kind="at_most_one_of", fields=("number", "lane")),),
        errors=(
            ErrorInfo(code="pr_over", exit=5, summary="The pull request is merged or closed."),
            ErrorInfo(
                code="pr_not_mergeable", exit=5, summary="The pull request cannot be merged as it stands."
            ),
            ErrorInfo(
                code="pr_protected",
                exit=5,
                summary="The rules of the base branch do not let the pull request be merged.",
            ),
            ErrorInfo(
                code="pr_method_not_allowed",
                exit=5,
                summary="The repository or the base branch does not take pull requests in this way.",
            ),
            ErrorInfo(
                code="pr_head_moved", exit=5, summary="The pull request has other commits than expected."
            ),
            ErrorInfo(
                code="lane_required",
                exit=2,
                summary="The action writes and neither a lane was named nor the caller is inside one.",
            ),
            ErrorInfo(code="pr_not_found", exit=4, summary="There is no such pull request."),
            ErrorInfo(code="pr_not_linked", exit=4, summary="The lane has no pull request."),
            ErrorInfo(
                code="github_repository_archived", exit=5, summary="An archived repository cannot be changed."
            ),
            ErrorInfo(
                code="policy_denied", exit=3, summary="The action is visible but the caller may not use it."
            ),
            ErrorInfo(code="github_signed_out", exit=3, summary="No token for GitHub was found."),
            ErrorInfo(code="github_sign_in_refused", exit=3, summary="GitHub does not take the token."),
            ErrorInfo(code="github_scope_missing", exit=3, summary="The token may not do this."),
            ErrorInfo(
                code="github_sso_required",
                exit=3,
                summary="The organisation wants the token authorised for its single sign-on.",
            ),
            ErrorInfo(
                code="github_repository_not_found",
                exit=4,
                summary="GitHub shows no such repository to this token.",
            ),
            ErrorInfo(
                code="not_at_github", exit=4, summary="The project's remote is no repository at GitHub."
            ),
            ErrorInfo(
                code="github_interface_invalid",
                exit=2,
                summary="The configured address of GitHub's interface cannot be used.",
            ),
            ErrorInfo(
                code="github_rate_limited", exit=6, summary="GitHub wants to be left alone for a while."
            ),
            ErrorInfo(code="github_unreachable", exit=7, summary="GitHub gave no whole answer."),
            ErrorInfo(code="github_refused", exit=1, summary="GitHub refused a request."),
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
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
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
                title="One that is ready",
                line="ade prs merge 1",
                error=None,
            ),
            ExampleInfo(
                title="One that has other commits than were seen",
                line="ade prs merge 1 --expect 0000000000000000000000000000000000000000",
                error="pr_head_moved",
            ),
            ExampleInfo(
                title="One whose required check failed",
                line="ade prs merge 1",
                error="pr_protected",
            ),
        ),
        skeleton={
            "number": 1,
            "lane": "",
            "method": "merge",
            "expect": "",
            "title": "",
            "message": "",
            "delete_branch": False,
        },
    )


def pr_reopen() -> ActionCommand:
    return ActionCommand(
        "reopen",
        group="prs",
        action="pr.reopen",
        tool="pr_reopen",
        effect="write",
        scope="project",
        aliases=(),
        summary="Open a closed pull request again.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="number",
                kind="integer",
                flags=("--number",),
                metavar="NUMBER",
                help="Number of the pull request; default is that of the lane.",
                limits="an integer, 1 to 2147483647",
                positional=True,
                complete="pulls",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane whose pull request it is; default is your own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(RuleInfo(kind="at_most_one_of", fields=("number", "lane")),),
        errors=(
            ErrorInfo(code="pr_over", exit=5, summary="The pull request is merged or closed."),
            ErrorInfo(
                code="lane_required",
                exit=2,
                summary="The action writes and neither a lane was named nor the caller is inside one.",
            ),
            ErrorInfo(code="pr_not_found", exit=4, summary="There is no such pull request."),
            ErrorInfo(code="pr_not_linked", exit=4, summary="The lane has no pull request."),
            ErrorInfo(
                code="github_repository_archived", exit=5, summary="An archived repository cannot be changed."
            ),
            ErrorInfo(
                code="policy_denied", exit=3, summary="The action is visible but the caller may not use it."
            ),
            ErrorInfo(code="github_signed_out", exit=3, summary="No token for GitHub was found."),
            ErrorInfo(code="github_sign_in_refused", exit=3, summary="GitHub does not take the token."),
            ErrorInfo(code="github_scope_missing", exit=3, summary="The token may not do this."),
            ErrorInfo(
                code="github_sso_required",
                exit=3,
                summary="The organisation wants the token authorised for its single sign-on.",
            ),
            ErrorInfo(
                code="github_repository_not_found",
                exit=4,
                summary="GitHub shows no such repository to this token.",
            ),
            ErrorInfo(
                code="not_at_github", exit=4, summary="The project's remote is no repository at GitHub."
            ),
            ErrorInfo(
                code="github_interface_invalid",
                exit=2,
                summary="The configured address of GitHub's interface cannot be used.",
            ),
            ErrorInfo(
                code="github_rate_limited", exit=6, summary="GitHub wants to be left alone for a while."
            ),
            ErrorInfo(code="github_unreachable", exit=7, summary="GitHub gave no whole answer."),
            ErrorInfo(code="github_refused", exit=1, summary="GitHub refused a request."),
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
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
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
                title="One that was closed",
                line="ade prs reopen 1",
                error=None,
            ),
            ExampleInfo(
                title="A number that no pull request has",
                line="ade prs reopen 4000",
                error="pr_not_found",
            ),
        ),
        skeleton={"number": 1, "lane": ""},
    )


def pr_reply_to_review_thread() -> ActionCommand:
    return ActionCommand(
        "reply-to-review-thread",
        group="prs",
        action="pr.reply_to_review_thread",
        tool="pr_reply_to_review_thread",
        effect="write",
        scope="project",
        aliases=(),
        summary="Answer in a review thread.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="thread",
                kind="text",
                flags=("--thread",),
                metavar="THREAD",
                help="Id of a review thread, as review-comments tells it.",
                limits="text, 1 to 200 characters, matching ^[A-Za-z0-9_=-]+$",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="body",
                kind="text",
                flags=("-b", "--body"),
                metavar="TEXT",
                help="What to answer, in Markdown.",
                limits="text, 1 to 60000 characters",
                required=True,
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane whose pull request it is; default is your own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="review_thread_not_found", exit=4, summary="There is no such review thread."),
            ErrorInfo(
                code="lane_required",
                exit=2,
                summary="The action writes and neither a lane was named nor the caller is inside one.",
            ),
            ErrorInfo(
                code="github_repository_archived", exit=5, summary="An archived repository cannot be changed."
            ),
            ErrorInfo(
                code="policy_denied", exit=3, summary="The action is visible but the caller may not use it."
            ),
            ErrorInfo(code="github_signed_out", exit=3, summary="No token for GitHub was found."),
            ErrorInfo(code="github_sign_in_refused", exit=3, summary="GitHub does not take the token."),
            ErrorInfo(code="github_scope_missing", exit=3, summary="The token may not do this."),
            ErrorInfo(
                code="github_sso_required",
                exit=3,
                summary="The organisation wants the token authorised for its single sign-on.",
            ),
            ErrorInfo(
                code="github_repository_not_found",
                exit=4,
                summary="GitHub shows no such repository to this token.",
            ),
            ErrorInfo(
                code="not_at_github", exit=4, summary="The project's remote is no repository at GitHub."
            ),
            ErrorInfo(
                code="github_interface_invalid",
                exit=2,
                summary="The configured address of GitHub's interface cannot be used.",
            ),
            ErrorInfo(
                code="github_rate_limited", exit=6, summary="GitHub wants to be left alone for a while."
            ),
            ErrorInfo(code="github_unreachable", exit=7, summary="GitHub gave no whole answer."),
            ErrorInfo(code="github_refused", exit=1, summary="GitHub refused a request."),
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
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
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
                title="An answer",
                line="ade prs reply-to-review-thread THREAD --body 'It greets.'",
                error=None,
            ),
            ExampleInfo(
                title="A thread that does not exist",
                line="ade prs reply-to-review-thread PRRT_none --body Hello",
                error="review_thread_not_found",
            ),
        ),
        skeleton={"thread": "", "body": "", "lane": ""},
    )


def pr_request_reviewers() -> ActionCommand:
    return ActionCommand(
        "request-reviewers",
        group="prs",
        action="pr.request_reviewers",
        tool="pr_request_reviewers",
        effect="write",
        scope="project",
        aliases=(),
        summary="Ask accounts or teams for a review.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="number",
                kind="integer",
                flags=("--number",),
                metavar="NUMBER",
                help="Number of the pull request; default is that of the lane.",
                limits="an integer, 1 to 2147483647",
                positional=True,
                complete="pulls",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane whose pull request it is; default is your own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="reviewers",
                kind="text",
                flags=("-r", "--reviewers"),
                metavar="TEXT",
                help="Accounts to ask.",
                limits="a list of at most 15 items, each text, 1 to 100 characters, matching ^[A-Za-z0-9][A-Za-z0-9_-]*(\\[bot\\])?$",
                many=True,
            ),
            FieldParam(
                field="teams",
                kind="text",
                flags=("--teams",),
                metavar="TEXT",
                help="Teams of the organisation to ask.",
                limits="a list of at most 15 items, each text, 1 to 100 characters, matching ^[A-Za-z0-9][A-Za-z0-9_-]*$",
                many=True,
            ),
        ),
        rules=(
            RuleInfo(kind="at_most_one_of", fields=("number", "lane")),
            RuleInfo(kind="at_least_one_of", fields=("reviewers", "teams")),
        ),
        errors=(
            ErrorInfo(code="pr_over", exit=5, summary="The pull request is merged or closed."),
            ErrorInfo(
                code="lane_required",
                exit=2,
                summary="The action writes and neither a lane was named nor the caller is inside one.",
            ),
            ErrorInfo(code="pr_not_found", exit=4, summary="There is no such pull request."),
            ErrorInfo(code="pr_not_linked", exit=4, summary="The lane has no pull request."),
            ErrorInfo(
                code="github_repository_archived", exit=5, summary="An archived repository cannot be changed."
            ),
            ErrorInfo(
                code="policy_denied", exit=3, summary="The action is visible but the caller may not use it."
            ),
            ErrorInfo(code="github_signed_out", exit=3, summary="No token for GitHub was found."),
            ErrorInfo(code="github_sign_in_refused", exit=3, summary="GitHub does not take the token."),
            ErrorInfo(code="github_scope_missing", exit=3, summary="The token may not do this."),
            ErrorInfo(
                code="github_sso_required",
                exit=3,
                summary="The organisation wants the token authorised for its single sign-on.",
            ),
            ErrorInfo(
                code="github_repository_not_found",
                exit=4,
                summary="GitHub shows no such repository to this token.",
            ),
            ErrorInfo(
                code="not_at_github", exit=4, summary="The project's remote is no repository at GitHub."
            ),
            ErrorInfo(
                code="github_interface_invalid",
                exit=2,
                summary="The configured address of GitHub's interface cannot be used.",
            ),
            ErrorInfo(
                code="github_rate_limited", exit=6, summary="GitHub wants to be left alone for a while."
            ),
            ErrorInfo(code="github_unreachable", exit=7, summary="GitHub gave no whole answer."),
            ErrorInfo(code="github_refused", exit=1, summary="GitHub refused a request."),
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
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
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
                title="One account",
                line="ade prs request-reviewers 1 --reviewers grace",
                error=None,
            ),
            ExampleInfo(
                title="Somebody who cannot review here",
                line="ade prs request-reviewers 1 --reviewers nobody",
                error="github_refused",
            ),
        ),
        skeleton={"number": 1, "lane": "", "reviewers": [""], "teams": [""]},
    )


def pr_rerun_failed_checks() -> ActionCommand:
    return ActionCommand(
        "rerun-failed-checks",
        group="prs",
        action="pr.rerun_failed_checks",
        tool="pr_rerun_failed_checks",
        effect="write",
        scope="project",
        aliases=(),
        summary="Have the failed checks of a pull request run again.",
        description="Failed jobs of Actions are run again; other apps are asked to check anew. Statuses of services cannot be asked for.",
        guidance="",
        fields=(
            FieldParam(
                field="number",
                kind="integer",
                flags=("--number",),
                metavar="NUMBER",
                help="Number of the pull request; default is that of the lane.",
                limits="an integer, 1 to 2147483647",
                positional=True,
                complete="pulls",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane whose pull request it is; default is your own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(RuleInfo(kind="at_most_one_of", fields=("number", "lane")),),
        errors=(
            ErrorInfo(code="pr_over", exit=5, summary="The pull request is merged or closed."),
            ErrorInfo(
                code="lane_required",
                exit=2,
                summary="The action writes and neither a lane was named nor the caller is inside one.",
            ),
            ErrorInfo(code="pr_not_found", exit=4, summary="There is no such pull request."),
            ErrorInfo(code="pr_not_linked", exit=4, summary="The lane has no pull request."),
            ErrorInfo(
                code="github_repository_archived", exit=5, summary="An archived repository cannot be changed."
            ),
            ErrorInfo(
                code="policy_denied", exit=3, summary="The action is visible but the caller may not use it."
            ),
            ErrorInfo(code="github_signed_out", exit=3, summary="No token for GitHub was found."),
            ErrorInfo(code="github_sign_in_refused", exit=3, summary="GitHub does not take the token."),
            ErrorInfo(code="github_scope_missing", exit=3, summary="The token may not do this."),
            ErrorInfo(
                code="github_sso_required",
                exit=3,
                summary="The organisation wants the token authorised for its single sign-on.",
            ),
            ErrorInfo(
                code="github_repository_not_found",
                exit=4,
                summary="GitHub shows no such repository to this token.",
            ),
            ErrorInfo(
                code="not_at_github", exit=4, summary="The project's remote is no repository at GitHub."
            ),
            ErrorInfo(
                code="github_interface_invalid",
                exit=2,
                summary="The configured address of GitHub's interface cannot be used.",
            ),
            ErrorInfo(
                code="github_rate_limited", exit=6, summary="GitHub wants to be left alone for a while."
            ),
            ErrorInfo(code="github_unreachable", exit=7, summary="GitHub gave no whole answer."),
            ErrorInfo(code="github_refused", exit=1, summary="GitHub refused a request."),
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
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
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
                title="One failed",
                line="ade prs rerun-failed-checks 1",
                error=None,
            ),
            ExampleInfo(
                title="A number that no pull request has",
                line="ade prs rerun-failed-checks 4000",
                error="pr_not_found",
            ),
        ),
        skeleton={"number": 1, "lane": ""},
    )


def pr_resolve_review_thread() -> ActionCommand:
    return ActionCommand(
        "resolve-review-thread",
        group="prs",
        action="pr.resolve_review_thread",
        tool="pr_resolve_review_thread",
        effect="write",
        scope="project",
        aliases=(),
        summary="Resolve a review thread, or open it again.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="thread",
                kind="text",
                flags=("--thread",),
                metavar="THREAD",
                help="Id of a review thread, as review-comments tells it.",
                limits="text, 1 to 200 characters, matching ^[A-Za-z0-9_=-]+$",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="resolved",
                kind="boolean",
                flags=("--resolved",),
                metavar="BOOLEAN",
                help="Whether it is to be resolved; no opens it again.",
                limits="true or false; default true",
                off_flag="--reopen",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane whose pull request it is; default is your own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="review_thread_not_found", exit=4, summary="There is no such review thread."),
            ErrorInfo(
                code="lane_required",
                exit=2,
                summary="The action writes and neither a lane was named nor the caller is inside one.",
            ),
            ErrorInfo(
                code="github_repository_archived", exit=5, summary="An archived repository cannot be changed."
            ),
            ErrorInfo(
                code="policy_denied", exit=3, summary="The action is visible but the caller may not use it."
            ),
            ErrorInfo(code="github_signed_out", exit=3, summary="No token for GitHub was found."),
            ErrorInfo(code="github_sign_in_refused", exit=3, summary="GitHub does not take the token."),
            ErrorInfo(code="github_scope_missing", exit=3, summary="The token may not do this."),
            ErrorInfo(
                code="github_sso_required",
                exit=3,
                summary="The organisation wants the token authorised for its single sign-on.",
            ),
            ErrorInfo(
                code="github_repository_not_found",
                exit=4,
                summary="GitHub shows no such repository to this token.",
            ),
            ErrorInfo(
                code="not_at_github", exit=4, summary="The project's remote is no repository at GitHub."
            ),
            ErrorInfo(
                code="github_interface_invalid",
                exit=2,
                summary="The configured address of GitHub's interface cannot be used.",
            ),
            ErrorInfo(
                code="github_rate_limited", exit=6, summary="GitHub wants to be left alone for a while."
            ),
            ErrorInfo(code="github_unreachable", exit=7, summary="GitHub gave no whole answer."),
            ErrorInfo(code="github_refused", exit=1, summary="GitHub refused a request."),
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
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
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
                title="One that was seen to",
                line="ade prs resolve-review-thread THREAD",
                error=None,
            ),
            ExampleInfo(
                title="A thread that does not exist",
                line="ade prs resolve-review-thread PRRT_none",
                error="review_thread_not_found",
            ),
        ),
        skeleton={"thread": "", "resolved": True, "lane": ""},
    )


def pr_retarget_base() -> ActionCommand:
    return ActionCommand(
        "retarget-base",
        group="prs",
        action="pr.retarget_base",
        tool="pr_retarget_base",
        effect="write",
        scope="project",
        aliases=(),
        summary="Have a pull request merged into another branch.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="number",
                kind="integer",
                flags=("--number",),
                metavar="NUMBER",
                help="Number of the pull request; default is that of the lane.",
                limits="an integer, 1 to 2147483647",
                positional=True,
                complete="pulls",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane whose pull request it is; default is your own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="base",
                kind="text",
                flags=("-b", "--base"),
                metavar="TEXT",
                help="Branch to merge into.",
                limits="text, 1 to 250 characters",
                required=True,
            ),
        ),
        rules=(RuleInfo(kind="at_most_one_of", fields=("number", "lane")),),
        errors=(
            ErrorInfo(code="pr_over", exit=5, summary="The pull request is merged or closed."),
            ErrorInfo(code="pr_base_missing", exit=4, summary="The base branch does not exist at GitHub."),
            ErrorInfo(
                code="lane_required",
                exit=2,
                summary="The action writes and neither a lane was named nor the caller is inside one.",
            ),
            ErrorInfo(code="pr_not_found", exit=4, summary="There is no such pull request."),
            ErrorInfo(code="pr_not_linked", exit=4, summary="The lane has no pull request."),
            ErrorInfo(
                code="github_repository_archived", exit=5, summary="An archived repository cannot be changed."
            ),
            ErrorInfo(
                code="policy_denied", exit=3, summary="The action is visible but the caller may not use it."
            ),
            ErrorInfo(code="github_signed_out", exit=3, summary="No token for GitHub was found."),
            ErrorInfo(code="github_sign_in_refused", exit=3, summary="GitHub does not take the token."),
            ErrorInfo(code="github_scope_missing", exit=3, summary="The token may not do this."),
            ErrorInfo(
                code="github_sso_required",
                exit=3,
                summary="The organisation wants the token authorised for its single sign-on.",
            ),
            ErrorInfo(
                code="github_repository_not_found",
                exit=4,
                summary="GitHub shows no such repository to this token.",
            ),
            ErrorInfo(
                code="not_at_github", exit=4, summary="The project's remote is no repository at GitHub."
            ),
            ErrorInfo(
                code="github_interface_invalid",
                exit=2,
                summary="The configured address of GitHub's interface cannot be used.",
            ),
            ErrorInfo(
                code="github_rate_limited", exit=6, summary="GitHub wants to be left alone for a while."
            ),
            ErrorInfo(code="github_unreachable", exit=7, summary="GitHub gave no whole answer."),
            ErrorInfo(code="github_refused", exit=1, summary="GitHub refused a request."),
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
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
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
                title="Another branch",
                line="ade prs retarget-base 1 --base next",
                error=None,
            ),
            ExampleInfo(
                title="A branch that GitHub lacks",
                line="ade prs retarget-base 1 --base nowhere",
                error="pr_base_missing",
            ),
        ),
        skeleton={"number": 1, "lane": "", "base": ""},
    )


def pr_review_comments() -> ActionCommand:
    return ActionCommand(
        "review-comments",
        group="prs",
        action="pr.review_comments",
        tool="pr_get_review_comments",
        effect="read",
        scope="project",
        aliases=(),
        summary="List the review threads of a pull request with their comments.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="number",
                kind="integer",
                flags=("--number",),
                metavar="NUMBER",
                help="Number of the pull request; default is that of the lane.",
                limits="an integer, 1 to 2147483647",
                positional=True,
                complete="pulls",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane whose pull request it is; default is your own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="resolved",
                kind="boolean",
                flags=("--resolved",),
                metavar="BOOLEAN",
                help="List those that were resolved, too.",
                limits="true or false; default false",
                off_flag="--no-resolved",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many threads to return at most.",
                limits="an integer, 1 to 500; default 50",
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
        rules=(RuleInfo(kind="at_most_one_of", fields=("number", "lane")),),
        errors=(
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
            ErrorInfo(code="pr_not_found", exit=4, summary="There is no such pull request."),
            ErrorInfo(code="pr_not_linked", exit=4, summary="The lane has no pull request."),
            ErrorInfo(code="github_signed_out", exit=3, summary="No token for GitHub was found."),
            ErrorInfo(code="github_sign_in_refused", exit=3, summary="GitHub does not take the token."),
            ErrorInfo(code="github_scope_missing", exit=3, summary="The token may not do this."),
            ErrorInfo(
                code="github_sso_required",
                exit=3,
                summary="The organisation wants the token authorised for its single sign-on.",
            ),
            ErrorInfo(
                code="github_repository_not_found",
                exit=4,
                summary="GitHub shows no such repository to this token.",
            ),
            ErrorInfo(
                code="not_at_github", exit=4, summary="The project's remote is no repository at GitHub."
            ),
            ErrorInfo(
                code="github_interface_invalid",
                exit=2,
                summary="The configured address of GitHub's interface cannot be used.",
            ),
            ErrorInfo(
                code="github_rate_limited", exit=6, summary="GitHub wants to be left alone for a while."
            ),
            ErrorInfo(code="github_unreachable", exit=7, summary="GitHub gave no whole answer."),
            ErrorInfo(code="github_refused", exit=1, summary="GitHub refused a request."),
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
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
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
                title="One thread",
                line="ade prs review-comments 1",
                error=None,
            ),
            ExampleInfo(
                title="A number that no pull request has",
                line="ade prs review-comments 4000",
                error="pr_not_found",
            ),
        ),
        skeleton={"number": 1, "lane": "", "resolved": False, "limit": 50, "cursor": ""},
    )


def pr_set_labels() -> ActionCommand:
    return ActionCommand(
        "set-labels",
        group="prs",
        action="pr.set_labels",
        tool="pr_set_labels",
        effect="write",
        scope="project",
        aliases=(),
        summary="Give a pull request exactly these labels.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="number",
                kind="integer",
                flags=("--number",),
                metavar="NUMBER",
                help="Number of the pull request; default is that of the lane.",
                limits="an integer, 1 to 2147483647",
                positional=True,
                complete="pulls",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane whose pull request it is; default is your own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="labels",
                kind="text",
                flags=("-L", "--label"),
                metavar="TEXT",
                help="All of its labels from now on.",
                limits="a list of at most 100 items, each text, 1 to 100 characters",
                required=True,
                many=True,
            ),
        ),
        rules=(RuleInfo(kind="at_most_one_of", fields=("number", "lane")),),
        errors=(
            ErrorInfo(
                code="lane_required",
                exit=2,
                summary="The action writes and neither a lane was named nor the caller is inside one.",
            ),
            ErrorInfo(code="pr_not_found", exit=4, summary="There is no such pull request."),
            ErrorInfo(code="pr_not_linked", exit=4, summary="The lane has no pull request."),
            ErrorInfo(
                code="github_repository_archived", exit=5, summary="An archived repository cannot be changed."
            ),
            ErrorInfo(
                code="policy_denied", exit=3, summary="The action is visible but the caller may not use it."
            ),
            ErrorInfo(code="github_signed_out", exit=3, summary="No token for GitHub was found."),
            ErrorInfo(code="github_sign_in_refused", exit=3, summary="GitHub does not take the token."),
            ErrorInfo(code="github_scope_missing", exit=3, summary="The token may not do this."),
            ErrorInfo(
                code="github_sso_required",
                exit=3,
                summary="The organisation wants the token authorised for its single sign-on.",
            ),
            ErrorInfo(
                code="github_repository_not_found",
                exit=4,
                summary="GitHub shows no such repository to this token.",
            ),
            ErrorInfo(
                code="not_at_github", exit=4, summary="The project's remote is no repository at GitHub."
            ),
            ErrorInfo(
                code="github_interface_invalid",
                exit=2,
                summary="The configured address of GitHub's interface cannot be used.",
            ),
            ErrorInfo(
                code="github_rate_limited", exit=6, summary="GitHub wants to be left alone for a while."
            ),
            ErrorInfo(code="github_unreachable", exit=7, summary="GitHub gave no whole answer."),
            ErrorInfo(code="github_refused", exit=1, summary="GitHub refused a request."),
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
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
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
                title="Two labels",
                line="ade prs set-labels 1 --label bug --label ready",
                error=None,
            ),
            ExampleInfo(
                title="A number that no pull request has",
                line="ade prs set-labels 4000 --label bug",
                error="pr_not_found",
            ),
        ),
        skeleton={"number": 1, "lane": "", "labels": [""]},
    )


def pr_show() -> ActionCommand:
    return ActionCommand(
        "show",
        group="prs",
        action="pr.show",
        tool="pr_show",
        effect="read",
        scope="project",
        aliases=(),
        summary="Show a pull request.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="number",
                kind="integer",
                flags=("--number",),
                metavar="NUMBER",
                help="Number of the pull request; default is that of the lane.",
                limits="an integer, 1 to 2147483647",
                positional=True,
                complete="pulls",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane whose pull request it is; default is your own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(RuleInfo(kind="at_most_one_of", fields=("number", "lane")),),
        errors=(
            ErrorInfo(code="pr_not_found", exit=4, summary="There is no such pull request."),
            ErrorInfo(code="pr_not_linked", exit=4, summary="The lane has no pull request."),
            ErrorInfo(code="github_signed_out", exit=3, summary="No token for GitHub was found."),
            ErrorInfo(code="github_sign_in_refused", exit=3, summary="GitHub does not take the token."),
            ErrorInfo(code="github_scope_missing", exit=3, summary="The token may not do this."),
            ErrorInfo(
                code="github_sso_required",
                exit=3,
                summary="The organisation wants the token authorised for its single sign-on.",
            ),
            ErrorInfo(
                code="github_repository_not_found",
                exit=4,
                summary="GitHub shows no such repository to this token.",
            ),
            ErrorInfo(
                code="not_at_github", exit=4, summary="The project's remote is no repository at GitHub."
            ),
            ErrorInfo(
                code="github_interface_invalid",
                exit=2,
                summary="The configured address of GitHub's interface cannot be used.",
            ),
            ErrorInfo(
                code="github_rate_limited", exit=6, summary="GitHub wants to be left alone for a while."
            ),
            ErrorInfo(code="github_unreachable", exit=7, summary="GitHub gave no whole answer."),
            ErrorInfo(code="github_refused", exit=1, summary="GitHub refused a request."),
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
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
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
                title="That of a lane",
                line="ade prs show --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A number that no pull request has",
                line="ade prs show 4000",
                error="pr_not_found",
            ),
        ),
        skeleton={"number": 1, "lane": ""},
    )


def pr_submit_review() -> ActionCommand:
    return ActionCommand(
        "submit-review",
        group="prs",
        action="pr.submit_review",
        tool="pr_submit_review",
        effect="write",
        scope="project",
        aliases=(),
        summary="Approve a pull request, ask for changes, or comment on it.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="number",
                kind="integer",
                flags=("--number",),
                metavar="NUMBER",
                help="Number of the pull request; default is that of the lane.",
                limits="an integer, 1 to 2147483647",
                positional=True,
                complete="pulls",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane whose pull request it is; default is your own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="verdict",
                kind="text",
                flags=("--verdict",),
                metavar="TEXT",
                help="approve, request_changes or comment.",
                limits="one of approve, request_changes, comment",
                required=True,
                choices=("approve", "request_changes", "comment"),
            ),
            FieldParam(
                field="body",
                kind="text",
                flags=("--body",),
                metavar="TEXT",
                help="What to say, in Markdown; needed unless you approve.",
                limits="text, 1 to 60000 characters",
            ),
            FieldParam(
                field="commit",
                kind="text",
                flags=("--commit",),
                metavar="TEXT",
                help="Commit that you have read; default is the last one.",
                limits="text, matching ^[0-9a-f]{7,64}$",
            ),
        ),
        rules=(RuleInfo(kind="at_most_one_of", fields=("number", "lane")),),
        errors=(
            ErrorInfo(code="pr_over", exit=5, summary="The pull request is merged or closed."),
            ErrorInfo(
                code="pr_head_moved", exit=5, summary="The pull request has other commits than expected."
            ),
            ErrorInfo(
                code="lane_required",
                exit=2,
                summary="The action writes and neither a lane was named nor the caller is inside one.",
            ),
            ErrorInfo(code="pr_not_found", exit=4, summary="There is no such pull request."),
            ErrorInfo(code="pr_not_linked", exit=4, summary="The lane has no pull request."),
            ErrorInfo(
                code="github_repository_archived", exit=5, summary="An archived repository cannot be changed."
            ),
            ErrorInfo(
                code="policy_denied", exit=3, summary="The action is visible but the caller may not use it."
            ),
            ErrorInfo(code="github_signed_out", exit=3, summary="No token for GitHub was found."),
            ErrorInfo(code="github_sign_in_refused", exit=3, summary="GitHub does not take the token."),
            ErrorInfo(code="github_scope_missing", exit=3, summary="The token may not do this."),
            ErrorInfo(
                code="github_sso_required",
                exit=3,
                summary="The organisation wants the token authorised for its single sign-on.",
            ),
            ErrorInfo(
                code="github_repository_not_found",
                exit=4,
                summary="GitHub shows no such repository to this token.",
            ),
            ErrorInfo(
                code="not_at_github", exit=4, summary="The project's remote is no repository at GitHub."
            ),
            ErrorInfo(
                code="github_interface_invalid",
                exit=2,
                summary="The configured address of GitHub's interface cannot be used.",
            ),
            ErrorInfo(
                code="github_rate_limited", exit=6, summary="GitHub wants to be left alone for a while."
            ),
            ErrorInfo(code="github_unreachable", exit=7, summary="GitHub gave no whole answer."),
            ErrorInfo(code="github_refused", exit=1, summary="GitHub refused a request."),
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
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
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
                title="A comment on the whole",
                line="ade prs submit-review 1 --verdict comment --body 'Looks good.'",
                error=None,
            ),
            ExampleInfo(
                title="To approve one's own",
                line="ade prs submit-review 1 --verdict approve",
                error="github_refused",
            ),
        ),
        skeleton={"number": 1, "lane": "", "verdict": "approve", "body": "", "commit": ""},
    )


def pr_update_body() -> ActionCommand:
    return ActionCommand(
        "update-body",
        group="prs",
        action="pr.update_body",
        tool="pr_update_body",
        effect="write",
        scope="project",
        aliases=(),
        summary="Change the description of a pull request.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="number",
                kind="integer",
                flags=("--number",),
                metavar="NUMBER",
                help="Number of the pull request; default is that of the lane.",
                limits="an integer, 1 to 2147483647",
                positional=True,
                complete="pulls",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane whose pull request it is; default is your own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="body",
                kind="text",
                flags=("-b", "--body"),
                metavar="TEXT",
                help="New description, in Markdown; it replaces the old one.",
                limits="text, 1 to 60000 characters",
                required=True,
            ),
        ),
        rules=(RuleInfo(kind="at_most_one_of", fields=("number", "lane")),),
        errors=(
            ErrorInfo(
                code="lane_required",
                exit=2,
                summary="The action writes and neither a lane was named nor the caller is inside one.",
            ),
            ErrorInfo(code="pr_not_found", exit=4, summary="There is no such pull request."),
            ErrorInfo(code="pr_not_linked", exit=4, summary="The lane has no pull request."),
            ErrorInfo(
                code="github_repository_archived", exit=5, summary="An archived repository cannot be changed."
            ),
            ErrorInfo(
                code="policy_denied", exit=3, summary="The action is visible but the caller may not use it."
            ),
            ErrorInfo(code="github_signed_out", exit=3, summary="No token for GitHub was found."),
            ErrorInfo(code="github_sign_in_refused", exit=3, summary="GitHub does not take the token."),
            ErrorInfo(code="github_scope_missing", exit=3, summary="The token may not do this."),
            ErrorInfo(
                code="github_sso_required",
                exit=3,
                summary="The organisation wants the token authorised for its single sign-on.",
            ),
            ErrorInfo(
                code="github_repository_not_found",
                exit=4,
                summary="GitHub shows no such repository to this token.",
            ),
            ErrorInfo(
                code="not_at_github", exit=4, summary="The project's remote is no repository at GitHub."
            ),
            ErrorInfo(
                code="github_interface_invalid",
                exit=2,
                summary="The configured address of GitHub's interface cannot be used.",
            ),
            ErrorInfo(
                code="github_rate_limited", exit=6, summary="GitHub wants to be left alone for a while."
            ),
            ErrorInfo(code="github_unreachable", exit=7, summary="GitHub gave no whole answer."),
            ErrorInfo(code="github_refused", exit=1, summary="GitHub refused a request."),
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
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
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
                title="Another description",
                line="ade prs update-body 1 --body 'It is fixed.'",
                error=None,
            ),
            ExampleInfo(
                title="A number that no pull request has",
                line="ade prs update-body 4000 --body 'It is fixed.'",
                error="pr_not_found",
            ),
        ),
        skeleton={"number": 1, "lane": "", "body": ""},
    )


def pr_update_branch() -> ActionCommand:
    return ActionCommand(
        "update-branch",
        group="prs",
        action="pr.update_branch",
        tool="pr_update_branch",
        effect="write",
        scope="project",
        aliases=(),
        summary="Merge the base branch into a pull request's branch, at GitHub.",
        description="The lane gets it with `ade git pull`.",
        guidance="",
        fields=(
            FieldParam(
                field="number",
                kind="integer",
                flags=("--number",),
                metavar="NUMBER",
                help="Number of the pull request; default is that of the lane.",
                limits="an integer, 1 to 2147483647",
                positional=True,
                complete="pulls",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane whose pull request it is; default is your own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="expect",
                kind="text",
                flags=("-e", "--expect"),
                metavar="TEXT",
                help="Full id of the commit that its branch must be at.",
                limits="text, 40 to 64 characters, matching ^[0-9a-f]+$",
            ),
        ),
        rules=(RuleInfo(kind="at_most_one_of", fields=("number", "lane")),),
        errors=(
            ErrorInfo(code="pr_over", exit=5, summary="The pull request is merged or closed."),
            ErrorInfo(
                code="pr_head_moved", exit=5, summary="The pull request has other commits than expected."
            ),
            ErrorInfo(
                code="pr_not_mergeable", exit=5, summary="The pull request cannot be merged as it stands."
            ),
            ErrorInfo(
                code="lane_required",
                exit=2,
                summary="The action writes and neither a lane was named nor the caller is inside one.",
            ),
            ErrorInfo(code="pr_not_found", exit=4, summary="There is no such pull request."),
            ErrorInfo(code="pr_not_linked", exit=4, summary="The lane has no pull request."),
            ErrorInfo(
                code="github_repository_archived", exit=5, summary="An archived repository cannot be changed."
            ),
            ErrorInfo(
                code="policy_denied", exit=3, summary="The action is visible but the caller may not use it."
            ),
            ErrorInfo(code="github_signed_out", exit=3, summary="No token for GitHub was found."),
            ErrorInfo(code="github_sign_in_refused", exit=3, summary="GitHub does not take the token."),
            ErrorInfo(code="github_scope_missing", exit=3, summary="The token may not do this."),
            ErrorInfo(
                code="github_sso_required",
                exit=3,
                summary="The organisation wants the token authorised for its single sign-on.",
            ),
            ErrorInfo(
                code="github_repository_not_found",
                exit=4,
                summary="GitHub shows no such repository to this token.",
            ),
            ErrorInfo(
                code="not_at_github", exit=4, summary="The project's remote is no repository at GitHub."
            ),
            ErrorInfo(
                code="github_interface_invalid",
                exit=2,
                summary="The configured address of GitHub's interface cannot be used.",
            ),
            ErrorInfo(
                code="github_rate_limited", exit=6, summary="GitHub wants to be left alone for a while."
            ),
            ErrorInfo(code="github_unreachable", exit=7, summary="GitHub gave no whole answer."),
            ErrorInfo(code="github_refused", exit=1, summary="GitHub refused a request."),
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
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
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
                title="One whose base has gone on",
                line="ade prs update-branch 1",
                error=None,
            ),
            ExampleInfo(
                title="A number that no pull request has",
                line="ade prs update-branch 4000",
                error="pr_not_found",
            ),
        ),
        skeleton={"number": 1, "lane": "", "expect": ""},
    )


def pr_update_title() -> ActionCommand:
    return ActionCommand(
        "update-title",
        group="prs",
        action="pr.update_title",
        tool="pr_update_title",
        effect="write",
        scope="project",
        aliases=(),
        summary="Change the title of a pull request.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="number",
                kind="integer",
                flags=("--number",),
                metavar="NUMBER",
                help="Number of the pull request; default is that of the lane.",
                limits="an integer, 1 to 2147483647",
                positional=True,
                complete="pulls",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane whose pull request it is; default is your own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="title",
                kind="text",
                flags=("-t", "--title"),
                metavar="TEXT",
                help="New title.",
                limits="text, 1 to 250 characters",
                required=True,
            ),
        ),
        rules=(RuleInfo(kind="at_most_one_of", fields=("number", "lane")),),
        errors=(
            ErrorInfo(
                code="lane_required",
                exit=2,
                summary="The action writes and neither a lane was named nor the caller is inside one.",
            ),
            ErrorInfo(code="pr_not_found", exit=4, summary="There is no such pull request."),
            ErrorInfo(code="pr_not_linked", exit=4, summary="The lane has no pull request."),
            ErrorInfo(
                code="github_repository_archived", exit=5, summary="An archived repository cannot be changed."
            ),
            ErrorInfo(
                code="policy_denied", exit=3, summary="The action is visible but the caller may not use it."
            ),
            ErrorInfo(code="github_signed_out", exit=3, summary="No token for GitHub was found."),
            ErrorInfo(code="github_sign_in_refused", exit=3, summary="GitHub does not take the token."),
            ErrorInfo(code="github_scope_missing", exit=3, summary="The token may not do this."),
            ErrorInfo(
                code="github_sso_required",
                exit=3,
                summary="The organisation wants the token authorised for its single sign-on.",
            ),
            ErrorInfo(
                code="github_repository_not_found",
                exit=4,
                summary="GitHub shows no such repository to this token.",
            ),
            ErrorInfo(
                code="not_at_github", exit=4, summary="The project's remote is no repository at GitHub."
            ),
            ErrorInfo(
                code="github_interface_invalid",
                exit=2,
                summary="The configured address of GitHub's interface cannot be used.",
            ),
            ErrorInfo(
                code="github_rate_limited", exit=6, summary="GitHub wants to be left alone for a while."
            ),
            ErrorInfo(code="github_unreachable", exit=7, summary="GitHub gave no whole answer."),
            ErrorInfo(code="github_refused", exit=1, summary="GitHub refused a request."),
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
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
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
                title="Another title",
                line="ade prs update-title 1 --title 'Fix the login form'",
                error=None,
            ),
            ExampleInfo(
                title="A number that no pull request has",
                line="ade prs update-title 4000 --title 'Fix the login form'",
                error="pr_not_found",
            ),
        ),
        skeleton={"number": 1, "lane": "", "title": ""},
    )


def pr_watch() -> ActionCommand:
    return ActionCommand(
        "watch",
        group="prs",
        action="pr.watch",
        tool="pr_watch",
        effect="read",
        scope="project",
        aliases=(),
        summary="Wait until something about a pull request changes, or it is ready, merged or closed.",
        description="Asks GitHub now and then, at no cost where nothing changed. What changes is told as events, too.",
        guidance="",
        fields=(
            FieldParam(
                field="number",
                kind="integer",
                flags=("--number",),
                metavar="NUMBER",
                help="Number of the pull request; default is that of the lane.",
                limits="an integer, 1 to 2147483647",
                positional=True,
                complete="pulls",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane whose pull request it is; default is your own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="until",
                kind="text",
                flags=("-u", "--until"),
                metavar="TEXT",
                help="change: anything; checks: all have ended; ready: it can be merged; over: it is merged or closed.",
                limits="one of change, checks, ready, over; default change",
                choices=("change", "checks", "ready", "over"),
            ),
            FieldParam(
                field="wait",
                kind="duration",
                flags=("--wait",),
                metavar="DURATION",
                help="Seconds to wait at most.",
                limits="such as 90s, 12m or 2h30m, 0s to 9m50s; default 2m",
            ),
            FieldParam(
                field="every",
                kind="duration",
                flags=("--every",),
                metavar="DURATION",
                help="Seconds between looks.",
                limits="such as 90s, 12m or 2h30m, 1s to 5m; default 15s",
            ),
        ),
        rules=(RuleInfo(kind="at_most_one_of", fields=("number", "lane")),),
        errors=(
            ErrorInfo(code="pr_not_found", exit=4, summary="There is no such pull request."),
            ErrorInfo(code="pr_not_linked", exit=4, summary="The lane has no pull request."),
            ErrorInfo(code="github_signed_out", exit=3, summary="No token for GitHub was found."),
            ErrorInfo(code="github_sign_in_refused", exit=3, summary="GitHub does not take the token."),
            ErrorInfo(code="github_scope_missing", exit=3, summary="The token may not do this."),
            ErrorInfo(
                code="github_sso_required",
                exit=3,
                summary="The organisation wants the token authorised for its single sign-on.",
            ),
            ErrorInfo(
                code="github_repository_not_found",
                exit=4,
                summary="GitHub shows no such repository to this token.",
            ),
            ErrorInfo(
                code="not_at_github", exit=4, summary="The project's remote is no repository at GitHub."
            ),
            ErrorInfo(
                code="github_interface_invalid",
                exit=2,
                summary="The configured address of GitHub's interface cannot be used.",
            ),
            ErrorInfo(
                code="github_rate_limited", exit=6, summary="GitHub wants to be left alone for a while."
            ),
            ErrorInfo(code="github_unreachable", exit=7, summary="GitHub gave no whole answer."),
            ErrorInfo(code="github_refused", exit=1, summary="GitHub refused a request."),
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
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="project_missing", exit=1, summary="The folder of a registered project is gone."),
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
                title="One that is ready already",
                line="ade prs watch 1 --until ready --wait 0s",
                error=None,
            ),
            ExampleInfo(
                title="A number that no pull request has",
                line="ade prs watch 4000 --wait 0s",
                error="pr_not_found",
            ),
        ),
        skeleton={"number": 1, "lane": "", "until": "change", "wait": 120, "every": 15},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "add-comment": pr_add_comment,
    "checks": pr_checks,
    "close": pr_close,
    "create": pr_create_from_lane,
    "health": pr_health,
    "issue-inventory": pr_issue_inventory,
    "link-to-lane": pr_link_to_lane,
    "list": pr_list,
    "merge": pr_merge,
    "reopen": pr_reopen,
    "reply-to-review-thread": pr_reply_to_review_thread,
    "request-reviewers": pr_request_reviewers,
    "rerun-failed-checks": pr_rerun_failed_checks,
    "resolve-review-thread": pr_resolve_review_thread,
    "retarget-base": pr_retarget_base,
    "review-comments": pr_review_comments,
    "set-labels": pr_set_labels,
    "show": pr_show,
    "submit-review": pr_submit_review,
    "update-body": pr_update_body,
    "update-branch": pr_update_branch,
    "update-title": pr_update_title,
    "watch": pr_watch,
}
