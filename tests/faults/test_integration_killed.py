"""kill -9 at every step of making an integration lane: repeated, there is one lane with all of it and one pull request, and
whoever works in the lanes it is made of sees nothing of it."""

from __future__ import annotations

import copy
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.client.in_process import Runtime
from ade_runtime.storage.soundness import inspect_whole_file
from tests.contract.test_examples import FIXTURES
from tests.support.github.hub import ours, stand_in
from tests.support.github.state import Repository
from tests.support.killing import Killer
from tests.support.repo import Repo
from tests.support.sample import Sample, git_environment
from tests.support.ways import InProcess

ACTION = "queue.create_integration"
ARGUMENTS: dict[str, Any] = {"lanes": ["fix-login", "add-search"], "name": "release"}
FEW = (
    "before git merge-tree",
    "after git commit-tree",
    "after git worktree",
    "after git push",
    "before commit",
)
pytestmark = pytest.mark.timeout(7200)


@pytest.fixture(scope="module")
def killer() -> Iterator[Killer]:
    with Killer() as made:
        yield made


class Ground:
    """Two lanes with pull requests and work in progress, put back as they were before each attempt."""

    def __init__(self, base: Path, killer: Killer) -> None:
        self.base, self.saved, self.killer = base / "ground", base / "saved", killer
        self.base.mkdir()
        self.env = git_environment(self.base / "user")
        self.sample = Sample(self.base, self.env, FIXTURES)
        self.home = self.base / "ade-home"
        self.hub = stand_in()

    async def build(self) -> None:
        self.sample.project.mkdir()
        async with InProcess(self.home, self.sample.project, self.env) as way:
            await self.sample.build(["two_pulls"], way.call)
        self.env |= ours(self.hub)
        folder = self.sample.project / ".ade" / "worktrees"
        places = (self.sample.project, folder / "fix-login", folder / "add-search")
        self.repos = [Repo(place.parent, place.name, init=False, env=self.env) for place in places]
        for repo in self.repos:
            repo.write("README.md", "# In the middle of it\n")
            repo.write("new.txt", "new\n")
            repo.git("add", "new.txt")
        shutil.copytree(self.base, self.saved, symlinks=True)
        self.pulls = copy.deepcopy(self.repository.pulls)
        self.before = self.work()

    @property
    def repository(self) -> Repository:
        return self.hub.repositories["octo/shop"]

    def work(self) -> list[Any]:
        """What somebody at work in the checkouts sees."""
        names = ("rev-parse", "HEAD"), ("symbolic-ref", "HEAD"), ("status", "--porcelain"), ("diff", "HEAD")
        return [[repo.git(*argv) for argv in names] for repo in self.repos]

    def attempt(self, fatal: int | None) -> dict[str, Any]:
        shutil.rmtree(self.base)
        shutil.copytree(self.saved, self.base, symlinks=True)
        self.repository.pulls[:] = copy.deepcopy(self.pulls)
        return self.killer.perform(
            *(self.home, self.sample.project, self.env, ACTION, ARGUMENTS), request_id="once", fatal=fatal
        )

    async def again(self) -> dict[str, Any]:
        async with Runtime.open(self.home) as runtime:
            return await runtime.call(
                ACTION, ARGUMENTS, cwd=self.sample.project, env=self.env, request_id="once"
            )

    async def check(self, told: dict[str, Any], where: str) -> None:
        assert self.work() == self.before, where
        made = await self.again()
        assert self.work() == self.before, where
        inspect_whole_file(self.home / "state.db")
        assert [one.number for one in self.repository.pulls] == [1, 2, 3], where
        main = self.repos[0]
        assert len(main.git("worktree", "list").splitlines()) == 4, where
        branches = main.git("for-each-ref", "--format=%(refname:short)", "refs/heads").split()
        assert sorted(branches) == ["ade/add-search", "ade/fix-login", "ade/release", "main"], where
        lane = Repo(Path(made["path"]).parent, "release", init=False, env=self.env)
        assert lane.git("status", "--porcelain") == "", where
        assert lane.git("rev-parse", "HEAD") == made["commit"] == self.repository.tip("ade/release"), where
        assert lane.git("log", "--first-parent", "--format=%s").splitlines() == [
            "Merge lane add-search (#2)",
            "Merge lane fix-login (#1)",
            "Add README",
        ], where
        assert not (main.repository.common_dir / "index.lock").exists(), where
        if told["answer"] is not None:
            assert told["answer"].get("output") == made, where


@pytest.fixture
async def ground(tmp_path: Path, killer: Killer, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Ground]:
    made = Ground(tmp_path, killer)
    for name in ("HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"):
        monkeypatch.setenv(name, made.env[name])
    with made.sample.stack:
        await made.build()
        yield made


async def reference(ground: Ground) -> list[str]:
    whole = ground.attempt(None)
    assert "output" in whole["answer"], whole["answer"]
    await ground.check(whole, "nothing was killed")
    steps: list[str] = whole["steps"]
    return steps


async def killed_at(ground: Ground, steps: list[str], number: int) -> None:
    told = ground.attempt(number)
    where = f"{number} of {len(steps)}: {steps[number - 1]}"
    assert told["killed"], where
    await ground.check(told, where)


async def test_killed_at_a_few_steps_and_repeated_there_is_one(ground: Ground) -> None:
    steps = await reference(ground)
    last = {name: number for number, step in enumerate(steps, 1) for name in FEW if step.startswith(name)}
    assert last.keys() == set(FEW), steps
    for number in sorted(last.values()):
        await killed_at(ground, steps, number)


@pytest.mark.stress
async def test_killed_at_each_step_and_repeated_there_is_one(ground: Ground) -> None:
    steps = await reference(ground)
    for number in range(1, len(steps) + 1):
        await killed_at(ground, steps, number)
