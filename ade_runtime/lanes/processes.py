"""Processes at work inside a folder."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path

import psutil

_PAUSE = 0.05


@dataclass(frozen=True, slots=True)
class Inhabitant:
    """A process whose working folder is inside a lane."""

    pid: int
    name: str
    cwd: str


def inside(folder: Path) -> list[Inhabitant]:
    """Processes whose working folder is ``folder`` or below, this one excepted. Those of other users are not
    seen."""
    found: list[Inhabitant] = []
    for pid in psutil.pids():
        if pid == os.getpid():
            continue
        try:
            process = psutil.Process(pid)
            cwd = process.cwd()
            if cwd and Path(cwd).is_relative_to(folder) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(Inhabitant(pid, process.name(), cwd))
        except (psutil.Error, OSError):
            continue
    return sorted(found, key=lambda one: one.pid)


def gits_on(folder: Path) -> list[int]:
    """Pids of git programs that work in ``folder`` or were started with it as an argument."""
    wanted = str(folder)
    found: list[int] = []
    for pid in psutil.pids():
        try:
            process = psutil.Process(pid)
            if not process.name().startswith("git") or process.status() == psutil.STATUS_ZOMBIE:
                continue
            if wanted in process.cmdline() or Path(process.cwd()).is_relative_to(folder):
                found.append(pid)
        except (psutil.Error, OSError):
            continue
    return found


async def wait_for_gits(folder: Path, seconds: float) -> bool:
    """Wait until no git works on ``folder``: one that outlived a killed runtime ends by itself. False if it
    does not in ``seconds``."""
    deadline = asyncio.get_running_loop().time() + seconds
    while await asyncio.to_thread(gits_on, folder):
        if asyncio.get_running_loop().time() > deadline:
            return False
        await asyncio.sleep(_PAUSE)
    return True
