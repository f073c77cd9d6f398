"""Worktrees that were proved clean, remembered so that proving it again takes one look at each file.

A file that is changed in any way gets a new change time, which no program can set, and a folder in which a
name appears or goes gets a new modification time. As long as all of these, and the index, are what they were,
so is the proof. It is remembered only when every time in it is older than the clock's tick, within which two
changes look like one.
"""

from __future__ import annotations

import os
import struct
import threading
import time
from array import array
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

from ade_runtime.lanes.clean_proof import Folders, prove_clean

TICK = 50_000_000
"""Nanoseconds; longer than the coarsest clock that file systems take their times from."""
MAX_FILES = 200_000
"""Files remembered in all, 16 bytes each."""

_PLACE = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class _Shape:
    """Names in a worktree; worktrees of one tree share it."""

    folders: tuple[bytes, ...]
    files: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class _Memory:
    tree: str
    index: tuple[int, int, int]
    shape: _Shape
    folder_times: array[int]
    file_times: array[int]
    inodes: array[int]


class CleanCache:
    """Safe to use from several threads."""

    def __init__(self) -> None:
        self._memories: OrderedDict[Path, _Memory] = OrderedDict()
        self._files = 0
        self._lock = threading.Lock()

    def is_clean(
        self, worktree: Path, git_dir: Path, tree: str, *, besides: frozenset[bytes] = frozenset()
    ) -> bool:
        """As :func:`~.clean_proof.prove_clean`, from memory where that still holds."""
        memory = self._memories.get(git_dir)
        if memory is not None and memory.tree == tree and _still_holds(memory, worktree, git_dir):
            return True
        started = time.time_ns()
        try:
            index = _identity(git_dir)
        except OSError:
            return False
        folders = prove_clean(worktree, git_dir, tree, besides=besides)
        if folders is None:
            return False
        self._remember(worktree, git_dir, tree, index, folders, started - TICK)
        return True

    def _remember(
        self,
        worktree: Path,
        git_dir: Path,
        tree: str,
        index: tuple[int, int, int],
        folders: Folders,
        before: int,
    ) -> None:
        memory = _memory(worktree, tree, index, folders, before)
        if memory is None:
            return
        with self._lock:
            old = self._memories.pop(git_dir, None)
            self._files += len(memory.inodes) - (len(old.inodes) if old is not None else 0)
            twin = next((m for m in self._memories.values() if m.shape == memory.shape), None)
            if twin is not None:
                memory = _Memory(
                    tree, index, twin.shape, memory.folder_times, memory.file_times, memory.inodes
                )
            self._memories[git_dir] = memory
            while self._files > MAX_FILES and self._memories:
                self._files -= len(self._memories.popitem(last=False)[1].inodes)


def _memory(
    worktree: Path, tree: str, index: tuple[int, int, int], folders: Folders, before: int
) -> _Memory | None:
    names: list[bytes] = []
    times, inodes, folder_times = array("q"), array("Q"), array("q")
    root = os.fsencode(worktree)
    for folder, known in folders.items():
        try:
            folder_times.append(os.stat(root + b"/" + folder).st_mtime_ns)  # noqa: PTH116 - bytes
        except OSError:
            return None
        prefix = folder + b"/" if folder else b""
        for name, recorded in known.items():
            if recorded is not None:
                seconds, nanoseconds = struct.unpack_from(">II", recorded)
                names.append(prefix + name)
                times.append(seconds * 1_000_000_000 + nanoseconds)
                inodes.append(struct.unpack_from(">I", recorded, 16)[0])
    if max(times, default=0) >= before or max(folder_times) >= before or index[0] >= before:
        return None
    return _Memory(tree, index, _Shape(tuple(folders), tuple(names)), folder_times, times, inodes)


def _still_holds(memory: _Memory, worktree: Path, git_dir: Path) -> bool:
    try:
        if _identity(git_dir) != memory.index:
            return False
        place = os.open(worktree, _PLACE)
    except OSError:
        return False
    stat, lstat = os.stat, os.lstat
    try:
        for folder, modified in zip(memory.shape.folders, memory.folder_times, strict=True):
            if stat(folder or b".", dir_fd=place, follow_symlinks=False).st_mtime_ns != modified:
                return False
        for file, changed, inode in zip(memory.shape.files, memory.file_times, memory.inodes, strict=True):
            now = lstat(file, dir_fd=place)
            if now.st_ctime_ns != changed or now.st_ino & 0xFFFFFFFF != inode:
                return False
    except OSError:
        return False
    finally:
        os.close(place)
    return True


def _identity(git_dir: Path) -> tuple[int, int, int]:
    found = os.stat(f"{git_dir}/index")  # noqa: PTH116 - for every lane of a list
    return found.st_mtime_ns, found.st_ino, found.st_size
