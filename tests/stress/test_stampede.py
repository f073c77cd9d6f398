"""Fifty commands at once, twenty times over, in each of the scenes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.stampede import SCENES

pytestmark = [pytest.mark.stress, pytest.mark.timeout(600)]
ROUNDS = 20


@pytest.mark.parametrize("scene", SCENES)
def test_fifty_commands_at_once(scene: Callable[[Path], None], tmp_path: Path) -> None:
    for number in range(ROUNDS):
        base = tmp_path / str(number)
        base.mkdir()
        scene(base)
