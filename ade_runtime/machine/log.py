"""The runtime's log: one file of bounded size and its predecessor."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path

SIZE_LIMIT = 5 * 1024 * 1024
LEVELS = ("debug", "info", "warning", "error")


class BoundedFile(logging.Handler):
    """Appends to a file and renames it to ``<name>.1`` when it is full.

    A runtime started on demand has the same file as its standard output and error; these follow to the new file, so that
    a traceback of the interpreter itself is found there too.
    """

    def __init__(self, path: Path, limit: int = SIZE_LIMIT) -> None:
        super().__init__()
        self._path = path
        self._limit = limit
        self._descriptor = self._open()

    def emit(self, record: logging.LogRecord) -> None:
        try:
            data = (self.format(record)[: self._limit // 2] + "\n").encode("utf-8", "backslashreplace")[
                : self._limit
            ]
            if os.fstat(self._descriptor).st_size + len(data) > self._limit:
                self._turn_over()
            os.write(self._descriptor, data)
        except OSError:
            self.handleError(record)

    def close(self) -> None:
        os.close(self._descriptor)
        super().close()

    def _open(self) -> int:
        return os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)

    def _turn_over(self) -> None:
        old = os.fstat(self._descriptor)
        self._path.replace(self._path.with_name(self._path.name + ".1"))
        fresh = self._open()
        for standard in (1, 2):
            status = os.fstat(standard)
            if (status.st_dev, status.st_ino) == (old.st_dev, old.st_ino):
                os.dup2(fresh, standard)
        os.close(self._descriptor)
        self._descriptor = fresh


class WithoutSecrets(logging.Formatter):
    """Takes out what looks like a secret, wherever in a record it stands, its traceback among it."""

    def format(self, record: logging.LogRecord) -> str:
        from ade_runtime.redaction import redact

        return redact(super().format(record))


def open_log(path: Path | None, level: str = "") -> None:
    """Send log records to ``path``, or to standard error. ``level`` defaults to ``ADE_LOG``, then ``info``."""
    wanted = (level or os.environ.get("ADE_LOG") or "info").lower()
    handler: logging.Handler = BoundedFile(path) if path is not None else logging.StreamHandler(sys.stderr)
    handler.setFormatter(WithoutSecrets("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(wanted.upper() if wanted in LEVELS else "INFO")
    logging.getLogger("alembic").setLevel(logging.WARNING)
