"""Repositories over HTTP with a password, served by git's own program, as a host of repositories does."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

_HEADERS = {"CONTENT_TYPE": "Content-Type", "HTTP_GIT_PROTOCOL": "Git-Protocol",
            "HTTP_CONTENT_ENCODING": "Content-Encoding"}  # fmt: skip


@contextmanager
def served(root: Path, user: str, password: str) -> Iterator[int]:
    """The port at which the repositories below a folder can be fetched from and pushed to."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler(root, user, password)) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


def _handler(root: Path, user: str, password: str) -> type[BaseHTTPRequestHandler]:
    allowed = "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._serve(b"")

        def do_POST(self) -> None:
            if "chunked" in self.headers.get("Transfer-Encoding", ""):
                self._serve(b"".join(self._chunks()))
            else:
                self._serve(self.rfile.read(int(self.headers.get("Content-Length", "0"))))

        def _chunks(self) -> Iterator[bytes]:
            while size := int(self.rfile.readline(), 16):
                yield self.rfile.read(size)
                self.rfile.readline()

        def _serve(self, body: bytes) -> None:
            if self.headers.get("Authorization") != allowed:
                self.send_response(401)
                self.send_header("WWW-Authenticate", 'Basic realm="git"')
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            head, _, rest = self._backend(body).partition(b"\r\n\r\n")
            lines = [line.split(": ", 1) for line in head.decode().split("\r\n")]
            status = next((value for name, value in lines if name == "Status"), "200 OK")
            self.send_response(int(status.split(" ", 1)[0]))
            for name, value in lines:
                if name != "Status":
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(rest)))
            self.end_headers()
            self.wfile.write(rest)

        def _backend(self, body: bytes) -> bytes:
            place = urlsplit(self.path)
            env = {
                "PATH": os.environ["PATH"],
                "GIT_PROJECT_ROOT": str(root),
                "GIT_HTTP_EXPORT_ALL": "1",
                "GIT_CONFIG_NOSYSTEM": "1",
                "GIT_CONFIG_GLOBAL": os.devnull,
                "PATH_INFO": place.path,
                "QUERY_STRING": place.query,
                "REQUEST_METHOD": self.command,
                "REMOTE_USER": user,
                "REMOTE_ADDR": "127.0.0.1",
                "CONTENT_LENGTH": str(len(body)),
            }
            env |= {name: self.headers[header] for name, header in _HEADERS.items() if header in self.headers}
            git = shutil.which("git")
            assert git is not None
            done = subprocess.run([git, "http-backend"], input=body, env=env, capture_output=True, check=True)
            return done.stdout

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler
