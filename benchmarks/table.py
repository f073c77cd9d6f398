"""The table that ``make bench`` prints."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.measure import Row

HEAD = ("figure", "what", "ours", "peer", "peer's", "ratio", "goal", "verdict")


def rendered(rows: Sequence[Row]) -> str:
    lines = [HEAD, *map(_cells, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEAD))]
    return "\n".join(
        "  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def _cells(row: Row) -> tuple[str, ...]:
    return (
        row.figure,
        row.what + (f" ({row.note})" if row.note else ""),
        _time(row.ours_ms, row.unit),
        row.peer,
        _time(row.peer_ms, row.unit),
        f"{row.ratio:.2f} ×" if row.ratio is not None else "–",
        f"≤ {row.goal:g} ×" if row.goal is not None else "–",
        row.verdict,
    )


def _time(milliseconds: float | None, unit: str) -> str:
    if milliseconds is None:
        return "–"
    if unit != "ms":
        return f"{milliseconds:.1f} {unit}"
    return f"{milliseconds * 1000:.0f} µs" if milliseconds < 1 else f"{milliseconds:.1f} ms"
