"""A project with a lane, on real repositories, driven through the pipeline in this process."""

from __future__ import annotations

import os
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from ade_generated.dispatch import ACTIONS
from ade_runtime.client.in_process import Runtime
from ade_runtime.contracts import AdeError
from tests.support.sample import git_environment

IMPLIED = ("invalid_arguments", "timed_out", "cancelled")


class Lab:
    """``project`` is a repository on main with one commit, registered; ``lane`` the folder of lane fix-login."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.env = git_environment(base / "user")
        self.project = base / "project"
        self.lane = self.project / ".ade/worktrees/fix-login"
        self.runtime = Runtime.open(base / "ade-home")

    async def start(self) -> None:
        self.project.mkdir()
        self.run("init", "-q", "-b", "main", at=self.project)
        self.write("README.md", "# Sample\n", at=self.project)
        self.commit("Add README", at=self.project)
        await self.call("project.add", path=str(self.project))
        await self.call("lane.create", name="fix-login")

    async def call(self, action: str, /, *, cwd: Path | None = None, **arguments: Any) -> dict[str, Any]:
        output: dict[str, Any] = await self.runtime.call(
            action, arguments, cwd=cwd or self.project, env=self.env
        )
        return output

    async def git(self, action: str, /, **arguments: Any) -> dict[str, Any]:
        """A git action in lane fix-login."""
        return await self.call(f"git.{action}", **({"lane": "fix-login"} | arguments))

    async def fails(self, code: str, action: str, /, **arguments: Any) -> AdeError:
        """A git action in lane fix-login that must fail with ``code``."""
        with pytest.raises(AdeError) as caught:
            await self.git(action, **arguments)
        declared = (*ACTIONS[f"git.{action}"].errors, *IMPLIED)
        assert caught.value.code in declared, f"git.{action} does not declare {caught.value.code}"
        assert caught.value.code == code, (caught.value.code, caught.value.message, caught.value.details)
        assert caught.value.hint
        return caught.value

    def run(
        self, *argv: str | bytes, at: Path | None = None, check: bool = True, stdin: bytes | None = None
    ) -> str:
        """Git by hand, in the lane unless told otherwise."""
        done = subprocess.run(
            ["git", *argv], cwd=at or self.lane, env=self.env, capture_output=True, input=stdin
        )
        assert not check or done.returncode == 0, done.stderr.decode(errors="replace")
        return done.stdout.decode("utf-8", "surrogateescape").rstrip("\n")

    def shell(self, command: str) -> None:
        """A command that an answer names, run in the lane's folder."""
        subprocess.run(["sh", "-c", command], cwd=self.lane, env=self.env, check=True, capture_output=True)

    def write(self, name: str | bytes, text: str | bytes, *, at: Path | None = None) -> Path:
        path = (at or self.lane) / os.fsdecode(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def read(self, name: str, *, at: Path | None = None) -> str:
        return ((at or self.lane) / name).read_text()

    def commit(self, message: str, *, at: Path | None = None, **files: str) -> str:
        for name, text in files.items():
            self.write(name, text, at=at)
        self.run("add", "--all", at=at)
        self.run("commit", "-q", "--allow-empty", "-m", message, at=at)
        return self.head(at=at)

    def head(self, *, at: Path | None = None) -> str:
        return self.run("rev-parse", "HEAD", at=at)

    def lane_git_dir(self) -> Path:
        return Path(self.run("rev-parse", "--absolute-git-dir"))

    def status(self) -> list[str]:
        return self.run("status", "--porcelain").splitlines()

    def hook(self, name: str, script: str) -> None:
        path = self.project / ".git/hooks" / name
        path.write_text("#!/bin/sh\n" + script + "\n")
        path.chmod(0o755)

    def remote(self, name: str = "origin") -> Path:
        """A bare repository next to the project, with main pushed."""
        bare = self.base / f"{name}.git"
        self.run("init", "-q", "--bare", "-b", "main", str(bare), at=self.base)
        self.run("remote", "add", name, str(bare), at=self.project)
        self.run("push", "-q", "-u", name, "main", at=self.project)
        return bare

    def clone(self) -> Path:
        """Someone else's clone of origin."""
        self.run("clone", "-q", str(self.base / "origin.git"), "theirs", at=self.base)
        return self.base / "theirs"

    def conflict(self) -> None:
        """README.md changed in the lane and in the primary checkout."""
        self.commit("Change it in the lane", **{"README.md": "# Lane\n"})
        self.commit("Change it in main", at=self.project, **{"README.md": "# Main\n"})


@pytest.fixture
async def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Lab]:
    made = Lab(tmp_path)
    for name in list(os.environ):
        if name.startswith(("GIT_", "ADE_")):
            monkeypatch.delenv(name)
    for name in ("HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"):
        monkeypatch.setenv(name, made.env[name])
    async with made.runtime:
        await made.start()
        yield made
