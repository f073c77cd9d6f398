"""A model and an MCP server with one tool, on 127.0.0.1 in this process, that write down what a program does with them."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from ade_runtime.machine.doctor.clients import dialects

LONGEST = 16 * 1024 * 1024
MODEL_PATHS = ("/v1/messages", "/v1/responses", "/v1/chat/completions")
OLDER = "2025-11-25"
"""What a program that asks for a newer revision is answered in: the probe speaks the handshake revisions only."""

TEXT, STRUCTURED = "shown as text", "shown as structured content"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "word": {
            "type": "string",
            "description": "Any word.",
            "pattern": "^[a-z]+$",
            "minLength": 1,
            "maxLength": 20,
            "default": "probe",
        },
        "number": {"type": "integer", "minimum": 1, "maximum": 9},
        "kind": {"type": "string", "enum": ["one", "other"]},
    },
    "required": ["word"],
    "additionalProperties": False,
}
OUTPUT = {"type": "object", "properties": {"told": {"type": "string"}}, "required": ["told"]}
KEYWORDS = ("pattern", "minLength", "maxLength", "minimum", "maximum", "default", "enum", "required")


@dataclass
class Seen:
    """What one program did. ``shown`` is the tool as it reached the model, ``result`` the request that held its result."""

    asked_model: bool = False
    versions: list[str] = field(default_factory=list)
    authorised: bool = False
    listed: bool = False
    called: bool = False
    shown: dict[str, Any] | None = None
    result: str = ""

    @property
    def dropped(self) -> list[str]:
        """Keywords of the tool's schema that did not reach the model."""
        text = json.dumps(self.shown or {})
        return [word for word in KEYWORDS if f'"{word}"' not in text]


class Probe:
    """Use as a context manager. ``token`` is what the MCP server wants as a bearer token."""

    def __init__(self, token: str) -> None:
        self.seen = Seen()
        self.token = token
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Probe:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join(10)
        self._server.server_close()

    def model(self, path: str, body: dict[str, Any]) -> bytes:
        """The model's answer: the tool is called once, where it is offered; all else ends the turn."""
        self.seen.asked_model = True
        tool = dialects.offered(body)
        if tool is not None and self.seen.shown is None:
            self.seen.shown = tool
            return dialects.events(path, body, tool)
        if dialects.answered(body):
            self.seen.result = json.dumps(body, ensure_ascii=False)
        return dialects.events(path, body, None)

    def mcp(self, message: dict[str, Any], version: str | None) -> dict[str, Any] | None:
        """The answer to one MCP message, ``None`` where none is wanted."""
        method, params = message.get("method"), message.get("params") or {}
        asked = params.get("protocolVersion") or version
        if asked and asked not in self.seen.versions:
            self.seen.versions.append(str(asked))
        if "id" not in message:
            return None
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
        result = self._result(str(method), str(asked))
        if result is None:
            return answer | {"error": {"code": -32601, "message": f"no method {method}"}}
        return answer | {"result": result}

    def _result(self, method: str, asked: str) -> dict[str, Any] | None:
        if method == "initialize":
            info = {"name": "ade-doctor", "version": "1"}
            version = min(asked, OLDER)
            return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
        if method == "ping":
            return {}
        if method == "tools/list":
            self.seen.listed = True
            tool = {"name": dialects.TOOL, "description": "Answers at once.", "inputSchema": SCHEMA}
            tool |= {"outputSchema": OUTPUT, "annotations": {"readOnlyHint": True}}
            return {"tools": [tool | {"_meta": {"anthropic/alwaysLoad": True}}]}
        if method == "tools/call":
            self.seen.called = True
            return {"content": [{"type": "text", "text": TEXT}], "structuredContent": {"told": STRUCTURED}}
        return None


def _handler(probe: Probe) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            raw = self.rfile.read(min(max(length, 0), LONGEST))
            path = self.path.partition("?")[0]
            try:
                body = json.loads(raw)
            except ValueError:
                self._send(400, b"{}")
                return
            if path == "/mcp":
                self._mcp(body)
            elif path in MODEL_PATHS:
                self._send(200, probe.model(path, body), "text/event-stream")
            elif path.endswith("/count_tokens"):
                self._send(200, b'{"input_tokens": 1}')
            else:
                self._send(404, b"{}")

        def _mcp(self, body: Any) -> None:
            if self.headers.get("Authorization") != f"Bearer {probe.token}" or not isinstance(body, dict):
                self._send(401 if isinstance(body, dict) else 400, b"{}")
                return
            probe.seen.authorised = True
            answer = probe.mcp(body, self.headers.get("Mcp-Protocol-Version"))
            self._send(202, b"") if answer is None else self._send(200, json.dumps(answer).encode())

        def do_GET(self) -> None:
            if self.path.startswith("/mcp"):
                self._send(405, b"")
            else:
                self._send(200, b'{"object": "list", "data": []}')

        def do_DELETE(self) -> None:
            self._send(405, b"")

        def do_HEAD(self) -> None:
            self._send(200, b"")

        def _send(self, status: int, data: bytes, kind: str = "application/json") -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    return Handler
