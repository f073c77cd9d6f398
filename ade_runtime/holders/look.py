"""What has become of a command, from its holder's folder and the kernel alone: no runtime has to remember it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ade_runtime.holders.records import Phase, Seen
from ade_runtime.holding import state as states
from ade_runtime.holding.tree import below, start_of
from ade_runtime.machine.ancestry import boot
from ade_runtime.storage.times import from_ms


def look(folder: Path) -> Seen:
    """The command whose holder uses ``folder``. One without a state was never started, or its folder is gone: lost."""
    for _ in range(
        2
    ):  # between reading the file and looking for the process the holder may have ended in good order
        document = states.load(str(folder))
        if document is None:
            return Seen(phase="lost")
        seen = _seen(document)
        if seen.phase not in ("lost", "orphaned"):
            break
    return seen


def runs(mark: str) -> bool:
    """Whether the process with this mark, ``pid:start``, still runs."""
    pid, _, start = mark.partition(":")
    return pid.isdigit() and start.isdigit() and start != "0" and start_of(int(pid)) == int(start)


def _seen(document: dict[str, object]) -> Seen:
    since_boot = document.get("boot") == boot()
    holder, command = str(document.get("holder")), str(document.get("command"))
    holds = since_boot and runs(holder)
    works = since_boot and runs(command)
    ended = document.get("phase") == states.ENDED
    if ended and holds:  # it stays only for what the command has left behind
        holds = bool(below(int(holder.partition(":")[0])))
    phase: Phase = "ended" if ended else "running" if holds else "orphaned" if works else "lost"
    if phase == "running" and document.get("phase") == states.WAITING:
        phase = "waiting"
    return Seen(
        phase=phase,
        holder=holder if holds else None,
        command=command if works else None,
        starts=_number(document, "starts") or 0,
        started_at=_time(document, "started_at"),
        ended_at=_time(document, "ended_at"),
        exit_code=_number(document, "exit_code"),
        signal=_number(document, "signal"),
        reason=_text(document, "reason"),
        failure=_text(document, "failure"),
        restart_at=_time(document, "restart_at"),
        rows=_number(document, "rows") or 0,
        columns=_number(document, "columns") or 0,
    )


def _number(document: dict[str, Any], name: str) -> int | None:
    value = document.get(name)
    return value if isinstance(value, int) else None


def _text(document: dict[str, Any], name: str) -> str | None:
    value = document.get(name)
    return value if isinstance(value, str) else None


def _time(document: dict[str, Any], name: str) -> Any:
    value = _number(document, name)
    return from_ms(value) if value else None
