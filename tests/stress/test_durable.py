"""D9 in full: a hundred writing calls under strace."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import command
from tests.support.strace import answers_before_their_sync

pytestmark = [pytest.mark.stress, pytest.mark.timeout(300)]
CALLS = 100


def test_d9_every_answer_to_a_write_follows_its_sync(tmp_path: Path) -> None:
    with command(tmp_path) as ade:
        assert answers_before_their_sync(ade, tmp_path / "trace", CALLS) == (CALLS, [])
