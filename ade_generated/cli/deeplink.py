"""Commands of the deeplinks group. Generated from specs/domains/deeplink.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam


def deeplink_mint() -> ActionCommand:
    return ActionCommand(
        "mint",
        group="deeplinks",
        action="deeplink.mint",
        tool="mint_deeplink",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Make the ade:// link to something.",
        description="Nothing is looked up: whether the target exists is told to whoever opens the link. The same target always gives the same link.",
        guidance="Put links into comments and pull requests, so that a reader gets to the very line you mean.",
        fields=(
            FieldParam(
                field="target",
                kind="json",
                flags=("--target",),
                metavar="JSON",
                help="What to link to: kind (lane, session, run, file, commit, pr or issue) and the fields of that kind.",
                limits="a JSON object told apart by kind: lane | session | run | file | commit | pr | issue",
                required=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="invalid_deeplink",
                exit=2,
                summary="A deeplink, or the target to make one of, is not well-formed; details name the part and the place.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="Lines of a file in a lane",
                line='ade deeplinks mint --target \'{"kind": "file", "lane": "fix-login", "path": "src/log in.py", "line": 3, "end_line": 9}\'',
                error=None,
            ),
            ExampleInfo(
                title="A pull request",
                line='ade deeplinks mint --target \'{"kind": "pr", "repository": "octo/shop", "number": 7}\'',
                error=None,
            ),
            ExampleInfo(
                title="An issue of Linear",
                line='ade deeplinks mint --target \'{"kind": "issue", "issue": "ENG-123"}\'',
                error=None,
            ),
            ExampleInfo(
                title="A path that leads out of the repository",
                line='ade deeplinks mint --target \'{"kind": "file", "path": "../secrets.txt"}\'',
                error="invalid_deeplink",
            ),
        ),
        skeleton={"target": {"kind": "lane", "project": "", "lane": ""}},
    )


def deeplink_parse() -> ActionCommand:
    return ActionCommand(
        "parse",
        group="deeplinks",
        action="deeplink.parse",
        tool="parse_deeplink",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Tell what an ade:// link leads to, and its canonical spelling.",
        description="A link with an unknown kind, a missing or unknown part, or a wrong escape is refused, with the place where it is wrong.",
        guidance="",
        fields=(
            FieldParam(
                field="link",
                kind="text",
                flags=("--link",),
                metavar="LINK",
                help="A link such as ade://lane/fix-login.",
                limits="text, 1 to 8192 characters",
                required=True,
                positional=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="invalid_deeplink",
                exit=2,
                summary="A deeplink, or the target to make one of, is not well-formed; details name the part and the place.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A link in another spelling",
                line="ade deeplinks parse ADE://lane/fix%2dlogin",
                error=None,
            ),
            ExampleInfo(
                title="A commit in a project",
                line="ade deeplinks parse 'ade://commit/0a1b2c3?project=shop'",
                error=None,
            ),
            ExampleInfo(
                title="A kind that does not exist",
                line="ade deeplinks parse ade://planet/mars",
                error="invalid_deeplink",
            ),
            ExampleInfo(
                title="An escape that is cut off",
                line="ade deeplinks parse ade://lane/fix%2",
                error="invalid_deeplink",
            ),
        ),
        skeleton={"link": ""},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "mint": deeplink_mint,
    "parse": deeplink_parse,
}
