"""``ade events tail``: prints events as they come, over as many runtimes as it takes."""

from __future__ import annotations

import errno
import os
import select
import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson

from ade_generated import errors
from ade_runtime.cli.clean import clean_line
from ade_runtime.cli.local_options import read_options, refusal
from ade_runtime.client.address import resolved_socket, wanted_socket
from ade_runtime.client.local import show_error
from ade_runtime.client.wire import Socket, connect
from ade_runtime.contracts import JsonObject

USAGE = """Usage: ade events tail [--follow] [OPTIONS]

Print what has happened since the runtime was started, one event a line; --follow goes on with what happens from then on,
also when the runtime is ended and started again. Ctrl-C ends it.

  -f, --follow         Go on until interrupted.
  -c, --category NAME  Only events of this category, such as lane or git; may be given again.
  --since CURSOR       Begin after this cursor, which every event and `ade events poll` give.
  -n, --limit N        Without --since, begin with the last N events (default 10).
  --role ROLE          Read in this role, at most your own.
  --json               Print each event as a JSON document; what was missed comes as {"gap": ...}.
  -q, --quiet          Do not say on standard error when the runtime has ended or come back.

Exit codes: 0 done, 2 usage, 3 denied, 7 no runtime, 130 interrupted.
"""
COMMAND = "events tail"
FLAGS = frozenset(["-f", "--follow", "-q", "--quiet", "--no-color", "--headless"])
VALUES = frozenset(["--since", "-n", "--limit", "--role", "--socket"])
DEFAULT_LIMIT = 10
WAIT_MS = 200
"""Between two looks whether the runtime is back: nothing tells when a socket appears."""

GONE = (errno.ENOENT, errno.ECONNREFUSED, errno.ECONNRESET, errno.EPIPE)


class Ended(Exception):
    """The runtime closed the connection."""


class Unread(Exception):
    """Whoever read what is printed has gone."""


class Refused(Exception):
    """The runtime refused; ``envelope`` is its error."""

    def __init__(self, envelope: JsonObject) -> None:
        super().__init__(envelope.get("code"))
        self.envelope = envelope


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line asks for."""

    follow: bool
    quiet: bool
    text: bool
    categories: tuple[str, ...]
    since: str | None
    limit: int
    role: str | None


def run_tail(args: list[str], *, text: bool) -> int:
    """Perform ``ade events tail`` and give its exit code."""
    wanted, environ = _read(args, text)
    if wanted is None:
        sys.stdout.write(USAGE)
        return 0
    try:
        return Tail(wanted, environ).run()
    except Refused as refused:
        return show_error(refused.envelope)
    except (Unread, BrokenPipeError):
        return 0


def _read(args: list[str], text: bool) -> tuple[Wanted | None, dict[str, str]]:
    """The options, ``None`` where help is asked for, and the environment as they change it."""
    from ade_runtime.client.main import _address

    categories, rest = _take_categories(args)
    options = read_options(rest, COMMAND, flags=FLAGS, values=VALUES)
    environ = _address(sys.argv[1:])
    if options.help:
        return None, environ
    if options.words:
        raise refusal(f"unexpected argument {options.words[0]!r}", COMMAND)
    if "--headless" in sys.argv[1:]:
        raise errors.EventsNeedRuntime(action="ade events tail")
    limit = options.values.get("--limit") or options.values.get("-n") or str(DEFAULT_LIMIT)
    if not limit.isascii() or not limit.isdigit() or len(limit) > 6:
        raise refusal(f"--limit needs a whole number, not {limit!r}", COMMAND)
    wanted = Wanted(
        follow=bool(options.flags & {"-f", "--follow"}),
        quiet=bool(options.flags & {"-q", "--quiet"}),
        text=text,
        categories=tuple(categories),
        since=options.values.get("--since"),
        limit=int(limit),
        role=options.values.get("--role") or environ.get("ADE_DEFAULT_ROLE") or None,
    )
    return wanted, environ


def _take_categories(args: list[str]) -> tuple[list[str], list[str]]:
    """Every ``--category``, which may be repeated, and the other words."""
    found, rest = [], []
    words = iter(args)
    for word in words:
        name, equals, value = word.partition("=")
        if name not in ("-c", "--category"):
            rest.append(word)
            continue
        value = value if equals else next(words, "")
        if not value or (not equals and value.startswith("-")):
            raise refusal(f"{name} needs a value", COMMAND)
        found += value.split(",")
    return found, rest


class Feed:
    """One connection. Waiting also ends when nobody reads standard output any more."""

    def __init__(self, connection: Socket) -> None:
        self._connection = connection
        self._lines: deque[bytes] = deque()
        self._rest = b""
        self._poll = watch_output()
        self._poll.register(connection.fileno(), select.POLLIN)

    def ask(self, number: int, method: str, params: JsonObject) -> JsonObject:
        """The result of a request; raises :class:`Refused`."""
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self._connection.sendall(orjson.dumps(message) + b"\n")
        for answer in self.messages():
            if answer.get("id") == number:
                break
        if "error" in answer:
            error = answer["error"]
            raise Refused(error.get("data") or {"code": "internal_error", **error})
        result: JsonObject = answer["result"]
        return result

    def messages(self) -> Iterator[JsonObject]:
        """What comes, as it comes; raises :class:`Ended`."""
        while True:
            while self._lines:
                yield orjson.loads(self._lines.popleft())
            self._receive()

    def _receive(self) -> None:
        for descriptor, _ in self._poll.poll():
            if descriptor != self._connection.fileno():
                raise Unread
        data = self._connection.recv(65536)
        if not data:
            raise Ended
        *lines, self._rest = (self._rest + data).split(b"\n")
        self._lines.extend(lines)

    def close(self) -> None:
        self._connection.close()


def watch_output() -> select.poll:
    """Waits for standard output to have no reader any more; more may be waited for with it."""
    poll = select.poll()
    poll.register(1, 0)
    return poll


class Tail:
    """The whole run: from runtime to runtime, with one cursor."""

    def __init__(self, wanted: Wanted, environ: dict[str, str]) -> None:
        self._wanted = wanted
        self._environ = environ
        self._path = resolved_socket(wanted_socket(environ))
        self._cursor = wanted.since

    def run(self) -> int:
        from ade_runtime.client.main import reach

        try:
            connection = reach(self._path, self._environ)
        except OSError as problem:
            return self._unreachable(problem)
        if isinstance(connection, int):
            return connection
        while True:
            feed = Feed(connection)
            try:
                self._print_from(feed)
                return 0
            except (Ended, ConnectionError):
                pass
            finally:
                feed.close()
            if not self._wanted.follow:
                raise Refused(self._unavailable("it ended").envelope())
            self._say("the runtime has ended; waiting for it to come back")
            back = self._wait()
            if isinstance(back, int):
                return back
            connection = back
            self._say("the runtime is back; following again")

    def _print_from(self, feed: Feed) -> None:
        """Subscribe where the cursor is and print; returns when all there was is printed and nothing is followed."""
        token = self._environ.get("ADE_SESSION_TOKEN")
        feed.ask(1, "ade/initialize", {"session_token": token} if token else {})
        first = self._cursor is None
        place = {"start": "oldest"} if first else {"cursor": self._cursor}
        asked = {**place, "categories": list(self._wanted.categories)} if self._wanted.categories else place
        if self._wanted.role:
            asked = {**asked, "role": self._wanted.role}
        told = feed.ask(2, "runtimeEvents.subscribe", asked)
        left = int(told["pending"])
        skip = max(0, left - self._wanted.limit) if first else 0
        self._cursor = told["cursor"] if first and not left else self._cursor
        if not left and not self._wanted.follow:
            return
        for message in feed.messages():
            if message.get("method") == "runtime/closing":
                raise Ended
            if message.get("method") != "runtime/event":
                continue
            note = message["params"]
            self._take(note, silent=skip > 0 or (first and note["gap"] is not None))
            skip, left = (skip - 1, left - 1) if note["event"] is not None else (skip, left)
            if left <= 0 and not self._wanted.follow:
                return

    def _take(self, note: JsonObject, *, silent: bool) -> None:
        if note["ended"] is not None:
            raise Refused(note["ended"])
        self._cursor = note["cursor"]
        if not silent:
            _write(self._line(note))

    def _line(self, note: JsonObject) -> str:
        event, gap = note["event"], note["gap"]
        if not self._wanted.text:
            return orjson.dumps(event if event is not None else {"gap": gap}).decode()
        if gap is not None:
            return _gap_line(gap)
        at = datetime.fromisoformat(event["at"]).astimezone().strftime("%H:%M:%S")
        return clean_line(
            f"{at}  {event['type']:<24} {event['subject'] or '-':<18} {event['identity'] or '-'}".rstrip()
        )

    def _wait(self) -> Socket | int:
        """A connection to the next runtime, which somebody else starts; the exit code where that cannot be."""
        poll = watch_output()
        while True:
            if poll.poll(WAIT_MS):
                raise Unread
            try:
                return connect(self._path)
            except OSError as problem:
                if problem.errno not in GONE:
                    return self._unreachable(problem)

    def _unreachable(self, problem: OSError) -> int:
        """Say why there is no way to the runtime; what a sandbox forbids has no other way in for what goes on and on."""
        if problem.errno in (errno.EPERM, errno.EACCES):
            from ade_runtime.client.sandboxed import blocked

            return blocked(problem, self._path, self._environ, "it carries single commands")
        raise Refused(self._unavailable(problem.strerror or str(problem)).envelope())

    def _unavailable(self, reason: str) -> errors.RuntimeUnavailable:
        from ade_runtime.client.address import ade_home

        return errors.RuntimeUnavailable(reason=reason, log=f"{ade_home(self._environ)}/logs/runtime.log")

    def _say(self, what: str) -> None:
        if not self._wanted.quiet:
            sys.stderr.write(f"ade: {what}\n")
            sys.stderr.flush()


def _gap_line(gap: dict[str, Any]) -> str:
    if gap["reason"] == "restarted":
        return (
            "-- the runtime was started again: what happened in between and was not printed is not known --"
        )
    counts = ", ".join(f"{count} {category}" for category, count in sorted(gap["categories"].items()))
    many = "an unknown number of" if gap["missed"] is None else str(gap["missed"])
    return f"-- missed {many} events{f' ({counts})' if counts else ''} --"


def _write(line: str) -> None:
    data = line.encode("utf-8", "backslashreplace") + b"\n"
    while data:
        data = data[os.write(1, data) :]
