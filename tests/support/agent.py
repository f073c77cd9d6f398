"""A stand-in for an agent program: runs commands as a real process would, hiding where it comes from as well as it can.

As a script it reads requests, one JSON line each (``{argv, env, how}``), and answers ``{code, stdout, stderr}``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self

from tests.support.command import ADE, Command

How = Literal["plain", "setsid", "orphan", "orphan_setsid"]
"""Run as a child; in a kernel session of its own; with its parent gone; with both."""


class Agent:
    """Start it, attach its process to a session (or not), then let it run ``ade``. ``reaper`` is what ADE's launchers do."""

    def __init__(self, place: Command, env: Mapping[str, str] | None = None, *, reaper: bool = False) -> None:
        self._place = place
        self._process = subprocess.Popen(
            [sys.executable, __file__, "reaper" if reaper else "plain"],
            env=place.env | {"PYTHONPATH": str(Path(__file__).parents[2])} | dict(env or {}),
            cwd=place.base,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    def run(
        self,
        *argv: str,
        how: How = "plain",
        env: Mapping[str, str | None] | None = None,
        cwd: Path | None = None,
        program: str | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """A finished ``ade`` command; ``env`` is added to the agent's own, ``None`` takes a variable out."""
        request = {
            "argv": [program or str(ADE), *argv],
            "env": dict(env or {}),
            "how": how,
            "cwd": str(cwd or self._place.base),
        }
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        return subprocess.CompletedProcess(argv, answer["code"], answer["stdout"], answer["stderr"])

    def json(self, *argv: str, **options: Any) -> Any:
        done = self.run(*argv, "--json", **options)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def denied(self, *argv: str, **options: Any) -> dict[str, Any]:
        """The error of a command that must be denied."""
        done = self.run(*argv, "--json", **options)
        assert (done.returncode, done.stdout) == (3, ""), (argv, done.returncode, done.stdout, done.stderr)
        error: dict[str, Any] = json.loads(done.stderr)["error"]
        assert error["code"] == "policy_denied"
        return error

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(60)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _serve(reaper: bool) -> None:
    if reaper:
        from ade_runtime.machine.orphans import keep_orphans

        assert keep_orphans()
    for line in sys.stdin:
        request = json.loads(line)
        env = {**os.environ, **request["env"]}
        request["env"] = {name: value for name, value in env.items() if value is not None}
        answer = _orphan(request) if request["how"].startswith("orphan") else _perform(request)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def _perform(request: dict[str, Any]) -> dict[str, Any]:
    done = subprocess.run(
        request["argv"],
        env=request["env"],
        cwd=request["cwd"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        start_new_session=request["how"].endswith("setsid"),
    )
    return {"code": done.returncode, "stdout": done.stdout, "stderr": done.stderr}


def _orphan(request: dict[str, Any]) -> dict[str, Any]:
    """Fork twice: the process in between ends first, so that the one that runs the command has lost its parent.

    It also starts itself anew with the environment of the request, as a program that hides would.
    """
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer"
        answer.touch()
        reading, writing = os.pipe()
        between = os.fork()
        if between == 0:
            parent = os.getpid()
            if os.fork() == 0:
                os.close(reading)
                if request["how"].endswith("setsid"):
                    os.setsid()
                os.set_inheritable(writing, True)
                script = "import sys; sys.path.insert(0, sys.argv[1]); from tests.support.agent import _as_orphan; _as_orphan()"
                words = [sys.executable, "-c", script, str(Path(__file__).parents[2])]
                words += [json.dumps({**request, "env": None}), str(answer), str(parent)]
                os.execve(sys.executable, words, request["env"])
            os._exit(0)
        os.close(writing)
        os.waitpid(between, 0)
        os.read(reading, 1)  # the end of file: the orphan has ended
        os.close(reading)
        found: dict[str, Any] = json.loads(answer.read_text())
        return found


def _as_orphan() -> None:
    import time

    request, answer, parent = json.loads(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])
    while os.getppid() == parent:
        time.sleep(0.001)
    request |= {"env": dict(os.environ), "how": "plain"}
    answer.write_text(json.dumps(_perform(request)))


if __name__ == "__main__":
    _serve(sys.argv[1] == "reaper")
