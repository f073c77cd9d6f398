"""Every tool of ADE fits what Codex takes, and what may be called in plan mode."""

from __future__ import annotations

import re

import pytest

from ade_generated.dispatch import ACTIONS
from ade_generated.providers import PROVIDERS
from ade_runtime.chat.providers.codex_tools import LONGEST_NAME, LONGEST_NAMESPACE, LONGEST_SUMMARY, declared
from ade_runtime.chat.providers.plan_mode import refused
from ade_runtime.contracts import Effect
from ade_runtime.tooling.definitions import all_tools

NAME = re.compile(r"^[a-zA-Z0-9_-]+$")
POLICIES = {"untrusted", "on-request", "never"}
SANDBOXES = {"read-only", "workspace-write", "danger-full-access"}


def test_every_namespace_is_one_that_codex_takes() -> None:
    found = declared(all_tools())
    assert [one["name"] for one in found] == list(dict.fromkeys(tool.server for tool in all_tools()))
    for one in found:
        assert NAME.match(one["name"]) and len(one["name"]) <= LONGEST_NAMESPACE
        assert one["name"] != "functions" and not one["name"].startswith("mcp__")
        assert 0 < len(one["description"]) <= LONGEST_SUMMARY
        assert one["tools"]


def test_every_tool_is_one_that_codex_takes() -> None:
    for space in declared(all_tools()):
        names = [tool["name"] for tool in space["tools"]]
        assert len({name.replace("-", "_") for name in names}) == len(names)
        for tool in space["tools"]:
            assert NAME.match(tool["name"])
            assert len(f"{space['name']}__{tool['name']}") <= LONGEST_NAME
            assert tool["description"]
            assert tool["inputSchema"]["type"] == "object"
            assert not {"oneOf", "anyOf", "allOf"} & set(tool["inputSchema"])


def test_tools_that_are_always_shown_are_not_deferred() -> None:
    shown = {tool.name for tool in all_tools() if tool.always}
    for space in declared(all_tools()):
        for tool in space["tools"]:
            assert tool["deferLoading"] is (tool["name"] not in shown)


def test_permission_modes_are_in_codexs_words() -> None:
    for words in PROVIDERS["codex"].permission_modes.values():
        policy, sandbox, *reviewer = words.split("/")
        assert policy in POLICIES and sandbox in SANDBOXES
        assert reviewer in ([], ["auto_review"])
    assert PROVIDERS["codex"].permission_modes["plan"].endswith("/read-only")


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("create_lane", {}, True),
        ("lane.create", {}, True),
        ("list_lanes", {}, False),
        ("actions_run", {"action": "lane.list"}, False),
        ("actions_run", {"action": "list_lanes"}, False),
        ("actions_run", {"action": "lane.create"}, True),
        ("actions_run", {"action": "create_lane"}, True),
        ("actions_run", {"action": "actions.run", "arguments": {"action": "lane.create"}}, False),
        ("actions_run", {}, False),
        ("no_such_tool", {}, False),
    ],
)
def test_plan_mode_refuses_what_would_change_something(
    name: str, arguments: dict[str, str], expected: bool
) -> None:
    assert refused(name, arguments) is expected


def test_plan_mode_refuses_every_action_that_is_no_read() -> None:
    for tool in all_tools():
        if tool.action != "actions.run":
            assert refused(tool.name, {}) is (ACTIONS[tool.action].effect is not Effect.READ)
