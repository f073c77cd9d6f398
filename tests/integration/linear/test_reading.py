"""What ``make test-live`` reads from the real Linear, read from the stand-in."""

from __future__ import annotations

from pathlib import Path

from ade_runtime.client.in_process import Runtime
from tests.support.linear.running import ade, linear
from tests.support.linear.server import LinearStandIn
from tests.support.live import read_issues, reads_of

__all__ = ["ade", "linear"]


async def test_all_that_only_reads_is_read(ade: Runtime, linear: LinearStandIn) -> None:
    assert await read_issues(ade, Path.cwd()) == reads_of("issue")
    assert linear.workspace.changes == 0
