"""P10: ``lane.create`` on a repository with 50,000 files against ``git worktree add`` alone."""

from __future__ import annotations

import itertools
import subprocess

from benchmarks.measure import Row, Side, Size, alternate, process
from benchmarks.place import ADE, Place, place, words

FILES = 50_000


def measure(size: Size) -> list[Row]:
    files = size.of(FILES, 500)
    with place(files) as here:
        ours, bare = alternate([create_lane(here), add_worktree(here)], rounds=size.of(5, 1))
    return [Row("P10", f"lane.create, {files:,} files", ours, "git worktree add", bare, 1.2)]


def create_lane(here: Place) -> Side:
    """A whole ``ade lanes create``; the lane is deleted afterwards, outside the time taken."""
    numbers = itertools.count()

    def side() -> float:
        name = f"lane-{next(numbers)}"
        took = process(words([ADE, "lanes", "create", name, "--json"]), cwd=here.project, env=here.env)()
        here.ade("lanes", "delete", name)
        settle()
        return took

    return side


def add_worktree(here: Place) -> Side:
    numbers = itertools.count()

    def side() -> float:
        name = f"bare-{next(numbers)}"
        argv = ["git", "worktree", "add", "-q", "-b", name, f".ade/{name}", "main"]
        took = process(argv, cwd=here.project, env=here.env)()
        here.git("worktree", "remove", "--force", f".ade/{name}")
        here.git("branch", "-q", "-D", name)
        settle()
        return took

    return side


def settle() -> None:
    """Let what was written reach the disk, so that the next side does not wait for it."""
    subprocess.run(["sync"], check=False)
