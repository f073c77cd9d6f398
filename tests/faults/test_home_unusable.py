"""An ADE_HOME that cannot be used: every reason has its own words and its own way out, and nothing is harmed."""

from __future__ import annotations

import os
import select
import socket
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ade_generated import errors
from ade_runtime.machine import paths
from ade_runtime.machine.log import SIZE_LIMIT, BoundedFile
from tests.support.command import Command, command
from tests.support.mounts import fill, make_read_only, small_disk
from tests.support.sample import IDENTITY

SOMEBODY = 54321


@pytest.fixture
def ade(tmp_path: Path) -> Iterator[Command]:
    with command(tmp_path) as made:
        yield made


def refused(ade: Command, *words: str) -> dict[str, Any]:
    """The error of a command; ``ade serve``, detached and in the foreground, and other commands give the same reason."""
    lines = (["runtime", "info"], ["serve"], ["serve", "--foreground"], ["lanes", "list"])
    found = [ade.error(*line, exit_code=7) for line in lines]
    for one in found:
        assert one["code"] == "home_unusable", one
        for word in words:
            assert word in one["message"] + one["hint"], one
    return found[0]


def test_a_home_of_somebody_else(ade: Command) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can give a folder away")
    ade.home.mkdir(mode=0o700)
    os.chown(ade.home, SOMEBODY, SOMEBODY)
    refused(ade, f"belongs to somebody else (user {SOMEBODY})", "Set ADE_HOME", f"chown -R {os.getuid()}")
    assert list(ade.home.iterdir()) == [], "nothing is written there"


def test_a_home_in_a_closed_folder_of_somebody_else(tmp_path: Path) -> None:
    """As a user without rights: the folder cannot even be looked into, which is no sandbox."""
    if os.getuid() != 0:
        pytest.skip("only root can become somebody")
    closed = tmp_path / "closed"
    (closed / "home").mkdir(parents=True)
    closed.chmod(0o700)
    found = _as_somebody(closed / "home")
    assert found is not None
    assert found.code == "home_unusable"
    assert "somebody else (user 0)" in found.message


def _as_somebody(home: Path) -> errors.AdeError | None:
    from ade_runtime.client.trouble import closed_folder

    real = os.geteuid()
    os.seteuid(SOMEBODY)
    try:
        return closed_folder(str(home))
    finally:
        os.seteuid(real)


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o722])
def test_a_home_that_others_may_write_in(ade: Command, mode: int) -> None:
    ade.home.mkdir()
    ade.home.chmod(mode)
    found = refused(ade, f"mode 0{mode:o}", f"chmod 700 {ade.home}", "ade doctor --fix")
    assert ade.home.stat().st_mode & 0o777 == mode
    assert found["hint"].startswith("See that nobody put anything there")
    ade.run("doctor", "--fix")
    assert ade.home.stat().st_mode & 0o777 == 0o700
    ade.json("runtime", "info")


@pytest.mark.parametrize("mode", [0o755, 0o750, 0o711])
def test_a_home_that_others_may_read_is_closed_to_them(ade: Command, mode: int) -> None:
    ade.home.mkdir()
    ade.home.chmod(mode)
    ade.json("runtime", "info")
    assert ade.home.stat().st_mode & 0o777 == 0o700


def test_a_home_on_a_read_only_file_system(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 1024) as disk:
        ade = Command(tmp_path, disk / "home")
        make_read_only(disk)
        refused(ade, "read-only file system", "Make it writable again", "set ADE_HOME")


def test_a_home_that_became_read_only(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 4096) as disk:
        ade = Command(tmp_path, disk / "home")
        ade.json("runtime", "health")
        pid = ade.pid
        assert pid is not None
        watch = os.pidfd_open(pid)
        ade.json("runtime", "stop")
        assert select.select([watch], [], [], 30)[0]
        os.close(watch)
        make_read_only(disk)
        refused(ade, "read-only file system")


def test_a_home_for_which_there_is_no_room(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 256, files=3) as disk:
        refused(Command(tmp_path, disk / "home"), "No space left on device", "Free some space")


def test_a_new_home_on_a_full_disk_can_be_read(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 256) as disk:
        fill(disk)
        ade = Command(tmp_path, disk / "home")
        assert ade.json("runtime", "info")["home"] == str(ade.home)
        assert ade.error("project", "list", exit_code=1)["code"] == "storage_full"
        assert ade.json("runtime", "stop") == {"stopped": True}


def test_a_home_that_is_a_file(ade: Command) -> None:
    ade.home.write_text("precious")
    refused(ade, "no folder", "Move")
    assert ade.home.read_text() == "precious"


def a_file(path: Path) -> None:
    path.write_text("precious")


def a_folder(path: Path) -> None:
    path.mkdir()


def a_dangling_link(path: Path) -> None:
    path.symlink_to(path.with_name("nowhere"))


@pytest.mark.parametrize(
    ("make", "kind"), [(a_file, "a file"), (a_folder, "a folder"), (a_dangling_link, "a symbolic link")]
)
def test_something_else_where_the_socket_belongs(
    ade: Command, make: Callable[[Path], None], kind: str
) -> None:
    ade.paths.socket.parent.mkdir(parents=True, mode=0o700)
    make(ade.paths.socket)
    before = ade.paths.socket.lstat()
    refused(ade, f"{kind} is where the socket belongs", f"mv {ade.paths.socket} {ade.paths.socket}.old")
    assert ade.paths.socket.lstat() == before


def test_a_link_to_somebodys_live_socket_is_not_followed(ade: Command, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "other.sock"))
        listener.listen()
        ade.paths.socket.parent.mkdir(parents=True, mode=0o700)
        ade.paths.socket.symlink_to(tmp_path / "other.sock")
        refused(ade, "a symbolic link is where the socket belongs")
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.accept()


@pytest.mark.parametrize("name", ["ade.lock", "start.lock"])
def test_a_link_where_a_lock_belongs(ade: Command, name: str, tmp_path: Path) -> None:
    ade.home.mkdir(mode=0o700)
    (tmp_path / "precious").write_text("precious")
    (ade.home / name).symlink_to(tmp_path / "precious")
    if name == "ade.lock":
        refused(ade, "a symbolic link is in its place", f"rm {ade.home / name}")
    else:
        assert ade.error("runtime", "info", exit_code=7)["code"] == "home_unusable"
    assert (tmp_path / "precious").read_text() == "precious"


def test_a_short_socket_folder_that_is_not_the_users_own(tmp_path: Path) -> None:
    """The folder in /tmp that stands in for one with too long a path: a link there could be anybody's."""
    link = Path("/tmp") / f"ade-test-{os.getpid()}"
    link.symlink_to(tmp_path)
    try:
        with pytest.raises(errors.HomeUnusable):
            paths.private_folder(link, strict=True)
    finally:
        link.unlink()


# -- D7: a disk that fills up while the runtime serves


def test_d7_a_full_disk_loses_nothing_and_the_same_request_works_once_there_is_room(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    with small_disk(tmp_path / "disk", 3 * 1024) as disk:
        ade = Command(tmp_path, disk / "home")
        try:
            for argv in (["init", "-q", "-b", "main"], ["commit", "-q", "--allow-empty", "-m", "Begin"]):
                subprocess.run(["git", *argv], cwd=project, env=ade.env | IDENTITY, check=True)
            ade.json("project", "add", str(project))
            _full_and_free_again(ade, disk, project)
            ade.json("runtime", "stop")
            ballast = fill(disk)
            listed = ade.json("lanes", "list", cwd=project)["items"]
            assert "fix" in {one["name"] for one in listed}, (
                "a runtime that starts on a full disk still reads"
            )
            ballast.unlink()
        finally:
            ade.close()
        with sqlite3.connect(ade.paths.database) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def _full_and_free_again(ade: Command, disk: Path, project: Path) -> None:
    create = ("lanes", "create", "fix", "--request-id", "R")
    ballast = fill(disk)
    error = ade.error(*create, exit_code=1, cwd=project)
    assert error["code"] == "storage_full"
    assert "Free some space" in error["hint"]
    refs = subprocess.run(["git", "for-each-ref"], cwd=project, capture_output=True, text=True).stdout
    assert refs.count("\n") == 1
    assert not list((project / ".ade").glob("worktrees/*"))
    ballast.unlink()
    names = [one["name"] for one in ade.json("lanes", "list", cwd=project)["items"]]
    assert "fix" not in names
    first = ade.json(*create, cwd=project)
    assert ade.json(*create, cwd=project)["id"] == first["id"]
    assert [one["name"] for one in ade.json("lanes", "list", cwd=project)["items"]].count("fix") == 1


# -- the log


def test_the_log_stays_within_two_files_of_bounded_size(tmp_path: Path) -> None:
    import logging

    file = BoundedFile(tmp_path / "runtime.log", limit=10_000)
    for number in range(2000):
        text = f"{number} " + "x" * (number % 300)
        file.emit(logging.LogRecord("ade", logging.INFO, "", 0, text, None, None))
    file.emit(logging.LogRecord("ade", logging.INFO, "", 0, "y" * 1_000_000, None, None))
    file.close()
    sizes = [one.stat().st_size for one in tmp_path.iterdir()]
    assert len(sizes) == 2
    assert max(sizes) <= 10_000
    assert SIZE_LIMIT <= 8 * 2**20


def test_a_log_that_others_wrote_to_is_turned_over_too(tmp_path: Path) -> None:
    """The interpreter itself writes to the same file, past the handler."""
    import logging

    path = tmp_path / "runtime.log"
    file = BoundedFile(path, limit=1000)
    with path.open("a") as past:
        past.write("z" * 5000)
    file.emit(logging.LogRecord("ade", logging.INFO, "", 0, "after", None, None))
    file.close()
    assert path.read_text() == "after\n"
