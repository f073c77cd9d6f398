"""The skills of all roots, and which one of several with the same name an agent gets."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from ade_runtime.machine.beneath import NotBeneathError, read_beneath
from ade_runtime.machine.skill_roots import SKILL_FILE, SkillRoot, skill_files
from ade_runtime.skills.front_matter import LONGEST_HEAD, Head, read_head

State = Literal["ok", "shadowed", "faulty"]


@dataclass(frozen=True, slots=True)
class Skill:
    """``folder`` is where it lies, ``name`` what its head says, else the folder's name. ``shadowed_by`` is the file of the
    nearer one with that name.
    """

    name: str
    folder: Path
    root: SkillRoot
    head: Head
    state: State
    shadowed_by: Path | None = None

    @property
    def file(self) -> Path:
        return self.folder / SKILL_FILE


def find_skills(roots: Sequence[SkillRoot]) -> list[Skill]:
    """Every skill of the roots, the nearest root first, by name in each. One whose head is faulty hides no other."""
    found: list[Skill] = []
    nearest: dict[str, Path] = {}
    seen: set[str] = set()
    for root in roots:
        for file in skill_files(root.path):
            skill = _look(root, file.parent, roots)
            real = os.path.realpath(file)
            if real in seen:
                continue
            seen.add(real)
            if skill.state == "ok":
                first = nearest.setdefault(skill.name, file)
                if first != file:
                    skill = replace(skill, state="shadowed", shadowed_by=first)
            found.append(skill)
    return found


def place_of(root: SkillRoot, folder: Path, roots: Sequence[SkillRoot]) -> tuple[Path, str]:
    """The real folder that nothing of a skill may lead out of, and the skill's own folder relative to it.

    That is the root which really holds the skill. The user may have linked a skill from anywhere into a root of their own;
    then it is the skill's folder itself. Raises :class:`NotBeneathError` for such a link in a project.
    """
    real = Path(os.path.realpath(folder))
    for holder in (Path(os.path.realpath(one.path)) for one in roots):
        if real.is_relative_to(holder):
            return holder, str(real.relative_to(holder))
    if not root.trusted:
        raise NotBeneathError("leads out of its folder")
    return real, "."


def _look(root: SkillRoot, folder: Path, roots: Sequence[SkillRoot]) -> Skill:
    try:
        place, inside = place_of(root, folder, roots)
        data, _ = read_beneath(place, f"{inside}/{SKILL_FILE}", LONGEST_HEAD + 64)
        head = read_head(data, folder.name)
    except NotBeneathError as problem:
        head = Head(problems=(f"{SKILL_FILE} {problem.reason}",))
    name = head.name if head.name and not head.problems else folder.name
    return Skill(name, folder, root, head, "faulty" if head.problems else "ok")
