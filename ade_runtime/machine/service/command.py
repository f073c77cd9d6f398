"""``ade service install|status|uninstall``."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ade_generated import errors
from ade_runtime.cli.clean import clean_line
from ade_runtime.cli.local_options import read_options, refusal
from ade_runtime.contracts import AdeError
from ade_runtime.machine.install import files
from ade_runtime.machine.install.steps import Step, displace, place
from ade_runtime.machine.service.managers import Manager, manager_of, must, run
from ade_runtime.machine.service.units import Service, installed_files, is_ours

USAGE = """Usage: ade service install [--dry-run] [--json | --text]
       ade service status [--json | --text]
       ade service uninstall [--dry-run] [--json | --text]

Have the machine runtime from login on, as a service of your own session: with systemd a socket unit whose first connection
starts it, with launchd an agent that runs it. Without a service every ade command starts the runtime by itself.

  --dry-run  Show the files and commands and change nothing.

A running runtime ends once its calls in flight are done and the service takes its place; agents' terminals live on.
Exit codes: 0 done, 1 the manager refused or a file could not be changed, 5 somebody else's unit is in the place,
7 there is no service manager (nothing was changed).
"""
VERBS = ("install", "status", "uninstall")


def run_service(args: list[str], *, text: bool) -> int:
    """Perform ``ade service …`` and give its exit code."""
    options = read_options(args, "service", flags=["--dry-run"])
    if options.help:
        sys.stdout.write(USAGE)
        return 0
    if len(options.words) != 1 or options.words[0] not in VERBS:
        raise refusal(f"expected one of {', '.join(VERBS)}", "service")
    verb, dry_run = options.words[0], "--dry-run" in options.flags
    if verb == "status" and dry_run:
        raise refusal("status changes nothing; leave --dry-run out", "service")
    environ = dict(os.environ)
    service = Service.of(environ)
    manager = manager_of(service, environ)
    if verb == "status":
        document = _status(service, manager, environ)
    elif verb == "install":
        document = _install(service, manager, environ, dry_run=dry_run)
    else:
        document = _uninstall(manager, environ, dry_run=dry_run)
    _print(document, text=text)
    blocked = any(item["action"] == "blocked" for item in document["files"])
    return int(blocked)


def _install(
    service: Service, manager: Manager, environ: Mapping[str, str], *, dry_run: bool
) -> dict[str, Any]:
    steps = [place("unit", path, data, is_ours) for path, data in manager.files().items()]
    for step in steps:
        if step.action == "blocked":
            raise errors.InstallBlocked(
                path=str(step.path), reason=step.note.rstrip("."), hint="Move it away."
            )
    commands = manager.start_commands()
    if dry_run:
        return _document(manager, steps, commands, dry_run=True)
    manager.check()
    before = {step.path: files.read(step.path) for step in steps}
    try:
        for step in steps:
            step.apply()
            if step.action == "blocked":
                raise errors.InstallBlocked(
                    path=str(step.path), reason=step.note.rstrip("."), hint="Mend it."
                )
        if any(before.values()):
            for command in manager.stop_commands():  # an older service, which may run another installation
                run(command, environ)
        _make_room(service)
        for command in commands:
            must(command, environ)
    except AdeError:
        _take_back(manager, environ, steps, before)
        raise
    return _document(manager, steps, commands, dry_run=False)


def _make_room(service: Service) -> None:
    """End a runtime that a command started: the service's socket takes the place of the one it listens on."""
    from ade_runtime.client.serve import end_runtime

    service.paths.make_folders()
    end_runtime(service.paths)


def _take_back(
    manager: Manager, environ: Mapping[str, str], steps: Sequence[Step], before: Mapping[Path, bytes | None]
) -> None:
    """Put the files back as they were, and let the manager see it."""
    for command in manager.stop_commands():
        run(command, environ)
    for step in steps:
        data = before[step.path]
        if data is not None:
            files.write(step.path, data)
        elif step.path.exists():
            files.remove(step.path)
        for folder in reversed(step.created):
            if not any(folder.iterdir()):
                folder.rmdir()
    for command in manager.after_commands():
        run(command, environ)


def _uninstall(manager: Manager, environ: Mapping[str, str], *, dry_run: bool) -> dict[str, Any]:
    """Remove the files even where the manager is gone: nobody else would."""
    steps = [step for path in manager.files() if (step := displace("unit", path, is_ours)) is not None]
    removed = [step for step in steps if step.action == "remove"]
    commands = [*manager.stop_commands(), *manager.after_commands()] if removed else []
    if dry_run or not removed:
        return _document(manager, steps, commands, dry_run=dry_run)
    notes = []
    try:
        manager.check()
    except errors.ServiceManagerMissing as problem:
        notes.append(problem.message)
        commands = []
    for command in manager.stop_commands() if commands else []:
        run(command, environ)
    for step in removed:
        step.apply()
    for command in manager.after_commands() if commands else []:
        run(command, environ)
    return _document(manager, steps, commands, dry_run=False) | {"notes": notes}


def _status(service: Service, manager: Manager, environ: Mapping[str, str]) -> dict[str, Any]:
    found = installed_files(environ)
    steps = [place("unit", path, data, is_ours) for path, data in manager.files().items()]
    current = all(step.action == "keep" for step in steps)
    document = _document(manager, [], [], dry_run=False)
    document["files"] = [{"path": str(path), "action": "keep", "note": ""} for path in found]
    document |= {"installed": bool(found), "current": bool(found) and current, "state": {}}
    document |= {"socket": str(service.paths.socket)}
    if found and not current:
        document["notes"].append("It is of another installation or version; `ade service install` renews it.")
    try:
        manager.check()
        document["state"] = manager.state() if found else {}
    except errors.ServiceManagerMissing as problem:
        document["notes"].append(problem.message)
    return document


def _document(
    manager: Manager, steps: Sequence[Step], commands: Sequence[Sequence[str]], *, dry_run: bool
) -> dict[str, Any]:
    items = [{"path": str(step.path), "action": step.action, "note": step.note} for step in steps]
    if dry_run:
        for item, step in zip(items, steps, strict=True):
            item["content"] = (step.data or b"").decode("utf-8", "replace")
    return {
        "manager": manager.name,
        "dry_run": dry_run,
        "files": items,
        "commands": [list(command) for command in commands],
        "notes": [],
    }


def _print(document: dict[str, Any], *, text: bool) -> None:
    if not text:
        sys.stdout.write(json.dumps(document) + "\n")
        return
    lines = []
    for item in document["files"]:
        lines.append(f"{item['action']} {item['path']}" + (f": {item['note']}" if item["note"] else ""))
        lines += [f"    {line}" for line in item.get("content", "").splitlines()]
    lines += [f"run {' '.join(command)}" for command in document["commands"]]
    lines += [f"{name}: {state}" for name, state in document.get("state", {}).items()]
    lines += document["notes"]
    if not lines:
        lines = ["No service is installed."]
    sys.stdout.write("".join(f"{clean_line(line)}\n" for line in lines))
