"""Raw bytes to a socket, one message after the other, as a client that follows no rules would send them.

As a script it reads ``{socket, messages}`` from its one argument (``messages`` are base64) and prints the answers as a JSON
list, one for each message; ``null`` where none came.
"""

from __future__ import annotations

import base64
import json
import socket
import sys
from typing import Any

SECONDS = 30


def exchange(path: str, messages: list[bytes]) -> list[Any]:
    """The answer to each message, over one connection. A message may be a whole batch; a notification gets none."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(SECONDS)
        connection.connect(path)
        with connection.makefile("rb") as lines:
            answers = []
            for message in messages:
                connection.sendall(message)
                answers.append(_read(lines))
            return answers


def _read(lines: Any) -> Any:
    line = lines.readline()
    if not line:
        return None
    if line.lower().startswith(b"content-length:"):
        while lines.readline().strip():
            pass
        line = lines.read(int(line.split(b":")[1]))
    return json.loads(line)


def main() -> None:
    asked = json.loads(sys.argv[1])
    messages = [base64.b64decode(message) for message in asked["messages"]]
    sys.stdout.write(json.dumps(exchange(asked["socket"], messages)))


if __name__ == "__main__":
    main()
