"""Running one of the programs that computer use needs, with bounded output and time."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from ade_runtime.contracts import JsonObject
from ade_runtime.integrations.git.process import execute

LIMIT = 256 * 1024
_SHOWN = 400


class DesktopError(Exception):
    """``reason`` is one line for the caller, ``details`` what else is known."""

    def __init__(self, reason: str, details: JsonObject | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.details = details or {}


async def run(
    argv: Sequence[str], environ: Mapping[str, str], *, seconds: float, stdin: bytes | None = None
) -> str:
    """What the program printed. Raises :class:`DesktopError` where it is missing, fails or takes longer than ``seconds``.

    A cancelled call ends the program and what it started.
    """
    program = argv[0] if argv[0].startswith("/") else shutil.which(argv[0], path=environ.get("PATH", ""))
    name = Path(argv[0]).name
    if program is None:
        raise DesktopError(f"{name} is not on PATH")
    try:
        async with asyncio.timeout(seconds):
            done = await execute(
                [program, *argv[1:]],
                cwd=Path("/"),
                env=environ,
                stdin=stdin,
                limit=LIMIT,
                error_limit=LIMIT,
            )
    except TimeoutError:
        raise DesktopError(f"{name} took longer than {seconds:g} s and was stopped") from None
    except OSError as problem:
        raise DesktopError(f"{name} cannot be started: {problem.strerror or problem}") from problem
    if done.code != 0:
        said = done.stderr.decode("utf-8", "replace").strip()
        last = said.splitlines()[-1] if said else "it said nothing"
        raise DesktopError(f"{name} ended with {done.code}: {last[:_SHOWN]}", {"stderr": said[-4000:]})
    return done.stdout.decode("utf-8", "replace")
