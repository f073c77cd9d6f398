"""``ade doctor --clients`` with the real programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ade_runtime.machine.doctor.rows import Row
from tests.harness.conftest import LIMIT, Place
from tests.support.programs import CODEX, OPENCODE, installed

pytestmark = [pytest.mark.harness, pytest.mark.timeout(600)]


def claude() -> Path:
    pytest.importorskip("claude_agent_sdk", reason="the claude extra is not installed")
    from ade_runtime.chat.providers.claude import bundled

    program = bundled()
    if program is None:
        pytest.skip("the SDK brings no Claude Code for this machine")
    return program


def row(place: Place, name: str, program: Path) -> Row:
    """The row of a program that is found on PATH."""
    folder = place.base / "bin"
    folder.mkdir()
    (folder / name).symlink_to(program)
    env = {"PATH": f"{folder}:{place.env['PATH']}"}
    # Some write into their home when they are asked for their version.
    place.ade.run("doctor", cwd=place.lane, env=env)
    before = sorted((place.base / "user").rglob("*"))
    told = place.ade.run("doctor", "--clients", "--json", cwd=place.lane, env=env, limit=LIMIT)
    (found,) = (one for one in json.loads(told.stdout)["items"] if one["check"] == f"client {name}")
    assert sorted((place.base / "user").rglob("*")) == before, "nothing of the user's is touched"
    return Row(found["check"], found["state"], found["found"], found["next"])


def test_claude(place: Place) -> None:
    found = row(place, "claude", claude())
    assert found.state == "ok", found
    assert "MCP 2026-07-28" in found.found
    assert "drops nothing" in found.found


def test_codex(place: Place) -> None:
    found = row(place, "codex", installed(CODEX, "codex"))
    assert found.state == "ok", found
    assert "MCP 2025-06-18" in found.found
    assert "drops pattern, minLength, maxLength, minimum, maximum, default" in found.found


def test_opencode(place: Place) -> None:
    found = row(place, "opencode", installed(OPENCODE, "opencode"))
    assert found.state == "ok", found
    assert "MCP 2025-11-25" in found.found
    assert "sees the text of a result" in found.found
