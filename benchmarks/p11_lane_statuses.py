"""P11: ``lane.list`` with 200 lanes, statuses included, against 200 times ``git status`` in turn.

In every tenth lane a file is new, as where agents are at work in some of many lanes. With more of them git has to be
asked more often; a second row, without a goal, tells how it is when every second lane has one.
"""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from benchmarks.measure import Row, Side, Size, alternate, process
from benchmarks.place import ADE, Place, place, words

LANES = 200
FILES = 300
LIST = ("lanes", "list", "--status", "--limit", "1000")


def measure(size: Size) -> list[Row]:
    count = size.of(LANES, 10)
    with place(FILES) as here:
        paths = [Path(here.ade("lanes", "create", f"lane-{number}")["path"]) for number in range(count)]
        return [
            compare(here, paths, every=10, goal=0.3, rounds=size.of(7, 1)),
            compare(here, paths, every=2, goal=None, rounds=size.of(5, 1)),
        ]


def compare(here: Place, paths: list[Path], *, every: int, goal: float | None, rounds: int) -> Row:
    for path in paths[::every]:
        (path / "new.txt").write_text("new\n")
    check(here, len(paths), dirty=len(paths[::every]))
    ours = process(words([ADE, *LIST, "--json"]), cwd=here.project, env=here.env)
    listed, one_by_one = alternate([ours, statuses(here, paths)], rounds)
    what = f"lane.list, {len(paths)} lanes, statuses, one in {every} dirty"
    return Row("P11", what, listed, f"{len(paths)} × git status", one_by_one, goal)


def check(here: Place, count: int, *, dirty: int) -> None:
    """What is measured must be the right answer."""
    items = here.ade(*LIST)["items"]
    found = sum(item["status"] is not None and item["status"]["dirty"] for item in items)
    if len(items) != count + 1 or found != dirty:
        raise RuntimeError(f"{len(items)} lanes, {found} of them dirty")


def statuses(here: Place, paths: list[Path]) -> Side:
    argv = ["git", "status", "--porcelain=v2", "--branch"]

    def side() -> float:
        began = time.perf_counter()
        for path in paths:
            subprocess.run(argv, cwd=path, env=here.env, capture_output=True)
        return time.perf_counter() - began

    return side
