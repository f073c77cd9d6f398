"""Contents by their SHA-256, each once, below ``ADE_HOME/proof/blobs``.

A content is written to a draft, flushed to disk, and only then given its name, so that a file with a name is whole. Files are
read-only: what has a hash for a name never changes.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ade_generated import errors
from ade_runtime.machine.paths import private_folder
from ade_runtime.proof.kinds import (
    HEAD,
    LONGEST_JSON,
    Kind,
    Size,
    TextCheck,
    binary_kind,
    picture_size,
    text_kind,
)

CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Draft:
    """A content that was copied and looked at, and has no name yet. ``kind`` is ``None`` where it is of none that is kept."""

    path: Path
    sha256: str
    size: int
    kind: Kind | None
    picture: Size | None


class Blobs:
    """The contents of one ADE_HOME. Calls block; a thread makes them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, sha256: str) -> Path:
        """Where a content is, or would be."""
        return self.folder / sha256[:2] / sha256

    def copy(self, descriptor: int, name: str, most: int, draft: Path) -> Draft:
        """Copy a file to ``draft`` and tell what it is. It is read from its beginning to its end as that is when it is come
        to; raises ``proof_too_large`` past ``most`` bytes.
        """
        hasher, check, size, start = hashlib.sha256(), TextCheck(), 0, bytearray()
        out = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            while data := os.read(descriptor, CHUNK):
                size += len(data)
                if size > most:
                    raise errors.ProofTooLarge(path=name, size=size, limit=most)
                hasher.update(data)
                check.feed(data)
                if len(start) < LONGEST_JSON:
                    start += data
                _write(out, data)
            check.feed(b"", final=True)
            os.fsync(out)
            os.fchmod(out, 0o400)
        except OSError as problem:
            raise _storage_problem(problem, draft) from problem
        finally:
            os.close(out)
        head = bytes(start[:HEAD])
        kind = binary_kind(head)
        if kind is None and check.is_text and size:
            kind = text_kind(bytes(start) if size <= LONGEST_JSON else None, name)
        return Draft(draft, hasher.hexdigest(), size, kind, picture_size(kind, head) if kind else None)

    def keep(self, draft: Draft) -> None:
        """Give the draft its name; where that content is there already, the draft goes."""
        target = self.path(draft.sha256)
        try:
            private_folder(target.parent)
            if target.is_file() and target.stat().st_size == draft.size:
                draft.path.unlink()
                return
            draft.path.rename(target)
            _flush_folder(target.parent)
            _flush_folder(target.parent.parent)
        except OSError as problem:
            raise _storage_problem(problem, target) from problem

    def read(self, sha256: str, offset: int, most: int) -> bytes | None:
        """Part of a content; ``None`` where it is gone."""
        try:
            descriptor = os.open(self.path(sha256), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError:
            return None
        try:
            return os.pread(descriptor, most, offset)
        finally:
            os.close(descriptor)

    def all(self) -> Iterator[tuple[str, int]]:
        """The hash of each content and its bytes on disk."""
        for folder in sorted(self.folder.glob("[0-9a-f][0-9a-f]")):
            for file in sorted(folder.iterdir()):
                if len(file.name) == 64:
                    yield file.name, file.lstat().st_size

    def remove(self, sha256: str) -> None:
        self.path(sha256).unlink(missing_ok=True)

    def verify(self, sha256: str) -> bool:
        """Whether the content still is what its name says."""
        try:
            with self.path(sha256).open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest() == sha256
        except OSError:
            return False


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _flush_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _storage_problem(problem: OSError, path: Path) -> Exception:
    import errno

    if problem.errno in (errno.ENOSPC, errno.EDQUOT):
        return errors.StorageFull(path=str(path))
    return errors.HomeUnusable(path=str(path), reason=problem.strerror or str(problem))
