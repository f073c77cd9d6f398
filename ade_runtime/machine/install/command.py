"""``ade install`` and ``ade uninstall``."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from ade_runtime.cli.clean import clean_line
from ade_runtime.cli.local_options import LocalOptions, read_options, refusal
from ade_runtime.client.address import ade_home
from ade_runtime.machine import login_shell
from ade_runtime.machine.install import files, launcher, record
from ade_runtime.machine.install.files import UnusableFileError
from ade_runtime.machine.install.plan import Plan, plan_install, plan_uninstall
from ade_runtime.machine.install.record import Record
from ade_runtime.machine.install.steps import Step
from ade_runtime.machine.login_shell import KNOWN_SHELLS, ShellSilentError

INSTALL_USAGE = """Usage: ade install [--dry-run] [--bin-dir DIR] [--shell bash|zsh|fish] [--json | --text]

Put ade within reach of your shells: a launcher in ~/.local/bin, completions where bash, zsh and fish look for them, and,
only if your login shell does not find the launcher's folder, a marked block in its rc file. Doing it again changes nothing.
A file that ade did not make is never overwritten.

  --dry-run      Show what would be done and change nothing.
  --bin-dir DIR  Put the launcher there instead.
  --shell SHELL  Whose rc file to use (default: your login shell).

Exit codes: 0 done, 1 a file could not be changed (it is named), 5 somebody else's ade is in the launcher's place.
"""
UNINSTALL_USAGE = """Usage: ade uninstall [--dry-run] [--bin-dir DIR] [--json | --text]

Take out what `ade install` put in: launcher, completions, and the marked block, which leaves its file as it was before, to
the byte. What ade did not mark stays. Your projects, lanes and ADE_HOME stay too.

  --dry-run      Show what would be done and change nothing.
  --bin-dir DIR  Look for a launcher there too.

Exit codes: 0 done (also when nothing was installed), 1 a file could not be changed (it is named).
"""
_WORDS = {
    "create": ("would create", "created"),
    "change": ("would change", "changed"),
    "remove": ("would remove", "removed"),
    "keep": ("would keep", "kept"),
    "blocked": ("cannot use", "could not use"),
}


def run_install(args: list[str], *, text: bool) -> int:
    """Perform ``ade install`` and give its exit code."""
    options = read_options(args, "install", flags=["--dry-run"], values=["--bin-dir", "--shell"])
    if options.help:
        sys.stdout.write(INSTALL_USAGE)
        return 0
    shell = options.values.get("--shell")
    if options.words or (shell is not None and shell not in KNOWN_SHELLS):
        problem = f"unexpected argument {options.words[0]!r}" if options.words else f"no shell {shell!r}"
        raise refusal(problem, "install")
    environ = dict(os.environ)
    bin_dir = _bin_dir(options, "install")
    program = launcher.installed_program()
    plan = asyncio.run(plan_install(environ, program=program, bin_dir=bin_dir, shell=shell))
    dry_run = "--dry-run" in options.flags
    if not dry_run:
        _install(plan, Path(ade_home(environ)))
        plan.notes += _reach(plan, environ)
    return _report(plan, dry_run=dry_run, text=text)


def run_uninstall(args: list[str], *, text: bool) -> int:
    """Perform ``ade uninstall`` and give its exit code."""
    options = read_options(args, "uninstall", flags=["--dry-run"], values=["--bin-dir"])
    if options.help:
        sys.stdout.write(UNINSTALL_USAGE)
        return 0
    if options.words:
        raise refusal(f"unexpected argument {options.words[0]!r}", "uninstall")
    environ = dict(os.environ)
    home = Path(ade_home(environ))
    found = record.load(home)
    plan = plan_uninstall(environ, found, bin_dir=_bin_dir(options, "uninstall"))
    dry_run = "--dry-run" in options.flags
    if not dry_run:
        _uninstall(plan, home, found)
    if not plan.steps:
        plan.notes.append("Nothing that ade installed was found.")
    plan.notes += _service_note(environ)
    return _report(plan, dry_run=dry_run, text=text)


def _bin_dir(options: LocalOptions, command: str) -> Path | None:
    given = options.values.get("--bin-dir")
    if given is None:
        return None
    folder = Path(os.path.abspath(os.path.expanduser(given)))  # noqa: PTH100, PTH111 - keeps symlinks as they are
    if any(char in ":\n\r\0" for char in str(folder)):
        raise refusal("a folder on PATH has no colon and no line end in its name", command)
    return folder


def _install(plan: Plan, home: Path) -> None:
    """Take the steps. The record is written before them, so that a run cut short can be undone."""
    known = record.load(home)
    keys = {"launcher": "launchers", "completion": "completions", "rc_file": "rc_files"}
    for step in plan.steps:
        if step.kind in keys and step.action in ("create", "change", "keep"):
            known.add(keys[step.kind], [step.path])
    try:
        known.folders += [one for one in files.missing(home) if one not in known.folders]
        record.save(home, known)
        for step in plan.steps:
            step.apply()
            known.add("folders", step.created)
        record.save(home, known)
    except UnusableFileError as problem:
        plan.notes.append(f"{home / record.NAME} {problem}, so uninstall looks in the usual places only.")
        for step in plan.steps:
            step.apply()


def _uninstall(plan: Plan, home: Path, known: Record) -> None:
    for step in plan.steps:
        step.apply()
    if any(step.action == "blocked" for step in plan.steps):
        return
    try:
        record.forget(home)
    except UnusableFileError as problem:
        plan.notes.append(f"{home / record.NAME} {problem}.")
    for folder in reversed(known.folders):
        try:
            folder.rmdir()
        except OSError:
            continue  # somebody uses it by now


def _reach(plan: Plan, environ: dict[str, str]) -> list[str]:
    """What to do to have ``ade`` in the shell at hand, and whether new shells will find this one."""
    if plan.shell is None or not plan.answered:
        return []
    users = login_shell.user_shell(environ)
    named = str(users) if users is not None and users.name == plan.shell else shutil.which(plan.shell)
    if named is None:
        return []
    try:
        answer = asyncio.run(login_shell.ask(Path(named), environ))
    except ShellSilentError as silent:
        return [f"Whether new shells find ade could not be seen: {silent}."]
    first = next((folder / "ade" for folder in answer.path if (folder / "ade").is_file()), None)
    if first is None:
        return [f"A new {plan.shell} does not find ade yet: log out and in again, or see `ade doctor`."]
    if first != plan.bin_dir / "ade":
        return [f"A new {plan.shell} finds another ade first: {first}."]
    if any(folder == str(plan.bin_dir) for folder in environ.get("PATH", "").split(":")):
        return []
    return ["Open a new terminal; the one at hand does not know the new PATH."]


def _service_note(environ: dict[str, str]) -> list[str]:
    from ade_runtime.machine.service.units import installed_files

    found = installed_files(environ)
    return (
        [f"A service is still installed ({found[0]}); `ade service uninstall` removes it."] if found else []
    )


def _report(plan: Plan, *, dry_run: bool, text: bool) -> int:
    blocked = any(step.action == "blocked" for step in plan.steps)
    if text:
        lines = [_line(step, dry_run) for step in plan.steps] + plan.notes
        sys.stdout.write("".join(f"{clean_line(line)}\n" for line in lines))
    else:
        document: dict[str, Any] = {
            "dry_run": dry_run,
            "bin_dir": str(plan.bin_dir),
            "shell": plan.shell,
            "items": [_item(step) for step in plan.steps],
            "notes": plan.notes,
        }
        sys.stdout.write(json.dumps(document) + "\n")
    return int(blocked)


def _item(step: Step) -> dict[str, str]:
    return {"kind": step.kind, "path": str(step.path), "action": step.action, "note": step.note}


def _line(step: Step, dry_run: bool) -> str:
    word = _WORDS[step.action][0 if dry_run else 1]
    return f"{word} {step.path} ({step.kind.replace('_', ' ')})" + (f": {step.note}" if step.note else "")
