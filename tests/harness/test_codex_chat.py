"""Chats with the real Codex and a scripted model on loopback, in both ways that Codex shows tools to a model."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.codex import DIRECT, SCRIPTING, codex_environment
from tests.support.codex_wire import Wire
from tests.support.command import ADE, Command, command
from tests.support.model import Call, Code, Fail, Hold, Model, Say
from tests.support.model.openai_responses import declarations, results, tools
from tests.support.programs import CACHE
from tests.support.talk import START_SECONDS, settled

pytestmark = [pytest.mark.harness, pytest.mark.timeout(600)]


def shell(command: str) -> Call:
    """A call of Codex's own shell."""
    return Call("exec_command", {"cmd": command, "yield_time_ms": 20000})


class Talk:
    """A project with lane fix, and a runtime whose Codex speaks to ``model``."""

    def __init__(self, ade: Command, project: Path, model: Model) -> None:
        self.ade, self.project, self.model = ade, project, model

    def run(self, *argv: str) -> Any:
        return self.ade.json(*argv, cwd=self.project)

    def begin(self, text: str, *argv: str) -> str:
        lane = () if "--lane" in argv else ("--lane", "fix")
        made = self.run("chats", "create", "--provider", "codex", text, *lane, *argv)
        session: str = made["session"]
        return session

    def wait(self, session: str) -> dict[str, Any]:
        return settled(self.run, session)

    def entries(self, session: str, *kinds: str) -> list[str]:
        found = self.run("chats", "transcript", session)["items"]
        return [entry["text"] for entry in found if entry["kind"] in kinds]

    def lanes(self) -> list[str]:
        return [lane["name"] for lane in self.run("lanes", "list")["items"]]

    @property
    def lane(self) -> Path:
        return Path(self.run("lanes", "show", "fix")["path"])


@pytest.fixture
def talk() -> Iterator[Callable[..., Talk]]:
    """Not below the temporary folder: Codex's sandbox lets that be written, and does not start from there."""
    CACHE.mkdir(parents=True, exist_ok=True)
    base = Path(tempfile.mkdtemp(prefix="c", dir=CACHE)).resolve()
    stack: list[Any] = []
    wire = Wire(base / "wire")

    def make(*answers: Any, model: str = DIRECT) -> Talk:
        server = Model(*answers)
        stack.append(server)
        server.__enter__()
        place = command(base)
        stack.append(place)
        ade = place.__enter__()
        ade.env |= codex_environment(base / "codex", server.url, model, ade.env["PATH"], wire.bin)
        ade.env["TMPDIR"] = str(base / "tmp")
        (base / "tmp").mkdir()
        project = ade.make_project(base / "project")
        ade.json("lanes", "create", "fix", cwd=project)
        return Talk(ade, project, server)

    yield make
    for one in reversed(stack):
        one.__exit__(None, None, None)
    faults = list(wire.faults())
    shutil.rmtree(base)
    assert not faults


def test_the_model_is_given_the_tools_of_its_role_and_a_lane_exists_afterwards(talk: Any) -> None:
    place = talk(Call("create_lane", {"name": "from the model"}), Say("Made it."))
    session = place.begin("Make a lane")
    chat = place.wait(session)
    assert (chat["state"], chat["turn"], chat["capability_mode"]) == ("idle", 1, "full_tooling"), chat
    assert place.entries(session, "user", "assistant") == ["Make a lane", "Made it."]
    assert "from the model" in place.lanes()
    listed = place.run("chats", "tools", "--session", session)["items"]
    first = sorted(f"ade.{tool['name']}" for tool in listed if tool["always"])
    assert sorted(name for name in tools(place.model.requests[0]) if name.startswith("ade")) == first
    prompt = json.dumps(place.model.requests[0]["input"])
    assert "You work under ADE" in prompt
    assert "lane fix" in prompt


def test_tools_that_are_not_shown_first_are_called_by_name(talk: Any) -> None:
    place = talk(Call("actions_run", {"action": "lane.list", "arguments": {}}), Say("One."))
    place.wait(place.begin("Which lanes are there?"))
    shown = json.loads(results(place.model.requests[-1])[-1])
    assert "fix" in json.dumps(shown)


def test_a_model_that_writes_scripts_finds_every_tool_and_reads_its_errors(talk: Any) -> None:
    source = """
        const names = ALL_TOOLS.map((tool) => tool.name).filter((name) => name.startsWith("ade"));
        const refused = JSON.parse(await tools.ade__rename_lane({lane: "nothing", name: "x"}));
        text(JSON.stringify({names, refused, typed: typeof await tools.ade__list_lanes({})}));
    """
    place = talk(Code(source), Say("Seen."), model=SCRIPTING)
    session = place.begin("Look around")
    chat = place.wait(session)
    assert chat["state"] == "idle", chat
    shown = json.loads(results(place.model.requests[-1])[-1].partition("Output:")[2])
    listed = place.run("chats", "tools", "--session", session)["items"]
    assert sorted(shown["names"]) == sorted(f"ade__{tool['name']}" for tool in listed)
    assert shown["refused"]["error"]["code"] == "lane_not_found"
    assert shown["refused"]["error"]["hint"]
    assert shown["typed"] == "string"
    told = declarations(place.model.requests[0])
    assert "declare const tools: { ade__create_lane(args:" in told
    assert "ade__rename_lane(" not in told
    assert "ade_cto__" not in told


def test_twenty_reads_at_once_from_one_script(talk: Any) -> None:
    source = """
        const reads = Array.from({length: 20}, (_, place) => tools.ade__list_lanes({limit: place + 1}));
        const found = (await Promise.all(reads)).map((one) => JSON.parse(one));
        text(found.map((one) => one.items.length).join(","));
    """
    place = talk(Code(source), Say("Read."), model=SCRIPTING)
    session = place.begin("Read")
    assert place.wait(session)["state"] == "idle"
    assert results(place.model.requests[-1])[-1].endswith(",".join(["1"] + ["2"] * 19))
    assert len(place.entries(session, "tool_call")) == 20


def test_what_the_role_may_not_do_is_refused_and_the_model_reads_why(talk: Any) -> None:
    commit = Call("commit_changes", {"lane": "other", "message": "Mine", "allow_empty": True})
    place = talk(commit, Say("Refused."))
    place.run("lanes", "create", "other")
    place.wait(place.begin("Commit in the other lane"))
    error = json.loads(results(place.model.requests[-1])[-1])["error"]
    assert error["code"] == "policy_denied"
    assert error["hint"]


def test_an_approval_is_given_from_another_terminal(talk: Any) -> None:
    place = talk(shell("touch made"), Say("Made."))
    session = place.begin("Make a file")
    assert place.wait(session)["state"] == "waiting"
    (asked,) = place.run("chats", "approvals")["items"]
    assert asked["tool"] == "shell"
    assert "touch made" in asked["details"]["command"]
    place.run("chats", "approve", asked["id"])
    assert place.wait(session)["state"] == "idle"
    assert (place.lane / "made").exists()


def test_a_refused_approval_is_read_by_the_model(talk: Any) -> None:
    patch = "*** Begin Patch\n*** Add File: new.txt\n+hello\n*** End Patch\n"
    place = talk(
        Code(f"text(await tools.apply_patch({json.dumps(patch)}))"), Say("Then not."), model=SCRIPTING
    )
    session = place.begin("Make a file")
    assert place.wait(session)["state"] == "waiting"
    (asked,) = place.run("chats", "approvals")["items"]
    assert asked["tool"] == "apply_patch"
    assert asked["details"]["changes"][0]["path"].endswith("new.txt")
    place.run("chats", "approve", asked["id"], "--refuse", "--message", "Not today.")
    assert place.wait(session)["state"] == "idle"
    assert "Not today." in json.dumps(place.model.requests[-1]["input"])
    assert not (place.lane / "new.txt").exists()


def test_in_edit_mode_the_lane_is_written_unasked_and_nothing_beside_it(talk: Any) -> None:
    place = talk(shell("touch made; touch ../beside"), Say("Made."))
    assert place.wait(place.begin("Make files", "--permission-mode", "edit"))["state"] == "idle"
    assert (place.lane / "made").exists()
    assert not (place.lane.parent / "beside").exists()
    assert "Read-only file system" in results(place.model.requests[-1])[-1]


def test_in_plan_mode_nothing_is_changed(talk: Any) -> None:
    place = talk(
        shell("touch made"),
        Call("create_lane", {"name": "planned"}),
        Call("actions_run", {"action": "lane.create", "arguments": {"name": "planned"}}),
        Call("actions_run", {"action": "lane.list", "arguments": {}}),
        Say("A plan."),
    )
    assert place.wait(place.begin("Plan", "--permission-mode", "plan"))["state"] == "idle"
    touched, made, run, listed = results(place.model.requests[-1])
    assert "Read-only file system" in touched
    assert json.loads(made)["error"]["code"] == json.loads(run)["error"]["code"] == "plan_mode"
    assert "fix" in listed
    assert place.lanes() == ["primary", "fix"]


def test_an_interrupted_turn_ends_and_what_was_said_into_it_is_not_lost(talk: Any) -> None:
    hold = Hold()
    place = talk(hold, Say("Here again."))
    session = place.begin("Think long")
    assert hold.reached.wait(START_SECONDS)
    assert place.run("chats", "send", session, "Also this.", "--steer")["state"] == "delivered"
    assert place.run("chats", "interrupt", session)["state"] == "idle"
    hold.go()
    place.run("chats", "send", session, "And now?")
    assert place.wait(session)["turn"] == 2
    assert place.entries(session, "assistant") == ["Here again."]
    assert "interrupted" in place.entries(session, "ended")[0]
    said = json.dumps(place.model.requests[-1]["input"])
    assert said.index("Think long") < said.index("Also this.") < said.index("And now?")


def test_something_said_into_a_running_turn_reaches_the_model(talk: Any) -> None:
    hold = Hold("First.")
    place = talk(hold, Say("Heard you."))
    session = place.begin("Think long")
    assert hold.reached.wait(START_SECONDS)
    assert place.run("chats", "send", session, "Also this.", "--steer")["state"] == "delivered"
    hold.go()
    assert place.wait(session)["state"] == "idle"
    assert json.dumps(place.model.requests[-1]["input"]).count("Also this.") == 1
    assert place.entries(session, "user") == ["Think long", "Also this."]


def test_a_used_up_quota_is_told_apart_from_a_failure(talk: Any) -> None:
    place = talk(Fail(429, "usage_limit_reached", "The quota is used up."))
    chat = place.wait(place.begin("Hello"))
    assert chat["state"] == "exhausted"
    assert "hand-over" in chat["next"]


def test_a_killed_runtime_leaves_a_readable_chat_and_nothing_is_done_twice(talk: Any) -> None:
    hold = Hold()
    place = talk(Call("create_lane", {"name": "once"}), hold, Say("Going on."))
    session = place.begin("Make a lane")
    assert hold.reached.wait(START_SECONDS)
    place.run("chats", "send", session, "Then this.")
    place.ade.kill()
    hold.go()
    chat = place.wait(session)
    assert (chat["state"], chat["queued"]) == ("interrupted", 1)
    place.run("chats", "resume", session)
    assert place.wait(session)["state"] == "idle"
    assert place.entries(session, "user") == ["Make a lane", "Then this."]
    assert place.entries(session, "assistant") == ["Going on."]
    assert place.lanes() == ["primary", "fix", "once"]
    said = json.dumps(place.model.requests[-1]["input"])
    heard, _, marked = said.partition("in case it did not reach you")
    assert heard.count("Make a lane") == marked.count("Make a lane") == 1, "again, and marked as such"
    assert "once" in results(place.model.requests[-1])[-1]
    assert "ade.create_lane" in tools(place.model.requests[-1])


def test_the_models_own_question_is_answered_from_another_terminal(talk: Any) -> None:
    options = [{"label": "red", "description": "Warm"}, {"label": "blue", "description": "Cold"}]
    asked = {"id": "colour", "header": "Colour", "question": "Which colour?", "options": options}
    place = talk(Call("request_user_input", {"questions": [asked]}), Say("Blue, then."))
    session = place.begin("Paint it")
    assert place.wait(session)["state"] == "waiting"
    (question,) = place.run("user", "pending")["items"]
    assert [choice["label"] for choice in question["parts"][0]["choices"]] == ["red", "blue"]
    place.run("user", "respond", question["id"], "blue")
    assert place.wait(session)["state"] == "idle"
    assert json.loads(results(place.model.requests[-1])[-1]) == {"answers": {"colour": {"answers": ["blue"]}}}


def test_an_interrupt_ends_a_tool_that_waits(talk: Any) -> None:
    ask = {"action": "user.ask", "arguments": {"title": "Which way?", "wait": 500}}
    place = talk(Call("actions_run", ask), Say("Never mind."))
    session = place.begin("Ask")
    place.ade.see("user", "asked", cwd=place.project)
    assert place.run("chats", "interrupt", session)["state"] == "idle"
    place.run("chats", "send", session, "Go on")
    assert place.wait(session)["turn"] == 2
    assert place.entries(session, "assistant") == ["Never mind."]


def test_two_chats_share_nothing_and_their_shells_are_their_sessions(talk: Any) -> None:
    look = shell(f"{ADE} auth status --json; echo; echo $ADE_LANE_ID")
    place = talk(look, Say("One."), look, Say("Two."))
    place.run("lanes", "create", "other")
    seen = []
    for lane in ("fix", "other"):
        session = place.begin("Who am I?", "--permission-mode", "edit", "--lane", lane)
        assert place.wait(session)["state"] == "idle"
        shown = results(place.model.requests[-1])[-1].partition("Output:\n")[2]
        status, _, variable = shown.strip().partition("\n")
        document = json.loads(status)
        assert (document["session"], document["source"]) == (session, "token")
        assert document["lane"] == variable.strip() == place.run("lanes", "show", lane)["id"]
        seen.append(document["lane"])
    assert len(set(seen)) == 2
