"""``ade serve --stdio``: standard input and output are one connection to the machine's runtime, started where none runs.

It carries bytes and understands none of them, so there is one owner of the state however people come, and who asks is found
out as always, from the processes above this one. See docs/decisions.
"""

import os
import select

from ade_runtime.client.address import resolved_socket, wanted_socket
from ade_runtime.client.build import PROTOCOL, stamp
from ade_runtime.client.wire import DONT_WAIT, SHUT_WR, Socket

ROOM = 256 * 1024
"""Most bytes that wait in each direction; a side that is not read from is not read for either."""

PIECE = 4096
"""Most bytes written at once to standard output: a pipe that is ready takes that much without blocking."""

_GONE = select.POLLERR | select.POLLHUP | select.POLLNVAL


def run_stdio() -> int:
    """Carry bytes until either side ends; gives the exit code."""
    connection = _connection(dict(os.environ))
    if isinstance(connection, int):
        return connection
    try:
        Pump(connection).run()
    finally:
        connection.close()
    return 0


def _connection(environ: "dict[str, str]") -> "Socket | int":
    """A connection to a runtime that is not of older code, or the exit code once an error was shown."""
    from ade_runtime.client.main import reach, replace_older

    path = resolved_socket(wanted_socket(environ))
    try:
        first = reach(path, environ)
        if isinstance(first, int):
            return first
        first.close()
        failed = replace_older(path, {"build": stamp(), "protocol": PROTOCOL}, environ)
        return reach(path, environ) if failed is None else failed
    except OSError as problem:
        from ade_runtime.client.trouble import unreachable

        return unreachable(problem, path, environ)


class Pump:
    """Standard input to the connection and the connection to standard output, each in its own time."""

    def __init__(self, connection: Socket, source: int = 0, sink: int = 1) -> None:
        self._connection = connection
        self._source = source
        self._sink = sink
        self._to_runtime = b""
        self._to_client = b""
        self._source_open = True
        self._runtime_open = True
        self._told_end = False

    def run(self) -> None:
        """Return when the runtime has closed and all it said is written, or when nobody reads any more."""
        while self._runtime_open or self._to_client:
            ready = dict(self._wait())
            if ready.get(self._sink, 0) & _GONE:
                return
            if ready.get(self._source):
                self._read_source()
            if self._to_runtime and ready.get(self._connection.fileno(), 0):
                self._send()
            if ready.get(self._connection.fileno(), 0) & ~select.POLLOUT:
                self._receive()
            if ready.get(self._sink, 0) & select.POLLOUT and not self._write():
                return
            if not self._source_open and not self._to_runtime and self._runtime_open and not self._told_end:
                self._told_end = True
                self._end_sending()

    def _wait(self) -> "list[tuple[int, int]]":
        poll = select.poll()
        poll.register(self._sink, select.POLLOUT if self._to_client else 0)
        if self._source_open and len(self._to_runtime) < ROOM:
            poll.register(self._source, select.POLLIN)
        if self._runtime_open:
            wanted = select.POLLIN if len(self._to_client) < ROOM else 0
            poll.register(self._connection.fileno(), wanted | (select.POLLOUT if self._to_runtime else 0))
        return poll.poll()

    def _read_source(self) -> None:
        try:
            data = os.read(self._source, 65536)
        except OSError:
            data = b""
        self._source_open = bool(data)
        self._to_runtime += data

    def _send(self) -> None:
        try:
            sent = self._connection.send(self._to_runtime, DONT_WAIT)
        except BlockingIOError:
            return
        except OSError:
            self._to_runtime, self._source_open = b"", False
            return
        self._to_runtime = self._to_runtime[sent:]

    def _receive(self) -> None:
        try:
            data = self._connection.recv(65536, DONT_WAIT)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self._runtime_open = bool(data)
        self._to_client += data

    def _write(self) -> bool:
        try:
            written = os.write(self._sink, self._to_client[:PIECE])
        except OSError:
            return False
        self._to_client = self._to_client[written:]
        return True

    def _end_sending(self) -> None:
        try:  # noqa: SIM105
            self._connection.shutdown(SHUT_WR)
        except OSError:
            pass
