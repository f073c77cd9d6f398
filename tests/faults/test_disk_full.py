"""A disk that is full is said to be full, whoever met it, and nothing is lost over it."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import command
from tests.support.repo import Repo
from tests.support.work import Work, opened


@pytest.fixture
async def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Work]:
    async with opened(tmp_path, monkeypatch) as work:
        work.main.commit_files("Start", {"README.md": "# Shop\n"})
        await work.call("project.add", path=str(work.main.root))
        yield work


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
@pytest.mark.parametrize(
    ("action", "arguments"),
    [
        ("git.commit", {"message": "Mine", "stage_all": True}),
        ("git.discard", {"all": True, "untracked": True}),
        ("git.reset", {"target": "HEAD", "mode": "hard"}),
        ("lane.delete", {"discard": ["untracked"]}),
    ],
)
async def test_a_copy_of_the_index_that_finds_no_room(
    work: Work, monkeypatch: pytest.MonkeyPatch, action: str, arguments: dict[str, Any], number: int
) -> None:
    lane = await work.lane("fix")
    lane.write("new.txt", "precious")
    before = lane.git("status", "--porcelain")

    def full(*_: object, **__: object) -> None:
        raise OSError(number, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(shutil, "copyfile", full)
        assert (await work.refused(action, lane="fix", **arguments)).code == "disk_full"
    assert lane.git("status", "--porcelain") == before
    assert (await work.call("lane.show", lane="fix"))["state"] == "active"
    await work.call(action, lane="fix", **arguments)


class Room:
    """A small file system, and a way to leave just so much of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.fill = folder / "filled"

    def leave(self, free: int) -> None:
        """Fill it up but for about ``free`` bytes."""
        self.fill.unlink(missing_ok=True)
        status = os.statvfs(self.folder)
        with self.fill.open("wb", buffering=0) as file:
            os.posix_fallocate(file.fileno(), 0, max(1, status.f_bavail * status.f_frsize - free))

    def clear(self) -> None:
        self.fill.unlink(missing_ok=True)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(folder)], capture_output=True, text=True
    )
    if mounted.returncode:
        pytest.skip(f"this user may not mount a small file system: {mounted.stderr.strip()}")
    try:
        yield Room(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.mark.parametrize("way", [(), ("--headless",)], ids=["socket", "headless"])
def test_d7_a_full_home(tmp_path: Path, room: Room, way: tuple[str, ...]) -> None:
    """At every amount of room: told as it is, nothing left of the lane, and the same request makes it once there is room."""
    with command(tmp_path, room.folder / "home") as ade:
        shop = Repo(tmp_path, "shop", env=ade.env)
        shop.commit_files("Start", {"README.md": "# Shop\n"})
        ade.json(*way, "project", "add", str(shop.root))
        full = 0
        for number, free in enumerate((0, 4096, 16384, 32768, 65536, 131072)):
            create = (
                *way,
                "lanes",
                "create",
                f"lane {number}",
                "--request-id",
                f"request {number}",
                "--json",
            )
            room.leave(free)
            done = ade.run(*create, cwd=shop.root)
            room.clear()
            if done.returncode:
                full += 1
                assert done.returncode == 1, (free, done.stderr)
                assert json.loads(done.stderr)["error"]["code"] == "storage_full", (free, done.stderr)
                assert done.stdout == ""
                lanes = ade.json(*way, "lanes", "list", cwd=shop.root)
                assert len(lanes["items"]) == 1 + number, "no row is left"
                assert shop.git("for-each-ref", f"refs/heads/ade/lane-{number}") == ""
                assert not (shop.root / ".ade" / "worktrees" / f"lane-{number}").exists()
                assert not (shop.root / ".ade" / "creating").exists()
                made = ade.json(*create[:-1], cwd=shop.root)
                assert made["name"] == f"lane {number}"
                assert ade.json(*create[:-1], cwd=shop.root)["id"] == made["id"]
        assert full >= 2, "the smallest amounts of room are too small"
        assert ade.json(*way, "lanes", "list", cwd=shop.root)["total"] == 7
        assert ade.json("storage", "check")["ok"] is True
