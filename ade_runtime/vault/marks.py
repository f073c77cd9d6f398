"""Which secrets the machine has, told by empty files, for who must know at once and without the database: what an account is
needed for is hidden while there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_runtime.machine.paths import private_folder
from ade_runtime.vault.names import MACHINE, SecretName

if TYPE_CHECKING:
    from pathlib import Path

    from ade_runtime.machine.paths import Paths


def marks_of(paths: Paths) -> Path:
    """The folder in which each secret of the machine has a file of its name."""
    return paths.home / "secrets" / MACHINE


def note(paths: Paths, secret: SecretName, *, there: bool) -> None:
    """Write down that a secret has come or gone; those of projects are not written down."""
    if secret.owner != MACHINE:
        return
    folder = marks_of(paths)
    if there:
        private_folder(folder.parent)
        private_folder(folder)
        (folder / secret.name).touch(mode=0o600)
    else:
        (folder / secret.name).unlink(missing_ok=True)
