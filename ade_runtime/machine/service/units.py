"""The files that tell a service manager about the runtime, written as data: no shell ever reads them.

A path may hold blanks, quotes, dollar and percent signs. Each value is escaped for the setting it stands in, as
systemd.syntax(7), systemd.service(5) and systemd.socket(5) say; what a setting cannot hold is refused.
"""

from __future__ import annotations

import hashlib
import os
import plistlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ade_generated import errors
from ade_runtime.machine.install.shells import Folders
from ade_runtime.machine.paths import Paths

MARK = "Written by `ade service install`; `ade service uninstall` removes this file."
ARGUMENTS = ("-I", "-m", "ade_runtime.server", "--service")
BACKLOG = 4096
STOP_SECONDS = 30
"""How long the manager waits for a runtime to end; longer than it takes to drain."""


@dataclass(frozen=True, slots=True)
class Service:
    """What the service runs: the interpreter of this installation for one ADE_HOME. ``environment`` is what it needs besides
    what the manager gives it.
    """

    name: str
    python: str
    paths: Paths
    environment: Mapping[str, str]

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> Service:
        """The service of the ADE_HOME in ``environ``; another home than the usual one has a name of its own."""
        paths = Paths.from_environment(environ)
        usual = Folders.of(environ).home / ".ade"
        digest = hashlib.sha256(os.fsencode(paths.home)).hexdigest()[:8]
        kept = {} if paths.home == usual else {"ADE_HOME": str(paths.home)}
        if environ.get("ADE_RPC_SOCKET_PATH"):
            kept["ADE_RPC_SOCKET_PATH"] = str(paths.socket_wanted)
        return cls("ade" if paths.home == usual else f"ade-{digest}", sys.executable, paths, kept)


def systemd_files(service: Service, environ: Mapping[str, str]) -> dict[Path, bytes]:
    """The user units: a socket that systemd listens on, and the service that the first connection starts."""
    folder = systemd_folder(environ)
    socket = [
        f"# {MARK}",
        "[Unit]",
        "Description=Socket of the ADE machine runtime",
        "",
        "[Socket]",
        f"ListenStream={plain(str(service.paths.socket))}",
        "SocketMode=0600",
        "DirectoryMode=0700",
        f"Backlog={BACKLOG}",
        "RemoveOnStop=yes",
        "",
        "[Install]",
        "WantedBy=sockets.target",
    ]
    unit = [
        f"# {MARK}",
        "[Unit]",
        "Description=ADE machine runtime",
        f"Requires={service.name}.socket",
        f"After={service.name}.socket",
        "",
        "[Service]",
        "Type=exec",
        f"ExecStart={_command([service.python, *ARGUMENTS])}",
        *(_environment(name, value) for name, value in sorted(service.environment.items())),
        "WorkingDirectory=/",
        "UMask=0077",
        "KillMode=process",  # anything else ends the agents' terminals with the runtime
        f"TimeoutStopSec={STOP_SECONDS}",
        "Restart=on-failure",
        "RestartSec=1",
    ]
    return {
        folder / f"{service.name}.socket": _lines(socket),
        folder / f"{service.name}.service": _lines(unit),
    }


def launchd_files(service: Service, environ: Mapping[str, str]) -> dict[Path, bytes]:
    """The launch agent: the runtime from login on, started again only after a crash, its terminals left alone at its end."""
    label = launchd_label(service)
    document = {
        "Label": label,
        "ProgramArguments": [service.python, *ARGUMENTS],
        "EnvironmentVariables": dict(sorted(service.environment.items())),
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "AbandonProcessGroup": True,
        "ExitTimeOut": STOP_SECONDS,
        "ProcessType": "Interactive",
        "Umask": 0o077,
        "WorkingDirectory": "/",
        "StandardErrorPath": str(service.paths.log.with_name("service.log")),
    }
    try:
        data = plistlib.dumps(document)
    except (ValueError, UnicodeEncodeError) as problem:
        raise errors.InstallBlocked(
            path=service.python, reason=f"a property list cannot hold it ({problem})"
        ) from None
    head, _, body = data.partition(b"\n")
    return {launchd_folder(environ) / f"{label}.plist": head + f"\n<!-- {MARK} -->\n".encode() + body}


def systemd_folder(environ: Mapping[str, str]) -> Path:
    """Where a user's own units go."""
    return Folders.of(environ).config / "systemd" / "user"


def launchd_folder(environ: Mapping[str, str]) -> Path:
    """Where a user's own launch agents go."""
    return Folders.of(environ).home / "Library" / "LaunchAgents"


def launchd_label(service: Service) -> str:
    """The name launchd knows the service by."""
    return f"dev.{service.name}.runtime"


def is_ours(data: bytes) -> bool:
    """Whether a unit or property list was written by this command."""
    return MARK.encode() in b"\n".join(data.split(b"\n", 2)[:2])


def installed_files(environ: Mapping[str, str]) -> list[Path]:
    """The files of this ADE_HOME's service that are there and ours, for whichever manager."""
    service = Service.of(environ)
    folder = systemd_folder(environ)
    names = [folder / f"{service.name}.socket", folder / f"{service.name}.service"]
    names.append(launchd_folder(environ) / f"{launchd_label(service)}.plist")
    found = []
    for path in names:
        try:
            if is_ours(path.read_bytes()):
                found.append(path)
        except OSError:
            continue
    return found


def quoted(text: str) -> str:
    """``text`` as one word of a systemd setting that takes words (ExecStart=, Environment=)."""
    return '"' + "".join(map(_escaped, text)).replace("%", "%%") + '"'


def plain(text: str) -> str:
    """``text`` as the whole value of a setting that knows no quotes (ListenStream=); refuses what would be read otherwise."""
    unprintable = any(not char.isprintable() for char in text)
    if unprintable or text != text.strip() or text.endswith("\\"):
        raise errors.InstallBlocked(path=text, reason="a systemd socket unit cannot hold such a path")
    return text.replace("%", "%%")


def _command(argv: Sequence[str]) -> str:
    """A command for ExecStart=. Its ``:`` keeps systemd from putting variables in the place of ``$`` words.

    systemd refuses quotes, backslashes and control characters in the name of the program itself, not in arguments: such a
    program is started by sh, which is told nothing but to become it.
    """
    strange = any(char in "\"'\\" or not char.isprintable() for char in argv[0])
    words = ["/bin/sh", "-c", 'exec "$0" "$@"', *argv] if strange else list(argv)
    return " ".join([quoted(f":{words[0]}"), *map(quoted, words[1:])])


def _environment(name: str, value: str) -> str:
    """One variable; systemd leaves out, with no more than a warning, one that is no UTF-8."""
    try:
        value.encode()
    except UnicodeEncodeError:
        raise errors.InstallBlocked(path=value, reason="a systemd unit cannot hold such a path") from None
    return f"Environment={quoted(f'{name}={value}')}"


def _escaped(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    if char.isprintable():
        return char
    return "".join(f"\\x{byte:02x}" for byte in os.fsencode(char))


def _lines(lines: list[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode()
