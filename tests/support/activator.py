"""What systemd does for a socket unit: listen, and start the service whenever somebody connects and none runs."""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

SET_PID = 'LISTEN_PID=$$ exec "$@"'


class Activator:
    """Use as a context manager. ``started`` are the process ids of the services, in order."""

    def __init__(self, path: Path, env: Mapping[str, str], python: str = sys.executable) -> None:
        self.path = path
        self.python = python
        self.env = dict(env)
        self.started: list[int] = []
        self.codes: list[int] = []
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._running: subprocess.Popen[bytes] | None = None
        self._ending, self._end = os.pipe()
        self._thread = threading.Thread(target=self._serve)

    def __enter__(self) -> Activator:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.path.unlink(missing_ok=True)  # systemd too takes the place of whoever listened there
        self._listener.bind(str(self.path))
        self.path.chmod(0o600)
        self._listener.listen(128)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.write(self._end, b"x")
        if self._running is not None:
            self._running.terminate()
        self._thread.join(60)
        self._listener.close()
        self.path.unlink(missing_ok=True)
        os.close(self._end)
        os.close(self._ending)

    def _serve(self) -> None:
        while True:
            ready = select.select([self._listener, self._ending], [], [])[0]
            if self._ending in ready:
                return
            self._running = self._start()
            self.started.append(self._running.pid)
            self.codes.append(self._running.wait())
            self._running = None

    def _start(self) -> subprocess.Popen[bytes]:
        """The service with the listener as descriptor 3, told so by LISTEN_PID and LISTEN_FDS as sd_listen_fds(3) says."""
        listener = self._listener.fileno()
        command = [self.python, "-I", "-m", "ade_runtime.server", "--service"]
        script = f"exec 3<&{listener}; {SET_PID}"
        return subprocess.Popen(
            ["/bin/bash", "-c", script, "sh", *command],
            env=self.env | {"LISTEN_FDS": "1", "LISTEN_FDNAMES": "ade.socket"},
            pass_fds=[listener],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
