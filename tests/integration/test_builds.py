"""Two builds of ADE on one machine: which one serves, what becomes of calls in flight, and what the other is told."""

from __future__ import annotations

import json
import os
import select
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.agent import Agent
from tests.support.builds import make_build
from tests.support.command import Command
from tests.support.sample import IDENTITY

COMMIT = ("git", "commit", "--message", "Slow", "--allow-empty")


class Two:
    """One ADE_HOME and commands of an ``older`` and a ``newer`` build. ``project`` has a hook that waits for :meth:`let_go`."""

    def __init__(self, base: Path, *, newer_protocol: int = 1) -> None:
        self.older = Command(base, program=make_build(base / "old", age=60))
        self.newer = Command(base, program=make_build(base / "new", protocol=newer_protocol))
        self.gate = base / "gate"
        self.begun = base / "begun"
        self.project = base / "project"

    def make_project(self) -> None:
        self.project.mkdir()
        env = self.older.env | IDENTITY
        for argv in (["init", "-q", "-b", "main"], ["commit", "-q", "--allow-empty", "-m", "Begin"]):
            subprocess.run(["git", *argv], cwd=self.project, env=env, check=True)
        for fifo in (self.gate, self.begun):
            os.mkfifo(fifo)
        hook = self.project / ".git" / "hooks" / "pre-commit"
        hook.write_text(f"#!/bin/sh\necho > {self.begun}\ncat {self.gate}\n")
        hook.chmod(0o755)
        self.older.json("project", "add", str(self.project))

    def start_commit(self) -> subprocess.Popen[str]:
        """A call in flight at the older runtime: a commit whose hook waits."""
        process = self.older.start(*COMMIT, cwd=self.project)
        waiting = os.open(self.begun, os.O_RDONLY | os.O_NONBLOCK)
        assert select.select([waiting], [], [], 60)[0], "the hook did not begin"
        os.close(waiting)
        return process

    def let_go(self) -> None:
        self.gate.write_text("")

    def close(self) -> None:
        for command in (self.newer, self.older):
            command.close()


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Two]:
    made = Two(tmp_path)
    yield made
    made.close()


@pytest.fixture
def apart(tmp_path: Path) -> Iterator[Two]:
    """The newer build speaks protocol 2."""
    made = Two(tmp_path, newer_protocol=2)
    yield made
    made.close()


def test_an_idle_runtime_is_replaced_by_newer_code_and_never_by_older(two: Two) -> None:
    old = two.older.json("runtime", "info")["pid"]
    new = two.newer.json("runtime", "info")["pid"]
    assert new != old
    assert two.older.json("runtime", "info")["pid"] == new
    assert two.newer.json("runtime", "info")["pid"] == new


def test_a_busy_runtime_serves_newer_code_and_is_replaced_later(two: Two) -> None:
    two.make_project()
    old = two.older.pid
    slow = two.start_commit()
    assert two.newer.json("runtime", "info")["pid"] == old
    two.let_go()
    out, err = slow.communicate(timeout=60)
    assert slow.returncode == 0, err
    assert json.loads(out)["commit"]
    assert two.newer.json("runtime", "info")["pid"] != old


def test_two_builds_at_once_do_not_fight(two: Two) -> None:
    """The newer wins once; after that nobody replaces anybody."""
    two.older.json("runtime", "info")
    started = [command.start("runtime", "info") for _ in range(8) for command in (two.older, two.newer)]
    served = []
    for process in started:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        served.append(json.loads(out)["pid"])
    last = two.newer.json("runtime", "info")["pid"]
    assert two.older.json("runtime", "info")["pid"] == last
    assert len({*served, last}) <= 2, served
    assert two.newer.paths.log.read_text().count("making room") == 1


def test_another_protocol_is_replaced_at_once_and_loses_nothing_in_flight(apart: Two) -> None:
    apart.make_project()
    old = apart.older.pid
    slow = apart.start_commit()
    asking = apart.newer.start("runtime", "info")
    while apart.older.paths.socket.exists():
        assert asking.poll() is None, asking.communicate()
    apart.let_go()
    out, err = slow.communicate(timeout=60)
    assert slow.returncode == 0, err
    assert json.loads(out)["commit"]
    out, err = asking.communicate(timeout=60)
    assert asking.returncode == 0, err
    info = json.loads(out)
    assert (info["protocol"], info["pid"] == old) == (2, False)
    log = subprocess.run(["git", "log", "--format=%s"], cwd=apart.project, capture_output=True, text=True)
    assert log.stdout.split() == ["Slow", "Begin"]


def test_an_older_protocol_is_told_what_to_do(apart: Two) -> None:
    pid = apart.newer.json("runtime", "info")["pid"]
    error = apart.older.error("runtime", "info", exit_code=7)
    assert error["code"] == "incompatible_protocol"
    assert f"pid {pid}" in error["message"]
    assert "Update this ade" in error["hint"]
    assert "ade runtime stop" in error["hint"]
    assert error["details"]["runtime"]["protocol"] == 2
    assert apart.newer.json("runtime", "info")["pid"] == pid
    assert apart.older.json("runtime", "stop") == {"stopped": True}
    assert apart.older.json("runtime", "info")["protocol"] == 1


def test_a_connection_of_another_protocol_is_refused_both_ways(apart: Two) -> None:
    apart.older.json("runtime", "info")
    for asked, advice in ((2, "ade runtime restart"), (1, None)):
        answer = apart.older.rpc("ade/initialize", {"protocol": asked})
        if advice is None:
            assert answer["result"]["runtimeInfo"]["protocol"] == 1
        else:
            assert answer["error"]["data"]["code"] == "incompatible_protocol"
            assert advice in answer["error"]["data"]["hint"]


def test_an_agent_replaces_no_runtime_of_another_protocol(apart: Two) -> None:
    old = apart.older.json("runtime", "info")["pid"]
    token = apart.older.json("sessions", "start")["token"]
    told = apart.older.rpc("runtime/replace", {"protocol": 2, "session_token": token})
    assert told["error"]["data"]["code"] == "incompatible_protocol"
    with Agent(apart.older) as agent:
        apart.older.json("sessions", "start", "--pid", str(agent.pid))
        program = str(apart.newer.program)
        done = agent.run("runtime", "info", "--json", program=program, env={"PYTHONPATH": None})
        assert (done.returncode, json.loads(done.stderr)["error"]["code"]) == (7, "incompatible_protocol")
    assert apart.older.json("runtime", "info")["pid"] == old


def test_a_role_above_the_ceiling_is_refused_with_the_command_that_raises_it(tmp_path: Path) -> None:
    ade = Command(tmp_path)
    ade.json("serve", env={"ADE_DEFAULT_ROLE": "agent"})
    try:
        error = ade.error("runtime", "info", "--role", "cto", exit_code=3)
        assert error["code"] == "policy_denied"
        assert "`ade runtime stop`, then `ADE_DEFAULT_ROLE=cto ade serve`" in error["hint"]
        ade.json("runtime", "stop")
        ade.json("serve", env={"ADE_DEFAULT_ROLE": "cto"})
        assert ade.json("auth", "status", "--role", "cto")["role"] == "cto"
    finally:
        ade.close()
