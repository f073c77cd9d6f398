"""Files of one ADE_HOME, and the folders they live in."""

from __future__ import annotations

import os
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
    def owner_lock(self) -> Path:
        return self.home / "ade.lock"

    @property
    def start_lock(self) -> Path:
        return self.home / "start.lock"

    @property
    def locks(self) -> Path:
        return self.home / "locks"

    @property
    def log(self) -> Path:
        return self.home / "logs" / "runtime.log"

    def make_folders(self) -> None:
        """Create what is missing with mode 0700; refuse folders of another user and symlinks in the socket's place."""
        for folder in (self.home, self.locks, self.log.parent):
            private_folder(folder, strict=folder == self.home)
        private_folder(self.socket.parent, strict=self.socket != self.socket_wanted)


def private_folder(folder: Path, *, strict: bool = False) -> None:
    """Make ``folder`` (mode 0700) if missing. With ``strict`` an existing one must be the user's own and closed to others."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not strict:
            return
        status = folder.lstat() if folder.is_symlink() and folder.parent == Path("/tmp") else folder.stat()
    except OSError as problem:
        raise errors.HomeUnusable(path=str(folder), reason=problem.strerror or str(problem)) from problem
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
        raise errors.HomeUnusable(path=str(folder), reason="it belongs to somebody else or is not a folder")
    if status.st_mode & 0o077:
        folder.chmod(0o700)
