"""When a CTO is told to save what it must not forget: once for each time that its conversation fills up."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from ade_runtime.chat.flush import FULL, Fullness
from ade_runtime.chat.providers.base import Usage
from ade_runtime.chat.providers.codex_updates import Reader as CodexReader
from ade_runtime.chat.records import ChatRecord

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def chat(role: str) -> ChatRecord:
    return ChatRecord(
        session="ses_1",
        state="idle",
        title=None,
        provider="claude",
        model=None,
        effort=None,
        permission_mode="default",
        role=role,
        project="prj_1",
        lane=None,
        created_at=NOW,
        updated_at=NOW,
    )


def test_it_is_told_once_and_again_after_it_was_shortened() -> None:
    fullness = Fullness()
    fills = [0.1, FULL, 0.7, 0.9, None, 0.95, 0.2, 0.65, 0.7]
    assert [fullness.due(chat("cto"), fill) for fill in fills] == [
        False,
        True,
        False,
        False,
        False,
        False,
        False,
        True,
        False,
    ]


@pytest.mark.parametrize("role", ["agent", "orchestrator"])
def test_nobody_else_is(role: str) -> None:
    assert not Fullness().due(chat(role), 0.99)


def claude_fill(windows: dict[str, Any] | None, **usage: int) -> float | None:
    sdk = pytest.importorskip("claude_agent_sdk", reason="the claude extra is not installed")
    from ade_runtime.chat.providers.claude_updates import Reader

    reader = Reader()
    said = sdk.AssistantMessage(content=[], model="opus", usage=usage)
    list(reader.updates(said))
    list(
        reader.updates(
            sdk.AssistantMessage(content=[], model="x", parent_tool_use_id="t", usage={"input_tokens": 9})
        )
    )
    ended = sdk.ResultMessage(
        subtype="success",
        duration_ms=1,
        duration_api_ms=1,
        is_error=False,
        num_turns=1,
        session_id="s",
        usage={"input_tokens": 5000},
        model_usage=windows,
    )
    (told,) = [update for update in reader.updates(ended) if isinstance(update, Usage)]
    return told.fill


def test_claude_says_how_full_it_is_by_its_last_answer_not_by_all_of_the_turn() -> None:
    windows: Any = {"opus": {"contextWindow": 1000}, "small": {"contextWindow": 10}}
    assert (
        claude_fill(windows, input_tokens=100, cache_read_input_tokens=400, cache_creation_input_tokens=150)
        == 0.65
    )
    assert claude_fill(None, input_tokens=100) is None
    assert claude_fill({"opus": {}}, input_tokens=100) is None


@pytest.mark.parametrize(("window", "fill"), [(1000, 0.7), (None, None), (0, None)])
def test_codex_says_it_too(window: int | None, fill: float | None) -> None:
    reader = CodexReader("Sign in.")
    reader.begin()
    last = {"inputTokens": 600, "outputTokens": 100}
    used = {"tokenUsage": {"last": last, "total": last, "modelContextWindow": window}}
    assert not list(reader.updates("thread/tokenUsage/updated", used))
    turn = {"turn": {"id": "t", "status": "completed"}}
    (told,) = [one for one in reader.updates("turn/completed", turn) if isinstance(one, Usage)]
    assert told.fill == fill
