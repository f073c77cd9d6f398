"""Case D22: secrets that go by, as they do in real work, turn up nowhere: not in a command line, an answer, an event, a log,
the audit or a file of ADE's."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.command import Command, command
from tests.support.repo import Repo

CANARIES = {
    "GITHUB_TOKEN": "ghp_canary1canary1canary1canary1canary1",
    "GH_TOKEN": "gho_canary2canary2canary2canary2canary2",
    "LINEAR_API_KEY": "lin_api_canary3canary3canary3canary3",
    "ANTHROPIC_API_KEY": "sk-ant-canary4canary4canary4canary4",
    "ADE_CANARY": "canary5canary5canary5canary5",
    "HTTPS_PROXY": "http://proxy:canary6canary6canary6@127.0.0.1:9",
    "https_proxy": "",
}
REMOTE = "canary7canary7canary7canary7"
STORED = "canary8canary8canary8canary8"
MARK = "canary"


class Watch:
    """Looks at the command line of every process, again and again, for marks."""

    def __init__(self, *marks: bytes) -> None:
        self.found: set[str] = set()
        self._marks = marks or (MARK.encode(),)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def _look(self) -> None:
        while not self._over.wait(0.01):
            for entry in os.scandir("/proc"):
                if entry.name.isdigit():
                    with contextlib.suppress(OSError):
                        line = Path(entry.path, "cmdline").read_bytes()
                        if any(mark in line for mark in self._marks):
                            self.found.add(line.replace(b"\0", b" ").decode(errors="replace"))

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()


@pytest.fixture
def ade(tmp_path: Path) -> Iterator[Command]:
    with command(tmp_path) as made:
        made.env |= CANARIES | {"no_proxy": "127.0.0.1", "NO_PROXY": "127.0.0.1", "ADE_LOG": "debug"}
        yield made


@pytest.fixture
def deaf() -> Iterator[int]:
    """The port of a server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        yield server.getsockname()[1]


def lines() -> list[list[str]]:
    """What is done with the secrets around: what works and what fails."""
    return [
        ["runtime", "info"],
        ["auth", "status"],
        ["tools", "detect"],
        ["project", "show"],
        ["project", "list"],
        ["project", "work-summary"],
        ["lanes", "list"],
        ["lanes", "show", "one"],
        ["lanes", "create", "one"],
        ["lanes", "create", "two"],
        ["lanes", "delete", "two"],
        ["issues", "show", "ENG-1"],
        ["issues", "comment", "Hello", "--issue", "ENG-1", "--request-id", "once"],
        ["git", "status", "--lane", "one"],
        ["git", "sync-status", "--lane", "one"],
        ["git", "stage-all", "--lane", "one"],
        ["git", "commit", "-m", "Work", "--lane", "one"],
        ["git", "commit", "-m", "Nothing", "--lane", "one"],
        ["git", "log", "--lane", "one"],
        ["git", "branches", "--lane", "one"],
        ["git", "fetch", "--lane", "one", "--timeout", "1s"],
        ["git", "push", "--lane", "one", "--timeout", "1s"],
        ["git", "pull", "--lane", "one", "--timeout", "1s"],
        ["git", "checkout-branch", "nowhere", "--lane", "one"],
        ["diff", "changes", "--lane", "one"],
        ["conflicts", "check", "--lanes", "one"],
        ["secrets", "set", "DEPLOY_KEY", "--value", "-"],
        ["secrets", "list"],
        ["secrets", "get", "NOBODYS"],
        ["secrets", "set", "bad name", "--value", "-"],
        ["sessions", "list"],
        ["actions", "run", "secret.set", "--arg", "nmae=x"],
        ["actions", "run", "project.clone", "--timeout", "1s", "--input-json", "-"],
        ["doctor"],
        ["audit", "list", "--limit", "1000"],
        ["events", "poll", "--limit", "1000"],
        ["sessions", "verify"],
    ]


def test_d22_secrets_that_go_by_turn_up_nowhere(ade: Command, tmp_path: Path, deaf: int) -> None:
    repo = Repo(tmp_path, "project", env=ade.env)
    repo.commit("First", **{"README.md": "# Sample\n"})
    repo.git("remote", "add", "origin", f"http://user:{REMOTE}@127.0.0.1:{deaf}/project.git")
    ade.json("project", "add", str(repo.root), cwd=repo.root)
    lane = Path(ade.json("lanes", "create", "one", cwd=repo.root)["path"])
    (lane / "work.txt").write_text("work\n")
    token = ade.json("sessions", "start", cwd=repo.root)["token"]
    clone = json.dumps(
        {"url": f"http://user:{REMOTE}@127.0.0.1:{deaf}/x.git", "path": str(tmp_path / "clone")}
    )
    said: dict[str, str] = {}
    with Watch() as watch:
        for argv in lines():
            stdin = clone if "--input-json" in argv else STORED + "\n" if "-" in argv else None
            done = ade.run(*argv, "--text" if argv[-1] == "1000" else "--json", cwd=repo.root, stdin=stdin)
            said[" ".join(argv)] = done.stdout + done.stderr
        agent = {"ADE_SESSION_TOKEN": token}
        for argv in (
            ["auth", "status"],
            ["lanes", "list"],
            ["lanes", "delete", "one"],
            ["secrets", "get", "DEPLOY_KEY"],
        ):
            done = ade.run(*argv, "--json", env=agent, cwd=repo.root)
            said[f"{' '.join(argv)} of the session"] = done.stdout + done.stderr
    read = said.pop("secrets get DEPLOY_KEY of the session")
    assert STORED in read, "a secret that is asked for by name is told"
    for name, text in said.items():
        assert MARK not in text, (name, text)
        assert token not in text, name
    assert len([name for name in said if json_failed(said[name])]) >= 5, "some of it failed"
    # git itself hands the address of a remote to its helper; see SECURITY.md
    assert not {line for line in watch.found if "remote-http" not in line}, watch.found
    for file in ade.home.rglob("*"):
        if file.is_file():
            data = file.read_bytes()
            assert MARK.encode() not in data, file
            assert token.encode() not in data, file
    with sqlite3.connect(ade.paths.database) as db:
        dump = "\n".join(db.iterdump())
    db.close()
    assert MARK not in dump
    environ = Path(f"/proc/{ade.pid}/environ").read_bytes()
    assert token.encode() not in environ


def json_failed(text: str) -> bool:
    with contextlib.suppress(ValueError):
        return "error" in json.loads(text)
    return False
