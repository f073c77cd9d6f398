"""``python -m codegen site``: where the pages are written, and what ADE says of arguments that do not fit."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from codegen.compat.released import package_version
from codegen.failure import GenerationError
from codegen.load import load_specs
from codegen.site.build import Site
from codegen.site.packs import with_packs

MARK = ".ade-site"
"""In a folder that was written by this command, and may be replaced by it."""


def write(root: Path, folder: Path, packs: Sequence[Path] = ()) -> str:
    """Write the whole site into ``folder``, replacing an earlier one, with the packs that lie in the folders ``packs``; says
    where it is.

    Raises :class:`GenerationError` where the folder holds something else, or where a folder is no pack.
    """
    from ade_generated.dispatch import ACTIONS

    check_place(folder)
    own = load_specs(root)
    known = refused if {action.id for action in own.actions} == set(ACTIONS) else None
    specs, origins = with_packs(own, packs)
    site = Site(root, specs, version=package_version(root), refusal=known, origins=origins)
    files = site.files()
    replace(folder, files)
    return f"{len(files)} files in {folder}; open {folder / 'index.html'}\n"


def check_place(folder: Path) -> None:
    """Raise :class:`GenerationError` for a folder that holds something else."""
    if folder.exists() and not (folder / MARK).exists() and any(folder.iterdir()):
        raise GenerationError(
            f"{folder} holds something that is no site; empty it or name another with --out"
        )


def replace(folder: Path, files: Mapping[str, str]) -> None:
    """Have exactly these files in the folder."""
    check_place(folder)
    if folder.exists():
        shutil.rmtree(folder)
    for path, text in {**files, MARK: ""}.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")


def refused(action: str, arguments: Mapping[str, Any]) -> str | None:
    """What the runtime says of arguments that do not fit, in its own words; ``None`` where they do."""
    from ade_generated.dispatch import ACTIONS
    from ade_generated.errors import InvalidArguments
    from ade_runtime.pipeline.validation import read_input

    if action not in ACTIONS:
        return None
    try:
        read_input(ACTIONS[action], dict(arguments))
    except InvalidArguments as problem:
        return problem.message
    return None
