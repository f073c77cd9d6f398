"""The stand-in's HTTP: who may ask, and the faults that a test has ordered."""

from __future__ import annotations

import json
import socket
import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.support import exchanges
from tests.support.linear.execute import perform
from tests.support.linear.oauth import Desk
from tests.support.linear.workspace import Workspace

HEAD = 120
"""Bytes that are sure to hold the head of an answer."""
STEP = 97
KEY = "lin_api_standin0123456789abcdefghijklmnop"


@dataclass
class Fault:
    """What goes wrong with the next request that holds the word ``about``.

    ``status`` answers with it, and ``document`` and ``headers``, without doing anything. ``cut_after`` does what was asked and
    closes the connection after that many bytes of the answer; ``lost`` closes it before. ``held`` does it and answers once the
    event is set.
    """

    about: str = ""
    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    document: Any = None
    cut_after: int | None = None
    lost: bool = False
    held: threading.Event | None = None


def sampled(length: int) -> Iterator[int]:
    """Places in an answer: some of its head, its end, and some between."""
    yield from range(0, min(length, HEAD), 19)
    yield from range(HEAD, length, STEP)
    yield from (length - 1, length)


def each(length: int) -> Iterator[int]:
    """Every place in an answer."""
    yield from range(length + 1)


class LinearStandIn:
    """A server on a free port of the loopback; use as a context manager. ``requests`` are the documents that came."""

    def __init__(self) -> None:
        self.workspace = Workspace()
        self.desk = Desk()
        self.faults: deque[Fault] = deque()
        self.requests: list[dict[str, Any]] = []
        self.granted: list[tuple[str, dict[str, str]]] = []
        """What came to OAuth: path and form."""

        self.sizes: list[int] = []
        """Bytes of each answer, its head included."""
        self.key = KEY
        self.lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/graphql"

    def __enter__(self) -> LinearStandIn:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def fault_for(self, query: str) -> Fault | None:
        """The first fault that was ordered for such a request, which is then used up."""
        for one in self.faults:
            if one.about in query:
                self.faults.remove(one)
                return one
        return None

    def allows(self, header: str | None) -> bool:
        if header == (self.key if self.key.startswith("lin_api_") else f"Bearer {self.key}"):
            return True
        scheme, _, token = (header or "").partition(" ")
        return scheme == "Bearer" and self.desk.knows(token)


def _handler(stand_in: LinearStandIn) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            with stand_in.lock:
                if self.path.startswith("/oauth/"):
                    self._grant(dict(parse_qsl(body.decode())))
                else:
                    self._answer(json.loads(body))

        def do_GET(self) -> None:
            place = urlsplit(self.path)
            with stand_in.lock:
                status, where = stand_in.desk.authorize(place.query)
            headers = {"Location": where} if status == 302 else {}
            self.wfile.write(_packed(status, "" if headers else where, headers))

        def _grant(self, form: dict[str, str]) -> None:
            stand_in.granted.append((self.path, form))
            fault = stand_in.fault_for(self.path) or Fault()
            if fault.lost:
                return self._cut(b"")
            if self.headers.get("Content-Type") != "application/x-www-form-urlencoded":
                status, document = 400, {"error": "invalid_request"}
            elif fault.status is not None:
                status, document = fault.status, fault.document
            elif self.path == "/oauth/token":
                status, document = stand_in.desk.token(form)
            else:
                status, document = stand_in.desk.revoke(form)
            answer = _packed(status, document, fault.headers)
            stand_in.sizes.append(len(answer))
            if fault.cut_after is not None:
                return self._cut(answer[: fault.cut_after])
            self.wfile.write(answer)

        def _answer(self, request: dict[str, Any]) -> None:
            stand_in.requests.append(request)
            fault = stand_in.fault_for(request["query"]) or Fault()
            if fault.lost:
                return self._cut(b"")
            if fault.status is not None:
                answer = _packed(fault.status, fault.document, fault.headers)
            elif not stand_in.allows(self.headers.get("Authorization")):
                problem = {
                    "message": "Authentication required",
                    "extensions": {"code": "AUTHENTICATION_ERROR"},
                }
                answer = _packed(401, {"errors": [problem]}, {})
            else:
                status, document = perform(stand_in.workspace, request)
                exchanges.note("linear", _exchange(request, status, document))
                answer = _packed(status, document, fault.headers)
            stand_in.sizes.append(len(answer))
            if fault.held is not None:
                fault.held.wait(10)
            if fault.cut_after is not None:
                return self._cut(answer[: fault.cut_after])
            self.wfile.write(answer)

        def _cut(self, part: bytes) -> None:
            self.wfile.write(part)
            self.wfile.flush()
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_WR)

        def log_message(self, *_: object) -> None:
            """Say nothing: what came is in ``requests``."""

    return Handler


def _exchange(request: dict[str, Any], status: int, document: Any) -> exchanges.Exchange:
    return exchanges.Exchange(
        method="POST",
        target="/graphql",
        sent_type="application/json",
        sent=json.dumps(request),
        status=status,
        answered=json.dumps(document),
    )


def _packed(status: int, document: Any, headers: dict[str, str]) -> bytes:
    body = document.encode() if isinstance(document, str) else json.dumps(document).encode()
    lines = [f"HTTP/1.1 {status} Stand-in", "Content-Type: application/json", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body
