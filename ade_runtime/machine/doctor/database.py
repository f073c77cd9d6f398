"""The database: looked through whole, its schema, and how old its last copy is."""

from __future__ import annotations

from collections.abc import Iterator

from ade_runtime.contracts import AdeError
from ade_runtime.machine.doctor.rows import Place, Row


def check(place: Place) -> Iterator[Row]:
    file = place.paths.database
    if not file.exists():
        yield Row("database", "ok", f"{file} does not exist yet")
        return
    from ade_runtime.storage.copies import copies
    from ade_runtime.storage.engine import too_new
    from ade_runtime.storage.schema import HEAD
    from ade_runtime.storage.soundness import inspect_whole_file

    try:
        found = inspect_whole_file(file)
        if found > HEAD:
            raise too_new(file, found)
    except AdeError as problem:
        yield Row("database", "fail", problem.message, problem.hint)
        return
    if found == HEAD:
        yield Row("database", "ok", f"{file}, schema {found}")
    else:
        step = "The next command migrates it, after copying it."
        yield Row("database", "warn", f"schema {found}, this version uses {HEAD}", step)
    made = copies(file)
    if made:
        when = made[0].made_at.isoformat(timespec="seconds").replace("+00:00", "Z")
        yield Row("database copies", "ok", f"{len(made)}, the last of {when}: {made[0].path}")
