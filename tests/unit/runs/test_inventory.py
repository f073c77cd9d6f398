"""Each case, each point of acceptance and each fault of the inventory of orchestration has a test that bears its number."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[2]
CASES = {
    *(1, 2, 3, 5, 7, 8, 9, 10, 12, 13),
    *(15, 16, 17, 18, 19, 21, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 37, 38, 39),
    *(40, 41, 42, 44, 45, 46, 49, 51, 52, 53, 56, 58, 59, 62, 64, 65),
    *(66, 67, 68, 69, 70, 72, 74),
}
"""Numbers have gaps."""


def named() -> set[str]:
    """What the names of tests of runs and of schedules bear."""
    places = ("unit/runs", "unit/codegen", "integration/runs", "integration/schedules", "stress")
    files = [file for place in places for file in (TESTS / place).glob("test_*.py")]
    names = [name for file in files for name in re.findall(r"def (test_\w+)", file.read_text())]
    return {
        mark for name in names for mark in re.findall(r"(?:case|acceptance|fault_o)_?[0-9]+(?=_|$)", name)
    }


def test_every_number_is_borne_by_a_test() -> None:
    wanted = {f"case_{number}" for number in CASES}
    wanted |= {f"acceptance_{number}" for number in range(1, 14)} | {
        f"fault_o{number}" for number in range(1, 29)
    }
    assert wanted - named() == set()
