"""Codex as an agent uses it: a model asks for ``ade lanes list`` in Codex's shell, in each of its modes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.harness.conftest import Place
from tests.support.command import ADE
from tests.support.programs import CODEX, installed
from tests.support.scripted_model import ScriptedModel

pytestmark = [pytest.mark.harness, pytest.mark.timeout(900)]

CONFIG = """
{sandbox}
model = "fake"
model_provider = "fake"
[model_providers.fake]
name = "fake"
base_url = "{base_url}"
wire_api = "responses"
env_key = "FAKE_KEY"
requires_openai_auth = false
supports_websockets = false
[analytics]
enabled = false
[features]
daemon_auto_start = false
"""
WHAT = f"{ADE} lanes list --json; echo exit $?; {ADE} auth status --jq .role"


def shown_to_model(place: Place, mode: str, more: str = "") -> str:
    """What the model is shown of its shell command, run by the real program with these settings in its file."""
    codex = installed(CODEX, "codex")
    with ScriptedModel([WHAT], workdir=str(place.lane)) as model:
        home = Path(place.env["CODEX_HOME"])
        (home / "config.toml").write_text(
            CONFIG.format(sandbox=f'sandbox_mode = "{mode}"', base_url=model.base_url) + more
        )
        done = place.run([codex, "exec", "go"], FAKE_KEY="none")
        assert done.returncode == 0, done.stderr
        assert model.outputs, done.stderr
        return model.outputs[0]


def test_agents_11_in_read_only_the_model_is_told_what_to_set(place: Place) -> None:
    shown = shown_to_model(place, "read-only")
    assert "exit 7" in shown
    assert "sandbox_blocked" in shown
    assert "sandbox_workspace_write.network_access" in shown


def test_in_workspace_write_the_model_gets_its_answer_through_the_spool(place: Place) -> None:
    shown = shown_to_model(place, "workspace-write")
    lines = shown.splitlines()
    assert "exit 0" in lines
    assert lines[-1] == "external"
    listed = json.loads(next(line for line in lines if line.startswith('{"items"')))
    assert [lane["name"] for lane in listed["items"]] == ["primary", "fix"]


def test_with_network_access_the_model_gets_its_answer_over_the_socket(place: Place) -> None:
    shown = shown_to_model(place, "workspace-write", "[sandbox_workspace_write]\nnetwork_access = true\n")
    lines = shown.splitlines()
    assert "exit 0" in lines
    assert lines[-1] == "agent"
    assert not (place.lane / ".ade").exists()
