"""Whether shells and agents find ``ade``, and whether it is this one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from ade_generated import errors
from ade_runtime.machine.doctor.rows import Place, Row
from ade_runtime.machine.install import launcher
from ade_runtime.machine.tools.programs import is_program

INSTALL = "Run `ade install`."


def check(place: Place) -> Iterator[Row]:
    yield _on_path(place)
    yield _in_login_shell(place)
    yield from _variables(place)


def _on_path(place: Place) -> Row:
    found = shutil.which(launcher.NAME, path=place.environ.get("PATH"))
    if found is None:
        return Row("path", "warn", "there is no ade on PATH", INSTALL)
    return _judged("path", Path(found))


def _in_login_shell(place: Place) -> Row:
    """A new terminal has its own PATH, whatever this process was given."""
    if isinstance(place.shell, str):
        step = "See that a new terminal finds ade."
        return Row("login shell", "warn", f"it could not be asked: {place.shell}", step)
    candidates = (folder / launcher.NAME for folder in place.shell.path)
    found = next((file for file in candidates if is_program(file)), None)
    if found is None:
        return Row("login shell", "warn", "a new terminal finds no ade", INSTALL)
    return _judged("login shell", found)


def _judged(check: str, found: Path) -> Row:
    """Whether the program found is this installation, straight or by its launcher."""
    try:
        mine: Path | None = launcher.installed_program()
    except errors.InstallBlocked:
        mine = None
    target = _launched(found) or found
    if not is_program(target):
        return Row(check, "fail", f"{found} runs {target}, which is not there", INSTALL)
    if mine is not None and not _same(target, mine):
        step = "Remove it, or run `ade install` with the ade you want."
        return Row(check, "warn", f"{found} is another ade than this one ({mine})", step)
    return Row(check, "ok", str(found))


def _launched(file: Path) -> Path | None:
    try:
        with file.open("rb") as stream:
            return launcher.program_of(stream.read(8192))
    except OSError:
        return None


def _variables(place: Place) -> Iterator[Row]:
    """The variables that tell agents where ade is must lead to it."""
    path = place.environ.get("ADE_CLI_PATH")
    if path:
        if is_program(Path(path)):
            yield Row("ADE_CLI_PATH", "ok", path)
        else:
            yield Row(
                "ADE_CLI_PATH",
                "fail",
                f"{path} is no program",
                f"Unset it, or name {launcher.NAME}'s full path.",
            )
    folder = place.environ.get("ADE_CLI_BIN_DIR")
    if folder:
        if is_program(Path(folder) / launcher.NAME):
            yield Row("ADE_CLI_BIN_DIR", "ok", folder)
        else:
            step = f"Unset it, or name the folder that holds {launcher.NAME}."
            yield Row("ADE_CLI_BIN_DIR", "fail", f"{folder} holds no {launcher.NAME}", step)


def _same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)
