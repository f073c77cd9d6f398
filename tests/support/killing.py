"""Performs calls in processes that are killed at a chosen step, for tests of what is then left.

Run as ``python -m tests.support.killing``: it reads one JSON request a line and forks for each, so that a kill costs no start
of an interpreter. Steps are what Python itself reports of file operations and of programs started, and each transaction
before and after its commit; the code under test has no hooks for them. Or they are the statements that the database is sent,
and nothing else.
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ade_runtime.pipeline.identify import TOKEN_VARIABLE

FILES = ("os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.symlink", "os.link", "os.truncate")
SUBREAPER = 36


class Steps:
    """Counts steps, and kills this process at the chosen one."""

    def __init__(self, fatal: int | None, *, statements: bool) -> None:
        self.fatal = fatal
        self.statements = statements
        self.passed: list[str] = []
        self.counting = False

    def step(self, name: str) -> None:
        if not self.counting:
            return
        self.passed.append(name)
        if len(self.passed) == self.fatal:
            os.kill(os.getpid(), signal.SIGKILL)

    def watch(self) -> None:
        """Begin to hear of steps; a process can not stop it again."""
        from ade_runtime.integrations.git import runner
        from ade_runtime.storage.engine import OpenDatabase

        if self.statements:
            self._watch_statements()
            return
        sys.addaudithook(self._audited)
        transaction, execute = OpenDatabase.transaction, runner.execute

        @contextmanager
        def watched(opened: OpenDatabase, writing: bool) -> Any:
            with transaction(opened, writing) as connection:
                yield connection
                if writing:
                    self.step("before commit")
            if writing:
                self.step("after commit")

        async def executed(*args: Any, **kwargs: Any) -> Any:
            output = await execute(*args, **kwargs)
            self.step(f"after {git_words(args[0])}")
            return output

        OpenDatabase.transaction = watched  # type: ignore[method-assign,assignment]
        runner.execute = executed

    def _watch_statements(self) -> None:
        from sqlalchemy import Engine, event

        def executed(
            _connection: Any, _cursor: Any, statement: str, _values: Any, _context: Any, _many: bool
        ) -> None:
            self.step(" ".join(statement.split())[:60])

        event.listen(Engine, "after_cursor_execute", executed)
        event.listen(Engine, "commit", lambda _connection: self.step("before COMMIT"))

    def _audited(self, event: str, args: tuple[Any, ...]) -> None:
        if not self.counting:
            return
        if event == "subprocess.Popen":
            self.step(f"before {git_words(args[1])}")
        elif event in FILES:
            self.step(f"{event} {os.fsdecode(args[0]) if not isinstance(args[0], int) else args[0]}")
        elif event == "open" and isinstance(args[2], int) and args[2] & (os.O_CREAT | os.O_TRUNC):
            self.step(f"open {args[0]}")


def git_words(argv: Any) -> str:
    """The command of a git call, without the options before it."""
    words = [os.fsdecode(word) for word in argv]
    rest = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    return " ".join([Path(words[0]).name, *rest[:2]])


async def call(request: dict[str, Any], steps: Steps, answers: int) -> None:
    from ade_runtime.client.in_process import Runtime

    async with Runtime.open(Path(request["home"])) as runtime:
        steps.counting = True
        try:
            output = await runtime.call(
                request["action"],
                request["arguments"],
                cwd=request["project"],
                env=request["env"],
                request_id=request["request_id"],
                role=request["role"],
            )
            answer = {"output": output}
        except Exception as problem:
            answer = {"error": f"{getattr(problem, 'code', type(problem).__name__)}: {problem}"}
        os.write(answers, json.dumps(answer).encode())
        steps.step("answered")
    steps.step("closed")
    steps.counting = False


def child(request: dict[str, Any], answers: int, passed: int) -> None:
    """The process that is killed. What it is told and what it counted goes through pipes."""
    steps = Steps(request["fatal"], statements=request["statements"])
    steps.watch()
    os.environ.update(request["env"])
    if request["token"] is not None:
        os.environ[TOKEN_VARIABLE] = request["token"]
    asyncio.run(call(request, steps, answers))
    os.write(passed, json.dumps(steps.passed).encode())


def perform(request: dict[str, Any]) -> dict[str, Any]:
    answer_read, answer_write = os.pipe()
    steps_read, steps_write = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.setsid()
            child(request, answer_write, steps_write)
            code = 0
        finally:
            os._exit(code)
    os.close(answer_write)
    os.close(steps_write)
    with os.fdopen(answer_read, "rb") as answers, os.fdopen(steps_read, "rb") as steps:
        answer, passed = answers.read(), steps.read()
    _, status = os.waitpid(pid, 0)
    reap()
    return {
        "killed": os.WIFSIGNALED(status),
        "exit": os.waitstatus_to_exitcode(status),
        "answer": json.loads(answer) if answer else None,
        "steps": json.loads(passed) if passed else [],
    }


def reap() -> None:
    """Wait for the programs that the dead process had started: they become children of this one."""
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


def serve() -> None:
    ctypes.CDLL(None, use_errno=True).prctl(SUBREAPER, 1, 0, 0, 0)
    import ade_runtime.client.in_process
    import ade_runtime.storage.engine
    import ade_runtime.storage.migrations.apply  # noqa: F401

    for line in sys.stdin:
        sys.stdout.write(json.dumps(perform(json.loads(line))) + "\n")
        sys.stdout.flush()


class Killer:
    """The helper process, for tests."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.killing"],
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        with self._process.stdin, self._process.stdout:
            self._process.stdin.close()
            self._process.wait(timeout=60)

    def perform(
        self,
        home: Path,
        project: Path,
        env: dict[str, str],
        action: str,
        arguments: dict[str, Any],
        *,
        request_id: str | None,
        fatal: int | None,
        statements: bool = False,
        role: str | None = None,
        token: str | None = None,
    ) -> dict[str, Any]:
        """Call the action in a process that is killed at its step number ``fatal`` (from 1), or in one that lives. With
        ``statements`` the steps are those of the database alone. It is called in ``role``, or by the session with ``token``."""
        request = {
            "home": str(home),
            "project": str(project),
            "env": env,
            "action": action,
            "arguments": arguments,
            "request_id": request_id,
            "fatal": fatal,
            "statements": statements,
            "role": role,
            "token": token,
        }
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        told: dict[str, Any] = json.loads(self._process.stdout.readline())
        return told


if __name__ == "__main__":
    serve()
