"""Temporary files of the tests live in memory where there is room, since most of a test's time is waiting for the disk."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

MEMORY = Path("/dev/shm")
ENOUGH = 4 * 2**30


def pytest_configure() -> None:
    """Runs before the first temporary folder is made; whoever names a place keeps it."""
    os.environ.setdefault("ADE_SECRET_STORE", "file")  # never the keyring of whoever runs the tests
    if "PYTEST_DEBUG_TEMPROOT" in os.environ or not os.access(MEMORY, os.W_OK):
        return
    if shutil.disk_usage(MEMORY).free >= ENOUGH:
        os.environ["PYTEST_DEBUG_TEMPROOT"] = str(MEMORY)
