"""A managed chat that leads a run."""

from __future__ import annotations

from pathlib import Path

from ade_runtime.chat import prompt
from tests.integration.runs.conftest import House
from tests.integration.runs.staff import install
from tests.integration.runs.test_planning import refused


async def test_the_runs_session_becomes_a_chat_that_begins_with_the_goal(
    house: House, tmp_path: Path
) -> None:
    install(house, tmp_path / "programs")
    led = await house.call("lead", provider="gemini", model="flash")
    services = house.runtime.services
    chat = await services.chats.find(led["lead"])
    assert (chat.provider, chat.model, chat.permission_mode) == ("gemini", "flash", "default")
    entries, _ = await services.chats.entries(led["lead"], turn=None, after=None, limit=10)
    waiting = await house.call("chat.show", session=led["lead"])
    begun = " ".join(one.text for one in entries if one.text)
    assert waiting["queued"] == 1 or "Goal: " in begun
    shown = await prompt.system_prompt(services, chat)
    assert "run_lead" in [part.name for part in shown.parts] and shown.tokens <= prompt.BUDGET
    session = await services.sessions.find(led["lead"])
    assert (session.role, session.interaction_mode, session.run) == ("orchestrator", "lead", house.run)
    assert (await services.runs.manifest(house.run))["agents"][0]["sessionId"] == led["lead"]


async def test_a_run_is_led_by_one_chat(house: House, tmp_path: Path) -> None:
    install(house, tmp_path / "programs")
    led = await house.call("lead", provider="gemini")
    problem = await refused("run_led", house.call("lead", provider="gemini"))
    assert led["lead"] in problem.message


async def test_a_program_that_is_not_there_leaves_the_run_as_it_was(house: House, tmp_path: Path) -> None:
    house.monkeypatch.setenv("PATH", str(tmp_path))
    await refused("agent_program_missing", house.call("lead", provider="gemini"))
    await refused("chat_not_found", house.call("chat.show", session=(await house.call("show"))["lead"]))


async def test_only_who_may_lead_has_it_led(house: House) -> None:
    token = await house.join("worker")
    await refused("unknown_action", house.call("lead", token=token, provider="gemini"))
    await house.call("cancel")
    await refused("run_over", house.call("lead", provider="codex"))
