"""The runtime as commands start it: one whoever comes, detached, gone when told, never harmed by what was left behind."""

from __future__ import annotations

import errno
import json
import os
import pty
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ade_runtime.client.address import SOCKET_PATH_LIMIT
from tests.support.command import ADE, Command, command
from tests.support.repo import Repo
from tests.support.sample import IDENTITY
from tests.support.stampede import answers


@pytest.fixture
def ade(tmp_path: Path) -> Iterator[Command]:
    with command(tmp_path) as made:
        yield made


def test_a_runtime_stopped_again_and_again_costs_no_command_its_answer(ade: Command) -> None:
    """A connection in the backlog of a runtime that ends is answered, not reset."""
    for _ in range(6):
        started = [ade.start("runtime", "info") for _ in range(4)]
        stop = ade.start("runtime", "stop")
        answers(started)
        stop.communicate(timeout=60)
        assert stop.returncode == 0


def test_public_11_captured_output_ends_with_the_command(ade: Command) -> None:
    """``out=$(ade runtime info)`` and ``ade … | cat`` on a clean home: nothing keeps the pipe open."""
    for script in (
        'out=$(ade runtime info); echo "$out"',
        "ade runtime info | cat",
        "ade runtime info 2>&1 7>&1 | cat",
    ):
        done = subprocess.run(
            ["bash", "-c", script],
            env=ade.env | {"PATH": f"{ADE.parent}:{os.environ['PATH']}"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert json.loads(done.stdout)["pid"] == ade.pid, done.stderr
        ade.close()


def test_the_runtime_is_detached(ade: Command) -> None:
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    process = ade.start("runtime", "info", pass_fds=[writing])
    process.communicate(timeout=60)
    os.close(writing)
    assert os.read(reading, 1) == b"", "the runtime kept a descriptor of its starter"
    os.close(reading)
    pid = ade.pid
    assert pid is not None
    assert os.getsid(pid) == pid
    assert str(Path(f"/proc/{pid}/cwd").readlink()) == "/"
    assert str(Path(f"/proc/{pid}/fd/0").readlink()) == "/dev/null"
    for standard in (1, 2):
        assert Path(f"/proc/{pid}/fd/{standard}").readlink() == ade.paths.log


def test_the_runtime_does_not_take_over_who_started_it(ade: Command) -> None:
    hostile = {
        "ADE_DEFAULT_ROLE": "external",
        "ADE_CHAT_SESSION_ID": "chat",
        "PYTHONPATH": str(ade.base),
        "GIT_DIR": "/x",
    }
    (ade.base / "orjson.py").write_text("raise SystemExit('imported from the caller')")
    info = ade.json("runtime", "info", env={k: v for k, v in hostile.items() if k != "PYTHONPATH"})
    assert info["default_role"] == "cto"
    environment = Path(f"/proc/{ade.pid}/environ").read_bytes().decode()
    assert not any(f"{name}=" in environment for name in hostile)


def test_files_are_private(ade: Command) -> None:
    ade.json("runtime", "health")
    assert ade.paths.home.stat().st_mode & 0o777 == 0o700
    assert ade.paths.socket.stat().st_mode & 0o777 == 0o600
    assert all(file.stat().st_mode & 0o077 == 0 for file in ade.paths.home.rglob("*"))


def test_files_of_a_lane_have_the_modes_that_git_gives_them(ade: Command, tmp_path: Path) -> None:
    """The runtime's own files are private; what it checks out is not its own."""
    repo = Repo(tmp_path, env=ade.env | IDENTITY)
    repo.write("run.sh", "#!/bin/sh\n")
    (repo.root / "run.sh").chmod(0o755)
    repo.commit("One", **{"a.txt": "a"})
    before = os.umask(0o022)
    try:
        ade.json("project", "add", str(repo.root))
        lane = Path(ade.json("lanes", "create", "fix", cwd=repo.root)["path"])
    finally:
        os.umask(before)
    modes = {name: (lane / name).stat().st_mode & 0o777 for name in (".", "a.txt", "run.sh")}
    assert modes == {".": 0o755, "a.txt": 0o644, "run.sh": 0o755}
    test_files_are_private(ade)


def test_a_second_runtime_is_refused_and_the_first_goes_on(ade: Command) -> None:
    first = ade.json("serve")
    inode = ade.paths.socket.stat().st_ino
    for argv in (["serve", "--foreground"], ["serve"]):
        error = ade.error(*argv, exit_code=5)
        assert error["code"] == "runtime_already_running"
        assert error["details"] == {"pid": first["pid"], "socket": str(ade.paths.socket)}
    assert ade.paths.socket.stat().st_ino == inode
    assert ade.json("runtime", "info")["pid"] == first["pid"]


def test_serving_in_the_foreground_until_a_signal(ade: Command) -> None:
    process = ade.start("serve", "--foreground", env={"ADE_DEFAULT_ROLE": "agent"})
    assert process.stdout is not None
    assert json.loads(process.stdout.readline()) == {"pid": process.pid, "socket": str(ade.paths.socket)}
    assert ade.json("runtime", "info")["default_role"] == "agent"
    assert ade.error("runtime", "info", "--role", "cto", exit_code=3)["code"] == "policy_denied"
    process.send_signal(signal.SIGTERM)
    _, log = process.communicate(timeout=60)
    assert process.returncode == 0, log
    assert not ade.paths.socket.exists()


def test_an_unknown_ceiling_is_refused(ade: Command) -> None:
    assert ade.error("serve", env={"ADE_DEFAULT_ROLE": "king"}, exit_code=2)["code"] == "invalid_arguments"


def test_stopping_and_restarting(ade: Command) -> None:
    assert ade.json("runtime", "stop") == {"stopped": False}
    first = ade.json("serve", env={"ADE_DEFAULT_ROLE": "agent"})["pid"]
    second = ade.json("runtime", "restart")["pid"]
    assert second != first
    assert ade.json("runtime", "info")["default_role"] == "agent"
    assert ade.json("runtime", "stop") == {"stopped": True}
    assert ade.pid is None


def test_something_else_in_the_sockets_place_is_left_alone(ade: Command) -> None:
    ade.paths.socket.parent.mkdir(parents=True, mode=0o700)
    ade.paths.socket.write_text("precious")
    assert ade.error("runtime", "info", exit_code=7)["code"] in ("home_unusable", "runtime_unavailable")
    assert ade.paths.socket.read_text() == "precious"


def test_a_socket_of_another_home_is_not_taken(ade: Command, tmp_path: Path) -> None:
    ade.json("runtime", "info")
    other = Command(tmp_path, tmp_path / "other-home")
    error = other.error("serve", env={"ADE_RPC_SOCKET_PATH": str(ade.paths.socket)}, exit_code=5)
    assert error["code"] == "runtime_already_running"
    assert ade.json("runtime", "info")["pid"] == ade.pid


@pytest.mark.parametrize("length", [SOCKET_PATH_LIMIT, SOCKET_PATH_LIMIT + 1, 150, 400])
def test_agents_18_long_paths(tmp_path: Path, length: int) -> None:
    home = tmp_path
    while len(str(home)) + len("/sock/ade.sock") + 1 < length:
        home = home / ("h" * min(100, length - len(str(home)) - len("/sock/ade.sock") - 1))
    with command(tmp_path, home) as ade:
        info = ade.json("runtime", "info")
        as_wanted = len(str(ade.paths.socket_wanted)) <= SOCKET_PATH_LIMIT
        assert (info["socket"] == str(ade.paths.socket_wanted)) == as_wanted
        if not as_wanted:
            assert len(info["socket"]) <= 103
            assert Path(info["socket"]).parent.stat().st_mode & 0o777 == 0o700
            note = ade.paths.socket_wanted.with_name("ade.sock.path")
            assert note.read_text() == info["socket"] + "\n"
            told = json.loads(ade.run("doctor", "--json").stdout)["items"]
            row = next(row for row in told if row["check"] == "socket")
            assert info["socket"] in row["found"]
            assert str(ade.paths.socket_wanted) in row["found"]


def test_a_socket_that_may_not_be_reached_is_not_replaced(ade: Command, tmp_path: Path) -> None:
    """A sandbox answers EPERM or EACCES: nothing is started, removed or tried again."""
    from ade_runtime.client import main as client

    info = ade.json("runtime", "info")
    program = (
        "import errno, sys; from ade_runtime.client import main as m\n"
        "def forbid(path): raise OSError(errno.EPERM, 'Operation not permitted')\n"
        "m.connect = forbid; sys.argv = ['ade', 'runtime', 'info']; m.main()"
    )
    assert client.UNAVAILABLE == 7
    import sys

    done = subprocess.run(
        [sys.executable, "-c", program], env=ade.env, capture_output=True, text=True, timeout=60
    )
    error = json.loads(done.stderr)["error"]
    assert (done.returncode, done.stdout, error["code"]) == (7, "", "sandbox_blocked")
    assert "--headless" in error["hint"]
    assert ade.json("runtime", "info") == info
    assert errno.EPERM == 1


def test_a_runtime_whose_home_is_gone_ends(tmp_path: Path) -> None:
    ade = Command(tmp_path)
    ade.json("runtime", "info")
    pid = ade.pid
    assert pid is not None
    watch = os.pidfd_open(pid)
    ade.home.rename(tmp_path / "moved")
    import select

    assert select.select([watch], [], [], 20)[0], "the runtime did not notice"
    os.close(watch)


def test_an_idle_runtime_of_older_code_makes_room(ade: Command) -> None:
    first = ade.json("runtime", "info")["pid"]
    line = {"argv": ["runtime", "info"], "cwd": "/", "env": {}}
    older, newer = [1, 1, 1], [2**62, 1, 1]
    assert ade.rpc("cli/run", line | {"build": older})["result"]["exit"] == 0
    assert ade.rpc("cli/run", line | {"build": "nonsense"})["result"]["exit"] == 0
    assert ade.rpc("cli/run", line | {"build": newer})["result"] == {"stale": True}
    assert ade.json("runtime", "info")["pid"] == first, (
        "it goes only once its client is about to start the next one"
    )
    assert ade.rpc("runtime/replace", {"build": older})["result"]["replaced"] is False
    assert ade.rpc("runtime/replace", {"build": newer})["result"]["replaced"] is True
    assert ade.json("runtime", "info")["pid"] != first


def test_interrupting_a_command_cancels_its_call(ade: Command) -> None:
    """Ctrl-C at a terminal reaches the command; the runtime stays and the call's work is stopped."""
    operation = ade.json("actions", "run", "runtime.health", "--background")["operation"]
    ade.json("actions", "status", operation, "--wait", "10")
    main, side = pty.openpty()
    process = ade.start("runtime", "info", stdout=side, stderr=side)
    process.communicate(timeout=60)
    os.close(side)
    os.close(main)
    listener = socket.socket(socket.AF_UNIX)
    path = ade.base / "silent.sock"
    listener.bind(str(path))
    listener.listen()
    process = ade.start("--socket", str(path), "runtime", "info")
    connection, _ = listener.accept()
    lines = connection.makefile("rb")
    request = json.loads(lines.readline())
    assert request["method"] == "cli/run"
    process.send_signal(signal.SIGINT)
    cancel = next(line for line in lines if line.strip())
    assert json.loads(cancel) == {
        "jsonrpc": "2.0",
        "method": "$/cancelRequest",
        "params": {"id": request["id"]},
    }
    connection.sendall(
        b'{"jsonrpc":"2.0","id":1,"result":{"stdout":"","stderr":"cancelled\\n","exit":130}}\n'
    )
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "cancelled\n")
    lines.close()
    connection.close()
    listener.close()


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        (["runtime", "info"], 2),
        (["lanes", "create", "fix", "--dry-run"], 2),
        (["lanes", "create", "fix", "--request-id", "r"], 2),
        (["lanes", "create", "fix"], 1),
    ],
)
def test_only_what_is_safe_is_asked_once_more_of_a_runtime_that_dies(
    ade: Command, line: list[str], asked: int
) -> None:
    """A runtime that reads the request and dies may have done it; one that took the connection and died under it too."""
    listener = socket.socket(socket.AF_UNIX)
    path = ade.base / "dying.sock"
    listener.bind(str(path))
    listener.listen()
    process = ade.start("--socket", str(path), *line)
    for _ in range(asked):
        connection, _ = listener.accept()
        with connection.makefile("rb") as lines:
            assert json.loads(lines.readline())["method"] == "cli/run"
        connection.close()
    _, err = process.communicate(timeout=60)
    assert process.returncode == 7
    assert json.loads(err)["error"]["code"] == "runtime_unavailable"
    listener.settimeout(0)
    with pytest.raises(BlockingIOError):
        listener.accept()
    listener.close()


def test_a_start_that_fails_says_why(ade: Command) -> None:
    ade.home.mkdir(mode=0o700)
    (ade.home / "sock").write_text("a file where a folder should be")
    began = time.monotonic()
    error = ade.error("runtime", "info", exit_code=7)
    assert error["code"] in ("home_unusable", "runtime_unavailable")
    assert "Not a directory" in error["message"]
    assert time.monotonic() - began < 30
