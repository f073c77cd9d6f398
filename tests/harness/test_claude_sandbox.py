"""The sandbox that Claude Code runs commands in (its own package, no model) and what ``ade`` does there."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.machine.doctor import claude_reach
from ade_runtime.machine.doctor.rows import Place as DoctorPlace
from ade_runtime.machine.paths import Paths
from tests.harness.conftest import Place
from tests.harness.test_codex_sandbox import PROBE
from tests.support.command import ADE
from tests.support.programs import CLAUDE_SANDBOX, installed

pytestmark = [pytest.mark.harness, pytest.mark.timeout(900)]

if sys.platform.startswith("linux"):
    MISSING = [name for name in ("bwrap", "socat", "rg") if shutil.which(name) is None]
else:
    MISSING = []


@pytest.fixture(scope="session")
def srt() -> Path:
    if MISSING:
        pytest.skip(f"Claude's sandbox needs {', '.join(MISSING)}")
    return installed(CLAUDE_SANDBOX, "srt")


def sandboxed(
    srt: Path, place: Place, network: dict[str, Any], command: str
) -> subprocess.CompletedProcess[str]:
    """A shell command in the lane, with these network settings."""
    settings = {
        "network": {"allowedDomains": [], "deniedDomains": [], **network},
        "filesystem": {"denyRead": [], "allowWrite": [str(place.lane)], "denyWrite": []},
    }
    file = place.base / "srt.json"
    file.write_text(json.dumps(settings))
    return place.run([srt, "--settings", file, "-c", command])


def test_the_spool_is_the_way_in(srt: Path, place: Place) -> None:
    done = sandboxed(srt, place, {}, f"{ADE} lanes list --json && {ADE} auth status --jq .role")
    assert done.returncode == 0, done.stderr
    listed, role = done.stdout.splitlines()
    assert json.loads(listed) == place.ade.json("lanes", "list", cwd=place.lane)
    assert role == "external"


def test_agents_14_the_socket_is_opened_by_all_sockets_only(srt: Path, place: Place) -> None:
    """On Linux a list of sockets opens none; the doctor says so, and says which setting does."""
    environ = place.env | {"CLAUDE_CONFIG_DIR": str(place.base / "claude")}
    (place.base / "claude").mkdir()
    looking = DoctorPlace(environ, Paths.from_environment(environ))
    socket = place.ade.paths.socket
    for network in ({}, {"allowUnixSockets": [str(socket)]}, {"allowAllUnixSockets": True}):
        done = sandboxed(srt, place, network, f"{sys.executable} -c '{PROBE}' {socket}")
        reached, spool = (word == "True" for word in done.stdout.split())
        (place.base / "claude" / "settings.json").write_text(
            json.dumps({"sandbox": {"enabled": True, "network": network}})
        )
        reach = claude_reach.reach(looking)
        assert (reach.socket, reach.spool) == (reached, spool), (done.stderr, reach)
        assert bool(reach.opens) == (not reached)
        assert ("macOS only" in reach.note) == ("allowUnixSockets" in network and not reached)


def test_agents_13_no_runtime_is_started_that_would_end_with_the_command(srt: Path, place: Place) -> None:
    place.ade.close()
    done = sandboxed(srt, place, {"allowAllUnixSockets": True}, f"{ADE} lanes list --json")
    assert done.returncode == 7
    assert "ade serve" in done.stderr
    assert place.ade.pid is None
