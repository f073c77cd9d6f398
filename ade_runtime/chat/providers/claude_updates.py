"""Claude Code's messages as updates."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import claude_agent_sdk as sdk

from ade_runtime.chat.providers.base import Notice, Text, TextPart, ToolEnded, ToolStarted, TurnEnded, Usage

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ade_runtime.chat.providers.base import Update

OWN_SERVER = "ade"
_STOPPED = ("aborted_streaming", "aborted_tools")
_USED_UP = ("rate_limit", "billing_error")


class Reader:
    """Remembers what the end of a turn is judged by."""

    def __init__(self) -> None:
        self.session: str | None = None
        self.has_tools = False
        self.answered: set[str] = set()
        self.tells_what_it_answers = False
        self._error: str | None = None
        self._retry_at: int | None = None
        self._context = 0

    def updates(self, message: Any) -> Iterator[Update]:
        match message:
            case sdk.SystemMessage(subtype="init"):
                self._init(message.data)
            case sdk.SystemMessage(subtype="compact_boundary"):
                yield Notice("The program made its memory of the conversation shorter.")
            case sdk.StreamEvent():
                yield from _part(message)
            case sdk.AssistantMessage():
                self._error = message.error or self._error
                if message.parent_tool_use_id is None:
                    self._context = _read(message.usage or {}) or self._context
                yield from _said(message)
            case sdk.UserMessage():
                yield from _given_back(message)
            case sdk.RateLimitEvent():
                yield from self._limit(message.rate_limit_info)
            case sdk.ResultMessage():
                yield from self._ended(message)

    def _init(self, data: dict[str, Any]) -> None:
        self.session = data.get("session_id") or self.session
        servers = {one.get("name"): one.get("status") for one in data.get("mcp_servers") or []}
        self.has_tools = servers.get(OWN_SERVER) == "connected"

    def _limit(self, info: sdk.RateLimitInfo) -> Iterator[Update]:
        if info.status == "rejected":
            self._error, self._retry_at = "rate_limit", info.resets_at
        elif info.status == "allowed_warning":
            yield Notice(f"The quota is nearly used up ({info.rate_limit_type}).")

    def _ended(self, result: sdk.ResultMessage) -> Iterator[Update]:
        self.session = result.session_id or self.session
        self.tells_what_it_answers = result.user_message_uuids is not None
        self.answered |= set(result.user_message_uuids or ())
        usage = result.usage or {}
        windows = [one.get("contextWindow") or 0 for one in (result.model_usage or {}).values()]
        fill = self._context / max(windows) if self._context and any(windows) else None
        yield Usage(_read(usage), usage.get("output_tokens") or 0, result.total_cost_usd, fill)
        error, self._error = self._error, None
        reason = result.result or "; ".join(result.errors or ()) or result.subtype
        if result.terminal_reason in _STOPPED:
            yield TurnEnded("interrupted")
        elif error in _USED_UP or result.api_error_status == 429:
            yield TurnEnded("exhausted", reason, self._wait())
        elif result.is_error or result.subtype != "success":
            yield TurnEnded("failed", reason)
        else:
            yield TurnEnded("completed")

    def _wait(self) -> int | None:
        return None if self._retry_at is None else max(0, int((self._retry_at - time.time()) * 1000))


def _read(usage: Mapping[str, Any]) -> int:
    """Tokens that a model read, from its cache or not."""
    keys = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return sum(usage.get(key) or 0 for key in keys)


def _part(message: sdk.StreamEvent) -> Iterator[Update]:
    delta = message.event.get("delta") or {}
    if message.parent_tool_use_id is None and delta.get("type") == "text_delta":
        yield TextPart(delta.get("text", ""))


def _said(message: sdk.AssistantMessage) -> Iterator[Update]:
    for block in message.content:
        if isinstance(block, sdk.TextBlock):
            yield Text(block.text)
        elif isinstance(block, sdk.ThinkingBlock):
            yield Text(block.thinking, thinking=True)
        elif isinstance(block, sdk.ToolUseBlock):
            yield ToolStarted(block.id, block.name, block.input)


def _given_back(message: sdk.UserMessage) -> Iterator[Update]:
    if isinstance(message.content, str):
        return
    for block in message.content:
        if isinstance(block, sdk.ToolResultBlock):
            yield ToolEnded(block.tool_use_id, _text(block.content), bool(block.is_error))


def _text(content: str | list[dict[str, Any]] | None) -> str:
    if isinstance(content, list):
        return "\n".join(part.get("text") or f"[{part.get('type')}]" for part in content)
    return content or ""
