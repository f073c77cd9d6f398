"""A program that behaves like ``codex app-server`` in the ways that the real one only does on bad days.

Installed as ``codex`` by :func:`install`; ``behaviour`` is what it does:

``old``         does not know the app server;
``ancient``     is of a version before tools could be declared;
``overloaded``  refuses the first attempts to begin a turn;
``crash``       ends in the middle of a turn, with last words;
``garbage``     says something that is no JSON in the middle of a turn;
``questions``   asks what only other tool servers and permissions ask, and says the answers;
``limits``      fails a turn because a quota is used up, and has said until when;
``stubborn``    goes on when its input ends, with a child of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

FORM = {
    "type": "object",
    "properties": {
        "colour": {"type": "string", "enum": ["red", "blue"]},
        "count": {"type": "integer", "description": "How many?"},
        "sure": {"type": "boolean"},
    },
    "required": ["colour"],
}
REFUSALS = 2
AHEAD = 3600


def install(folder: Path, behaviour: str) -> Path:
    """A folder with a ``codex`` that behaves so."""
    folder.mkdir(parents=True)
    program = folder / "codex"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} {__file__} {behaviour} {folder} "$@"\n')
    program.chmod(0o755)
    return folder


class Server:
    def __init__(self, behaviour: str, folder: Path) -> None:
        self.behaviour = behaviour
        self.folder = folder
        self.begun = 0
        self.asked = 0

    def say(self, message: dict[str, Any]) -> None:
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()

    def tell(self, method: str, **params: Any) -> None:
        self.say({"method": method, "params": {"threadId": "t1", "turnId": "u1", **params}})

    def ask(self, method: str, **params: Any) -> Any:
        """The client's answer, whatever else it says meanwhile."""
        self.asked += 1
        self.say(
            {"id": f"q{self.asked}", "method": method, "params": {"threadId": "t1", "turnId": "u1", **params}}
        )
        while True:
            message = json.loads(sys.stdin.readline())
            if message.get("id") == f"q{self.asked}":
                return message.get("result", message.get("error"))

    def end(self, status: str, text: str = "", **error: Any) -> None:
        if text:
            self.tell("item/completed", item={"type": "agentMessage", "id": "m1", "text": text})
        self.tell("turn/completed", turn={"id": "u1", "status": status, "items": [], "error": error or None})

    def serve(self) -> None:
        for line in sys.stdin:
            message = json.loads(line)
            method = message.get("method")
            if "id" not in message:
                continue
            if method == "initialize":
                version = "0.90.1" if self.behaviour == "ancient" else "0.999.0"
                self.say({"id": message["id"], "result": {"userAgent": f"ade/{version} (Test)"}})
            elif method in ("thread/start", "thread/resume"):
                self.say({"id": message["id"], "result": {"thread": {"id": "t1"}, "model": "m"}})
            elif method == "turn/start":
                self.turn(message["id"])
            else:
                self.say({"id": message["id"], "error": {"code": -32601, "message": "unknown"}})
        if self.behaviour == "stubborn":
            time.sleep(AHEAD)

    def turn(self, identifier: int) -> None:
        self.begun += 1
        if self.behaviour == "overloaded" and self.begun <= REFUSALS:
            self.say(
                {"id": identifier, "error": {"code": -32001, "message": "Server overloaded; retry later."}}
            )
            return
        self.say({"id": identifier, "result": {"turn": {"id": "u1"}}})
        getattr(self, self.behaviour)()

    def overloaded(self) -> None:
        self.end("completed", f"Begun at attempt {self.begun}.")

    def crash(self) -> None:
        sys.stderr.write("thread 'main' panicked: out of luck\n")
        sys.exit(101)

    def garbage(self) -> None:
        sys.stdout.write("not JSON\n")
        sys.stdout.flush()

    def limits(self) -> None:
        window = {"usedPercent": 100, "resetsAt": int(time.time()) + AHEAD}
        self.say({"method": "account/rateLimits/updated", "params": {"rateLimits": {"primary": window}}})
        self.end("failed", message="Used up.", codexErrorInfo="usageLimitExceeded")

    def stubborn(self) -> None:
        child = subprocess.Popen(["sleep", str(AHEAD)], start_new_session=True)
        (self.folder / "pids").write_text(f"{os.getpid()} {child.pid}")
        self.end("completed", "Still here.")

    def questions(self) -> None:
        network = {"network": {"enabled": True}}
        form = {"mode": "form", "serverName": "paints", "message": "Order?", "requestedSchema": FORM}
        bare = {**form, "message": "May it run?", "requestedSchema": {"type": "object", "properties": {}}}
        answers = [
            self.ask(
                "item/permissions/requestApproval",
                itemId="i1",
                cwd="/",
                permissions=network,
                reason="To look",
            ),
            self.ask("mcpServer/elicitation/request", **bare),
            self.ask("mcpServer/elicitation/request", **form),
            self.ask("attestation/generate"),
        ]
        self.end("completed", json.dumps(answers))


def main(behaviour: str, folder: str, *argv: str) -> int:
    if argv == ("--version",):
        print("codex-cli 0.999.0")
        return 0
    if behaviour == "old":
        sys.stderr.write("error: unrecognized subcommand 'app-server'\n")
        return 2
    Server(behaviour, Path(folder)).serve()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
