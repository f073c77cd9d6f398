"""What a command does whose socket is blocked: the way in through the spool, else an error that names the setting."""

from __future__ import annotations

from typing import Any

from ade_generated import errors
from ade_runtime.client import spool
from ade_runtime.client.address import ade_home
from ade_runtime.client.local import show, show_error, show_unavailable
from ade_runtime.client.trouble import closed_folder
from ade_runtime.contracts import AdeError
from ade_runtime.machine.confinement import ends_with_its_command, how_to_open

UNAVAILABLE = 7


def ask(
    problem: OSError, path: str, method: str, params: dict[str, object], environ: dict[str, str]
) -> dict[str, Any] | int:
    """The result of one request that ``problem`` keeps from the socket at ``path``; or the exit code once an error was shown.

    Nothing is started, removed or tried again.
    """
    if method != "cli/run":
        return UNAVAILABLE  # completion shows no errors
    try:
        message = spool.ask(method, params, environ)
    except spool.NoSpoolError as without:
        return blocked(problem, path, environ, str(without))
    except spool.EndedError:
        reason = "it ended before it answered; look whether the command was performed before you repeat it"
        return show_unavailable(reason, environ)
    result, error = message.get("result"), message.get("error")
    if isinstance(result, dict):
        return result
    data = error.get("data") if isinstance(error, dict) else None
    return show_error(data if isinstance(data, dict) else {"code": "internal_error", "message": "no answer"})


def cannot_start(environ: dict[str, str]) -> int | None:
    """The exit code of a refusal, once shown, where a runtime started from here would end with this command."""
    if not ends_with_its_command():
        return None
    reason = "none is running, and one started in this sandbox would end with the command"
    hint = "Start it outside of the sandbox with `ade serve`, then repeat the command."
    log = f"{ade_home(environ)}/logs/runtime.log"
    return show(errors.RuntimeUnavailable(reason=reason, log=log, hint=hint))


def blocked(
    problem: OSError, path: str, environ: dict[str, str], without: str = "it carries single commands"
) -> int:
    """Show that nothing leads to the socket from here, ``without`` a spool for the reason given."""
    return show(refusal(problem, path, environ, without))


def refusal(problem: OSError, path: str, environ: dict[str, str], without: str) -> AdeError:
    """The error that says so."""
    foreign = closed_folder(ade_home(environ))
    if foreign is not None:
        return foreign
    reason = f"{problem.strerror or problem}; nor is there a way in through a spool: {without}"
    hint = (
        f"{how_to_open(environ)} Without that, a lane that the sandbox may write in has a way in through its spool; "
        "`ade doctor` shows what is open, and --headless needs no runtime, only an ADE_HOME it may write in."
    )
    details = {"spool": without}
    return errors.SandboxBlocked(socket=path, reason=reason, hint=hint, details=details)
