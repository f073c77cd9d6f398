"""The numbers and calls of signals without the module ``signal``, which loads ``enum``."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    raw: Any
try:
    import _signal as raw  # type: ignore[import-not-found, no-redef]
except ImportError:
    import signal as raw

SIGHUP: int = int(raw.SIGHUP)
SIGINT: int = int(raw.SIGINT)
SIGQUIT: int = int(raw.SIGQUIT)
SIGKILL: int = int(raw.SIGKILL)
SIGTERM: int = int(raw.SIGTERM)
SIGCHLD: int = int(raw.SIGCHLD)
SIGCONT: int = int(raw.SIGCONT)
SIGPIPE: int = int(raw.SIGPIPE)
SIGWINCH: int = int(raw.SIGWINCH)

IGNORED_BY_PYTHON = tuple(int(getattr(raw, name)) for name in ("SIGPIPE", "SIGXFSZ") if hasattr(raw, name))
"""What a command must not inherit as ignored."""


def ignore(number: int) -> None:
    raw.signal(number, raw.SIG_IGN)


def restore(number: int) -> None:
    """What the system does by itself."""
    raw.signal(number, raw.SIG_DFL)


def wake(descriptor: int, *numbers: int) -> None:
    """Have the numbers of these signals written to ``descriptor`` as they come."""
    raw.set_wakeup_fd(descriptor, warn_on_full_buffer=False)
    for number in numbers:
        raw.signal(number, _nothing)


def _nothing(_number: int, _frame: object) -> None:
    """Present so that the signal is noted; what it means is done where its number is read."""
