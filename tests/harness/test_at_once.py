"""Two chats of one runtime at once, in two lanes and two roles: neither sees anything of the other."""

from __future__ import annotations

import hashlib
import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import ADE
from tests.support.model import Call, Cast, Hold
from tests.support.talk import START_SECONDS, Talk, shell, talk

__all__ = ["talk"]

pytestmark = [pytest.mark.harness, pytest.mark.timeout(900)]

LOOK = f"{ADE} auth status --json; echo; echo lane=$ADE_LANE_ID; printf %s $ADE_SESSION_TOKEN | sha256sum; cat mark.txt"
WORKER, LEADER = "Speak of herons", "Speak of cranes"
OF_A_LEADER = ("cto_state", "cto_memory_save")


def allow(place: Talk) -> None:
    """Whatever the programs ask for is allowed."""
    for asked in place.run("chats", "approvals")["items"]:
        place.run("chats", "approve", asked["id"])


def at_work(place: Talk, hold: Hold) -> None:
    """Return once a program is in the middle of its turn."""
    ends = time.monotonic() + START_SECONDS
    while not hold.reached.wait(0.2):
        allow(place)
        problems = [chat["problem"] for chat in place.run("chats", "list")["items"] if chat["problem"]]
        assert time.monotonic() < ends and not problems, problems


def test_two_chats_at_once_share_nothing(talk: Any) -> None:
    holds = {WORKER: Hold(), LEADER: Hold()}
    script = [
        shell(talk.provider, LOOK),
        Call("actions_run", {"action": "auth.status", "arguments": {}}),
    ]
    place = talk(cast=Cast({words: [*script, hold] for words, hold in holds.items()}))
    place.run("lanes", "create", "other")
    lanes = {WORKER: place.run("lanes", "show", "fix"), LEADER: place.run("lanes", "show", "other")}
    for words, lane in lanes.items():
        (Path(lane["path"]) / "mark.txt").write_text(f"{words}\n")
    chats, as_leader = {}, ("--role", "cto", "--chat-role", "cto")
    for words, lane, more in ((WORKER, "fix", ()), (LEADER, "other", as_leader)):
        chats[words] = place.begin(words, "--permission-mode", "edit", *more, lane=lane)
        at_work(place, holds[words])  # and stays so: the second begins while the first is in its turn
    tokens = set()
    for words, session in chats.items():
        shown, status = place.told(words)
        document = json.loads(shown[shown.index("{") : shown.rindex("}") + 1])
        lane = lanes[words]["id"]
        if (talk.provider, words) == ("codex", LEADER):  # what comes out of its sandbox is an agent's at most
            assert document["error"]["code"] == "policy_denied"
        else:
            assert (document["session"], document["lane"], document["source"]) == (session, lane, "token")
        assert f"lane={lane}\n" in shown
        assert [other in shown for other in lanes] == [other == words for other in lanes]
        tokens.add(re.search("[0-9a-f]{64}", shown)[0])  # type: ignore[index]
        assert json.loads(status)["result"]["session"] == session
        offered = json.dumps(place.asked(words)[0]["tools"])
        assert [name in offered for name in OF_A_LEADER] == [words == LEADER] * len(OF_A_LEADER)
    assert len(tokens | {hashlib.sha256(b"").hexdigest()}) == 3
    assert not [body for body in place.asked(WORKER) if LEADER in json.dumps(body)]
    for words, hold in holds.items():
        hold.go()
        assert place.wait(chats[words])["state"] == "idle"
        told = json.dumps(place.run("chats", "transcript", chats[words]))
        assert [other in told for other in lanes] == [other == words for other in lanes]
