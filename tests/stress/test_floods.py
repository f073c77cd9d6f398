"""D14 and D16 in full, with their exact figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import command
from tests.support.floods import LIMIT, crowd, endless_line

pytestmark = [pytest.mark.stress, pytest.mark.timeout(300)]


def test_d14_a_gigabyte_without_a_newline(tmp_path: Path) -> None:
    with command(tmp_path) as ade:
        grown, times = endless_line(ade, 2**30)
        assert grown <= 2 * LIMIT
        assert times[int(len(times) * 0.99)] <= 0.050


def test_d16_a_thousand_connections_with_256_files(tmp_path: Path) -> None:
    with command(tmp_path) as ade:
        share, took, more = crowd(ade, clients=1000, files=256, seconds=5.0)
        assert share <= 0.10
        assert took <= 2.0
        assert more <= 2
