"""The files of one skill, read in parts."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from ade_runtime.machine.beneath import NotBeneathError, open_beneath
from ade_runtime.machine.skill_roots import SkillRoot
from ade_runtime.skills.catalog import Skill, place_of

MOST_FILES = 200
MOST_FOLDERS = 1000


@dataclass(frozen=True, slots=True)
class Part:
    """``following`` is the offset of what comes after the part, in bytes; ``None`` at the end."""

    text: str
    size: int
    following: int | None


def read_part(skill: Skill, roots: Sequence[SkillRoot], file: str, offset: int, most: int) -> Part:
    """At most ``most`` bytes of a file of the skill, ending with a whole character. Raises :class:`NotBeneathError`."""
    if file.startswith("/") or ".." in file.split("/"):
        raise NotBeneathError("leads out of the skill")
    place, inside = place_of(skill.root, skill.folder, roots)
    descriptor = open_beneath(place, f"{inside}/{file}")
    try:
        size = os.fstat(descriptor).st_size
        data = os.pread(descriptor, most, offset)
    finally:
        os.close(descriptor)
    data = whole_characters(data, last=offset + len(data) >= size)
    end = offset + len(data)
    return Part(data.decode("utf-8", "replace"), size, end if data and end < size else None)


def files_of(skill: Skill, roots: Sequence[SkillRoot]) -> list[str]:
    """Files below the skill's folder, relative to it, sorted; at most ``MOST_FILES``. Links to folders are not followed."""
    place, inside = place_of(skill.root, skill.folder, roots)
    top = os.fsencode(place / inside)
    found: list[str] = []
    for count, (folder, folders, names) in enumerate(os.walk(top)):
        folders.sort()
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), top)  # noqa: PTH118 - bytes
            found.append(path.decode("utf-8", "replace"))
        if len(found) >= MOST_FILES or count >= MOST_FOLDERS:
            break
    return sorted(found)[:MOST_FILES]


def whole_characters(data: bytes, *, last: bool) -> bytes:
    """``data`` without a character of UTF-8 that only begins at its end, unless it is the ``last`` part or nothing else."""
    return data if last else data[: len(data) - _begun(data)] or data


def _begun(data: bytes) -> int:
    """Bytes at the end that begin a character of UTF-8 and do not finish it."""
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte & 0xC0 == 0x80:
            continue
        needed = 4 if byte >= 0xF0 else 3 if byte >= 0xE0 else 2 if byte >= 0xC0 else 1
        return back if needed > back else 0
    return 0
