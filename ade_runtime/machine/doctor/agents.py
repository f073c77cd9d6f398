"""Agent programs on this machine."""

from __future__ import annotations

from collections.abc import Iterator

from ade_runtime.machine.doctor.rows import Place, Row
from ade_runtime.machine.tools.detect import Detected


def check(place: Place) -> Iterator[Row]:
    found = place.agents.tools
    present = [one for one in found.values() if one.candidates]
    yield from map(_row, present)
    missing = ", ".join(sorted(name for name, one in found.items() if not one.candidates))
    if not present:
        step = "Install one, such as Claude Code or Codex, and run `ade tools detect --refresh`."
        yield Row("agent programs", "warn", f"none of {missing} is installed", step)
    elif missing:
        yield Row("agent programs", "ok", f"not installed: {missing}")


def _row(one: Detected) -> Row:
    first = one.candidates[0]
    place = f"{first.path} ({first.found_by.replace('_', ' ')})"
    others = (
        f"; also {', '.join(str(other.path) for other in one.candidates[1:])}" if one.candidates[1:] else ""
    )
    check = f"agent {one.tool.name}"
    if one.version.version is None:
        step = f"Run it once by hand: {first.path} {' '.join(one.tool.version_args)}"
        return Row(check, "warn", f"{place}: {one.version.problem}", step)
    return Row(check, "ok", f"{one.version.version} at {place}{others}")
