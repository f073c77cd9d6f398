"""The screen as lines, fitted to its width and height. Everything that others wrote is made safe to print."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from ade_runtime.cli.clean import clean_line
from ade_runtime.client.inbox.answers import markers
from ade_runtime.client.inbox.state import Item, State
from ade_runtime.client.live.lines import BOLD, DIM, PLAIN, age, cells, fit, page, tail, wrapped


class View:
    """Draws a :class:`State`. With ``plain`` nothing is bold or dim."""

    def __init__(self, *, plain: bool) -> None:
        self._plain = plain

    def draw(self, state: State, rows: int, columns: int, now: datetime) -> bytes:
        """What to send to a terminal of that size to make it show the state, the cursor where typing goes on."""
        foot, cursor = self._foot(state, columns)
        space = rows - 1 - len(foot)
        listed = self._listed(state, columns, now, max(1, min(space // 3, 10)))
        details = [clean_line(line) for line in _details(state, columns)]
        room = max(0, space - len(listed) - 1)
        state.scroll = min(state.scroll, max(0, len(details) - room))
        shown = details[state.scroll : state.scroll + room]
        if len(details) - state.scroll > room > 0:
            shown[-1] = fit("… PgDn shows more", columns)
        body = [self._head(state, columns), *listed, "", *shown]
        lines = body[: max(0, rows - len(foot))]
        lines += [""] * (rows - len(foot) - len(lines)) + foot
        lines = lines[-rows:]
        return page(lines, rows, cursor)

    def _head(self, state: State, columns: int) -> str:
        if not state.connected:
            told = "the runtime has ended; waiting for it to come back"
        elif state.items is None:
            told = "asking the runtime"
        else:
            told = f"{len(state.items)} waiting" if state.items else "nothing waits for you"
        return self._style(fit(f"ade inbox: {told}", columns), BOLD)

    def _listed(self, state: State, columns: int, now: datetime, most: int) -> list[str]:
        items = state.items or []
        place = next((n for n, item in enumerate(items) if item["id"] == state.chosen), 0)
        first = min(max(0, place - most + 1), max(0, len(items) - most))
        return [
            self._row(item, item["id"] == state.chosen, columns, now) for item in items[first : first + most]
        ]

    def _row(self, item: Item, chosen: bool, columns: int, now: datetime) -> str:
        old = age(item["created_at"], now)
        who = clean_line(item["asked_by"])[:24] if columns >= 60 else ""
        left = f"{'>' if chosen else ' '} {item['kind']:<8}  "
        right = f"  {who}  {old}" if who else f"  {old}"
        width = max(4, columns - len(left) - cells(right))
        line = fit(left + fit(clean_line(item["title"]), width, pad=True) + right, columns)
        return self._style(line, BOLD) if chosen else line

    def _foot(self, state: State, columns: int) -> tuple[list[str], int | None]:
        """The lines at the bottom, and in which column of the last one typing goes on."""
        notice = fit(clean_line(state.notice), columns)
        if state.mode in ("answer", "refuse"):
            what = "Answer" if state.mode == "answer" else "Tell the agent why (Enter alone: nothing)"
            keys = fit("Enter sends, Esc goes back, Ctrl-U clears", columns)
            prompt = fit(f"{what}:", columns)
            shown = "> " + tail(clean_line(state.typed), columns - 3)
            return [notice, self._style(keys, DIM), prompt, shown], cells(shown)
        keys = "Dismiss it? The agent is told that there will be no answer. y/n"
        if state.mode == "choose":
            keys = _keys(state)
        return [notice, self._style(fit(keys, columns), DIM)], None

    def _style(self, text: str, code: str) -> str:
        return text if self._plain or not text else code + text + PLAIN


def _keys(state: State) -> str:
    item = state.item
    own = ""
    if item is not None:
        own = "Enter answers, d dismisses, " if item["kind"] == "question" else "a allows, r refuses, "
    move = "up/down choose, " if len(state.items or ()) > 1 or (state.items and item is None) else ""
    return f"{own}{move}q leaves"


def _details(state: State, columns: int) -> list[str]:
    item = state.item
    if item is None:
        return []
    lines = wrapped(item["title"], columns)
    about = f"{item['asked_by']} · {item['project'] or 'no project'} · {item['id']}"
    lines += [*wrapped(about, columns), ""]
    if item["approval"] is not None:
        return lines + _approval(item["approval"], columns)
    question = item["question"]
    if question["body"]:
        lines += [*wrapped(question["body"], columns), ""]
    parts = question["parts"]
    if state.mode == "answer":
        many = len(parts) > 1
        lines = lines if not many else [*lines, f"{len(state.given) + 1} of {len(parts)}"]
        return lines + _part(state.part, columns)
    for part in parts:
        lines += [*_part(part, columns), ""]
    return lines


def _part(part: dict[str, Any], columns: int) -> list[str]:
    lines = wrapped(part["text"], columns)
    for choice, marker in zip(part["choices"], markers(part["choices"]), strict=True):
        about = f" - {choice['description']}" if choice["description"] else ""
        lines += wrapped(f"{marker}. {choice['label']}{about}", columns, indent=2)
    return lines


def _approval(approval: dict[str, Any], columns: int) -> list[str]:
    lines = wrapped(f"wants to use: {approval['tool']}", columns)
    for name, value in approval["details"].items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        lines += [f"{name}:", *wrapped(text, columns, indent=2)]
    return lines
