"""Refusals of a call in the words of the command that made it: people gave ``--in``, not ``delay_seconds``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated import errors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ade_runtime.cli.catalog import Catalog
    from ade_runtime.contracts import AdeError


def in_flags(problem: AdeError, action: str, argv: Sequence[str], catalog: Catalog) -> AdeError:
    """The same problem; where it names a field that the line gave by a flag of another name, that flag in its place."""
    found = catalog.action(action) if isinstance(problem, errors.InvalidArguments) else None
    if found is None:
        return problem
    field, colon, rest = problem.message.partition(": ")
    command = catalog.command(*found)
    param = next((one for one in command.fields if one.field == field and one.flags), None)
    if param is None or not colon or not any(word.partition("=")[0] in param.flags for word in argv):
        return problem
    seconds = ", in seconds" if param.kind == "duration" else ""
    return errors.InvalidArguments(
        problem=f"{param.flag}: {rest}{seconds}",
        action=action,
        details=problem.details,
        hint=f"See `{command.title} --help`.",
    )
