"""Files of one ADE_HOME, and the folders they live in."""

from __future__ import annotations

import errno
import os
import shlex
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ade_generated import errors
from ade_runtime.client.address import ade_home, resolved_socket, wanted_socket


@dataclass(frozen=True, slots=True)
class Paths:
    """Where things of one ADE_HOME are. ``socket`` is the path really bound; ``socket_wanted`` the configured one."""

    home: Path
    socket: Path
    socket_wanted: Path

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> Paths:
        values = dict(environ)
        wanted = wanted_socket(values)
        return cls(
            home=Path(ade_home(values)), socket=Path(resolved_socket(wanted)), socket_wanted=Path(wanted)
        )

    @classmethod
    def of_home(cls, home: Path) -> Paths:
        return cls.from_environment({"ADE_HOME": str(home)})

    @property
    def database(self) -> Path:
        return self.home / "state.db"

    @property
    def mock_mark(self) -> Path:
        return self.home / "mock"

    @property
    def is_mock(self) -> bool:
        """Whether this ADE_HOME is one for made-up answers; see :mod:`ade_runtime.mock.home`."""
        return self.mock_mark.exists()

    @property
    def owner_lock(self) -> Path:
        return self.home / "ade.lock"

    @property
    def locks(self) -> Path:
        return self.home / "locks"

    @property
    def temporary(self) -> Path:
        return self.home / "tmp"

    @property
    def log(self) -> Path:
        return self.home / "logs" / "runtime.log"

    def make_folders(self) -> None:
        """Create what is missing with mode 0700; raise ``home_unusable``, with the way out, for what cannot be used."""
        for folder in (self.home, self.locks, self.log.parent):
            private_folder(folder, strict=folder == self.home)
        private_folder(self.socket.parent, strict=self.socket != self.socket_wanted)


def private_folder(folder: Path, *, strict: bool = False) -> None:
    """Make ``folder`` (mode 0700) if missing.

    With ``strict`` an existing one must be the user's own, and nobody else may write there: what others may have put there is
    not trusted. One that others may only read is closed to them.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not strict:
            return
        status = folder.lstat() if folder.is_symlink() and folder.parent == Path("/tmp") else folder.stat()
        if not stat.S_ISDIR(status.st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        if status.st_uid != os.getuid():
            raise somebody_else(folder, status.st_uid)
        if status.st_mode & 0o022:
            raise _open_to_others(folder, stat.S_IMODE(status.st_mode))
        if status.st_mode & 0o055:
            folder.chmod(0o700)
    except OSError as problem:
        raise unusable(folder, problem) from problem


def unusable(path: Path, problem: OSError) -> errors.HomeUnusable:
    """``home_unusable`` for what the system said about ``path``, with the step that puts it right."""
    reason, step = _STEPS.get(problem.errno or 0, (problem.strerror or str(problem), ""))
    hint = step.format(path=shlex.quote(str(path))) if step else None
    return errors.HomeUnusable(path=str(path), reason=reason, hint=hint)


_ELSEWHERE = "set ADE_HOME to another folder."
_MOVE = f"Move {{path}} away, or {_ELSEWHERE}"
_ROOM = (os.strerror(errno.ENOSPC), f"Free some space there, or {_ELSEWHERE}")
_FORBIDDEN = (
    "your user may not write there",
    f'Give the folder to your user (`sudo chown "$USER" FOLDER`, mode 0700), or {_ELSEWHERE}',
)
_STEPS = {
    errno.EROFS: ("it is on a read-only file system", f"Make it writable again, or {_ELSEWHERE}"),
    errno.ENOSPC: _ROOM,
    errno.EDQUOT: _ROOM,
    errno.EACCES: _FORBIDDEN,
    errno.EPERM: _FORBIDDEN,
    errno.ENOTDIR: ("something that is no folder is in its place (Not a directory)", _MOVE),
    errno.EEXIST: ("something that is no folder is in its place (Not a directory)", _MOVE),
    errno.ELOOP: ("a symbolic link is in its place", "Remove the link: rm {path}"),
    errno.ENAMETOOLONG: ("the path is too long", f"Choose a shorter path: {_ELSEWHERE}"),
}


def somebody_else(folder: Path, uid: int) -> errors.HomeUnusable:
    """``home_unusable`` for a folder of another user's."""
    give = f"sudo chown -R {os.getuid()} {shlex.quote(str(folder))}"
    step = f"Set ADE_HOME to a folder of your own, or give this one to your user: {give}"
    return errors.HomeUnusable(
        path=str(folder), reason=f"it belongs to somebody else (user {uid})", hint=step
    )


def _open_to_others(folder: Path, mode: int) -> errors.HomeUnusable:
    step = f"See that nobody put anything there, then close it: chmod 700 {shlex.quote(str(folder))} (or `ade doctor --fix`)"
    reason = f"other users may write there (mode {mode:04o})"
    return errors.HomeUnusable(path=str(folder), reason=reason, hint=step)
