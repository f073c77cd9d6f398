"""A project, its runtime, and leases for sessions in it."""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.client.in_process import Runtime
from tests.support.sample import git_environment


class Desk:
    """A runtime in this process with one project, ``env`` being its owner's environment."""

    def __init__(self, runtime: Runtime, project: Path, env: dict[str, str]) -> None:
        self.runtime, self.project, self.env = runtime, project, env

    async def call(self, action: str, arguments: dict[str, Any], **options: Any) -> Any:
        return await self.runtime.call(action, arguments, project=self.project, env=self.env, **options)

    async def session(self, role: str = "agent", **given: Any) -> str:
        answer = await self.call("session.start", {"title": "Work", "role": role, **given}, role="cto")
        session: str = answer["session"]["id"]
        return session

    async def lease(self, session: str, **given: Any) -> tuple[str, str]:
        """Address and token of a new lease."""
        answer = await self.call("mcp.lease", {"session": session, **given}, role="cto")
        return answer["lease"]["url"], answer["token"]


def repository(project: Path, env: dict[str, str]) -> Path:
    """A repository with one commit."""
    project.mkdir()
    for argv in (["init", "-q", "-b", "main"], ["commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run(["git", *argv], cwd=project, env=env, check=True)
    return project


@pytest.fixture
async def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Desk]:
    env = git_environment(tmp_path / "user")
    for name in ("HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"):
        monkeypatch.setenv(name, env[name])
    project = repository(tmp_path / "project", env)
    async with Runtime.open(tmp_path / "home") as runtime:
        await runtime.call("project.add", {"path": str(project)})
        yield Desk(runtime, project, env)
