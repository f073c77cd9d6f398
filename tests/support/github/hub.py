"""The server: tokens, pages, entity tags, and whatever a test wants to go wrong."""

from __future__ import annotations

import hashlib
import json
import os
import re
import socket
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlencode

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.support import exchanges
from tests.support.github import schema
from tests.support.github.rest import ROUTES, Ask, Page, Problem
from tests.support.github.state import Repository

TOKEN = "ghp_" + "StandInStandInStandInStandInStandIn1"
OTHER = "ghp_" + "StandInStandInStandInStandInStandIn2"
LOGINS = {TOKEN: "ada", OTHER: "grace"}
JSON = "application/json; charset=utf-8"
VERSION = "2022-11-28"
"""Version of the REST interface that is spoken."""


@dataclass
class Fault:
    """Goes wrong for the next ``times`` requests that fit, ``skip`` of them left out. ``instead`` answers before anything is
    done, ``after`` in place of the answer once it was."""

    method: str
    path: str
    times: int = 1
    instead: Callable[[], Response] | None = None
    after: Callable[[], Response] | None = None
    skip: int = 0

    def is_due(self, method: str, path: str) -> bool:
        """Whether it is this request's turn."""
        if self.times <= 0 or self.method != method or re.search(self.path, path) is None:
            return False
        self.skip -= 1
        return self.skip < 0


@dataclass(frozen=True)
class Seen:
    """A request as it was answered."""

    method: str
    path: str
    status: int
    conditional: bool


@dataclass
class Hub:
    """All that the stand-in knows."""

    repositories: dict[str, Repository] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    cutting: Cut | None = None
    address: str = ""
    news: threading.Condition = field(default_factory=threading.Condition)

    def add(self, full_name: str, git: Path) -> Repository:
        owner, _, name = full_name.partition("/")
        made = self.repositories[full_name.lower()] = Repository(owner, name, git)
        return made

    def clear(self) -> None:
        self.repositories.clear()
        self.faults.clear()
        self.seen.clear()
        self.cutting = None

    def note(self, seen: Seen) -> None:
        with self.news:
            self.seen.append(seen)
            self.news.notify_all()

    def wait_for(self, path: str, seconds: float = 30.0) -> None:
        """Return once a request to such a path was answered."""
        with self.news:
            assert self.news.wait_for(lambda: any(re.search(path, one.path) for one in self.seen), seconds)


@dataclass
class Cut:
    """The answer to the next request that fits, ``skip`` of them left out, ends after ``after`` bytes, its head included."""

    method: str
    path: str
    after: int
    skip: int = 0
    done: bool = False
    length: int = 0
    """Bytes of the whole answer, once there was one."""

    def is_due(self, method: str, path: str) -> bool:
        """Whether it is this answer's turn."""
        if self.done or method != self.method or not re.search(self.path, path.split("?")[0]):
            return False
        self.skip -= 1
        return self.skip < 0


def application(hub: Hub) -> Starlette:
    async def serve(request: Request) -> Response:
        body = await request.body()
        path = request.scope["path"]
        answer, invented = _answer(hub, request, path, body)
        conditional = "if-none-match" in request.headers
        exchanges.note("github", _exchange(request, body, answer, invented=invented))
        hub.note(Seen(request.method, path, answer.status_code, conditional))
        return answer

    methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    return Starlette(routes=[Route("/{rest:path}", serve, methods=methods)])


def _exchange(request: Request, body: bytes, answer: Response, *, invented: bool) -> exchanges.Exchange:
    query = request.scope["query_string"].decode()
    return exchanges.Exchange(
        method=request.method,
        target=request.scope["raw_path"].decode() + (f"?{query}" if query else ""),
        sent_type=request.headers.get("content-type", ""),
        sent=body.decode(),
        status=answer.status_code,
        answered=bytes(answer.body).decode(),
        invented=invented,
    )


def _answer(hub: Hub, request: Request, path: str, body: bytes) -> tuple[Response, bool]:
    """What is answered, and whether a test has made that up."""
    fault = next((one for one in hub.faults if one.is_due(request.method, path)), None)
    if fault is not None:
        fault.times -= 1
        if fault.instead is not None:
            return fault.instead(), True
    try:
        made = _perform(hub, request, path, body)
    except Problem as problem:
        made = _json(problem.status, problem.body, problem.headers)
    except (
        Exception
    ) as problem:  # a fault of the stand-in itself, such as an answer that GitHub's description forbids
        traceback.print_exc()
        made = _json(501, {"message": f"The stand-in failed: {problem!r}"})
    return (fault.after(), True) if fault is not None and fault.after is not None else (made, False)


def _perform(hub: Hub, request: Request, path: str, body: bytes) -> Response:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    login = LOGINS.get(token) if scheme.lower() in ("token", "bearer") else None
    if login is None:
        raise Problem(401, "Bad credentials")
    if request.headers.get("x-github-api-version", VERSION) != VERSION:
        raise Problem(400, "Your request specifies an unsupported version.")
    given = json.loads(body) if body else {}
    if path == "/graphql":
        return _json(200, schema.answer(hub.repositories, login, given))
    for method, pattern, status, handler in ROUTES:
        found = pattern.fullmatch(path) if method == request.method else None
        if found is None:
            continue
        fields = found.groupdict()
        key = f"{fields.pop('owner')}/{fields.pop('name')}".lower()
        repository = hub.repositories.get(key)
        if repository is None:
            continue
        if repository.moved_to is not None and request.method == "GET":
            place = hub.address + re.sub(f"/repos/{re.escape(key)}", f"/repos/{repository.moved_to}", path)
            moved = {
                "message": "Moved Permanently",
                "url": place,
                "documentation_url": "https://docs.github.com/rest",
            }
            return _json(301, moved, {"location": place})
        if repository.archived and request.method != "GET":
            raise Problem(403, "Repository was archived so is read-only.")
        ask = Ask(repository, login, hub.address, dict(request.query_params), given)
        return _told(request, status, handler(ask, **fields))
    raise Problem(404, "Not Found")


def _told(request: Request, status: int, made: Any) -> Response:
    headers: dict[str, str] = {}
    if isinstance(made, Page):
        size, number = int(request.query_params.get("per_page", 30)), int(request.query_params.get("page", 1))
        if number * size < len(made.items):
            query = urlencode({**request.query_params, "page": number + 1})
            headers["link"] = f'<{str(request.url).split("?")[0]}?{query}>; rel="next"'
        made = made.wrap(made.items[(number - 1) * size : number * size])
    if status == 204:
        return Response(status_code=204)
    answer = _json(status, made, headers)
    if request.method == "GET":
        etag = f'W/"{hashlib.sha256(bytes(answer.body)).hexdigest()}"'
        if request.headers.get("if-none-match") == etag:
            return Response(status_code=304, headers={"etag": etag})
        answer.headers["etag"] = etag
    return answer


def _json(status: int, document: Any, headers: Mapping[str, str] | None = None) -> Response:
    limits = {"x-ratelimit-limit": "5000", "x-ratelimit-remaining": "4999", "x-oauth-scopes": "repo"}
    return Response(json.dumps(document, separators=(",", ":")), status, {**limits, **(headers or {})}, JSON)


def failing(status: int, message: str = "Server Error", **headers: str) -> Callable[[], Response]:
    """What a fault answers."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda: _json(status, {"message": message}, named)


@cache
def stand_in() -> Hub:
    """The stand-in of this test process, running."""
    import uvicorn

    hub = Hub()
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        application(hub), log_level="critical", lifespan="off", ws="none", timeout_keep_alive=60
    )
    server = uvicorn.Server(config)
    threading.Thread(target=server.run, args=([listener],), daemon=True).start()
    inner = listener.getsockname()[1]
    outer = socket.create_server(("127.0.0.1", 0), backlog=128)
    threading.Thread(target=_relay, args=(hub, outer, inner), daemon=True).start()
    hub.address = f"http://127.0.0.1:{outer.getsockname()[1]}"
    return hub


def _relay(hub: Hub, outer: socket.socket, inner: int) -> None:
    """Carry bytes between clients and the server, and cut answers short: that is done below HTTP, where cables are cut."""
    while True:
        client, _ = outer.accept()
        threading.Thread(target=_carry, args=(hub, client, inner), daemon=True).start()


def _carry(hub: Hub, client: socket.socket, inner: int) -> None:
    with client, socket.create_connection(("127.0.0.1", inner)) as server:
        for end in (
            client,
            server,
        ):  # a head and a body that come in two pieces do not wait for each other (RFC 896)
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while request := client.recv(2**16):
            first = request.split(b"\r\n", 1)[0].decode("latin-1").split(" ")
            for part in (request, *_rest(client, request)):
                server.sendall(part)
            answer = _whole_answer(server)
            if not answer:
                return
            cut = hub.cutting
            method, path = first[0], unquote(first[1])
            if cut is not None and cut.is_due(method, path):
                cut.done, cut.length = True, len(answer)
                client.sendall(answer[: cut.after])
                return
            client.sendall(answer)


def _rest(client: socket.socket, request: bytes) -> Iterator[bytes]:
    """What of the request has not come yet."""
    while b"\r\n\r\n" not in request:
        part = client.recv(2**16)
        request += part
        yield part
    head, _, body = request.partition(b"\r\n\r\n")
    found = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
    left = int(found[1]) - len(body) if found else 0
    while left > 0:
        part = client.recv(2**16)
        left -= len(part)
        yield part


def _whole_answer(server: socket.socket) -> bytes:
    answer = b""
    while b"\r\n\r\n" not in answer:
        part = server.recv(2**16)
        if not part:
            return answer
        answer += part
    head, _, body = answer.partition(b"\r\n\r\n")
    found = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
    left = int(found[1]) - len(body) if found else 0
    while left > 0:
        part = server.recv(2**16)
        if not part:
            break
        answer += part
        left -= len(part)
    return answer


def ours(hub: Hub) -> dict[str, str]:
    """The variables of a process that is signed in at the stand-in."""
    return {"ADE_GITHUB_API": hub.address, "GH_TOKEN": TOKEN}


@contextmanager
def signed_in() -> Iterator[Hub]:
    """Have this process signed in at the stand-in, empty."""
    hub = stand_in()
    hub.clear()
    before = {name: os.environ.get(name) for name in ours(hub)}
    os.environ.update(ours(hub))
    try:
        yield hub
    finally:
        hub.clear()
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
