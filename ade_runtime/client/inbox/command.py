"""``ade inbox``: live on a terminal, else a list that says how to answer."""

from __future__ import annotations

import os
import sys
import termios
from datetime import UTC, datetime
from typing import Any

from ade_runtime.cli.local_options import read_options, refusal
from ade_runtime.client.inbox.state import Item, State
from ade_runtime.client.live.link import News, Wanted
from ade_runtime.client.live.screen import Screen
from ade_runtime.client.raw_terminal import IN, has_terminal
from ade_runtime.contracts import JsonObject

USAGE = """Usage: ade inbox [OPTIONS]

Show what waits for you in all projects: questions of agents, and what they want to do and need permission for. On a terminal
it stays open, shows what comes, and takes your answers; the first answer counts, wherever it is given. Without a terminal it
prints the list, with the command that answers each: it is `ade user inbox` then.

  -l, --list     Print the list also on a terminal.
  --json         Print the list as a JSON document.
  --no-color     Nothing bold or dim.
  --headless     Print the list without a runtime.
  --socket PATH  Ask the runtime at this socket.

Keys: up/down choose; Enter answers a question, d dismisses it; a allows, r refuses what an agent wants to do; PgUp/PgDn read
on; q or Ctrl-C leaves.

Examples:
  ade inbox                                  # stay and answer
  ade inbox --list                           # what waits now
  ade inbox --json | jq -r '.items[].answer' # the commands that answer

Exit codes: 0 left or printed, 2 usage, 3 denied, 7 no runtime, 130 interrupted.
"""
FLAGS = frozenset(["-l", "--list", "--no-color", "--headless"])


def run_inbox(args: list[str], *, text: bool) -> int:
    """Perform ``ade inbox`` and give its exit code."""
    from ade_runtime.client.main import _address

    options = read_options(args, "inbox", flags=FLAGS, values=["--socket"])
    if options.help:
        sys.stdout.write(USAGE)
        return 0
    if options.words:
        raise refusal(f"unexpected argument {options.words[0]!r}", "inbox")
    live = text and has_terminal() and os.environ.get("TERM", "dumb") != "dumb"
    if not live or {"-l", "--list", "--headless"} & {*options.flags, *sys.argv[1:]}:
        return _print_list(text)
    environ = _address(sys.argv[1:])
    plain = "--no-color" in sys.argv[1:] or bool(environ.get("NO_COLOR"))
    return Inbox(environ, plain=plain).run()


def _print_list(text: bool) -> int:
    """The list as an action prints it, with the options of this line that any action takes."""
    from ade_runtime.client.main import run

    own = {"inbox", "-l", "--list", "--json", "--text"}
    rest = [word for word in sys.argv[1:] if word not in own]
    return run(["user", "inbox", "--text" if text else "--json", *rest])


class Inbox(Screen):
    """What waits, and the answers to it."""

    news = News(categories=("user", "chat"), types=("user.", "chat.state"))  # what an agent writes is none

    def __init__(self, environ: dict[str, str], *, plain: bool) -> None:
        from ade_runtime.client.inbox.view import View

        super().__init__(environ)
        self._state = State(self._settle)
        self._view = View(plain=plain)

    def questions(self) -> list[Wanted]:
        return [Wanted("user.inbox", {})]

    def shown(self, answers: list[JsonObject]) -> None:
        self._state.show(answers[0]["items"])

    def connected(self, there: bool) -> None:
        if there:
            self._state.connected = True
        else:
            self._state.lost()

    def key(self, name: str, text: str) -> None:
        self._state.key(name, text)

    def draw(self, rows: int, columns: int) -> bytes:
        return self._view.draw(self._state, rows, columns, datetime.now(UTC))

    def _settle(self, item: Item, action: str, arguments: dict[str, Any], said: str) -> None:
        def then(problem: JsonObject | None) -> None:
            termios.tcflush(IN, termios.TCIFLUSH)  # what was typed meanwhile was not meant for the next one
            if problem is None:
                self._state.done(item, said)
            else:
                self._state.failed(f"{problem['message']} {problem.get('hint') or ''}".strip())

        where = {} if item["project"] is None else {"project": item["project"]}
        self.send(Wanted(action, arguments, where), then)
