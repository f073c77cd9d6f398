"""Many commands at once, a few rounds; ``make stress`` runs all twenty."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.stampede import SCENES

ROUNDS = 3


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("number", range(ROUNDS))
def test_fifty_commands_at_once(scene: Callable[[Path], None], number: int, tmp_path: Path) -> None:
    scene(tmp_path)
