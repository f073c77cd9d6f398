"""What a scripted model answers: one answer after the other, whoever asks."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Say:
    """End the turn with a text."""

    text: str


@dataclass(frozen=True)
class Call:
    """Call the first tool offered whose name contains ``tool``. ``arguments`` may be made from what the model was shown."""

    tool: str
    arguments: dict[str, Any] | Callable[[dict[str, Any]], dict[str, Any]] = field(default_factory=dict)
    text: str = ""


@dataclass(frozen=True)
class Code:
    """Run a script, where the program has its model write scripts."""

    source: str


@dataclass(frozen=True)
class Fail:
    """Answer with an HTTP error."""

    status: int
    kind: str = "api_error"
    message: str = "scripted"
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Hold:
    """Keep the program waiting until :meth:`go` is called, then end the turn with a text. ``reached`` is set once it waits."""

    text: str = "done"
    reached: threading.Event = field(default_factory=threading.Event)
    released: threading.Event = field(default_factory=threading.Event)

    def go(self) -> None:
        self.released.set()


Answer = Say | Call | Code | Fail | Hold


class Script:
    """Answers in order; past its end every turn ends with ``done``."""

    def __init__(self, answers: Sequence[Answer] = ()) -> None:
        self._answers = list(answers)
        self._lock = threading.Lock()

    def add(self, *answers: Answer) -> None:
        with self._lock:
            self._answers.extend(answers)

    def next(self, body: Mapping[str, Any]) -> Answer:
        """The answer to a request."""
        with self._lock:
            return self._answers.pop(0) if self._answers else Say("done")

    @property
    def left(self) -> int:
        return len(self._answers)


class Cast:
    """A script for each of several programs that talk to one model at the same time: the first one whose words a request holds
    answers it. Nobody's words may be said to those who come before."""

    def __init__(self, parts: Mapping[str, Sequence[Answer]]) -> None:
        self.parts = {words: Script(answers) for words, answers in parts.items()}

    def next(self, body: Mapping[str, Any]) -> Answer:
        told = json.dumps(body)
        for words, script in self.parts.items():
            if words in told:
                return script.next(body)
        return Say("done")
