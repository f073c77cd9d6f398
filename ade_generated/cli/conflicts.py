"""Commands of the conflicts group. Generated from specs/domains/conflicts.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam, RuleInfo


def conflicts_check() -> ActionCommand:
    return ActionCommand(
        "check",
        group="conflicts",
        action="conflicts.check",
        tool="check_conflicts",
        effect="read",
        scope="project",
        aliases=(),
        summary="Find out whether lanes merge with their parents and with each other.",
        description="Each lane is merged, in memory, into the target or else into its parent; with two lanes or more each is also merged with every later one. No branch, index or file is touched.",
        guidance="Check before merging, and when another lane is likely to touch the same files.",
        fields=(
            FieldParam(
                field="lanes",
                kind="text",
                flags=("--lanes",),
                metavar="LANES",
                help="Lanes to check; default is the caller's own.",
                limits="a list of 1 to 50 items, no two alike, each text, 1 to 200 characters",
                positional=True,
                many=True,
                complete="lanes",
            ),
            FieldParam(
                field="target",
                kind="text",
                flags=("-t", "--target"),
                metavar="TEXT",
                help="Lane to merge into; default is each lane's parent.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="target_ref",
                kind="text",
                flags=("-r", "--target-ref"),
                metavar="TEXT",
                help="Branch, tag or commit to take as target.",
                limits="text, 1 to 500 characters",
            ),
            FieldParam(
                field="pairs",
                kind="boolean",
                flags=("--pairs",),
                metavar="BOOLEAN",
                help="Check the lanes against each other too.",
                limits="true or false; default true",
                off_flag="--no-pairs",
            ),
            FieldParam(
                field="include_uncommitted",
                kind="boolean",
                flags=("-u", "--include-uncommitted"),
                metavar="BOOLEAN",
                help="Count work that is not committed yet as if it were.",
                limits="true or false; default false",
                off_flag="--no-include-uncommitted",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many files in conflict to describe at most.",
                limits="an integer, 1 to 500; default 50",
            ),
        ),
        rules=(RuleInfo(kind="at_most_one_of", fields=("target", "target_ref")),),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="base_not_found", exit=4, summary="The base names no commit, or more than one."),
            ErrorInfo(
                code="invalid_base", exit=2, summary="The base is not written as a branch, tag or commit."
            ),
            ErrorInfo(
                code="no_comparison",
                exit=2,
                summary="The lane has nothing of the kind that it was to be compared with.",
            ),
            ErrorInfo(code="unrelated_histories", exit=5, summary="Two histories have no commit in common."),
            ErrorInfo(
                code="repository_has_no_commits",
                exit=1,
                summary="The repository has no commit yet, and a lane has to start from one.",
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
                title="A lane that merges into its parent",
                line="ade conflicts check fix-login",
                error=None,
            ),
            ExampleInfo(
                title="Two lanes that changed the same line",
                line="ade conflicts check fix-login add-search",
                error=None,
            ),
            ExampleInfo(
                title="A lane that does not exist",
                line="ade conflicts check nowhere",
                error="lane_not_found",
            ),
            ExampleInfo(
                title="The primary lane has no parent",
                line="ade conflicts check primary",
                error="no_comparison",
            ),
        ),
        skeleton={
            "lanes": [""],
            "target": "",
            "target_ref": "",
            "pairs": True,
            "include_uncommitted": False,
            "limit": 50,
        },
    )


def conflicts_overlaps() -> ActionCommand:
    return ActionCommand(
        "overlaps",
        group="conflicts",
        action="conflicts.overlaps",
        tool="conflicts_overlaps",
        effect="read",
        scope="project",
        aliases=(),
        summary="List the files that several lanes changed, and whether they changed the same lines.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="lanes",
                kind="text",
                flags=("--lanes",),
                metavar="LANES",
                help="Lanes to compare; default is every active one.",
                limits="a list of 1 to 50 items, no two alike, each text, 1 to 200 characters",
                positional=True,
                many=True,
                complete="lanes",
            ),
            FieldParam(
                field="target",
                kind="text",
                flags=("-t", "--target"),
                metavar="TEXT",
                help="Lane that their work is measured from; default is each lane's parent.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="target_ref",
                kind="text",
                flags=("-r", "--target-ref"),
                metavar="TEXT",
                help="Branch, tag or commit to take as target.",
                limits="text, 1 to 500 characters",
            ),
            FieldParam(
                field="include_uncommitted",
                kind="boolean",
                flags=("-u", "--include-uncommitted"),
                metavar="BOOLEAN",
                help="Count work that is not committed yet as if it were.",
                limits="true or false; default false",
                off_flag="--no-include-uncommitted",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many files to return at most.",
                limits="an integer, 1 to 1000; default 200",
            ),
            FieldParam(
                field="cursor",
                kind="text",
                flags=("--cursor",),
                metavar="TEXT",
                help="Where to go on; next of the last answer.",
                limits="text, 1 to 8000 characters",
            ),
        ),
        rules=(RuleInfo(kind="at_most_one_of", fields=("target", "target_ref")),),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="base_not_found", exit=4, summary="The base names no commit, or more than one."),
            ErrorInfo(
                code="invalid_base", exit=2, summary="The base is not written as a branch, tag or commit."
            ),
            ErrorInfo(
                code="no_comparison",
                exit=2,
                summary="The lane has nothing of the kind that it was to be compared with.",
            ),
            ErrorInfo(code="unrelated_histories", exit=5, summary="Two histories have no commit in common."),
            ErrorInfo(
                code="repository_has_no_commits",
                exit=1,
                summary="The repository has no commit yet, and a lane has to start from one.",
            ),
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
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
                title="Two lanes that changed the same line",
                line="ade conflicts overlaps",
                error=None,
            ),
            ExampleInfo(
                title="Two lanes that keep out of each other's way",
                line="ade conflicts overlaps fix-login add-search",
                error=None,
            ),
            ExampleInfo(
                title="A lane that does not exist",
                line="ade conflicts overlaps fix-login nowhere",
                error="lane_not_found",
            ),
        ),
        skeleton={
            "lanes": [""],
            "target": "",
            "target_ref": "",
            "include_uncommitted": False,
            "limit": 200,
            "cursor": "",
        },
    )


def conflicts_risk_matrix() -> ActionCommand:
    return ActionCommand(
        "risk-matrix",
        group="conflicts",
        action="conflicts.risk_matrix",
        tool="conflicts_risk_matrix",
        effect="read",
        scope="project",
        aliases=(),
        summary="Rate every pair of lanes by how they would merge.",
        description="none: no file in common; overlap: files in common, but they merge; conflict: they do not merge. A pair that could not be looked at is in failures, never counted as none.",
        guidance="",
        fields=(
            FieldParam(
                field="lanes",
                kind="text",
                flags=("--lanes",),
                metavar="LANES",
                help="Lanes to compare; default is every active one.",
                limits="a list of 1 to 50 items, no two alike, each text, 1 to 200 characters",
                positional=True,
                many=True,
                complete="lanes",
            ),
            FieldParam(
                field="include_uncommitted",
                kind="boolean",
                flags=("-u", "--include-uncommitted"),
                metavar="BOOLEAN",
                help="Count work that is not committed yet as if it were.",
                limits="true or false; default false",
                off_flag="--no-include-uncommitted",
            ),
            FieldParam(
                field="max_pairs",
                kind="integer",
                flags=("--max-pairs",),
                metavar="INTEGER",
                help="How many pairs to try at most.",
                limits="an integer, 1 to 1225; default 300",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="repository_has_no_commits",
                exit=1,
                summary="The repository has no commit yet, and a lane has to start from one.",
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
                title="Two lanes in conflict",
                line="ade conflicts risk-matrix",
                error=None,
            ),
            ExampleInfo(
                title="Two lanes with nothing in common",
                line="ade conflicts risk-matrix fix-login add-search",
                error=None,
            ),
            ExampleInfo(
                title="A lane that does not exist",
                line="ade conflicts risk-matrix fix-login nowhere",
                error="lane_not_found",
            ),
        ),
        skeleton={"lanes": [""], "include_uncommitted": False, "max_pairs": 300},
    )


def conflicts_simulate_integration() -> ActionCommand:
    return ActionCommand(
        "simulate-integration",
        group="conflicts",
        action="conflicts.simulate_integration",
        tool="conflicts_simulate_integration",
        effect="read",
        scope="project",
        aliases=(),
        summary="Merge several lanes in order into a target, in memory, and show where it stops.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="lanes",
                kind="text",
                flags=("--lanes",),
                metavar="LANES",
                help="Lanes, in the order to merge them.",
                limits="a list of 1 to 50 items, no two alike, each text, 1 to 200 characters",
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
                help="Lane to merge into; default is the primary lane.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="target_ref",
                kind="text",
                flags=("-r", "--target-ref"),
                metavar="TEXT",
                help="Branch, tag or commit to take as target.",
                limits="text, 1 to 500 characters",
            ),
            FieldParam(
                field="on_conflict",
                kind="text",
                flags=("--on-conflict",),
                metavar="TEXT",
                help="skip: leave the lane out and go on; stop: try no more.",
                limits="one of skip, stop; default skip",
                choices=("skip", "stop"),
            ),
            FieldParam(
                field="include_uncommitted",
                kind="boolean",
                flags=("-u", "--include-uncommitted"),
                metavar="BOOLEAN",
                help="Count work that is not committed yet as if it were.",
                limits="true or false; default false",
                off_flag="--no-include-uncommitted",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many files in conflict to describe at most.",
                limits="an integer, 1 to 500; default 50",
            ),
        ),
        rules=(RuleInfo(kind="at_most_one_of", fields=("target", "target_ref")),),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="base_not_found", exit=4, summary="The base names no commit, or more than one."),
            ErrorInfo(
                code="invalid_base", exit=2, summary="The base is not written as a branch, tag or commit."
            ),
            ErrorInfo(
                code="no_comparison",
                exit=2,
                summary="The lane has nothing of the kind that it was to be compared with.",
            ),
            ErrorInfo(code="unrelated_histories", exit=5, summary="Two histories have no commit in common."),
            ErrorInfo(
                code="repository_has_no_commits",
                exit=1,
                summary="The repository has no commit yet, and a lane has to start from one.",
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
                title="Two lanes that go together",
                line="ade conflicts simulate-integration fix-login add-search",
                error=None,
            ),
            ExampleInfo(
                title="The second one is in conflict with the first",
                line="ade conflicts simulate-integration fix-login add-search",
                error=None,
            ),
        ),
        skeleton={
            "lanes": [""],
            "target": "",
            "target_ref": "",
            "on_conflict": "skip",
            "include_uncommitted": False,
            "limit": 50,
        },
    )


def conflicts_simulate_merge() -> ActionCommand:
    return ActionCommand(
        "simulate-merge",
        group="conflicts",
        action="conflicts.simulate_merge",
        tool="conflicts_simulate_merge",
        effect="read",
        scope="project",
        aliases=(),
        summary="Show what merging a lane into a target would give.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("--lane",),
                metavar="LANE",
                help="Lane to merge; default is the caller's own.",
                limits="text, 1 to 200 characters",
                positional=True,
                complete="lanes",
            ),
            FieldParam(
                field="target",
                kind="text",
                flags=("-t", "--target"),
                metavar="TEXT",
                help="Lane to merge into; default is the lane's parent.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="target_ref",
                kind="text",
                flags=("-r", "--target-ref"),
                metavar="TEXT",
                help="Branch, tag or commit to take as target.",
                limits="text, 1 to 500 characters",
            ),
            FieldParam(
                field="include_uncommitted",
                kind="boolean",
                flags=("-u", "--include-uncommitted"),
                metavar="BOOLEAN",
                help="Count work that is not committed yet as if it were.",
                limits="true or false; default false",
                off_flag="--no-include-uncommitted",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many files in conflict to describe at most.",
                limits="an integer, 1 to 500; default 50",
            ),
        ),
        rules=(RuleInfo(kind="at_most_one_of", fields=("target", "target_ref")),),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(code="base_not_found", exit=4, summary="The base names no commit, or more than one."),
            ErrorInfo(
                code="invalid_base", exit=2, summary="The base is not written as a branch, tag or commit."
            ),
            ErrorInfo(
                code="no_comparison",
                exit=2,
                summary="The lane has nothing of the kind that it was to be compared with.",
            ),
            ErrorInfo(code="unrelated_histories", exit=5, summary="Two histories have no commit in common."),
            ErrorInfo(
                code="repository_has_no_commits",
                exit=1,
                summary="The repository has no commit yet, and a lane has to start from one.",
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
                title="A lane with one new file",
                line="ade conflicts simulate-merge fix-login",
                error=None,
            ),
            ExampleInfo(
                title="Both changed the same line",
                line="ade conflicts simulate-merge fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A target that does not exist",
                line="ade conflicts simulate-merge fix-login --target-ref nowhere",
                error="base_not_found",
            ),
        ),
        skeleton={"lane": "", "target": "", "target_ref": "", "include_uncommitted": False, "limit": 50},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "check": conflicts_check,
    "overlaps": conflicts_overlaps,
    "risk-matrix": conflicts_risk_matrix,
    "simulate-integration": conflicts_simulate_integration,
    "simulate-merge": conflicts_simulate_merge,
}
