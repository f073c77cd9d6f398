"""The command base on the lowest click that pyproject.toml allows (row 15 of the generator reports)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

LOWEST = os.environ.get("ADE_TEST_CLICK_LOWEST")
"""A folder made by ``pip install --target FOLDER click==8.1.0``."""


@pytest.mark.skipif(LOWEST is None, reason="ADE_TEST_CLICK_LOWEST names no folder with the lowest click")
def test_generator_15_the_same_tests_pass_on_the_lowest_click() -> None:
    here = Path(__file__).parent
    env = {**os.environ, "PYTHONPATH": str(LOWEST)}
    check = "import click.core, sys; assert click.core.__file__.startswith(sys.argv[1]), click.core.__file__"
    subprocess.run([sys.executable, "-c", check, str(LOWEST)], check=True, env=env)
    tests = [str(here / "test_parse.py"), str(here / "test_complete.py")]
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests], check=True, env=env
    )
