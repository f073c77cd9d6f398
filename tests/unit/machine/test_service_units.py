"""Units and property lists hold any path as it is: what the manager reads back is what was meant."""

from __future__ import annotations

import os
import plistlib
import shutil
import subprocess
import xml.dom.minidom
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ade_generated import errors
from ade_runtime.machine.paths import Paths
from ade_runtime.machine.service import units
from ade_runtime.machine.service.units import Service, launchd_files, plain, quoted, systemd_files
from tests.unit.machine import systemd_syntax
from tests.unit.machine.fakes import program

ODD = [
    "plain",
    "with blank",
    "two  blanks ",
    'dou"ble',
    "sin'gle",
    "back\\slash",
    "100%h",
    "$HOME and ${HOME}",
    "-dash --dash",
    "semi;colon & pipe|",
    "é 修正 👍🏽",
    "#hash",
    "tab\there",
    "new\nline",
    "\udcff\udcfe",
    "[Service]",
    "{brace}",
    "!bang @at +plus",
]


def service(python: str, home: str = "/home/ada/.ade", **environment: str) -> Service:
    return Service("ade", python, Paths.of_home(Path(home)), environment)


def unit(made: dict[Path, bytes], suffix: str) -> bytes:
    return next(data for path, data in made.items() if path.suffix == suffix)


@pytest.mark.parametrize("odd", ODD)
def test_public_report_16_a_unit_holds_any_path_as_data(odd: str) -> None:
    python = f"/opt/{odd}/bin/python"
    home = f"/srv/{odd.encode(errors='replace').decode()}"
    made = systemd_files(service(python, ADE_HOME=home), {"HOME": "/home/ada"})
    read = systemd_syntax.read(unit(made, ".service"))
    (command,) = read["Service.ExecStart"]
    words = systemd_syntax.words(command)
    if words[0] == ":/bin/sh":
        assert words[1:3] == ["-c", 'exec "$0" "$@"']
        words = [f":{words[3]}", *words[4:]]
    assert words == [f":{python}", "-I", "-m", "ade_runtime.server", "--service"]
    (environment,) = read["Service.Environment"]
    assert systemd_syntax.words(environment) == [f"ADE_HOME={home}"]


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0")))
def test_every_text_comes_back_from_quotes(text: str) -> None:
    value = quoted(text)
    assert "\n" not in value and value.isprintable()
    assert systemd_syntax.words(value) == [text]


@pytest.mark.parametrize(
    "path", ["/run/a b/ade.sock", "/x/100%h.sock", "/x/'q\".sock", "/é/修.sock", "/x/$HOME"]
)
def test_a_socket_path_stands_for_itself(path: str) -> None:
    assert systemd_syntax.specifiers(plain(path)) == path


@pytest.mark.parametrize("path", ["/x/end ", "/x/end\\", "/x/new\nline", "/x/tab\t", "/x/\udcff"])
def test_a_socket_path_that_a_unit_cannot_hold_is_refused(path: str) -> None:
    with pytest.raises(errors.InstallBlocked):
        plain(path)


def test_an_environment_that_a_unit_cannot_hold_is_refused() -> None:
    with pytest.raises(errors.InstallBlocked):
        systemd_files(service("/usr/bin/python3", ADE_HOME="/srv/\udcff"), {"HOME": "/home/ada"})


def test_what_the_units_say() -> None:
    made = systemd_files(service("/usr/bin/python3"), {"HOME": "/home/ada"})
    folder = Path("/home/ada/.config/systemd/user")
    assert set(made) == {folder / "ade.socket", folder / "ade.service"}
    assert all(units.is_ours(data) for data in made.values())
    read = systemd_syntax.read(unit(made, ".service"))
    assert read["Service.KillMode"] == ["process"], (
        "anything else ends the agents' terminals with the runtime"
    )
    assert read["Unit.Requires"] == ["ade.socket"]
    assert "Service.Environment" not in read
    read = systemd_syntax.read(unit(made, ".socket"))
    assert read["Socket.ListenStream"] == ["/home/ada/.ade/sock/ade.sock"]
    assert read["Socket.SocketMode"] == ["0600"]
    assert read["Install.WantedBy"] == ["sockets.target"]


def test_xdg_config_home_and_another_ade_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    environ = {
        "HOME": "/home/ada",
        "XDG_CONFIG_HOME": "/cfg",
        "ADE_HOME": "/srv/ade",
        "ADE_RPC_SOCKET_PATH": "/run/a.sock",
    }
    made = Service.of(environ)
    assert made.name.startswith("ade-") and len(made.name) == 12
    assert dict(made.environment) == {"ADE_HOME": "/srv/ade", "ADE_RPC_SOCKET_PATH": "/run/a.sock"}
    assert {path.parent for path in systemd_files(made, environ)} == {Path("/cfg/systemd/user")}
    usual = Service.of({"HOME": "/home/ada"})
    assert (usual.name, dict(usual.environment)) == ("ade", {})


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
@pytest.mark.parametrize("odd", ODD)
def test_systemd_itself_finds_nothing_wrong(odd: str, tmp_path: Path) -> None:
    python = program(tmp_path / odd / "python", "")
    short = Service(
        "ade",
        str(python),
        Paths.of_home(tmp_path / "h"),
        {"ADE_HOME": "/srv/" + odd.encode(errors="replace").decode()},
    )
    made = systemd_files(short, {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "cfg")})
    for path, data in made.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--user", *map(str, made)],
        env=os.environ | {"HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        errors="replace",
        timeout=60,
    )
    told = [line for line in done.stderr.splitlines() if str(tmp_path / "cfg") in line or "ade." in line]
    assert (done.returncode, told) == (0, []), done.stderr


@pytest.mark.parametrize("odd", [odd for odd in ODD if not odd.startswith("\udcff")])
def test_public_report_16_a_property_list_holds_any_path_as_data(odd: str) -> None:
    python = f"/opt/{odd}/python"
    made = launchd_files(service(python, ADE_HOME=f"/srv/{odd}"), {"HOME": "/Users/ada"})
    ((path, data),) = made.items()
    assert path == Path("/Users/ada/Library/LaunchAgents/dev.ade.runtime.plist")
    xml.dom.minidom.parseString(data)
    document = plistlib.loads(data)
    assert document["ProgramArguments"] == [python, "-I", "-m", "ade_runtime.server", "--service"]
    assert document["EnvironmentVariables"] == {"ADE_HOME": f"/srv/{odd}"}
    assert document["Label"] == path.stem
    assert document["AbandonProcessGroup"] is True, "or launchd ends the agents' terminals with the runtime"
    assert document["KeepAlive"] == {"SuccessfulExit": False}
    assert units.is_ours(data)


def test_a_path_no_property_list_can_hold_is_refused() -> None:
    with pytest.raises(errors.InstallBlocked):
        launchd_files(service("/opt/\udcff/python"), {"HOME": "/Users/ada"})
    with pytest.raises(errors.InstallBlocked):
        launchd_files(service("/opt/\x01/python"), {"HOME": "/Users/ada"})


def test_only_files_with_our_mark_are_ours() -> None:
    assert not units.is_ours(b"[Unit]\nDescription=mine\n")
    assert not units.is_ours(b"[Unit]\nDescription=x\n# " + units.MARK.encode())
