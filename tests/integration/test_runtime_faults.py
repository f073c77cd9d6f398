"""Faults of the system this one follows that concern the runtime, its errors and its limits; named after their rows."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ade_generated import errors
from ade_generated.dispatch import ACTIONS
from ade_generated.models.runtime import RuntimeHealthOutput
from ade_generated.roles import RATE_LIMITS
from ade_runtime.client.build import stamp
from ade_runtime.contracts import AdeError, RateLimit
from ade_runtime.domains.runtime import RuntimeHandlers
from ade_runtime.pipeline import rate_limit
from ade_runtime.pipeline.call import Call, Identity
from ade_runtime.pipeline.rate_limit import RateLimits
from ade_runtime.server.connection import IN_FLIGHT_LIMIT
from ade_runtime.server.framing import FRAME_LIMIT
from ade_runtime.services import Services
from ade_runtime.storage.schema import operations
from tests.support.command import Command, command
from tests.support.house import House, Peer, opened
from tests.support.repo import Repo

OWNER = Identity(role="agent", key="owner:0", uid=0)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with opened(tmp_path / "home") as made:
        yield made


@pytest.fixture
def ade(tmp_path: Path) -> Iterator[Command]:
    with command(tmp_path) as made:
        yield made


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """``runtime.health`` works until this is set."""
    opened_gate = asyncio.Event()

    async def health(self: object, call: Call, args: object) -> RuntimeHealthOutput:
        await opened_gate.wait()
        return RuntimeHealthOutput(status="ok")

    monkeypatch.setattr(RuntimeHandlers, "health", health)
    return opened_gate


async def call(peer: Peer, action: str, /, **arguments: Any) -> Any:
    return await peer.ask("ade/actions/call", name=action, arguments=arguments)


async def until(truth: Callable[[], object]) -> None:
    """Let others have their turn until something is true."""
    while not truth():  # noqa: ASYNC110 - there is no event to wait for
        await asyncio.sleep(0)


def every_error() -> list[type[AdeError]]:
    found = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, AdeError)]
    return [kind for kind in found if kind is not AdeError]


# -- identity and sandboxes


def test_fault_10_paths_are_judged_by_where_they_lead_not_by_their_looks(
    ade: Command, tmp_path: Path
) -> None:
    """No pattern decides: what is given for a path is taken as one, and what it leads to must be in the lane."""
    main = Repo(tmp_path, "project", env=ade.env)
    main.commit("First", **{"README.md": "# Sample\n"})
    ade.json("project", "add", str(main.root))
    lane = Path(ade.json("lanes", "create", "one", cwd=main.root)["path"])
    outside = tmp_path / "outside.txt"
    outside.write_text("outside\n")
    (lane / "link").symlink_to(tmp_path)
    (lane / "a[b]*.txt").write_text("odd\n")
    (lane / "ab.txt").write_text("plain\n")
    (lane / "$(touch marker);.txt").write_text("odd\n")
    for path in (
        "../outside.txt",
        str(outside),
        "link/outside.txt",
        ".git/config",
        ".GIT/config",
        "x/../../README.md",
    ):
        refused = ade.run("git", "stage", path, "--lane", "one", "--json", cwd=main.root)
        assert refused.returncode != 0, path
        assert outside.read_text() == "outside\n"
    for path in ("a[b]*.txt", "$(touch marker);.txt"):
        ade.json("git", "stage", path, "--lane", "one", cwd=main.root)
    staged = subprocess.run(
        ["git", "diff", "--cached", "--name-only", "-z"], cwd=lane, capture_output=True, text=True
    )
    assert {*staged.stdout.split("\0")} - {""} == {"a[b]*.txt", "$(touch marker);.txt"}
    assert not list(tmp_path.rglob("marker"))


def test_fault_10_what_is_no_sandbox_is_not_called_one() -> None:
    root = Path(__file__).parents[2]
    said = " ".join((root / "SECURITY.md").read_text().split())
    assert "it is no sandbox between processes of one user" in said
    for path in (root / "ade_generated" / "guidance").glob("*.md"):
        assert "sandboxed by" not in path.read_text(), path.name


def test_fault_19_the_capability_mode_is_what_was_recorded_at_the_start(ade: Command) -> None:
    """Never guessed from the provider's name, and part of the log that can be proved."""
    for provider in ("claude", "codex", "nobody-knows"):
        for mode in ("full_tooling", "fallback"):
            made = ade.json("sessions", "start", "--provider", provider, "--capability-mode", mode)["session"]
            assert made["capability_mode"] == mode
            assert ade.json("sessions", "show", made["id"])["capability_mode"] == mode
    import sqlite3

    with sqlite3.connect(ade.paths.database) as db:
        logged = [
            json.loads(row[0]) for row in db.execute("SELECT data FROM session_log WHERE event = 'started'")
        ]
        db.execute("UPDATE sessions SET capability_mode = 'full_tooling'")
    db.close()
    assert [entry["capability_mode"] for entry in logged] == ["full_tooling", "fallback"] * 3
    assert len(ade.json("sessions", "verify")["problems"]) == 3


# -- errors


async def test_fault_21_a_failure_is_an_error_with_one_envelope(house: House, tmp_path: Path) -> None:
    peer = await house.connect()
    for name, arguments, code in (
        ("session.show", {"session": "ses_nobody"}, "session_not_found"),
        ("session.show", {"sesion": "ses_nobody"}, "invalid_arguments"),
        ("session.start", {"role": "cto"}, "policy_denied"),
        ("no.such", {}, "unknown_action"),
        ("lane.list", {}, "project_required"),
    ):
        peer.send({"id": 7, "method": "ade/actions/call", "params": {"name": name, "arguments": arguments}})
        answer = await peer.next()
        assert "result" not in answer
        error = answer["error"]
        assert error["data"]["code"] == code
        assert error["data"]["hint"]
        assert error["message"] == error["data"]["message"]
        assert type(error["code"]) is int


def test_fault_21_every_error_has_a_code_an_exit_and_a_hint() -> None:
    codes = [kind.code for kind in every_error()]
    assert len(codes) == len(set(codes))
    for kind in every_error():
        assert kind.rpc < -31999 or kind.rpc == -32602
        assert kind.exit != 0
        assert isinstance(kind.retry, bool)


async def test_fault_21_fault_25_a_limit_says_how_long_to_wait_and_waiting_helps(tmp_path: Path) -> None:
    now = 0
    limit = {"few": RateLimit(name="few", summary="", limit=2, window=10.0, per="session")}
    entry = replace(ACTIONS["runtime.health"], rate_limit="few")
    from ade_runtime.machine.paths import Paths

    limits = RateLimits(Services(Paths.of_home(tmp_path)), limit, lambda: now)
    for moment in (0, 3_000_000_000):
        now = moment
        await limits.admit(entry, OWNER)
    now = 4_000_000_000
    with pytest.raises(errors.RateLimited) as caught:
        await limits.admit(entry, OWNER)
    told = caught.value.envelope()
    assert told["retry_after_ms"] == 6000
    assert told["details"] == {"limit": 2, "window_ms": 10_000}
    now += 5_999_000_000
    with pytest.raises(errors.RateLimited):
        await limits.admit(entry, OWNER)
    now += 1_000_000
    await limits.admit(entry, OWNER)


async def test_fault_25_limits_are_for_any_action_and_remember_little(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One caller's calls never count for another; a flood of callers and of calls leaves bounded memory."""
    limited = {entry.rate_limit for entry in ACTIONS.values() if entry.rate_limit}
    assert limited
    assert limited <= set(RATE_LIMITS)
    monkeypatch.setattr(rate_limit, "KEYS_KEPT", 50)
    limit = {"few": RateLimit(name="few", summary="", limit=3, window=10.0, per="session")}
    entry = replace(ACTIONS["runtime.health"], rate_limit="few")
    from ade_runtime.machine.paths import Paths

    limits = RateLimits(Services(Paths.of_home(tmp_path)), limit, lambda: 0)
    for number in range(500):
        await limits.admit(entry, replace(OWNER, key=f"session:{number}"))
    for _ in range(1000):
        with contextlib.suppress(errors.RateLimited):
            await limits.admit(entry, OWNER)
    windows = limits._short["few"]
    assert len(windows) <= 50
    assert all(len(ring) <= 3 for ring in windows._rings.values())


async def test_fault_26_an_old_id_is_found_and_an_unknown_one_is_an_error(house: House) -> None:
    peer = await house.connect()
    first = await call(peer, "session.start", title="first")
    for number in range(600):
        await call(peer, "session.start", title=f"later {number}")
    session = first["session"]["id"]
    assert (await call(peer, "session.show", session=session))["title"] == "first"
    assert (await call(peer, "session.show", session="ses_nobody"))["code"] == "session_not_found"
    base = {
        "identity": f"owner:{os.getuid()}",
        "action": "runtime.health",
        "holder": "1:1",
        "state": "done",
        "output": "{}",
    }
    rows = [{**base, "id": f"op_{n}", "started_at": 2**40 + n, "finished_at": 2**40 + n} for n in range(700)]
    await house.server.services.database.write(lambda db: db.execute(operations.insert(), rows))
    assert (await call(peer, "actions.status", operation="op_0"))["state"] == "done"
    assert (await call(peer, "actions.status", operation="op_x"))["code"] == "operation_not_found"


# -- requests


async def test_fault_29_framing_cancelling_and_limits_are_per_message(
    house: House, gate: asyncio.Event
) -> None:
    """Both framings in any order on one connection; too much of anything is an error and the connection goes on."""
    peer = await house.connect()
    body = b'{"jsonrpc": "2.0", "id": 5, "method": "ping"}'
    peer.writer.write(body + b"\n" + b"Content-Length: %d\r\n\r\n%s" % (len(body), body) + body + b"\n")
    assert (await peer.next())["result"] == {"ok": True}
    header = await peer.reader.readuntil(b"\r\n\r\n")
    assert json.loads(await peer.reader.readexactly(int(header.split(b":")[1])))["id"] == 5
    assert (await peer.next())["id"] == 5
    peer.writer.write(b"x" * (FRAME_LIMIT + 1) + b"\n")
    assert (await peer.next())["error"]["code"] == -32600
    for number in range(IN_FLIGHT_LIMIT + 1):
        peer.send({"id": f"h{number}", "method": "ade/actions/call", "params": {"name": "runtime.health"}})
    busy = await peer.next()
    assert busy["error"]["data"]["code"] == "connection_busy"
    assert (await peer.ask("$/cancelRequest", id="h3")) == {"cancelled": True}
    gate.set()


async def test_fault_30_exit_closes_a_connection_and_nothing_else(house: House) -> None:
    peer, other = await house.connect(), await house.connect()
    assert (await other.ask("ping"))["ok"] is True
    peer.send({"method": "exit"})
    assert await peer.reader.read() == b""
    assert (await other.ask("ping"))["ok"] is True
    assert (await (await house.connect()).ask("runtime/info"))["pid"]


@pytest.mark.parametrize(
    "arguments",
    [{}, {"path": ""}, {"path": 5}, {"path": "/nowhere/at/all"}, {"pth": "x"}, {"path": "/", "name": 1}],
)
async def test_fault_30_one_handler_and_one_check_whatever_the_method_is_called(
    house: House, arguments: dict[str, Any]
) -> None:
    peer = await house.connect()
    by_method = await peer.ask("projects.add", **arguments)
    by_action = await call(peer, "project.add", **arguments)
    assert by_method == by_action


async def test_fault_31_what_is_introduced_holds_for_every_project_from_then_on(
    house: House, tmp_path: Path
) -> None:
    peer, owner = await house.connect(), await house.connect()
    for name in ("one", "two"):
        repo = Repo(tmp_path, name)
        repo.commit("First", **{"README.md": "# Sample\n"})
        assert "id" in await call(owner, "project.add", path=str(repo.root))
    made = await call(owner, "session.start", standalone=False)
    other = await call(owner, "session.start")

    async def who(project: str) -> Any:
        params = {"name": "auth.status", "arguments": {}, "project": str(tmp_path / project)}
        return (await peer.ask("ade/actions/call", **params))["session"]

    assert [await who("one"), await who("two")] == [None, None]
    await peer.ask("ade/initialize", session_token=made["token"])
    session = made["session"]["id"]
    assert [await who("one"), await who("two")] == [session, session]
    assert (await peer.ask("ade/initialize", session_token=other["token"]))["code"] == "policy_denied"
    await peer.ask("ade/initialize")
    assert [await who("one"), await who("two")] == [session, session]


# -- the runtime


def test_fault_32_of_many_that_start_at_a_stale_socket_one_serves_and_none_is_hijacked(ade: Command) -> None:
    ade.json("runtime", "info")
    ade.kill()
    assert ade.paths.socket.exists(), "the socket of the one that was killed is still there"
    running = [ade.start("runtime", "info", "--json") for _ in range(12)]
    told = [json.loads(process.communicate(timeout=60)[0]) for process in running]
    assert len({info["pid"] for info in told}) == 1
    inode = ade.paths.socket.stat().st_ino
    refused = ade.error("serve", "--foreground", exit_code=5)
    assert (refused["code"], refused["details"]["pid"]) == ("runtime_already_running", told[0]["pid"])
    assert ade.paths.socket.stat().st_ino == inode
    assert ade.json("runtime", "info")["pid"] == told[0]["pid"]


async def test_fault_34_another_build_is_served_and_replaces_no_runtime_at_work(
    house: House, gate: asyncio.Event
) -> None:
    newest, count, size = stamp()
    line = {"argv": ["runtime", "info", "--json"], "cwd": "/", "env": {}}
    peer, busy = await house.connect(), await house.connect()
    busy.send({"id": "work", "method": "ade/actions/call", "params": {"name": "runtime.health"}})
    await until(lambda: house.server.in_flight)
    for build in ([newest + 10, count, size], [newest - 10, count, size], [newest, count + 1, size], None):
        answer = await peer.ask("cli/run", **line, build=build)
        assert answer.get("exit") == 0, "served as it is while something is under way"
    gate.set()
    assert (await busy.next())["id"] == "work"
    await until(lambda: not house.server.in_flight)
    assert (await peer.ask("cli/run", **line, build=[newest - 10, count, size]))["exit"] == 0
    assert (await peer.ask("cli/run", **line, build=[newest + 10, count, size])) == {"stale": True}


async def test_fault_34_following_events_keeps_no_runtime_from_being_replaced(house: House) -> None:
    newest, count, size = stamp()
    peer, follower = await house.connect(), await house.connect()
    await follower.ask("runtimeEvents.subscribe")
    poll = {"name": "event.poll", "arguments": {"start": "now", "wait_ms": 60000}}
    follower.send({"id": "poll", "method": "ade/actions/call", "params": poll})
    await until(lambda: house.events.waiting)
    line = {"argv": ["runtime", "info", "--json"], "cwd": "/", "env": {}}
    assert (await peer.ask("cli/run", **line, build=[newest + 10, count, size])) == {"stale": True}


def test_fault_35_one_endpoint_for_every_project_also_when_it_is_named(ade: Command, tmp_path: Path) -> None:
    wanted = tmp_path / "s"
    told = []
    for name in ("one", "two"):
        repo = Repo(tmp_path, name, env=ade.env)
        repo.commit("First", **{"README.md": "# Sample\n"})
        env = {"ADE_RPC_SOCKET_PATH": str(wanted)}
        ade.json("project", "add", str(repo.root), env=env)
        told.append(ade.json("runtime", "info", env=env, cwd=repo.root))
        assert ade.json("lanes", "list", env=env, cwd=repo.root)["total"] == 1
    assert {(info["socket"], info["pid"]) for info in told} == {(str(wanted), told[0]["pid"])}
    assert [path.name for path in tmp_path.iterdir() if path.is_socket()] == ["s"]
    ade.json("runtime", "stop", env={"ADE_RPC_SOCKET_PATH": str(wanted)})
