"""Which test closes which reported fault: a test says it in its name, ``test_<report>_<row>[_<row>]_…``.

``fault`` is the inventory of the system this one follows, ``generator`` the reports about generators from specs, ``public``
those about comparable tools, ``agents`` those about agents and their tools.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
ROWS = {
    "fault": [*range(1, 47)],
    "generator": [*range(1, 17)],
    "public": [1, 2, 3, 4, 6, 7, 9, 11, 16],
    "agents": [*range(1, 6), *range(7, 10), *range(11, 19), 21, 22, 23, 25, 27],
}
KINDS = "|".join(ROWS)
NAME = re.compile(rf"def test_((?:(?:{KINDS})(?:_[0-9]+)+_)+)")
PART = re.compile(rf"({KINDS})((?:_[0-9]+)+)")


def closed() -> set[tuple[str, int]]:
    found = set()
    for path in TESTS.rglob("test_*.py"):
        for name in NAME.findall(path.read_text(encoding="utf-8")):
            for kind, rows in PART.findall(name):
                found |= {(kind, int(row)) for row in rows.strip("_").split("_")}
    return found


@pytest.mark.parametrize("kind", ROWS)
def test_every_reported_fault_has_a_test(kind: str) -> None:
    missing = [row for row in ROWS[kind] if (kind, row) not in closed()]
    assert not missing, f"no test is named test_{kind}_<row>_… for {missing}"
