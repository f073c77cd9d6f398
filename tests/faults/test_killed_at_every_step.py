"""kill -9 at every step of every write: what was acknowledged is there afterwards, what was not is there whole or not at all,
and the same request made again ends in the right state once."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from ade_generated.dispatch import ACTIONS
from ade_runtime.client.in_process import Runtime
from ade_runtime.contracts import AdeError, Effect, Idempotency
from ade_runtime.pipeline.identify import TOKEN_VARIABLE
from ade_runtime.storage.soundness import inspect_whole_file
from tests.contract.test_examples import FIXTURES, TABLES
from tests.support.fingerprint import fingerprint, unstaged
from tests.support.killing import Killer
from tests.support.sample import Sample, differences, git_environment
from tests.support.ways import InProcess

DOMAINS = ("file", "git", "lane", "project", "run", "schedule", "session")
REQUEST = "request-1"
ELSEWHERE = {"run.spawn_agent": "tests/faults/test_spawn_killed.py: its receipt says what is left to be done"}
"""Actions that have a test of their own."""


def cases() -> list[dict[str, Any]]:
    found = []
    for domain in DOMAINS:
        for case in json.loads((TABLES / f"{domain}.json").read_text())["cases"]:
            action = case["action"]
            if ACTIONS[action].effect is not Effect.READ and "error" not in case and action not in ELSEWHERE:
                found.append(case)
    return found


def name_of(case: dict[str, Any]) -> str:
    return f"{case['action']}: {case['title']}"


SAMPLED = (
    "lane.create",
    "lane.delete",
    "lane.undelete",
    "lane.merge",
    "git.commit",
    "project.create",
    "file.write",
    "run.create",
    "run.cancel",
)
"""In the normal suite: the first example of each of these, killed at a few steps."""


def sampled() -> list[dict[str, Any]]:
    return [next(case for case in cases() if case["action"] == action) for action in SAMPLED]


FEW = 2
MAY_STAY_STAGED = frozenset(["git.commit"])
"""Actions that stage files first: the files are as they were, and in the index."""

IN_PARTS = {
    "project.create": "a whole repository is put in its place, and then registered",
    "project.clone": "a whole repository is put in its place, and then registered",
    "file.delete": "all of a folder is kept, and then it goes file by file",
    "git.stash_pop": "as in git: the changes are back, and then their stash goes",
    "git.checkout_branch": "as in git; the lane's row follows, and is not what is gone by",
    "lane.switch_branch": "as in git; the lane's row follows, and is not what is gone by",
    "run.create": "its plan is put into the lane, and then it is there",
    "run.import": "its files are put into the lane, and then it is there",
    "run.answer": "the answer is stored, and then recorded by whoever looks first",
    "run.approve": "the answer is stored, and then recorded by whoever looks first",
}
"""Actions between whose parts a kill may fall: each part is done or not, and nothing is lost between them."""


@pytest.fixture(scope="module")
def killer() -> Iterator[Killer]:
    with Killer() as made:
        yield made


class Ground:
    """One example's project, put back as it was before each attempt."""

    def __init__(self, base: Path, killer: Killer, case: dict[str, Any]) -> None:
        self.base = base / "ground"
        self._saved = base / "saved"
        self.base.mkdir()
        self.killer = killer
        self.case = case
        self.env = git_environment(self.base / "user")
        self.sample = Sample(self.base, self.env, FIXTURES)
        self.home = self.base / "ade-home"

    async def build(self) -> None:
        self.sample.project.mkdir()
        async with InProcess(self.home, self.sample.project, self.env) as way:
            await sample_built(self.sample, self.case, way)
        self.input = self.sample.fill(self.case["input"])
        self.role, self.token = self.case.get("role"), self.sample.fill(self.case.get("as"))
        shutil.copytree(self.base, self._saved, symlinks=True)
        self.before = self.state()

    def reset(self) -> None:
        shutil.rmtree(self.base)
        shutil.copytree(self._saved, self.base, symlinks=True)

    def state(self) -> dict[str, Any]:
        return fingerprint(self.base, self.env)

    def attempt(self, fatal: int | None) -> dict[str, Any]:
        return self.killer.perform(
            self.home,
            self.sample.project,
            self.env,
            self.case["action"],
            self.input,
            request_id=REQUEST if self.has_receipt else None,
            fatal=fatal,
            role=self.role,
            token=self.token,
        )

    @property
    def has_receipt(self) -> bool:
        return ACTIONS[self.case["action"]].idempotency is Idempotency.REQUEST_ID

    async def again(self) -> dict[str, Any] | AdeError:
        """The same call in a process that lives; first whoever comes next settles what was left."""
        async with Runtime.open(self.home) as runtime:
            try:
                with pytest.MonkeyPatch.context() as patch:
                    if self.token is not None:
                        patch.setenv(TOKEN_VARIABLE, self.token)
                    return await runtime.call(
                        self.case["action"],
                        self.input,
                        cwd=self.sample.project,
                        env=self.env,
                        request_id=REQUEST if self.has_receipt else None,
                        role=self.role,
                    )
            except AdeError as problem:
                return problem

    async def settle(self) -> None:
        async with Runtime.open(self.home) as runtime:
            services = runtime.services
            services.temporary.sweep()
            for project in await services.projects.all():
                if project.exists:
                    await services.lanes.all(project)

    def check_clean(self, step: str) -> None:
        """No lock, temporary file or half-made folder is left, and git and the database are sound."""
        inspect_whole_file(self.home / "state.db")
        left = [path for path in self.base.rglob("*.lock") if ".git" in path.parts]
        left += [*(self.home / "tmp").glob("of-*"), *self.base.rglob(".ade-new*")]
        left += [path for path in [self.sample.project / ".ade" / "creating"] if path.exists()]
        expect(not left, step, "left", left)

    def check_repository(self, step: str) -> None:
        if (self.sample.project / ".git").exists():
            done = subprocess.run(
                ["git", "fsck", "--no-dangling"],
                cwd=self.sample.project,
                env=self.env,
                capture_output=True,
                text=True,
            )
            expect((done.returncode, done.stdout) == (0, ""), step, done.stdout, done.stderr)


async def sample_built(sample: Sample, case: dict[str, Any], way: InProcess) -> None:
    await sample.build(case["given"], way.call)


@pytest.fixture
async def ground(
    tmp_path: Path, killer: Killer, request: Any, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Ground]:
    made = Ground(tmp_path, killer, request.param)
    for name in ("HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"):
        monkeypatch.setenv(name, made.env[name])
    await made.build()
    yield made


async def reference(ground: Ground) -> tuple[list[str], dict[str, Any]]:
    """The steps of an attempt that lives, and the state it ends in."""
    whole = ground.attempt(None)
    assert whole["exit"] == 0, whole
    assert "output" in whole["answer"], whole["answer"]
    await ground.settle()
    return whole["steps"], ground.state()


class TornError(AssertionError):
    """What is left after a kill is neither what was there before nor what was to come of it."""


def expect(held: bool, step: str, *what: object) -> None:
    if not held:
        raise TornError(f"{step}: {' '.join(map(str, what))}")


async def killed_at(ground: Ground, number: int, step: str, after: dict[str, Any]) -> None:
    ground.reset()
    told = ground.attempt(number)
    expect(told["killed"], step, told)
    acknowledged = told["answer"] is not None and "output" in told["answer"]
    await ground.settle()
    ground.check_clean(step)
    state = ground.state()
    same = unstaged if ground.case["action"] in MAY_STAY_STAGED else lambda found: found
    whole = same(state) in (same(ground.before), same(after))
    if ground.case["action"] in IN_PARTS:
        whole = not set(places(changed(state, ground.before))) & set(places(changed(state, after)))
    expect(whole, step, changed(state, ground.before), changed(state, after))
    if acknowledged:
        expect(state == after, step, "acknowledged and", changed(state, after))
    ground.check_repository(step)
    if not ground.has_receipt and state != ground.before:
        return  # what a second call comes to depends on the action
    answer = await ground.again()
    if isinstance(answer, AdeError):
        raise TornError(f"{step}: again {answer.code}: {answer.message}")
    if acknowledged and ground.has_receipt:
        expect(answer == told["answer"]["output"], step, answer, told["answer"]["output"])
    unlike = differences(ground.sample.fill(ground.case["output"]), answer)
    between = ground.case["action"] in IN_PARTS and not acknowledged
    expect(
        not unlike or between, step, "again", unlike
    )  # of what was left between two parts it may tell less
    await ground.settle()
    ground.check_clean(step)
    expect(ground.state() == after, step, "again", changed(ground.state(), after))


def changed(one: Any, other: Any, path: str = "") -> list[str]:
    """Where two states differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        return [
            line
            for key in sorted(one.keys() | other.keys())
            for line in changed(one.get(key), other.get(key), f"{path}/{key}")
        ]
    return [] if one == other else [f"{path}: {one!r} is not {other!r}"]


def places(lines: list[str]) -> list[str]:
    return [line.partition(": ")[0] for line in lines]


def chosen(case: dict[str, Any], steps: list[str]) -> list[int]:
    """A few steps of an example, always the same, spread over the whole call."""
    seed = int(hashlib.sha256(name_of(case).encode()).hexdigest(), 16)
    part = len(steps) // FEW
    return [part * turn + (seed + 7 * turn) % part + 1 for turn in range(FEW)]


@pytest.mark.parametrize("ground", sampled(), indirect=True, ids=name_of)
async def test_killed_at_some_steps(ground: Ground) -> None:
    steps, after = await reference(ground)
    for number in chosen(ground.case, steps):
        await killed_at(ground, number, f"{number} of {len(steps)}: {steps[number - 1]}", after)


@pytest.mark.stress
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("ground", cases(), indirect=True, ids=name_of)
async def test_killed_at_every_step(ground: Ground) -> None:
    steps, after = await reference(ground)
    torn = []
    for number, step in enumerate(steps, 1):
        try:
            await killed_at(ground, number, f"{number} of {len(steps)}: {step}", after)
        except TornError as problem:
            torn.append(str(problem))
    if torn:
        pytest.fail("\n".join(torn), pytrace=False)
