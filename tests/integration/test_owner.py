"""One owner of an ADE_HOME, come what may: files deleted under it, a second one, crashes in a row, nothing to do."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ade_generated import errors
from ade_runtime.client import starts
from ade_runtime.storage.database import Database
from ade_runtime.storage.fence import Fence
from ade_runtime.storage.schema import audit
from tests.support.command import Command, command


@pytest.fixture
def ade(tmp_path: Path) -> Iterator[Command]:
    with command(tmp_path) as made:
        yield made


def ended(pid: int, seconds: float) -> bool:
    """Whether the process ends within so long."""
    try:
        watch = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([watch], [], [], seconds)[0])
    finally:
        os.close(watch)


class Caller:
    """One connection that stays open."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(60)
        self._socket.connect(str(path))
        self._lines = self._socket.makefile("rb")

    def send(self, method: str, **params: object) -> None:
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        self._socket.sendall(json.dumps(request).encode() + b"\n")

    def answer(self) -> dict[str, object]:
        for line in self._lines:
            message = json.loads(line)
            if "id" in message:
                return dict(message)
        return {}

    def close(self) -> None:
        self._lines.close()
        self._socket.close()


# -- D2, and files deleted under a live runtime


def test_d2_a_second_runtime_is_refused_at_once(ade: Command) -> None:
    first = ade.start("serve", "--foreground")
    assert first.stdout is not None
    first.stdout.readline()
    inode = ade.paths.socket.stat().st_ino
    began = time.monotonic()
    error = ade.error("serve", "--foreground", exit_code=5)
    assert (
        time.monotonic() - began <= 10
    )  # two seconds where nothing else runs, as the stress test holds it to
    assert error["code"] == "runtime_already_running"
    assert error["details"] == {"pid": first.pid, "socket": str(ade.paths.socket)}
    assert ade.paths.socket.stat().st_ino == inode
    assert ade.json("runtime", "info")["pid"] == first.pid
    first.send_signal(signal.SIGTERM)
    first.communicate(timeout=60)


def test_a_removed_socket_comes_back_and_nobody_is_interrupted(ade: Command) -> None:
    pid = ade.json("runtime", "info")["pid"]
    caller = Caller(ade.paths.socket)
    for remove in (ade.paths.socket.unlink, lambda: _remove_folder(ade.paths.socket.parent)):
        remove()
        assert ade.json("runtime", "info")["pid"] == pid
        assert ade.paths.socket.stat().st_mode & 0o777 == 0o600
    caller.send("runtime/info")
    assert caller.answer()["result"]["pid"] == pid  # type: ignore[index]
    caller.close()


def _remove_folder(folder: Path) -> None:
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()


def test_a_runtime_whose_sockets_place_is_taken_ends(ade: Command) -> None:
    pid = ade.json("runtime", "info")["pid"]
    ade.paths.socket.unlink()
    ade.paths.socket.write_text("precious")
    assert ended(pid, 5)
    assert ade.paths.socket.read_text() == "precious"


def test_a_runtime_that_lost_its_lock_ends_within_seconds(ade: Command) -> None:
    pid = ade.json("runtime", "info")["pid"]
    ade.paths.owner_lock.unlink()
    assert ended(pid, 10), "it looks every two seconds"
    assert ade.json("runtime", "info")["pid"] != pid


def test_agents_17_a_displaced_runtime_never_writes_again(ade: Command) -> None:
    """It cannot notice in time, because it does not run: another one takes over meanwhile."""
    ade.json("sessions", "start", "--title", "before")
    first = ade.pid
    assert first is not None
    caller = Caller(ade.paths.socket)
    os.kill(first, signal.SIGSTOP)
    try:
        ade.paths.owner_lock.unlink()
        ade.paths.socket.unlink()
        ade.json("sessions", "start", "--title", "after")
        second = ade.pid
        assert second not in (None, first)
        caller.send("ade/actions/call", name="session.start", arguments={"title": "too late"})
    finally:
        os.kill(first, signal.SIGCONT)
    error = caller.answer().get("error")
    caller.close()
    assert error is None or error["data"]["code"] in ("runtime_displaced", "cancelled", "shutting_down")  # type: ignore[index]
    assert ended(first, 10)
    titles = [one["title"] for one in ade.json("sessions", "list", "--all")["items"]]
    assert sorted(titles) == ["after", "before"]
    assert ade.pid == second


async def test_of_two_owners_of_a_database_the_later_one_writes(tmp_path: Path) -> None:
    lost: list[str] = []
    first = Database(tmp_path / "state.db", Fence(lambda: True, lambda: lost.append("first")))
    second = Database(tmp_path / "state.db", Fence(lambda: True, lambda: lost.append("second")))
    beside = Database(tmp_path / "state.db")
    row = {"at": 1, "identity": "i", "role": "r", "transport": "t", "action": "a", "effect": "write"}

    def log(database: Database) -> object:
        return database.write(
            lambda db: db.execute(audit.insert().values(**row, outcome="ok", duration_ms=1))
        )

    await log(first)  # type: ignore[misc]
    await log(beside)  # type: ignore[misc]
    await log(second)  # type: ignore[misc]
    with pytest.raises(errors.RuntimeDisplaced):
        await log(first)  # type: ignore[misc]
    await log(second)  # type: ignore[misc]
    assert lost == ["first"]
    assert await first.read(lambda db: len(db.execute(audit.select()).all())) == 4
    for database in (first, second, beside):
        await database.close()


async def test_without_its_lock_an_owner_does_not_even_begin(tmp_path: Path) -> None:
    database = Database(tmp_path / "state.db", Fence(lambda: False, lambda: None))
    with pytest.raises(errors.RuntimeDisplaced):
        await database.write(lambda db: db.exec_driver_sql("DELETE FROM audit"))
    await database.close()
    with sqlite3.connect(tmp_path / "state.db") as db:
        assert db.execute("SELECT count(*) FROM owner").fetchone() == (0,)


# -- nothing to do


def test_idle_exit_is_off_unless_asked_for(ade: Command) -> None:
    pid = ade.json("serve")["pid"]
    assert not ended(pid, 1.5)


def test_a_runtime_with_nothing_to_do_ends(ade: Command) -> None:
    ade.json("serve", "--idle-exit", "1s")
    pid = ade.pid
    assert pid is not None
    caller = Caller(ade.paths.socket)
    caller.send("runtime/info")
    caller.answer()
    assert not ended(pid, 2.5), "somebody is connected"
    caller.close()
    assert ended(pid, 10)
    assert "nothing to do" in ade.paths.log.read_text()
    assert ade.json("runtime", "info", env={"ADE_IDLE_EXIT": "10m"})["pid"] != pid


def test_a_wrong_idle_time_is_refused_where_it_is_given(ade: Command) -> None:
    assert ade.error("serve", "--idle-exit", "soon", exit_code=2)["code"] == "invalid_arguments"
    error = ade.error("runtime", "info", exit_code=2, env={"ADE_IDLE_EXIT": "soon"})
    assert "ADE_IDLE_EXIT" in error["message"]


# -- crashes in a row


def test_agents_16_a_killed_runtime_is_followed_by_another_at_the_first_try(ade: Command) -> None:
    for _ in range(3):
        ade.json("runtime", "info")
        ade.kill()
    ade.json("runtime", "info")


def test_a_crash_loop_is_reported_and_not_repeated(ade: Command) -> None:
    for _ in range(starts.LIMIT):
        ade.json("runtime", "info")
        ade.kill()
    with ade.paths.log.open("a") as log:
        log.write("Fatal Python error: the last word\n")
    error = ade.error("runtime", "info", exit_code=7)
    assert error["code"] == "runtime_crash_loop"
    assert str(starts.LIMIT) in error["message"]
    assert "the last word" in error["hint"]
    assert "ade serve --foreground" in error["hint"]
    assert str(ade.paths.log) in error["hint"]
    assert error["details"]["log"] == str(ade.paths.log)
    assert error["details"]["tail"][-1] == "Fatal Python error: the last word"
    assert ade.pid is None
    assert ade.error("lanes", "list", exit_code=7)["code"] == "runtime_crash_loop"
    assert ade.json("runtime", "info", "--headless")["socket"] is None
    rows = json.loads(ade.run("doctor", "--json").stdout)["items"]
    assert next(row["state"] for row in rows if row["check"] == "runtime") == "fail"
    ade.json("serve")
    ade.json("runtime", "stop")
    ade.json("runtime", "info")


def test_a_crash_loop_is_over_once_the_code_changes(ade: Command) -> None:
    ade.home.mkdir(mode=0o700)
    note = ade.home / "starts.json"
    for _ in range(starts.LIMIT):
        assert starts.admit(str(ade.home)) is None
    assert starts.admit(str(ade.home)) == starts.LIMIT
    known = json.loads(note.read_text())
    assert known["held"] is True
    note.write_text(json.dumps(known | {"at": [1] * starts.LIMIT}))
    assert starts.admit(str(ade.home)) == starts.LIMIT, "waiting does not repair it"
    note.write_text(json.dumps(known | {"key": [1, 2, 3, "another boot"]}))
    assert starts.admit(str(ade.home)) is None
    for nonsense in (b"", b"{", b"[]", b'{"at": "x", "key": 5}', b"\xff"):
        note.write_bytes(nonsense)
        assert starts.admit(str(ade.home)) is None


def test_starts_that_ended_in_order_do_not_count(ade: Command) -> None:
    for _ in range(starts.LIMIT + 2):
        ade.json("runtime", "info")
        ade.json("runtime", "stop")
    assert not (ade.home / "starts.json").exists()
