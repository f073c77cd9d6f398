"""From argv to an :data:`Outcome`.

Parsing never prints, never exits, never reads a file and never calls an action.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import click

from ade_runtime.cli.catalog import Catalog, default_catalog
from ade_runtime.cli.commands import Root
from ade_runtime.cli.globals import sniff_options
from ade_runtime.cli.outcomes import (
    GlobalOptions,
    HelpText,
    Invocation,
    LineState,
    LocalCommand,
    NeedsText,
    Outcome,
    UsageProblem,
)

__all__ = [
    "GlobalOptions",
    "HelpText",
    "Invocation",
    "LocalCommand",
    "NeedsText",
    "Outcome",
    "UsageProblem",
    "parse",
]


def parse(
    argv: Sequence[str],
    *,
    width: int = 80,
    cwd: str = "/",
    texts: Mapping[str, str] | None = None,
    catalog: Catalog | None = None,
) -> Outcome:
    """Read one command line.

    ``argv`` is what follows the program's name, ``width`` the columns help may fill, ``cwd`` the caller's
    folder (absolute). ``texts`` answers an earlier :class:`NeedsText`. Rows 36 to 41 of the fault inventory
    are this function's contract.
    """
    state = LineState(width=max(width, 40), cwd=cwd, texts=texts or {})
    try:
        _refuse_undecodable(argv)
        return _root().read(list(argv), state, catalog or default_catalog())
    except UsageProblem as error:
        problem = error
    except click.UsageError as error:
        problem = UsageProblem(error.format_message(), hint="See `ade --help`.")
    problem.options = sniff_options(argv)
    return problem


@cache
def _root() -> Root:
    return Root()


def _refuse_undecodable(argv: Sequence[str]) -> None:
    """Bytes that are no UTF-8 arrive as lone surrogates and could not be sent on as JSON."""
    for index, word in enumerate(argv, start=1):
        if "\0" in word or any("\ud800" <= char <= "\udfff" for char in word):
            raise UsageProblem(
                f"Argument {index} is not valid UTF-8 text: {word!r}.",
                hint="Pass text as UTF-8 without NUL characters.",
            )
