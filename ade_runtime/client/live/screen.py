"""The loop of a command that stays on a terminal: it draws, takes keys, asks the runtime, and outlives it."""

from __future__ import annotations

import os
import select
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_runtime.client.live.keys import ESCAPE_SECONDS, PASTE_OFF, PASTE_ON, Keys
from ade_runtime.client.live.link import problem_of
from ade_runtime.client.raw_terminal import IN, RawTerminal, put, size
from ade_runtime.client.tail import GONE, Ended, Refused
from ade_runtime.contracts import JsonObject

if TYPE_CHECKING:
    from ade_runtime.client.live.link import Link, News, Wanted

RETRY_SECONDS = 0.2
"""Between two looks whether the runtime is back: nothing tells when a socket appears."""

LOOK_SECONDS = 5.0
"""Between two questions where no news came: another process may have changed something without a runtime."""

PASSING = frozenset(["shutting_down", "timed_out", "rate_limited", "internal_error"])
"""Errors after which is asked again; any other one ends the command."""

OPEN = b"\x1b[?1049h" + PASTE_ON
CLOSE = PASTE_OFF + b"\x1b[?25h\x1b[?1049l"


class Leave(Exception):
    """The user leaves; ``code`` is the exit code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Screen(ABC):
    """One run, over as many runtimes as it takes. What it shows are the answers to some reads, asked for again at every
    news."""

    news: News

    def __init__(self, environ: dict[str, str]) -> None:
        from ade_runtime.client.address import resolved_socket, wanted_socket

        self._environ = environ
        self._path = resolved_socket(wanted_socket(environ))
        self._keys = Keys()
        self._terminal = RawTerminal(lambda: CLOSE)
        self._link: Link | None = None
        self._asking = self._stale = False

    # -- what a command says

    @abstractmethod
    def questions(self) -> list[Wanted]:
        """The reads whose answers are shown."""

    @abstractmethod
    def shown(self, answers: list[JsonObject]) -> None:
        """Here is what they answer now."""

    @abstractmethod
    def connected(self, there: bool) -> None:
        """The runtime is there, or has gone."""

    @abstractmethod
    def key(self, name: str, text: str) -> None:
        """A key was pressed; raises :class:`Leave`."""

    @abstractmethod
    def draw(self, rows: int, columns: int) -> bytes:
        """What to send to a terminal of that size."""

    # -- the loop

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
                self._connect(connection)
                return self._live()
        except Leave as leave:
            return leave.code
        except Refused as refused:
            from ade_runtime.client.local import show_error

            return show_error(refused.envelope)
        finally:
            if self._link is not None:
                self._link.close()

    def _live(self) -> int:
        while True:
            put(self.draw(*size()))
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
                self.key(name, text)
            except (Ended, OSError):
                self.lost()

    # -- the runtime

    def _talk(self, came: bool, *, idle: bool) -> None:
        """Take what came, ask again where it is time, come back where the runtime did."""
        try:
            if self._link is None:
                self._come_back()
            elif came:
                self._link.receive()
            elif idle:
                self.look()
        except (Ended, ConnectionError):
            self.lost()

    def _come_back(self) -> None:
        from ade_runtime.client.wire import connect

        try:
            connection = connect(self._path)
        except OSError as problem:
            if problem.errno in GONE:
                return
            reason = errors.RuntimeUnavailable(reason=problem.strerror or str(problem), log="its log")
            raise Refused(reason.envelope()) from None
        self._connect(connection)

    def _connect(self, connection: Any) -> None:
        from ade_runtime.client.live.link import Link

        self._asking = self._stale = False
        try:
            self._link = Link(connection, self._environ.get("ADE_SESSION_TOKEN"), self.news, self.look)
            self.connected(True)
            self.look()
        except OSError:
            self.lost()

    def lost(self) -> None:
        """The connection broke; it is made again when it can be."""
        if self._link is not None:
            self._link.close()
        self._link = None
        self.connected(False)

    def look(self) -> None:
        """Ask what there is to show now; what changes meanwhile makes it be asked once more."""
        if self._link is None:
            return
        if self._asking:
            self._stale = True
            return
        self._asking, self._stale = True, False
        self._ask(self.questions(), [])

    def _ask(self, questions: list[Wanted], answers: list[JsonObject]) -> None:
        """One after another, so that what is shown is in the order of what happened."""
        if self._link is None:
            return
        if questions:
            self._link.call(questions[0], lambda answer: self._answered(answer, questions[1:], answers))
            return
        self._asking = False
        self.shown(answers)
        if self._stale:
            self.look()

    def _answered(self, answer: JsonObject, rest: list[Wanted], answers: list[JsonObject]) -> None:
        problem = problem_of(answer)
        if problem is None:
            self._ask(rest, [*answers, answer["result"]])
        elif problem["code"] in PASSING:
            self._asking = False
            if self._stale:
                self.look()
        else:
            raise Refused(problem)

    def send(self, wanted: Wanted, then: Callable[[JsonObject | None], None]) -> None:
        """Call an action; ``then`` is given its problem, ``None`` where it worked."""
        if self._link is None:
            self.connected(False)
            return

        def answered(answer: JsonObject) -> None:
            then(problem_of(answer))
            self.look()

        self._link.call(wanted, answered)
