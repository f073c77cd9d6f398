"""Questions to the user: the first answer counts, a wait may be taken up again, and a chat hears of a late answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.chat import store as chats
from ade_runtime.client.in_process import Runtime
from ade_runtime.contracts import AdeError
from ade_runtime.tooling.toolbox import Toolbox
from tests.support.repo import Repo
from tests.support.sample import IDENTITY, git_environment

PARTS = [
    {"id": "db", "text": "Which?", "free": False, "choices": [{"label": "SQLite"}, {"label": "PostgreSQL"}]},
    {"id": "why", "text": "Why?"},
]


class Desk:
    def __init__(self, runtime: Runtime, project: Path, chat: str) -> None:
        self.runtime, self.project, self.chat = runtime, project, chat

    async def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        return await self.runtime.call(name, arguments, project=self.project)

    async def asked(self) -> dict[str, Any]:
        """The one question that waits, once there is one."""
        async with asyncio.timeout(60):
            while not (found := (await self.call("user.pending"))["items"]):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        (question,) = found
        return dict(question)

    async def waiting(self) -> list[str]:
        """What is to be said to the chat."""
        found = await self.runtime.services.database.read(lambda db: chats.queued(db, self.chat))
        return [message.text for message in found]


@pytest.fixture
async def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Desk]:
    env = git_environment(tmp_path / "user")
    for name in ("HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"):
        monkeypatch.setenv(name, env[name])
    repo = Repo(tmp_path, env=env | IDENTITY)
    repo.commit("One", **{"a.txt": "a\n"})
    async with Runtime.open(tmp_path / "home") as runtime:
        await runtime.call("project.add", {"path": str(repo.root)})
        chat = await runtime.call("chat.create", {"title": "Work"}, project=repo.root)
        yield Desk(runtime, repo.root, chat["session"])


async def test_an_answer_ends_the_wait_with_all_that_was_asked(desk: Desk) -> None:
    asking = asyncio.create_task(desk.call("user.ask", title="Database", parts=PARTS, wait=60))
    question = await desk.asked()
    answers = [{"id": "db", "values": ["SQLite"]}, {"id": "why", "values": ["It is here."]}]
    await desk.call("user.respond", question=question["id"], answers=answers)
    assert (await asking)["answers"] == answers
    assert (await desk.call("user.pending"))["total"] == 0


async def test_of_many_answers_at_once_one_counts_and_the_others_are_told(desk: Desk) -> None:
    question = (await desk.call("user.ask", title="Name?", wait=0))["id"]
    found = await asyncio.gather(
        *(desk.call("user.respond", question=question, answer=str(n)) for n in range(10)),
        return_exceptions=True,
    )
    kept = [one["answers"][0]["values"][0] for one in found if isinstance(one, dict)]
    refused = [one.code for one in found if isinstance(one, AdeError)]
    assert len(kept) == 1
    assert refused == ["question_settled"] * 9
    again = await desk.call("user.respond", question=question, answer=kept[0])
    assert again["state"] == "answered"


@pytest.mark.parametrize(
    "answers",
    [
        [{"id": "db", "values": ["Oracle"]}, {"id": "why", "values": ["x"]}],
        [{"id": "db", "values": ["SQLite", "PostgreSQL"]}, {"id": "why", "values": ["x"]}],
        [{"id": "db", "values": ["SQLite"]}],
        [{"id": "no", "values": ["SQLite"]}],
    ],
)
async def test_an_answer_that_does_not_fit_leaves_the_question(desk: Desk, answers: list[Any]) -> None:
    question = (await desk.call("user.ask", title="Database", parts=PARTS, wait=0))["id"]
    with pytest.raises(AdeError) as caught:
        await desk.call("user.respond", question=question, answers=answers)
    assert caught.value.code == "wrong_answer"
    assert (await desk.asked())["state"] == "pending"


async def test_fault_24_a_wait_ends_by_itself_and_the_question_stays_answerable(desk: Desk) -> None:
    toolbox = Toolbox(desk.runtime.services, desk.chat)
    asked = await toolbox.call("ask_user", {"title": "Which?", "wait": 0})
    assert asked.structured is not None
    assert asked.structured["state"] == "pending"
    question = asked.structured["id"]
    on = asyncio.create_task(toolbox.call("wait_for_answer", {"question": question, "seconds": 60}))
    await asyncio.sleep(0)
    await desk.call("user.respond", question=question, answer="This one.")
    answered = (await on).structured
    assert answered is not None
    assert answered["answers"] == [{"id": "answer", "values": ["This one."]}]


async def test_a_chat_that_waits_no_more_is_told_the_answer(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ade_runtime.questions.service.GRACE", timedelta(0))
    toolbox = Toolbox(desk.runtime.services, desk.chat)
    asked = await toolbox.call("ask_user", {"title": "Which?", "wait": 0})
    assert asked.structured is not None
    await desk.call("user.respond", question=asked.structured["id"], answer="This one.")
    (told,) = await desk.waiting()
    assert "Which?" in told
    assert "This one." in told


async def test_a_session_does_not_answer_what_it_asked(desk: Desk) -> None:
    toolbox = Toolbox(desk.runtime.services, desk.chat)
    asked = await toolbox.call("ask_user", {"title": "May I?", "wait": 0})
    assert asked.structured is not None
    answer = await toolbox.call("respond_to_question", {"question": asked.structured["id"], "answer": "Yes"})
    assert '"policy_denied"' in answer.text


async def test_an_agent_in_a_loop_is_stopped_at_its_own_limit_and_the_machine_has_one_too(desk: Desk) -> None:
    boxes = [Toolbox(desk.runtime.services, desk.chat)]
    for number in range(3):
        chat = await desk.call("chat.create", title=f"Other {number}")
        boxes.append(Toolbox(desk.runtime.services, chat["session"]))
    codes = []
    for box in boxes:
        found = [await box.call("ask_user", {"title": f"Question {n}", "wait": 0}) for n in range(7)]
        codes.append(["rate_limited" in one.text for one in found])
    assert codes[:3] == [[False] * 6 + [True]] * 3
    assert codes[3] == [False] * 2 + [True] * 5


async def test_a_repeated_request_asks_once(desk: Desk) -> None:
    first = await desk.runtime.call("user.ask", {"title": "Once?", "wait": 0}, request_id="r1")
    again = await desk.runtime.call("user.ask", {"title": "Once?", "wait": 0}, request_id="r1")
    assert first["id"] == again["id"]
    assert (await desk.call("user.pending"))["total"] == 1
