"""Starting a graphical program and waiting for its window."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ade_runtime.desktop import look
from ade_runtime.desktop.capabilities import input_lack
from ade_runtime.desktop.look import Window
from ade_runtime.desktop.program import DesktopError

FIRST_PAUSE, LONGEST_PAUSE = 0.05, 0.4
"""Seconds between two looks for a window; X tells nobody whose window appears."""


@dataclass(frozen=True, slots=True)
class Started:
    """``exit_code`` is ``None`` while it runs. ``window`` is the first one it showed."""

    pid: int
    exit_code: int | None
    window: Window | None


async def launch(environ: Mapping[str, str], command: Sequence[str], cwd: Path, wait: float) -> Started:
    """Start ``command`` in a session of its own, with none of the caller's files, and wait up to ``wait`` seconds for a window
    or its end. Raises :class:`DesktopError` where it cannot be started.
    """
    process = await asyncio.to_thread(_start, environ, command, cwd)
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()

    def reap() -> None:
        process.wait()
        loop.call_soon_threadsafe(ended.set) if not loop.is_closed() else None

    threading.Thread(target=reap, name=f"ade-app-{process.pid}", daemon=True).start()
    window = await _window(environ, process.pid, ended, wait)
    return Started(process.pid, process.returncode if ended.is_set() else None, window)


async def _window(environ: Mapping[str, str], pid: int, ended: asyncio.Event, wait: float) -> Window | None:
    pause = FIRST_PAUSE
    sees = input_lack(environ) is None
    try:
        async with asyncio.timeout(wait):
            while not ended.is_set():
                for id in await look.windows_of(environ, pid) if sees else []:
                    if (found := await look.window(environ, id)) is not None:
                        return found
                try:
                    async with asyncio.timeout(pause):
                        await ended.wait()
                except TimeoutError:
                    pause = min(pause * 1.5, LONGEST_PAUSE)
    except TimeoutError:
        return None
    return None


def _start(environ: Mapping[str, str], command: Sequence[str], cwd: Path) -> subprocess.Popen[bytes]:
    if any("\0" in word for word in command):
        raise DesktopError("the command holds a NUL character")
    name = command[0]
    program = str(cwd / name) if "/" in name else shutil.which(name, path=environ.get("PATH", ""))
    if program is None:
        raise DesktopError(f"there is no program {name[:200]} on PATH")
    try:
        return subprocess.Popen(
            [program, *command[1:]],
            cwd=cwd,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as problem:
        raise DesktopError(f"{name[:200]} cannot be started: {problem.strerror or problem}") from problem
