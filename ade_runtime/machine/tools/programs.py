"""Where a program's file is. Only executable files count: a shell's word for it (a keyword, a function) is no program."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

FoundBy = Literal["path", "login_shell", "alias", "known_folder"]
OTHERS = 20
"""Most further files that are told of one tool."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One executable file and how it was found."""

    path: Path
    found_by: FoundBy


def is_program(path: Path) -> bool:
    """Whether there is a file that may be executed."""
    try:
        return path.is_file() and os.access(path, os.X_OK)
    except (OSError, ValueError):
        return False


def path_folders(path: str) -> tuple[Path, ...]:
    """The folders of a PATH in its order. Relative ones are left out: they mean another folder in each place."""
    return tuple(dict.fromkeys(Path(folder) for folder in path.split(":") if folder.startswith("/")))


def in_folders(programs: Sequence[str], folders: Iterable[Path], found_by: FoundBy) -> Iterator[Candidate]:
    """Every file with one of these names, folder by folder."""
    for folder in folders:
        for program in programs:
            if is_program(folder / program):
                yield Candidate(folder / program, found_by)


def from_aliases(
    programs: Sequence[str], aliases: Mapping[str, str], home: Path, folders: Iterable[Path]
) -> Iterator[Candidate]:
    """The files that the user's aliases of these names run.

    An alias that runs something of another name (``npx …``, a wrapper) is not followed: its version would be the wrong one.
    """
    for program in programs:
        word = _first_word(aliases.get(program, ""))
        if not word or Path(word).name not in programs:
            continue
        if word.startswith("~/"):
            word = str(home / word[2:])
        elif "/" not in word:
            yield from in_folders([word], folders, "alias")
            continue
        if word.startswith("/") and is_program(Path(word)):
            yield Candidate(Path(word), "alias")


def expand(folders: Iterable[str], home: Path) -> tuple[Path, ...]:
    """Known folders as they are here: ``~`` replaced, a part called ``*`` by every folder there is, newest name first."""
    found: list[Path] = []
    for folder in folders:
        text = str(home) + folder[1:] if folder.startswith("~") else folder
        before, star, after = text.partition("/*/")
        if not star:
            found.append(Path(text))
            continue
        try:
            names = sorted(os.listdir(before), reverse=True)  # noqa: PTH208
        except OSError:
            continue
        found += [Path(before, name, after) for name in names]
    return tuple(dict.fromkeys(found))


def distinct(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The candidates in order, each file once however many names lead to it."""
    seen: set[str] = set()
    kept = []
    for candidate in candidates:
        real = os.path.realpath(candidate.path)
        if real not in seen:
            seen.add(real)
            kept.append(candidate)
        if len(kept) > OTHERS:
            break
    return kept


def _first_word(text: str) -> str:
    """The program an alias runs: its first word that sets no variable."""
    try:
        words = shlex.split(text)
    except ValueError:
        return ""
    for word in words:
        name, equals, _ = word.partition("=")
        if not (equals and name.isidentifier()):
            return word
    return ""
