"""``ade storage list|check|backup|restore``: the database's file and its copies, without a runtime."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ade_generated import errors
from ade_runtime.cli.clean import clean_line
from ade_runtime.cli.local_options import read_options, refusal
from ade_runtime.contracts import AdeError, Exit
from ade_runtime.machine.paths import Paths
from ade_runtime.storage.copies import KEPT, Copy, copies, make_copy
from ade_runtime.storage.database import storage_error

USAGE = f"""Usage: ade storage list [--json | --text]
       ade storage check [--json | --text]
       ade storage backup [--json | --text]
       ade storage restore [COPY] [--json | --text]

The database of this ADE_HOME and its copies in ADE_HOME/backups. A copy is made before every migration and once a day
while a runtime runs; the last {KEPT} are kept.

  list     Show the copies, the newest first.
  check    Look through the whole database, indexes and references too.
  backup   Make a copy now.
  restore  End the runtime and put COPY (by default the newest) in the database's place. The file that was there is kept
           beside the copies. What was done since the copy is forgotten; repositories and worktrees are not touched.

Exit codes: 0 done, 3 asked from within a session, 4 no such copy, 5 somebody uses the database, 7 it is damaged.
"""


def run_storage(args: list[str], *, text: bool) -> int:
    """Perform ``ade storage …`` and give its exit code."""
    options = read_options(args, "storage")
    if options.help:
        sys.stdout.write(USAGE)
        return 0
    verb, *words = options.words or ("",)
    perform = {"list": _list, "check": _check, "backup": _backup, "restore": _restore}.get(verb)
    if perform is None or len(words) > (verb == "restore"):
        raise refusal("expected list, check, backup or restore [COPY]", "storage")
    paths = Paths.from_environment(os.environ)
    try:
        document, told = perform(paths, *words)
    except (sqlite3.Error, OSError) as problem:
        raise storage_error(problem, paths.database) from problem
    sys.stdout.write(
        "".join(f"{clean_line(line)}\n" for line in told) if text else json.dumps(document) + "\n"
    )
    return 0


def _list(paths: Paths) -> tuple[dict[str, Any], list[str]]:
    found = copies(paths.database)
    document = {"items": [_as_item(copy) for copy in found], "total": len(found), "next": None}
    told = [f"{copy.path.name}  schema {copy.schema}  {copy.size} bytes" for copy in found]
    return document, told or ["There are no copies yet."]


def _check(paths: Paths) -> tuple[dict[str, Any], list[str]]:
    schema = _proved(paths.database)
    return {"path": str(paths.database), "schema": schema, "ok": True}, [
        f"{paths.database} is sound, schema {schema}."
    ]


def _backup(paths: Paths) -> tuple[dict[str, Any], list[str]]:
    schema = _proved(paths.database)
    copy = make_copy(paths.database, schema, datetime.now(UTC))
    return _as_item(copy), [f"Copied to {copy.path}."]


def _restore(paths: Paths, name: str | None = None) -> tuple[dict[str, Any], list[str]]:
    from ade_runtime.client.serve import end_runtime
    from ade_runtime.server.ownership import Ownership
    from ade_runtime.storage.restore import find_copy, restore

    _require_owner(paths)
    copy = find_copy(paths.database, name)
    end_runtime(paths)
    ownership = Ownership.acquire(paths)  # so that no command starts a runtime meanwhile
    try:
        kept = restore(paths.database, copy)
    finally:
        ownership.release()
    told = [f"{copy.path.name} is in place."] + ([f"The file before it is {kept}."] if kept else [])
    return {"restored": str(copy.path), "kept": str(kept) if kept else None}, told


def _require_owner(paths: Paths) -> None:
    """Only the owner, outside of every session. A damaged database cannot tell who is in one; a token still does."""
    from ade_runtime.client.outside import require_outside

    try:
        require_outside("ade storage restore")
    except AdeError as problem:
        if problem.exit is not Exit.UNAVAILABLE:
            raise
        if os.environ.get("ADE_SESSION_TOKEN"):
            reason = "Only the owner may, outside of every session."
            raise errors.PolicyDenied(role="agent", action="ade storage restore", reason=reason) from problem


def _proved(database: Path) -> str:
    """The schema of a database that is there, sound and not from the future."""
    from ade_runtime.storage.engine import too_new
    from ade_runtime.storage.schema import HEAD
    from ade_runtime.storage.soundness import inspect_whole_file

    if not database.exists():
        raise errors.StorageCopyNotFound(name="database", folder=str(database.parent))
    schema = inspect_whole_file(database)
    if schema > HEAD:
        raise too_new(database, schema)
    return schema


def _as_item(copy: Copy) -> dict[str, Any]:
    made = copy.made_at.isoformat(timespec="seconds").replace("+00:00", "Z")
    return {"path": str(copy.path), "schema": copy.schema, "made_at": made, "size": copy.size}
