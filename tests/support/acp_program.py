"""A program that speaks the Agent Client Protocol as Gemini CLI does, and behaves as real ones only do on bad days.

Installed as ``gemini``, or as another program, by :func:`install`; ``behaviour`` is what it does:

``foreign``    does not know the protocol;
``newer``      speaks another revision of it;
``stranger``   has nobody signed in;
``crash``      ends in the middle of a turn, with last words;
``garbage``    says something that is no JSON in the middle of a turn;
``limits``     answers a prompt with the error of a used-up quota;
``unfinished`` ends a turn because its model may say no more;
``wary``       takes no mode but the usual one;
``toolless``   takes no tool servers over HTTP;
``asks``       asks whether it may edit in its folder, edit elsewhere, use a tool of ADE and run a command; says the answers;
``recalls``    tells old turns again where one goes on with it, and says what it was asked for since it was started;
``forgets``    cannot go on with a conversation;
``shells``     takes no tool servers either, and has a shell run each line it is told that begins with ``$``;
``echoes``     says what it is told; a turn whose text ends with ``Hold on.`` goes on until it is cancelled; with ``Cling, and
               hold on.`` the program does not mind that nobody is there any more.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

ARGUMENTS = (("--acp",), ("acp",), ("exec", "--output-format", "acp"))
"""Of Gemini CLI, Cursor's agent and Droid."""

MODES = ("default", "autoEdit", "yolo", "plan")
OPTIONS = [
    {"optionId": kind, "kind": kind, "name": kind} for kind in ("allow_always", "allow_once", "reject_once")
]


def install(folder: Path, behaviour: str, name: str = "gemini") -> Path:
    """A folder with a program of this name that behaves so."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    program.write_text(f'#!/bin/sh\nexec {sys.executable} {__file__} {behaviour} "$@"\n')
    program.chmod(0o755)
    return folder


class Agent:
    def __init__(self, behaviour: str) -> None:
        self.behaviour = behaviour
        self.asked: list[str] = []
        self.questions = 0
        self.told = ""

    def say(self, **message: Any) -> None:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()

    def update(self, kind: str, **update: Any) -> None:
        told = {"sessionId": "s1", "update": {"sessionUpdate": kind, **update}}
        self.say(method="session/update", params=told)

    def text(self, text: str) -> None:
        self.update("agent_message_chunk", content={"type": "text", "text": text})

    def serve(self) -> None:
        for line in sys.stdin:
            message = json.loads(line)
            assert message["jsonrpc"] == "2.0"
            method, params = message["method"], message["params"]
            self.asked.append(method)
            answer = getattr(self, method.replace("/", "_"))(params)
            self.say(id=message["id"], **answer)

    def initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        can = {
            "loadSession": self.behaviour != "forgets",
            "mcpCapabilities": {"http": self.behaviour not in ("toolless", "shells")},
        }
        revision = params["protocolVersion"] + (self.behaviour == "newer")
        return {"result": {"protocolVersion": revision, "agentCapabilities": can}}

    def session_new(self, params: dict[str, Any]) -> dict[str, Any]:
        if self.behaviour == "stranger":
            return {"error": {"code": -32000, "message": "Authentication required"}}
        assert Path(params["cwd"]).is_absolute()
        modes = {"currentModeId": "default", "availableModes": [{"id": mode, "name": mode} for mode in MODES]}
        return {"result": {"sessionId": "s1", "modes": modes}}

    def session_load(self, params: dict[str, Any]) -> dict[str, Any]:
        self.text("Said long ago.")
        result = self.session_new(params)["result"]
        return {"result": {"modes": result["modes"]}}

    def session_set_mode(self, params: dict[str, Any]) -> dict[str, Any]:
        self.asked[-1] += f"={params['modeId']}"
        if self.behaviour == "wary":
            return {
                "error": {
                    "code": -32603,
                    "message": "Internal error",
                    "data": {"details": "untrusted folder"},
                }
            }
        return {"result": {}}

    def session_prompt(self, params: dict[str, Any]) -> dict[str, Any]:
        self.told = "".join(part.get("text", "") for part in params["prompt"])
        handler = getattr(self, self.behaviour, self.recalls)
        given: dict[str, Any] = handler()
        return given

    # -- turns

    def recalls(self) -> dict[str, Any]:
        self.update("agent_thought_chunk", content={"type": "text", "text": "Hm."})
        self.text(" ".join(self.asked))
        return {"result": {"stopReason": "end_turn"}}

    def echoes(self) -> dict[str, Any]:
        self.update("agent_thought_chunk", content={"type": "text", "text": "Hm."})
        self.text(self.told)
        if not self.told.lower().endswith("hold on."):
            return {"result": {"stopReason": "end_turn"}}
        for line in sys.stdin:
            if json.loads(line)["method"] == "session/cancel":
                return {"result": {"stopReason": "cancelled"}}
        while "Cling" in self.told:
            signal.pause()
        sys.exit(0)

    def shells(self) -> dict[str, Any]:
        for line in self.told.splitlines():
            if line.startswith("$ "):
                done = subprocess.run(
                    ["/bin/sh", "-ec", line[2:]], capture_output=True, text=True, check=False
                )
                self.text(f"{line}: {done.returncode} {done.stdout}{done.stderr}\n")
        return {"result": {"stopReason": "end_turn"}}

    def crash(self) -> dict[str, Any]:
        sys.stderr.write("fatal: out of luck\n")
        sys.exit(101)

    def garbage(self) -> dict[str, Any]:
        sys.stdout.write("not JSON\n")
        return {"result": {"stopReason": "end_turn"}}

    def limits(self) -> dict[str, Any]:
        return {
            "error": {"code": -32603, "message": "Internal error", "data": {"details": "429: rate limit"}}
        }

    def unfinished(self) -> dict[str, Any]:
        self.text("And so")
        return {"result": {"stopReason": "max_tokens"}}

    def asks(self) -> dict[str, Any]:
        here = str(Path.cwd() / "new.txt")
        calls: list[dict[str, Any]] = [
            {"toolCallId": "c1", "title": "new.txt", "kind": "edit", "locations": [{"path": here}]},
            {"toolCallId": "c2", "title": "passwd", "kind": "edit", "locations": [{"path": "../passwd"}]},
            {"toolCallId": "c3", "title": "list_lanes (ade MCP Server)", "kind": "read"},
            {"toolCallId": "c4", "title": "ade_list_lanes", "kind": "execute"},
        ]
        answers = [self.may(call) for call in calls]
        self.text(" ".join(answers))
        return {"result": {"stopReason": "end_turn"}}

    def may(self, call: dict[str, Any]) -> str:
        self.questions += 1
        question = f"q{self.questions}"
        params = {"sessionId": "s1", "toolCall": call, "options": OPTIONS}
        self.say(id=question, method="session/request_permission", params=params)
        answer = json.loads(sys.stdin.readline())
        assert answer["id"] == question, answer
        outcome = answer["result"]["outcome"]
        return str(outcome.get("optionId", outcome["outcome"]))


def main(behaviour: str, *argv: str) -> int:
    if argv == ("--version",):
        print("0.999.0")
        return 0
    assert argv in ARGUMENTS, argv
    if behaviour == "foreign":
        sys.stderr.write("Unknown argument: acp\n")
        return 2
    Agent(behaviour).serve()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
