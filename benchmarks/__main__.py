"""``python -m benchmarks [P1 P3 …]``: measure, print a table, write ``benchmarks/results.json``.

``--quick`` takes few rounds and small samples, to see whether a figure works at all; its numbers say nothing.
Exit code 1 when a figure misses its goal or could not be measured.
"""

from __future__ import annotations

import argparse
import importlib
import json
import platform
import signal
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.measure import Row, Size
from benchmarks.table import rendered

FIGURES = {
    "G1": "benchmarks.g01_prs_list",
    "M1": "benchmarks.m01_mcp_first_list",
    "P1": "benchmarks.p01_lanes_list",
    "P3": "benchmarks.p03_call",
    "P5": "benchmarks.p05_pipelined",
    "P6": "benchmarks.p06_cold_start",
    "P7": "benchmarks.p07_memory",
    "P8": "benchmarks.p08_generate",
    "P9": "benchmarks.p09_many_actions",
    "P10": "benchmarks.p10_lane_create",
    "P11": "benchmarks.p11_lane_statuses",
    "P13": "benchmarks.p13_claims",
    "R1": "benchmarks.r01_run_tools",
    "S1": "benchmarks.s01_search",
}
RESULTS = Path(__file__).with_name("results.json")


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Measure ADE against its peers."
    )
    parser.add_argument(
        "figures", nargs="*", metavar="FIGURE", help=f"which ones: {', '.join(FIGURES)} (default: all)"
    )
    parser.add_argument(
        "--quick", action="store_true", help="few rounds, small samples; numbers without meaning"
    )
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what was started and made is cleaned up
    wanted = [name.upper() for name in given.figures] or list(FIGURES)
    if unknown := [name for name in wanted if name not in FIGURES]:
        parser.error(f"no figure {', '.join(unknown)}; there are {', '.join(FIGURES)}")
    rows = [row for name in wanted for row in measure(name, Size(quick=given.quick))]
    print(rendered(rows))
    if not given.quick:
        write_results(rows)
    return 0 if all(row.verdict in ("met", "info", "no peer") for row in rows) else 1


def measure(name: str, size: Size) -> list[Row]:
    """The rows of one figure; a figure that fails is a row that says so."""
    print(f"{name} …", file=sys.stderr, flush=True)
    try:
        rows: list[Row] = importlib.import_module(FIGURES[name]).measure(size)
    except Exception as problem:  # one figure that fails must not hide the others
        return [Row(name, "could not be measured", None, str(problem).splitlines()[0], None, None, "failed")]
    return rows


def write_results(rows: list[Row]) -> None:
    document = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "rows": [asdict(row) | {"verdict": row.verdict} for row in rows],
    }
    RESULTS.write_text(json.dumps(document, indent=2) + "\n")


if __name__ == "__main__":
    sys.exit(main())
