"""Commands of the queues group. Generated from specs/domains/queue.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam, RuleInfo


def queue_cancel() -> ActionCommand:
    return ActionCommand(
        "cancel",
        group="queues",
        action="queue.cancel",
        tool="queue_cancel",
        effect="write",
        scope="project",
        aliases=(),
        summary="Give up a queue; its pull requests stay as they are.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="queue",
                kind="text",
                flags=("--queue",),
                metavar="QUEUE",
                help="Queue; default is the newest that is not over.",
                limits="text, 1 to 60 characters",
                positional=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="queue_not_found", exit=4, summary="There is no such queue."),
            ErrorInfo(code="queue_over", exit=5, summary="The queue is done or cancelled."),
        ),
        examples=(
            ExampleInfo(
                title="A queue that goes on",
                line="ade queues cancel QUEUE",
                error=None,
            ),
            ExampleInfo(
                title="A queue that does not exist",
                line="ade queues cancel que_none",
                error="queue_not_found",
            ),
        ),
        skeleton={"queue": ""},
    )


def queue_create() -> ActionCommand:
    return ActionCommand(
        "create",
        group="queues",
        action="queue.create",
        tool="create_queue",
        effect="write",
        scope="project",
        aliases=(),
        summary="Queue the pull requests of lanes, to land in one branch one after the other.",
        description="Each lane must have an open pull request. Nothing lands before `ade queues land-next`.",
        guidance="",
        fields=(
            FieldParam(
                field="lanes",
                kind="text",
                flags=("--lanes",),
                metavar="LANES",
                help="Lanes, the one that lands first first.",
                limits="a list of 1 to 50 items, each text, 1 to 200 characters",
                required=True,
                positional=True,
                many=True,
                complete="lanes",
            ),
            FieldParam(
                field="target",
                kind="text",
                flags=("-t", "--target"),
                metavar="TEXT",
                help="Branch to land in; default is the repository's own.",
                limits="text, 1 to 250 characters",
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
        ),
        rules=(),
        errors=(
            ErrorInfo(code="queue_lane_twice", exit=2, summary="A lane is named twice."),
            ErrorInfo(code="queue_lane_taken", exit=5, summary="The lane waits in another queue."),
            ErrorInfo(code="pr_over", exit=5, summary="The pull request is merged or closed."),
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
                title="Two lanes",
                line="ade queues create fix-login add-search",
                error=None,
            ),
            ExampleInfo(
                title="A lane without a pull request",
                line="ade queues create fix-login",
                error="pr_not_linked",
            ),
            ExampleInfo(
                title="A lane that is queued already",
                line="ade queues create fix-login",
                error="queue_lane_taken",
            ),
        ),
        skeleton={"lanes": [""], "target": "", "method": "merge"},
    )


def queue_create_integration() -> ActionCommand:
    return ActionCommand(
        "create-integration",
        group="queues",
        action="queue.create_integration",
        tool="create_integration",
        effect="write",
        scope="project",
        aliases=("integrate",),
        summary="Make one lane, with a pull request, of what several lanes hold, merged in order.",
        description="The lane starts from the target as GitHub has it and holds a merge of each lane's latest commit, its branch at GitHub included; what is not committed is left out. Everything is merged in memory first: where a lane is in conflict nothing is made, or with on_conflict skip that lane is left out. No other lane, folder or branch is changed. Calling again gives the same lane and pull request.",
        guidance="Try it with `ade conflicts simulate-integration` first. The queue is for landing one after the other, this for testing or landing all at once.",
        fields=(
            FieldParam(
                field="lanes",
                kind="text",
                flags=("--lanes",),
                metavar="LANES",
                help="Lanes, in the order to merge them.",
                limits="a list of 1 to 50 items, each text, 1 to 200 characters",
                positional=True,
                many=True,
                complete="lanes",
            ),
            FieldParam(
                field="queue",
                kind="text",
                flags=("--queue",),
                metavar="TEXT",
                help="Queue, of which to take what waits, in its order.",
                limits="text, 1 to 60 characters",
            ),
            FieldParam(
                field="name",
                kind="text",
                flags=("-n", "--name"),
                metavar="TEXT",
                help="Name of the lane that is made; default is made from theirs.",
                limits="text, 1 to 120 characters",
            ),
            FieldParam(
                field="target",
                kind="text",
                flags=("-t", "--target"),
                metavar="TEXT",
                help="Branch to land in; default is the queue's, else the repository's own.",
                limits="text, 1 to 250 characters",
            ),
            FieldParam(
                field="on_conflict",
                kind="text",
                flags=("--on-conflict",),
                metavar="TEXT",
                help="refuse: make nothing; skip: leave the lane in conflict out.",
                limits="one of refuse, skip; default refuse",
                choices=("refuse", "skip"),
            ),
            FieldParam(
                field="title",
                kind="text",
                flags=("--title",),
                metavar="TEXT",
                help="Title of the pull request; default names the lanes.",
                limits="text, 1 to 250 characters",
            ),
            FieldParam(
                field="body",
                kind="text",
                flags=("--body",),
                metavar="TEXT",
                help="Its description, in Markdown; default lists the lanes.",
                limits="text, 1 to 60000 characters",
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
        ),
        rules=(RuleInfo(kind="exactly_one_of", fields=("lanes", "queue")),),
        errors=(
            ErrorInfo(
                code="integration_conflict",
                exit=5,
                summary="Lanes that were to be integrated are in conflict; nothing was made.",
            ),
            ErrorInfo(
                code="integration_empty", exit=5, summary="The lanes hold nothing that the target lacks."
            ),
            ErrorInfo(
                code="integration_diverged",
                exit=5,
                summary="A lane and its branch at the remote each have commits that the other lacks.",
            ),
            ErrorInfo(code="queue_not_found", exit=4, summary="There is no such queue."),
            ErrorInfo(code="queue_over", exit=5, summary="The queue is done or cancelled."),
            ErrorInfo(code="queue_lane_twice", exit=2, summary="A lane is named twice."),
            ErrorInfo(
                code="lane_name_taken",
                exit=5,
                summary="Another lane has that name, or one that differs only in case or Unicode form.",
            ),
            ErrorInfo(
                code="lane_creation_failed",
                exit=1,
                summary="The lane could not be made; nothing was left behind.",
            ),
            ErrorInfo(code="unrelated_histories", exit=5, summary="Two histories have no commit in common."),
            ErrorInfo(
                code="repository_has_no_commits",
                exit=1,
                summary="The repository has no commit yet, and a lane has to start from one.",
            ),
            ErrorInfo(code="pr_no_commits", exit=5, summary="The branch holds nothing that its base lacks."),
            ErrorInfo(code="pr_base_missing", exit=4, summary="The base branch does not exist at GitHub."),
            ErrorInfo(code="pr_same_branch", exit=5, summary="A branch cannot be merged into itself."),
            ErrorInfo(code="pr_not_found", exit=4, summary="There is no such pull request."),
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
                title="Two lanes",
                line="ade queues create-integration fix-login add-search --name release",
                error=None,
            ),
            ExampleInfo(
                title="What waits in a queue",
                line="ade queues create-integration --queue QUEUE",
                error=None,
            ),
            ExampleInfo(
                title="The same, the second left out",
                line="ade queues create-integration fix-login add-search --on-conflict skip",
                error=None,
            ),
            ExampleInfo(
                title="Two lanes that changed the same line",
                line="ade queues create-integration fix-login add-search",
                error="integration_conflict",
            ),
        ),
        skeleton={
            "lanes": [""],
            "queue": "",
            "name": "",
            "target": "",
            "on_conflict": "refuse",
            "title": "",
            "body": "",
            "draft": False,
        },
    )


def queue_land_next() -> ActionCommand:
    return ActionCommand(
        "land-next",
        group="queues",
        action="queue.land_next",
        tool="land_queue_next",
        effect="destructive",
        scope="project",
        aliases=(),
        summary="Land the first pull request of a queue that has not landed.",
        description="It is retargeted, brought up to date with what landed before, and merged once its checks have passed on that very commit. What blocks it is told; calling again tries again.",
        guidance="Call it again after each landing, with a wait; see to what blocks, or reorder.",
        fields=(
            FieldParam(
                field="queue",
                kind="text",
                flags=("--queue",),
                metavar="QUEUE",
                help="Queue; default is the newest that is not over.",
                limits="text, 1 to 60 characters",
                positional=True,
            ),
            FieldParam(
                field="wait",
                kind="duration",
                flags=("--wait",),
                metavar="DURATION",
                help="Seconds to wait for its checks.",
                limits="such as 90s, 12m or 2h30m, 0s to 9m50s; default 0s",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="queue_not_found", exit=4, summary="There is no such queue."),
            ErrorInfo(code="queue_over", exit=5, summary="The queue is done or cancelled."),
            ErrorInfo(code="queue_paused", exit=5, summary="Nothing lands while the queue is paused."),
            ErrorInfo(code="pr_base_missing", exit=4, summary="The base branch does not exist at GitHub."),
            ErrorInfo(code="pr_over", exit=5, summary="The pull request is merged or closed."),
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
                line="ade queues land-next QUEUE",
                error=None,
            ),
            ExampleInfo(
                title="One whose check failed",
                line="ade queues land-next",
                error=None,
            ),
            ExampleInfo(
                title="A queue that is paused",
                line="ade queues land-next",
                error="queue_paused",
            ),
        ),
        skeleton={"queue": "", "wait": 0},
    )


def queue_pause() -> ActionCommand:
    return ActionCommand(
        "pause",
        group="queues",
        action="queue.pause",
        tool="queue_pause",
        effect="write",
        scope="project",
        aliases=(),
        summary="Let nothing of a queue land for a while.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="queue",
                kind="text",
                flags=("--queue",),
                metavar="QUEUE",
                help="Queue; default is the newest that is not over.",
                limits="text, 1 to 60 characters",
                positional=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="queue_not_found", exit=4, summary="There is no such queue."),
            ErrorInfo(code="queue_over", exit=5, summary="The queue is done or cancelled."),
        ),
        examples=(
            ExampleInfo(
                title="A queue that goes on",
                line="ade queues pause QUEUE",
                error=None,
            ),
            ExampleInfo(
                title="A queue that does not exist",
                line="ade queues pause que_none",
                error="queue_not_found",
            ),
        ),
        skeleton={"queue": ""},
    )


def queue_reorder() -> ActionCommand:
    return ActionCommand(
        "reorder",
        group="queues",
        action="queue.reorder",
        tool="queue_reorder",
        effect="write",
        scope="project",
        aliases=(),
        summary="Give what waits in a queue another order.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="lanes",
                kind="text",
                flags=("--lanes",),
                metavar="LANES",
                help="All lanes that wait, in their new order.",
                limits="a list of 1 to 50 items, each text, 1 to 200 characters",
                required=True,
                positional=True,
                many=True,
                complete="lanes",
            ),
            FieldParam(
                field="queue",
                kind="text",
                flags=("--queue",),
                metavar="TEXT",
                help="Queue; default is the newest that is not over.",
                limits="text, 1 to 60 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="queue_not_found", exit=4, summary="There is no such queue."),
            ErrorInfo(code="queue_over", exit=5, summary="The queue is done or cancelled."),
            ErrorInfo(
                code="queue_order_incomplete",
                exit=5,
                summary="The new order names other lanes than those that wait.",
            ),
            ErrorInfo(code="queue_lane_twice", exit=2, summary="A lane is named twice."),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
        ),
        examples=(
            ExampleInfo(
                title="The other way round",
                line="ade queues reorder add-search fix-login",
                error=None,
            ),
            ExampleInfo(
                title="Not all of them",
                line="ade queues reorder add-search",
                error="queue_order_incomplete",
            ),
        ),
        skeleton={"lanes": [""], "queue": ""},
    )


def queue_resume() -> ActionCommand:
    return ActionCommand(
        "resume",
        group="queues",
        action="queue.resume",
        tool="queue_resume",
        effect="write",
        scope="project",
        aliases=(),
        summary="Let a paused queue go on.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="queue",
                kind="text",
                flags=("--queue",),
                metavar="QUEUE",
                help="Queue; default is the newest that is not over.",
                limits="text, 1 to 60 characters",
                positional=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="queue_not_found", exit=4, summary="There is no such queue."),
            ErrorInfo(code="queue_over", exit=5, summary="The queue is done or cancelled."),
        ),
        examples=(
            ExampleInfo(
                title="A queue that is paused",
                line="ade queues resume QUEUE",
                error=None,
            ),
            ExampleInfo(
                title="A queue that does not exist",
                line="ade queues resume que_none",
                error="queue_not_found",
            ),
        ),
        skeleton={"queue": ""},
    )


def queue_state() -> ActionCommand:
    return ActionCommand(
        "state",
        group="queues",
        action="queue.state",
        tool="queue_state",
        effect="read",
        scope="project",
        aliases=(),
        summary="Show a queue and what has become of each pull request in it.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="queue",
                kind="text",
                flags=("--queue",),
                metavar="QUEUE",
                help="Queue; default is the newest that is not over.",
                limits="text, 1 to 60 characters",
                positional=True,
            ),
        ),
        rules=(),
        errors=(ErrorInfo(code="queue_not_found", exit=4, summary="There is no such queue."),),
        examples=(
            ExampleInfo(
                title="The newest",
                line="ade queues state",
                error=None,
            ),
            ExampleInfo(
                title="A queue that does not exist",
                line="ade queues state que_none",
                error="queue_not_found",
            ),
        ),
        skeleton={"queue": ""},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "cancel": queue_cancel,
    "create": queue_create,
    "create-integration": queue_create_integration,
    "land-next": queue_land_next,
    "pause": queue_pause,
    "reorder": queue_reorder,
    "resume": queue_resume,
    "state": queue_state,
}
