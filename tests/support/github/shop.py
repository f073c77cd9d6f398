"""A registered project, octo/shop at the stand-in, with a lane fix-login that holds one commit."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.contracts import AdeError
from tests.support.github.hub import Hub, ours, stand_in
from tests.support.github.state import Repository
from tests.support.repo import Repo
from tests.support.work import Work, opened


@dataclass
class Shop:
    work: Work
    hub: Hub
    repository: Repository
    lane: Repo
    bare: Path

    async def call(self, action: str, *, request_id: str | None = None, **arguments: Any) -> dict[str, Any]:
        return await self.work.runtime.call(
            action, arguments, cwd=self.work.main.root, env=self.work.main.env, request_id=request_id
        )

    async def refused(self, action: str, *, request_id: str | None = None, **arguments: Any) -> AdeError:
        with pytest.raises(AdeError) as caught:
            await self.call(action, request_id=request_id, **arguments)
        return caught.value

    async def open_pull(self) -> dict[str, Any]:
        made = await self.call("pr.create_from_lane", lane="fix-login")
        pull: dict[str, Any] = made["pull"]
        return pull


@contextlib.asynccontextmanager
async def opened_shop(base: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Shop]:
    hub = stand_in()
    hub.clear()
    async with opened(base, monkeypatch) as work:
        for name, value in ours(hub).items():
            monkeypatch.setenv(name, value)
        bare = base / "octo" / "shop.git"
        work.main.commit("First", **{"README.md": "# Shop\n"})
        work.main.git("init", "--quiet", "--bare", "-b", "main", str(bare))
        work.main.git("remote", "add", "origin", str(bare))
        work.main.git("push", "--quiet", "-u", "origin", "main")
        repository = hub.add("octo/shop", bare)
        lane = await work.lane("fix-login")
        lane.commit("Fix the login", **{"login.py": "print('in')\n"})
        yield Shop(work, hub, repository, lane, bare)
    hub.clear()
