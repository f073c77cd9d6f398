"""What is on the screen, and what keys do to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from ade_runtime.client.inbox.answers import ANSWER_LIMIT, AnswerError, read_answer
from ade_runtime.client.live.screen import Leave

Item = dict[str, Any]
"""An item of `user.inbox`."""

Mode = Literal["choose", "answer", "dismiss", "refuse"]
MESSAGE_LIMIT = 2000
"""Most characters of what an agent is told with a refusal."""


class State:
    """``send`` is given an item, the action that settles it, its arguments, and what to say once it worked."""

    def __init__(self, send: Callable[[Item, str, dict[str, Any], str], None]) -> None:
        self._send = send
        self.items: list[Item] | None = None
        self.chosen: str | None = None
        self.mode: Mode = "choose"
        self.typed = ""
        self.given: list[dict[str, Any]] = []
        self.notice = ""
        self.connected = True
        self.sending: str | None = None
        self.scroll = 0

    @property
    def item(self) -> Item | None:
        """The chosen one."""
        return next((item for item in self.items or () if item["id"] == self.chosen), None)

    @property
    def part(self) -> dict[str, Any]:
        """What the typed text answers."""
        item = self.item
        assert item is not None
        part: dict[str, Any] = item["question"]["parts"][len(self.given)]
        return part

    # -- what the runtime says

    def show(self, items: list[Item]) -> None:
        """What waits now. Where the chosen one was settled elsewhere, none is chosen: the next key must not hit another."""
        before, first = self.item, not self.items
        self.items = items
        if first and items:
            self._choose(items[0]["id"])
        elif before is not None and self.item is None:
            self._choose(None)
            if before["id"] != self.sending:
                self.notice = f"settled elsewhere: {before['title']}"

    def done(self, item: Item, said: str) -> None:
        """The runtime took an answer; the next item is chosen."""
        self.sending = None
        self.notice = said
        rest = [one for one in self.items or () if one["id"] != item["id"]]
        place = next((n for n, one in enumerate(self.items or ()) if one["id"] == item["id"]), 0)
        self.items = rest
        self._choose(rest[min(place, len(rest) - 1)]["id"] if rest else None)

    def failed(self, problem: str) -> None:
        """The runtime did not take an answer."""
        self.sending = None
        self.notice = problem

    def lost(self) -> None:
        """The connection broke. Whether an answer that was on its way arrived shows in the list once there is one again."""
        if self.sending is not None:
            self.notice = "whether the last answer arrived is not known; what is still listed waits on"
        self.connected, self.sending = False, None

    # -- what the user does

    def key(self, name: str, text: str) -> None:
        """A key; raises :class:`Leave`."""
        if name == "interrupt":
            raise Leave(130)
        self.notice = ""
        if name in ("page up", "page down"):
            self.scroll = max(0, self.scroll + (-5 if name == "page up" else 5))
        elif self.mode == "choose":
            self._command(text.lower() if name == "text" else name)
        elif name == "escape":
            self._back()
        elif self.mode == "dismiss":
            self._confirm(text.lower())
        else:
            self._edit(name, text)

    def _command(self, key: str) -> None:
        if key in ("q", "end"):
            raise Leave(0)
        if key in ("up", "k", "down", "j"):
            self._move(-1 if key in ("up", "k") else 1)
            return
        item = self.item
        if item is None or key not in ("enter", "a", "r", "d"):
            return
        if not self.connected or self.sending is not None:
            self.notice = "wait: the last answer is on its way" if self.connected else "the runtime is away"
        elif item["kind"] == "question":
            self._about_question(key)
        else:
            self._about_approval(item, key)

    def _about_question(self, key: str) -> None:
        if key in ("enter", "a"):
            self.mode, self.typed, self.given, self.scroll = "answer", "", [], 0
        elif key == "d":
            self.mode = "dismiss"
        else:
            self.notice = "a question is answered with Enter, or dismissed with d"

    def _about_approval(self, item: Item, key: str) -> None:
        if key == "a":
            self._settle(
                item, "chat.approve", {"approval": item["id"], "refuse": False}, f"allowed: {item['title']}"
            )
        elif key in ("r", "d"):
            self.mode, self.typed = "refuse", ""
        else:
            self.notice = "a allows it, r refuses it"

    def _confirm(self, key: str) -> None:
        item = self.item
        self.mode = "choose"
        if key == "y" and item is not None:
            arguments = {"question": item["id"], "dismiss": True}
            self._settle(item, "user.respond", arguments, f"dismissed: {item['title']}")

    def _edit(self, name: str, text: str) -> None:
        limit = MESSAGE_LIMIT if self.mode == "refuse" else ANSWER_LIMIT
        if name == "text":
            self.typed = (self.typed + text)[:limit]
        elif name == "backspace":
            self.typed = self.typed[:-1]
        elif name == "clear":
            self.typed = ""
        elif name == "word":
            self.typed = self.typed.rstrip()
            self.typed = self.typed[: len(self.typed) - len(self.typed.split(" ")[-1])]
        elif name == "enter":
            self._enter()

    def _enter(self) -> None:
        item = self.item
        if item is None or not self.connected:
            self.notice = "the runtime is away; what you typed is kept"
            return
        if self.mode == "refuse":
            arguments: dict[str, Any] = {"approval": item["id"], "refuse": True}
            if self.typed.strip():
                arguments["message"] = self.typed.strip()
            self._settle(item, "chat.approve", arguments, f"refused: {item['title']}")
            return
        try:
            values = read_answer(self.part, self.typed)
        except AnswerError as problem:
            self.notice = str(problem)
            return
        self.given.append({"id": self.part["id"], "values": values})
        self.typed, self.scroll = "", 0
        if len(self.given) == len(item["question"]["parts"]):
            arguments = {"question": item["id"], "answers": self.given}
            told = "; ".join(", ".join(one["values"]) for one in self.given)
            self._settle(item, "user.respond", arguments, f"answered: {told}")

    def _settle(self, item: Item, action: str, arguments: dict[str, Any], said: str) -> None:
        self.mode, self.typed, self.given, self.sending = "choose", "", [], item["id"]
        self._send(item, action, arguments, said)

    def _back(self) -> None:
        if self.mode == "answer" and self.given:
            self.typed = ", ".join(self.given.pop()["values"])
            return
        self.mode, self.typed = "choose", ""

    def _move(self, by: int) -> None:
        items = self.items or []
        if not items:
            return
        places = [place for place, item in enumerate(items) if item["id"] == self.chosen]
        start = places[0] + by if places else 0
        self._choose(items[min(max(start, 0), len(items) - 1)]["id"])

    def _choose(self, identifier: str | None) -> None:
        self.chosen, self.scroll = identifier, 0
        self.mode, self.typed, self.given = "choose", "", []
