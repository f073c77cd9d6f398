"""Where the runtime of an ADE_HOME listens: shared by the thin client and the runtime, ``os`` only (start-up time).

A Unix socket's path is limited by the platform (107 bytes on Linux, 103 on macOS). A longer one is replaced by a short path
derived from its hash, in a folder of the user's own under the temporary folder; ``ade doctor`` shows both.
"""

import os
import sys

SOCKET_PATH_LIMIT = 107 if sys.platform.startswith("linux") else 103


def ade_home(environ: "os._Environ[str] | dict[str, str]") -> str:
    """The absolute ADE_HOME: the variable, else ``~/.ade``. Symlinks are left as they are."""
    return os.path.abspath(os.path.expanduser(environ.get("ADE_HOME") or "~/.ade"))  # noqa: PTH100, PTH111


def wanted_socket(environ: "os._Environ[str] | dict[str, str]") -> str:
    """The socket's path as configured, which the platform may find too long."""
    path = environ.get("ADE_RPC_SOCKET_PATH")
    return os.path.abspath(path) if path else ade_home(environ) + "/sock/ade.sock"  # noqa: PTH100


def resolved_socket(wanted: str) -> str:
    """The path really bound and connected to: ``wanted``, or its short stand-in where ``wanted`` is too long."""
    raw = os.fsencode(wanted)
    if len(raw) <= SOCKET_PATH_LIMIT:
        return wanted
    import hashlib

    return f"/tmp/ade-{os.getuid()}/{hashlib.sha256(raw).hexdigest()[:32]}.sock"
