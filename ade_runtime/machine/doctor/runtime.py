"""Socket, lock and runtime: where it listens, who holds the lock, whether it answers and is of this build."""

from __future__ import annotations

import shlex
import socket
import stat
from collections.abc import Iterator
from typing import Any

import orjson

from ade_runtime.client.address import SOCKET_PATH_LIMIT
from ade_runtime.client.starts import given_up
from ade_runtime.machine.doctor.rows import Place, Row
from ade_runtime.machine.facts import PROTOCOL, build_hash, package_version
from ade_runtime.machine.paths import Paths

ANSWER_SECONDS = 5.0


def check(place: Place) -> Iterator[Row]:
    from ade_runtime.server.ownership import holder

    yield _socket(place.paths)
    described = holder(place.paths)
    yield _lock(place.paths, described)
    yield _runtime(place.paths, described)


def _socket(paths: Paths) -> Row:
    if paths.socket != paths.socket_wanted:
        told = f"{paths.socket}, because {paths.socket_wanted} is longer than {SOCKET_PATH_LIMIT} bytes"
    else:
        told = str(paths.socket)
    try:
        status = paths.socket.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return Row("socket", "ok", f"{told}; nothing there yet")
    mode = stat.S_IMODE(status.st_mode)
    if not stat.S_ISSOCK(status.st_mode):
        return Row("socket", "fail", f"{told} is no socket", "Move it away.")
    if mode & 0o077:
        step = f"chmod 600 {shlex.quote(str(paths.socket))}, or `ade doctor --fix`"
        return Row(
            "socket",
            "warn",
            f"{told} is open to others (mode {mode:04o})",
            step,
            lambda: paths.socket.chmod(0o600),
        )
    return Row("socket", "ok", f"{told} (mode {mode:04o})")


def _lock(paths: Paths, described: dict[str, Any] | None) -> Row:
    if described is None:
        return Row("lock", "ok", f"{paths.owner_lock} is free")
    pid = described.get("pid")
    other = described.get("socket")
    if other and other != str(paths.socket):
        step = f"Set ADE_RPC_SOCKET_PATH={shlex.quote(str(other))}, or end process {pid}."
        return Row("lock", "fail", f"process {pid} holds {paths.owner_lock} and listens at {other}", step)
    return Row("lock", "ok", f"process {pid} holds {paths.owner_lock}")


def _runtime(paths: Paths, described: dict[str, Any] | None) -> Row:
    if described is None and given_up(str(paths.home)):
        found = "it ended again and again right after its start, so commands start it no more"
        return Row(
            "runtime", "fail", found, f"See {paths.log}; try `ade serve --foreground`, or `ade serve`."
        )
    if described is None:
        return Row("runtime", "ok", "not running; the first command starts it")
    pid = described.get("pid")
    info = _ask(paths)
    if isinstance(info, str):
        found = f"process {pid} holds the lock but does not answer: {info}"
        return Row(
            "runtime",
            "fail",
            found,
            f"See {paths.log}; if it hangs, end process {pid} and run the command again.",
        )
    if info["protocol"] != PROTOCOL:
        found = f"pid {pid} speaks protocol {info['protocol']}, this command {PROTOCOL}"
        return Row("runtime", "fail", found, "Run `ade runtime stop`; the next command starts this version.")
    if info["build_hash"] != build_hash():
        mine = f"{package_version()} build {build_hash()}"
        found = f"pid {pid} is {info['version']} build {info['build_hash']}, this command {mine}"
        return Row(
            "runtime", "warn", found, "It is replaced by itself when idle; or run `ade runtime restart`."
        )
    return Row("runtime", "ok", f"pid {pid}, same build, grants up to {info['default_role']}")


def _ask(paths: Paths) -> dict[str, Any] | str:
    """``runtime.info`` of the running runtime, or why it does not answer."""
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
    if isinstance(found, dict):
        return found
    error = answer.get("error")
    return str(error.get("message")) if isinstance(error, dict) else "its answer is not understood"
