"""The runtime as a service: installed through the manager's own program, started by a connection, replaced without a loss."""

from __future__ import annotations

import json
import os
import plistlib
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ade_generated import errors
from ade_runtime.machine.paths import Paths
from ade_runtime.machine.service import units
from ade_runtime.server.activation import take_listener
from ade_runtime.server.ownership import Ownership
from tests.support.activator import Activator
from tests.support.builds import make_build
from tests.support.command import ADE, Command, command
from tests.support.homes import STANDARD_PATH, snapshot
from tests.unit.machine.fakes import program

# -- serving on a socket that was handed over


@pytest.fixture
def ade(tmp_path: Path) -> Iterator[Command]:
    with command(tmp_path) as made:
        yield made


def test_the_first_connection_starts_the_service_and_it_answers(ade: Command) -> None:
    with Activator(ade.paths.socket, ade.env) as manager:
        info = ade.json("runtime", "info")
        assert manager.started == [info["pid"]] == [ade.pid]
        assert info["default_role"] == "cto"
        assert ade.json("runtime", "info")["pid"] == info["pid"]
        assert ade.json("doctor")["ok"] is True
        inherited = Path(f"/proc/{info['pid']}/environ").read_bytes()
        assert b"LISTEN_FDS=1" in inherited, "the test does hand the socket over"


def test_a_service_that_was_stopped_starts_again_with_the_next_command(ade: Command) -> None:
    with Activator(ade.paths.socket, ade.env) as manager:
        first = ade.json("runtime", "info")["pid"]
        assert ade.json("runtime", "stop") == {"stopped": True}
        assert ade.paths.socket.exists(), "the manager still listens"
        assert ade.json("runtime", "stop") == {"stopped": False}, "asking does not start it"
        assert len(manager.started) == 1
        second = ade.json("runtime", "info")["pid"]
        assert manager.started == [first, second]
        assert manager.codes == [0]


def test_a_restart_leaves_the_manager_in_charge(ade: Command) -> None:
    with Activator(ade.paths.socket, ade.env) as manager:
        first = ade.json("runtime", "info")["pid"]
        told = ade.json("runtime", "restart")
        assert told["pid"] != first
        assert manager.started == [first, told["pid"]]
        assert ade.error("serve", exit_code=5)["code"] == "runtime_already_running"


def test_commands_while_the_service_is_stopped_are_all_answered(ade: Command) -> None:
    """Who connects between the end of one service and the start of the next waits in the manager's backlog."""
    with Activator(ade.paths.socket, ade.env) as manager:
        ade.json("runtime", "info")
        started = [ade.start("runtime", "info") for _ in range(8)]
        stop = ade.start("runtime", "stop")
        started += [ade.start("runtime", "info") for _ in range(8)]
        for process in started:
            out, err = process.communicate(timeout=60)
            assert process.returncode == 0, err
            assert json.loads(out)["pid"] in manager.started
        stop.communicate(timeout=60)
        assert set(manager.codes) <= {0}


def test_a_service_whose_code_was_renewed_makes_room(tmp_path: Path) -> None:
    installed = make_build(tmp_path / "installed", age=60)
    ade = Command(tmp_path, program=installed)
    with Activator(ade.paths.socket, ade.env, str(installed.with_name("python"))) as manager:
        first = ade.json("runtime", "info")["pid"]
        assert ade.json("runtime", "info")["pid"] == first
        (tmp_path / "installed" / "ade_generated" / "MANIFEST.json").touch()
        assert [first, ade.json("runtime", "info")["pid"]] == manager.started


def test_a_service_of_older_code_serves_newer_commands_as_it_is(ade: Command, tmp_path: Path) -> None:
    """To end it would bring back the same code with every command."""
    newer = Command(tmp_path, program=make_build(tmp_path / "newer", age=-60))
    with Activator(ade.paths.socket, ade.env) as manager:
        first = ade.json("runtime", "info")["pid"]
        assert newer.json("runtime", "info")["pid"] == first
        assert manager.started == [first]
        apart = Command(tmp_path, program=make_build(tmp_path / "apart", age=-60, protocol=2))
        error = apart.error("runtime", "info", exit_code=7)
        assert error["code"] == "incompatible_protocol"
        assert "ade service install" in error["hint"]


def test_a_crashed_service_is_started_anew(ade: Command) -> None:
    with Activator(ade.paths.socket, ade.env) as manager:
        first = ade.json("runtime", "info")["pid"]
        os.kill(first, signal.SIGKILL)
        assert ade.json("runtime", "info")["pid"] == manager.started[1]


def test_a_runtime_started_by_a_command_gives_way_to_the_managers_socket(ade: Command) -> None:
    first = ade.json("runtime", "info")["pid"]
    with Activator(ade.paths.socket, ade.env) as manager:
        second = ade.json("runtime", "info")["pid"]
        assert second != first
        assert manager.started == [second]
        assert ade.paths.socket.exists()


@pytest.mark.skipif(
    shutil.which("systemd-socket-activate") is None, reason="systemd-socket-activate is not installed"
)
def test_systemds_own_activation(ade: Command) -> None:
    ade.paths.make_folders()
    names = [f"--setenv={name}" for name in ade.env]
    argv = [
        "systemd-socket-activate",
        "-l",
        str(ade.paths.socket),
        *names,
        sys.executable,
        "-I",
        "-m",
        "ade_runtime.server",
    ]
    with subprocess.Popen([*argv, "--service"], env=ade.env, stderr=subprocess.PIPE, text=True) as manager:
        assert manager.stderr is not None
        manager.stderr.readline()  # it listens
        try:
            assert ade.json("runtime", "info")["pid"] == manager.pid
            assert ade.json("runtime", "stop") == {"stopped": True}
            assert manager.wait(30) == 0
        finally:
            manager.kill()
            ade.paths.socket.unlink(missing_ok=True)


def test_a_socket_of_another_home_is_refused(tmp_path: Path) -> None:
    paths = Paths.of_home(tmp_path / "home")
    ownership = Ownership.acquire(paths)
    try:
        with socket.socket(socket.AF_UNIX) as other:
            other.bind(str(tmp_path / "other.sock"))
            other.listen()
            with pytest.raises(errors.HomeUnusable, match="service"):
                ownership.adopt(other)
        with socket.socket(socket.AF_UNIX) as idle:
            idle.bind(str(paths.socket))
            with pytest.raises(errors.HomeUnusable, match="service"):
                ownership.adopt(idle)  # nobody listens on it
    finally:
        ownership.release()


def test_descriptors_meant_for_another_process_are_left_alone() -> None:
    other = {"LISTEN_PID": "1", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "x", "HOME": "/"}
    assert take_listener(other) is None
    assert other == {"HOME": "/"}, "and no child is told of them"
    assert take_listener({"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "2"}) is None
    assert take_listener({}) is None


# -- installing


class User:
    """A user with a systemctl of the test's own, which writes down what it is told and fails on request."""

    def __init__(self, base: Path) -> None:
        self.home = base / "home"
        self.home.mkdir()
        self.bin = base / "bin"
        self.calls = base / "calls"
        self.env = {"HOME": str(self.home), "PATH": f"{self.bin}:{STANDARD_PATH}", "LANG": "C.UTF-8"}
        self.units = self.home / ".config/systemd/user"

    def systemctl(self, failing: str = "nothing", said: str = "") -> None:
        script = f'echo "$*" >> {self.calls}\ncase "$*" in\n  "--user {failing}"*) echo "{said}" >&2; exit 1 ;;\nesac\n'
        program(
            self.bin / "systemctl",
            script + 'case "$*" in *is-active*) echo active ;; *is-enabled*) echo enabled ;; esac',
        )

    def told(self) -> list[str]:
        return self.calls.read_text().splitlines() if self.calls.exists() else []

    def run(self, *argv: str, exit_code: int = 0) -> Any:
        done = subprocess.run(
            [str(ADE), "service", *argv, "--json"],
            env=self.env,
            cwd="/",
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == exit_code, (done.returncode, done.stdout, done.stderr)
        return json.loads(done.stdout or done.stderr)


@pytest.fixture
def user(tmp_path: Path) -> User:
    if sys.platform == "darwin":
        pytest.skip("launchd is used here")
    return User(tmp_path)


def test_installing_and_removing_the_units(user: User) -> None:
    user.systemctl()
    before = snapshot(user.home)
    told = user.run("install")
    assert (told["manager"], [item["action"] for item in told["files"]]) == ("systemd", ["create", "create"])
    assert user.told() == [
        "--user show-environment",
        "--user daemon-reload",
        "--user enable --now ade.socket",
    ]
    assert sorted(path.name for path in user.units.iterdir()) == ["ade.service", "ade.socket"]
    status = user.run("status")
    assert (status["installed"], status["current"]) == (True, True)
    assert status["state"] == {
        "ade.socket enabled": "enabled",
        "ade.socket active": "active",
        "ade.service active": "active",
    }
    user.calls.unlink()
    user.run("uninstall")
    assert user.told()[1:3] == ["--user disable --now ade.socket", "--user stop ade.service"]
    assert "--user daemon-reload" in user.told()
    assert {
        name: entry for name, entry in snapshot(user.home).items() if entry[0].startswith("file")
    } == before
    assert user.run("status")["installed"] is False
    assert user.run("uninstall")["files"] == []


def test_a_dry_run_shows_files_and_commands_and_changes_nothing(user: User) -> None:
    user.systemctl()
    told = user.run("install", "--dry-run")
    assert "KillMode=process" in told["files"][1]["content"]
    assert ["systemctl", "--user", "enable", "--now", "ade.socket"] in told["commands"]
    assert (snapshot(user.home), user.told()) == ({}, [])
    user.run("install")
    installed = snapshot(user.home)
    user.calls.unlink()
    assert [item["action"] for item in user.run("uninstall", "--dry-run")["files"]] == ["remove", "remove"]
    assert (snapshot(user.home), user.told()) == (installed, [])


def test_without_systemctl_nothing_is_written(user: User) -> None:
    user.env["PATH"] = str(user.bin)
    error = user.run("install", exit_code=7)["error"]
    assert error["code"] == "service_manager_missing"
    assert "systemctl" in error["message"]
    assert snapshot(user.home) == {}
    assert "systemctl" in user.run("status")["notes"][0]


def test_without_a_user_instance_nothing_is_written(user: User) -> None:
    user.systemctl("show-environment", "Failed to connect to bus: No medium found")
    error = user.run("install", exit_code=7)["error"]
    assert error["code"] == "service_manager_missing"
    assert "No medium found" in error["message"]
    assert snapshot(user.home) == {}


def test_a_refusal_of_the_manager_takes_everything_back(user: User) -> None:
    user.systemctl("enable", "Unit is masked.")
    error = user.run("install", exit_code=1)["error"]
    assert error["code"] == "service_failed"
    assert "Unit is masked" in error["message"] and "enable" in error["message"]
    assert not user.units.exists() or list(user.units.iterdir()) == []


def test_a_refused_renewal_leaves_the_older_unit(user: User) -> None:
    user.systemctl()
    user.run("install")
    unit = user.units / "ade.service"
    older = unit.read_bytes().replace(b"RestartSec=1", b"RestartSec=9")
    unit.write_bytes(older)
    assert user.run("status")["current"] is False
    user.systemctl("enable", "no")
    user.run("install", exit_code=1)
    assert unit.read_bytes() == older
    user.systemctl()
    assert [item["action"] for item in user.run("install")["files"]] == ["keep", "change"]
    assert user.run("status")["current"] is True


def test_somebody_elses_unit_is_never_touched(user: User) -> None:
    user.systemctl()
    user.units.mkdir(parents=True)
    mine = user.units / "ade.service"
    mine.write_text("[Service]\nExecStart=/usr/bin/true\n")
    assert user.run("install", exit_code=5)["error"]["code"] == "install_blocked"
    assert list(user.units.iterdir()) == [mine]
    assert user.run("uninstall")["files"][0]["action"] == "keep"
    assert mine.read_text() == "[Service]\nExecStart=/usr/bin/true\n"
    assert "--user stop ade.service" not in user.told()


def test_units_go_even_where_the_manager_is_gone(user: User) -> None:
    user.systemctl()
    user.run("install")
    (user.bin / "systemctl").unlink()
    user.env["PATH"] = str(user.bin)
    told = user.run("uninstall")
    assert [item["action"] for item in told["files"]] == ["remove", "remove"]
    assert "systemctl" in told["notes"][0]
    assert list(user.units.iterdir()) == []


def test_installing_ends_a_runtime_that_a_command_started(user: User) -> None:
    user.systemctl()
    info = json.loads(
        subprocess.run([str(ADE), "runtime", "info"], env=user.env, capture_output=True, text=True).stdout
    )
    user.run("install")
    deadline = time.monotonic() + 20
    while Path(f"/proc/{info['pid']}").exists() and time.monotonic() < deadline:
        os.sched_yield()
    assert not (user.home / ".ade/sock/ade.sock").exists()


def test_another_home_has_a_service_of_its_own(user: User, tmp_path: Path) -> None:
    user.systemctl()
    user.run("install")
    user.env["ADE_HOME"] = str(tmp_path / "other home")
    told = user.run("install")
    assert all("/ade-" in item["path"] for item in told["files"])
    assert len(list(user.units.iterdir())) == 4
    user.run("uninstall")
    assert sorted(path.name for path in user.units.iterdir()) == ["ade.service", "ade.socket"]


def test_launchd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The commands for macOS, with a launchctl of the test's own."""
    from ade_runtime.machine.service.command import run_service

    user = User(tmp_path)
    program(user.bin / "launchctl", f'echo "$*" >> {user.calls}\necho "state = running"')
    for name, value in user.env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("ADE_HOME", raising=False)
    monkeypatch.setattr(sys, "platform", "darwin")
    assert run_service(["install"], text=False) == 0
    agent = user.home / "Library/LaunchAgents/dev.ade.runtime.plist"
    assert plistlib.loads(agent.read_bytes())["ProgramArguments"][1:] == list(units.ARGUMENTS)
    domain = f"gui/{os.getuid()}"
    assert user.told() == [f"print {domain}", f"bootstrap {domain} {agent}"]
    capsys.readouterr()
    assert run_service(["status"], text=False) == 0
    assert json.loads(capsys.readouterr().out)["state"] == {"dev.ade.runtime": "running"}
    assert run_service(["uninstall"], text=True) == 0
    assert user.told()[-1] == f"bootout {domain}/dev.ade.runtime"
    assert not agent.exists()


def test_help_and_arguments(user: User) -> None:
    done = subprocess.run([str(ADE), "service", "--help"], env=user.env, capture_output=True, text=True)
    assert done.stdout.startswith("Usage: ade service install")
    for argv in ([], ["instal"], ["install", "twice"], ["status", "--dry-run"], ["install", "--now"]):
        assert user.run(*argv, exit_code=2)["error"]["code"] == "invalid_arguments"
