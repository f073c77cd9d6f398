"""One use of the system's keyring, in a process of its own: a JSON request on standard input, the answer on standard output.

Only backends that keep values encrypted count: their makers give them a priority of at least 1.
"""

from __future__ import annotations

import json
import sys
from typing import Any

LEAST_PRIORITY = 1.0


def main() -> None:
    """Answer the request; of what went wrong only the kind is told, since a message might hold the value."""
    request = json.load(sys.stdin)
    try:
        answer = perform(request)
    except Exception as problem:
        answer = {"failed": f"it refused ({type(problem).__name__})"}
    json.dump(answer, sys.stdout)


def perform(request: dict[str, Any]) -> dict[str, Any]:
    """``do`` is probe, get, put or delete."""
    backend = choose()
    if request["do"] == "probe":
        return {"usable": backend is not None}
    if backend is None:
        return {"failed": "this machine has none that is usable"}
    place = (request["service"], request["key"])
    match request["do"]:
        case "get":
            return {"value": backend.get_password(*place)}
        case "put":
            backend.set_password(*place, request["value"])
            kept = backend.get_password(*place) == request["value"]
            return {"done": True} if kept else {"failed": "it did not keep the value whole"}
        case _:
            if backend.get_password(*place) is not None:
                backend.delete_password(*place)
            return {"done": True}


def choose() -> Any:
    """The configured backend, or the best of those it is made of; ``None`` when no safe one works."""
    import keyring

    found = keyring.get_keyring()
    among = list(getattr(found, "backends", ())) or [found]
    safe = [backend for backend in among if _priority(backend) >= LEAST_PRIORITY]
    return max(safe, key=_priority, default=None)


def _priority(backend: Any) -> float:
    try:
        return float(backend.priority)
    except (RuntimeError, AttributeError, TypeError, ValueError):
        return 0.0


if __name__ == "__main__":
    main()
