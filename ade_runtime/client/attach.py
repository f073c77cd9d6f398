"""``ade terminals attach`` on a terminal: the user's own terminal becomes the program's, and afterwards is as it was before.

The runtime has checked the call and told where the holder listens; keys and output go straight between this process and the
holder, so a runtime that ends does not disturb them.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import sys
from typing import Any

from ade_generated import errors
from ade_runtime.client.modes import Modes
from ade_runtime.client.raw_terminal import IN, RawTerminal, has_terminal, put, size
from ade_runtime.terminals.keys import control_key

CHUNK = 65536
WRITE_LIMIT = 4096
TYPED_LIMIT = 256 * 1024
"""Most bytes kept for a program that does not read; what is typed beyond that is dropped, with a bell."""

BELL = b"\a"


def run_attach(document: dict[str, Any]) -> int:
    """Connect to the terminal that an answer of ``terminal.attach`` describes; 0 when it was left or its program did well."""
    if not has_terminal():
        raise errors.TerminalNeeded(action="ade terminals attach")
    return Attachment(document).run()


class Attachment:
    """One connection between this process's terminal and one of ADE's."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._id = str(document["terminal"]["id"])
        self._cursor = int(document["cursor"])
        self._key = control_key(str(document["detach_key"]))
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(str(document["socket"]))
        except OSError:
            self._socket.close()
            raise errors.TerminalEnded(terminal=self._id) from None
        self._socket.setblocking(False)
        self._unsent = bytearray()
        self._received = bytearray()
        self._modes = Modes()
        self._terminal = RawTerminal(self._modes.undo)

    def run(self) -> int:
        """Pass on keys and output until the program ends, the user leaves, or this process is told to end."""
        said, code = "", 1
        try:
            with self._terminal.lent():
                rows, columns = size()
                self._send({"op": "attach", "cursor": self._cursor, "rows": rows, "columns": columns})
                said, code = self._pass_on()
        finally:
            self._socket.close()
        if said:
            sys.stdout.write(f"\r\n[{said}]\n")
            sys.stdout.flush()
        return code

    def _signalled(self) -> int:
        """Do what signals ask for; gives the number of one that ends this process, else 0."""
        number = self._terminal.signalled()
        if not number:
            rows, columns = size()
            self._send({"op": "resize", "rows": rows, "columns": columns})
        return number

    # -- between the two

    def _pass_on(self) -> tuple[str, int]:
        """Gives what to say at the end, and the exit code."""
        while True:
            connection = self._socket.fileno()
            sending = [connection] if self._unsent else []
            ready, writable, _ = select.select([self._terminal.waking, IN, connection], sending, [])
            if writable:
                self._flush()
            if self._terminal.waking in ready:
                number = self._signalled()
                if number:
                    return "", 128 + number
            if IN in ready and self._typed(os.read(IN, CHUNK)):
                return f"left {self._id}; `ade terminals attach {self._id}` connects again", 0
            if connection in ready:
                ended = self._show()
                if ended is not None:
                    return ended

    def _typed(self, data: bytes) -> bool:
        """Send keys on; whether the user wants to leave."""
        if not data:
            return True
        place, leaves = len(data), False
        for key in self._detach_keys():
            found = data.find(key)
            if 0 <= found < place:
                place, leaves = found, True
        data = data[:place]
        if len(self._unsent) + len(data) > TYPED_LIMIT:
            put(BELL)
            return leaves
        for start in range(0, len(data), WRITE_LIMIT):
            self._send({"op": "write"}, data[start : start + WRITE_LIMIT])
        return leaves

    def _detach_keys(self) -> tuple[bytes, ...]:
        """The key as terminals send it, and as they do for programs that ask for keys told apart (CSI u)."""
        if not self._key:
            return ()
        letter = self._key[0] | 0x40
        code = letter + 32 if 65 <= letter <= 90 else letter
        return self._key, b"\x1b[%d;5u" % code

    def _show(self) -> tuple[str, int] | None:
        """Print what has come; gives what to say and the exit code once nothing more will."""
        try:
            data = self._socket.recv(CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            data = b""
        if not data:
            return f"the connection to {self._id} broke; `ade terminals attach {self._id}` tries again", 7
        self._received += data
        while (message := self._message()) is not None:
            document, payload = message
            if document.get("ended"):
                return self._farewell(document)
            if document.get("dropped"):
                put(b"\r\n[%d bytes were skipped]\r\n" % document["dropped"])
            self._modes.note(payload)
            put(payload)
        return None

    def _farewell(self, document: dict[str, Any]) -> tuple[str, int]:
        number, code = document.get("signal"), document.get("exit_code")
        if number is not None:
            return f"{self._id} was ended by signal {number}", 1
        return f"{self._id} has ended with exit code {code}", 1 if code else 0

    def _message(self) -> tuple[dict[str, Any], bytes] | None:
        end = self._received.find(b"\n")
        if end < 0:
            return None
        document = json.loads(self._received[:end])
        size = int(document.get("size", 0))
        if len(self._received) < end + 1 + size:
            return None
        payload = bytes(self._received[end + 1 : end + 1 + size])
        del self._received[: end + 1 + size]
        return document, payload

    def _send(self, request: dict[str, Any], payload: bytes = b"") -> None:
        self._unsent += json.dumps({**request, "size": len(payload)}).encode() + b"\n" + payload
        self._flush()

    def _flush(self) -> None:
        with contextlib.suppress(OSError):  # a broken connection shows itself when it is read
            while self._unsent:
                del self._unsent[: self._socket.send(self._unsent)]
