"""Commands of the proof group. Generated from specs/domains/proof.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam, RuleInfo


def proof_attach() -> ActionCommand:
    return ActionCommand(
        "attach",
        group="proof",
        action="proof.attach",
        tool="attach_proof",
        effect="write",
        scope="project",
        aliases=(),
        summary="Put one file of a lane away as proof.",
        description="The content is copied and named by its hash; what becomes of the file afterwards does not matter. What it is, is told by its bytes, not by its name.",
        guidance="Say in the caption what is to be seen and what that proves; attach failures, too.",
        fields=(
            FieldParam(
                field="path",
                kind="text",
                flags=("--path",),
                metavar="PATH",
                help="File of the lane, relative to its folder.",
                limits="text, 1 to 4096 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="caption",
                kind="text",
                flags=("-c", "--caption"),
                metavar="TEXT",
                help="What is to be seen and what that proves.",
                limits="text, 1 to 2000 characters",
            ),
            FieldParam(
                field="kind",
                kind="text",
                flags=("--kind",),
                metavar="TEXT",
                help="What it must be; anything else is refused. Default is what its bytes say.",
                limits="one of png, jpeg, gif, webp, mp4, webm, pdf, text, json, log",
                choices=("png", "jpeg", "gif", "webp", "mp4", "webm", "pdf", "text", "json", "log"),
            ),
            FieldParam(
                field="about",
                kind="text",
                flags=("--about",),
                metavar="TEXT",
                help="What it is about, as an ade:// link.",
                limits="text, 1 to 8192 characters",
            ),
            FieldParam(
                field="pinned",
                kind="boolean",
                flags=("--pinned",),
                metavar="BOOLEAN",
                help="Keep it until it is unpinned.",
                limits="true or false; default false",
                off_flag="--no-pinned",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane it belongs to; default is your own.",
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
                code="proof_unreadable",
                exit=4,
                summary="The file is not in the lane, or is nothing that can be put away.",
            ),
            ErrorInfo(
                code="proof_too_large",
                exit=1,
                summary="The content is larger than one piece of proof may be.",
            ),
            ErrorInfo(
                code="proof_kind_unknown", exit=1, summary="The content is of no kind that is kept as proof."
            ),
            ErrorInfo(
                code="proof_kind_mismatch",
                exit=5,
                summary="The content is of another kind than it was said to be.",
            ),
            ErrorInfo(
                code="proof_store_full",
                exit=5,
                summary="The room for proof does not suffice, even without all that is not pinned.",
            ),
            ErrorInfo(
                code="invalid_deeplink",
                exit=2,
                summary="A deeplink, or the target to make one of, is not well-formed; details name the part and the place.",
            ),
            ErrorInfo(
                code="storage_full",
                exit=1,
                summary="The disk that holds ADE's database is full; nothing was done.",
            ),
            ErrorInfo(code="home_unusable", exit=7, summary="ADE_HOME or a folder in it cannot be used."),
        ),
        examples=(
            ExampleInfo(
                title="A log",
                line="ade proof attach notes.txt --caption 'All tests pass.' --kind log --about ade://lane/fix-login --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A file that is not what it is said to be",
                line="ade proof attach notes.txt --kind png --lane fix-login",
                error="proof_kind_mismatch",
            ),
            ExampleInfo(
                title="A file outside of the lane",
                line="ade proof attach ../../../README.md --lane fix-login",
                error="proof_unreadable",
            ),
        ),
        skeleton={"path": "", "caption": "", "kind": "png", "about": "", "pinned": False, "lane": ""},
    )


def proof_delete() -> ActionCommand:
    return ActionCommand(
        "delete",
        group="proof",
        action="proof.delete",
        tool="delete_proof",
        effect="destructive",
        scope="project",
        aliases=(),
        summary="Delete a piece of proof, and its content where no other piece has it.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="proof",
                kind="text",
                flags=("--proof",),
                metavar="PROOF",
                help="Id of a piece of proof, such as prf_01hq3vd5n2kq.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="proofs",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane it must belong to.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="proof_not_found",
                exit=4,
                summary="No piece of proof of the project has that id, or it belongs to another lane.",
            ),
            ErrorInfo(code="proof_pinned", exit=5, summary="A pinned piece of proof is not deleted."),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
        ),
        examples=(
            ExampleInfo(
                title="A piece that is not pinned",
                line="ade proof delete PROOF",
                error=None,
            ),
            ExampleInfo(
                title="A pinned one",
                line="ade proof delete PROOF",
                error="proof_pinned",
            ),
        ),
        skeleton={"proof": "", "lane": ""},
    )


def proof_environment() -> ActionCommand:
    return ActionCommand(
        "environment",
        group="proof",
        action="proof.environment",
        tool="get_environment_info",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Describe the screen, its windows and the pointer.",
        description="",
        guidance="",
        fields=(),
        rules=(),
        errors=(
            ErrorInfo(
                code="desktop_failed",
                exit=1,
                summary="The screen could not be used, or a program for it failed.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A screen",
                line="ade proof environment",
                error=None,
            ),
        ),
        skeleton={},
    )


def proof_export() -> ActionCommand:
    return ActionCommand(
        "export",
        group="proof",
        action="proof.export",
        tool="export_proof",
        effect="write",
        scope="project",
        aliases=(),
        summary="Copy the content of a piece of proof to a file.",
        description="In a session, to a file inside of its lane; the owner's shell may name any place. A file that exists is replaced only with overwrite.",
        guidance="",
        fields=(
            FieldParam(
                field="proof",
                kind="text",
                flags=("--proof",),
                metavar="PROOF",
                help="Id of a piece of proof, such as prf_01hq3vd5n2kq.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="proofs",
            ),
            FieldParam(
                field="path",
                kind="text",
                flags=("--path",),
                metavar="PATH",
                help="File to write, relative to the lane's folder.",
                limits="text, 1 to 4096 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="overwrite",
                kind="boolean",
                flags=("--overwrite",),
                metavar="BOOLEAN",
                help="Replace a file that is there.",
                limits="true or false; default false",
                off_flag="--no-overwrite",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to write into; default is your own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="proof_not_found",
                exit=4,
                summary="No piece of proof of the project has that id, or it belongs to another lane.",
            ),
            ErrorInfo(
                code="proof_content_gone",
                exit=1,
                summary="The content of a piece of proof is not there any more, or has been changed.",
            ),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(
                code="path_outside_lane",
                exit=2,
                summary="The path leaves the lane or lies in git's own folder.",
            ),
            ErrorInfo(
                code="proof_target_exists",
                exit=5,
                summary="The file to write a piece of proof to is there already.",
            ),
            ErrorInfo(code="proof_export_failed", exit=1, summary="The file could not be written."),
        ),
        examples=(
            ExampleInfo(
                title="Into the lane",
                line="ade proof export PROOF copy.log --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="Over a file that is there",
                line="ade proof export PROOF README.md --lane fix-login",
                error="proof_target_exists",
            ),
        ),
        skeleton={"proof": "", "path": "", "overwrite": False, "lane": ""},
    )


def proof_ingest() -> ActionCommand:
    return ActionCommand(
        "ingest",
        group="proof",
        action="proof.ingest",
        tool="ingest_computer_use_artifacts",
        effect="write",
        scope="project",
        aliases=(),
        summary="Put several files of a lane away as proof.",
        description="Each is told by its bytes. What cannot be put away is listed; it is an error only when nothing could be.",
        guidance="",
        fields=(
            FieldParam(
                field="paths",
                kind="text",
                flags=("--paths",),
                metavar="PATHS",
                help="Files of the lane, relative to its folder.",
                limits="a list of 1 to 50 items, no two alike, each text, 1 to 4096 characters",
                required=True,
                positional=True,
                many=True,
            ),
            FieldParam(
                field="caption",
                kind="text",
                flags=("-c", "--caption"),
                metavar="TEXT",
                help="What is to be seen and what that proves.",
                limits="text, 1 to 2000 characters",
            ),
            FieldParam(
                field="about",
                kind="text",
                flags=("--about",),
                metavar="TEXT",
                help="What they are about, as an ade:// link.",
                limits="text, 1 to 8192 characters",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane they belong to; default is your own.",
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
                code="proof_unreadable",
                exit=4,
                summary="The file is not in the lane, or is nothing that can be put away.",
            ),
            ErrorInfo(
                code="proof_too_large",
                exit=1,
                summary="The content is larger than one piece of proof may be.",
            ),
            ErrorInfo(
                code="proof_kind_unknown", exit=1, summary="The content is of no kind that is kept as proof."
            ),
            ErrorInfo(
                code="proof_store_full",
                exit=5,
                summary="The room for proof does not suffice, even without all that is not pinned.",
            ),
            ErrorInfo(
                code="invalid_deeplink",
                exit=2,
                summary="A deeplink, or the target to make one of, is not well-formed; details name the part and the place.",
            ),
            ErrorInfo(
                code="storage_full",
                exit=1,
                summary="The disk that holds ADE's database is full; nothing was done.",
            ),
            ErrorInfo(code="home_unusable", exit=7, summary="ADE_HOME or a folder in it cannot be used."),
        ),
        examples=(
            ExampleInfo(
                title="A file, and one that is not there",
                line="ade proof ingest notes.txt nothing.png --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="Nothing that could be put away",
                line="ade proof ingest nothing.png --lane fix-login",
                error="proof_unreadable",
            ),
        ),
        skeleton={"paths": [""], "caption": "", "about": "", "lane": ""},
    )


def proof_interact() -> ActionCommand:
    return ActionCommand(
        "interact",
        group="proof",
        action="proof.interact",
        tool="interact_gui",
        effect="write",
        scope="machine",
        aliases=(),
        summary="Use mouse and keyboard on the screen, step by step.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="steps",
                kind="json",
                flags=("--steps",),
                metavar="JSON",
                help="What to do, in order: click, move, drag, scroll, type, key, focus or wait.",
                limits="a list of 1 to 50 items, each a JSON object told apart by action: click | move | drag | scroll | type | key | focus | wait",
                required=True,
                many=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="desktop_failed",
                exit=1,
                summary="The screen could not be used, or a program for it failed.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A click",
                line='ade proof interact --steps \'{"action": "click", "x": 20, "y": 30}\' --steps \'{"action": "key", "keys": "shift"}\'',
                error=None,
            ),
        ),
        skeleton={"steps": [{"action": "click", "x": 0, "y": 0, "button": "left", "count": 1}]},
    )


def proof_launch_app() -> ActionCommand:
    return ActionCommand(
        "launch-app",
        group="proof",
        action="proof.launch_app",
        tool="launch_app",
        effect="write",
        scope="project",
        aliases=(),
        summary="Start a graphical program in the lane's folder, and wait for its window.",
        description="The program is left running; end it when you are done. It gets no token of yours.",
        guidance="",
        fields=(
            FieldParam(
                field="command",
                kind="text",
                flags=("--command",),
                metavar="COMMAND",
                help="Program and arguments.",
                limits="a list of 1 to 100 items, each text, at most 4096 characters",
                required=True,
                positional=True,
                many=True,
            ),
            FieldParam(
                field="wait",
                kind="number",
                flags=("--wait",),
                metavar="NUMBER",
                help="Seconds to wait for a window.",
                limits="a number, 0.0 to 30.0; default 5.0",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to start it in; default is your own.",
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
                code="desktop_failed",
                exit=1,
                summary="The screen could not be used, or a program for it failed.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A program that ends at once",
                line="ade proof launch-app true --wait 5 --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="A program that does not exist",
                line="ade proof launch-app no-such-program-anywhere --lane fix-login",
                error="desktop_failed",
            ),
        ),
        skeleton={"command": [""], "wait": 5.0, "lane": ""},
    )


def proof_limit() -> ActionCommand:
    return ActionCommand(
        "limit",
        group="proof",
        action="proof.limit",
        tool="set_proof_limits",
        effect="write",
        scope="machine",
        aliases=(),
        summary="Set how much proof is kept on this machine, and how long.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="max_bytes",
                kind="integer",
                flags=("--max-bytes",),
                metavar="INTEGER",
                help="Bytes of contents to keep at most.",
                limits="an integer, 1048576 to 1099511627776",
            ),
            FieldParam(
                field="max_age_days",
                kind="integer",
                flags=("--max-age-days",),
                metavar="INTEGER",
                help="Days after which a piece goes that is not pinned.",
                limits="an integer, 1 to 36500",
            ),
        ),
        rules=(RuleInfo(kind="at_least_one_of", fields=("max_bytes", "max_age_days")),),
        errors=(),
        examples=(
            ExampleInfo(
                title="A month",
                line="ade proof limit --max-age-days 30",
                error=None,
            ),
        ),
        skeleton={"max_bytes": 1048576, "max_age_days": 1},
    )


def proof_list() -> ActionCommand:
    return ActionCommand(
        "list",
        group="proof",
        action="proof.list",
        tool="list_computer_use_artifacts",
        effect="read",
        scope="project",
        aliases=(),
        summary="List proof, the newest first.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Only that of this lane.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="TEXT",
                help="Only what this session put away.",
                limits="text, 1 to 60 characters",
                complete="sessions",
            ),
            FieldParam(
                field="about",
                kind="text",
                flags=("--about",),
                metavar="TEXT",
                help="Only what is about this.",
                limits="text, 1 to 8192 characters",
            ),
            FieldParam(
                field="kind",
                kind="text",
                flags=("--kind",),
                metavar="TEXT",
                help="Only that of this kind.",
                limits="one of png, jpeg, gif, webp, mp4, webm, pdf, text, json, log",
                choices=("png", "jpeg", "gif", "webp", "mp4", "webm", "pdf", "text", "json", "log"),
            ),
            FieldParam(
                field="pinned",
                kind="boolean",
                flags=("--pinned",),
                metavar="BOOLEAN",
                help="Only what is pinned, or only what is not.",
                limits="true or false",
                off_flag="--no-pinned",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many to return at most.",
                limits="an integer, 1 to 1000; default 100",
            ),
            FieldParam(
                field="cursor",
                kind="text",
                flags=("--cursor",),
                metavar="TEXT",
                help="Where to go on; next of the last answer.",
                limits="text, 1 to 120 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
            ErrorInfo(
                code="invalid_deeplink",
                exit=2,
                summary="A deeplink, or the target to make one of, is not well-formed; details name the part and the place.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="That of one lane",
                line="ade proof list --lane fix-login --kind log",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade proof list --cursor nowhere",
                error="invalid_cursor",
            ),
        ),
        skeleton={
            "lane": "",
            "session": "",
            "about": "",
            "kind": "png",
            "pinned": False,
            "limit": 100,
            "cursor": "",
        },
    )


def proof_publish() -> ActionCommand:
    return ActionCommand(
        "publish",
        group="proof",
        action="proof.publish",
        tool="publish_proof",
        effect="read",
        scope="project",
        aliases=(),
        summary="Write the Markdown of a comment that shows proof; it posts nothing.",
        description="Short texts stand in the comment. Other contents cannot travel in a text: give the address of each that you uploaded, and the comment shows it; of the rest it gives name, size and hash.",
        guidance="",
        fields=(
            FieldParam(
                field="proofs",
                kind="text",
                flags=("--proofs",),
                metavar="PROOFS",
                help="Pieces to show; default is all of the lane, at most 50.",
                limits="a list of 1 to 50 items, no two alike, each text, 1 to 60 characters",
                positional=True,
                many=True,
                complete="proofs",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane whose proof is meant; default is your own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="about",
                kind="text",
                flags=("--about",),
                metavar="TEXT",
                help="Only what is about this.",
                limits="text, 1 to 8192 characters",
            ),
            FieldParam(
                field="title",
                kind="text",
                flags=("--title",),
                metavar="TEXT",
                help="Heading of the comment.",
                limits="text, 1 to 200 characters; default Proof",
            ),
            FieldParam(
                field="urls",
                kind="json",
                flags=("--urls",),
                metavar="JSON",
                help="Where a content can be seen: an https address by the id of the piece.",
                limits="a JSON object of names to text, 1 to 2000 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="proof_not_found",
                exit=4,
                summary="No piece of proof of the project has that id, or it belongs to another lane.",
            ),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(code="nothing_to_publish", exit=4, summary="There is no proof to show."),
            ErrorInfo(
                code="invalid_deeplink",
                exit=2,
                summary="A deeplink, or the target to make one of, is not well-formed; details name the part and the place.",
            ),
            ErrorInfo(
                code="invalid_proof_url", exit=2, summary="An address is not one that a comment may show."
            ),
        ),
        examples=(
            ExampleInfo(
                title="That of a lane",
                line="ade proof publish --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="An address that a browser would run",
                line='ade proof publish --lane fix-login --urls \'{"prf_x": "javascript:alert(1)"}\'',
                error="invalid_proof_url",
            ),
            ExampleInfo(
                title="A lane without proof",
                line="ade proof publish --lane fix-login",
                error="nothing_to_publish",
            ),
        ),
        skeleton={"proofs": [""], "lane": "", "about": "", "title": "Proof", "urls": {}},
    )


def proof_record() -> ActionCommand:
    return ActionCommand(
        "record",
        group="proof",
        action="proof.record",
        tool="record_environment",
        effect="write",
        scope="project",
        aliases=(),
        summary="Record the screen for some seconds and put the film away as proof.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="seconds",
                kind="number",
                flags=("--seconds",),
                metavar="SECONDS",
                help="How long.",
                limits="a number, 0.1 to 300.0; default 10.0",
                positional=True,
            ),
            FieldParam(
                field="fps",
                kind="integer",
                flags=("--fps",),
                metavar="INTEGER",
                help="Pictures a second.",
                limits="an integer, 1 to 60; default 10",
            ),
            FieldParam(
                field="area",
                kind="json",
                flags=("--area",),
                metavar="JSON",
                help="Part of the screen; default is all of it.",
                limits="a JSON object with left, top, width, height",
            ),
            FieldParam(
                field="caption",
                kind="text",
                flags=("-c", "--caption"),
                metavar="TEXT",
                help="What is to be seen and what that proves.",
                limits="text, 1 to 2000 characters",
            ),
            FieldParam(
                field="about",
                kind="text",
                flags=("--about",),
                metavar="TEXT",
                help="What it is about, as an ade:// link.",
                limits="text, 1 to 8192 characters",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane it belongs to; default is your own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="desktop_failed",
                exit=1,
                summary="The screen could not be used, or a program for it failed.",
            ),
            ErrorInfo(
                code="proof_store_full",
                exit=5,
                summary="The room for proof does not suffice, even without all that is not pinned.",
            ),
            ErrorInfo(
                code="proof_too_large",
                exit=1,
                summary="The content is larger than one piece of proof may be.",
            ),
            ErrorInfo(
                code="invalid_deeplink",
                exit=2,
                summary="A deeplink, or the target to make one of, is not well-formed; details name the part and the place.",
            ),
            ErrorInfo(
                code="storage_full",
                exit=1,
                summary="The disk that holds ADE's database is full; nothing was done.",
            ),
            ErrorInfo(code="home_unusable", exit=7, summary="ADE_HOME or a folder in it cannot be used."),
        ),
        examples=(
            ExampleInfo(
                title="A moment",
                line='ade proof record 0.2 --area \'{"left": 0, "top": 0, "width": 64, "height": 64}\' --lane fix-login',
                error=None,
            ),
        ),
        skeleton={
            "seconds": 10.0,
            "fps": 10,
            "area": {"left": 0, "top": 0, "width": 1, "height": 1},
            "caption": "",
            "about": "",
            "lane": "",
        },
    )


def proof_screenshot() -> ActionCommand:
    return ActionCommand(
        "screenshot",
        group="proof",
        action="proof.screenshot",
        tool="screenshot_environment",
        effect="write",
        scope="project",
        aliases=(),
        summary="Put a picture of the screen away as proof.",
        description="",
        guidance="Look at the picture before you rely on it; its path is in the answer.",
        fields=(
            FieldParam(
                field="area",
                kind="json",
                flags=("--area",),
                metavar="JSON",
                help="Part of the screen; default is all of it.",
                limits="a JSON object with left, top, width, height",
            ),
            FieldParam(
                field="caption",
                kind="text",
                flags=("-c", "--caption"),
                metavar="TEXT",
                help="What is to be seen and what that proves.",
                limits="text, 1 to 2000 characters",
            ),
            FieldParam(
                field="about",
                kind="text",
                flags=("--about",),
                metavar="TEXT",
                help="What it is about, as an ade:// link.",
                limits="text, 1 to 8192 characters",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane it belongs to; default is your own.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="desktop_failed",
                exit=1,
                summary="The screen could not be used, or a program for it failed.",
            ),
            ErrorInfo(
                code="proof_store_full",
                exit=5,
                summary="The room for proof does not suffice, even without all that is not pinned.",
            ),
            ErrorInfo(
                code="proof_too_large",
                exit=1,
                summary="The content is larger than one piece of proof may be.",
            ),
            ErrorInfo(
                code="invalid_deeplink",
                exit=2,
                summary="A deeplink, or the target to make one of, is not well-formed; details name the part and the place.",
            ),
            ErrorInfo(
                code="storage_full",
                exit=1,
                summary="The disk that holds ADE's database is full; nothing was done.",
            ),
            ErrorInfo(code="home_unusable", exit=7, summary="ADE_HOME or a folder in it cannot be used."),
        ),
        examples=(
            ExampleInfo(
                title="A part of the screen",
                line='ade proof screenshot --area \'{"left": 0, "top": 0, "width": 32, "height": 16}\' --caption \'The corner.\' --lane fix-login',
                error=None,
            ),
        ),
        skeleton={
            "area": {"left": 0, "top": 0, "width": 1, "height": 1},
            "caption": "",
            "about": "",
            "lane": "",
        },
    )


def proof_show() -> ActionCommand:
    return ActionCommand(
        "show",
        group="proof",
        action="proof.show",
        tool="show_proof",
        effect="read",
        scope="project",
        aliases=(),
        summary="Show a piece of proof, and its content where that is text.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="proof",
                kind="text",
                flags=("--proof",),
                metavar="PROOF",
                help="Id of a piece of proof, such as prf_01hq3vd5n2kq.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="proofs",
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
                help="Bytes of text to return at most.",
                limits="an integer, 1 to 1048576; default 65536",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="proof_not_found",
                exit=4,
                summary="No piece of proof of the project has that id, or it belongs to another lane.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A log",
                line="ade proof show PROOF",
                error=None,
            ),
            ExampleInfo(
                title="A piece that nobody put away",
                line="ade proof show prf_nothing",
                error="proof_not_found",
            ),
        ),
        skeleton={"proof": "", "offset": 0, "max_bytes": 65536},
    )


def proof_status() -> ActionCommand:
    return ActionCommand(
        "status",
        group="proof",
        action="proof.status",
        tool="get_proof_status",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Tell how much proof is kept, and what this machine can show of its screen.",
        description="",
        guidance="",
        fields=(),
        rules=(),
        errors=(),
        examples=(
            ExampleInfo(
                title="A piece of proof",
                line="ade proof status",
                error=None,
            ),
        ),
        skeleton={},
    )


def proof_sweep() -> ActionCommand:
    return ActionCommand(
        "sweep",
        group="proof",
        action="proof.sweep",
        tool="sweep_proof",
        effect="destructive",
        scope="machine",
        aliases=(),
        summary="Let go of proof that is past the limits of age and size, the oldest first.",
        description="Pinned pieces stay. The same is done by itself whenever something is put away and the room does not suffice.",
        guidance="",
        fields=(
            FieldParam(
                field="preview",
                kind="boolean",
                flags=("--preview",),
                metavar="BOOLEAN",
                help="Tell what would go, and remove nothing.",
                limits="true or false; default false",
                off_flag="--no-preview",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="home_unusable", exit=7, summary="ADE_HOME or a folder in it cannot be used."),
        ),
        examples=(
            ExampleInfo(
                title="Nothing is too old",
                line="ade proof sweep --preview",
                error=None,
            ),
        ),
        skeleton={"preview": False},
    )


def proof_update() -> ActionCommand:
    return ActionCommand(
        "update",
        group="proof",
        action="proof.update",
        tool="update_proof",
        effect="write",
        scope="project",
        aliases=(),
        summary="Change the caption of a piece of proof, what it is about, or whether it is pinned.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="proof",
                kind="text",
                flags=("--proof",),
                metavar="PROOF",
                help="Id of a piece of proof, such as prf_01hq3vd5n2kq.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="proofs",
            ),
            FieldParam(
                field="caption",
                kind="text",
                flags=("-c", "--caption"),
                metavar="TEXT",
                help="What is to be seen and what that proves.",
                limits="text, 1 to 2000 characters",
            ),
            FieldParam(
                field="about",
                kind="text",
                flags=("--about",),
                metavar="TEXT",
                help="What it is about, as an ade:// link.",
                limits="text, 1 to 8192 characters",
            ),
            FieldParam(
                field="pinned",
                kind="boolean",
                flags=("--pinned",),
                metavar="BOOLEAN",
                help="Whether it is to stay until it is unpinned.",
                limits="true or false",
                off_flag="--no-pinned",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane it must belong to.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(RuleInfo(kind="at_least_one_of", fields=("caption", "about", "pinned")),),
        errors=(
            ErrorInfo(
                code="proof_not_found",
                exit=4,
                summary="No piece of proof of the project has that id, or it belongs to another lane.",
            ),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="invalid_deeplink",
                exit=2,
                summary="A deeplink, or the target to make one of, is not well-formed; details name the part and the place.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="Keep it",
                line="ade proof update PROOF --pinned",
                error=None,
            ),
        ),
        skeleton={"proof": "", "caption": "", "about": "", "pinned": False, "lane": ""},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "attach": proof_attach,
    "delete": proof_delete,
    "environment": proof_environment,
    "export": proof_export,
    "ingest": proof_ingest,
    "interact": proof_interact,
    "launch-app": proof_launch_app,
    "limit": proof_limit,
    "list": proof_list,
    "publish": proof_publish,
    "record": proof_record,
    "screenshot": proof_screenshot,
    "show": proof_show,
    "status": proof_status,
    "sweep": proof_sweep,
    "update": proof_update,
}
