"""An agent in a terminal is woken by what was scheduled for it: typed once, when its turn is over."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.integration.terminals.conftest import Shop
from tests.support.command import ADE

PROGRAM = """\
#!{python}
import subprocess, sys, threading, time
if sys.argv[1:] == ["--version"]:
    print("9.9.9 (Claude Code)")
    sys.exit()
print("READY", flush=True)
for line in sys.stdin:
    word = line.strip()
    print("HEARD", word, flush=True)
    if word == "schedule":
        argv = [{ade!r}, "schedules", "create", "from inside", "--in", "1s", "--json"]
        made = subprocess.run(argv, capture_output=True, text=True)
        print("MADE", made.returncode, made.stderr, flush=True)
    if word == "leave":
        sys.exit(0)
"""


@pytest.fixture
def agent(shop: Shop, tmp_path: Path) -> dict[str, Any]:
    folder = tmp_path / "programs"
    folder.mkdir()
    path = folder / "claude"
    path.write_text(PROGRAM.format(python=sys.executable, ade=str(ADE)))
    path.chmod(0o755)
    shop.ade.env["PATH"] = f"{folder}:{shop.ade.env['PATH']}"
    made: dict[str, Any] = shop.ade.json("agents", "spawn", "Wait.", "-l", "one", cwd=shop.project)
    shop.read_until(made["id"], "READY")
    return made


def schedule(shop: Shop, *argv: str) -> dict[str, Any]:
    found: dict[str, Any] = shop.ade.json("chat", "scheduled-work", "create", *argv, cwd=shop.project)
    return found


def heard(shop: Shop, terminal: str, text: str) -> int:
    return str(shop.read_until(terminal, f"HEARD {text}")["text"]).count(f"HEARD {text}")


def test_it_is_told_by_its_session_and_by_its_id(shop: Shop, agent: dict[str, Any]) -> None:
    for named in ("session", "id"):
        made = schedule(shop, f"look by\n{named}", "--session", agent[named], "--in", "1s")
        assert made["session"] == agent["session"]
        assert heard(shop, agent["id"], f"look by {named}") == 1


def test_what_it_schedules_itself_comes_back_to_itself(shop: Shop, agent: dict[str, Any]) -> None:
    shop.ade.json("terminals", "write", agent["id"], "schedule", "--key", "enter")
    assert "MADE 0" in shop.read_until(agent["id"], "MADE")["text"]
    assert heard(shop, agent["id"], "from inside") == 1


def test_one_that_has_ended_ends_the_schedule(shop: Shop, agent: dict[str, Any]) -> None:
    made = schedule(shop, "too late", "--session", agent["session"], "--cron", "@yearly")
    for named in ("session", "id"):
        paused = shop.ade.json("schedules", "pause", "--session", agent[named], cwd=shop.project)
        assert paused["schedules"] == 1
        assert (
            shop.ade.json("schedules", "resume", "--session", agent[named], cwd=shop.project)["schedules"]
            == 1
        )
    shop.ade.json("terminals", "write", agent["id"], "leave", "--key", "enter")
    with pytest.raises(AssertionError):
        shop.read_until(agent["id"], "what it never prints")
    fired = shop.ade.json("schedules", "run-now", made["id"], cwd=shop.project)
    assert (fired["state"], fired["result"]) == ("failed", "its chat or agent is over")
    assert shop.ade.json("schedules", "show", made["id"], cwd=shop.project)["state"] == "ended"
    error = shop.ade.error(
        "schedules", "create", "x", "--session", agent["session"], "--in", "1m", exit_code=5, cwd=shop.project
    )
    assert error["code"] == "chat_ended" and "ade agents spawn" in error["hint"]


def test_a_piece_that_is_sent_again_is_typed_once(shop: Shop, agent: dict[str, Any]) -> None:
    import asyncio

    from ade_runtime.client.address import resolved_socket
    from ade_runtime.holders.ask import ask

    socket = Path(resolved_socket(str(shop.ade.home / "holders" / agent["id"] / "sock")))

    async def typed() -> None:
        for once, data in (("f.0", b"twice"), ("f.0", b"twice"), ("f.1", b"\r"), ("f.1", b"\r")):
            assert await ask(socket, {"op": "write", "once": once}, data) == {"full": False}

    asyncio.run(typed())
    text = shop.read_until(agent["id"], "HEARD twice")["text"]
    assert text.count("HEARD") == 1 and json.dumps("twicetwice") not in text
