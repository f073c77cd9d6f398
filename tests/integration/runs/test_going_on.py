"""Agents of a run whose runtime was killed during their turn go on by themselves, and are told of each such turn once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ade_runtime.client import starts
from tests.integration.runs.test_at_work import Run
from tests.support import acp_program
from tests.support.command import command

pytestmark = pytest.mark.timeout(240)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with command(tmp_path) as ade:
        folder = acp_program.install(tmp_path / "programs", "echoes", "gemini")
        ade.env["PATH"] = f"{folder}:{ade.env['PATH']}"
        made = Run(ade, ade.make_project(tmp_path / "project"))
        made.approve()
        yield made


def test_who_was_broken_off_goes_on_and_is_told_so_once(run: Run) -> None:
    agent = run.spawn()["session"]
    lead = run.act("lead", provider="gemini")["lead"]
    run.act("message_agent", to=agent, text="Hold on.")
    run.until(lambda: len(transcript(run, agent, "thinking")) == 2)
    run.until(lambda: run.ask("chats", "show", lead)["state"] == "idle")
    for _ in range(2):  # the second time nothing runs any more
        run.ade.kill()
        starts.clear(str(run.ade.home))
        run.until(lambda: "ADE was ended during your turn 2" in transcript(run, agent)[-1])
        run.until(lambda: run.ask("chats", "show", agent)["state"] == "idle")
    told = run.said(agent)
    assert len(told) == 3
    assert told[2].startswith("(ADE was ended during your turn 2")
    assert "(The lead says.)" in transcript(run, agent)[-1]
    assert not [text for text in transcript(run, lead, "user") if "ADE was ended" in text]


def transcript(run: Run, session: str, kind: str = "assistant") -> list[str]:
    """What an agent has said, or what else of that kind there is; always something."""
    found = run.ask("chats", "transcript", session)["items"]
    return [one["text"] for one in found if one["kind"] == kind] or [""]
