"""Commands of the files group. Generated from specs/domains/file.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam, RuleInfo


def file_blame() -> ActionCommand:
    return ActionCommand(
        "blame",
        group="files",
        action="file.blame",
        tool="file_blame",
        effect="read",
        scope="project",
        aliases=(),
        summary="Tell for each line of a file which commit put it there.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="path",
                kind="text",
                flags=("--path",),
                metavar="PATH",
                help="Path from the lane's root with / between names; never absolute, never through .. or .git.",
                limits="text, 1 to 4096 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to look into; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="start_line",
                kind="integer",
                flags=("-s", "--start-line"),
                metavar="INTEGER",
                help="First line.",
                limits="an integer, 1 to 1000000000; default 1",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("-n", "--limit"),
                metavar="INTEGER",
                help="How many lines at most.",
                limits="an integer, 1 to 1000; default 100",
            ),
            FieldParam(
                field="ignore_whitespace",
                kind="boolean",
                flags=("-w", "--ignore-whitespace"),
                metavar="BOOLEAN",
                help="Look past changes of blanks alone.",
                limits="true or false; default false",
                off_flag="--no-ignore-whitespace",
            ),
            FieldParam(
                field="cursor",
                kind="text",
                flags=("--cursor",),
                metavar="TEXT",
                help="Where to go on; next of the last answer.",
                limits="text, at most 10 characters, matching ^[1-9][0-9]*$",
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
            ErrorInfo(
                code="path_outside_lane",
                exit=2,
                summary="The path leaves the lane or lies in git's own folder.",
            ),
            ErrorInfo(
                code="file_missing",
                exit=4,
                summary="There is nothing at that path of the lane, or a folder on the way is missing.",
            ),
            ErrorInfo(
                code="file_wrong_kind",
                exit=2,
                summary="What is at that path is of another kind than the action works on, such as a folder, a pipe or a device.",
            ),
            ErrorInfo(
                code="file_unusable", exit=1, summary="The system does not let the file be read or written."
            ),
            ErrorInfo(code="file_too_large", exit=1, summary="The file is larger than the action can take."),
            ErrorInfo(
                code="file_not_text",
                exit=1,
                summary="The file is binary, and the action works on lines of text.",
            ),
            ErrorInfo(
                code="file_not_tracked",
                exit=4,
                summary="Git has no such file in the lane's latest commit, so it knows of no line where it comes from.",
            ),
            ErrorInfo(code="no_commits", exit=1, summary="The lane has no commit yet."),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A line that is committed",
                line="ade files blame src/app.py --lane fix-login --start-line 2 --limit 1",
                error=None,
            ),
            ExampleInfo(
                title="A file that git does not know",
                line="ade files blame notes.txt --lane fix-login",
                error="file_not_tracked",
            ),
        ),
        skeleton={
            "path": "",
            "lane": "",
            "start_line": 1,
            "limit": 100,
            "ignore_whitespace": False,
            "cursor": "",
        },
    )


def file_create() -> ActionCommand:
    return ActionCommand(
        "create",
        group="files",
        action="file.create",
        tool="file_create",
        effect="write",
        scope="project",
        aliases=(),
        summary="Create a file in a lane; one that exists is left alone.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="path",
                kind="text",
                flags=("--path",),
                metavar="PATH",
                help="Path from the lane's root with / between names; never absolute, never through .. or .git.",
                limits="text, 1 to 4096 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="content",
                kind="text",
                flags=("--content",),
                metavar="TEXT",
                help="Its text.",
                limits='text, at most 4194304 characters; default ""',
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to write in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="executable",
                kind="boolean",
                flags=("--executable",),
                metavar="BOOLEAN",
                help="Whether it may be run.",
                limits="true or false; default false",
                off_flag="--no-executable",
            ),
            FieldParam(
                field="parents",
                kind="boolean",
                flags=("-p", "--parents"),
                metavar="BOOLEAN",
                help="Make folders that are missing.",
                limits="true or false; default false",
                off_flag="--no-parents",
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
                code="lane_required",
                exit=2,
                summary="The action writes and neither a lane was named nor the caller is inside one.",
            ),
            ErrorInfo(
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(
                code="path_outside_lane",
                exit=2,
                summary="The path leaves the lane or lies in git's own folder.",
            ),
            ErrorInfo(
                code="file_missing",
                exit=4,
                summary="There is nothing at that path of the lane, or a folder on the way is missing.",
            ),
            ErrorInfo(
                code="file_wrong_kind",
                exit=2,
                summary="What is at that path is of another kind than the action works on, such as a folder, a pipe or a device.",
            ),
            ErrorInfo(
                code="file_unusable", exit=1, summary="The system does not let the file be read or written."
            ),
            ErrorInfo(
                code="file_exists",
                exit=5,
                summary="Something is at that path already, and the action replaces nothing.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
        ),
        examples=(
            ExampleInfo(
                title="A file in a new folder",
                line="ade files create docs/new.md --content '# New\n' --lane fix-login --parents",
                error=None,
            ),
            ExampleInfo(
                title="A file that is there",
                line="ade files create README.md --lane fix-login",
                error="file_exists",
            ),
        ),
        skeleton={"path": "", "content": "", "lane": "", "executable": False, "parents": False},
    )


def file_delete() -> ActionCommand:
    return ActionCommand(
        "delete",
        group="files",
        action="file.delete",
        tool="file_delete",
        effect="destructive",
        scope="project",
        aliases=(),
        summary="Delete a file or folder of a lane; what is deleted can be brought back for 30 days.",
        description="A folder with something in it goes only with recursive, and never one that holds a repository or worktree of its own. What is deleted is kept as a commit first, ignored files too. What cannot be kept (more than 10,000 files or 64 MiB, pipes, sockets) is deleted only with permanent.",
        guidance="",
        fields=(
            FieldParam(
                field="path",
                kind="text",
                flags=("--path",),
                metavar="PATH",
                help="Path from the lane's root with / between names; never absolute, never through .. or .git.",
                limits="text, 1 to 4096 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to delete in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="recursive",
                kind="boolean",
                flags=("-r", "--recursive"),
                metavar="BOOLEAN",
                help="Delete a folder with all that is in it.",
                limits="true or false; default false",
                off_flag="--no-recursive",
            ),
            FieldParam(
                field="permanent",
                kind="boolean",
                flags=("--permanent",),
                metavar="BOOLEAN",
                help="Keep nothing; there is no way back.",
                limits="true or false; default false",
                off_flag="--no-permanent",
            ),
            FieldParam(
                field="if_match",
                kind="text",
                flags=("--if-match",),
                metavar="TEXT",
                help="Hash the file must have, as read; else it stays.",
                limits="text, at most 71 characters, matching ^sha256:[0-9a-f]{64}$",
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
                code="lane_required",
                exit=2,
                summary="The action writes and neither a lane was named nor the caller is inside one.",
            ),
            ErrorInfo(
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(
                code="path_outside_lane",
                exit=2,
                summary="The path leaves the lane or lies in git's own folder.",
            ),
            ErrorInfo(
                code="file_missing",
                exit=4,
                summary="There is nothing at that path of the lane, or a folder on the way is missing.",
            ),
            ErrorInfo(
                code="file_wrong_kind",
                exit=2,
                summary="What is at that path is of another kind than the action works on, such as a folder, a pipe or a device.",
            ),
            ErrorInfo(
                code="file_unusable", exit=1, summary="The system does not let the file be read or written."
            ),
            ErrorInfo(
                code="file_changed",
                exit=5,
                summary="The file is not what the caller read; it was left as it is.",
            ),
            ErrorInfo(
                code="folder_not_empty",
                exit=5,
                summary="The folder has something in it and recursive was not asked for.",
            ),
            ErrorInfo(
                code="deletion_unkeepable",
                exit=5,
                summary="What is to be deleted cannot be kept for later; nothing was deleted.",
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
        ),
        examples=(
            ExampleInfo(
                title="A folder with what is in it",
                line="ade files delete src --lane fix-login --recursive",
                error=None,
            ),
            ExampleInfo(
                title="A folder that is not empty",
                line="ade files delete src --lane fix-login",
                error="folder_not_empty",
            ),
            ExampleInfo(
                title="The lane itself",
                line="ade files delete . --lane fix-login --recursive",
                error="path_outside_lane",
            ),
        ),
        skeleton={"path": "", "lane": "", "recursive": False, "permanent": False, "if_match": ""},
    )


def file_mkdir() -> ActionCommand:
    return ActionCommand(
        "mkdir",
        group="files",
        action="file.mkdir",
        tool="file_mkdir",
        effect="write",
        scope="project",
        aliases=(),
        summary="Make a folder in a lane.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="path",
                kind="text",
                flags=("--path",),
                metavar="PATH",
                help="Path from the lane's root with / between names; never absolute, never through .. or .git.",
                limits="text, 1 to 4096 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to write in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="parents",
                kind="boolean",
                flags=("-p", "--parents"),
                metavar="BOOLEAN",
                help="Make those above it, too, and be content where it exists.",
                limits="true or false; default false",
                off_flag="--no-parents",
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
                code="lane_required",
                exit=2,
                summary="The action writes and neither a lane was named nor the caller is inside one.",
            ),
            ErrorInfo(
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(
                code="path_outside_lane",
                exit=2,
                summary="The path leaves the lane or lies in git's own folder.",
            ),
            ErrorInfo(
                code="file_missing",
                exit=4,
                summary="There is nothing at that path of the lane, or a folder on the way is missing.",
            ),
            ErrorInfo(
                code="file_wrong_kind",
                exit=2,
                summary="What is at that path is of another kind than the action works on, such as a folder, a pipe or a device.",
            ),
            ErrorInfo(
                code="file_unusable", exit=1, summary="The system does not let the file be read or written."
            ),
            ErrorInfo(
                code="file_exists",
                exit=5,
                summary="Something is at that path already, and the action replaces nothing.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
        ),
        examples=(
            ExampleInfo(
                title="A folder with those above it",
                line="ade files mkdir docs/guides --lane fix-login --parents",
                error=None,
            ),
            ExampleInfo(
                title="A folder that is there",
                line="ade files mkdir src --lane fix-login",
                error="file_exists",
            ),
        ),
        skeleton={"path": "", "lane": "", "parents": False},
    )


def file_quick_open() -> ActionCommand:
    return ActionCommand(
        "quick-open",
        group="files",
        action="file.quick_open",
        tool="file_quick_open",
        effect="read",
        scope="project",
        aliases=(),
        summary="Find files of a lane by a few letters of their path, the best first.",
        description="Letters count in order, at the beginning of names and words most; files changed lately come before equal ones.",
        guidance="",
        fields=(
            FieldParam(
                field="query",
                kind="text",
                flags=("--query",),
                metavar="QUERY",
                help="Letters of the path, in order.",
                limits="text, 1 to 200 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to look into; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many to return at most.",
                limits="an integer, 1 to 200; default 20",
            ),
            FieldParam(
                field="cursor",
                kind="text",
                flags=("--cursor",),
                metavar="TEXT",
                help="Where to go on; next of the last answer.",
                limits="text, 1 to 8200 characters",
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
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A few letters",
                line="ade files quick-open slog --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade files quick-open slog --lane fix-login --cursor nowhere",
                error="invalid_cursor",
            ),
        ),
        skeleton={"query": "", "lane": "", "limit": 20, "cursor": ""},
    )


def file_read() -> ActionCommand:
    return ActionCommand(
        "read",
        group="files",
        action="file.read",
        tool="file_read",
        effect="read",
        scope="project",
        aliases=(),
        summary="Read a file of a lane, or some lines or bytes of it.",
        description="By lines unless offset is given; what does not fit into max_bytes is cut at the end of a line. The hash is that of the whole file: give it to a write as if_match.",
        guidance="",
        fields=(
            FieldParam(
                field="path",
                kind="text",
                flags=("--path",),
                metavar="PATH",
                help="Path from the lane's root with / between names; never absolute, never through .. or .git.",
                limits="text, 1 to 4096 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to read in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="start_line",
                kind="integer",
                flags=("-s", "--start-line"),
                metavar="INTEGER",
                help="First line, counted from 1.",
                limits="an integer, 1 to 1000000000",
            ),
            FieldParam(
                field="lines",
                kind="integer",
                flags=("-n", "--lines"),
                metavar="INTEGER",
                help="How many lines.",
                limits="an integer, 1 to 100000",
            ),
            FieldParam(
                field="offset",
                kind="integer",
                flags=("--offset",),
                metavar="INTEGER",
                help="First byte; reads bytes in place of lines.",
                limits="an integer, at least 0",
            ),
            FieldParam(
                field="max_bytes",
                kind="integer",
                flags=("--max-bytes",),
                metavar="INTEGER",
                help="How many bytes at most.",
                limits="an integer, 1 to 1048576; default 65536",
            ),
            FieldParam(
                field="as",
                kind="text",
                flags=("--as",),
                metavar="TEXT",
                help="base64: give the bytes themselves.",
                limits="one of text, base64; default text",
                choices=("text", "base64"),
            ),
        ),
        rules=(
            RuleInfo(kind="at_most_one_of", fields=("start_line", "offset")),
            RuleInfo(kind="at_most_one_of", fields=("lines", "offset")),
        ),
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
            ErrorInfo(
                code="path_outside_lane",
                exit=2,
                summary="The path leaves the lane or lies in git's own folder.",
            ),
            ErrorInfo(
                code="file_missing",
                exit=4,
                summary="There is nothing at that path of the lane, or a folder on the way is missing.",
            ),
            ErrorInfo(
                code="file_wrong_kind",
                exit=2,
                summary="What is at that path is of another kind than the action works on, such as a folder, a pipe or a device.",
            ),
            ErrorInfo(
                code="file_unusable", exit=1, summary="The system does not let the file be read or written."
            ),
            ErrorInfo(code="file_too_large", exit=1, summary="The file is larger than the action can take."),
        ),
        examples=(
            ExampleInfo(
                title="Two lines of a file",
                line="ade files read src/app.py --lane fix-login --start-line 2 --lines 2",
                error=None,
            ),
            ExampleInfo(
                title="A file that is not there",
                line="ade files read src/none.py --lane fix-login",
                error="file_missing",
            ),
            ExampleInfo(
                title="Git's own files",
                line="ade files read .GIT/config --lane fix-login",
                error="path_outside_lane",
            ),
        ),
        skeleton={
            "path": "",
            "lane": "",
            "start_line": 1,
            "lines": 1,
            "offset": 0,
            "max_bytes": 65536,
            "as": "text",
        },
    )


def file_rename() -> ActionCommand:
    return ActionCommand(
        "rename",
        group="files",
        action="file.rename",
        tool="file_rename",
        effect="write",
        scope="project",
        aliases=(),
        summary="Rename or move a file or folder within a lane; nothing is ever replaced.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="path",
                kind="text",
                flags=("--path",),
                metavar="PATH",
                help="Path from the lane's root with / between names; never absolute, never through .. or .git.",
                limits="text, 1 to 4096 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="to",
                kind="text",
                flags=("--to",),
                metavar="TO",
                help="New path from the lane's root.",
                limits="text, 1 to 4096 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to write in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="parents",
                kind="boolean",
                flags=("-p", "--parents"),
                metavar="BOOLEAN",
                help="Make folders that are missing.",
                limits="true or false; default false",
                off_flag="--no-parents",
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
                code="lane_required",
                exit=2,
                summary="The action writes and neither a lane was named nor the caller is inside one.",
            ),
            ErrorInfo(
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(
                code="path_outside_lane",
                exit=2,
                summary="The path leaves the lane or lies in git's own folder.",
            ),
            ErrorInfo(
                code="file_missing",
                exit=4,
                summary="There is nothing at that path of the lane, or a folder on the way is missing.",
            ),
            ErrorInfo(
                code="file_wrong_kind",
                exit=2,
                summary="What is at that path is of another kind than the action works on, such as a folder, a pipe or a device.",
            ),
            ErrorInfo(
                code="file_unusable", exit=1, summary="The system does not let the file be read or written."
            ),
            ErrorInfo(
                code="file_exists",
                exit=5,
                summary="Something is at that path already, and the action replaces nothing.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
        ),
        examples=(
            ExampleInfo(
                title="A file into another folder",
                line="ade files rename README.md src/README.md --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="Onto a file that is there",
                line="ade files rename README.md win.txt --lane fix-login",
                error="file_exists",
            ),
        ),
        skeleton={"path": "", "to": "", "lane": "", "parents": False},
    )


def file_search() -> ActionCommand:
    return ActionCommand(
        "search",
        group="files",
        action="file.search",
        tool="file_search",
        effect="read",
        scope="project",
        aliases=(),
        summary="Search the text of a lane's files, line by line.",
        description="Looks into what git tracks or would track, not into binary files nor files of more than 16 MiB. Answers are by path and line, the same with ripgrep installed, which makes it faster, and without. A regular expression knows literals, classes, groups, alternatives, repetition and ^ $ \\b; \\w \\d \\s and ignoring case are about ASCII letters.",
        guidance="",
        fields=(
            FieldParam(
                field="query",
                kind="text",
                flags=("--query",),
                metavar="QUERY",
                help="Text to find.",
                limits="text, 1 to 1000 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to search in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="regex",
                kind="boolean",
                flags=("-e", "--regex"),
                metavar="BOOLEAN",
                help="Read query as a regular expression.",
                limits="true or false; default false",
                off_flag="--no-regex",
            ),
            FieldParam(
                field="ignore_case",
                kind="boolean",
                flags=("-i", "--ignore-case"),
                metavar="BOOLEAN",
                help="Take capital and small ASCII letters for the same.",
                limits="true or false; default false",
                off_flag="--no-ignore-case",
            ),
            FieldParam(
                field="whole_word",
                kind="boolean",
                flags=("-w", "--whole-word"),
                metavar="BOOLEAN",
                help="Find whole words only.",
                limits="true or false; default false",
                off_flag="--no-whole-word",
            ),
            FieldParam(
                field="paths",
                kind="text",
                flags=("-p", "--paths"),
                metavar="TEXT",
                help="Only these files and folders.",
                limits="a list of at most 100 items, each text, 1 to 4096 characters",
                many=True,
            ),
            FieldParam(
                field="glob",
                kind="text",
                flags=("-g", "--glob"),
                metavar="TEXT",
                help="Only files whose name, or path where it holds a /, fits: * ? [abc] and ** for folders.",
                limits="text, 1 to 200 characters",
            ),
            FieldParam(
                field="untracked",
                kind="boolean",
                flags=("--untracked",),
                metavar="BOOLEAN",
                help="Search new files that git does not track yet.",
                limits="true or false; default true",
                off_flag="--no-untracked",
            ),
            FieldParam(
                field="context",
                kind="integer",
                flags=("-C", "--context"),
                metavar="INTEGER",
                help="Lines to show before and after each.",
                limits="an integer, 0 to 10; default 0",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many lines to return at most.",
                limits="an integer, 1 to 1000; default 100",
            ),
            FieldParam(
                field="cursor",
                kind="text",
                flags=("--cursor",),
                metavar="TEXT",
                help="Where to go on; next of the last answer.",
                limits="text, 1 to 8200 characters",
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
            ErrorInfo(
                code="path_outside_lane",
                exit=2,
                summary="The path leaves the lane or lies in git's own folder.",
            ),
            ErrorInfo(
                code="search_pattern_invalid",
                exit=2,
                summary="The regular expression is none, or uses what only some engines know.",
            ),
            ErrorInfo(code="invalid_glob", exit=2, summary="The pattern of names is none."),
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A word in two files",
                line="ade files search '= 2' --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A regular expression",
                line="ade files search '^t(wo|hree) ' --lane fix-login --regex --glob '*.py'",
                error=None,
            ),
            ExampleInfo(
                title="A pattern that is none",
                line="ade files search '(' --lane fix-login --regex",
                error="search_pattern_invalid",
            ),
            ExampleInfo(
                title="A glob that is none",
                line="ade files search two --lane fix-login --glob '['",
                error="invalid_glob",
            ),
        ),
        skeleton={
            "query": "",
            "lane": "",
            "regex": False,
            "ignore_case": False,
            "whole_word": False,
            "paths": [""],
            "glob": "",
            "untracked": True,
            "context": 0,
            "limit": 100,
            "cursor": "",
        },
    )


def file_tree() -> ActionCommand:
    return ActionCommand(
        "tree",
        group="files",
        action="file.tree",
        tool="file_tree",
        effect="read",
        scope="project",
        aliases=(),
        summary="List a folder of a lane as a tree.",
        description="Files that git ignores are left out unless asked for, and so are git's and ADE's own folders. Links are shown, not followed.",
        guidance="",
        fields=(
            FieldParam(
                field="path",
                kind="text",
                flags=("--path",),
                metavar="PATH",
                help="Folder to list, from the lane's root.",
                limits="text, 1 to 4096 characters; default .",
                positional=True,
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to look into; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="depth",
                kind="integer",
                flags=("-d", "--depth"),
                metavar="INTEGER",
                help="How many folders deep.",
                limits="an integer, 1 to 64; default 3",
            ),
            FieldParam(
                field="ignored",
                kind="boolean",
                flags=("--ignored",),
                metavar="BOOLEAN",
                help="List what git ignores, too.",
                limits="true or false; default false",
                off_flag="--no-ignored",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many to return at most.",
                limits="an integer, 1 to 2000; default 200",
            ),
            FieldParam(
                field="cursor",
                kind="text",
                flags=("--cursor",),
                metavar="TEXT",
                help="Where to go on; next of the last answer.",
                limits="text, 1 to 8200 characters",
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
            ErrorInfo(
                code="path_outside_lane",
                exit=2,
                summary="The path leaves the lane or lies in git's own folder.",
            ),
            ErrorInfo(
                code="file_missing",
                exit=4,
                summary="There is nothing at that path of the lane, or a folder on the way is missing.",
            ),
            ErrorInfo(
                code="file_wrong_kind",
                exit=2,
                summary="What is at that path is of another kind than the action works on, such as a folder, a pipe or a device.",
            ),
            ErrorInfo(
                code="file_unusable", exit=1, summary="The system does not let the file be read or written."
            ),
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
            ErrorInfo(code="git_missing", exit=7, summary="The git program cannot be started."),
            ErrorInfo(code="git_output_too_large", exit=1, summary="Git printed more than ADE takes in."),
            ErrorInfo(
                code="git_failed", exit=1, summary="Git could not do what was asked; its own words say why."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A lane with one file and a folder",
                line="ade files tree --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A folder outside of the lane",
                line="ade files tree .. --lane fix-login",
                error="path_outside_lane",
            ),
            ExampleInfo(
                title="A file is no folder",
                line="ade files tree README.md --lane fix-login",
                error="file_wrong_kind",
            ),
        ),
        skeleton={"path": ".", "lane": "", "depth": 3, "ignored": False, "limit": 200, "cursor": ""},
    )


def file_write() -> ActionCommand:
    return ActionCommand(
        "write",
        group="files",
        action="file.write",
        tool="file_write",
        effect="write",
        scope="project",
        aliases=(),
        summary="Write a whole file of a lane in one step.",
        description="The file is there as it was or as it should be, never in between. Of a file that exists, mode, encoding, line ends and whether its last line ends stay, unless newline or encoding say otherwise. With if_match it is written only if it still is what was read.",
        guidance="Read first, and give the hash you read as if_match.",
        fields=(
            FieldParam(
                field="path",
                kind="text",
                flags=("--path",),
                metavar="PATH",
                help="Path from the lane's root with / between names; never absolute, never through .. or .git.",
                limits="text, 1 to 4096 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="content",
                kind="text",
                flags=("--content",),
                metavar="TEXT",
                help="The whole text.",
                limits="text, at most 4194304 characters",
            ),
            FieldParam(
                field="base64",
                kind="text",
                flags=("--base64",),
                metavar="TEXT",
                help="The bytes themselves, in place of a text.",
                limits="text, at most 5592408 characters, matching ^[A-Za-z0-9+/]*=?=?$",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to write in; default is the caller's own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="if_match",
                kind="text",
                flags=("--if-match",),
                metavar="TEXT",
                help="Hash it must have, as read; else nothing is written.",
                limits="text, at most 71 characters, matching ^sha256:[0-9a-f]{64}$",
            ),
            FieldParam(
                field="newline",
                kind="text",
                flags=("--newline",),
                metavar="TEXT",
                help="keep: as the file has them; exact: as in content.",
                limits="one of keep, exact, lf, crlf; default keep",
                choices=("keep", "exact", "lf", "crlf"),
            ),
            FieldParam(
                field="encoding",
                kind="text",
                flags=("--encoding",),
                metavar="TEXT",
                help="keep: as the file has it; a new file is UTF-8.",
                limits="one of keep, utf-8, utf-8-bom, utf-16-le, utf-16-be, latin-1; default keep",
                choices=("keep", "utf-8", "utf-8-bom", "utf-16-le", "utf-16-be", "latin-1"),
            ),
            FieldParam(
                field="parents",
                kind="boolean",
                flags=("-p", "--parents"),
                metavar="BOOLEAN",
                help="Make folders that are missing.",
                limits="true or false; default false",
                off_flag="--no-parents",
            ),
        ),
        rules=(RuleInfo(kind="exactly_one_of", fields=("content", "base64")),),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(
                code="lane_required",
                exit=2,
                summary="The action writes and neither a lane was named nor the caller is inside one.",
            ),
            ErrorInfo(
                code="lane_not_a_worktree",
                exit=1,
                summary="The lane's folder is no longer a worktree of the project's repository; git was not run in it.",
            ),
            ErrorInfo(
                code="path_outside_lane",
                exit=2,
                summary="The path leaves the lane or lies in git's own folder.",
            ),
            ErrorInfo(
                code="file_missing",
                exit=4,
                summary="There is nothing at that path of the lane, or a folder on the way is missing.",
            ),
            ErrorInfo(
                code="file_wrong_kind",
                exit=2,
                summary="What is at that path is of another kind than the action works on, such as a folder, a pipe or a device.",
            ),
            ErrorInfo(
                code="file_unusable", exit=1, summary="The system does not let the file be read or written."
            ),
            ErrorInfo(
                code="file_changed",
                exit=5,
                summary="The file is not what the caller read; it was left as it is.",
            ),
            ErrorInfo(code="file_too_large", exit=1, summary="The file is larger than the action can take."),
            ErrorInfo(
                code="file_encoding",
                exit=5,
                summary="The text holds characters that the file's encoding does not have; the file was left as it is.",
            ),
            ErrorInfo(code="disk_full", exit=1, summary="The disk that holds the repository is full."),
        ),
        examples=(
            ExampleInfo(
                title="A file whose lines end as on Windows",
                line="ade files write win.txt --content 'one\nthree\n' --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A file that changed since it was read",
                line="ade files write README.md --content x --lane fix-login --if-match sha256:0000000000000000000000000000000000000000000000000000000000000000",
                error="file_changed",
            ),
            ExampleInfo(
                title="Through a folder that is not there",
                line="ade files write none/new.txt --content x --lane fix-login",
                error="file_missing",
            ),
        ),
        skeleton={
            "path": "",
            "content": "",
            "base64": "",
            "lane": "",
            "if_match": "",
            "newline": "keep",
            "encoding": "keep",
            "parents": False,
        },
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "blame": file_blame,
    "create": file_create,
    "delete": file_delete,
    "mkdir": file_mkdir,
    "quick-open": file_quick_open,
    "read": file_read,
    "rename": file_rename,
    "search": file_search,
    "tree": file_tree,
    "write": file_write,
}
