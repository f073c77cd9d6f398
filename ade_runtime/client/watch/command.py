"""``ade runs watch``: live on a terminal, else as it stands now."""

from __future__ import annotations

import os
import select
import sys
from datetime import UTC, datetime

import orjson

from ade_runtime.cli.local_options import read_options, refusal
from ade_runtime.client.live.link import Link, News, Wanted, problem_of
from ade_runtime.client.live.screen import Leave, Screen
from ade_runtime.client.raw_terminal import has_terminal, size
from ade_runtime.client.tail import Ended, Refused
from ade_runtime.client.watch.view import Board, View
from ade_runtime.contracts import JsonObject

COMMAND = "runs watch"
USAGE = """Usage: ade runs watch RUN [OPTIONS]

Show a run as it goes on: its phase, what it waits for, who is at work and at what, and how far each task is. On a terminal it
stays open and follows every change, also when the runtime is ended and started again; else it prints how the run stands now.

  --once            Print how the run stands now also on a terminal.
  --project PROJECT Project of the run; without it, that of the current folder.
  --json            Print run, agents, tasks and changes outside of lanes as one JSON document.
  --no-color        Nothing bold or dim.
  --socket PATH     Ask the runtime at this socket.

Keys: up/down and PgUp/PgDn read on; q or Ctrl-C leaves.

Examples:
  ade runs watch run_4m0c9bq7t2xe
  ade runs watch run_4m0c9bq7t2xe --json | jq '.tasks.items[] | select(.status == "failed")'

Exit codes: 0 left or printed, 2 usage, 3 denied, 4 no such run, 7 no runtime, 130 interrupted.
"""
FLAGS = frozenset(["--once", "--no-color"])
VALUES = frozenset(["--project", "--socket"])
SHOWN_AGENTS, SHOWN_TASKS, SHOWN_OUTSIDE = 100, 200, 500
NEWS = News(categories=("run", "chat", "user"), types=("run.", "chat.state", "user."))


def run_watch(args: list[str], *, text: bool) -> int:
    """Perform ``ade runs watch`` and give its exit code."""
    from ade_runtime.client.main import _address

    options = read_options(args, COMMAND, flags=FLAGS, values=VALUES)
    if options.help:
        sys.stdout.write(USAGE)
        return 0
    if len(options.words) != 1:
        raise refusal(
            "name one run" if not options.words else f"unexpected argument {options.words[1]!r}", COMMAND
        )
    project = options.values.get("--project")
    where = {"cwd": os.getcwd()} if project is None else {"project": project}  # noqa: PTH109 - as the caller says it
    environ = _address(sys.argv[1:])
    plain = "--no-color" in options.flags or bool(environ.get("NO_COLOR"))
    wanted = _reads(options.words[0], where)
    live = text and has_terminal() and os.environ.get("TERM", "dumb") != "dumb"
    if not live or "--once" in options.flags:
        return _print(wanted, environ, text=text, plain=plain or not has_terminal())
    return Watch(wanted, environ, plain=plain).run()


def _reads(run: str, where: dict[str, str]) -> list[Wanted]:
    return [
        Wanted("run.show", {"run": run}, where),
        Wanted("run.agents", {"run": run, "limit": SHOWN_AGENTS}, where),
        Wanted("run.tasks", {"run": run, "limit": SHOWN_TASKS}, where),
        Wanted("run.outside", {"run": run, "limit": SHOWN_OUTSIDE}, where),
    ]


class Watch(Screen):
    """One run, followed."""

    news = NEWS

    def __init__(self, wanted: list[Wanted], environ: dict[str, str], *, plain: bool) -> None:
        super().__init__(environ)
        self._wanted = wanted
        self._view = View(plain=plain)
        self._board: Board | None = None

    def questions(self) -> list[Wanted]:
        return self._wanted

    def shown(self, answers: list[JsonObject]) -> None:
        self._board = Board(*answers)

    def connected(self, there: bool) -> None:
        self._view.connected = there

    def key(self, name: str, text: str) -> None:
        if name == "interrupt":
            raise Leave(130)
        if name == "end" or (name == "text" and text.lower() == "q"):
            raise Leave(0)
        rows = size()[0]
        self._view.scroll += {"up": -1, "down": 1, "page up": 2 - rows, "page down": rows - 2}.get(name, 0)

    def draw(self, rows: int, columns: int) -> bytes:
        return self._view.draw(self._board, rows, columns, datetime.now(UTC))


def _print(wanted: list[Wanted], environ: dict[str, str], *, text: bool, plain: bool) -> int:
    from ade_runtime.client.address import resolved_socket, wanted_socket
    from ade_runtime.client.local import show_error
    from ade_runtime.client.main import reach
    from ade_runtime.client.trouble import unreachable

    path = resolved_socket(wanted_socket(environ))
    try:
        connection = reach(path, environ)
        if isinstance(connection, int):
            return connection
        link = Link(connection, environ.get("ADE_SESSION_TOKEN"), NEWS, lambda: None)
        answers = [_answer(link, one) for one in wanted]
    except Refused as refused:
        return show_error(refused.envelope)
    except (Ended, OSError) as problem:
        return unreachable(problem if isinstance(problem, OSError) else ConnectionResetError(), path, environ)
    if text:
        board = Board(*answers)
        lines = View(plain=plain).lines(board, size()[1], datetime.now(UTC))
        sys.stdout.write("\n".join(lines) + "\n")
    else:
        document = dict(zip(("run", "agents", "tasks", "outside"), answers, strict=True))
        sys.stdout.write(orjson.dumps(document).decode() + "\n")
    return 0


def _answer(link: Link, wanted: Wanted) -> JsonObject:
    """The answer to one call, waited for; raises :class:`Refused`."""
    found: list[JsonObject] = []
    link.call(wanted, found.append)
    while not found:
        select.select([link.fileno()], [], [])
        link.receive()
    problem = problem_of(found[0])
    if problem is not None:
        raise Refused(problem)
    result: JsonObject = found[0]["result"]
    return result
