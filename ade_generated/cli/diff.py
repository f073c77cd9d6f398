"""Commands of the diff group. Generated from specs/domains/diff.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam


def diff_changes() -> ActionCommand:
    return ActionCommand(
        "changes",
        group="diff",
        action="diff.changes",
        tool="diff_changes",
        effect="read",
        scope="project",
        aliases=(),
        summary="List the files that a lane changed.",
        description="Without compare and ref it shows what is not committed. With parent, base or ref it shows what the lane added since the two histories parted, as a pull request would.",
        guidance="Start with this; ask for the text of single files with diff_file.",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to look at; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="compare",
                kind="text",
                flags=("-c", "--compare"),
                metavar="TEXT",
                help="uncommitted: working tree against HEAD; unstaged: working tree against index; staged: index against HEAD; parent, base, ref: what the lane added since it left them.",
                limits="one of uncommitted, unstaged, staged, parent, base, ref",
                choices=("uncommitted", "unstaged", "staged", "parent", "base", "ref"),
            ),
            FieldParam(
                field="ref",
                kind="text",
                flags=("-r", "--ref"),
                metavar="TEXT",
                help="Branch, tag or commit to compare with; means compare ref.",
                limits="text, 1 to 500 characters",
            ),
            FieldParam(
                field="direct",
                kind="boolean",
                flags=("--direct",),
                metavar="BOOLEAN",
                help="Compare with the latest commit of the other side itself instead of where the two parted.",
                limits="true or false; default false",
                off_flag="--no-direct",
            ),
            FieldParam(
                field="include_uncommitted",
                kind="boolean",
                flags=("-u", "--include-uncommitted"),
                metavar="BOOLEAN",
                help="With parent, base or ref: take the working tree instead of the latest commit.",
                limits="true or false; default false",
                off_flag="--no-include-uncommitted",
            ),
            FieldParam(
                field="untracked",
                kind="boolean",
                flags=("--untracked",),
                metavar="BOOLEAN",
                help="Show new files that git does not track yet.",
                limits="true or false; default false",
                off_flag="--no-untracked",
            ),
            FieldParam(
                field="paths",
                kind="text",
                flags=("--paths",),
                metavar="PATHS",
                help="Only these files and folders; names are taken literally, wildcards too.",
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
                limits="an integer, 1 to 2000; default 200",
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
        rules=(),
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
                code="path_outside_lane",
                exit=2,
                summary="The path leaves the lane or lies in git's own folder.",
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
                title="What a lane adds to its parent",
                line="ade diff changes --lane fix-login --compare parent",
                error=None,
            ),
            ExampleInfo(
                title="New files that are not tracked yet",
                line="ade diff changes --lane fix-login --untracked",
                error=None,
            ),
            ExampleInfo(
                title="A branch that does not exist",
                line="ade diff changes --lane fix-login --ref nowhere",
                error="base_not_found",
            ),
            ExampleInfo(
                title="A path that leaves the lane",
                line="ade diff changes ../other-lane/f --lane fix-login",
                error="path_outside_lane",
            ),
        ),
        skeleton={
            "lane": "",
            "compare": "uncommitted",
            "ref": "",
            "direct": False,
            "include_uncommitted": False,
            "untracked": False,
            "paths": [""],
            "limit": 200,
            "cursor": "",
        },
    )


def diff_file() -> ActionCommand:
    return ActionCommand(
        "file",
        group="diff",
        action="diff.file",
        tool="diff_file",
        effect="read",
        scope="project",
        aliases=(),
        summary="Show how one file changed, as text and as hunks.",
        description="A new file that git does not track yet is shown whole.",
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
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to look at; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="compare",
                kind="text",
                flags=("-c", "--compare"),
                metavar="TEXT",
                help="uncommitted: working tree against HEAD; unstaged: working tree against index; staged: index against HEAD; parent, base, ref: what the lane added since it left them.",
                limits="one of uncommitted, unstaged, staged, parent, base, ref",
                choices=("uncommitted", "unstaged", "staged", "parent", "base", "ref"),
            ),
            FieldParam(
                field="ref",
                kind="text",
                flags=("-r", "--ref"),
                metavar="TEXT",
                help="Branch, tag or commit to compare with; means compare ref.",
                limits="text, 1 to 500 characters",
            ),
            FieldParam(
                field="direct",
                kind="boolean",
                flags=("--direct",),
                metavar="BOOLEAN",
                help="Compare with the latest commit of the other side itself instead of where the two parted.",
                limits="true or false; default false",
                off_flag="--no-direct",
            ),
            FieldParam(
                field="include_uncommitted",
                kind="boolean",
                flags=("-u", "--include-uncommitted"),
                metavar="BOOLEAN",
                help="With parent, base or ref: take the working tree instead of the latest commit.",
                limits="true or false; default false",
                off_flag="--no-include-uncommitted",
            ),
            FieldParam(
                field="context",
                kind="integer",
                flags=("-U", "--context"),
                metavar="INTEGER",
                help="Unchanged lines to show around each change.",
                limits="an integer, 0 to 1000; default 3",
            ),
            FieldParam(
                field="max_bytes",
                kind="integer",
                flags=("--max-bytes",),
                metavar="INTEGER",
                help="Cut the text after so many bytes.",
                limits="an integer, 256 to 1048576; default 65536",
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
                code="path_outside_lane",
                exit=2,
                summary="The path leaves the lane or lies in git's own folder.",
            ),
            ErrorInfo(
                code="file_not_found", exit=4, summary="The file exists on neither side of the comparison."
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
                title="A file that a lane changed",
                line="ade diff file README.md --lane fix-login --compare parent",
                error=None,
            ),
            ExampleInfo(
                title="A file that did not change",
                line="ade diff file README.md --lane fix-login --compare parent",
                error=None,
            ),
            ExampleInfo(
                title="A file that exists on neither side",
                line="ade diff file nowhere.txt --lane fix-login",
                error="file_not_found",
            ),
        ),
        skeleton={
            "path": "",
            "lane": "",
            "compare": "uncommitted",
            "ref": "",
            "direct": False,
            "include_uncommitted": False,
            "context": 3,
            "max_bytes": 65536,
        },
    )


def diff_patch() -> ActionCommand:
    return ActionCommand(
        "patch",
        group="diff",
        action="diff.patch",
        tool="diff_patch",
        effect="read",
        scope="project",
        aliases=(),
        summary="Give the whole difference as a patch that git apply takes.",
        description="A patch too long for max_bytes ends after a whole file, and notes tell which files are left out.",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to look at; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="compare",
                kind="text",
                flags=("-c", "--compare"),
                metavar="TEXT",
                help="uncommitted: working tree against HEAD; unstaged: working tree against index; staged: index against HEAD; parent, base, ref: what the lane added since it left them.",
                limits="one of uncommitted, unstaged, staged, parent, base, ref",
                choices=("uncommitted", "unstaged", "staged", "parent", "base", "ref"),
            ),
            FieldParam(
                field="ref",
                kind="text",
                flags=("-r", "--ref"),
                metavar="TEXT",
                help="Branch, tag or commit to compare with; means compare ref.",
                limits="text, 1 to 500 characters",
            ),
            FieldParam(
                field="direct",
                kind="boolean",
                flags=("--direct",),
                metavar="BOOLEAN",
                help="Compare with the latest commit of the other side itself instead of where the two parted.",
                limits="true or false; default false",
                off_flag="--no-direct",
            ),
            FieldParam(
                field="include_uncommitted",
                kind="boolean",
                flags=("-u", "--include-uncommitted"),
                metavar="BOOLEAN",
                help="With parent, base or ref: take the working tree instead of the latest commit.",
                limits="true or false; default false",
                off_flag="--no-include-uncommitted",
            ),
            FieldParam(
                field="untracked",
                kind="boolean",
                flags=("--untracked",),
                metavar="BOOLEAN",
                help="Show new files that git does not track yet.",
                limits="true or false; default false",
                off_flag="--no-untracked",
            ),
            FieldParam(
                field="paths",
                kind="text",
                flags=("--paths",),
                metavar="PATHS",
                help="Only these files and folders; names are taken literally, wildcards too.",
                limits="a list of at most 1000 items, each text, 1 to 4096 characters",
                positional=True,
                many=True,
            ),
            FieldParam(
                field="context",
                kind="integer",
                flags=("-U", "--context"),
                metavar="INTEGER",
                help="Unchanged lines to show around each change.",
                limits="an integer, 0 to 1000; default 3",
            ),
            FieldParam(
                field="max_bytes",
                kind="integer",
                flags=("--max-bytes",),
                metavar="INTEGER",
                help="Cut the patch after so many bytes.",
                limits="an integer, 256 to 1048576; default 65536",
            ),
            FieldParam(
                field="binary",
                kind="boolean",
                flags=("--binary",),
                metavar="BOOLEAN",
                help="Put the contents of binary files into the patch.",
                limits="true or false; default false",
                off_flag="--no-binary",
            ),
            FieldParam(
                field="encoding",
                kind="text",
                flags=("--encoding",),
                metavar="TEXT",
                help="base64 keeps bytes that are not UTF-8.",
                limits="one of utf-8, base64; default utf-8",
                choices=("utf-8", "base64"),
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
                code="path_outside_lane",
                exit=2,
                summary="The path leaves the lane or lies in git's own folder.",
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
                title="All that a lane adds to its parent",
                line="ade diff patch --lane fix-login --compare parent",
                error=None,
            ),
            ExampleInfo(
                title="The primary lane has no parent",
                line="ade diff patch --lane primary --compare parent",
                error="no_comparison",
            ),
        ),
        skeleton={
            "lane": "",
            "compare": "uncommitted",
            "ref": "",
            "direct": False,
            "include_uncommitted": False,
            "untracked": False,
            "paths": [""],
            "context": 3,
            "max_bytes": 65536,
            "binary": False,
            "encoding": "utf-8",
        },
    )


def diff_stats() -> ActionCommand:
    return ActionCommand(
        "stats",
        group="diff",
        action="diff.stats",
        tool="diff_stats",
        effect="read",
        scope="project",
        aliases=(),
        summary="Count what a lane changed.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to look at; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="compare",
                kind="text",
                flags=("-c", "--compare"),
                metavar="TEXT",
                help="uncommitted: working tree against HEAD; unstaged: working tree against index; staged: index against HEAD; parent, base, ref: what the lane added since it left them.",
                limits="one of uncommitted, unstaged, staged, parent, base, ref",
                choices=("uncommitted", "unstaged", "staged", "parent", "base", "ref"),
            ),
            FieldParam(
                field="ref",
                kind="text",
                flags=("-r", "--ref"),
                metavar="TEXT",
                help="Branch, tag or commit to compare with; means compare ref.",
                limits="text, 1 to 500 characters",
            ),
            FieldParam(
                field="direct",
                kind="boolean",
                flags=("--direct",),
                metavar="BOOLEAN",
                help="Compare with the latest commit of the other side itself instead of where the two parted.",
                limits="true or false; default false",
                off_flag="--no-direct",
            ),
            FieldParam(
                field="include_uncommitted",
                kind="boolean",
                flags=("-u", "--include-uncommitted"),
                metavar="BOOLEAN",
                help="With parent, base or ref: take the working tree instead of the latest commit.",
                limits="true or false; default false",
                off_flag="--no-include-uncommitted",
            ),
            FieldParam(
                field="untracked",
                kind="boolean",
                flags=("--untracked",),
                metavar="BOOLEAN",
                help="Show new files that git does not track yet.",
                limits="true or false; default false",
                off_flag="--no-untracked",
            ),
            FieldParam(
                field="paths",
                kind="text",
                flags=("--paths",),
                metavar="PATHS",
                help="Only these files and folders; names are taken literally, wildcards too.",
                limits="a list of at most 1000 items, each text, 1 to 4096 characters",
                positional=True,
                many=True,
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
                code="path_outside_lane",
                exit=2,
                summary="The path leaves the lane or lies in git's own folder.",
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
                line="ade diff stats --lane fix-login --compare parent",
                error=None,
            ),
            ExampleInfo(
                title="A repository before its first commit",
                line="ade diff stats --lane primary --untracked",
                error=None,
            ),
        ),
        skeleton={
            "lane": "",
            "compare": "uncommitted",
            "ref": "",
            "direct": False,
            "include_uncommitted": False,
            "untracked": False,
            "paths": [""],
        },
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "changes": diff_changes,
    "file": diff_file,
    "patch": diff_patch,
    "stats": diff_stats,
}
