"""Two processes that deliver what one database holds: each entry is told once, in its order, also where one is killed at it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.integration.runs.conftest import House
from tests.integration.runs.staff import approve, entries, install, promise, spawn, told

TEXTS = [str(number) for number in range(60)]
pytestmark = pytest.mark.timeout(180)


@contextmanager
def draining(home: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that waits for a line to begin."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.draining", str(home)],
        cwd=Path(__file__).parents[3],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def say(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def hear(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


@pytest.mark.parametrize("killed", [False, True])
async def test_each_entry_is_told_by_one_of_two_processes(house: House, tmp_path: Path, killed: bool) -> None:
    install(house, tmp_path / "programs")
    await approve(house)
    services = house.runtime.services
    agents = [(await spawn(house, name=name, tag=name))["session"] for name in ("store", "form")]
    await services.deliveries.drain()
    for agent in agents:
        await promise(services, house.run, agent, *TEXTS)
    with ExitStack() as stack:
        first, second = (stack.enter_context(draining(services.paths.home)) for _ in range(2))
        assert (hear(first), hear(second)) == ("ready", "ready")
        say(first)
        if killed:
            assert hear(first) == "begun"
            first.kill()
            first.wait()
        say(second)
        counts = [int(words[-1]) for one in (first, second) if (words := last_words(one))]
    for agent in agents:
        assert (await told(services, agent))[1:] == TEXTS
    found = [one for one in await entries(services, house.run) if one.kind == "ping"]
    assert {one.state for one in found} == {"delivered"}
    if not killed:
        assert sum(counts) == 2 * len(TEXTS)
        assert {one.attempts for one in found} == {1}


def last_words(process: subprocess.Popen[str]) -> list[str]:
    """All that it says up to its end."""
    said, _ = process.communicate(timeout=120)
    return said.split()
