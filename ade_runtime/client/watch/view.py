"""A run as lines: how it stands, who is at work, and how far each task is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ade_runtime.cli.clean import clean_line
from ade_runtime.client.live.lines import BOLD, DIM, PLAIN, age, cells, fit, page, wrapped

PHASES = ("planning", "developing", "validating", "wrapup")
SHOWN_OUTSIDE = 5
ORDER = ("in_progress", "claimed", "review", "failed", "pending", "done")
"""Tasks with something going on come first, those that are done last."""


@dataclass(slots=True)
class Board:
    """What is known of the run. ``tasks``, ``agents`` and ``outside`` are those of the actions of these names, with their
    totals."""

    run: dict[str, Any]
    agents: dict[str, Any]
    tasks: dict[str, Any]
    outside: dict[str, Any]


class View:
    """Draws a :class:`Board`. With ``plain`` nothing is bold or dim. ``scroll`` is in lines."""

    def __init__(self, *, plain: bool) -> None:
        self._plain = plain
        self.scroll = 0
        self.connected = True

    def draw(self, board: Board | None, rows: int, columns: int, now: datetime) -> bytes:
        """What to send to a terminal of that size to make it show the run."""
        foot = "PgUp/PgDn read on, q leaves"
        if not self.connected:
            foot = "the runtime has ended; waiting for it to come back"
        lines = ["asking the runtime"] if board is None else self.lines(board, columns, now)
        room = max(1, rows - 1)
        self.scroll = max(0, min(self.scroll, len(lines) - room))
        shown = lines[self.scroll : self.scroll + room]
        shown += [""] * (room - len(shown))
        if rows > 1:
            shown.append(self._style(fit(foot, columns), DIM))
        return page(shown[-rows:], rows, None)

    def lines(self, board: Board, columns: int, now: datetime) -> list[str]:
        """The whole run, each line at most ``columns`` wide."""
        run = board.run
        head = f"{clean_line(run['title'])} ({run['id']})"
        lines = [self._style(fit(head, columns), BOLD), self._phases(run, columns), ""]
        lines += wrapped(run["next"], columns)
        lines += ["", *self._agents(board, columns, now), "", *self._tasks(board, columns)]
        return lines + self._outside(board, columns)

    def _phases(self, run: dict[str, Any], columns: int) -> str:
        here = PHASES.index(run["phase"])
        marks = [
            f"{'✓' if place < here else '▶' if place == here else '·'} {one}"
            for place, one in enumerate(PHASES)
        ]
        if run["state"] != "active":
            marks.append(f"({run['state']})")
        return fit("  ".join(marks), columns)

    def _agents(self, board: Board, columns: int, now: datetime) -> list[str]:
        found = board.agents
        untold = sum(one["waiting"] for one in found["items"])
        told = f", {untold} messages yet to be told" if untold else ""
        lines = [self._style(fit(f"Agents ({found['total']}{told})", columns), BOLD)]
        for one in found["items"]:
            state = f"{one['status']}, silent" if one["stalled"] else one["status"]
            about = [
                one["role"],
                *([one["tag"]] if one["tag"] else []),
                *([one["step"]] if one["step"] else []),
            ]
            tokens = one["usage"]["tokens"]
            used = f"{tokens} tokens, " if tokens else ""
            since = f"{used}{age(one['spawned_at'], now)}"
            lines.append(self._row(clean_line(one["name"]), state, ", ".join(about), since, columns))
            if one["why"]:
                lines += wrapped(one["why"], columns, indent=4)
        return lines

    def _tasks(self, board: Board, columns: int) -> list[str]:
        found = board.tasks
        names = {one["session"]: one["name"] for one in board.agents["items"]}
        done = board.run["done"]
        lines = [self._style(fit(f"Tasks ({done} of {found['total']} done)", columns), BOLD)]
        for one in sorted(found["items"], key=lambda task: ORDER.index(task["status"])):
            holder = one["assigneeSessionId"]
            who = "" if holder is None else clean_line(names.get(holder, holder))
            lines.append(self._row(one["id"], one["status"], clean_line(one["title"]), who, columns))
        left = found["total"] - len(found["items"])
        return lines if not left else [*lines, fit(f"… and {left} more; see `ade runs tasks`", columns)]

    def _outside(self, board: Board, columns: int) -> list[str]:
        """What was changed outside of lanes, the latest last."""
        found = board.outside
        if not found["total"]:
            return []
        lines = ["", self._style(fit(f"Changed outside of lanes ({found['total']})", columns), BOLD)]
        for one in found["items"][-SHOWN_OUTSIDE:]:
            lines += wrapped(clean_line(one["text"]), columns, indent=2)
        return lines

    def _row(self, first: str, state: str, about: str, last: str, columns: int) -> str:
        left = f"  {fit(first, max(8, columns // 4), pad=True)}  {fit(state, 18, pad=True)}  "
        right = f"  {last}" if last and columns >= 60 else ""
        middle = fit(about, max(4, columns - cells(left) - cells(right)), pad=bool(right))
        return fit(f"{left}{middle}{right}", columns)

    def _style(self, text: str, code: str) -> str:
        return text if self._plain or not text else code + text + PLAIN
