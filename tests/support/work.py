"""A registered project with lanes, for tests that call actions in this process."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.client.in_process import Runtime
from ade_runtime.contracts import AdeError
from tests.support.repo import Repo


class Work:
    """``main`` is the project's own checkout; ``lane`` gives the checkout of a lane, made when first asked for."""

    def __init__(self, base: Path, runtime: Runtime) -> None:
        self.runtime = runtime
        self.main = Repo(base, "project")
        self._base = base
        self._lanes: dict[str, Repo] = {}

    async def call(self, action: str, *, cwd: Path | None = None, **arguments: Any) -> dict[str, Any]:
        return await self.runtime.call(action, arguments, cwd=cwd or self.main.root, env=self.main.env)

    async def refused(self, action: str, **arguments: Any) -> AdeError:
        """The error of a call that must fail."""
        with pytest.raises(AdeError) as caught:
            await self.call(action, **arguments)
        return caught.value

    async def lane(self, name: str, **arguments: Any) -> Repo:
        if name not in self._lanes:
            made = await self.call("lane.create", name=name, **arguments)
            path = Path(made["path"])
            self._lanes[name] = Repo(path.parent, path.name, init=False, env=self.main.env)
        return self._lanes[name]

    def states(self) -> list[Any]:
        """State of every checkout: the same before and after whatever is only to look."""
        return [repo.state() for repo in (self.main, *self._lanes.values())]


@contextlib.asynccontextmanager
async def opened(base: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Work]:
    """A project without commits below ``base``, with an ADE_HOME and a git configuration of its own."""
    async with Runtime.open(base / "ade-home") as runtime:
        work = Work(base, runtime)
        for name in ("HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"):
            monkeypatch.setenv(name, work.main.env[name])
        work.main.git("config", "user.name", "Ada")
        work.main.git("config", "user.email", "ada@example.org")
        runtime.services.paths.make_folders()
        await runtime.services.projects.register(work.main.root, work.main.root / ".git", None)
        yield work
