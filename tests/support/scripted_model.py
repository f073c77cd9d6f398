"""A model on loopback that answers by a script: first a tool call, then, once its result came back, a closing sentence.

It speaks the OpenAI Responses dialect (``POST /v1/responses``, server-sent events). ``requests`` holds every request body that
reached it, so that a test can look at what a model really is shown.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

LONGEST = 64 * 1024 * 1024


class ScriptedModel:
    """Use as a context manager. Each of ``commands`` is asked for through the shell tool, one after the other."""

    def __init__(self, commands: Sequence[str], *, workdir: str) -> None:
        self.commands = list(commands)
        self.workdir = workdir
        self.requests: list[dict[str, Any]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def outputs(self) -> list[str]:
        """What the shell tool gave back, in order, as the model is shown it."""
        shown = self.requests[-1]["input"] if self.requests else []
        return [_text(item["output"]) for item in shown if item.get("type") == "function_call_output"]

    @property
    def tools(self) -> list[str]:
        """Names of the tools that the model was offered first."""
        return [str(tool.get("name")) for tool in self.requests[0].get("tools", [])]

    def __enter__(self) -> ScriptedModel:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join(10)
        self._server.server_close()

    def events(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        """The answer to one request: the next command, or the end."""
        self.requests.append(body)
        done = sum(item.get("type") == "function_call_output" for item in body.get("input", []))
        identifier = f"resp_{len(self.requests)}"
        if done < len(self.commands):
            item = self._call(done)
        else:
            text = {"type": "output_text", "text": "done", "annotations": []}
            item = {"type": "message", "id": f"msg_{done}", "role": "assistant", "content": [text]}
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        return [
            {"type": "response.created", "response": {"id": identifier}},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": {"id": identifier, "usage": usage}},
        ]

    def _call(self, number: int) -> dict[str, Any]:
        """A call of the shell tool, in the words of whichever one was offered."""
        command = self.commands[number]
        if "exec_command" in self.tools:
            name, arguments = (
                "exec_command",
                {"cmd": command, "workdir": self.workdir, "yield_time_ms": 30000},
            )
        else:
            name, arguments = "shell", {"command": ["bash", "-lc", command], "workdir": self.workdir}
        return {
            "type": "function_call",
            "id": f"fc_{number}",
            "call_id": f"call_{number}",
            "name": name,
            "arguments": json.dumps(arguments),
        }

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(min(int(self.headers.get("Content-Length", 0)), LONGEST)))
                if not self.path.endswith("/responses"):
                    self.send_error(404)
                    return
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                for event in model.events(body):
                    self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())

            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(b'{"object":"list","data":[]}')

            def log_message(self, *_: object) -> None:
                """Keep quiet."""

        return Handler


def _text(output: object) -> str:
    if isinstance(output, list):
        return "".join(str(part.get("text", "")) for part in output if isinstance(part, dict))
    return str(output)
