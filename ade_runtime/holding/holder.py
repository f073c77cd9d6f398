"""The holder's loop: the command's output, its input, the connections, the clock."""

from __future__ import annotations

import os
import select

from ade_runtime.client.wire import Socket
from ade_runtime.holding import output, signals, tree
from ade_runtime.holding.command import CHUNK, Command
from ade_runtime.holding.peer import Broken, Peer
from ade_runtime.holding.sockets import accept, peer_user
from ade_runtime.holding.state import ENDED

PEER_LIMIT = 32
INPUT_LIMIT = 65536
"""Most bytes that are kept for a command which does not read."""

TAKEN_LIMIT = 256
"""Ids of typed pieces that are remembered, so that one that is sent again is not typed again."""

LOOK_EVERY = 3000
"""Milliseconds after which the holder makes sure that its folder is still there."""

FAREWELL = 1000
"""Milliseconds that attached peers have to read the last of the output."""


class Holder:
    """Runs until the command and everything it started have ended."""

    def __init__(self, command: Command, listener: Socket) -> None:
        self._command = command
        self._order = command.order
        self._state = command.state
        self._listener = listener
        self._peers: dict[int, Peer] = {}
        self._input = bytearray()
        self._taken: list[str] = []
        self._waking, writing = os.pipe()
        os.set_blocking(self._waking, False)
        os.set_blocking(writing, False)
        signals.wake(writing, signals.SIGCHLD, signals.SIGTERM)

    def run(self) -> None:
        command = self._command
        command.reap()  # what ended before its signal could be heard
        while not command.gone:
            self._turn(min(command.due(), LOOK_EVERY))
            if not os.path.isdir(self._order.folder):  # noqa: PTH112 - its ADE_HOME is gone, so nobody can reach it
                command.end(signals.SIGKILL, 0, "stopped")
        command.drain(CHUNK)
        self._farewell()

    def _turn(self, timeout: int) -> None:
        poll, command = select.poll(), self._command
        poll.register(self._waking, select.POLLIN)
        poll.register(self._listener.fileno(), select.POLLIN)
        writing = select.POLLOUT if self._input and self._order.pty else 0
        poll.register(command.channel.near, select.POLLIN | writing)
        for peer in self._peers.values():
            hearing = 0 if peer.held_back else select.POLLIN
            poll.register(peer.descriptor, hearing | (select.POLLOUT if peer.busy else 0))
        for descriptor, event in poll.poll(timeout):
            if descriptor == self._waking:
                self._woken()
            elif descriptor == self._listener.fileno():
                self._accept()
            elif descriptor == command.channel.near:
                if event & select.POLLIN:
                    command.drain(CHUNK)
            elif descriptor in self._peers:
                self._serve(self._peers[descriptor], event)
        self._feed()
        if len(self._input) < INPUT_LIMIT:
            for peer in [one for one in self._peers.values() if one.held_back]:
                peer.held_back = False
                self._serve(peer, 0)
        command.tick()
        self._state.save()
        self._tell()

    def _woken(self) -> None:
        for number in os.read(self._waking, 512):
            if number == signals.SIGTERM:
                self._command.end(self._order.stop, self._order.grace, "stopped")
        self._command.reap()

    def _feed(self) -> None:
        """Give the command what was typed, as far as it takes it."""
        if not self._order.pty:
            self._input.clear()
        try:
            while self._input:
                del self._input[: os.write(self._command.channel.near, self._input[:1024])]
        except OSError:
            return

    # -- connections

    def _accept(self) -> None:
        connection = accept(self._listener)
        if connection is None:
            return
        if len(self._peers) >= PEER_LIMIT or peer_user(connection) != os.getuid():
            connection.close()
            return
        connection.setblocking(False)
        peer = Peer(connection)
        self._peers[peer.descriptor] = peer

    def _serve(self, peer: Peer, event: int) -> None:
        try:
            if event & select.POLLOUT:
                peer.send()
            if event & (select.POLLIN | select.POLLHUP | select.POLLERR):
                peer.receive()
            while not peer.held_back and (found := peer.next()) is not None:
                self._perform(peer, *found)
        except Broken:
            self._drop(peer)

    def _drop(self, peer: Peer) -> None:
        self._peers.pop(peer.descriptor, None)
        peer.close()

    def _tell(self) -> None:
        """Show attached peers what is new, and answer the questions that can be answered now."""
        for peer in list(self._peers.values()):
            try:
                peer.show(self._order.folder, self._command.output.end)
                if peer.waits is not None and self._answered(peer.waits):
                    peer.waits = None
                    peer.answer(self._info())
                if peer.cursor is not None and self._state.phase == ENDED:
                    self._tell_end(peer)
            except Broken:
                self._drop(peer)

    def _tell_end(self, peer: Peer) -> None:
        if peer.cursor == self._command.output.end and not peer.busy and not peer.told_end:
            peer.told_end = True
            peer.answer({"ended": True, **self._state.document()})

    def _answered(self, question: dict[str, object]) -> bool:
        cursor, until = question.get("cursor"), question.get("until")
        if until == "gone":
            return self._command.gone
        if until == "steady":
            return self._state.phase != "running"
        return self._state.phase == ENDED or (isinstance(cursor, int) and self._command.output.end > cursor)

    def _farewell(self) -> None:
        """Let everybody know the end, within bounds."""
        self._state.save()
        self._listener.close()
        for _ in range(FAREWELL // 50):
            self._tell()
            waiting = [peer for peer in self._peers.values() if peer.busy or not self._knows(peer)]
            if not waiting:
                break
            poll = select.poll()
            for peer in waiting:
                poll.register(peer.descriptor, select.POLLOUT)
            poll.poll(50)
            for peer in waiting:
                self._serve(peer, select.POLLOUT)

    @staticmethod
    def _knows(peer: Peer) -> bool:
        return peer.told_end if peer.cursor is not None else peer.waits is None

    # -- requests

    def _perform(self, peer: Peer, request: dict[str, object], payload: bytes) -> None:
        match request.get("op"):
            case "info":
                peer.answer(self._info())
            case "write":
                self._write(peer, payload, request.get("once"))
            case "resize":
                self._resize(_number(request, "rows"), _number(request, "columns"))
                if peer.cursor is None:
                    peer.answer({})
            case "signal":
                front = request.get("foreground") is True
                peer.answer({"reached": self._command.signal(_number(request, "number"), foreground=front)})
            case "end":
                number = _number(request, "number") or self._order.stop
                self._command.end(number, _number(request, "grace"), "stopped")
                peer.answer({})
            case "wait":
                peer.waits = request
            case "attach":
                first, _ = output.extent(self._order.folder)
                peer.cursor = max(min(_number(request, "cursor"), self._command.output.end), first)
                self._resize(_number(request, "rows"), _number(request, "columns"))
                self._command.signal(
                    signals.SIGWINCH, foreground=True
                )  # the same size again would redraw nothing
            case _:
                raise Broken

    def _write(self, peer: Peer, payload: bytes, once: object) -> None:
        """Take what was typed, or tell that there is no room. Who is attached is heard again once there is. What carries an id
        that was there before has been taken already."""
        if isinstance(once, str):
            if once in self._taken:
                return peer.answer({"full": False})
            if len(self._input) < INPUT_LIMIT:
                self._taken = [*self._taken[1 - TAKEN_LIMIT :], once]
        full = len(self._input) >= INPUT_LIMIT
        if peer.cursor is None:
            peer.answer({"full": full})
        peer.held_back = full and peer.cursor is not None
        if not full or peer.held_back:
            self._input += payload

    def _resize(self, rows: int, columns: int) -> None:
        if self._order.pty and 0 < rows < 65536 and 0 < columns < 65536:
            self._command.channel.resize(rows, columns)
            self._state.rows, self._state.columns = rows, columns

    def _info(self) -> dict[str, object]:
        found = self._state.document()
        found["below"] = [tree.mark(pid) for pid, _ in tree.below(os.getpid())[:100]]
        found["end"] = self._command.output.end
        return found


def _number(request: dict[str, object], name: str) -> int:
    value = request.get(name, 0)
    if not isinstance(value, int):
        raise Broken
    return value
