"""Which ADE_HOME is served with made-up answers: a property of the folder, so that every process that serves it agrees."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ade_generated import errors

if TYPE_CHECKING:
    from ade_runtime.machine.paths import Paths

MARK_TEXT = "Whoever serves this ADE_HOME answers from the examples of ADE's specs and does nothing; see `ade serve --help`.\n"


def mark(paths: Paths, environ: Mapping[str, str]) -> None:
    """Make a new folder one for made-up answers. Raises ``invalid_arguments`` for the usual ADE_HOME and for one that has been
    used: its owner's commands would be answered with what is not so."""
    if paths.is_mock:
        return
    if not environ.get("ADE_HOME"):
        raise _refused("--mock needs an ADE_HOME of its own")
    if paths.database.exists() or paths.owner_lock.exists():
        raise _refused(f"{paths.home} has been used for real work; --mock needs an ADE_HOME of its own")
    paths.make_folders()
    with open(paths.mock_mark, "x", encoding="utf-8", opener=_private) as file:
        file.write(MARK_TEXT)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _refused(problem: str) -> errors.InvalidArguments:
    hint = "For example: ADE_HOME=~/.ade-mock ade serve --mock."
    return errors.InvalidArguments(problem=problem, action="serve", hint=hint)
