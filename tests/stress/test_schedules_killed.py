"""A runtime killed at any moment of firing keeps each promise exactly once."""

from __future__ import annotations

import os
import random
import sqlite3
import time
from pathlib import Path

import pytest

from ade_runtime.client import starts
from tests.support.command import command

pytestmark = [pytest.mark.stress, pytest.mark.timeout(1800)]
ROUNDS = int(os.environ.get("ADE_TEST_KILLS", "40"))
EACH = 5
"""Promises that fall due in each round, so that kills land between them, too."""


def test_each_promise_is_kept_exactly_once(tmp_path: Path) -> None:
    dice = random.Random(7)
    with command(tmp_path) as ade:
        project = ade.make_project(tmp_path / "project")
        promised = []
        for number in range(ROUNDS):
            chat = ade.json("chats", "create", cwd=project)["session"]
            ade.json("chats", "pause", chat, cwd=project)
            for place in range(EACH):
                text = f"promise {number}.{place}"
                ade.json("schedules", "create", text, "--session", chat, "--in", "1s", cwd=project)
                promised.append(text)
            time.sleep(dice.uniform(0, 1.2))
            ade.kill()
            starts.clear(str(ade.home))  # so many kills in a row would be taken for a crash loop
        ade.json("runtime", "info")
        kept = _wait_for(ade.paths.database, len(promised))
        assert sorted(kept) == sorted(promised)


def _wait_for(database: Path, count: int) -> list[str]:
    """What the chats were told, without what is said of its lateness."""
    end = time.monotonic() + 60
    while True:
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as db:
            found = [row[0].split("\n")[0] for row in db.execute("SELECT text FROM chat_messages")]
        if len(found) >= count or time.monotonic() > end:
            return found
        time.sleep(0.2)
