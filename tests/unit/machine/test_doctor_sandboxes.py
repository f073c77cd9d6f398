"""What the doctor makes of the settings of agent programs. That the programs do so is proved by tests/harness."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.machine.doctor import claude_reach, codex_reach, sandboxes
from ade_runtime.machine.doctor.client_reach import Reach, UnreadableError
from ade_runtime.machine.doctor.rows import Place
from ade_runtime.machine.paths import Paths
from tests.unit.machine import fakes

LINUX = sys.platform.startswith("linux")
NETWORK = "[sandbox_workspace_write]\nnetwork_access = true\n"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """A user whose working folder is a repository."""
    home, work = tmp_path / "home", tmp_path / "work"
    for folder in (home / ".codex", home / ".claude", work / ".claude", work / ".codex", work / ".git"):
        folder.mkdir(parents=True)
    for name in ("HEAD", "config"):
        (work / ".git" / name).write_text("ref: refs/heads/main\n")
    for name in ("objects", "refs"):
        (work / ".git" / name).mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setattr(claude_reach, "MANAGED", tmp_path / "managed.json")
    return Place(fakes.environ(home), Paths.of_home(home / ".ade"))


def trust(place: Place) -> str:
    return f'[projects."{place.cwd}"]\ntrust_level = "trusted"\n'


def codex(place: Place, config: str = "", project: str = "") -> tuple[Any, ...]:
    (place.home / ".codex" / "config.toml").write_text(config)
    (Path.cwd() / ".codex" / "config.toml").write_text(project)
    found = codex_reach.reach(place)
    assert bool(found.opens) == (found.socket is False)
    return found.sandbox, found.socket, found.network, found.spool


def test_codex_modes(place: Place) -> None:
    assert codex(place) == ("read-only", False, False, False)
    assert codex(place, NETWORK) == ("read-only", False, False, False)
    assert codex(place, 'sandbox_mode = "workspace-write"') == ("workspace-write", False, False, True)
    network = codex(place, f'sandbox_mode = "workspace-write"\n{NETWORK}')
    assert network == ("workspace-write", True, True, True)
    assert codex(place, 'sandbox_mode = "danger-full-access"') == ("danger-full-access", True, True, True)


def test_codex_in_a_trusted_project(place: Place) -> None:
    assert codex(place, trust(place)) == ("workspace-write", False, False, True)
    assert codex(place, trust(place), NETWORK) == ("workspace-write", True, True, True)
    assert codex(place, "", f'sandbox_mode = "workspace-write"\n{NETWORK}') == (
        "read-only",
        False,
        False,
        False,
    )


@pytest.mark.parametrize(
    ("base", "more", "expected"),
    [
        (":workspace", "", (False, False, True)),
        (":workspace", "[permissions.ade.network]\nenabled = true", (True, True, True)),
        (":read-only", "[permissions.ade.network]\nenabled = true", (True, True, False)),
        (":danger-full-access", "", (True, True, True)),
        ("other", "[permissions.other]\nextends = ':workspace'", (False, False, True)),
        ("ade", "", (False, False, None)),
        ("nowhere", "", (False, False, None)),
    ],
)
def test_codex_profiles(place: Place, base: str, more: str, expected: tuple[object, ...]) -> None:
    config = f'default_permissions = "ade"\n[permissions.ade]\nextends = "{base}"\n{more}\n'
    assert codex(place, config) == ("ade", *expected)


@pytest.mark.skipif(not LINUX, reason="what macOS does was not seen")
def test_codex_behind_its_proxy(place: Place) -> None:
    config = (
        'default_permissions = "ade"\n[features]\nnetwork_proxy = true\n[permissions.ade]\nextends = ":workspace"\n'
        '[permissions.ade.network]\nenabled = true\nunix_sockets = { "/s" = "allow" }\n'
    )
    assert codex(place, config) == ("ade", False, True, True)


def claude(place: Place, *layers: dict[str, Any], linux: bool = True) -> Reach:
    files = [
        place.home / ".claude" / "settings.json",
        Path.cwd() / ".claude" / "settings.json",
        Path.cwd() / ".claude" / "settings.local.json",
        claude_reach.MANAGED,
    ]
    for file, values in zip(files, layers, strict=False):
        file.write_text(json.dumps({"sandbox": values}))
    return claude_reach.reach(place, linux=linux)


def test_claude_without_a_sandbox(place: Place) -> None:
    assert claude(place).sandbox == "none"
    assert claude(place, {"enabled": True}, {"enabled": False}).sandbox == "none"
    assert claude(place, {}, {}, {}, {"enabled": True}).sandbox == "on"


def test_agents_14_claude_on_linux_needs_all_sockets_whatever_is_listed(place: Place) -> None:
    """Both settings are looked at, and their effect is shown: which one counts, and that nothing may start without it."""
    socket = str(place.paths.socket)
    closed = claude(place, {"enabled": True})
    assert (closed.socket, closed.spool, closed.opens) == (False, True, claude_reach.ALL_SOCKETS)
    assert "81799" in closed.note
    listed = claude(place, {"enabled": True, "network": {"allowUnixSockets": [socket]}})
    assert (listed.socket, listed.opens) == (False, claude_reach.ALL_SOCKETS)
    assert "macOS only" in listed.note
    no = claude(
        place, {"enabled": True, "network": {"allowUnixSockets": [socket], "allowAllUnixSockets": False}}
    )
    assert no.socket is False
    opened = claude(place, {"enabled": True, "network": {"allowAllUnixSockets": True}})
    assert (opened.socket, opened.opens, opened.note) == (True, "", "")
    taken_back = claude(
        place,
        {"enabled": True, "network": {"allowAllUnixSockets": True}},
        {"network": {"allowAllUnixSockets": False}},
    )
    assert taken_back.socket is False


def test_claude_on_macos_takes_paths(place: Place) -> None:
    on = {"enabled": True}
    socket = place.paths.socket
    assert str(socket) in claude(place, on, linux=False).opens
    for path in (str(socket), str(socket.parent), "~/.ade/sock"):
        assert claude(place, on, {"network": {"allowUnixSockets": [path]}}, linux=False).socket is True
    for path in ("/var/run/docker.sock", str(socket) + "x"):
        assert claude(place, on, {"network": {"allowUnixSockets": [path]}}, linux=False).socket is False


@pytest.mark.parametrize("text", ["{", "[]", '"x"', "\udcff"])
def test_settings_that_cannot_be_read_are_named(place: Place, text: str) -> None:
    file = place.home / ".claude" / "settings.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(UnreadableError, match=r"settings\.json"):
        claude_reach.reach(place)
    (place.home / ".codex" / "config.toml").write_text("= 1")
    with pytest.raises(UnreadableError, match=r"config\.toml"):
        codex_reach.reach(place)


def test_rows_of_what_is_installed(place: Place, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    for name in ("claude", "codex", "opencode", "droid"):
        fakes.says(tools / name, "1.0.0")
    at = Place(fakes.environ(place.home, tools), place.paths)
    found = {row.check: row for row in sandboxes.check(at)}
    assert found["sandbox here"].state == "ok"
    assert found["sandbox claude"].state == "ok"
    assert (found["sandbox codex"].state, "network_access = true" in found["sandbox codex"].next) == (
        "warn",
        True,
    )
    assert "without a sandbox" in found["sandbox opencode"].found
    assert "droid" in found["sandboxes of others"].found
    (place.home / ".codex" / "config.toml").write_text("= 1")
    broken = {row.check: row for row in sandboxes.check(at)}["sandbox codex"]
    assert (broken.state, "config.toml" in broken.found) == ("warn", True)
