"""A client that goes away in the middle of a call leaves no git running, no lock held and no file behind."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from ade_runtime.lanes.processes import gits_on
from tests.support.command import Command, command
from tests.support.repo import Repo

FILES = 2000


class Shop:
    """A project of many files, the lane ``fix``, and a filter that holds up git in the middle of adding new ones."""

    def __init__(self, ade: Command, base: Path) -> None:
        self.ade = ade
        self.begun, self.gate = base / "begun", base / "gate"
        self.repo = Repo(base, "shop", env=ade.env)
        for number in range(FILES):
            self.repo.write(f"src/{number % 50}/{number}.txt", f"{number}\n" * 50)
        self.repo.write(".gitattributes", "*.slow filter=slow\n")
        self.repo.commit("Start")
        hold = f'test -p "{self.gate}" || exec cat; echo > "{self.begun}"; read x < "{self.gate}"; cat'
        self.repo.git("config", "filter.slow.clean", hold)
        ade.json("project", "add", str(self.repo.root))
        self.lane = Path(ade.json("lanes", "create", "fix", cwd=self.repo.root)["path"])
        for number in range(FILES):
            (self.lane / "src" / f"new {number}.txt").write_text("new\n" * 50)
        (self.lane / "z.slow").write_text("x")
        self.before = self.status()

    def status(self) -> str:
        return self.repo.git("-C", str(self.lane), "--no-optional-locks", "status", "--porcelain", "-uno")

    def hold(self) -> None:
        os.mkfifo(self.begun)
        os.mkfifo(self.gate)

    def release(self) -> None:
        """Let a git that still waits go on, and nobody wait any more."""
        descriptor = os.open(self.gate, os.O_RDWR | os.O_NONBLOCK)
        os.write(descriptor, b"\n")
        self.gate.unlink()
        os.close(descriptor)

    def start(self, *way: str) -> Any:
        """A commit of everything, once git is in the middle of it."""
        self.hold()
        client = self.ade.start(*way, "git", "commit", "-a", "-m", "All", "--lane", "fix", cwd=self.repo.root)
        self.begun.read_text()
        return client

    def gits(self) -> list[psutil.Process]:
        return [psutil.Process(pid) for pid in gits_on(self.lane)]

    def left(self) -> list[Path]:
        """Locks of git, and temporary files of ADE."""
        locks = (self.repo.root / ".git").rglob("*.lock")
        return [*locks, *(self.ade.home / "tmp").glob("of-*/*-*")]


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    with command(tmp_path) as ade:
        yield Shop(ade, tmp_path)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_over_the_socket(shop: Shop, number: signal.Signals) -> None:
    client = shop.start()
    gits = shop.gits()
    assert gits
    client.send_signal(number)
    client.communicate(timeout=60)
    _, alive = psutil.wait_procs(gits, timeout=60)
    assert alive == []
    shop.release()
    shop.ade.json("git", "unstage-all", "--lane", "fix", cwd=shop.repo.root)  # once the lane is free again
    assert shop.left() == []
    assert shop.status() == shop.before
    made = shop.ade.json("git", "commit", "-a", "-m", "All", "--lane", "fix", cwd=shop.repo.root)
    assert made["total"] == FILES + 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_headless_and_asked_to_end(shop: Shop, number: signal.Signals) -> None:
    client = shop.start("--headless")
    gits = shop.gits()
    client.send_signal(number)
    client.communicate(timeout=60)
    _, alive = psutil.wait_procs(gits, timeout=60)
    assert alive == []
    shop.release()
    assert shop.left() == []
    assert shop.status() == shop.before


def test_headless_and_killed(shop: Shop) -> None:
    """Nobody is left to end its git, which then ends by itself; its temporary files go with the next runtime."""
    shop.ade.run("runtime", "stop")
    client = shop.start("--headless")
    gits = shop.gits()
    client.kill()
    client.communicate(timeout=60)
    assert list((shop.ade.home / "tmp").glob("of-*/index-*"))
    shop.release()
    _, alive = psutil.wait_procs(gits, timeout=60)
    assert alive == []
    shop.ade.json("runtime", "health")
    shop.ade.run("runtime", "stop")
    assert shop.left() == []
    made = shop.ade.json("git", "commit", "-a", "-m", "All", "--lane", "fix", cwd=shop.repo.root)
    assert made["total"] == FILES + 1
