"""P1: ``ade lanes list --json`` with a warm runtime, as a whole process, against ``python -c pass`` and ``gh
--version``."""

from __future__ import annotations

import sys

from benchmarks.measure import Row, Size, alternate, process
from benchmarks.peers.gh import find_gh
from benchmarks.place import ADE, place, words

WHAT = "ade lanes list --json, runtime warm"


def measure(size: Size) -> list[Row]:
    with place(files=5) as here:
        for name in ("one", "two", "three"):
            here.ade("lanes", "create", name)
        gh = find_gh()
        ours = process(words([ADE, "lanes", "list", "--json"]), cwd=here.project, env=here.env)
        bare = process([sys.executable, "-c", "pass"], cwd=here.project, env=here.env)
        sides = [ours, bare]
        if gh is not None:
            sides.append(process([str(gh), "--version"], cwd=here.project, env=here.env))
        times = alternate(sides, rounds=size.of(60, 3), warm_up=3)
    rows = [Row("P1", WHAT, times[0], "python -c pass", times[1], 2.5)]
    if gh is None:
        return [
            *rows,
            Row(
                "P1",
                WHAT,
                times[0],
                "gh --version",
                None,
                1.0,
                "gh is not installed and could not be fetched",
            ),
        ]
    return [*rows, Row("P1", WHAT, times[0], "gh --version", times[2], 1.0)]
