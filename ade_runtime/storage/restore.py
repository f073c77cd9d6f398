"""Putting a copy of the database in the place of the present file, which is kept."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

from ade_generated import errors
from ade_runtime.machine.open_files import holders
from ade_runtime.storage.copies import Copy, copies, copy_file, folder_of, sync_folder
from ade_runtime.storage.engine import taking_turns, too_new
from ade_runtime.storage.schema import HEAD
from ade_runtime.storage.soundness import inspect_whole_file

_BESIDE = ("-journal", "-wal", "-shm")
"""Files of SQLite's that belong to the database file they are named after."""


def find_copy(database: Path, name: str | None) -> Copy:
    """The copy called ``name`` (its file name or path), the newest without a name; raises ``storage_copy_not_found``."""
    found = copies(database)
    for copy in found:
        if name is None or name in (copy.path.name, str(copy.path)):
            return copy
    raise errors.StorageCopyNotFound(name=name or "any", folder=str(folder_of(database)))


def restore(database: Path, copy: Copy) -> Path | None:
    """Put ``copy`` in the database's place; gives where the file that was there lies now.

    Nobody may have the database open (``storage_in_use``). The copy is proved sound first, and the new file is whole and on the
    disk before it takes its place.
    """
    schema = inspect_whole_file(copy.path)
    if schema > HEAD:
        raise too_new(copy.path, schema)
    with taking_turns(database):
        users = holders(database)
        if users:
            raise errors.StorageInUse(path=str(database), pids=", ".join(map(str, users)))
        draft = database.with_name(database.name + ".restored")
        try:
            os.close(os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY | os.O_CLOEXEC, 0o600))
            copy_file(copy.path, draft)
            kept = _set_aside(database)
            draft.replace(database)
        finally:
            draft.unlink(missing_ok=True)
        sync_folder(database.parent)
        return kept


def _set_aside(database: Path) -> Path | None:
    """Move the present file, and what SQLite keeps beside it, to the copies under a name that is none of theirs."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%f")
    target = folder_of(database) / f"replaced-{stamp}.db"
    present = database.exists()
    if present:
        database.rename(target)
    for end in _BESIDE:
        beside = database.with_name(database.name + end)
        if beside.exists():
            beside.rename(target.with_name(target.name + end))
    return target if present else None
