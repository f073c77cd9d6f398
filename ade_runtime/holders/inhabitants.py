"""What ADE keeps running for a lane, wherever its programs have gone to since."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import psutil

from ade_runtime.holding import tree
from ade_runtime.lanes.processes import Inhabitant

if TYPE_CHECKING:
    from ade_runtime.holders.records import Seen
    from ade_runtime.holders.service import Holders


async def held_in(holders: Holders, lane_id: str) -> list[Inhabitant]:
    """The programs of terminals, processes and test runs that were started in the lane and run."""
    records = await holders.all(lane=lane_id, ended=False)
    seen = await holders.see(records)
    return await asyncio.to_thread(_programs, list(seen.values()))


def _programs(seen: list[Seen]) -> list[Inhabitant]:
    pids: set[int] = set()
    for one in seen:
        if one.holder is not None:
            pids |= {pid for pid, _ in tree.below(int(one.holder.partition(":")[0]))}
        if one.pid is not None:
            pids.add(one.pid)
    found = []
    for pid in sorted(pids):
        try:
            process = psutil.Process(pid)
            found.append(Inhabitant(pid, process.name(), process.cwd()))
        except (psutil.Error, OSError):
            continue
    return found
