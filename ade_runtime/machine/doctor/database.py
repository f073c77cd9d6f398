"""The database: whether it can be read and which schema it has."""

from __future__ import annotations

from collections.abc import Iterator

from ade_runtime.contracts import AdeError
from ade_runtime.machine.doctor.rows import Place, Row


def check(place: Place) -> Iterator[Row]:
    file = place.paths.database
    if not file.exists():
        yield Row("database", "ok", f"{file} does not exist yet")
        return
    from ade_runtime.storage.engine import inspect_file
    from ade_runtime.storage.schema import HEAD

    try:
        found = inspect_file(file)
    except AdeError as problem:
        yield Row("database", "fail", problem.message, problem.hint)
        return
    if found == HEAD:
        yield Row("database", "ok", f"{file}, schema {found}")
    else:
        step = "The next command migrates it, or says why not."
        yield Row("database", "warn", f"schema {found}, this version uses {HEAD}", step)
