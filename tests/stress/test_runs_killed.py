"""A runtime killed at any moment of a run: no second agent, and each told everything once and in order."""

from __future__ import annotations

import os
import random
import sqlite3
import time
from pathlib import Path

import pytest

from ade_runtime.client import starts
from tests.integration.runs.test_at_work import Run
from tests.support import acp_program
from tests.support.command import command

pytestmark = [pytest.mark.stress, pytest.mark.timeout(3600)]
ROUNDS = int(os.environ.get("ADE_TEST_KILLS", "100"))


def test_acceptance_2_agents_are_started_once_and_told_once(tmp_path: Path) -> None:
    dice = random.Random(11)
    with command(tmp_path) as ade:
        folder = acp_program.install(tmp_path / "programs", "toolless", "gemini")
        ade.env["PATH"] = f"{folder}:{ade.env['PATH']}"
        run = Run(ade, ade.make_project(tmp_path / "project"))
        run.approve()
        promised: dict[str, list[str]] = {}
        for number in range(ROUNDS):
            key = f"agent {number // 10}"
            agent = run.spawn(key=key, tag=key)["session"]
            texts = [f"{number}.{place}" for place in range(3)]
            for text in texts:
                run.act("message_agent", to=agent, text=text, key=text)
            promised.setdefault(agent, []).extend(texts)
            time.sleep(dice.uniform(0, 0.5))
            ade.kill()
            starts.clear(str(ade.home))  # so many kills in a row would be taken for a crash loop
            assert run.spawn(key=key, tag=key)["session"] == agent
            for text in texts:
                assert run.act("message_agent", to=agent, text=text, key=text)["deduped"]
        run.until(lambda: all(one["waiting"] == 0 for one in run.act("agents")["items"]))
        with sqlite3.connect(f"file:{ade.paths.database}?mode=ro", uri=True) as db:
            for agent, texts in promised.items():
                query = "SELECT text FROM chat_messages WHERE session_id = ? ORDER BY place"
                told = [row[0] for row in db.execute(query, (agent,))]
                assert "Store passkeys." in told[0]
                assert [text.split("\n\n")[1] for text in told[1:]] == texts
