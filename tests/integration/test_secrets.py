"""Must hold: a planted value is in no file, log, event, audit row or process listing that a full run leaves."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import pty
import sqlite3
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.agent import Agent
from tests.support.command import ADE, Command
from tests.support.repo import Repo

PLANTED = "planted-3xK9-vQ27-value"
SECOND = "planted-8wT4-zR51-second"
THIRD = "planted-5mN6-hJ83-third"
ALL = (PLANTED, SECOND, THIRD)


def spellings(value: str) -> list[bytes]:
    """The value as it may stand in a file: plain, encoded, or in a JSON text within a JSON text."""
    plain = value.encode()
    return [plain, base64.b64encode(plain).rstrip(b"=")[:-1], plain.hex().encode(), value.encode("utf-16-le")]


class Watch:
    """Looks at the arguments of every process of the machine, over and over, until it is closed."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.looks = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.is_set():
            self.looks += 1
            for process in Path("/proc").iterdir():
                with contextlib.suppress(OSError):
                    line = (process / "cmdline").read_bytes() if process.name.isdecimal() else b""
                    self.found += [f"{process.name}: {line!r}" for value in ALL if value.encode() in line]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Command]:
    made = Command(tmp_path)
    made.env |= {"ADE_SECRET_STORE": "file", "ADE_LOG": "debug"}
    yield made
    made.close()


@pytest.fixture
def project(place: Command) -> Path:
    repo = Repo(place.base, "project")
    repo.write("README.md", "# Sample\n")
    repo.commit("first")
    place.json("projects", "add", str(repo.root))
    return repo.root


def on_a_terminal(place: Command, project: Path, *argv: str, typed: str) -> tuple[int, str]:
    """Exit code and screen of a command on a terminal of its own, at which something is typed once it asks."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [str(ADE), *argv], env=place.env, cwd=project, stdin=follower, stdout=follower, stderr=follower,
        start_new_session=True,
    )  # fmt: skip
    os.close(follower)
    screen = b""
    while b"value:" not in screen:
        screen += os.read(leader, 4096)
    os.write(leader, typed.encode() + b"\n")
    with contextlib.suppress(OSError):
        while data := os.read(leader, 4096):
            screen += data
    os.close(leader)
    return process.wait(60), screen.decode()


def uses(place: Command, project: Path) -> None:
    """Everything one can do with a secret, and every way it can go wrong."""
    first = place.run("secrets", "set", "STRIPE_KEY", "--json", stdin=PLANTED + "\n", cwd=project)
    assert first.returncode == 0, first.stderr
    file = place.base / "second.txt"
    file.write_text(SECOND)
    place.json("secrets", "set", "NPM_TOKEN", "--machine", "--value", f"@{file}", "--readers", "cto")
    file.unlink()
    code, screen = on_a_terminal(place, project, "secrets", "set", "TYPED_KEY", typed=THIRD)
    assert code == 0 and THIRD not in screen and "TYPED_KEY" in screen
    assert place.json("secrets", "get", "STRIPE_KEY", cwd=project)["value"] == PLANTED
    assert place.json("secrets", "get", "TYPED_KEY", "--headless", cwd=project)["value"] == THIRD
    assert place.run("secrets", "get", "STRIPE_KEY", "--text", cwd=project).stdout == PLANTED + "\n"
    assert place.json("secrets", "get", "NPM_TOKEN", "--role", "cto")["value"] == SECOND
    listed = place.json("secrets", "list", "--role", "cto", cwd=project)
    assert [item["name"] for item in listed["items"]] == ["NPM_TOKEN", "STRIPE_KEY", "TYPED_KEY"]
    shown = place.run("secrets", "set", "STRIPE_KEY", "--dry-run", "--json", stdin=PLANTED, cwd=project)
    assert PLANTED not in shown.stdout and json.loads(shown.stdout)["arguments"]["value"] == "(secret)"
    place.error("secrets", "get", "NPM_TOKEN", exit_code=4)
    for wrong in ({"name": "A", "value": PLANTED * 9000}, {"name": "A B", "value": PLANTED},
                  {"name": "A", "value": PLANTED, "more": PLANTED}, {"name": PLANTED, "value": [PLANTED]}):  # fmt: skip
        refused = place.run(
            "secrets", "set", "--json", "--input-json", "-", stdin=json.dumps(wrong), cwd=project
        )
        assert refused.returncode == 2
        assert PLANTED not in refused.stderr.replace(f'name": "{PLANTED}', "")
    refused = place.run("secrets", "set", "A", "--json", "--readers", "nobody", stdin=PLANTED, cwd=project)
    assert refused.returncode == 2 and PLANTED not in refused.stderr
    background = {"action": "secret.get", "arguments": {"name": "STRIPE_KEY"}, "background": True}
    place.error(
        "actions", "run", "actions.run", "--input-json", json.dumps(background), exit_code=2, cwd=project
    )
    place.json("secrets", "set", "STRIPE_KEY", "--request-id", "same", stdin=PLANTED, cwd=project)
    noted = place.json(
        "memory", "add", f"--input-json={json.dumps({'text': 'password=' + PLANTED[:3]})}", cwd=project
    )
    assert noted["added"]


def test_a_planted_value_is_nowhere(place: Command, project: Path) -> None:
    watch = Watch()
    uses(place, project)
    watch.close()
    assert watch.looks > 3
    assert watch.found == []
    everything = [path for path in place.base.rglob("*") if path.is_file() and not path.is_symlink()]
    assert any(path.name == "runtime.log" for path in everything)
    assert any(path.name == "values.json" for path in everything)
    for path in everything:
        data = path.read_bytes()
        for value in ALL:
            assert not any(spelling in data for spelling in spellings(value)), path
    events = place.run("events", "poll", "--json", cwd=project).stdout
    listings = place.run("audit", "list", "--json").stdout + place.run("runtime", "info", "--json").stdout
    assert all(value not in events + listings for value in ALL)


def test_each_use_is_in_the_audit_by_name(place: Command, project: Path) -> None:
    uses(place, project)
    with contextlib.closing(sqlite3.connect(place.home / "state.db")) as database:
        rows = database.execute(
            "SELECT action, subject, effect, outcome FROM audit WHERE action LIKE 'secret.%'"
        )
        found = rows.fetchall()
    assert ("secret.get", "STRIPE_KEY", "secret", "ok") in found
    assert ("secret.set", "NPM_TOKEN", "secret", "ok") in found
    assert ("secret.get", "NPM_TOKEN", "secret", "secret_not_found") in found
    with contextlib.closing(sqlite3.connect(place.home / "state.db")) as database:
        assert database.execute("SELECT count(*) FROM receipts WHERE action LIKE 'secret.%'").fetchone() == (
            0,
        )


def test_a_session_has_what_its_role_may_and_changes_nothing(place: Command, project: Path) -> None:
    place.run("secrets", "set", "STRIPE_KEY", stdin=PLANTED, cwd=project)
    place.run("secrets", "set", "DEPLOY_KEY", "--readers", "cto", stdin=SECOND, cwd=project)
    lane = place.json("lanes", "create", "fix-login", cwd=project)
    other = Repo(place.base, "other")
    other.write("README.md", "# Other\n")
    other.commit("first")
    place.json("projects", "add", str(other.root))
    place.run("secrets", "set", "OTHER_KEY", stdin=THIRD, cwd=other.root)
    started = place.json("sessions", "start", "--lane", "fix-login", cwd=project)
    agent = Agent(place, {"ADE_SESSION_TOKEN": started["token"]})
    here = Path(lane["path"])
    assert agent.json("secrets", "get", "STRIPE_KEY", cwd=here)["value"] == PLANTED
    assert [item["name"] for item in agent.json("secrets", "list", cwd=here)["items"]] == ["STRIPE_KEY"]
    assert agent.run("secrets", "get", "DEPLOY_KEY", "--json", cwd=here).returncode == 4
    agent.denied("secrets", "delete", "STRIPE_KEY", cwd=here)
    agent.denied("secrets", "get", "OTHER_KEY", cwd=other.root)
    agent.denied("secrets", "get", "OTHER_KEY", "--of-project", str(other.root), cwd=here)
    agent.close()
    assert place.json("secrets", "get", "STRIPE_KEY", cwd=project)["value"] == PLANTED


@pytest.mark.parametrize("role", ["external", "evaluator"])
def test_roles_that_only_read_have_none(place: Command, project: Path, role: str) -> None:
    place.run("secrets", "set", "STRIPE_KEY", stdin=PLANTED, cwd=project)
    for line in (["list"], ["get", "STRIPE_KEY"], ["delete", "STRIPE_KEY"]):
        error = place.error("secrets", *line, "--role", role, exit_code=3, cwd=project)
        assert error["code"] == "policy_denied"


def test_on_a_command_line_a_value_is_refused_before_anything_is_kept(place: Command, project: Path) -> None:
    error = place.error("secrets", "set", "STRIPE_KEY", "--value", PLANTED, exit_code=2, cwd=project)
    assert PLANTED not in json.dumps(error)
    error = place.error("secrets", "set", "STRIPE_KEY", exit_code=2, cwd=project)
    assert "empty" in error["message"]
    assert place.json("secrets", "list", cwd=project)["total"] == 0
    for path in place.home.rglob("*"):
        assert not path.is_file() or PLANTED.encode() not in path.read_bytes()
