"""Running the checks, mending what is safe to mend, printing."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import Any

from ade_runtime.cli.clean import clean_line
from ade_runtime.cli.local_options import read_options, refusal
from ade_runtime.contracts import AdeError
from ade_runtime.machine.doctor import (
    accounts,
    agents,
    command_path,
    database,
    folders,
    git,
    git_locks,
    held,
    program,
    project,
    runtime,
    sandboxes,
    service,
    skills,
)
from ade_runtime.machine.doctor.rows import Check, Place, Row

USAGE = """Usage: ade doctor [--fix] [--clients] [--json | --text]

Check this machine: this installation, folders and their modes, socket, lock and runtime, database, git, the project here,
programs that ADE keeps running, accounts (whether a token is there; nothing is sent anywhere), agent programs and what their
sandboxes let them reach, PATH, skills, service. Each row is ok, warn or fail, and says the next step where it is not ok.

  --clients  Also run Claude Code, Codex and OpenCode, where they are installed, once each (up to 90 s): in a home of its own,
         against a model and an MCP server that this command plays on 127.0.0.1. Tells which revision of MCP it speaks, what
         of a tool's schema and result its model is shown, and whether it reaches the server. Your settings and accounts are
         neither read nor changed.
  --fix  Take the next step where it is safe, then check again: close folders and files of ADE that are open to others, remove
         lock files of git that no process holds.

Exit codes: 0 nothing failed, 1 something failed.
"""
CHECKS: tuple[Check, ...] = (
    program.check,
    folders.check,
    runtime.check,
    database.check,
    git.check,
    project.check,
    git_locks.check,
    held.check,
    accounts.check,
    command_path.check,
    agents.check,
    sandboxes.check,
    skills.check,
    service.check,
)
"""In the order they are shown."""


def run_doctor(args: list[str], *, text: bool) -> int:
    """Print every row and give exit code 1 when one failed."""
    options = read_options(args, "doctor", flags=["--fix", "--clients"])
    if options.help:
        sys.stdout.write(USAGE)
        return 0
    if options.words:
        raise refusal(f"unexpected argument {options.words[0]!r}", "doctor")
    checks = CHECKS
    if "--clients" in options.flags:
        from ade_runtime.machine.doctor.clients import check as clients

        checks = (*CHECKS, clients.check)
    rows = examine(Place.here(), checks)
    fixed: list[str] = []
    if "--fix" in options.flags and any(row.fix for row in rows):
        fixed = fix(rows)
        rows = examine(Place.here(), checks)
    failed = any(row.state == "fail" for row in rows)
    if text:
        sys.stdout.write(
            "".join(f"fixed {clean_line(one)}\n" for one in fixed) + as_text(rows, terminal_width())
        )
    else:
        document: dict[str, Any] = {"ok": not failed, "fixed": fixed, "items": [as_item(row) for row in rows]}
        sys.stdout.write(json.dumps(document) + "\n")
    return int(failed)


def examine(place: Place, checks: Sequence[Check] | None = None) -> list[Row]:
    """All rows. A check that fails itself is a row that says so."""
    rows: list[Row] = []
    for check in CHECKS if checks is None else checks:
        try:
            rows += check(place)
        except (OSError, AdeError) as problem:
            name = check.__module__.rpartition(".")[2]
            rows.append(Row(name, "fail", f"the check could not be made: {problem}", "Report this."))
    return rows


def fix(rows: list[Row]) -> list[str]:
    """Take every safe step; gives the names of the checks it was taken for."""
    done = []
    for row in rows:
        if row.fix is None:
            continue
        try:
            row.fix()
        except OSError:
            continue  # the row is still there when looked at again
        done.append(row.check)
    return done


def as_item(row: Row) -> dict[str, Any]:
    """A row as JSON."""
    return {
        "check": row.check,
        "state": row.state,
        "found": row.found,
        "next": row.next,
        "fixable": row.fix is not None,
    }


def as_text(rows: list[Row], width: int | None = None) -> str:
    """One line a row, the next step below it; broken between words where a terminal of ``width`` columns ends."""
    widest = max(len(row.check) for row in rows)
    lines = []
    for row in rows:
        lines += _lines(f"{row.state:<4}  {row.check:<{widest}}  ", clean_line(row.found), width)
        if row.next:
            lines += _lines(" " * (widest + 8), f"next: {clean_line(row.next)}", width)
    return "\n".join(lines) + "\n"


def terminal_width() -> int | None:
    """Columns of the terminal that shows the rows; ``None`` where none does."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def _lines(lead: str, text: str, width: int | None) -> list[str]:
    if width is None:
        return [lead + text]
    room = max(width - len(lead), 20)
    parts = textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False) or [""]
    return [lead + parts[0], *(" " * len(lead) + part for part in parts[1:])]
