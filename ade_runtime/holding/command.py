"""The life of the command: started, ended on request or after its time, started again where that was ordered."""

from __future__ import annotations

import os
import time

from ade_runtime.holding import order as orders
from ade_runtime.holding import signals, tree
from ade_runtime.holding.child import Begun, Channel, begin
from ade_runtime.holding.order import Order
from ade_runtime.holding.output import Output
from ade_runtime.holding.state import ENDED, RUNNING, WAITING, State, now

CHUNK = 65536
DRAIN_LIMIT = 4 * 1024 * 1024
"""Most that is read after the command's end: what it started may go on printing for ever."""

KILL_PAUSE = 50
KILL_PAUSE_LIMIT = 2000
LEFTOVER_GRACE = 2000
NEVER = 1 << 62


class Command:
    """The command of one order. :meth:`tick` does what is due; nothing here waits."""

    def __init__(self, order: Order, state: State) -> None:
        self.order = order
        self.state = state
        self.channel = Channel(pty=order.pty, rows=order.rows, columns=order.columns)
        self.output = Output(order.folder, order.segment, order.keep)
        self._pid = 0
        self._begun_at = 0
        self._closing: str | None = None
        self._kill_at = NEVER
        self._kill_pause = KILL_PAUSE
        self._time_out_at = NEVER
        self._restart_at = NEVER
        self._backoff = order.backoff
        self._failures = 0

    # -- what happens to it

    def prepare(self) -> Begun:
        """Fork its process, which waits; from here on its mark is known."""
        begun = begin(self.channel, self.order.argv, self.order.env, self.order.cwd)
        self._pid = begun.pid
        self.state.command = tree.mark(begun.pid)
        return begun

    def go(self, begun: Begun) -> str:
        """Let it run; gives why that failed, empty when it did not."""
        failure = begun.go()
        state = self.state
        state.phase, state.starts = RUNNING, state.starts + 1
        state.ended_at = state.restart_at = state.exit_code = state.signal = None
        state.failure = failure or None
        state.started_at = now()
        self._begun_at = _ticks()
        self._time_out_at = self._begun_at + self.order.timeout if self.order.timeout else NEVER
        return failure

    def end(self, number: int, grace: int, reason: str) -> None:
        """Ask everything to end with a signal, and kill what is left after ``grace``."""
        self._closing = self._closing or reason
        self._restart_at = NEVER
        if self.state.phase == WAITING:
            self._finish(reason)
        self.signal(number)
        if number not in (signals.SIGKILL, signals.SIGCONT):
            self.signal(signals.SIGCONT)  # what is stopped hears nothing else
        self._kill_at = min(self._kill_at, _ticks() + grace)

    def signal(self, number: int, *, foreground: bool = False) -> int:
        """Send a signal to everything below the holder, or only to what the terminal listens to; how many got it."""
        group = self.channel.foreground() if foreground else 0
        below = tree.below(os.getpid())
        if group:
            below = [(pid, start) for pid, start in below if tree.group_of(pid) == group]
        return sum(tree.send(pid, start, number) for pid, start in below)

    def reap(self) -> None:
        """Collect whatever has ended below the holder."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not pid:
                return
            if pid == self._pid:
                self._pid = 0
                self.drain(DRAIN_LIMIT)
                self._ended(os.waitstatus_to_exitcode(status))

    def drain(self, limit: int) -> bool:
        """Keep what it has printed, at most about ``limit`` bytes of it; whether there was anything."""
        taken = 0
        while taken < limit:
            try:
                data = os.read(self.channel.near, CHUNK)
            except OSError:  # nothing there now
                break
            if not data:
                break
            self.output.write(data)
            taken += len(data)
        return taken > 0

    # -- what is due

    @property
    def gone(self) -> bool:
        """Whether it has ended and nothing that it started is left."""
        return self.state.phase == ENDED and not tree.below(os.getpid())

    def due(self) -> int:
        """Milliseconds until :meth:`tick` has something to do."""
        soonest = min(self._kill_at, self._time_out_at, self._restart_at)
        return max(0, soonest - _ticks())

    def tick(self) -> None:
        at = _ticks()
        if at >= self._time_out_at and self._pid:
            self._time_out_at = NEVER
            self.end(self.order.stop, self.order.grace, "timed_out")
        if at >= self._kill_at:
            self._kill(at)
        if at >= self._restart_at:
            self._start_again(at)

    def _kill(self, at: int) -> None:
        if self.signal(signals.SIGKILL):
            self._kill_at = at + self._kill_pause
            self._kill_pause = min(self._kill_pause * 2, KILL_PAUSE_LIMIT)
        else:
            self._kill_at, self._kill_pause = NEVER, KILL_PAUSE

    def _start_again(self, at: int) -> None:
        if tree.below(os.getpid()):
            self._restart_at = at + KILL_PAUSE
            return
        self._restart_at = NEVER
        self._kill_at = NEVER
        failure = self.go(self.prepare())
        if failure:
            self._note(f"could not be started: {failure}")

    def _ended(self, code: int) -> None:
        state, order = self.state, self.order
        self._time_out_at = NEVER
        state.exit_code, state.signal = (code, None) if code >= 0 else (None, -code)
        if not order.linger or self._closing:
            self._clear()
        if self._closing or not self._restarts(code):
            self._finish(self._closing or ("not_started" if state.failure else "exited"))
            return
        if self._failures >= order.crashes:
            self._note(f"ended {self._failures} times in a row; it is not started again")
            self._finish("crash_loop")
            return
        state.phase, state.restart_at = WAITING, now() + self._backoff
        self._restart_at = _ticks() + self._backoff
        how = f"exited with {code}" if code >= 0 else f"was ended by signal {-code}"
        self._note(f"{how}; starting it again in {self._backoff / 1000:g} s")
        self._backoff = min(self._backoff * 2, order.backoff_limit)

    def _restarts(self, code: int) -> bool:
        """Whether the policy starts it again; a run that was steady makes the failures before it forgotten."""
        order = self.order
        if order.restart == orders.NEVER or (order.restart == orders.ON_FAILURE and code == 0):
            return False
        if _ticks() - self._begun_at >= order.steady:
            self._failures, self._backoff = 0, order.backoff
        self._failures += 1
        return True

    def _clear(self) -> None:
        """End what the command has left behind."""
        if self.signal(signals.SIGTERM):
            self.signal(signals.SIGCONT)
            self._kill_at = min(self._kill_at, _ticks() + LEFTOVER_GRACE)

    def _finish(self, reason: str) -> None:
        state = self.state
        state.phase, state.reason, state.ended_at, state.restart_at = ENDED, reason, now(), None

    def _note(self, text: str) -> None:
        end = "\r\n" if self.order.pty else "\n"
        self.output.write(f"[ade] {self.order.argv[0]} {text}{end}".encode("utf-8", "surrogateescape"))


def _ticks() -> int:
    """Milliseconds of the clock that only goes forward."""
    return time.monotonic_ns() // 1_000_000
