"""A caller whose socket is blocked as a sandbox blocks it (Linux), and requests put into a spool by hand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from ade_runtime.spool.layout import tag_of
from tests.support.command import ADE, LIMIT, Command

CONFINE = (sys.executable, str(Path(__file__).with_name("confine.py")), "sockets")
_REQUESTER = """
import fcntl, os, sys
folder, identifier, text = sys.argv[1:4]
file = os.open(f"{folder}/{identifier}.new", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
os.write(file, text.encode())
fcntl.lockf(file, fcntl.LOCK_EX)
os.rename(f"{folder}/{identifier}.new", f"{folder}/{identifier}.{sys.argv[4]}")
print("there", flush=True)
sys.stdin.read()
"""


def blocked(
    ade: Command,
    *argv: str,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    stdin: str | None = None,
) -> subprocess.CompletedProcess[str]:
    """``ade`` as it runs where ``connect`` answers EPERM."""
    return subprocess.run(
        [*CONFINE, str(ADE), *argv],
        env=ade.env | dict(env or {}),
        cwd=cwd,
        capture_output=True,
        text=True,
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        timeout=LIMIT,
    )


def blocked_json(ade: Command, *argv: str, **options: Any) -> Any:
    """The document of a blocked command that must work."""
    done = blocked(ade, *argv, "--json", **options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def blocked_error(ade: Command, *argv: str, exit_code: int, **options: Any) -> dict[str, Any]:
    """The error of a blocked command that must fail."""
    done = blocked(ade, *argv, "--json", **options)
    assert (done.returncode, done.stdout) == (exit_code, ""), (done.returncode, done.stdout, done.stderr)
    error: dict[str, Any] = json.loads(done.stderr)["error"]
    return error


def start_blocked(
    ade: Command, *argv: str, cwd: Path, env: Mapping[str, str] | None = None
) -> subprocess.Popen[str]:
    """A running blocked command."""
    return subprocess.Popen(
        [*CONFINE, str(ADE), *argv],
        env=ade.env | dict(env or {}),
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def new_id(home: Path) -> str:
    """An id of a request to the runtime of this ADE_HOME."""
    return tag_of(str(home)) + os.urandom(12).hex()


def spool_of(worktree: Path) -> Path:
    """The spool folder of a worktree, made if it is not there."""
    folder = worktree / ".ade" / "spool"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def request(argv: list[str], cwd: Path, **params: Any) -> str:
    """The text of a request."""
    line = {"argv": argv, "cwd": str(cwd), "env": {}, "width": 80, **params}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "cli/run", "params": line})


class Requester:
    """A process that puts a request there and holds its lock, as a context manager. Its command line ends with ``argv``."""

    def __init__(
        self, folder: Path, identifier: str, text: str, argv: list[str], *, kind: str = "request"
    ) -> None:
        self._folder = folder
        self._id = identifier
        self._process = subprocess.Popen(
            [sys.executable, "-c", _REQUESTER, str(folder), identifier, text, kind, *argv],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "there\n"

    def path(self, kind: str) -> Path:
        return self._folder / f"{self._id}.{kind}"

    def answer(self) -> Any:
        """The answer, once it is there."""
        wait_for(self.path("answer").exists)
        return json.loads(self.path("answer").read_text())

    def close(self) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait(LIMIT)
        if self._process.stdout is not None:
            self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def wait_for(condition: Any, seconds: float = LIMIT) -> None:
    """Return once ``condition()`` is true; the file system has no event for it that a test could wait for."""
    import time

    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)
