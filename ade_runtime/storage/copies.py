"""Copies of the database beside it: made before every migration and once a day, the last few kept.

They lie in ``ADE_HOME/backups`` as ``state-<schema>-<time>.db``. A copy appears there only once it is whole and on the disk.
"""

from __future__ import annotations

import os
import re
import shlex
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ade_runtime.machine.paths import private_folder

KEPT = 7
"""Copies that stay; the oldest goes first."""

BUSY_TIMEOUT = 10.0
_NAME = re.compile(r"state-(?P<schema>[0-9A-Za-z]+)-(?P<time>\d{8}T\d{6}\.\d{6})\.db")
_TIME = "%Y%m%dT%H%M%S.%f"


@dataclass(frozen=True, slots=True)
class Copy:
    """``schema`` is the version of the tables in it, ``size`` its bytes."""

    path: Path
    schema: str
    made_at: datetime
    size: int


def folder_of(database: Path) -> Path:
    """Where the copies of a database file lie."""
    return database.parent / "backups"


def copies(database: Path) -> list[Copy]:
    """The copies there are, the newest first."""
    found: list[Copy] = []
    try:
        entries = list(os.scandir(folder_of(database)))
    except OSError:
        return []
    for entry in entries:
        match = _NAME.fullmatch(entry.name)
        if match is not None and entry.is_file(follow_symlinks=False):
            made = datetime.strptime(match["time"], _TIME).replace(tzinfo=UTC)
            found.append(Copy(Path(entry.path), match["schema"], made, entry.stat().st_size))
    return sorted(found, key=lambda copy: copy.made_at, reverse=True)


def make_copy(database: Path, schema: str, now: datetime) -> Copy:
    """Copy the database as of one moment, while others may be using it. Raises ``sqlite3.Error`` or ``OSError``, leaving
    nothing behind."""
    folder = folder_of(database)
    private_folder(folder)
    target = folder / f"state-{schema}-{now.astimezone(UTC).strftime(_TIME)}.db"
    draft = target.with_name(target.name + ".part")
    try:
        os.close(os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY | os.O_CLOEXEC, 0o600))
        copy_file(database, draft)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    sync_folder(folder)
    _prune(database)
    return Copy(target, schema, now, target.stat().st_size)


def copy_file(source: Path, target: Path) -> None:
    """What the database ``source`` holds at one moment, in the file ``target``, and on the disk."""
    with closing(_connect(source, "rw")) as origin, closing(_connect(target, "rw")) as copy:
        copy.execute("PRAGMA journal_mode = OFF")  # a copy cut short is thrown away, not rolled back
        origin.backup(copy)
    with target.open("rb") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Have the names in ``folder`` on the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def way_back(database: Path, known: set[str] | None = None) -> str:
    """The sentence that names the last copy (of a schema in ``known``) and how to put it back."""
    usable = [copy for copy in copies(database) if known is None or copy.schema in known]
    if not usable:
        return "There is no copy to put back. Move the file away to begin with an empty one."
    last = usable[0]
    when = last.made_at.isoformat(timespec="seconds").replace("+00:00", "Z")
    return (
        f"The last copy is {last.path} of {when}: `ade storage restore {shlex.quote(last.path.name)}` puts it back "
        "and keeps the present file."
    )


def _prune(database: Path) -> None:
    for old in copies(database)[KEPT:]:
        old.path.unlink(missing_ok=True)


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=BUSY_TIMEOUT, isolation_level=None)
