"""A run as lines: of any size, and whatever others have written."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from rich.cells import cell_len

from ade_runtime.client.watch.view import Board, View

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
HOSTILE = "a\x1b[2J\r\nb任務" * 30


def agent(name: str, **more: Any) -> dict[str, Any]:
    found = {"session": f"ses_{name}", "name": name, "role": "worker", "tag": None, "status": "running"}
    found |= {"why": None, "stalled": False, "step": None, "waiting": 0, "usage": {"tokens": 0}}
    return found | {"spawned_at": "2026-01-01T11:30:00.000Z"} | more


def task(name: str, status: str, holder: str | None = None) -> dict[str, Any]:
    return {"id": name, "title": f"Do {name}", "status": status, "assigneeSessionId": holder}


def board(*tasks: dict[str, Any], **run: Any) -> Board:
    told = {
        "id": "run_1",
        "title": "Login",
        "state": "active",
        "phase": "developing",
        "next": "Wait.",
        "done": 1,
    }
    agents = [
        agent("Lead", role="lead"),
        agent("Store", step="T-2", waiting=2, usage={"tokens": 1200}),
        agent("Form", stalled=True, status="blocked", why="No rights."),
    ]
    found = list(run.pop("outside", ()))
    return Board(
        told | run,
        {"items": agents, "total": len(agents)},
        {"items": list(tasks), "total": len(tasks)},
        {"items": found, "total": len(found)},
    )


TASKS = (task("T-1", "done"), task("T-3", "pending"), task("T-2", "in_progress", "ses_Store"))


def test_it_says_who_does_what_and_what_hinders() -> None:
    lines = View(plain=True).lines(board(*TASKS), 80, NOW)
    text = "\n".join(lines)
    assert lines[1] == "✓ planning  ▶ developing  · validating  · wrapup"
    assert "Agents (3, 2 messages yet to be told)" in lines
    (store,) = [line for line in lines if line.startswith("  Store")]
    assert "worker, T-2" in store
    assert store.endswith("1200 tokens, 30 min")
    assert "blocked, silent" in text
    assert "    No rights." in lines
    assert "Tasks (1 of 3 done)" in lines
    order = [line.split()[0] for line in lines if line.startswith("  T-")]
    assert order == ["T-2", "T-3", "T-1"]
    assert next(line for line in lines if "Do T-2" in line).endswith("Store")


def test_what_was_changed_outside_of_lanes_is_told_the_latest_last() -> None:
    found = [{"text": f"Store changed \x1b[2J{place}.txt."} for place in range(7)]
    lines = View(plain=True).lines(board(*TASKS, outside=found), 80, NOW)
    assert "Changed outside of lanes (7)" in lines
    assert [line[-6:] for line in lines[-5:]] == [f"{place}.txt." for place in range(2, 7)]
    assert "\x1b" not in "".join(lines)
    assert "outside" not in "".join(View(plain=True).lines(board(*TASKS), 80, NOW))


def test_a_run_that_is_over_says_so() -> None:
    assert "(cancelled)" in View(plain=True).lines(board(state="cancelled"), 80, NOW)[1]


@pytest.mark.parametrize("size", [(1, 1), (2, 20), (24, 80), (50, 200)])
def test_it_fits_every_size_and_shows_nobodys_escapes(size: tuple[int, int]) -> None:
    rows, columns = size
    made = board(*TASKS, task(HOSTILE, "failed", HOSTILE), title=HOSTILE, next=HOSTILE)
    made.agents["items"].append(agent(HOSTILE, why=HOSTILE))
    for plain in (True, False):
        drawn = View(plain=plain).draw(made, rows, columns, NOW).decode()
        for code in ("\x1b[?25l", "\x1b[H", "\x1b[K", "\x1b[J", "\x1b[1m", "\x1b[2m", "\x1b[0m"):
            drawn = drawn.replace(code, "")
        assert "\x1b" not in drawn
        lines = drawn.split("\r\n")
        assert len(lines) == rows
        assert all(cell_len(line) <= columns for line in lines)


def test_scrolling_stays_within_the_run() -> None:
    view = View(plain=True)
    made = board(*(task(f"T-{number}", "pending") for number in range(100)))
    view.scroll = 10_000
    assert b"T-99" in view.draw(made, 24, 80, NOW)
    view.scroll -= 10_000
    assert b"Login" in view.draw(made, 24, 80, NOW)
    assert view.scroll == 0


def test_more_tasks_than_are_shown_are_counted() -> None:
    made = board(*TASKS)
    made.tasks["total"] = 500
    assert View(plain=True).lines(made, 80, NOW)[-1] == "… and 497 more; see `ade runs tasks`"
