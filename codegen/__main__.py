"""``python -m codegen [gen|check|list]``: write what the specs call for, prove that it is current, list
actions.

Exit codes: 0 done, 1 what is on disk is not what the specs say, 2 the specs have faults (all are printed).
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codegen import ir

ROOT = Path(__file__).resolve().parents[1]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand; the heavy parts are imported by the one that needs them."""
    parser = argparse.ArgumentParser(prog="python -m codegen", description="Turn specs/ into ade_generated/.")
    parser.add_argument(
        "--root", type=Path, default=ROOT, help="project root (default: the one codegen is in)"
    )
    commands = parser.add_subparsers(dest="command", metavar="gen | check | list")
    commands.add_parser("gen", help="write what differs and remove what has no source (the default)")
    commands.add_parser("check", help="write nothing; exit 1 and show the difference where there is one")
    commands.add_parser("list", help="print every action with its tool name, effect, toolset and summary")
    given = parser.parse_args(argv)
    root = given.root.resolve()
    from codegen.diagnostics import SpecErrors
    from codegen.failure import GenerationError

    try:
        return _run(given.command or "gen", root)
    except SpecErrors as errors:
        sys.stderr.write(errors.render() + "\n")
        return 2
    except GenerationError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2


def _run(command: str, root: Path) -> int:
    if command == "list":
        from codegen.load import load_specs

        sys.stdout.write(listing(load_specs(root).actions))
        return 0
    from codegen import generate

    return generate.check(root) if command == "check" else generate.gen(root)


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
