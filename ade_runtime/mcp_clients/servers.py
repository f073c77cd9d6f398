"""Which file is meant, and how ADE is reached from there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ade_runtime.machine.install import launcher
from ade_runtime.mcp_clients.clients import Address, Client, Program, Server

if TYPE_CHECKING:
    from ade_runtime.mcp_endpoint.leases import Lease

USUAL_HOME = ".ade"


def file_of(
    client: Client, environ: Mapping[str, str], named: str | None, folder: Path | None, cwd: str | None
) -> Path:
    """The client's file: the one that was named, the one in a project's ``folder``, or the user's."""
    home = Path(environ.get("HOME") or Path.home())
    if named is not None:
        path = home / named[2:] if named.startswith("~/") else Path(named)
        return path if path.is_absolute() else Path(cwd or home) / path
    if folder is not None:
        return folder.joinpath(*client.project)
    given = environ.get("XDG_CONFIG_HOME", "")
    return client.user(home, Path(given) if given.startswith("/") else home / ".config")


def server_of(
    client: Client, environ: Mapping[str, str], ade_home: Path, shared: bool, lease: Lease | None
) -> Server:
    """How the client reaches ADE. A file that is ``shared`` with others names the command as any shell knows it, and nothing of
    this machine; a program with windows has no shell's PATH, so a user's own file names it in full."""
    if lease is not None:
        return Address(lease.url + client.query)
    args = ("mcp", *client.options)
    if shared:
        return Program(launcher.NAME, args, {})
    home = Path(environ.get("HOME") or Path.home())
    env = {} if ade_home == home / USUAL_HOME else {"ADE_HOME": str(ade_home)}
    if environ.get("ADE_RPC_SOCKET_PATH"):
        env["ADE_RPC_SOCKET_PATH"] = environ["ADE_RPC_SOCKET_PATH"]
    return Program(_command(home, environ), args, env)


def _command(home: Path, environ: Mapping[str, str]) -> str:
    """The launcher, which stays when ade is installed anew; else the program itself."""
    installed = launcher.default_folder(home) / launcher.NAME
    if os.access(installed, os.X_OK):
        return str(installed)
    found = environ.get("ADE_CLI_PATH") or shutil.which(launcher.NAME, path=environ.get("PATH"))
    return found or str(launcher.installed_program())
