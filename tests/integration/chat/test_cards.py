"""What chats are told as: names that people know beside ids, and nothing that breaks a line."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.work import Work, opened


@pytest.fixture
async def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Work]:
    async with opened(tmp_path, monkeypatch) as made:
        made.main.commit("First", **{"README.md": "# Sample\n"})
        yield made


async def test_a_chat_names_its_lane_wherever_it_is_shown(work: Work) -> None:
    lane = await work.call("lane.create", name="fix-login")
    chat = await work.call("chat.create", lane="fix-login")
    shown = await work.call("chat.show", session=chat["session"])
    (listed,) = (await work.call("chat.list"))["items"]
    for one in (chat, shown, listed):
        assert (one["lane"], one["lane_id"]) == ("fix-login", lane["id"])
    main = await work.call("chat.create", lane="primary")
    assert (await work.call("chat.show", session=main["session"]))["lane"] == "primary"


async def test_a_lane_that_is_gone_leaves_its_id(work: Work) -> None:
    lane = await work.call("lane.create", name="gone")
    chat = await work.call("chat.create", lane="gone")
    await work.call("chat.end", session=chat["session"])
    await work.call("lane.delete", lane="gone")
    shown = await work.call("chat.show", session=chat["session"])
    assert (shown["lane"], shown["lane_id"]) == (None, lane["id"])


@pytest.mark.parametrize("field", ["model", "effort", "title"])
@pytest.mark.parametrize("text", ["two\nlines", "a\x1b[2Jb", "a\x7f", "a\x85b"])
async def test_what_is_one_line_is_refused_where_it_is_not(work: Work, field: str, text: str) -> None:
    refused = await work.refused("chat.create", **{field: text})
    assert refused.code == "invalid_arguments" and field in refused.message
    chat = await work.call("chat.create", **{field: "[1] gpt-oss:20b (local)"[:40]})
    if field != "title":
        refused = await work.refused(
            "chat.hand_over", session=chat["session"], provider="claude", **{field: text}
        )
        assert refused.code == "invalid_arguments"


async def test_what_a_message_waits_for_is_said(work: Work) -> None:
    chat = (await work.call("chat.create"))["session"]
    said = await work.call("chat.send", session=chat, text="Hello", steer=True)
    assert said["next"].startswith("No turn runs that it could be said into: it begins the next turn")
    await work.call("chat.pause", session=chat)
    assert "paused" in (await work.call("chat.send", session=chat, text="More"))["next"]
    services = work.runtime.services
    await services.chats.set(chat, paused=0, state="running")
    steered = await work.call("chat.send", session=chat, text="Now", steer=True)
    assert "unless Claude Code takes it into the turn before" in steered["next"]
