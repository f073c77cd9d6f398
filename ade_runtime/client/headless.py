"""``--headless``: the same parser, pipeline and renderer in the command's own process, for one command."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import TYPE_CHECKING

from ade_runtime.client.environment import caller_environment

if TYPE_CHECKING:
    from ade_runtime.cli.run import Answer, Line


def run_headless(argv: list[str]) -> int:
    """Perform the line here and give its exit code."""
    from ade_runtime.client.local import deliver, read_texts

    answer = perform(_line(argv))
    read: dict[str, str] = {}
    while answer.need:
        texts = read_texts(list(answer.need))
        if isinstance(texts, int):
            return texts
        read |= texts
        answer = perform(_line(argv, read))
    return deliver(answer.to_wire(), argv)


def perform(line: Line) -> Answer:
    """Run one line with services of its own. SIGINT and SIGTERM cancel it like a client's cancellation."""
    from ade_runtime.machine import loop

    return loop.run(_perform(line))


async def _perform(line: Line) -> Answer:
    from ade_generated import errors
    from ade_runtime.cli.outcomes import GlobalOptions
    from ade_runtime.cli.run import error_answer, run_line
    from ade_runtime.contracts import AdeError
    from ade_runtime.machine.log import open_log
    from ade_runtime.machine.paths import Paths
    from ade_runtime.server.ownership import ceiling_beside
    from ade_runtime.services import Services, Settings

    open_log(None, os.environ.get("ADE_LOG") or "error")
    services = Services(
        paths := Paths.from_environment(os.environ), Settings(ceiling=ceiling_beside(paths), one_command=True)
    )
    loop = asyncio.get_running_loop()
    task = loop.create_task(run_line(services, line, _progress))
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, task.cancel)
    try:
        services.paths.make_folders()
        return await task
    except AdeError as problem:
        task.cancel()
        return error_answer(problem, line, GlobalOptions())
    except asyncio.CancelledError:
        return error_answer(errors.Cancelled(action=" ".join(line.argv[:2])), line, GlobalOptions())
    finally:
        await services.close(drain=True)


def _line(argv: list[str], texts: dict[str, str] | None = None) -> Line:
    from ade_runtime.cli.run import Line
    from ade_runtime.client.main import line_params

    params = {**line_params(argv, dict(os.environ)), "texts": texts or {}}
    line = Line.from_wire(params)
    return Line(
        argv=line.argv,
        cwd=line.cwd,
        width=line.width,
        terminal_out=line.terminal_out,
        terminal_err=line.terminal_err,
        env=caller_environment(dict(os.environ)),
        texts=line.texts,
        transport="headless",
    )


def _progress(message: str, fraction: float | None) -> None:
    from ade_runtime.cli.clean import clean_line

    part = f"{fraction:4.0%} " if fraction is not None else ""
    sys.stderr.write(f"\r\x1b[K{part}{clean_line(message)}"[:200])
    if fraction == 1.0:
        sys.stderr.write("\r\x1b[K")
    sys.stderr.flush()
