"""Opening many files of one checkout in the order of their paths, no symbolic link on the way, each folder once."""

from __future__ import annotations

import os
import stat
from types import TracebackType

_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class Descent:
    """Keeps the folders of the last path open. Paths are bytes relative to the root, as git lists them: without ``..``."""

    def __init__(self, root: int) -> None:
        self._root = root
        self._names: list[bytes] = []
        self._folders: list[int] = []

    def __enter__(self) -> Descent:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave(0)

    def status(self, path: bytes) -> os.stat_result | None:
        """What is at ``path``, ``None`` for nothing or where a folder on the way is none."""
        folder, _, name = path.rpartition(b"/")
        try:
            return os.stat(name, dir_fd=self._enter(folder), follow_symlinks=False)
        except OSError:
            return None

    def open(self, path: bytes) -> int | None:
        """A descriptor of the plain file at ``path``, ``None`` where there is none that may be read. Never waits."""
        status = self.status(path)
        if status is None or not stat.S_ISREG(status.st_mode):
            return None
        folder, _, name = path.rpartition(b"/")
        try:
            fd = os.open(name, _FILE, dir_fd=self._enter(folder))
        except OSError:
            return None
        if stat.S_ISREG(os.fstat(fd).st_mode):
            return fd
        os.close(fd)
        return None

    def _enter(self, folder: bytes) -> int:
        names = folder.split(b"/") if folder else []
        same = 0
        while same < min(len(names), len(self._names)) and names[same] == self._names[same]:
            same += 1
        self._leave(same)
        for name in names[same:]:
            above = self._folders[-1] if self._folders else self._root
            self._folders.append(os.open(name, _FOLDER, dir_fd=above))
            self._names.append(name)
        return self._folders[-1] if self._folders else self._root

    def _leave(self, depth: int) -> None:
        while len(self._folders) > depth:
            os.close(self._folders.pop())
            self._names.pop()
