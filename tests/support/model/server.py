"""The HTTP server of a scripted model. Each dialect is a module with the path it answers and how its answers look."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from tests.support.model import anthropic, openai_chat, openai_responses
from tests.support.model.script import Cast, Fail, Hold, Script

LONGEST = 64 * 1024 * 1024
PATIENCE = 60.0
DIALECTS = (anthropic, openai_responses, openai_chat)


class Model:
    """Use as a context manager. ``requests`` are the bodies of those requests that wanted an answer of the script, in order;
    ``problems`` is what went wrong with the script itself."""

    def __init__(self, *answers: Any, cast: Cast | None = None) -> None:
        self.script: Script | Cast = Script(answers) if cast is None else cast
        self.requests: list[dict[str, Any]] = []
        self.problems: list[Exception] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def tools(self, request: int = 0) -> list[str]:
        """Names of the tools that a request offered."""
        return [str(tool.get("name")) for tool in self.requests[request].get("tools", [])]

    def __enter__(self) -> Model:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join(10)
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(min(int(self.headers.get("Content-Length", 0)), LONGEST)))
                path = self.path.partition("?")[0]
                for dialect in DIALECTS:
                    if path == dialect.COUNT_PATH:
                        self.document({"input_tokens": 10})
                        return
                    if path == dialect.PATH:
                        self.answer(dialect, body)
                        return
                self.send_error(404)

            def answer(self, dialect: Any, body: dict[str, Any]) -> None:
                if not dialect.wants_the_script(body):
                    self.stream(dialect, dialect.said(body, "ok"))
                    return
                model.requests.append(body)
                answer = model.script.next(body)
                if isinstance(answer, Hold):
                    answer.reached.set()
                    answer.released.wait(PATIENCE)
                if isinstance(answer, Fail):
                    self.document(dialect.failure(answer), answer.status, answer.headers)
                    return
                try:
                    events = dialect.events(body, answer)
                except Exception as problem:  # what a test's own script is asked comes too late for pytest
                    model.problems.append(problem)
                    self.document(dialect.failure(Fail(400, message=str(problem))), 400)
                    raise
                self.stream(dialect, events)

            def document(self, body: Any, status: int = 200, headers: dict[str, str] | None = None) -> None:
                data = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                for name, value in (headers or {}).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def stream(self, dialect: Any, events: list[dict[str, Any]]) -> None:
                data = b"".join(_event(event) for event in events) + getattr(dialect, "END", b"")
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def do_HEAD(self) -> None:
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def do_GET(self) -> None:
                self.document({"object": "list", "data": []})

            def log_message(self, *_: object) -> None:
                """Keep quiet."""

        return Handler


def _event(event: dict[str, Any]) -> bytes:
    name = f"event: {event['type']}\n" if "type" in event else ""
    return f"{name}data: {json.dumps(event)}\n\n".encode()
