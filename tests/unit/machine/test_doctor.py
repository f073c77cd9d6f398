"""Each check of the doctor on a machine made for it: sound, wrong in one way, and never telling a secret."""

from __future__ import annotations

import json
import os
import shutil
import socket
from pathlib import Path

import pytest

from ade_runtime.machine.doctor import (
    accounts,
    agents,
    command,
    command_path,
    database,
    folders,
    git,
    program,
    project,
    runtime,
    service,
    skills,
)
from ade_runtime.machine.doctor.rows import Check, Place, Row
from ade_runtime.machine.install import launcher
from ade_runtime.machine.paths import Paths
from ade_runtime.machine.service.units import Service, systemd_files
from ade_runtime.machine.skill_roots import VARIABLE
from ade_runtime.server.ownership import Ownership
from tests.unit.machine import fakes
from tests.unit.machine.fakes import environ, says

SECRET = "ghp_THE_SECRET_VALUE"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(folder))
    return folder


def place(home: Path, *path: Path, **more: str) -> Place:
    env = environ(home, *path) | more
    return Place(env, Paths.of_home(home / ".ade"))


def rows(check: Check, at: Place) -> dict[str, Row]:
    """The rows of one check by name; each that is not ok names a step."""
    found = list(check(at))
    assert all(row.next for row in found if row.state != "ok")
    assert all(row.found for row in found)
    return {row.check: row for row in found}


def states(check: Check, at: Place) -> dict[str, str]:
    return {name: row.state for name, row in rows(check, at).items()}


def test_this_installation(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert states(program.check, place(home)) == {"version": "ok", "python": "ok"}
    monkeypatch.setattr(program, "package_version", lambda: "0+unknown")
    monkeypatch.setattr(program, "PYTHON_NEEDED", (9, 0))
    assert states(program.check, place(home)) == {"version": "warn", "python": "fail"}


# -- folders, socket, lock


def test_folders_that_are_not_there_yet_are_no_fault(home: Path) -> None:
    assert set(states(folders.check, place(home)).values()) == {"ok"}
    assert not (home / ".ade").exists()


def test_what_is_open_to_others_is_closed_by_fix(home: Path) -> None:
    at = place(home)
    at.paths.make_folders()
    at.paths.database.touch(0o644)
    at.paths.owner_lock.touch(0o666)
    at.paths.owner_lock.chmod(0o666)
    (home / ".ade").chmod(0o755)
    found = rows(folders.check, at)
    assert {name for name, row in found.items() if row.state == "warn"} == {
        "home",
        "database file",
        "lock file",
    }
    assert "chmod 700" in found["home"].next
    assert sorted(command.fix(list(found.values()))) == ["database file", "home", "lock file"]
    assert set(states(folders.check, at).values()) == {"ok"}
    assert at.paths.database.stat().st_mode & 0o777 == 0o600


def test_something_else_in_the_place_of_a_folder(home: Path) -> None:
    (home / ".ade").write_text("x")
    assert rows(folders.check, place(home))["home"].state == "fail"


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_a_home_of_another_user(home: Path) -> None:
    (home / ".ade").mkdir()
    os.chown(home / ".ade", 12345, -1)
    found = rows(folders.check, place(home))["home"]
    assert (found.state, "12345" in found.found, found.fix) == ("fail", True, None)


def test_a_full_disk(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "SPACE_NEEDED", 1 << 62)
    assert rows(folders.check, place(home))["disk"].state == "fail"


def test_socket_and_lock_of_a_quiet_machine(home: Path) -> None:
    assert states(runtime.check, place(home)) == {"socket": "ok", "lock": "ok", "runtime": "ok"}


def test_a_file_in_the_sockets_place_and_a_socket_open_to_others(home: Path) -> None:
    at = place(home)
    at.paths.make_folders()
    at.paths.socket.touch()
    assert rows(runtime.check, at)["socket"].state == "fail"
    at.paths.socket.unlink()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(at.paths.socket))
        at.paths.socket.chmod(0o666)
        found = rows(runtime.check, at)["socket"]
        assert (found.state, command.fix([found])) == ("warn", ["socket"])
        assert rows(runtime.check, at)["socket"].state == "ok"


def test_a_path_too_long_is_shown_with_its_stand_in(home: Path) -> None:
    at = Place(environ(home), Paths.of_home(home / ("h" * 120)))
    found = rows(runtime.check, at)["socket"].found
    assert str(at.paths.socket) in found and str(at.paths.socket_wanted) in found


def test_a_holder_that_does_not_answer_is_named(home: Path) -> None:
    at = place(home)
    held = Ownership.acquire(at.paths)
    try:
        found = rows(runtime.check, at)
        assert (found["lock"].state, found["runtime"].state) == ("ok", "fail")
        assert str(os.getpid()) in found["lock"].found and str(os.getpid()) in found["runtime"].next
    finally:
        held.release()


def test_a_holder_that_listens_elsewhere_is_named(home: Path) -> None:
    held = Ownership.acquire(place(home).paths)
    try:
        moved = Paths.from_environment(
            {"ADE_HOME": str(home / ".ade"), "ADE_RPC_SOCKET_PATH": str(home / "x.sock")}
        )
        found = rows(runtime.check, Place(environ(home), moved))["lock"]
        assert found.state == "fail" and "ADE_RPC_SOCKET_PATH" in found.next
    finally:
        held.release()


def test_the_database(home: Path) -> None:
    at = place(home)
    assert states(database.check, at) == {"database": "ok"}
    at.paths.make_folders()
    at.paths.database.write_text("no database at all, however long it may be")
    assert states(database.check, at) == {"database": "fail"}


# -- programs


def test_git(home: Path, tmp_path: Path) -> None:
    alone = tmp_path / "bin"
    assert states(git.check, Place({"PATH": str(alone)}, place(home).paths)) == {"git": "fail"}
    fakes.program(alone / "git", "echo git version 2.30.1")
    assert rows(git.check, place(home, alone))["git"].found.startswith("2.30.1")
    assert states(git.check, place(home, alone)) == {"git": "fail"}
    fakes.program(alone / "git", "exec sleep 60")
    git_seconds = git.ANSWER_SECONDS
    try:
        git.ANSWER_SECONDS = 0.2
        assert "does not answer" in rows(git.check, place(home, alone))["git"].found
    finally:
        git.ANSWER_SECONDS = git_seconds


def test_who_commits(home: Path) -> None:
    bare = {"GIT_CONFIG_GLOBAL": str(home / "gitconfig"), "GIT_CONFIG_NOSYSTEM": "1"}
    found = rows(git.check, place(home, **bare))["git identity"]
    assert found.state == "warn" and "user.name" in found.next and "user.email" in found.next
    named = {"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org"}
    assert rows(git.check, place(home, **bare, **named))["git identity"].state == "ok"
    (home / "gitconfig").write_text("[user]\n\tname = Ada\n")
    found = rows(git.check, place(home, **bare))["git identity"]
    assert "user.name" not in found.next and "user.email" in found.next


def test_accounts_are_told_of_and_never_shown(home: Path, tmp_path: Path) -> None:
    assert states(accounts.check, place(home)) == {"github": "warn", "linear": "warn"}
    known = place(home, GITHUB_TOKEN=SECRET, LINEAR_API_KEY=SECRET)
    assert states(accounts.check, known) == {"github": "ok", "linear": "ok"}
    assert states(accounts.check, place(home, GH_TOKEN="  "))["github"] == "warn"
    hosts = home / ".config/gh/hosts.yml"
    hosts.parent.mkdir(parents=True)
    hosts.write_text(f"github.com:\n    user: ada\n    oauth_token: {SECRET}\n")
    assert states(accounts.check, place(home))["github"] == "ok"
    hosts.write_text("github.com:\n    user: ada\n")
    fakes.program(tmp_path / "bin/gh", f"touch {tmp_path}/ran")
    assert states(accounts.check, place(home, tmp_path / "bin"))["github"] == "ok", (
        "its token is in the keyring"
    )
    assert not (tmp_path / "ran").exists(), "gh might ask the network"
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    assert states(accounts.check, place(home, GH_CONFIG_DIR=str(moved)))["github"] == "warn"


def test_no_row_holds_a_secret(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at = place(home, GH_TOKEN=SECRET, LINEAR_API_KEY=SECRET, ADE_SESSION_TOKEN=SECRET)
    told = [command.as_item(row) for row in command.examine(at)]
    assert SECRET not in json.dumps(told)
    assert SECRET not in command.as_text(command.examine(at))


def test_agent_programs(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ade_runtime.machine.tools.detect.KNOWN_FOLDERS", ())
    assert states(agents.check, place(home)) == {"agent programs": "warn"}
    says(tmp_path / "bin/claude", "2.1.3 (Claude Code)")
    fakes.program(tmp_path / "bin/codex", "exit 1")
    found = rows(agents.check, place(home, tmp_path / "bin"))
    assert found["agent claude"].state == "ok" and "2.1.3" in found["agent claude"].found
    assert found["agent codex"].state == "warn" and "--version" in found["agent codex"].next
    missing = found["agent programs"].found.removeprefix("not installed: ").split(", ")
    assert "aider" in missing and "claude" not in missing


# -- finding ade


def test_ade_on_path(home: Path, tmp_path: Path) -> None:
    mine = launcher.installed_program()
    bash = shutil.which("bash") or "/bin/bash"
    empty = place(home, tmp_path / "bin")
    assert states(command_path.check, empty) == {"path": "warn", "login shell": "warn"}
    file = fakes.program(tmp_path / "bin/ade", "")
    assert "another ade" in rows(command_path.check, empty)["path"].found
    file.write_bytes(launcher.text(mine))
    assert states(command_path.check, empty)["path"] == "ok"
    file.write_bytes(launcher.text(tmp_path / "gone"))
    assert states(command_path.check, empty)["path"] == "fail"
    file.unlink()
    file.symlink_to(mine)
    assert states(command_path.check, empty)["path"] == "ok"
    (home / ".bash_profile").write_text(f'PATH="{tmp_path}/bin:$PATH"\n')
    assert states(command_path.check, place(home, SHELL=bash)) == {"path": "warn", "login shell": "ok"}


def test_the_variables_that_lead_agents_to_ade(home: Path, tmp_path: Path) -> None:
    mine = launcher.installed_program()
    good = place(home, ADE_CLI_PATH=str(mine), ADE_CLI_BIN_DIR=str(mine.parent))
    assert states(command_path.check, good) | {"path": "", "login shell": ""} == {
        "path": "",
        "login shell": "",
        "ADE_CLI_PATH": "ok",
        "ADE_CLI_BIN_DIR": "ok",
    }
    bad = states(command_path.check, place(home, ADE_CLI_PATH=str(tmp_path), ADE_CLI_BIN_DIR=str(tmp_path)))
    assert (bad["ADE_CLI_PATH"], bad["ADE_CLI_BIN_DIR"]) == ("fail", "fail")


# -- skills, service, project


def skill(root: Path, name: str = "one") -> Path:
    (root / name).mkdir(parents=True)
    (root / name / "SKILL.md").write_text("# one\n")
    return root


def test_skills(home: Path, tmp_path: Path) -> None:
    assert "your own go to" in rows(skills.check, place(home))["skills"].found
    skill(home / ".agents/skills")
    assert "1 in" in rows(skills.check, place(home))["skills"].found
    gone = place(home, **{VARIABLE: str(tmp_path / "gone")})
    assert next(skills.check(gone)).state == "warn"


def test_the_service(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    at = place(home)
    assert states(service.check, at) == {"service": "ok"}
    for path, data in systemd_files(Service.of(at.environ), at.environ).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    assert "installed" in rows(service.check, at)["service"].found
    path.write_bytes(data.replace(b"RestartSec=1", b"RestartSec=2"))
    assert states(service.check, at) == {"service": "warn"}


def test_a_working_folder_that_is_gone(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert states(project.check, place(home)) == {"project": "warn"}
    assert {row.check for row in command.examine(place(home))} >= {"git", "project", "skills"}


def test_a_check_that_cannot_be_made_is_a_row(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(at: Place) -> list[Row]:
        raise PermissionError(13, "Permission denied", "/x")

    monkeypatch.setattr(command, "CHECKS", (broken, program.check))
    found = command.examine(place(home))
    assert (found[0].state, found[0].next) == ("fail", "Report this.")
    assert [row.check for row in found[1:]] == ["version", "python"]


def test_text_has_a_line_a_row_and_no_escapes() -> None:
    text = command.as_text([Row("git", "ok", "x\x1b[31m"), Row("home folder", "fail", "y", "Mend it.")])
    assert text.splitlines() == [
        "ok    git          x\\x1b[31m",
        "fail  home folder  y",
        "                   next: Mend it.",
    ]
