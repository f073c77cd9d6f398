"""How a holder begins: ``python -I -m ade_runtime.holding start|hold ID``.

``start`` cuts every tie to the process it was started from, makes itself the parent of all orphans below it, and becomes
``hold``, which keeps that and none of the memory it took. Descriptor 0 brings the order and then ``go``; descriptor 3 takes two
lines: the marks of holder and command before it runs, and how its start went.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ade_runtime.client.wire import Socket
    from ade_runtime.holding.command import Command

REPORT = 3
ORDER_LIMIT = 8 * 1024 * 1024


def main() -> None:
    if sys.argv[1] == "start":
        _detach()
        os.execv(sys.executable, [sys.executable, "-I", "-m", "ade_runtime.holding", "hold", *sys.argv[2:]])
    try:
        begun = _begin()
    except (OSError, KeyError, TypeError, ValueError) as problem:
        _report({"failure": f"{type(problem).__name__}: {problem}"})
        os._exit(1)
    if begun is not None:
        _hold(*begun)


def _detach() -> None:
    from ade_runtime.machine.orphans import keep_orphans

    if os.fork():
        os._exit(0)
    os.setsid()
    os.chdir("/")
    os.set_inheritable(REPORT, True)
    keep_orphans()


def _begin() -> tuple[Command, Socket] | None:
    """Start the command as ordered; ``None`` when it does not run in the end."""
    from ade_runtime.client.wire import decode
    from ade_runtime.holding import signals
    from ade_runtime.holding.command import Command
    from ade_runtime.holding.order import NEVER, Order
    from ade_runtime.holding.sockets import listen
    from ade_runtime.holding.state import State

    os.set_inheritable(REPORT, False)
    for number in (signals.SIGHUP, signals.SIGINT, signals.SIGPIPE):
        signals.ignore(number)
    document = decode(_line())
    order = Order(document)
    state = State(order.folder, str(document["boot"]))
    state.rows, state.columns = order.rows, order.columns
    command = Command(order, state)
    listener = listen(order.socket)
    begun = command.prepare()
    state.save()
    _report({"holder": state.holder, "command": state.command})
    failure = command.go(begun) if _line() == b"go" else "nobody wants it any more"
    if failure:
        os.unlink(order.socket)  # noqa: PTH108
        _report({"failure": failure})
        return None
    if order.restart == NEVER:
        order.env.clear()
    state.save()
    _report({"running": True})
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, REPORT):
        os.dup2(nothing, descriptor, inheritable=False)
    os.close(nothing)
    return command, listener


def _hold(command: Command, listener: Socket) -> None:
    from ade_runtime.holding.holder import Holder

    try:
        Holder(command, listener).run()
    finally:
        try:  # noqa: SIM105 - contextlib is not loaded here
            os.unlink(command.order.socket)  # noqa: PTH108
        except OSError:
            pass


def _line() -> bytes:
    """The next line of descriptor 0; empty when the other end has gone. Nothing ever follows a line before it was answered."""
    text = b""
    while not text.endswith(b"\n"):
        data = os.read(0, 65536)
        text += data
        if not data or len(text) > ORDER_LIMIT:
            return b""
    return text[:-1]


def _report(document: dict[str, object]) -> None:
    from ade_runtime.client.wire import encode

    try:  # noqa: SIM105
        os.write(REPORT, (encode(document) + "\n").encode())
    except OSError:
        pass


main()
