"""Sandboxes: the one around this command, if any, and what the commands of each installed agent program reach."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator

from ade_runtime.client import spool
from ade_runtime.client.wire import connect
from ade_runtime.machine.confinement import ends_with_its_command, how_to_open, sandbox_around
from ade_runtime.machine.doctor import claude_reach, codex_reach
from ade_runtime.machine.doctor.client_reach import Reach, UnreadableError
from ade_runtime.machine.doctor.rows import Place, Row

KNOWN: dict[str, tuple[str, Callable[[Place], Reach]]] = {
    "claude": ("Claude Code", claude_reach.reach),
    "codex": ("Codex", codex_reach.reach),
}
UNCONFINED = ("aider", "opencode")
"""Programs that run commands without a sandbox of their own."""

NOT_RUNNING = "no runtime is running"


def check(place: Place) -> Iterator[Row]:
    yield _here(place)
    installed = [name for name, one in place.agents.tools.items() if one.candidates]
    for name in installed:
        if name in KNOWN:
            yield _row(name, place)
        elif name in UNCONFINED:
            yield Row(
                f"sandbox {name}",
                "ok",
                "its commands run without a sandbox: socket, network and spool are open",
            )
    others = sorted(set(installed) - {*KNOWN, *UNCONFINED})
    if others:
        found = (
            f"what the commands of {', '.join(others)} reach is told by running `ade doctor` in one of them"
        )
        yield Row("sandboxes of others", "ok", found)


def _here(place: Place) -> Row:
    """This command's own surroundings, by trying."""
    environ = dict(place.environ)
    listening = spool.served(environ) is not False  # else asking could have a service manager start a runtime
    refused = _refusal(str(place.paths.socket) + ("" if listening else ".none"))
    around = sandbox_around(environ)
    if refused is None:
        if not ends_with_its_command():
            inside = f"; marks of {around.name} are set" if around else ""
            return Row("sandbox here", "ok", f"none keeps this command from the socket{inside}")
        found = "this command runs in a sandbox that lets it reach the socket"
        if spool.served(environ) is False:
            step = "Start a runtime outside of it with `ade serve`; one started in here would end with its command."
            return Row("sandbox here", "warn", f"{found}, where nobody listens", step)
        return Row("sandbox here", "ok", found)
    name = around.name if around else "a sandbox, or its permissions,"
    found = f"{name} keeps this command from the socket ({refused}); "
    without = _no_spool(place, environ)
    if without is None:
        found += "the spool is open: reads, and writes of a session in its own lane"
        return Row("sandbox here", "warn", found, how_to_open(environ))
    step = how_to_open(environ)
    if without == NOT_RUNNING:
        step = f"Start one outside of it with `ade serve`. {step}"
    return Row("sandbox here", "fail", f"{found}nor is there a spool: {without}", step)


def _refusal(path: str) -> str | None:
    try:
        connect(path).close()
    except OSError as problem:
        if problem.errno in (errno.EPERM, errno.EACCES):
            return problem.strerror or str(problem)
    return None


def _no_spool(place: Place, environ: dict[str, str]) -> str | None:
    """Why a request could not go through a spool from here, ``None`` where it could. Nothing is made for this."""
    try:
        root = spool.worktree(str(place.cwd))
    except spool.NoSpoolError as problem:
        return str(problem)
    if spool.served(environ) is False:
        return NOT_RUNNING
    nearest = next(path for path in (f"{root}/.ade/spool", f"{root}/.ade", root) if os.path.isdir(path))  # noqa: PTH112
    return None if os.access(nearest, os.W_OK) else f"{nearest} cannot be written"


def _row(name: str, place: Place) -> Row:
    title, reach = KNOWN[name]
    check = f"sandbox {name}"
    try:
        found = reach(place)
    except UnreadableError as problem:
        return Row(check, "warn", f"its settings cannot be read: {problem}", f"Mend them; {title} says more.")
    if found.sandbox == "none":
        text = f"{title} runs commands without a sandbox ({found.why}): socket, network and spool are open"
        return Row(check, "ok", text)
    network = _word(found.network) if found.network is not None else "as its own rules say"
    text = f"{found.sandbox} ({found.why}): socket {_word(found.socket)}, network {network}, spool {_word(found.spool)}"
    if found.note:
        text += f". {found.note}"
    if found.socket is not False:
        return Row(check, "ok", text)
    if found.spool:
        return Row(check, "ok", f"{text}. The socket is opened by {found.opens}")
    return Row(check, "warn", text, f"Set {found.opens}.")


def _word(value: bool | None) -> str:
    return {True: "open", False: "closed", None: "not known"}[value]
