"""What the tests of pull requests, queues and issues and the stand-ins said to each other, recorded once for all tests here."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.exchanges import VARIABLE

ROOT = Path(__file__).parents[2]
FLOWS = ("tests/integration/github", "tests/integration/linear", "tests/contract/test_examples.py")
WORDS = "(github or linear or (in_process and (pr. or queue. or issue. or linear_sync.))) and not wherever and not many"
"""Without the tests that say the same hundreds of times."""

LIMIT = 900


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that holds the exchanges."""
    folder = tmp_path_factory.mktemp("exchanges")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *FLOWS, "-k", WORDS],
        cwd=ROOT,
        env=os.environ | {VARIABLE: str(folder)},
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    return folder
