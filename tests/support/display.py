"""A virtual X display for the tests of computer use, one for each test process, gone with it."""

from __future__ import annotations

import atexit
import ctypes
import os
import select
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache

import pytest

from ade_runtime.desktop.capabilities import DETECTORS

PATIENCE = 20.0
WIDTH, HEIGHT = 640, 480
PR_SET_PDEATHSIG = 1


@cache
def display() -> str | None:
    """Name of a running display, ``None`` where Xvfb is not installed."""
    program = shutil.which("Xvfb")
    if program is None:
        return None
    read_end, write_end = os.pipe()
    argv = [
        program,
        "-displayfd",
        str(write_end),
        "-screen",
        "0",
        f"{WIDTH}x{HEIGHT}x24",
        "-nolisten",
        "tcp",
        "-noreset",
    ]
    server = subprocess.Popen(
        argv,
        pass_fds=[write_end],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=_end_with_parent,
    )
    os.close(write_end)
    atexit.register(_end, server)
    with os.fdopen(read_end, "rb") as ready:
        if not select.select([ready], [], [], PATIENCE)[0]:
            raise AssertionError("Xvfb did not say which display it serves")
        number = ready.readline().decode().strip()
    assert number, f"Xvfb ended with {server.poll()}"
    return f":{number}"


def with_display(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment of somebody at the virtual display; the test is skipped where there is none."""
    name = display()
    if name is None:
        pytest.skip("Xvfb is not installed")
    return {key: value for key, value in environ.items() if key != "XAUTHORITY"} | {"DISPLAY": name}


def lacking(capabilities: Sequence[str], environ: Mapping[str, str]) -> list[str]:
    """Those of the capabilities of a screen that an environment does not have."""
    return [name for name in capabilities if name in DETECTORS and DETECTORS[name](environ) is not None]


def _end_with_parent() -> None:
    """Have the kernel end the display should the test process be killed."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def _end(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    server.wait()
