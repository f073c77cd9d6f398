"""One client's connection: frames in, calls started, answers out, and what ends when the client goes away."""

from __future__ import annotations

import asyncio
import select
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ade_generated import errors
from ade_runtime.contracts import AdeError
from ade_runtime.pipeline.identify import Attempt
from ade_runtime.server import envelope
from ade_runtime.server.calls import Calls, Reply, Steps
from ade_runtime.server.envelope import BadJson, Invalid, Request
from ade_runtime.server.following import Following
from ade_runtime.server.framing import FRAME_LIMIT, Fault, Frame, FrameReader, encode
from ade_runtime.server.outbox import Outbox
from ade_runtime.server.peer import peer_of

if TYPE_CHECKING:
    from ade_runtime.mcp_endpoint.pipe import Pipe
    from ade_runtime.pipeline.call import Identity
    from ade_runtime.pipeline.identify import Origin
    from ade_runtime.server.server import Server

IN_FLIGHT_LIMIT = 256
PARSE_ASIDE = 256 * 1024
"""Frames above this are parsed on another thread: an 8 MiB one would hold up every other client for a third of a second."""

WAITING_LIMIT = 512
"""Requests of one client that may wait for their turn before no more are read from it."""

TURN = 8
"""Requests taken from one client at a time while no other one has any waiting. Their answers leave in one piece."""

WRITE_HIGH_WATER = 256 * 1024
GONE_CHECK_SECONDS = 0.5


class Member(NamedTuple):
    """A request of a batch."""

    request: Request
    reply: Reply


class Connection(asyncio.Protocol):
    """Speaks JSON-RPC with one client. All of its calls are cancelled when the client is gone."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._reader = FrameReader()
        self._calls = Calls(server, self, self._call_ended)
        self._waiting: deque[Frame | Fault | Member] = deque()
        self._turn_ahead = False
        self._writing_paused = False
        self._reading = True
        self._parsing: asyncio.Task[None] | None = None
        self._half_closed = False
        self._headed = False
        self._transport: asyncio.Transport
        self._outbox: Outbox
        self.origin: Origin
        self.session: str | None = None
        """The session whose token the client gave when it introduced itself."""
        self.introduced: Identity | None = None
        """Who the client was when it introduced itself; only then it is told of changes it did not ask for."""
        self.following = Following(self)
        self.pipe: Pipe | None = None
        """What reads this connection from ``mcp/connect`` on."""

    # -- what asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._outbox = Outbox(self._transport, self._server.loop)
        self._server.accepted += 1
        self._transport.set_write_buffer_limits(high=WRITE_HIGH_WATER)
        try:
            self.origin = self._server.origin(*peer_of(transport.get_extra_info("socket")))
        except AdeError as problem:
            self._send(envelope.error_answer(None, problem))
            self.close()
            return
        self._server.connections.add(self)

    def data_received(self, data: bytes) -> None:
        if self.pipe is not None:
            self.pipe.feed(self._reader.feed(data))
            self.pace()
            return
        self._waiting.extend(self._reader.feed(data))
        self._take_waiting()
        self.pace()

    def eof_received(self) -> bool:
        """A client may close its sending side and still wait for answers; one that closed both sides is gone."""
        if self._peer_gone():
            return False
        if self.pipe is not None:
            self.pipe.end_reading()
            self._end_when_gone()
            return True
        self._half_closed = True
        self._close_when_answered()
        return not self._transport.is_closing()

    def connection_lost(self, _problem: Exception | None) -> None:
        self._server.connections.discard(self)
        self._waiting.clear()
        self.cancel_all()
        self.following.end_all()
        if self.pipe is not None:
            self.pipe.cancel()
        if self._parsing is not None:
            self._parsing.cancel()

    def pause_writing(self) -> None:
        """The client reads slowly: take no more requests from it until it caught up."""
        self._writing_paused = True
        if self.pipe is not None:
            self.pipe.make_room(False)
        self.pace()

    def resume_writing(self) -> None:
        self._writing_paused = False
        if self.pipe is not None:
            self.pipe.make_room(True)
        self.pace()
        self.following.make_room()
        self._take_waiting()
        self._rest()

    # -- for the server

    @property
    def congested(self) -> bool:
        """Whether the client has much to read already."""
        return self._writing_paused

    def notify(self, method: str, params: dict[str, Any]) -> None:
        """Send a notification, framed as the client's last message was; a client of MCP would not know it."""
        if self.pipe is None:
            self._send(envelope.notification(method, params), self._headed)

    def cancel_all(self) -> list[asyncio.Task[None]]:
        """Cancel every call of this connection; each is answered as cancelled where the client is still there."""
        return self._calls.cancel_all() + ([] if self.pipe is None else [self.pipe.cancel()])

    def known(self) -> Identity | None:
        """The identity, where nothing has to be looked up for it."""
        return None if self.session is not None else self._server.services.identification.known(self.origin)

    async def identity(self, action: str, wanted: str | None = None) -> Identity:
        """Who the client is: the session it introduced itself as, else what its process is. ``action`` is what it asks,
        ``wanted`` a role to be in, at most its own."""
        known = None if wanted else self.known()
        if known is not None:
            return known
        identification = self._server.services.identification
        attempt = Attempt(action, "socket")
        if self.session is not None:
            return await identification.again(self.session, self.origin, attempt, wanted=wanted)
        return await identification.identify(self.origin, attempt, wanted=wanted)

    def write_line(self, body: bytes) -> None:
        """Send one line as it is."""
        self._send(body)

    def close(self) -> None:
        """Send what is written, then close."""
        self._outbox.flush()
        self._transport.close()

    # -- frames

    def pace(self) -> None:
        """Read from the client, or not while it has enough to be done first."""
        enough = len(self._waiting) > WAITING_LIMIT if self.pipe is None else self.pipe.full
        may_read = not (self._writing_paused or self._parsing or enough)
        if may_read is self._reading or self._transport.is_closing():
            return
        self._reading = may_read
        if may_read:
            self._transport.resume_reading()
        else:
            self._transport.pause_reading()

    def _take_waiting(self) -> None:
        """Take some of what came; the next waits until every other client has had a turn. The more of them wait, the less it
        is, down to one at a time, and one at a time where the answers are large.

        What stands behind a frame that is parsed aside waits for that too, and all of it while answers pile up that the client
        does not read.
        """
        if self._turn_ahead or self._parsing or self._writing_paused or not self._waiting:
            return
        share = 1 if self._outbox.heavy else max(1, TURN // (1 + self._server.turns_ahead))
        while self._waiting and not self._parsing and share:
            self._take(self._waiting.popleft())
            share -= 1
        if self._waiting and not self._parsing:
            self._turn_ahead = True
            self._server.turns_ahead += 1
            self._server.loop.call_soon(self._turn)
        else:
            self._outbox.soon()

    def _turn(self) -> None:
        self._turn_ahead = False
        self._server.turns_ahead -= 1
        self._take_waiting()
        self._rest()

    def _rest(self) -> None:
        """Once nothing waits: read on, and close where the client only waited for its answers."""
        if not self._waiting:
            self.pace()
            self._call_ended()

    def _take(self, item: Frame | Fault | Member) -> None:
        if isinstance(item, Member):
            self._request(*item)
        elif isinstance(item, Fault):
            self._fault(item)
        elif len(item.body) > PARSE_ASIDE:
            self._parsing = self._server.loop.create_task(self._parse_aside(item))
        else:
            try:
                self._message(envelope.read_message(item.body), item.headed)
            except BadJson as problem:
                self._bad_json(problem, item.headed)

    async def _parse_aside(self, frame: Frame) -> None:
        loop = self._server.loop
        try:
            self._message(await loop.run_in_executor(None, envelope.read_message, frame.body), frame.headed)
        except BadJson as problem:
            self._bad_json(problem, frame.headed)
        self._parsing = None
        self._take_waiting()
        self._rest()

    def _fault(self, fault: Fault) -> None:
        if fault is Fault.TOO_LARGE:
            text = f"a frame may hold at most {FRAME_LIMIT} bytes"
            self._send(envelope.failure(None, envelope.INVALID_REQUEST, text))
            return
        text = "the header block is not understood; expected Content-Length: N and a blank line"
        self._send(envelope.failure(None, envelope.PARSE_ERROR, text))
        self.close()

    def _bad_json(self, problem: BadJson, headed: bool) -> None:
        self._send(envelope.failure(None, envelope.PARSE_ERROR, f"not JSON: {problem}"), headed)

    def _message(self, message: Request | Invalid | list[Request | Invalid], headed: bool) -> None:
        self._headed = headed
        if isinstance(message, list):
            self._batch(message, headed)
        elif isinstance(message, Request):
            self._request(message, self._reply_headed if headed else self._reply)
        else:
            self._send(self._refusal(message), headed)

    def _batch(self, members: list[Request | Invalid], headed: bool) -> None:
        answers: list[bytes | None] = [None] * len(members)
        afterwards: list[Callable[[], None]] = []
        left = len(members)

        def reply_to(position: int) -> Reply:
            def reply(body: bytes | None, steps: Steps = ()) -> None:
                nonlocal left
                answers[position] = body
                afterwards.extend(steps)
                left -= 1
                if left == 0:
                    told = [answer for answer in answers if answer is not None]
                    self._reply(b"[" + b",".join(told) + b"]" if told else None, afterwards, headed=headed)

            return reply

        ahead = []
        for position, member in enumerate(members):
            reply = reply_to(position)
            if isinstance(member, Request):
                ahead.append(Member(member, reply))
            else:
                reply(self._refusal(member))
        self._waiting.extendleft(reversed(ahead))

    @staticmethod
    def _refusal(invalid: Invalid) -> bytes:
        return envelope.failure(invalid.id, envelope.INVALID_REQUEST, invalid.reason)

    # -- requests

    def _request(self, request: Request, reply: Reply) -> None:
        method = request.method
        if method == "ping":
            body: bytes | None = envelope.result(request.id, {"ok": True})
        elif method == "$/cancelRequest":
            body = envelope.result(request.id, {"cancelled": self._calls.cancel(request.params.get("id"))})
        elif method == "exit":
            self.close()
            return
        elif len(self._calls) >= IN_FLIGHT_LIMIT:
            body = envelope.error_answer(request.id, errors.ConnectionBusy(limit=IN_FLIGHT_LIMIT))
        else:
            self._calls.start(request, reply)
            return
        reply(None if request.notification else body)

    # -- the other end

    def _send(self, body: bytes | None, headed: bool = False) -> None:
        if body is not None and not self._transport.is_closing():
            frame = encode(body, headed=headed)
            self._outbox.put(frame, more=bool(self._waiting), others=len(self._calls) > 0)

    def _reply(self, body: bytes | None, steps: Steps = (), *, headed: bool = False) -> None:
        self._send(body, headed)
        for step in steps:
            step()

    def _reply_headed(self, body: bytes | None, steps: Steps = ()) -> None:
        self._reply(body, steps, headed=True)

    def _peer_gone(self) -> bool:
        """Whether the client closed both directions; the kernel tells that apart from a closed sending side."""
        poll = select.poll()
        try:
            poll.register(self._transport.get_extra_info("socket").fileno(), 0)
            return any(events & (select.POLLHUP | select.POLLERR) for _, events in poll.poll(0))
        except (OSError, ValueError):
            return True

    def _end_when_gone(self) -> None:
        """End a connection that waits for its last answers once nobody is there to read them."""
        if self._transport.is_closing():
            return
        if self._peer_gone():
            self._transport.abort()
        else:
            asyncio.get_running_loop().call_later(GONE_CHECK_SECONDS, self._end_when_gone)

    def _call_ended(self) -> None:
        if self._half_closed:
            self._close_when_answered()

    def _close_when_answered(self) -> None:
        if self._transport.is_closing():
            return
        if not len(self._calls) and self._parsing is None and not self._waiting:
            self.close()
        elif self._peer_gone():
            self._transport.abort()
        else:
            self._server.loop.call_later(GONE_CHECK_SECONDS, self._close_when_answered)
