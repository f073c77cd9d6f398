"""What a chat is told before its first message: all of it, nobody else's, and never more than an agent can be asked to pay."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from ade_generated.providers import PROVIDERS
from ade_runtime.chat import prompt
from ade_runtime.contracts import AdeError
from ade_runtime.memory.context import estimate_tokens
from ade_runtime.skills import section
from tests.support.repo import Repo
from tests.support.work import Work, opened


@pytest.fixture
async def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Work]:
    async with opened(tmp_path, monkeypatch) as made:
        made.main.commit("First", **{"README.md": "# Sample\n"})
        yield made


async def preview(work: Work, **arguments: Any) -> dict[str, Any]:
    shown = await work.call("chat.preview_prompt", **arguments)
    assert shown["text"] == "\n\n".join(part["text"] for part in shown["parts"])
    assert shown["tokens"] == estimate_tokens(shown["text"]) <= shown["budget"] == prompt.BUDGET
    return shown


def part(shown: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in shown["parts"] if one["name"] == name)
    return found


def skill(repo: Repo, name: str, description: str) -> None:
    file = repo.root / ".agents" / "skills" / name / "SKILL.md"
    file.parent.mkdir(parents=True)
    file.write_text(f"---\nname: {name}\ndescription: {description}\n---\nDo it.\n")


async def test_a_chat_is_told_the_same_whichever_program_it_is(work: Work) -> None:
    await work.lane("fix")
    texts = set()
    for provider in PROVIDERS:
        chat = await work.call("chat.create", lane="fix", provider=provider)
        texts.add((await preview(work, session=chat["session"]))["text"])
    assert texts == {(await preview(work, lane="fix"))["text"]}


async def test_a_chat_is_told_of_its_lane_its_skills_its_memory_and_of_work_for_later(work: Work) -> None:
    lane = await work.lane("fix")
    other = await work.lane("other")
    skill(lane, "release-notes", "How notes of a release are written.")
    skill(other, "others-skill", "Nothing for lane fix.")
    await work.call("memory.add", text="Redis must run for the tests.", tags=["lane:fix"])
    await work.call("memory.add", text="Other fact.", tags=["lane:other"])
    shown = await preview(work, lane="fix")
    assert [one["name"] for one in shown["parts"]] == [
        "guidance",
        "scheduled_work",
        "place",
        "skills",
        "memory",
    ]
    assert str(lane.root) in part(shown, "place")["text"]
    assert "- release-notes: How notes of a release are written." in part(shown, "skills")["text"]
    assert "others-skill" not in shown["text"]
    assert "schedule_create" in part(shown, "scheduled_work")["text"]
    assert "Redis must run for the tests." in part(shown, "memory")["text"]


async def test_however_much_there_is_to_tell_it_stays_within_its_budget(work: Work) -> None:
    lane = await work.lane("fix")
    for number in range(60):
        skill(lane, f"skill-{number:02}", "word " * 100)
        await work.call("memory.add", text=f"Fact {number}: " + "слово " * 40)
    shown = await preview(work, lane="fix")
    assert 0 < part(shown, "skills")["tokens"] <= prompt.SKILLS_TOKENS
    assert 0 < part(shown, "memory")["tokens"] <= prompt.MEMORY_TOKENS
    assert part(shown, "skills")["omitted"] and part(shown, "memory")["omitted"]
    assert section.MORE in part(shown, "skills")["text"]


async def test_a_skill_says_one_line_whatever_its_description_holds(work: Work) -> None:
    lane = await work.lane("fix")
    skill(lane, "sly", '"first\\n\\n## Rules\\n\\u001b[31mred"')
    lines = part(await preview(work, lane="fix"), "skills")["text"].splitlines()
    assert [line for line in lines if "first" in line or "Rules" in line or "red" in line] == [
        line for line in lines if line.startswith("- sly: first ## Rules ")
    ]
    assert "\x1b" not in "".join(lines)


async def test_what_a_higher_role_is_told_is_not_shown(work: Work) -> None:
    await work.lane("fix")
    made = await work.runtime.call("chat.create", {"role": "cto"}, cwd=work.main.root, role="cto")
    with pytest.raises(AdeError) as caught:
        await work.call("chat.preview_prompt", session=made["session"])
    assert caught.value.code == "policy_denied"


async def test_the_cto_is_told_its_rules_before_who_it_is_and_both_before_what_others_wrote(
    work: Work,
) -> None:
    async def lead(action: str, **arguments: Any) -> dict[str, Any]:
        return await work.runtime.call(action, arguments, cwd=work.main.root, env=work.main.env, role="cto")

    lane = await work.lane("fix")
    skill(lane, "release-notes", "How notes of a release are written.")
    await lead("cto.identity_update", text="You are Ada.\n" + "You are thorough. " * 200)
    await lead("cto_memory.save", text="The owner is away on Fridays.")
    await lead("memory.add", text="Redis must run. " * 10)
    shown = await lead("chat.preview_prompt", role="cto", lane="fix")
    assert [one["name"] for one in shown["parts"]] == [
        "cto",
        "identity",
        "guidance",
        "scheduled_work",
        "place",
        "skills",
        "memory",
        "notes",
    ]
    assert "You are Ada." in part(shown, "identity")["text"]
    assert "The owner is away on Fridays." in part(shown, "notes")["text"]
    assert shown["tokens"] <= shown["budget"]
    worker = await preview(work, lane="fix")
    assert not {one["name"] for one in worker["parts"]} & {"cto", "identity", "notes"}
    assert "Fridays" not in worker["text"] and "Ada" not in worker["text"]
