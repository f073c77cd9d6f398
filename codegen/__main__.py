"""``python -m codegen [gen|check|list|diff|lint|release|site|watch]``: write what the specs call for, prove that it is current,
list actions, compare specs with what they were, say what could be better about them, write the documentation as a site.

Exit codes: 0 done, 1 what is on disk is not what the specs say, or the specs break their callers, 2 the specs have faults (all
are printed).
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codegen import ir

ROOT = Path(__file__).resolve().parents[1]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand; the heavy parts are imported by the one that needs them."""
    given = _parser().parse_args(argv)
    root = given.root.resolve()
    from codegen.diagnostics import SpecErrors
    from codegen.failure import GenerationError

    try:
        if not root.is_dir():
            raise GenerationError(f"there is no folder {root}")
        return _run(given, root)
    except SpecErrors as errors:
        sys.stderr.write(errors.render() + "\n")
        return 2
    except (GenerationError, OSError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m codegen", description="Turn specs/ into ade_generated/.")
    parser.add_argument(
        "--root", type=Path, default=ROOT, help="project root (default: the one codegen is in)"
    )
    commands = parser.add_subparsers(
        dest="command", metavar="gen | check | list | diff | lint | release | site | watch"
    )
    commands.add_parser("gen", help="write what differs and remove what has no source (the default)")
    commands.add_parser(
        "check", help="write nothing; exit 1 and show each difference, and each break that nobody announced"
    )
    commands.add_parser("list", help="print every action with its tool name, effect, toolset and summary")
    commands.add_parser(
        "watch", help="generate again whenever a spec is saved, and say at once what is wrong with it"
    )
    diff = commands.add_parser(
        "diff", help="say which changes of the specs break their callers; exit 1 where one does"
    )
    diff.add_argument(
        "old", nargs="?", default="released", help="folder, git revision or kept release (default: released)"
    )
    diff.add_argument(
        "new", nargs="?", default=".", help="the same of what it is compared with (default: this project)"
    )
    diff.add_argument(
        "--level", choices=("breaking", "risky", "safe"), default="safe", help="least level to print"
    )
    diff.add_argument("--json", action="store_true", help="print the findings as a JSON list")
    diff.add_argument(
        "--explain", metavar="RULE", help="say what a rule means, and nothing else; all for every rule"
    )
    lint = commands.add_parser(
        "lint", help="say what could be better about the specs; exit 1 where it is an error"
    )
    lint.add_argument(
        "--level", choices=("error", "warning", "note"), default="warning", help="least severity to print"
    )
    lint.add_argument("--fix", action="store_true", help="mend what can be, keeping comments and layout")
    lint.add_argument("--json", action="store_true", help="print the findings as a JSON list")
    lint.add_argument(
        "--explain", metavar="RULE", help="say what a rule is for, and nothing else; all for every rule"
    )
    release = commands.add_parser(
        "release",
        help="keep today's specs in specs/released and the release in tests/compat, for later ones to be held to",
    )
    release.add_argument("version", help="the version that is released, such as 0.2.0")
    site = commands.add_parser("site", help="write the documentation as a site that needs no server")
    site.add_argument("--out", type=Path, default=None, help="folder to write (default: build/site)")
    site.add_argument(
        "--pack",
        type=Path,
        action="append",
        default=[],
        metavar="FOLDER",
        help="also show the pack of this project (.ade/specs) or Python package (ade_specs)",
    )
    return parser


def _run(given: argparse.Namespace, root: Path) -> int:
    command = given.command or "gen"
    if command == "list":
        from codegen.load import load_specs

        sys.stdout.write(listing(load_specs(root).actions))
        return 0
    if command in ("diff", "release"):
        return _compare(given, root)
    if command == "lint":
        return _lint(given, root)
    if command == "site":
        from codegen.site.command import write

        sys.stdout.write(write(root, (given.out or root / "build" / "site").resolve(), given.pack))
        return 0
    if command == "watch":
        from codegen.watch import ANEW, watch

        if (code := watch(root)) == ANEW:
            os.execv(sys.executable, [sys.executable, "-m", "codegen", *sys.argv[1:]])
        return code
    from codegen import generate

    return generate.check(root) if command == "check" else generate.gen(root)


def _compare(given: argparse.Namespace, root: Path) -> int:
    from codegen.compat import command

    text, code = "", 0
    if given.command == "release":
        text = command.release(root, given.version)
    elif given.explain:
        text = command.explained(given.explain)
    else:
        text, code = command.diff(root, given.old, given.new, least=given.level, as_json=given.json)
    sys.stdout.write(text)
    return code


def _lint(given: argparse.Namespace, root: Path) -> int:
    from codegen.lint import command

    if given.explain:
        text, code = command.explain(given.explain), 0
    else:
        text, code = command.run(root, least=given.level, fix=given.fix, as_json=given.json)
    sys.stdout.write(text)
    return code


def listing(actions: Sequence[ir.Action]) -> str:
    """One line an action, in columns."""
    rows = [("ACTION", "TOOL", "EFFECT", "TOOLSET", "SUMMARY")]
    rows += [(a.id, a.tool, a.effect, a.toolset, a.summary.one_line()) for a in actions]
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    return "".join("  ".join(map(str.ljust, row, widths)).rstrip() + "\n" for row in rows)


if __name__ == "__main__":
    # A run makes much and drops little: looking for garbage, at the end too, costs a sixth of its time.
    gc.disable()
    code = main()
    gc.freeze()
    sys.exit(code)
