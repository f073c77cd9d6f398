"""A client of a language server over standard input and output: just enough to open files and to ask about places in them."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from typing import Any

LIMIT = 60


class LanguageServer:
    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._said: Queue[dict[str, Any] | None] = Queue()
        self._last = 0
        self.diagnostics: dict[str, list[dict[str, Any]]] = {}
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        while head := self._process.stdout.readline():
            size = int(head.split(b":")[1]) if head.lower().startswith(b"content-length") else 0
            while self._process.stdout.readline().strip():
                pass
            self._said.put(json.loads(self._process.stdout.read(size)))
        self._said.put(None)

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self._process.stdin.flush()

    def _next(self) -> dict[str, Any]:
        """One message; what the server asks or tells meanwhile is dealt with."""
        message = self._said.get(timeout=LIMIT)
        assert message is not None, "the language server ended"
        if message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif message.get("method") == "workspace/configuration":
            wanted = [SETTINGS.get(item.get("section", ""), {}) for item in message["params"]["items"]]
            self._send({"id": message["id"], "result": wanted})
        elif "method" in message and "id" in message:
            self._send({"id": message["id"], "result": None})
        return message

    def ask(self, method: str, params: Any) -> Any:
        """The result of a request."""
        self._last += 1
        self._send({"id": self._last, "method": method, "params": params})
        while (message := self._next()).get("id") != self._last or "method" in message:
            pass
        assert "error" not in message, message
        return message["result"]

    def tell(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def open(self, path: Path, text: str) -> list[dict[str, Any]]:
        """Open a file with this content, whatever the disk holds; gives what is wrong with it."""
        uri = path.as_uri()
        document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        self.diagnostics.pop(uri, None)
        self.tell("textDocument/didOpen", {"textDocument": document})
        while uri not in self.diagnostics:
            self._next()
        return self.diagnostics[uri]

    def close(self, path: Path) -> None:
        self.tell("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})

    def at(self, method: str, path: Path, line: int, character: int) -> Any:
        place = {"line": line, "character": character}
        return self.ask(method, {"textDocument": {"uri": path.as_uri()}, "position": place})


SETTINGS: dict[str, Any] = {
    "yaml": {
        "validate": True,
        "hover": True,
        "completion": True,
        "schemaStore": {"enable": False},
        "kubernetesCRDStore": {"enable": False},
    }
}


@contextmanager
def language_server(argv: Sequence[str | Path], folder: Path) -> Iterator[LanguageServer]:
    """A server that is told of ``folder`` as its workspace; ended with the block."""
    process = subprocess.Popen(
        [str(word) for word in argv], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        server = LanguageServer(process)
        capabilities = {
            "textDocument": {
                "completion": {
                    "completionItem": {"documentationFormat": ["markdown"], "snippetSupport": True}
                },
                "hover": {"contentFormat": ["markdown"]},
                "publishDiagnostics": {},
            },
            "workspace": {"configuration": True},
        }
        params = {
            "processId": os.getpid(),
            "rootUri": folder.as_uri(),
            "capabilities": capabilities,
            "workspaceFolders": [{"uri": folder.as_uri(), "name": "ade"}],
        }
        server.ask("initialize", params)
        server.tell("initialized", {})
        server.tell("workspace/didChangeConfiguration", {"settings": SETTINGS})
        yield server
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
