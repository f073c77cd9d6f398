"""P11: ``lane.list`` with 200 lanes, statuses included, against 200 times ``git status`` in turn."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from benchmarks.measure import Row, Side, Size, alternate, process
from benchmarks.place import ADE, Place, place, words

LANES = 200
FILES = 300


def measure(size: Size) -> list[Row]:
    count = size.of(LANES, 6)
    with place(FILES) as here:
        paths = [Path(here.ade("lanes", "create", f"lane-{number}")["path"]) for number in range(count)]
        for path in paths[::2]:
            (path / "new.txt").write_text("new\n")
        argv = words([ADE, "lanes", "list", "--status", "--limit", "1000", "--json"])
        ours = process(argv, cwd=here.project, env=here.env)
        check(here, count)
        listed, one_by_one = alternate([ours, statuses(here, paths)], rounds=size.of(5, 1))
    return [
        Row(
            "P11",
            f"lane.list with {count} lanes and statuses",
            listed,
            f"{count} × git status",
            one_by_one,
            0.3,
        )
    ]


def check(here: Place, count: int) -> None:
    """What is measured must be the right answer."""
    items = here.ade("lanes", "list", "--status", "--limit", "1000")["items"]
    dirty = sum(item["status"] is not None and item["status"]["dirty"] for item in items)
    if len(items) != count + 1 or dirty != (count + 1) // 2:
        raise RuntimeError(f"{len(items)} lanes, {dirty} of them dirty")


def statuses(here: Place, paths: list[Path]) -> Side:
    def side() -> float:
        began = time.perf_counter()
        for path in paths:
            subprocess.run(
                ["git", "status", "--porcelain=v2", "--branch"], cwd=path, env=here.env, capture_output=True
            )
        return time.perf_counter() - began

    return side
