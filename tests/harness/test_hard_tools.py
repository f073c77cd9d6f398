"""Tools that are hard on a program: that fail, that answer with 5 MB, that take long, and that are stopped."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.tooling.results import BUDGET
from tests.support.model import Call, Say
from tests.support.talk import START_SECONDS, Talk, talk

__all__ = ["talk"]

pytestmark = [pytest.mark.harness, pytest.mark.timeout(900)]

PACK = """domain: hard
title: Hard
summary: What is hard to take.
cli: {group: hard}
actions:
  flood:
    summary: Answer with 5 MB.
    effect: read
    toolset: base
    timeout: 60s
    input: {}
    output: {type: object, properties: {text: {type: string, description: Long.}}, required: [text]}
    examples:
      - {title: Long, input: {}, output: {}}
      - {title: Too much, input: {word: 1}, error: {code: invalid_arguments, path: word}}
    run: {argv: [python3, scripts/flood.py], files: [scripts/flood.py], folder: project, max_output: 8388608}
  fail:
    summary: Fail.
    effect: read
    toolset: base
    timeout: 60s
    input: {}
    output: {type: object, properties: {text: {type: string, description: Nothing.}}, required: [text]}
    examples:
      - {title: Never, input: {}, output: {}}
      - {title: Too much, input: {word: 1}, error: {code: invalid_arguments, path: word}}
    run: {argv: [python3, scripts/fail.py], files: [scripts/fail.py], folder: project}
"""
FLOOD = "import json\nprint(json.dumps({'text': 'a line of a long text\\n' * 250_000}))\n"
FAIL = "raise SystemExit('the disk is on fire')\n"

OPENCODE_GIVES_UP_MS = 30_000
SECONDS = {"claude": 3, "codex": 3, "opencode": 45}
"""How long the slow tool takes: in OpenCode longer than it waits for a tool that it hears nothing of."""


def run(action: str, **arguments: Any) -> Call:
    return Call("actions_run", {"action": action, "arguments": arguments})


def bring_pack(place: Talk) -> None:
    """Have the project's pack trusted."""
    for path, text in (
        (".ade/specs/hard.yaml", PACK),
        ("scripts/flood.py", FLOOD),
        ("scripts/fail.py", FAIL),
    ):
        file = place.project / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    found = place.run("packs", "add", "--name", "hard")
    place.run("packs", "trust", "hard", found["hash"])


def test_a_tool_that_fails_and_one_that_answers_with_5_mb_are_read_as_short_texts(talk: Any) -> None:
    place = talk(run("hard.fail"), run("hard.flood"), run("lane.list"), Say("Read."))
    bring_pack(place)
    session = place.begin("Do what is hard")
    assert place.wait(session)["state"] == "idle"
    failed, flooded, after = place.told()
    error = json.loads(failed)["error"]
    assert (error["code"], bool(error["hint"])) == ("pack_command_failed", True)
    whole = re.match(r"\[([0-9]+) bytes are too long", flooded)
    assert whole is not None and int(whole[1]) > 5_000_000
    assert "a line of a long text" in flooded
    assert flooded.rstrip().endswith("a smaller limit.]")
    assert len(flooded) <= BUDGET + 1024
    assert "fix" in after, "the same conversation goes on"
    assert place.said(session) == ["Read."]
    kept = place.entries(session, "tool_result")
    assert len(kept) == 3 and sum(len(entry["text"]) for entry in kept) <= 3 * BUDGET


def test_a_slow_tool_that_tells_how_far_it_is_is_run_once_and_waited_for(talk: Any) -> None:
    script = f"echo step 1; sleep {SECONDS[talk.provider]}; echo step 2"
    place = talk(
        run("tests.run", command=["sh", "-c", script]),
        Say("Passed."),
        experimental={"mcp_timeout": OPENCODE_GIVES_UP_MS},
    )
    session = place.begin("Test it")
    assert place.wait(session)["state"] == "idle"
    (told,) = place.told()
    answer = json.loads(told)["result"]
    assert (answer["run"]["state"], answer["log"]) == ("passed", "step 1\nstep 2\n")
    assert place.run("tests", "runs")["total"] == 1
    assert place.said(session) == ["Passed."]


def test_an_interrupt_ends_what_a_tool_runs(talk: Any) -> None:
    place = talk(run("tests.run", command=["sh", "-c", "touch begun; exec sleep 10000"]), Say("Never mind."))
    session = place.begin("Test it")
    begun = Path(place.run("lanes", "show", "fix")["path"]) / "begun"
    ends = time.monotonic() + START_SECONDS
    while not begun.exists():
        assert time.monotonic() < ends, place.run("chats", "show", session)
        time.sleep(0.1)
    assert place.run("chats", "interrupt", session)["state"] == "idle"
    place.run("chats", "send", session, "Go on")
    assert place.wait(session)["turn"] == 2
    assert place.said(session) == ["Never mind."]
    (ended,) = place.run("tests", "runs")["items"]
    assert ended["state"] != "running"
