"""Folders that skills are taken from, nearest first: one list for whoever tells agents about them, for the environment they
are started with, and for whoever checks it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

VARIABLE = "ADE_AGENT_SKILLS_DIRS"
KINDS = (".claude/skills", ".agents/skills", ".ade/skills", ".codex/skills")
"""Where a folder keeps its skills; at one level the first wins."""

SKILL_FILE = "SKILL.md"
MOST = 1000
"""Folders of one root that are looked at, by name."""

Origin = Literal["lane", "ancestor", "home", "named", "packaged", "source"]


@dataclass(frozen=True, slots=True)
class SkillRoot:
    """``path`` as it was come to; ``origin`` says why it counts. The user chose what is in a ``trusted`` one, not whoever
    wrote the files of a project.
    """

    path: Path
    origin: Origin

    @property
    def trusted(self) -> bool:
        return self.origin in ("home", "named", "packaged", "source")


def named_roots(environ: Mapping[str, str]) -> list[Path]:
    """The folders that the variable names, in its order. Relative ones are left out: they mean another in each place."""
    named = environ.get(VARIABLE, "").split(os.pathsep)
    return [Path(folder) for folder in named if folder.startswith("/")]


def skill_roots(environ: Mapping[str, str], cwd: Path | None, home: Path) -> list[SkillRoot]:
    """Folders that exist: those of ``cwd`` and of the folders above it, the user's own, those that the variable names, then
    what ADE brings along. A folder that two names lead to is there once. A far folder never comes before a near one.

    Upwards it goes to the outermost repository around ``cwd`` (a lane lies inside its project's checkout), and inside of
    the user's home up to the home itself; whatever lies above belongs to somebody else.
    """
    found: dict[str, SkillRoot] = {}
    for root in _candidates(environ, cwd, home):
        if root.path.is_dir():
            found.setdefault(os.path.realpath(root.path), root)
    return list(found.values())


def as_variable(roots: Iterable[SkillRoot]) -> str:
    """What ``ADE_AGENT_SKILLS_DIRS`` is to hold so that a program started elsewhere finds the same folders in the same
    order. A folder whose name holds the separator cannot be named and is left out.
    """
    return os.pathsep.join(str(root.path) for root in roots if os.pathsep not in str(root.path))


def skill_files(root: Path) -> list[Path]:
    """The skills of one folder, by name: each a folder that holds a ``SKILL.md``."""
    try:
        folders = sorted(entry.path for entry in os.scandir(root))[:MOST]
    except OSError:
        return []
    return [Path(folder, SKILL_FILE) for folder in folders if os.path.lexists(Path(folder, SKILL_FILE))]


def packaged() -> SkillRoot:
    """ADE's own skills, which the generator writes; from a checkout they are called source."""
    import ade_generated

    code = Path(ade_generated.__file__).parent
    origin: Origin = "source" if (code.parent / "pyproject.toml").is_file() else "packaged"
    return SkillRoot(code / "skills", origin)


def _candidates(environ: Mapping[str, str], cwd: Path | None, home: Path) -> Iterator[SkillRoot]:
    if cwd is not None:
        yield from _near(cwd, home)
    yield from _of(home, "home")
    for folder in named_roots(environ):
        yield SkillRoot(folder, "named")
    yield packaged()


def _near(cwd: Path, home: Path) -> Iterator[SkillRoot]:
    upwards = (cwd, *cwd.parents)
    repositories = [folder for folder in upwards if (folder / ".git").exists()]
    lane = repositories[0] if repositories else cwd
    outermost = repositories[-1] if repositories else cwd
    last = home if home in upwards else outermost
    inside = True
    for folder in upwards:
        if folder != home:
            yield from _of(folder, "lane" if inside else "ancestor")
        inside = inside and folder != lane
        if folder == last:
            return


def _of(folder: Path, origin: Origin) -> Iterator[SkillRoot]:
    return (SkillRoot(folder / kind, origin) for kind in KINDS)
