"""The command itself: started on a pseudo-terminal or a pipe that the holder keeps open for as long as it lives."""

from __future__ import annotations

import fcntl
import os
import sys
import termios

from ade_runtime.holding import signals

_WINDOW = 8  # four shorts


class Channel:
    """Where the command's output comes from and its input goes to.

    The holder keeps the command's own end open too. So a command that closes its terminal causes no end of file to spin on,
    and one that is started again goes on where the last one was.
    """

    def __init__(self, *, pty: bool, rows: int, columns: int) -> None:
        self.pty = pty
        if pty:
            self.near, self.far = os.openpty()
            self.resize(rows, columns)
        else:
            self.near, self.far = os.pipe()
        os.set_blocking(self.near, False)

    def resize(self, rows: int, columns: int) -> None:
        """Tell the terminal its size; the kernel tells the program in front."""
        size = rows.to_bytes(2, sys.byteorder) + columns.to_bytes(2, sys.byteorder)
        fcntl.ioctl(self.near, termios.TIOCSWINSZ, size + bytes(_WINDOW - len(size)))

    def foreground(self) -> int:
        """The process group that the terminal listens to; 0 where there is none."""
        try:
            return os.tcgetpgrp(self.near) if self.pty else 0
        except OSError:
            return 0


class Begun:
    """A process that is to become the command and waits for :meth:`go`."""

    def __init__(self, pid: int, gate: int, told: int) -> None:
        self.pid = pid
        self._gate = gate
        self._told = told

    def go(self) -> str:
        """Let it become the command; gives why it could not, empty when it did."""
        try:
            os.write(self._gate, b"g")
            return os.read(self._told, 4096).decode("utf-8", "replace")
        except BrokenPipeError:
            return "it was killed before it began"
        finally:
            os.close(self._gate)
            os.close(self._told)


def begin(channel: Channel, argv: list[str], env: dict[str, str], cwd: str) -> Begun:
    """Fork the command's process. Should the holder end before it says go, so does this."""
    waiting, gate = os.pipe()
    told, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(waiting)
        os.close(writing)
        return Begun(pid, gate, told)
    try:
        os.close(gate)
        _become(channel, argv, env, cwd, waiting)
    except OSError as problem:
        missing = problem.filename is not None and os.fsdecode(problem.filename) == cwd
        where = "the folder " if missing else ""
        os.write(writing, f"{where}{problem.strerror}".encode())
    except ValueError as problem:  # an empty program, a NUL: Python refuses them before the system is asked
        os.write(writing, str(problem).encode("utf-8", "replace"))
    finally:
        os._exit(127)


def _become(channel: Channel, argv: list[str], env: dict[str, str], cwd: str, gate: int) -> None:
    if channel.pty:
        os.login_tty(os.dup(channel.far))
    else:
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(channel.far, 1)
        os.dup2(channel.far, 2)
    if os.read(gate, 1) != b"g":
        os._exit(127)  # whoever ordered it has gone
    for number in (
        *signals.IGNORED_BY_PYTHON,
        signals.SIGHUP,
        signals.SIGINT,
        signals.SIGTERM,
        signals.SIGCHLD,
    ):
        signals.restore(number)
    os.chdir(cwd)
    if not argv[0]:
        raise ValueError("its name is empty")
    os.execvpe(argv[0], argv, env)
