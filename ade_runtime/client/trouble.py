"""What keeps a command from its runtime, found out and shown; and what may be sent again when the runtime died under it."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

from ade_generated import errors
from ade_runtime.client.local import show, show_unavailable
from ade_runtime.contracts import AdeError


def unreachable(problem: OSError, path: str, environ: dict[str, str]) -> int:
    """Show why nothing can be connected to at ``path``; nothing was started or tried again."""
    if problem.errno in (errno.EPERM, errno.EACCES):
        from ade_runtime.client.sandboxed import blocked

        return blocked(problem, path, environ)
    if problem.errno in (errno.ENOTDIR, errno.ELOOP):
        return show_home(environ, problem)
    return show_unavailable(f"connecting to {path} failed ({problem.strerror or problem})", environ)


def show_home(environ: dict[str, str], problem: OSError | None = None) -> int:
    """ADE_HOME or the socket's place cannot be used; what is wrong there is found out, or else is ``problem``."""
    from ade_runtime.machine.paths import Paths, unusable
    from ade_runtime.server.ownership import check_place

    paths = Paths.from_environment(environ)
    try:
        paths.make_folders()
        check_place(paths.socket)
    except AdeError as found:
        return show(found)
    found_at = problem.filename if problem is not None and isinstance(problem.filename, str) else paths.home
    return show(unusable(Path(found_at), problem or OSError("it cannot be used")))


def show_crash_loop(count: int, seconds: int, home: str) -> int:
    """Starting the runtime was given up; the end of its log says more than this process can."""
    from ade_runtime.cli.clean import clean_line
    from ade_runtime.client.starts import tail

    log = f"{home}/logs/runtime.log"
    lines = tail(log)
    last = clean_line(lines[-1])[:200] if lines else "nothing"
    problem = errors.RuntimeCrashLoop(
        count=count, seconds=seconds, log=log, last=last, details={"log": log, "tail": lines}
    )
    return show(problem)


def closed_folder(home: str) -> AdeError | None:
    """Where ADE_HOME lies in a folder that is another user's and closed to this one, the error that says so."""
    from ade_runtime.machine.paths import somebody_else

    for folder in reversed([Path(home), *Path(home).parents]):
        try:
            status = folder.stat()
        except OSError:
            return None
        if status.st_uid != os.geteuid() and not os.access(folder, os.X_OK, effective_ids=True):
            return somebody_else(folder, status.st_uid)
    return None


def may_repeat(params: dict[str, Any]) -> bool:
    """Whether a line whose runtime died under it may be sent once more: it only reads, or its request id makes it safe."""
    from ade_generated.dispatch import ACTIONS
    from ade_runtime.cli.outcomes import Invocation, UsageProblem
    from ade_runtime.cli.parse import parse
    from ade_runtime.contracts import Effect, Idempotency

    outcome = parse(params["argv"], cwd=params["cwd"], texts=params.get("texts"))
    if not isinstance(outcome, Invocation) or outcome.dry_run:
        return not isinstance(outcome, UsageProblem)
    action = ACTIONS.get(outcome.action_id)
    if action is None:  # a pack's, of which only the runtime knows
        return False
    safe = action.idempotency is Idempotency.REQUEST_ID and outcome.options.request_id is not None
    return safe or action.effect is Effect.READ
