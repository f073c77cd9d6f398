"""Built samples, kept in memory: what many examples begin with is built once a process, and then put back where it stood.

A sample is kept with all that it consists of: the files below its folder (project, remote, user's home and ADE_HOME with its
database), what its steps have saved, and what stand-ins know. It is always put back at the same path, so that nothing in it has
to be changed: not what git notes about worktrees, nor a path in the database.

What cannot be kept that way is not kept: a sample of which a process lives, or which ADE changes when it is closed. And
nothing is kept for longer than :data:`KEPT_SECONDS`, so that what is due later or ends by itself is as far off as it was.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.support.sample import Sample, git_environment
from tests.support.stand_ins import known_by, tell
from tests.support.tree import Tree, Unkeepable
from tests.support.ways import InProcess

PLACE = "kept"
"""The one folder that every kept sample stands in."""
KEPT_SECONDS = 30.0
KEPT_SAMPLES = 4
"""How many are kept at once; examples of one sample run one after another."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A sample that stands nowhere. ``known`` is what stand-ins know, by name."""

    tree: Tree
    saved: Mapping[str, str]
    commits: int
    known: Mapping[str, Any]
    at: float

    @property
    def is_fresh(self) -> bool:
        return time.monotonic() - self.at < KEPT_SECONDS


class Samples:
    """The samples of one process below ``root``, one at a time. ``fixtures`` are the steps, by name."""

    def __init__(self, root: Path, fixtures: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        self._root = root
        self._fixtures = fixtures
        self._kept: dict[tuple[str, ...], Kept] = {}
        self._unkeepable: set[tuple[str, ...]] = set()
        self._numbers = count(1)

    @asynccontextmanager
    async def standing(
        self, given: Sequence[str], *, kept: bool = True
    ) -> AsyncIterator[tuple[Sample, bool]]:
        """The built sample where it can be ``kept``, else an empty one, and whether it is built. This process is its user's.

        The sample of a test that fails is left for whoever looks into it.
        """
        found = await self.kept(given) if kept else None
        base = self._root / (PLACE if found else f"built-{next(self._numbers)}")
        with self._empty(base, found.tree if found else None) as sample:
            if found:
                sample.saved |= found.saved
                sample.commits = found.commits
                for name, known in found.known.items():
                    tell(name, sample.stand_in(name), known)
            try:
                yield sample, found is not None
            except BaseException:
                base.rename(self._root / f"failed-{next(self._numbers)}")
                raise
        shutil.rmtree(base, ignore_errors=found is None)

    async def kept(self, given: Sequence[str]) -> Kept | None:
        """What such a sample consists of, ``None`` where it cannot be kept (or has nothing to keep)."""
        names = tuple(given)
        if not names or names in self._unkeepable:
            return None
        found = self._kept.pop(names, None)
        if found is None or not found.is_fresh:
            found = await self._build(names)
        if found is None:
            self._unkeepable.add(names)
            return None
        self._kept[names] = found
        if len(self._kept) > KEPT_SAMPLES:
            del self._kept[next(iter(self._kept))]
        return found

    async def _build(self, names: tuple[str, ...]) -> Kept | None:
        base = self._root / PLACE
        home, begun = base / "ade-home", time.monotonic()
        try:
            with self._empty(base) as sample:
                async with InProcess(home, sample.project, sample.env) as way:
                    await sample.build(names, way.call)
                    lives, before = has_processes(base), contents(home)
                known = {name: known_by(name, server) for name, server in sample.stand_ins.items()}
            if lives or contents(home) != before:
                return None
            return Kept(Tree.read(base), dict(sample.saved), sample.commits, known, begun)
        except Unkeepable:
            return None
        finally:
            shutil.rmtree(base)

    @contextmanager
    def _empty(self, base: Path, tree: Tree | None = None) -> Iterator[Sample]:
        """A sample at ``base`` with the files of ``tree``, whose user runs this process; its stand-ins end with it."""
        base.mkdir()
        if tree is None:
            (base / "project").mkdir()
        else:
            tree.put(base)
        env = git_environment(base / "user")
        with pytest.MonkeyPatch.context() as patch:
            for name in ("HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"):
                patch.setenv(name, env[name])
            sample = Sample(base, env, self._fixtures)
            with sample.stack:
                yield sample


def has_processes(base: Path) -> bool:
    """Whether a process other than this one has to do with a folder: is in it, or was given its name."""
    word = str(base)
    for process in psutil.process_iter():
        if process.pid == os.getpid():
            continue
        with suppress(psutil.Error, OSError):
            told = [process.cwd(), *process.cmdline(), *process.environ().values()]
            if any(word in text for text in told):
                return True
    return False


def contents(home: Path) -> list[str]:
    """All that the database of an ADE_HOME says; nothing where there is none."""
    path = home / "state.db"
    if not path.exists():
        return []
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        return list(connection.iterdump())
