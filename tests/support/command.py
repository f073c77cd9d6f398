"""The installed ``ade`` command in an ADE_HOME of its own, as a person or an agent runs it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from ade_runtime.machine.paths import Paths
from ade_runtime.server.ownership import holder
from tests.support.holders import end_holders
from tests.support.sample import git_environment

ADE = Path(sys.executable).with_name("ade")
LIMIT = 60.0


class Command:
    """Runs ``ade`` (or ``program``, another build of it) with ``home`` as ADE_HOME; commands start a real runtime, which
    :meth:`close` ends."""

    def __init__(self, base: Path, home: Path | None = None, program: Path = ADE) -> None:
        self.base = base
        self.program = program
        self.home = home or base / "ade-home"
        self.env = git_environment(base / "user") | {"ADE_HOME": str(self.home), "TMPDIR": str(base)}
        self.paths = Paths.from_environment(self.env)

    def start(
        self, *argv: str, env: Mapping[str, str] | None = None, **options: Any
    ) -> subprocess.Popen[str]:
        """A running command with its output in pipes."""
        cwd = options.pop("cwd", self.base)
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL} | options
        return subprocess.Popen(
            [str(self.program), *argv],
            env=self.env | dict(env or {}),
            cwd=cwd,
            text=True,
            **pipes,
        )

    def run(
        self,
        *argv: str,
        stdin: str | None = None,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        limit: float = LIMIT,
    ) -> subprocess.CompletedProcess[str]:
        """A finished command, which may take ``limit`` seconds."""
        return subprocess.run(
            [str(self.program), *argv],
            env=self.env | dict(env or {}),
            cwd=cwd or self.base,
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            text=True,
            timeout=limit,
        )

    def shell(self, script: str) -> None:
        """Run a shell script with the command's environment; it must work."""
        done = subprocess.run(
            ["sh", "-c", script], env=self.env, cwd=self.base, capture_output=True, text=True, timeout=LIMIT
        )
        assert done.returncode == 0, done.stderr

    def json(self, *argv: str, **options: Any) -> Any:
        """The document of a command that must work."""
        done = self.run(*argv, "--json", **options)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def see(self, category: str, name: str, **options: Any) -> None:
        """Return once an event was told, from now or before."""
        tail = self.start("events", "tail", "--follow", "--category", category, "--json", **options)
        assert tail.stdout is not None
        try:
            while not tail.stdout.readline().count(f'"{category}.{name}"'):
                assert tail.poll() is None
        finally:
            tail.kill()
            tail.communicate()

    def make_project(self, folder: Path) -> Path:
        """A repository with one commit in a new folder, registered; gives the folder."""
        folder.mkdir()
        for argv in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "first"]):
            subprocess.run(["git", *argv], cwd=folder, env=self.env, check=True)
        self.json("project", "add", str(folder))
        return folder

    def error(self, *argv: str, exit_code: int, **options: Any) -> dict[str, Any]:
        """The error document of a command that must fail with this exit code."""
        done = self.run(*argv, "--json", **options)
        assert (done.returncode, done.stdout) == (exit_code, ""), (done.returncode, done.stdout, done.stderr)
        document: dict[str, Any] = json.loads(done.stderr)["error"]
        return document

    @property
    def pid(self) -> int | None:
        """Process id of the runtime that holds the lock."""
        described = holder(self.paths)
        return None if described is None else int(described["pid"])

    def kill(self) -> None:
        """Kill the runtime as a power cut would, and wait until its lock is free."""
        pid = self.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        self.wait_for_end()

    def wait_for_end(self) -> None:
        """Return once nobody holds the lock."""
        import fcntl

        with self.paths.owner_lock.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH)

    def rpc(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """One request over a connection of its own."""
        import socket

        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(LIMIT)
            connection.connect(str(self.paths.socket))
            request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": dict(params or {})}
            connection.sendall(orjson.dumps(request) + b"\n")
            with connection.makefile("rb") as lines:
                return json.loads(lines.readline())

    def close(self) -> None:
        end_holders(self.home)
        if self.paths.owner_lock.exists() and self.pid is not None:
            done = self.run("runtime", "stop")
            if self.pid is not None:
                self.kill()
                raise AssertionError(f"the runtime did not stop: {done.stderr}")


@contextmanager
def command(base: Path, home: Path | None = None) -> Iterator[Command]:
    made = Command(base, home)
    try:
        yield made
    finally:
        made.close()
