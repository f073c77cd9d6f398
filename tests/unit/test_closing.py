"""What goes on in the background ends when it is told to, also where it is woken in the same moment."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from ade_runtime.machine.paths import Paths
from ade_runtime.services import Services, Settings


@pytest.mark.parametrize("turns", range(4))
async def test_deliveries_that_are_woken_and_told_to_end_at_once_end(tmp_path: Path, turns: int) -> None:
    services = Services(Paths.of_home(tmp_path / "home"), Settings(listening=True))
    services.paths.make_folders()
    services.deliveries.start()
    await asyncio.sleep(0.3)
    services.deliveries.wake()
    for _ in range(turns):
        await asyncio.sleep(0)
    await asyncio.wait_for(services.deliveries.close(), 10)
    await services.close()
