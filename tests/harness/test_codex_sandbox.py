"""The real Codex program's sandbox (``codex sandbox``, no model) and what ``ade`` does in each of its modes."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ade_runtime.machine.doctor import codex_reach
from ade_runtime.machine.doctor.rows import Place as DoctorPlace
from ade_runtime.machine.paths import Paths
from tests.harness.conftest import Place
from tests.support.command import ADE
from tests.support.programs import CODEX, installed

pytestmark = [pytest.mark.harness, pytest.mark.timeout(900)]

READ_ONLY = 'sandbox_mode = "read-only"'
WORKSPACE = 'sandbox_mode = "workspace-write"'
NETWORK = 'sandbox_mode = "workspace-write"\n[sandbox_workspace_write]\nnetwork_access = true'
FULL = 'sandbox_mode = "danger-full-access"'
OVERRIDES = {
    READ_ONLY: ['sandbox_mode="read-only"'],
    WORKSPACE: ['sandbox_mode="workspace-write"'],
    NETWORK: ['sandbox_mode="workspace-write"', "sandbox_workspace_write.network_access=true"],
    FULL: ['sandbox_mode="danger-full-access"'],
}
PROMPT = 10.0
"""Seconds within which a blocked command must have said so, on a busy machine, with Codex's own start."""

PROBE = """
import os, socket, sys
def can(action):
    try:
        action()
        return True
    except OSError:
        return False
def connect():
    with socket.socket(socket.AF_UNIX) as one: one.connect(sys.argv[1])
def write():
    os.makedirs(".ade/spool", exist_ok=True)
    open(".ade/spool/probe", "w").close()
    os.unlink(".ade/spool/probe")
print(can(connect), can(write))
"""


@pytest.fixture(scope="session")
def codex() -> Path:
    return installed(CODEX, "codex")


def configure(place: Place, config: str) -> None:
    (Path(place.env["CODEX_HOME"]) / "config.toml").write_text(config + "\n")


def sandboxed(
    codex: Path, place: Place, config: str, *argv: str | Path, **env: str
) -> subprocess.CompletedProcess[str]:
    """A command in the lane, in Codex's sandbox as this configuration has it.

    ``codex sandbox`` takes the older settings from its options only; Codex itself takes them from the file, which
    ``test_codex_shell`` shows.
    """
    configure(place, config)
    options = [option for mode in OVERRIDES.get(config, ()) for option in ("-c", mode)]
    return place.run([codex, "sandbox", *options, "--", *argv], **env)


def error_of(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    """The error document; Codex's own warnings may stand before it."""
    found: dict[str, str] = json.loads(done.stderr.strip().splitlines()[-1])["error"]
    return found


def test_agents_11_15_read_only_is_blocked_clearly(codex: Path, place: Place) -> None:
    """EPERM starts nothing, unlinks nothing, names the setting, and comes at once."""
    before, pid = place.ade.paths.socket.stat().st_ino, place.ade.pid
    began = time.monotonic()
    done = sandboxed(codex, place, READ_ONLY, ADE, "lanes", "list", "--json")
    assert time.monotonic() - began < PROMPT
    assert (done.returncode, done.stdout) == (7, "")
    error = error_of(done)
    assert error["code"] == "sandbox_blocked"
    assert "sandbox_workspace_write.network_access" in error["hint"]
    assert "Read-only file system" in error["message"]
    assert (place.ade.paths.socket.stat().st_ino, place.ade.pid) == (before, pid)
    assert not (place.lane / ".ade").exists()


def test_workspace_write_goes_through_the_spool(codex: Path, place: Place) -> None:
    done = sandboxed(codex, place, WORKSPACE, ADE, "lanes", "list", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == place.ade.json("lanes", "list", cwd=place.lane)
    who = json.loads(sandboxed(codex, place, WORKSPACE, ADE, "auth", "status", "--json").stdout)
    assert who["role"] == "external"
    assert sandboxed(codex, place, WORKSPACE, ADE, "git", "stage", "a.txt").returncode == 3


def test_a_session_works_in_its_lane_through_the_spool(codex: Path, place: Place) -> None:
    """Its token is in the environment of Codex's command, in a PID namespace of its own; git's folder is read-only there."""
    made = place.ade.json("sessions", "start", "--bind-project", ".", "--lane", "fix", cwd=place.lane)
    env = {"ADE_SESSION_TOKEN": made["token"]}
    (place.lane / "new.txt").write_text("new")
    for argv in (["git", "stage", "new.txt"], ["git", "commit", "-m", "New"]):
        done = sandboxed(codex, place, WORKSPACE, ADE, *argv, **env)
        assert done.returncode == 0, done.stderr
    assert place.ade.json("git", "log", "--limit", "1", cwd=place.lane)["items"][0]["subject"] == "New"
    for argv in (
        ["lanes", "create", "more"],
        ["git", "reset", "HEAD"],
        ["git", "commit", "--lane", "primary", "-m", "x"],
    ):
        assert sandboxed(codex, place, WORKSPACE, ADE, *argv, **env).returncode == 3
    touched = sandboxed(codex, place, WORKSPACE, "touch", place.repo.root / ".git" / "touched")
    assert touched.returncode != 0


@pytest.mark.parametrize("config", [NETWORK, FULL], ids=["network", "full"])
def test_with_network_the_socket_is_used(codex: Path, place: Place, config: str) -> None:
    done = sandboxed(codex, place, config, ADE, "auth", "status", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["role"] == "agent"
    assert not (place.lane / ".ade").exists()
    listed = sandboxed(codex, place, config, ADE, "lanes", "list", "--json")
    assert json.loads(listed.stdout) == place.ade.json("lanes", "list", cwd=place.lane)


def test_agents_13_no_runtime_is_started_that_would_end_with_the_command(codex: Path, place: Place) -> None:
    place.ade.close()
    for config, code in ((NETWORK, "runtime_unavailable"), (WORKSPACE, "sandbox_blocked")):
        began = time.monotonic()
        done = sandboxed(codex, place, config, ADE, "lanes", "list", "--json")
        assert time.monotonic() - began < PROMPT
        error = error_of(done)
        assert (done.returncode, error["code"]) == (7, code)
        assert "ade serve" in error["hint"] + error["message"]
        assert place.ade.pid is None
    done = sandboxed(codex, place, FULL, ADE, "lanes", "list", "--json")
    assert done.returncode == 0, done.stderr
    assert place.ade.pid is not None, "outside of a namespace of its own a runtime is started as ever"


@pytest.mark.parametrize("config", [READ_ONLY, WORKSPACE], ids=["read_only", "workspace"])
def test_agents_12_headless_works_or_fails_clearly(codex: Path, place: Place, config: str) -> None:
    """Codex's filter refuses the byte with which a thread wakes asyncio's loop: it would wait for ever."""
    began = time.monotonic()
    done = sandboxed(codex, place, config, ADE, "--headless", "lanes", "list", "--json")
    assert time.monotonic() - began < 2 * PROMPT
    assert done.returncode == 7
    assert "read-only file system" in error_of(done)["message"].lower()
    if config == WORKSPACE:
        home = str(place.base / "tmp" / "home")
        done = sandboxed(
            codex, place, config, ADE, "--headless", "runtime", "health", "--json", ADE_HOME=home
        )
        assert done.returncode == 0, done.stderr
        assert time.monotonic() - began < 4 * PROMPT


def test_doctor_in_the_sandbox_says_where_it_is(codex: Path, place: Place) -> None:
    for config, state, words in (
        (READ_ONLY, "fail", "nor is there a spool"),
        (WORKSPACE, "warn", "the spool is open"),
        (NETWORK, "ok", "lets it reach the socket"),
        (FULL, "ok", "none keeps this command"),
    ):
        done = sandboxed(codex, place, config, ADE, "doctor", "--json")
        rows = {row["check"]: row for row in json.loads(done.stdout)["items"]}
        row = rows["sandbox here"]
        assert (row["state"], words in row["found"]) == (state, True), row
        assert state == "ok" or "sandbox_workspace_write.network_access" in row["next"]
        assert f"process {place.ade.pid} holds" in rows["lock"]["found"]


PROFILE = 'default_permissions = "ade"\n[permissions.ade]\nextends = "{base}"\n{more}'
SOCKET = '[permissions.ade.network]\nunix_sockets = {{ "{socket}" = "allow" }}\n{more}'
CONFIGURATIONS = {
    "nothing": "",
    "read-only": READ_ONLY,
    "workspace": WORKSPACE,
    "network": NETWORK,
    "full": FULL,
    "profile workspace": 'default_permissions = ":workspace"',
    "profile read-only": 'default_permissions = ":read-only"',
    "profile with network": PROFILE.format(
        base=":workspace", more="[permissions.ade.network]\nenabled = true"
    ),
    "read-only with network": PROFILE.format(
        base=":read-only", more="[permissions.ade.network]\nenabled = true"
    ),
    "socket listed": PROFILE.format(base=":workspace", more=SOCKET.format(socket="{socket}", more="")),
    "socket listed with network": PROFILE.format(
        base=":workspace", more=SOCKET.format(socket="{socket}", more="enabled = true")
    ),
    "socket listed with proxy": "[features]\nnetwork_proxy = true\n",
}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="what macOS does was not seen")
@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_the_doctor_reads_the_settings_as_codex_does(codex: Path, place: Place, name: str) -> None:
    """Both sides of each configuration: what a probe reaches in the real sandbox, and what the doctor says it reaches."""
    config = CONFIGURATIONS[name]
    if name == "socket listed with proxy":
        config = CONFIGURATIONS["socket listed with network"] + "\n" + config
    config = config.replace("{socket}", str(place.ade.paths.socket))
    done = sandboxed(codex, place, config, sys.executable, "-c", PROBE, place.ade.paths.socket)
    socket, spool = (word == "True" for word in done.stdout.split())
    reach = codex_reach.reach(DoctorPlace(place.env, Paths.from_environment(place.env)))
    assert (reach.socket, reach.spool) == (socket, spool), (done.stdout, done.stderr, reach)
    assert bool(reach.opens) == (not socket)
