"""``ade doctor``: what works on this machine and what does not, each with the next step. It reads and never repairs."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import orjson

from ade_runtime.client.address import SOCKET_PATH_LIMIT
from ade_runtime.contracts import AdeError
from ade_runtime.machine.facts import PROTOCOL, build_hash, package_version
from ade_runtime.machine.paths import Paths

GIT_NEEDED = (2, 39)
ANSWER_SECONDS = 5.0
State = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Row:
    """One finding: what was looked at, how it is, what was seen, and what to do where it is not ok."""

    check: str
    state: State
    found: str
    next: str = ""


def run_doctor(args: list[str], *, text: bool) -> int:
    """Print every row and give exit code 1 when one failed."""
    from ade_runtime.client.local import usage

    unknown = [word for word in args if word not in ("--json", "--text", "-h", "--help")]
    if unknown:
        raise usage(f"unexpected argument {unknown[0]!r}", "doctor")
    if "-h" in args or "--help" in args:
        sys.stdout.write(
            "Usage: ade doctor [--json]\n\nCheck this machine: paths, socket, runtime, project, git, database.\n"
        )
        return 0
    rows = examine(Paths.from_environment(os.environ), Path.cwd)
    failed = any(row.state == "fail" for row in rows)
    if ("--text" in args or text) and "--json" not in args:
        sys.stdout.write(as_text(rows))
    else:
        document = {"ok": not failed, "items": [asdict(row) for row in rows]}
        sys.stdout.write(orjson.dumps(document).decode() + "\n")
    return int(failed)


def examine(paths: Paths, cwd: Callable[[], Path]) -> list[Row]:
    """All rows. A check that fails itself is a row that says so."""
    checks: list[Callable[[], Iterator[Row]]] = [
        _version,
        lambda: _folders(paths),
        lambda: _socket(paths),
        lambda: _runtime(paths),
        lambda: _database(paths),
        _git,
        lambda: _project(paths, cwd),
    ]
    rows: list[Row] = []
    for check in checks:
        try:
            rows += check()
        except (OSError, AdeError) as problem:
            rows.append(Row("doctor", "fail", f"a check could not be made: {problem}", "Report this."))
    return rows


def as_text(rows: list[Row]) -> str:
    """One line a row, the next step below it."""
    from ade_runtime.cli.clean import clean_line

    widest = max(len(row.check) for row in rows)
    lines = []
    for row in rows:
        lines.append(f"{row.state:<4}  {row.check:<{widest}}  {clean_line(row.found)}")
        if row.next:
            lines.append(f"{'':<4}  {'':<{widest}}  next: {clean_line(row.next)}")
    return "\n".join(lines) + "\n"


def _version() -> Iterator[Row]:
    yield Row("version", "ok", f"ade {package_version()}, build {build_hash()}, protocol {PROTOCOL}")
    yield Row("python", "ok", f"{sys.version.split()[0]} at {sys.executable}")


def _folders(paths: Paths) -> Iterator[Row]:
    for name, folder in (("home", paths.home), ("socket folder", paths.socket.parent)):
        try:
            status = folder.stat()
        except FileNotFoundError:
            yield Row(name, "ok", f"{folder} does not exist yet; the first command makes it")
            continue
        mode = stat.S_IMODE(status.st_mode)
        if status.st_uid != os.getuid():
            yield Row(
                name,
                "fail",
                f"{folder} belongs to user {status.st_uid}",
                "Set ADE_HOME to a folder of your own.",
            )
        elif mode & 0o077:
            yield Row(name, "warn", f"{folder} is open to others (mode {mode:04o})", f"chmod 700 {folder}")
        elif not os.access(folder, os.W_OK | os.X_OK):
            yield Row(
                name, "fail", f"{folder} cannot be written", "Check mounts and permissions, or set ADE_HOME."
            )
        else:
            yield Row(name, "ok", f"{folder} (mode {mode:04o})")


def _socket(paths: Paths) -> Iterator[Row]:
    if paths.socket != paths.socket_wanted:
        told = f"{paths.socket}, because {paths.socket_wanted} is longer than {SOCKET_PATH_LIMIT} bytes"
    else:
        told = str(paths.socket)
    try:
        status = paths.socket.lstat()
    except FileNotFoundError:
        yield Row("socket", "ok", f"{told}; nothing there yet")
        return
    if not stat.S_ISSOCK(status.st_mode):
        yield Row("socket", "fail", f"{told} is no socket", "Move it away.")
    elif stat.S_IMODE(status.st_mode) & 0o077:
        yield Row("socket", "warn", f"{told} is open to others", f"chmod 600 {paths.socket}")
    else:
        yield Row("socket", "ok", f"{told} (mode {stat.S_IMODE(status.st_mode):04o})")


def _runtime(paths: Paths) -> Iterator[Row]:
    from ade_runtime.server.ownership import holder

    described = holder(paths)
    if described is None:
        yield Row("runtime", "ok", "not running; the first command starts it")
        return
    pid = described.get("pid")
    info = _ask_runtime(paths)
    if isinstance(info, str):
        step = f"See {paths.log}; if it hangs, end process {pid} and run the command again."
        yield Row("runtime", "fail", f"process {pid} holds the lock but does not answer: {info}", step)
    elif info["protocol"] != PROTOCOL:
        step = "Run `ade runtime stop`; the next command starts this version."
        yield Row(
            "runtime", "fail", f"pid {pid} speaks protocol {info['protocol']}, this command {PROTOCOL}", step
        )
    elif info["build_hash"] != build_hash():
        step = "It is replaced by itself when idle; or run `ade runtime stop`."
        yield Row(
            "runtime",
            "warn",
            f"pid {pid} runs build {info['build_hash']}, this command is {build_hash()}",
            step,
        )
    else:
        yield Row("runtime", "ok", f"pid {pid}, same build, grants up to {info['default_role']}")


def _ask_runtime(paths: Paths) -> dict[str, Any] | str:
    """``runtime.info`` of the running runtime, or why it does not answer."""
    import socket

    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(ANSWER_SECONDS)
            connection.connect(str(paths.socket))
            connection.sendall(b'{"jsonrpc":"2.0","id":1,"method":"runtime/info"}\n')
            with connection.makefile("rb") as lines:
                answer = orjson.loads(lines.readline())
    except (OSError, ValueError) as problem:
        return str(problem) or type(problem).__name__
    found = answer.get("result")
    return found if isinstance(found, dict) else str(answer.get("error"))


def _database(paths: Paths) -> Iterator[Row]:
    if not paths.database.exists():
        yield Row("database", "ok", f"{paths.database} does not exist yet")
        return
    from ade_runtime.storage.engine import inspect_file
    from ade_runtime.storage.schema import HEAD

    try:
        found = inspect_file(paths.database)
    except AdeError as problem:
        yield Row("database", "fail", problem.message, problem.hint)
        return
    if found == HEAD:
        yield Row("database", "ok", f"{paths.database}, schema {found}")
    else:
        yield Row(
            "database",
            "warn",
            f"schema {found}, this version uses {HEAD}",
            "The next command migrates it, or says why not.",
        )


def _git() -> Iterator[Row]:
    program = shutil.which("git")
    if program is None:
        yield Row("git", "fail", "there is no git on PATH", "Install git 2.39 or later.")
        return
    try:
        told = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=ANSWER_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        yield Row("git", "fail", f"{program} does not answer", "Check what is installed there.")
        return
    words = told.stdout.split()
    version = words[2] if len(words) > 2 else "0"
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if numbers < GIT_NEEDED:
        yield Row("git", "fail", f"{version} at {program}", "Install git 2.39 or later.")
    else:
        yield Row("git", "ok", f"{version} at {program}")


def _project(paths: Paths, cwd: Callable[[], Path]) -> Iterator[Row]:
    """Whether this folder belongs to a registered project; asked of the database, because a runtime may not be running."""
    if not paths.database.exists():
        yield Row("project", "ok", "none registered yet; add one with `ade project add PATH`")
        return
    import asyncio

    from ade_runtime.pipeline.call import Caller
    from ade_runtime.services import Services

    async def find() -> Any:
        services = Services(paths)
        try:
            return await services.projects.resolve(Caller("headless", cwd=str(cwd())))
        finally:
            await services.close()

    try:
        project = asyncio.run(find())
    except AdeError as problem:
        yield Row("project", "warn", problem.message, problem.hint)
        return
    if project is None:
        yield Row("project", "ok", "this folder is in no registered project; add it with `ade project add .`")
    else:
        yield Row("project", "ok", f"{project.name} at {project.root}")
