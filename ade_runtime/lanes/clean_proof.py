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

MAX_ENTRIES = 2500
"""Past this many files git, which reads in parallel and in C, is quicker than the proof."""

_SHA1_LENGTH = 20
_HEADER = 62
"""Bytes of an entry before its path: 40 of stat data, the object id, two of flags."""
_NOT_PLAIN = 0xF0
"""Assume-valid, extended and the two stage bits of the flags: any of them makes an entry one for git."""
_LONG_NAME = 0xFFF
_STAT = struct.Struct(">9I")

Folders = dict[bytes, dict[bytes, "bytes | None"]]
"""Names by folder, with the recorded stat data of files (without the device, which may change when a disk is
mounted anew) and ``None`` for folders."""


def prove_clean(
    worktree: Path, git_dir: Path, tree: str, *, besides: frozenset[bytes] = frozenset()
) -> Folders | None:
    """What the worktree holds, when it is certainly clean with HEAD at the commit whose tree id is ``tree``.

    ``besides`` are names in the worktree's root that are known to be ignored.
    """
    if len(tree) != 2 * _SHA1_LENGTH:
        return None
    try:
        descriptor = os.open(git_dir / "index", os.O_RDONLY | os.O_CLOEXEC)
        try:
            found = os.fstat(descriptor)
            if found.st_size > MAX_ENTRIES * 300:
                return None
            data = os.read(descriptor, found.st_size)
        finally:
            os.close(descriptor)
        folders = _read_index(data, tree)
        if folders is not None and _matches(os.fsencode(worktree), folders, found.st_mtime_ns, besides):
            return folders
    except (OSError, struct.error, ValueError, IndexError):
        pass
    return None


def _read_index(data: bytes, tree: str) -> Folders | None:
    """The entries by folder; ``None`` when the index is not plain or its cached tree is not ``tree``."""
    signature, version, count = struct.unpack_from(">4sII", data)
    if signature != b"DIRC" or version not in (2, 3) or count > MAX_ENTRIES:
        return None
    known: dict[bytes, bytes | None] = {}
    folders: Folders = {b"": known}
    folder = b""
    offset = 12
    for _ in range(count):
        flags = data[offset + 60]
        length = (flags & 0x0F) << 8 | data[offset + 61]
        if flags & _NOT_PLAIN or length == _LONG_NAME:
            return None
        path = data[offset + _HEADER : offset + _HEADER + length]
        slash = path.rfind(b"/")
        parent = path[:slash] if slash >= 0 else b""
        if parent != folder:
            folder = parent
            if folder not in folders:
                _add_folder(folders, folder)
            known = folders[folder]
        known[path[slash + 1 :]] = data[offset : offset + 16] + data[offset + 20 : offset + 40]
        offset += (length + _HEADER + 8) & ~7
    return folders if _cached_tree(data, offset) == tree else None


def _add_folder(folders: Folders, folder: bytes) -> None:
    """Enter ``folder`` and those above it, each as a name in the one around it."""
    parent, _, name = folder.rpartition(b"/")
    folders[folder] = {}
    if parent not in folders:
        _add_folder(folders, parent)
    folders[parent][name] = None


def _cached_tree(data: bytes, offset: int) -> str | None:
    """Id of the root in the TREE extension, ``None`` when it is missing, out of date, hidden by unknown
    extensions or cut short."""
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
    return found if offset == len(data) - _SHA1_LENGTH else None


def _matches(root: bytes, folders: Folders, written: int, besides: frozenset[bytes]) -> bool:
    """Whether the files below ``root`` are exactly the entries, each with the stat data recorded for it and
    older than the index, so that git would not read it to be sure."""
    for folder, known in folders.items():
        seen = 0
        with os.scandir(root + b"/" + folder if folder else root) as entries:
            for entry in entries:
                name = entry.name
                recorded = known.get(name, b"")
                if recorded is None:
                    if not entry.is_dir(follow_symlinks=False):
                        return False
                elif recorded:
                    now = entry.stat(follow_symlinks=False)
                    if now.st_mtime_ns >= written or _packed(now) != recorded:
                        return False
                elif folder or (name != b".git" and name not in besides):
                    return False
                else:
                    continue
                seen += 1
        if seen != len(known):
            return False
    return True


def _packed(now: os.stat_result) -> bytes:
    """Stat data as the index records it; never equal to a recorded one for what is neither file nor link."""
    kind = now.st_mode
    mode = 0
    if stat.S_ISREG(kind):
        mode = 0o100755 if kind & 0o100 else 0o100644
    elif stat.S_ISLNK(kind):
        mode = 0o120000
    changed, modified = now.st_ctime_ns, now.st_mtime_ns
    return _STAT.pack(
        changed // 1_000_000_000,
        changed % 1_000_000_000,
        modified // 1_000_000_000,
        modified % 1_000_000_000,
        now.st_ino & 0xFFFFFFFF,
        mode,
        now.st_uid,
        now.st_gid,
        now.st_size & 0xFFFFFFFF,
    )
