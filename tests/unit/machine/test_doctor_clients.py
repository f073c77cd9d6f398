"""Running agent programs for ``ade doctor --clients``, here programs that do what one asks of them."""

from __future__ import annotations

import os
import sys
import textwrap
from pathlib import Path

import pytest

from ade_runtime.machine.doctor.clients import runs
from ade_runtime.machine.doctor.clients.check import probe
from ade_runtime.machine.process import is_running, mark_of

CLIENT = """
    import json, os, sys, urllib.error, urllib.request
    config = json.load(open(sys.argv[sys.argv.index("--mcp-config") + 1]))["mcpServers"]["ade"]
    def post(url, body, **headers):
        request = urllib.request.Request(url, json.dumps(body).encode(), headers)
        request.add_header("Content-Type", "application/json")
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            return opener.open(request).read().decode()
        except urllib.error.HTTPError as problem:
            return str(problem.code)
    def mcp(method, headers=None, **params):
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return post(config["url"], body, **(config["headers"] if headers is None else headers))
    def model(**body):
        return post(os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages?beta=true", body)
"""
WHOLE = """
    assert mcp("tools/list", {}) == "401"
    mcp("initialize", protocolVersion=VERSION)
    tools = json.loads(mcp("tools/list"))["result"]["tools"]
    shown = {"name": "mcp__ade__" + tools[0]["name"], "input_schema": tools[0]["inputSchema"]}
    shown["input_schema"]["properties"]["word"].pop("pattern")
    assert "tool_use" in model(tools=[shown], messages=[])
    result = json.loads(mcp("tools/call", name="ade_probe"))["result"]
    text = result["content"][0]["text"]
    block = {"type": "tool_result", "content": text}
    assert "end_turn" in model(tools=[shown], messages=[{"role": "user", "content": [block]}])
"""


def program(tmp_path: Path, source: str) -> Path:
    made = tmp_path / "claude"
    made.write_text(f"#!{sys.executable}\n" + textwrap.dedent(CLIENT) + textwrap.dedent(source))
    made.chmod(0o755)
    return made


def test_what_a_program_speaks_drops_and_shows(tmp_path: Path) -> None:
    row = probe("claude", program(tmp_path, WHOLE.replace("VERSION", '"2025-06-18"')), os.environ["PATH"])
    assert (row.state, row.next) == ("ok", "")
    assert "MCP 2025-06-18" in row.found
    assert "sees the text of a result" in row.found
    assert "drops pattern" in row.found


def test_a_revision_that_is_not_served_is_warned_of(tmp_path: Path) -> None:
    row = probe("claude", program(tmp_path, WHOLE.replace("VERSION", '"2024-11-05"')), os.environ["PATH"])
    assert (row.state, "2024-11-05" in row.found) == ("warn", True)
    assert "2026-07-28" in row.next


@pytest.mark.parametrize(
    ("source", "state", "told"),
    [
        (
            "print('no licence'); sys.exit(3)",
            "fail",
            "ended with 3 and never asked the model; it said: no licence",
        ),
        ("model(messages=[])", "fail", "never reached the MCP server"),
        ("mcp('tools/list', {}); model(messages=[])", "fail", "never reached the MCP server"),
        (
            "mcp('initialize', protocolVersion='2025-11-25'); model(messages=[])",
            "warn",
            "not shown the server's tool",
        ),
        (
            "mcp('tools/list'); model(tools=[{'name': 'ade_probe'}], messages=[])",
            "warn",
            "did not call it",
        ),
        ("post(config['url'], 'nonsense'); post(config['url'], []); model()", "fail", "never reached"),
    ],
)
def test_what_does_not_work_is_said_with_a_next_step(
    tmp_path: Path, source: str, state: str, told: str
) -> None:
    row = probe("claude", program(tmp_path, source), os.environ["PATH"])
    assert row.state == state
    assert told in row.found
    assert row.next


def test_a_program_that_hangs_ends_with_all_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "LIMIT_SECONDS", 2)
    note = tmp_path / "child"
    source = f"""
    import subprocess, time
    child = subprocess.Popen(["sleep", "600"])
    open({str(note)!r}, "w").write(str(child.pid))
    time.sleep(600)
    """
    row = probe("claude", program(tmp_path, source), os.environ["PATH"])
    assert row.state == "fail"
    assert "took more than" in row.found
    mark = mark_of(int(note.read_text()))
    assert mark is None or not is_running(mark)


def test_a_program_that_cannot_start_is_told(tmp_path: Path) -> None:
    row = probe("claude", tmp_path / "nowhere", os.environ["PATH"])
    assert (row.state, "could not be started" in row.found) == ("fail", True)


def test_a_program_sees_nothing_of_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "the-users-own")
    note = tmp_path / "environment"
    source = f"open({str(note)!r}, 'w').write(json.dumps(dict(os.environ) | {{'cwd': os.getcwd()}}))"
    probe("claude", program(tmp_path, source), os.environ["PATH"])
    seen = note.read_text()
    assert "the-users-own" not in seen
    assert str(Path.home()) + '"' not in seen
    assert "ADE_HOME" not in seen
