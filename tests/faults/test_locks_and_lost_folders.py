"""D24 and D25: a lane whose folder was removed by hand, and a lock that a killed git left behind."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Command, command
from tests.support.repo import Repo


class Shop:
    """A project with the lane ``fix``, used through the installed command."""

    def __init__(self, ade: Command, base: Path) -> None:
        self.ade = ade
        self.repo = Repo(base, "shop", env=ade.env)
        self.repo.commit_files("Start", {"README.md": "# Shop\n"})
        ade.json("project", "add", str(self.repo.root))
        lane = ade.json("lanes", "create", "fix", cwd=self.repo.root)
        self.lane = Path(lane["path"])
        self.git_dir = self.repo.root / ".git" / "worktrees" / "fix"

    def json(self, *argv: str) -> Any:
        return self.ade.json(*argv, cwd=self.repo.root)

    def error(self, *argv: str, exit_code: int) -> Any:
        return self.ade.error(*argv, exit_code=exit_code, cwd=self.repo.root)

    def doctor(self, *argv: str) -> tuple[list[str], dict[str, Any]]:
        """What was fixed, and the rows about locks."""
        told = self.json("doctor", *argv)
        return told["fixed"], {row["check"]: row for row in told["items"] if row["check"].endswith(".lock")}


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    with command(tmp_path) as ade:
        yield Shop(ade, tmp_path)


def test_d24_a_folder_removed_by_hand(shop: Shop) -> None:
    (shop.lane / "new.txt").write_text("x")
    shop.json("git", "commit", "-a", "-m", "Mine", "--lane", "fix")
    before = shop.repo.git("rev-parse", "ade/fix")
    shutil.rmtree(shop.lane)
    (lane,) = [one for one in shop.json("lanes", "list")["items"] if one["name"] == "fix"]
    assert lane["state"] == "missing"
    assert "ade lanes repair" in lane["notes"][0]
    assert shop.error("git", "stage-all", "--lane", "fix", exit_code=1)["code"] == "lane_missing"
    repaired = shop.json("lanes", "repair", "fix")
    assert (repaired["state"], repaired["status"]["head"]) == ("active", before)
    assert repaired["status"]["dirty"] is False
    shutil.rmtree(shop.lane)
    shop.json("lanes", "delete", "fix", "--discard", "unpublished")
    assert shop.repo.git("worktree", "list", "--porcelain").count("worktree ") == 1


def test_a_lost_git_file_is_called_by_its_name_and_repaired(shop: Shop) -> None:
    (shop.lane / "new.txt").write_text("x")
    (shop.lane / ".git").unlink()
    error = shop.error("git", "stage-all", "--lane", "fix", exit_code=1)
    assert error["message"] == f"Lane fix has lost its .git file: {shop.lane / '.git'}."
    assert shop.json("lanes", "repair", "fix")["status"]["untracked"] == 1


def test_d25_a_lock_nobody_holds(shop: Shop) -> None:
    lock = shop.git_dir / "index.lock"
    (shop.lane / "new.txt").write_text("x")
    lock.touch()
    began = time.monotonic()
    error = shop.error("git", "commit", "-a", "-m", "Mine", "--lane", "fix", exit_code=5)
    assert time.monotonic() - began < 6.0
    assert (error["code"], error["details"]["path"]) == ("git_locked", str(lock))
    assert 2.0 < error["details"]["age_seconds"] < 30.0
    assert "ade doctor --fix" in error["hint"]
    assert lock.exists()
    assert shop.json("git", "status", "--lane", "fix")["total"] == 1
    holder = subprocess.Popen(
        [sys.executable, "-c", f"f = open({str(lock)!r}); print(1, flush=True); input()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        assert holder.stdout is not None
        holder.stdout.readline()
        fixed, rows = shop.doctor("--fix")
        assert (fixed, rows["fix/index.lock"]["fixable"]) == ([], False)
        assert str(holder.pid) in rows["fix/index.lock"]["found"]
        assert lock.exists()
    finally:
        holder.communicate(b"\n")
    assert shop.doctor()[1]["fix/index.lock"]["fixable"] is True
    assert shop.doctor("--fix") == (["fix/index.lock"], {})
    assert not lock.exists()
    shop.json("git", "commit", "-a", "-m", "Mine", "--lane", "fix")


def test_a_lock_whose_git_runs_a_hook_is_left_alone(shop: Shop, tmp_path: Path) -> None:
    """Git closes the file before it runs a hook, and needs it afterwards."""
    begun, gate = tmp_path / "begun", tmp_path / "gate"
    subprocess.run(["mkfifo", str(begun), str(gate)], check=True)
    hook = shop.repo.root / ".git" / "hooks" / "pre-commit"
    hook.write_text(f"#!/bin/sh\necho > {begun}\nread x < {gate}\n")
    hook.chmod(0o755)
    (shop.lane / "README.md").write_text("changed\n")
    commit = subprocess.Popen(["git", "commit", "-q", "-a", "-m", "Mine"], cwd=shop.lane, env=shop.ade.env)
    begun.read_text()
    lock = shop.git_dir / "index.lock"
    assert lock.exists()
    past = time.time() - 60
    os.utime(lock, (past, past))
    assert shop.doctor("--fix")[0] == []
    assert lock.exists()
    gate.write_text("\n")
    assert commit.wait(timeout=60) == 0


def test_a_fresh_lock_is_not_looked_at(shop: Shop) -> None:
    (shop.repo.root / ".git" / "config.lock").touch()
    assert shop.doctor("--fix") == ([], {})
