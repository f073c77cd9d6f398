"""The stand-in together with what speaks to it: fixtures of several test modules."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from ade_runtime.client.in_process import Runtime
from ade_runtime.services import Clock
from tests.support.linear.server import LinearStandIn
from tests.support.sample import Sample, git_environment
from tests.support.stand_ins import linear as running


class Later(Clock):
    """A clock that can be put forward."""

    ahead = timedelta()

    def now(self) -> datetime:
        return super().now() + self.ahead


@pytest.fixture
def linear() -> Iterator[LinearStandIn]:
    with running() as server:
        yield server


@pytest.fixture
async def ade(
    linear: LinearStandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Runtime]:
    """ADE in this process, with an account of the stand-in and a project in the current folder."""
    env = git_environment(tmp_path / "user")
    for name in ("HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"):
        monkeypatch.setenv(name, env[name])
    sample = Sample(
        tmp_path, env, {"start": [{"write": {"README.md": "# Sample\n"}}, {"commit": "Add README"}]}
    )

    async def nothing(action: str, arguments: object, token: str | None = None) -> dict[str, object]:
        raise AssertionError("these steps call nothing")

    await sample.build(["start"], nothing)
    monkeypatch.chdir(sample.project)
    async with Runtime.open(tmp_path / "home") as runtime:
        await runtime.call("project.add", {"path": str(sample.project)}, cwd=sample.project)
        yield runtime
