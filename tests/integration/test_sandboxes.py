"""Commands in a sandbox, made by the kernel's own means: blocked clearly, started nowhere, and never waiting for ever."""

from __future__ import annotations

import errno
import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ade_generated import errors
from ade_runtime.client import autostart
from ade_runtime.machine import confinement, loop
from ade_runtime.machine.paths import Paths
from ade_runtime.server.ownership import Ownership
from tests.support.command import ADE, LIMIT, Command, command
from tests.support.sandboxed import CONFINE, blocked, blocked_error

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the sandbox is Linux's own")
PROMPT = 20.0
"""Seconds for what takes a fraction of one, on a busy machine; waiting for ever takes longer."""


@pytest.fixture
def ade(tmp_path: Path) -> Iterator[Command]:
    with command(tmp_path) as made:
        yield made


@pytest.mark.parametrize("running", [True, False])
def test_agents_11_15_a_forbidden_socket_starts_removes_and_retries_nothing(
    ade: Command, running: bool
) -> None:
    if running:
        ade.json("runtime", "info")
    before = (ade.pid, ade.paths.socket.exists() and ade.paths.socket.stat().st_ino)
    began = time.monotonic()
    error = blocked_error(ade, "runtime", "info", cwd=ade.base, exit_code=7)
    assert time.monotonic() - began < PROMPT
    assert error["code"] == "sandbox_blocked"
    assert "sandbox_workspace_write.network_access" in error["hint"]
    assert "allowAllUnixSockets" in error["hint"]
    assert "--headless" in error["hint"]
    assert (ade.pid, ade.paths.socket.exists() and ade.paths.socket.stat().st_ino) == before
    assert ade.home.exists() == running


@pytest.mark.parametrize(
    ("mark", "named", "not_named"),
    [
        ("CODEX_SANDBOX_NETWORK_DISABLED", "sandbox_workspace_write.network_access", "allowAllUnixSockets"),
        ("SANDBOX_RUNTIME", "allowAllUnixSockets", "sandbox_workspace_write"),
    ],
)
def test_the_setting_of_the_sandbox_around_is_named(
    ade: Command, mark: str, named: str, not_named: str
) -> None:
    error = blocked_error(ade, "runtime", "info", cwd=ade.base, env={mark: "1"}, exit_code=7)
    assert named in error["hint"]
    assert not_named not in error["hint"]


@pytest.mark.parametrize("code", [errno.EACCES, errno.EPERM, errno.ENOTCONN])
def test_agents_15_only_a_socket_that_nobody_answers_at_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """A healthy socket that cannot be reached looks dead to whoever does not tell the errors apart."""
    paths = Paths.of_home(tmp_path / "home")
    held = Ownership.acquire(paths)
    held.bind().close()  # as a runtime leaves it that was killed
    monkeypatch.setattr(socket.socket, "connect_ex", lambda *_: code)
    with pytest.raises(errors.HomeUnusable):
        held.bind()
    assert paths.socket.exists()
    monkeypatch.undo()
    held.bind().close()
    held.unlink()
    held.release()


def test_agents_12_headless_works_where_threads_cannot_wake_asyncio(ade: Command) -> None:
    began = time.monotonic()
    for argv in (["runtime", "health"], ["project", "list"], ["tools", "detect"]):
        done = blocked(ade, "--headless", *argv, "--json", cwd=ade.base)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)
    assert time.monotonic() - began < 3 * PROMPT


def test_agents_12_without_uvloop_it_fails_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never() -> None:
        raise AssertionError("it was begun")

    monkeypatch.setattr(loop, "sockets_send", lambda: False)
    monkeypatch.setitem(sys.modules, "uvloop", None)
    with pytest.raises(errors.SandboxBlocked) as refused:
        loop.run(never())
    assert int(refused.value.exit) == 7
    monkeypatch.undo()
    assert loop.sockets_send()


def test_the_doctor_ends_in_a_sandbox_and_says_that_it_is_one(ade: Command) -> None:
    done = blocked(ade, "doctor", "--json", cwd=ade.base)
    rows = {row["check"]: row for row in json.loads(done.stdout)["items"]}
    assert rows["sandbox here"]["state"] == "fail"
    assert "allowAllUnixSockets" in rows["sandbox here"]["next"]
    outside = {row["check"]: row for row in json.loads(ade.run("doctor", "--json").stdout)["items"]}
    assert outside["sandbox here"]["state"] == "ok"
    assert ade.pid is None, "the doctor started a runtime"


def own_namespace(ade: Command, *argv: str) -> subprocess.CompletedProcess[str]:
    """``ade`` in user and PID namespaces of its own, where it can gain no privileges: what sandboxes on Linux are made of."""
    unshare = shutil.which("unshare")
    words = [str(unshare), "--user", "--map-root-user", "--pid", "--fork", "--mount-proc"]
    if unshare is None or subprocess.run([*words, "true"], capture_output=True).returncode != 0:
        pytest.skip("namespaces cannot be made here")
    python, script, _ = CONFINE
    shell = [
        "/bin/sh",
        "-c",
        '"$@"; exit $?',
        "sh",
    ]  # the first process of the namespace, which waits for the command
    return subprocess.run(
        [*words, *shell, python, script, "privileges", str(ADE), *argv],
        env=ade.env,
        cwd=ade.base,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )


def test_agents_13_no_runtime_is_started_in_a_namespace_that_ends_with_the_command(ade: Command) -> None:
    done = own_namespace(ade, "runtime", "info", "--json")
    assert (done.returncode, done.stdout) == (7, "")
    error = json.loads(done.stderr)["error"]
    assert error["code"] == "runtime_unavailable"
    assert "ade serve" in error["hint"]
    assert not ade.paths.owner_lock.exists()
    pid = ade.json("runtime", "info")["pid"]
    done = own_namespace(ade, "runtime", "info", "--json")
    assert json.loads(done.stdout)["pid"] == pid, "a runtime that is there is used"


def test_agents_13_no_runtime_is_asked_to_make_room_for_one_that_would_end(
    ade: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    pid = ade.json("runtime", "info")["pid"]
    monkeypatch.setattr(confinement, "ends_with_its_command", lambda: True)
    request = {"build": [2**62, 1, 1], "protocol": 1, "session_token": None}
    assert autostart.replace(str(ade.paths.socket), ade.env, request) is False
    assert ade.json("runtime", "info")["pid"] == pid


def test_without_marks_no_sandbox_is_named() -> None:
    assert confinement.sandbox_around({}) is None


@pytest.mark.parametrize("argv", [["runtime", "stop"], ["events", "tail"], ["serve"]])
def test_commands_that_need_the_socket_itself_are_blocked_clearly(ade: Command, argv: list[str]) -> None:
    pid = ade.json("runtime", "info")["pid"]
    done = blocked(ade, *argv, "--json", cwd=ade.base)
    assert done.returncode in (5, 7), done.stderr
    code = json.loads(done.stderr)["error"]["code"]
    assert code == ("runtime_already_running" if argv == ["serve"] else "sandbox_blocked")
    assert ade.pid == pid
