"""Proving without starting git that a worktree has no changes, so that listing many lanes stays cheap.

The proof is one-sided: ``True`` means that git would report a clean worktree, ``False`` means only that git
has to be asked. It holds when the index is in its plain form, its cached tree is the tree of HEAD (nothing
staged), every entry's recorded stat data is that of the file (nothing changed; the same test git makes, only
stricter), and no folder of the worktree holds a name the index does not know (nothing untracked). Format:
``gitformat-index(5)``.
"""

from __future__ import annotations

import os
import stat
import struct
from pathlib import Path

MAX_ENTRIES = 1500
"""Past this many files git, which reads in parallel and in C, is quicker than the proof."""

_ENTRY = struct.Struct(">10I20sH")
_SHA1_LENGTH = 20
_FLAGS_NOT_PLAIN = 0xF000
"""Assume-valid, extended and the two stage bits: any of them makes an entry one for git."""

_Entry = tuple[int, int, int, int, int, int, int, int, int, int]
_Folders = dict[str, dict[str, "_Entry | None"]]


def proved_clean(worktree: Path, git_dir: Path, tree: str, *, besides: frozenset[str] = frozenset()) -> bool:
    """Whether the worktree is certainly clean with HEAD at the commit whose tree id is ``tree``.

    ``besides`` are names in the worktree's root that are known to be ignored.
    """
    if len(tree) != 2 * _SHA1_LENGTH:
        return False
    try:
        index = git_dir / "index"
        with index.open("rb") as file:
            written = os.fstat(file.fileno()).st_mtime_ns
            data = file.read(64 + MAX_ENTRIES * 400)
            if file.read(1):
                return False
        folders = _read_index(data, tree)
        return folders is not None and _matches(str(worktree), folders, written, besides)
    except (OSError, struct.error, ValueError):
        return False


def _read_index(data: bytes, tree: str) -> _Folders | None:
    """The entries by folder; ``None`` when the index is not plain or its cached tree is not ``tree``."""
    signature, version, count = struct.unpack_from(">4sII", data)
    if signature != b"DIRC" or version not in (2, 3) or count > MAX_ENTRIES:
        return None
    folders: _Folders = {"": {}}
    offset = 12
    for _ in range(count):
        *fields, _oid, flags = _ENTRY.unpack_from(data, offset)
        if flags & _FLAGS_NOT_PLAIN:
            return None
        end = data.index(b"\0", offset + _ENTRY.size)
        path = os.fsdecode(data[offset + _ENTRY.size : end])
        offset += (end - offset + 8) & ~7
        parent, _, name = path.rpartition("/")
        if parent not in folders:
            _add_folder(folders, parent)
        folders[parent][name] = tuple(fields)
    return folders if _cached_tree(data, offset) == tree else None


def _add_folder(folders: _Folders, folder: str) -> None:
    """Enter ``folder`` and those above it, each as a name in the one around it."""
    while folder not in folders:
        folders[folder] = {}
        parent, _, name = folder.rpartition("/")
        above = folders.get(parent)
        if above is not None:
            above[name] = None
            return
        _add_folder(folders, parent)
        folders[parent][name] = None


def _cached_tree(data: bytes, offset: int) -> str | None:
    """Id of the root in the TREE extension, ``None`` when it is missing, out of date or hidden by unknown
    extensions."""
    found: str | None = None
    while offset < len(data) - _SHA1_LENGTH:
        name, size = struct.unpack_from(">4sI", data, offset)
        if not 65 <= name[0] <= 90 or name == b"FSMN":
            return None
        if name == b"TREE":
            start = data.index(b"\n", offset + 8) + 1
            counts = data[offset + 9 : start - 1].split(b" ")
            if int(counts[0]) >= 0:
                found = data[start : start + _SHA1_LENGTH].hex()
        offset += 8 + size
    return found


def _matches(root: str, folders: _Folders, written: int, besides: frozenset[str]) -> bool:
    """Whether the files below ``root`` are exactly the entries, each with the stat data recorded for it."""
    for folder, known in folders.items():
        seen = 0
        with os.scandir(f"{root}/{folder}" if folder else root) as entries:
            for entry in entries:
                name = entry.name
                if name in known:
                    recorded = known[name]
                    if recorded is None:
                        if not entry.is_dir(follow_symlinks=False):
                            return False
                    elif not _same(entry.stat(follow_symlinks=False), recorded, written):
                        return False
                    seen += 1
                elif folder or (name != ".git" and name not in besides):
                    return False
        if seen != len(known):
            return False
    return True


def _same(now: os.stat_result, recorded: _Entry, written: int) -> bool:
    ctime, ctime_ns, mtime, mtime_ns, _device, inode, mode, uid, gid, size = recorded
    return (
        now.st_mtime_ns == mtime * 1_000_000_000 + mtime_ns
        and now.st_mtime_ns < written
        and now.st_size & 0xFFFFFFFF == size
        and now.st_ino & 0xFFFFFFFF == inode
        and now.st_ctime_ns == ctime * 1_000_000_000 + ctime_ns
        and now.st_uid == uid
        and now.st_gid == gid
        and _same_kind(now.st_mode, mode)
    )


def _same_kind(now: int, recorded: int) -> bool:
    if stat.S_ISREG(now):
        return recorded == (0o100755 if now & 0o100 else 0o100644)
    return stat.S_ISLNK(now) and recorded == 0o120000
