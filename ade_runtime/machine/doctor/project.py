"""The project of the working folder, asked of the database: a runtime may not be running."""

from __future__ import annotations

from collections.abc import Iterator

from ade_runtime.contracts import AdeError
from ade_runtime.machine import loop
from ade_runtime.machine.doctor.rows import Place, Row
from ade_runtime.projects.registry import Project


def check(place: Place) -> Iterator[Row]:
    if place.cwd is None:
        yield Row("project", "warn", "the working folder is gone", "Change into a folder that exists.")
        return
    if not place.paths.database.exists():
        yield Row("project", "ok", "none registered yet; add one with `ade project add PATH`")
        return
    try:
        project = loop.run(_find(place))
    except AdeError as problem:
        yield Row("project", "warn", problem.message, problem.hint)
        return
    if project is None:
        yield Row("project", "ok", "this folder is in no registered project; add it with `ade project add .`")
    else:
        yield Row("project", "ok", f"{project.name} at {project.root}")


async def _find(place: Place) -> Project | None:
    from ade_runtime.pipeline.call import Caller
    from ade_runtime.services import Services

    services = Services(place.paths)
    try:
        return await services.projects.resolve(Caller("headless", cwd=str(place.cwd)))
    finally:
        await services.close()
