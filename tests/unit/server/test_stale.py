"""A runtime that has served nobody yet makes room for newer code without loading any of it."""

from __future__ import annotations

from pathlib import Path

from ade_runtime.client.build import stamp
from ade_runtime.machine.paths import Paths
from ade_runtime.server.ownership import Ownership
from ade_runtime.server.server import Server
from ade_runtime.services import Services, Settings


async def test_asking_whether_code_is_stale_loads_none(tmp_path: Path) -> None:
    paths = Paths.of_home(tmp_path / "home")
    ownership = Ownership.acquire(paths)
    try:
        services = Services(paths, Settings(listening=True))
        server = Server(services, ownership)
        newest, count, size = stamp()
        assert not server.builds.outdated({"build": [newest, count, size]})
        assert server.builds.outdated({"build": [newest + 1, count, size]})
        assert "pipeline" not in vars(services)
    finally:
        ownership.release()
