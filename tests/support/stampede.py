"""Fifty commands at once: one runtime and fifty right answers, whatever was there before."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.support.command import Command, command

AT_ONCE = 50


def answers(started: list[subprocess.Popen[str]]) -> set[int]:
    """The runtimes that answered; every command must have been answered rightly."""
    found = set()
    for process in started:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        info = json.loads(out)
        assert info["protocol"] == 1
        found.add(info["pid"])
    return found


def replaced(ade: Command) -> int:
    """How many made room because somebody changed the code while the test ran."""
    return ade.paths.log.read_text().count("a client runs newer code")


def on_a_clean_home(base: Path) -> None:
    with command(base) as ade:
        pids = answers([ade.start("runtime", "info") for _ in range(AT_ONCE)])
        assert len(pids) <= 1 + replaced(ade)
        assert ade.pid in pids


def after_a_crash(base: Path) -> None:
    """The socket and the lock file of a runtime that was killed are still there."""
    with command(base) as ade:
        first = ade.json("runtime", "info")["pid"]
        ade.kill()
        assert ade.paths.socket.exists()
        assert ade.paths.owner_lock.exists()
        pids = answers([ade.start("runtime", "info") for _ in range(AT_ONCE)])
        assert first not in pids
        assert len(pids) <= 1 + replaced(ade)
        assert ade.pid in pids


def while_it_is_being_stopped(base: Path) -> None:
    with command(base) as ade:
        ade.json("runtime", "info")
        started = [ade.start("runtime", "info") for _ in range(AT_ONCE // 2)]
        stop = ade.start("runtime", "stop")
        started += [ade.start("runtime", "info") for _ in range(AT_ONCE // 2)]
        pids = answers(started)
        _, err = stop.communicate(timeout=60)
        assert stop.returncode == 0, err
        assert len(pids) <= 2 + replaced(ade)
        after = ade.json("runtime", "info")["pid"]
        assert ade.pid == after


SCENES = [on_a_clean_home, after_a_crash, while_it_is_being_stopped]
