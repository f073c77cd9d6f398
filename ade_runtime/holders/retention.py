"""Letting go of what has ended: after some days, and sooner where there is much of it."""

from __future__ import annotations

import asyncio
import logging
import shutil
import time
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from ade_runtime.holders.look import look

if TYPE_CHECKING:
    from ade_runtime.holders.records import HolderRecord, Kind
    from ade_runtime.holders.service import Holders

log = logging.getLogger("ade.holders")

KEPT_FOR = timedelta(days=7)
KEPT: Mapping[Kind, int] = {"terminal": 100, "process": 60, "test": 60}
"""Most records of each kind that a project keeps, whatever still runs not counted."""

STRAY_SECONDS = 600
"""A folder that no record names is left alone for so long: it may be that of one just being started."""


async def trim(holders: Holders, kind: Kind, project: str) -> None:
    """Forget the oldest ended records of a project where it has more than it keeps."""
    records = await holders.all(kind=kind, project=project)
    if len(records) > KEPT[kind]:
        await _forget(holders, records, KEPT[kind])


async def sweep(holders: Holders) -> None:
    """Forget what ended long ago, remove folders that nothing names, and tell in the log what was found running."""
    records = await holders.all()
    seen = await holders.see(records)
    oldest = holders.now() - KEPT_FOR
    old = [one for one in records if (ended := seen[one.id].ended_at) is not None and ended < oldest]
    old = [one for one in old if not seen[one.id].live and not seen[one.id].leftovers]
    if old:
        await holders.forget(old)
    await asyncio.to_thread(_remove_strays, holders.root, {one.id for one in records})
    running = sum(one.live for one in seen.values())
    orphans = [name for name, one in seen.items() if one.phase == "orphaned"]
    if running:
        log.info("found %d programs that go on running", running)
    if orphans:
        log.warning("%s run without their holders; closing or stopping them ends them", ", ".join(orphans))


async def _forget(holders: Holders, records: Sequence[HolderRecord], keep: int) -> None:
    seen = await holders.see(records)
    ended = [one for one in records if not seen[one.id].live and not seen[one.id].leftovers]
    if len(ended) > keep:
        await holders.forget(ended[keep:])


def _remove_strays(root: Path, known: set[str]) -> None:
    if not root.is_dir():
        return
    for folder in root.iterdir():
        try:
            old = time.time() - folder.stat().st_mtime > STRAY_SECONDS
        except OSError:
            continue
        if folder.name not in known and old and not look(folder).live:
            shutil.rmtree(folder, ignore_errors=True)
