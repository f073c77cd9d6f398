"""Programs that ADE keeps running, and those whose holder was killed."""

from __future__ import annotations

from collections.abc import Iterator

from ade_runtime.holders.look import look
from ade_runtime.machine.doctor.rows import Place, Row


def check(place: Place) -> Iterator[Row]:
    """One row for all of them."""
    root = place.paths.home / "holders"
    folders = sorted(root.iterdir()) if root.is_dir() else []
    seen = {folder.name: look(folder) for folder in folders}
    orphaned = [name for name, one in seen.items() if one.phase == "orphaned"]
    running = sum(one.live for one in seen.values())
    if orphaned:
        yield Row(
            "kept running",
            "warn",
            f"{len(orphaned)} of {running} programs have lost their holder: {', '.join(orphaned[:5])}",
            _next(orphaned[0]),
        )
    else:
        yield Row("kept running", "ok", f"{running} programs in terminals, processes and test runs")


def _next(name: str) -> str:
    commands = {"trm": "ade terminals close", "prc": "ade processes stop", "tst": "ade tests stop"}
    command = commands.get(name.partition("_")[0], "ade terminals close")
    return f"End what is left with `{command} {name}` in its project."
