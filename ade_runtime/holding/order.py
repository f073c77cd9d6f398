"""What a holder is ordered to run. It comes over a pipe, so that neither arguments nor environment ever stand on a command line
or in a file."""

from __future__ import annotations

ALWAYS, ON_FAILURE, NEVER = "always", "on_failure", "never"


class Order:
    """One command and how to keep it. Times are milliseconds; ``timeout`` 0 means none.

    ``linger`` leaves alone what the command started once it has ended by itself; otherwise that is ended with it. ``stop`` is
    the signal that asks it to end. It is started again by ``restart`` after ``backoff``, doubled each time up to
    ``backoff_limit``, until it failed ``crashes`` times without having run for ``steady`` in between.
    """

    def __init__(self, document: dict[str, object]) -> None:
        self.folder = str(document["folder"])
        self.socket = str(document["socket"])
        self.argv = [str(word) for word in _list(document["argv"])]
        self.env = {str(name): str(value) for name, value in _map(document["env"]).items()}
        self.cwd = str(document["cwd"])
        self.pty = document["pty"] is True
        self.rows = _number(document["rows"])
        self.columns = _number(document["columns"])
        self.segment = _number(document["segment"])
        self.keep = _number(document["keep"])
        self.linger = document["linger"] is True
        self.stop = _number(document["stop"])
        self.grace = _number(document["grace"])
        self.timeout = _number(document["timeout"])
        self.restart = str(document["restart"])
        self.backoff = _number(document["backoff"])
        self.backoff_limit = _number(document["backoff_limit"])
        self.crashes = _number(document["crashes"])
        self.steady = _number(document["steady"])


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is no number")
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is no list")
    return value


def _map(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise TypeError(f"{value!r} is no object")
    return value
