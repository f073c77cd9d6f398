"""Who is shown the tools that lead other agents, and that nobody else can call them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from ade_generated.dispatch import ACTIONS
from ade_generated.roles import TOOLSETS
from ade_runtime.chat import store
from ade_runtime.chat.usage import add
from ade_runtime.contracts import AdeError
from ade_runtime.tooling.toolbox import Toolbox
from tests.support.repo import Repo
from tests.support.work import Work, opened

LEADING = {entry.id for entry in ACTIONS.values() if TOOLSETS[entry.toolset].server == "ade_cto"}


@pytest.fixture
async def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Work]:
    async with opened(tmp_path, monkeypatch) as made:
        made.main.commit("First", **{"README.md": "# Sample\n"})
        yield made


async def chat(work: Work, role: str) -> str:
    made = await work.runtime.call(
        "chat.create", {"role": role}, cwd=work.main.root, env=work.main.env, role=role
    )
    session: str = made["session"]
    return session


async def tools(work: Work, session: str, role: str) -> dict[str, dict[str, Any]]:
    """What ``ade chat tools --session S`` shows, by action."""
    shown = await work.runtime.call("chat.tools", {"session": session}, cwd=work.main.root, role=role)
    return {tool["action"]: tool for tool in shown["items"]}


async def test_the_cto_has_its_tools_and_a_worker_has_none_of_them(work: Work) -> None:
    leader = await tools(work, await chat(work, "cto"), "cto")
    worker = await tools(work, await chat(work, "agent"), "agent")
    assert set(leader) >= LEADING and {leader[action]["server"] for action in LEADING} == {"ade_cto"}
    assert not set(worker) & LEADING and {tool["server"] for tool in worker.values()} == {"ade"}
    for action in ("chat.create", "chat.send", "chat.approve", "chat.end", "cto_memory.save"):
        assert action in LEADING


async def test_for_a_worker_they_do_not_exist_whatever_it_calls_them(work: Work) -> None:
    toolbox = Toolbox(work.runtime.services, await chat(work, "agent"), cwd=str(work.main.root))
    for action in sorted(LEADING):
        for name, arguments in (
            (ACTIONS[action].tool, {}),
            (action, {}),
            ("actions_run", {"action": action, "arguments": {}}),
        ):
            result = await toolbox.call(name, arguments)
            assert json.loads(result.text)["error"]["code"] == "unknown_action", name
    found = json.loads(
        (await toolbox.call("actions_search", {"words": "make a managed chat with an agent program"})).text
    )
    assert not {item["id"] for item in found["items"]} & LEADING


async def test_the_owner_has_them_in_person_but_gives_nobody_more_than_the_role_asked_for(work: Work) -> None:
    session = await chat(work, "agent")
    assert (await work.call("chat.pause", session=session))["state"] == "paused"
    for role in ("external", "evaluator"):
        with pytest.raises(AdeError) as caught:
            await work.runtime.call("chat.pause", {"session": session}, cwd=work.main.root, role=role)
        assert caught.value.code == "unknown_action"
    assert (await work.refused("chat.create", role="cto")).code == "policy_denied"


async def test_what_chats_used_is_summed_up_and_the_standing_names_who_wants_something(work: Work) -> None:
    first, second = await chat(work, "agent"), await chat(work, "agent")
    service = work.runtime.services.chats
    for session, *used in ((first, 10, 5, 0.25), (second, 100, 50, None), (second, 1, 1, None)):
        await service.note_usage(session, 1, *used)
    await service.set(second, state="failed", problem="It crashed.")
    told = await work.call("cto.usage")
    assert [(one["session"], one["turns"], one["tokens_in"], one["cost_usd"]) for one in told["items"]] == [
        (second, 2, 101, None),
        (first, 1, 10, 0.25),
    ]
    assert (told["tokens_in"], told["tokens_out"], told["cost_usd"]) == (111, 56, 0.25)
    assert (await work.call("cto.usage", limit=1))["next"] == second
    words = (await work.call("chat.transcript", session=first))["items"][0]
    assert (words["kind"], words["text"]) == ("usage", "10 tokens in, 5 out, 0.2500 USD")
    stands = await work.call("cto.state")
    assert stands["chats"] == [{"state": "failed", "count": 1}, {"state": "idle", "count": 1}]
    (wanting,) = stands["attention"]
    assert (wanting["session"], wanting["problem"]) == (second, "It crashed.")


async def test_use_is_counted_from_a_day_on_and_not_for_other_projects(work: Work) -> None:
    session, services = await chat(work, "agent"), work.runtime.services
    await services.chats.note_usage(session, 1, 2**40, 7, None)

    def older(db: Connection) -> None:
        entry = store.append(db, session, 1, "usage", "x", services.clock.now() - timedelta(days=3))
        add(db, session, entry, 1000, 100, 0.1)

    await services.database.write(older)
    assert (await work.call("cto.usage"))["tokens_in"] == 2**40 + 1000
    recent = await work.call("cto.usage", days=1)
    assert (recent["tokens_in"], recent["cost_usd"], recent["items"][0]["turns"]) == (2**40, None, 1)
    other = work.main.root.parent / "other"
    Repo(other.parent, "other")
    await work.call("project.add", path=str(other))
    elsewhere = await work.runtime.call("cto.usage", {}, cwd=other, env=work.main.env)
    assert (elsewhere["items"], elsewhere["tokens_in"], elsewhere["cost_usd"]) == ([], 0, None)


async def test_a_chat_that_is_over_asks_for_nothing_any_more(work: Work) -> None:
    session = await chat(work, "agent")
    call = work.runtime.call
    await call("chat.ask", {"summary": "Delete it", "session": session}, cwd=work.main.root)
    assert (await call("chat.approvals", {}, cwd=work.main.root))["total"] == 1
    await call("chat.end", {"session": session}, cwd=work.main.root, role="cto")
    assert (await call("chat.approvals", {}, cwd=work.main.root))["total"] == 0
    put_away = await call("chat.archive", {"session": session}, cwd=work.main.root, role="cto")
    assert "archive" not in put_away["next"]


async def test_the_owner_is_told_how_to_act_in_a_higher_role(work: Work) -> None:
    for action, given in (("chat.create", {"role": "cto"}), ("chat.preview_prompt", {"role": "cto"})):
        with pytest.raises(AdeError) as caught:
            await work.runtime.call(action, given, cwd=work.main.root, role="agent")
        assert caught.value.code == "policy_denied"
        assert "--role cto" in str(caught.value.hint)
