"""The user's terminal, lent to a command key by key, and as it was before on every way out."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import termios
import tty
from collections.abc import Callable, Iterator

IN, OUT = 0, 1
KEPT_SIGNALS = (signal.SIGWINCH, signal.SIGCONT, signal.SIGTERM, signal.SIGHUP)
ENDING = {signal.SIGTERM, signal.SIGHUP}


def has_terminal() -> bool:
    """Whether both keys and output are a terminal's."""
    return os.isatty(IN) and os.isatty(OUT)


class RawTerminal:
    """``undo`` gives what the terminal is to be told when it is given back. :attr:`waking` is readable when a signal came."""

    def __init__(self, undo: Callable[[], bytes]) -> None:
        self._undo = undo
        self.waking, self._wake = os.pipe()

    @contextlib.contextmanager
    def lent(self) -> Iterator[None]:
        """Keys unchanged from the terminal for this block; the terminal as it was, however the block is left."""
        before = termios.tcgetattr(IN)
        handlers = {number: signal.getsignal(number) for number in KEPT_SIGNALS}
        os.set_blocking(self._wake, False)
        woken = signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        try:
            for number in KEPT_SIGNALS:
                signal.signal(number, _noted)
            tty.setraw(IN, termios.TCSADRAIN)
            yield
        finally:
            with contextlib.suppress(OSError):
                put(self._undo())
            with contextlib.suppress(termios.error):
                termios.tcsetattr(IN, termios.TCSADRAIN, before)
            signal.set_wakeup_fd(woken)
            for number, handler in handlers.items():
                signal.signal(number, handler)

    def signalled(self) -> int:
        """Take note of the signals that came; gives the number of one that ends this process, else 0."""
        for number in os.read(self.waking, 512):
            if number in ENDING:
                return number
            if number == signal.SIGCONT:
                tty.setraw(IN, termios.TCSADRAIN)
        return 0


def put(data: bytes) -> None:
    """Everything to the terminal, which another program may have left in a mode where it takes only part at a time."""
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(OUT, view) :]
        except BlockingIOError:
            select.select([], [OUT], [])


def size() -> tuple[int, int]:
    """Lines and columns of the user's terminal."""
    try:
        found = os.get_terminal_size(OUT)
    except OSError:
        return 24, 80
    return max(found.lines, 1), max(found.columns, 1)


def _noted(_number: int, _frame: object) -> None:
    """Present so that the signal's number comes through the pipe."""
