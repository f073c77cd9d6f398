"""``ade mcp``: the installed command as a client starts it."""

from __future__ import annotations

import contextlib
import json
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from tests.support.command import Command, command
from tests.support.mcp import INITIALIZE as LEGACY
from tests.support.mcp import post

pytestmark = pytest.mark.timeout(180)
INITIALIZE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


@pytest.fixture
def ade(tmp_path: Path) -> Iterator[Command]:
    with command(tmp_path) as place:
        place.make_project(tmp_path / "project")
        yield place


def parameters(ade: Command, *argv: str, **env: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=str(ade.program), args=["mcp", *argv], env=ade.env | env, cwd=ade.base / "project"
    )


class Wire:
    """Lines to and from a running ``ade mcp``."""

    def __init__(self, ade: Command, *argv: str, **env: str) -> None:
        self.process = subprocess.Popen(
            [str(ade.program), "mcp", *argv],
            env=ade.env | env,
            cwd=ade.base / "project",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()

    def send(self, document: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(document).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, identifier: int, method: str, params: dict[str, Any] | None = None) -> Any:
        self.send({"jsonrpc": "2.0", "id": identifier, "method": method, "params": params or {}})
        return self.answer(identifier)

    def answer(self, identifier: int | None) -> Any:
        assert self.process.stdout is not None
        while True:
            document = json.loads(self.process.stdout.readline())
            if document.get("id") == identifier:
                return document

    def open(self) -> None:
        assert "result" in self.ask(1, "initialize", INITIALIZE)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})


@pytest.mark.parametrize("mode", ["2026-07-28", "legacy", "auto"])
async def test_a_client_lists_and_calls(ade: Command, mode: str) -> None:
    async with Client(parameters(ade), mode=mode) as client:
        assert (await client.list_tools()).tools[0].name == "actions_search"
        made = await client.call_tool("create_lane", {"name": "over stdio"})
        assert json.loads(made.content[0].text)["name"] == "over stdio"
        assert (await client.list_resources()).resources
    names = [lane["name"] for lane in ade.json("lanes", "list", cwd=ade.base / "project")["items"]]
    assert "over stdio" in names


def test_a_warm_runtime_answers_every_request_also_after_the_clients_end_of_input(ade: Command) -> None:
    with Wire(ade) as wire:
        wire.open()
        for number in range(2, 22):
            call = {"name": "list_lanes", "arguments": {}}
            wire.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call})
        assert wire.process.stdin is not None
        wire.process.stdin.close()
        answers = [json.loads(line) for line in wire.process.stdout or ()]
        assert {answer["id"] for answer in answers} == set(range(2, 22))
        assert wire.process.wait(30) == 0


def test_a_session_keeps_its_tools_and_dropping_its_token_gains_nothing(ade: Command) -> None:
    project = ade.base / "project"
    ade.json("lanes", "create", "mine", cwd=project)
    ade.json("lanes", "create", "other", cwd=project)
    started = ade.json("sessions", "start", "--lane", "mine", cwd=project)
    with Wire(ade, ADE_SESSION_TOKEN=started["token"]) as wire:
        wire.open()
        commit = {
            "name": "commit_changes",
            "arguments": {"lane": "other", "message": "x", "allow_empty": True},
        }
        refused = json.loads(wire.ask(2, "tools/call", commit)["result"]["content"][0]["text"])
        assert refused["error"]["code"] == "policy_denied"
        commit["arguments"] = {"message": "x", "allow_empty": True}
        done = json.loads(wire.ask(3, "tools/call", commit)["result"]["content"][0]["text"])
        assert done["commit"]
        ade.json("sessions", "end", started["session"]["id"], cwd=project)
        ended = json.loads(wire.ask(4, "tools/call", commit)["result"]["content"][0]["text"])
        assert ended["error"]["code"] == "policy_denied"


@pytest.mark.parametrize(
    ("argv", "env", "code"),
    [
        (["--no-such-option", "x"], {}, 2),
        (["--tools"], {}, 2),
        (["--tools", "some"], {}, 2),
        (["--role", "root"], {}, 2),
        ([], {"ADE_SESSION_TOKEN": "adest_wrong"}, 3),
    ],
)
def test_what_is_wrong_is_said_on_standard_error(
    ade: Command, argv: list[str], env: dict[str, str], code: int
) -> None:
    done = ade.run("mcp", *argv, stdin="", cwd=ade.base / "project", env=env)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr


@pytest.mark.parametrize(
    ("argv", "exit_code", "code", "says"),
    [
        (["--tools", "bogus"], 2, "invalid_arguments", "--tools first or --tools all"),
        (["--shape", "round"], 2, "invalid_arguments", "--shape text or --shape both"),
        (["--lane", "nolane"], 4, "lane_not_found", "ade lanes list"),
        (["--project", "noproject"], 4, "project_not_found", "ade project list"),
        (["--project", "project", "--lane", "nolane"], 4, "lane_not_found", "ade lanes list"),
    ],
)
def test_what_the_line_names_is_looked_for_at_once_and_the_flag_is_told(
    ade: Command, argv: list[str], exit_code: int, code: str, says: str
) -> None:
    done = ade.run("mcp", *argv, stdin="", cwd=ade.base / "project")
    error = json.loads(done.stderr)["error"]
    assert (done.returncode, done.stdout, error["code"]) == (exit_code, "", code)
    assert says in error["hint"] and "mcp/connect" not in done.stderr


def test_messages_that_follow_no_rules_are_answered_and_the_next_one_works(ade: Command) -> None:
    with Wire(ade) as wire:
        wire.open()
        assert wire.process.stdin is not None
        for line in (b"{", b"[]", b"\xff\xfe", b'"x"', b"x" * (9 * 2**20)):
            wire.process.stdin.write(line + b"\n")
            wire.process.stdin.flush()
            assert "error" in wire.answer(None)
        assert wire.ask(2, "ping")["result"] == {}


def test_the_help_says_how_and_the_other_commands_stay_reachable(ade: Command) -> None:
    assert "ade mcp" in ade.run("mcp", "--help").stdout
    assert ade.json("mcp", "config", "codex", cwd=ade.base / "project")["state"] == "absent"
    assert ade.run("mcp", "serve", "--help").returncode == 0


def test_a_lease_works_on_after_the_runtime_was_killed(ade: Command) -> None:
    project = ade.base / "project"
    session = ade.json("sessions", "start", cwd=project)["session"]["id"]
    given = ade.json("mcp", "lease", session, cwd=project)
    url, token = given["lease"]["url"], given["token"]
    headers = {"Authorization": f"Bearer {token}"}
    assert post(url, LEGACY, headers)[0] == 200
    ade.kill()
    ade.json("mcp", "leases", cwd=project)  # starts a runtime, which listens again by itself
    assert eventually(lambda: post(url, LEGACY, headers)[0]) == 200
    ade.json("sessions", "end", session, cwd=project)
    assert eventually(lambda: post(url, LEGACY, headers)[0]) == 401


def eventually(ask: Callable[[], int]) -> int:
    """The answer of an endpoint that is about to listen."""
    ends = time.monotonic() + 60
    while True:
        try:
            return ask()
        except ConnectionRefusedError:
            assert time.monotonic() < ends
            time.sleep(0.05)


def test_a_cancelled_call_ends_and_the_connection_with_it(ade: Command) -> None:
    project = ade.base / "project"
    with Wire(ade) as wire:
        wire.open()
        waiting = {"name": "event_poll", "arguments": {"wait_ms": 30_000}}
        wire.send({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": waiting})
        wire.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}})
        assert wire.ask(3, "ping")["result"] == {}
        assert wire.process.stdin is not None
        wire.process.stdin.close()
        assert wire.process.wait(20) == 0
    assert ade.run("runtime", "stop", cwd=project).returncode == 0


@pytest.mark.parametrize(
    ("words", "wrong"),
    [(("--bogus",), "'--bogus'"), (("serve", "extra"), "'extra'"), (("--tools",), "needs a value")],
)
def test_what_is_wrong_with_the_line_is_said(ade: Command, words: tuple[str, ...], wrong: str) -> None:
    done = ade.run("mcp", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert wrong in done.stderr and "ade mcp serve --help" in done.stderr
