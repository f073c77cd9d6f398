"""``ade inbox``: live on a terminal, else a list that says how to answer."""

from __future__ import annotations

import os
import select
import sys
import termios
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_runtime.cli.local_options import read_options, refusal
from ade_runtime.client.inbox.keys import ESCAPE_SECONDS, PASTE_OFF, PASTE_ON, Keys
from ade_runtime.client.inbox.state import Item, Leave, State
from ade_runtime.client.raw_terminal import IN, RawTerminal, has_terminal, put, size
from ade_runtime.client.tail import GONE, Ended, Refused
from ade_runtime.contracts import JsonObject

if TYPE_CHECKING:
    from ade_runtime.client.inbox.link import Link

USAGE = """Usage: ade inbox [OPTIONS]

Show what waits for you in all projects: questions of agents, and what they want to do and need permission for. On a terminal
it stays open, shows what comes, and takes your answers; the first answer counts, wherever it is given. Without a terminal it
prints the list, with the command that answers each: it is `ade user inbox` then.

  -l, --list     Print the list also on a terminal.
  --json         Print the list as a JSON document.
  --no-color     Nothing bold or dim.
  --headless     Print the list without a runtime.
  --socket PATH  Ask the runtime at this socket.

Keys: up/down choose; Enter answers a question, d dismisses it; a allows, r refuses what an agent wants to do; PgUp/PgDn read
on; q or Ctrl-C leaves.

Examples:
  ade inbox                                  # stay and answer
  ade inbox --list                           # what waits now
  ade inbox --json | jq -r '.items[].answer' # the commands that answer

Exit codes: 0 left or printed, 2 usage, 3 denied, 7 no runtime, 130 interrupted.
"""
FLAGS = frozenset(["-l", "--list", "--no-color", "--headless"])
RETRY_SECONDS = 0.2
"""Between two looks whether the runtime is back: nothing tells when a socket appears."""

LOOK_SECONDS = 5.0
"""Between two looks at the list where no news came: another process may have settled something without a runtime."""

PASSING = frozenset(["shutting_down", "timed_out", "rate_limited", "internal_error"])
"""Errors after which the list is asked for again; any other one ends the command."""

OPEN = b"\x1b[?1049h" + PASTE_ON
CLOSE = PASTE_OFF + b"\x1b[?25h\x1b[?1049l"


def run_inbox(args: list[str], *, text: bool) -> int:
    """Perform ``ade inbox`` and give its exit code."""
    from ade_runtime.client.main import _address

    options = read_options(args, "inbox", flags=FLAGS, values=["--socket"])
    if options.help:
        sys.stdout.write(USAGE)
        return 0
    if options.words:
        raise refusal(f"unexpected argument {options.words[0]!r}", "inbox")
    live = text and has_terminal() and os.environ.get("TERM", "dumb") != "dumb"
    if not live or {"-l", "--list", "--headless"} & {*options.flags, *sys.argv[1:]}:
        return _print_list(text)
    environ = _address(sys.argv[1:])
    plain = "--no-color" in sys.argv[1:] or bool(environ.get("NO_COLOR"))
    try:
        return Inbox(environ, plain=plain).run()
    except Refused as refused:
        from ade_runtime.client.local import show_error

        return show_error(refused.envelope)


def _print_list(text: bool) -> int:
    """The list as an action prints it, with the options of this line that any action takes."""
    from ade_runtime.client.main import run

    own = {"inbox", "-l", "--list", "--json", "--text"}
    rest = [word for word in sys.argv[1:] if word not in own]
    return run(["user", "inbox", "--text" if text else "--json", *rest])


class Inbox:
    """One run, over as many runtimes as it takes."""

    def __init__(self, environ: dict[str, str], *, plain: bool) -> None:
        from ade_runtime.client.address import resolved_socket, wanted_socket
        from ade_runtime.client.inbox.view import View

        self._environ = environ
        self._path = resolved_socket(wanted_socket(environ))
        self._state = State(self._send)
        self._view = View(plain=plain)
        self._keys = Keys()
        self._terminal = RawTerminal(lambda: CLOSE)
        self._link: Link | None = None
        self._asking = self._stale = False

    def run(self) -> int:
        """Until the user leaves, this process is told to end, or the runtime refuses."""
        from ade_runtime.client.main import reach
        from ade_runtime.client.trouble import unreachable

        try:
            connection = reach(self._path, self._environ)
        except OSError as problem:
            return unreachable(problem, self._path, self._environ)
        if isinstance(connection, int):
            return connection
        try:
            with self._terminal.lent():
                put(OPEN)
                self._connected(connection)
                return self._live()
        except Leave as leave:
            return leave.code
        finally:
            if self._link is not None:
                self._link.close()

    # -- the loop

    def _live(self) -> int:
        while True:
            self._draw()
            link = self._link
            waited = [self._terminal.waking, IN, *([] if link is None else [link.fileno()])]
            ready = select.select(waited, [], [], self._patience())[0]
            if self._terminal.waking in ready:
                number = self._terminal.signalled()
                if number:
                    return 128 + number
            if IN in ready:
                self._type()
            elif self._keys.waiting:
                self._press(self._keys.flush())
            self._talk(link is not None and link.fileno() in ready, idle=not ready)

    def _patience(self) -> float:
        if self._keys.waiting:
            return ESCAPE_SECONDS
        return RETRY_SECONDS if self._link is None else LOOK_SECONDS

    def _type(self) -> None:
        data = os.read(IN, 65536)
        if not data:
            raise Leave(0)
        self._press(self._keys.read(data))

    def _press(self, keys: Any) -> None:
        for name, text in keys:
            try:
                self._state.key(name, text)
            except (Ended, OSError):
                self._lost()

    def _draw(self) -> None:
        rows, columns = size()
        put(self._view.draw(self._state, rows, columns, datetime.now(UTC)))

    # -- the runtime

    def _talk(self, came: bool, *, idle: bool) -> None:
        """Take what came, look again where it is time, come back where the runtime did."""
        try:
            if self._link is None:
                self._come_back()
            elif came:
                self._link.receive()
            elif idle:
                self._look()
        except (Ended, ConnectionError):
            self._lost()

    def _come_back(self) -> None:
        from ade_runtime.client.wire import connect

        try:
            connection = connect(self._path)
        except OSError as problem:
            if problem.errno in GONE:
                return
            reason = errors.RuntimeUnavailable(reason=problem.strerror or str(problem), log="its log")
            raise Refused(reason.envelope()) from None
        self._connected(connection)

    def _connected(self, connection: Any) -> None:
        from ade_runtime.client.inbox.link import Link

        self._asking = self._stale = False
        try:
            self._link = Link(connection, self._environ.get("ADE_SESSION_TOKEN"), self._look)
            self._state.connected = True
            self._look()
        except OSError:
            self._lost()

    def _lost(self) -> None:
        if self._link is not None:
            self._link.close()
        self._link = None
        self._state.lost()

    def _look(self) -> None:
        """Ask what waits now; what changes meanwhile makes it be asked once more."""
        if self._link is None:
            return
        if self._asking:
            self._stale = True
            return
        self._asking, self._stale = True, False
        self._link.call("user.inbox", {}, self._listed)

    def _listed(self, answer: JsonObject) -> None:
        from ade_runtime.client.inbox.link import problem_of

        self._asking = False
        problem = problem_of(answer)
        if problem is None:
            self._state.show(answer["result"]["items"])
        elif problem["code"] not in PASSING:
            raise Refused(problem)
        if self._stale:
            self._look()

    def _send(self, item: Item, action: str, arguments: dict[str, Any], said: str) -> None:
        from ade_runtime.client.inbox.link import problem_of

        if self._link is None:
            self._state.lost()
            return

        def answered(answer: JsonObject) -> None:
            termios.tcflush(IN, termios.TCIFLUSH)  # what was typed meanwhile was not meant for the next one
            problem = problem_of(answer)
            if problem is None:
                self._state.done(item, said)
            else:
                self._state.failed(f"{problem['message']} {problem.get('hint') or ''}".strip())
            self._look()

        self._link.call(action, arguments, answered, item["project"])
