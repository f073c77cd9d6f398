"""Completion scripts for bash, zsh and fish.

They hold no text of the specs: each asks ``ade __complete`` while a person types, so a script never goes
stale and nothing an author writes can act on a shell.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from codegen import ir
from codegen.plan import PlannedFile

SCRIPTS = ("ade.bash", "_ade", "ade.fish")
_FOLDER = PurePosixPath("ade_generated/completions")
_TEMPLATES = PurePosixPath("codegen/templates/completions")


def emit(specs: ir.Specs) -> Iterable[PlannedFile]:
    """One script a shell."""
    for name in SCRIPTS:
        text = (Path(__file__).parents[1] / "templates" / "completions" / name).read_text(encoding="utf-8")
        yield PlannedFile(_FOLDER / name, text, (str(_TEMPLATES / name),))
