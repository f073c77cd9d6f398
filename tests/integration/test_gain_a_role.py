"""Everything a caller controls on the wire, tried by the process of a real agent: nothing of it makes it somebody else.

Whatever is denied on the way is in the audit under who tried it.
"""

from __future__ import annotations

import base64
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support import raw
from tests.support.agent import Agent
from tests.support.command import Command, command

RAISE = ("session.start", {"role": "cto"})
"""An action that only a cto's role would allow."""


def request(method: str, params: Any, identifier: Any = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identifier, "method": method, "params": params}


def line(document: Any) -> bytes:
    return json.dumps(document).encode() + b"\n"


def call(name: str, arguments: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return request("ade/actions/call", {"name": name, "arguments": arguments or {}, **more})


def headed(document: Any, *headers: str) -> bytes:
    body = json.dumps(document).encode()
    lines = [f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def run_line(argv: list[str], **env: str) -> dict[str, Any]:
    return request("cli/run", {"argv": argv, "cwd": "/", "env": env})


@dataclass
class Place:
    """A runtime with an agent's session in lane one of a project, and somebody else's session with its token."""

    ade: Command
    agent: Agent
    session: str
    token: str
    strangers: str
    lanes: dict[str, str]
    project: Path

    def send(self, *messages: bytes) -> list[Any]:
        """What the runtime answers to the agent's own process, which brings no token unless a message does."""
        asked = {
            "socket": str(self.ade.paths.socket),
            "messages": [base64.b64encode(message).decode() for message in messages],
        }
        done = self.agent.run(
            raw.__file__, json.dumps(asked), program=sys.executable, env={"ADE_SESSION_TOKEN": None}
        )
        assert done.returncode == 0, done.stderr
        answers: list[Any] = json.loads(done.stdout)
        return answers

    def denials(self) -> list[tuple[str, str, str]]:
        with sqlite3.connect(self.ade.paths.database) as db:
            rows = db.execute(
                "SELECT identity, role, action FROM audit WHERE outcome = 'policy_denied' ORDER BY id"
            )
            found = rows.fetchall()
        db.close()
        return found


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    base = tmp_path_factory.mktemp("role")
    with command(base) as ade, Agent(ade) as agent:
        project = base / "project"
        project.mkdir()
        for argv in (["init", "-q", "-b", "main"], ["commit", "-q", "--allow-empty", "-m", "Begin"]):
            subprocess.run(["git", *argv], cwd=project, env=ade.env, check=True)
        ade.json("project", "add", str(project))
        lanes = {name: ade.json("lanes", "create", name, cwd=project)["id"] for name in ("one", "two")}
        mine = ade.json("sessions", "start", "--lane", "one", "--pid", str(agent.pid), cwd=project)
        other = ade.json("actions", "run", "session.start", "--arg", "role=cto", "--role", "cto", cwd=project)
        yield Place(ade, agent, mine["session"]["id"], mine["token"], other["token"], lanes, project)


def wires() -> dict[str, Any]:
    """What is sent before the two calls that count, by what it tries; ``{token}`` and ``{strangers}`` stand for tokens."""
    hello = lambda **params: request("ade/initialize", params)  # noqa: E731
    claims = {"role": "cto", "callerId": "human-cli", "ownerId": "me", "kind": "owner", "session": None}
    return {
        "nothing at all": [],
        "a role in the introduction": [hello(identity=claims)],
        "claims beside the introduction": [hello(**claims), hello(uid=0), hello(pid=1)],
        "its own token": [hello(session_token="{token}", identity=claims)],
        "a stranger's token": [hello(session_token="{strangers}")],
        "its own token, then a stranger's": [
            hello(session_token="{token}"),
            hello(session_token="{strangers}"),
        ],
        "a stranger's token, then none": [hello(session_token="{strangers}"), hello(session_token="")],
        "an edited token": [hello(session_token="{token}x"), hello(session_token="{token}"[:-1] + "}")],
        "tokens of other types": [
            hello(session_token=value) for value in (True, 0, [], {}, ["{token}"], {"role": "cto"})
        ],
        "a token where none belongs": [call("auth.status", session_token="{strangers}")],
        "a token among the arguments": [call("auth.status", {"session_token": "{strangers}"})],
        "fields beside the call": [
            call("auth.status", **{name: "cto"}) for name in ("role", "identity", "env", "caller")
        ],
        "fields beside the request": [
            {**call("auth.status"), "role": "cto", "auth": "{strangers}", "meta": claims}
        ],
        "a role in the subscription": [request("runtimeEvents.subscribe", {"role": "cto"})],
        "a role of the command line": [run_line(["auth", "status", "--role", "cto", "--json"])],
        "a role of its environment": [run_line(["auth", "status", "--json"], ADE_DEFAULT_ROLE="cto")],
        "a stranger's token of its environment": [
            run_line(["auth", "status", "--json"], ADE_SESSION_TOKEN="{strangers}")
        ],
        "other variables of its environment": [
            run_line(
                ["auth", "status", "--json"],
                ADE_OWNER_ID="me",
                ADE_RUN_ID="run_1",
                ADE_CHAT_SESSION_ID="c",
                ADE_ROLE="cto",
            )
        ],
        "the command line's own options": [run_line(["--headless", "auth", "status", "--json"])],
    }


def filled(place: Place, document: Any) -> bytes:
    text = json.dumps(document).replace("{token}", place.token).replace("{strangers}", place.strangers)
    return text.encode() + b"\n"


def refusals(answers: list[Any]) -> int:
    """How many answers are a ``policy_denied``, also inside what a command printed."""
    count = 0
    for answer in answers:
        for one in answer if isinstance(answer, list) else [answer]:
            error = (one or {}).get("error")
            count += error is not None and (error.get("data") or {}).get("code") == "policy_denied"
            printed = ((one or {}).get("result") or {}).get("stderr") if isinstance(one, dict) else None
            count += bool(printed) and json.loads(printed)["error"]["code"] == "policy_denied"
    return count


@pytest.mark.parametrize("name", wires())
def test_nothing_that_is_said_makes_it_somebody_else(place: Place, name: str) -> None:
    before = len(place.denials())
    said = [filled(place, message) for message in wires()[name]]
    answers = place.send(*said, line(call("auth.status")), line(call(*RAISE)))
    *first, status, attempt = answers
    assert attempt["error"]["data"]["code"] == "policy_denied"
    assert status["result"]["session"] == place.session
    assert status["result"]["role"] == "agent"
    for answer in first:
        told = json.dumps(answer)
        assert '"cto"' not in told.replace(json.dumps({"defaultRole": "cto"})[1:-1], ""), told
        assert place.token not in told
        assert place.strangers not in told
    rows = place.denials()[before:]
    assert len(rows) == refusals(answers)
    assert {row[0] for row in rows} <= {f"session:{place.session}", "nobody", *_sessions(place)}
    assert rows[-1] == (f"session:{place.session}", "agent", "session.start")


def _sessions(place: Place) -> list[str]:
    with sqlite3.connect(place.ade.paths.database) as db:
        found = [f"session:{row[0]}" for row in db.execute("SELECT id FROM sessions")]
    db.close()
    return found


def test_headers_and_batches_carry_no_identity(place: Place) -> None:
    headers = (
        f"Authorization: Bearer {place.strangers}",
        "X-Ade-Role: cto",
        "X-Forwarded-User: root",
        "Cookie: role=cto",
    )
    batch = [request("ade/initialize", {"identity": {"role": "cto"}}, 1), {**call("auth.status"), "id": 2}]
    status, batched, attempt = place.send(
        headed(call("auth.status"), *headers), line(batch), headed(call(*RAISE), *headers)
    )
    told = next(answer for answer in batched if answer["id"] == 2)
    for answer in (status, told):
        assert (answer["result"]["session"], answer["result"]["role"]) == (place.session, "agent")
    assert attempt["error"]["data"]["code"] == "policy_denied"


def test_projects_and_lanes_of_others_are_reached_by_no_mixture(place: Place, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for argv in (["init", "-q", "-b", "main"], ["commit", "-q", "--allow-empty", "-m", "Begin"]):
        subprocess.run(["git", *argv], cwd=other, env=place.ade.env, check=True)
    foreign = place.ade.json("project", "add", str(other))["id"]
    two = place.lanes["two"]
    before = len(place.denials())
    tries = [
        call("lane.list", project=foreign),
        call("lane.list", project=str(other), cwd=str(place.project)),
        call("lane.list", cwd=str(other)),
        call("git.stage_all", {"lane": two}),
        call("git.stage_all", {"lane": "TWO"}, project=str(place.project)),
        call("lane.rename", {"lane": two, "name": "mine"}, lane=place.lanes["one"]),
        call("lane.delete", {"lane": two}, project=str(place.project), cwd=str(place.project)),
        call("project.remove", {"project": foreign}),
        call("session.start", {"lane": "two"}, project=str(place.project)),
        call("session.end", {"session": place.ade.json("sessions", "list")["items"][0]["id"]}),
        request("shutdown", {}),
        request("projects.remove", {"project": foreign}),
    ]
    answers = place.send(*map(line, tries))
    codes = [answer["error"]["data"]["code"] for answer in answers]
    assert codes == ["policy_denied"] * len(tries), list(zip(codes, tries, strict=True))
    rows = place.denials()[before:]
    assert [row[0] for row in rows] == [f"session:{place.session}"] * len(tries)
    named = ["lane.list"] * 3 + ["git.stage_all"] * 2 + ["lane.rename", "lane.delete", "project.remove"]
    assert [row[2] for row in rows] == [*named, "session.start", "session.end", "shutdown", "project.remove"]
    [said] = place.send(
        line(call("git.stage_all", lane=two))
    )  # a caller's word for where it stands is only a word
    assert "result" in said
    [done] = place.ade.json("audit", "list", "--action", "git.stage_all", "--outcome", "ok")["items"]
    assert (done["subject"], done["session"]) == (place.lanes["one"], place.session)


def test_a_session_reads_no_more_of_audit_and_events_than_it_may(place: Place) -> None:
    rows, events = place.send(
        line(call("audit.list", {"limit": 1000})), line(call("event.poll", {"limit": 1000}))
    )
    own = f"session:{place.session}"
    assert {row["identity"] for row in rows["result"]["items"]} <= {own}
    project = place.ade.json("project", "show", cwd=place.project)["id"]
    for event in events["result"]["items"]:
        assert event["project"] == project or event["session"] == place.session
    everything = place.ade.json("audit", "list", "--limit", "1000")
    assert {row["identity"] for row in everything["items"]} >= {own, f"owner:{os.getuid()}"}
    for role in ("external", "evaluator"):
        place.ade.error("audit", "list", "--role", role, exit_code=3)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be somebody else for a while")
def test_fault_07_another_users_connection_is_refused_by_what_the_kernel_says(tmp_path: Path) -> None:
    """Even where the modes of socket and folder let it through. Its messages are never read."""
    with command(tmp_path) as ade:
        ade.json("runtime", "info")
        socket = ade.paths.socket
        socket.parent.chmod(0o711)
        socket.chmod(0o666)
        script = (
            "import os, sys, socket\n"
            "os.setgroups([]); os.setresgid(65534, 65534, 65534); os.setresuid(65534, 65534, 65534)\n"
            "c = socket.socket(socket.AF_UNIX); c.settimeout(20); c.connect('ade.sock')\n"
            "try: c.sendall(sys.argv[1].encode() + b'\\n')\n"
            "except OSError: pass\n"
            "data = b''\n"
            "try:\n"
            "    while part := c.recv(65536): data += part\n"
            "except ConnectionResetError: pass\n"
            "sys.stdout.write(data.decode())\n"
        )
        asked = json.dumps(request("ade/initialize", {"identity": {"role": "cto"}}))
        done = subprocess.run(
            [sys.executable, "-I", "-c", script, asked],
            cwd=socket.parent,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        [answer] = [json.loads(text) for text in done.stdout.splitlines()]
        assert answer["error"]["data"]["code"] == "policy_denied"
        [row] = ade.json("audit", "list", "--outcome", "policy_denied")["items"]
        assert (row["identity"], row["role"], row["action"]) == ("nobody", "external", "connect")
        assert ade.json("auth", "status")["source"] == "owner"


def test_fault_07_a_token_travels_once_and_nothing_listens_on_a_network(place: Place) -> None:
    """It is given in the introduction, never in every request, and no address but the socket's file is listened at."""
    answers = place.send(
        filled(place, call("auth.status", session_token="{token}")),
        filled(place, call("auth.status", token="{token}")),
        line(request("runtime/info", {})),
    )
    assert [answer["error"]["data"]["code"] for answer in answers[:2]] == ["invalid_arguments"] * 2
    told = json.dumps(answers[2]["result"])
    assert "http" not in told
    assert "token" not in told
    inodes = {str(link.readlink()) for link in Path(f"/proc/{place.ade.pid}/fd").iterdir()}
    listening = set()
    for table in ("tcp", "tcp6", "udp", "udp6"):
        for row in Path(f"/proc/{place.ade.pid}/net/{table}").read_text().splitlines()[1:]:
            listening.add(f"socket:[{row.split()[9]}]")
    assert not inodes & listening
