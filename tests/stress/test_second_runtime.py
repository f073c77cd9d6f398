"""D2 to the second."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.support.command import command

pytestmark = pytest.mark.stress


def test_d2_a_second_runtime_is_refused_within_two_seconds(tmp_path: Path) -> None:
    with command(tmp_path) as ade:
        first = ade.json("serve")
        for line in (["serve", "--foreground"], ["serve"]):
            began = time.monotonic()
            error = ade.error(*line, exit_code=5)
            assert time.monotonic() - began <= 2
            assert error["details"] == first
        assert ade.json("runtime", "info")["pid"] == first["pid"]
