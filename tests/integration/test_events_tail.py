"""``ade events tail``: as a person or a script runs it, over a runtime that ends and comes back."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Command, command
from tests.support.repo import Repo


@pytest.fixture
def ade(tmp_path: Path) -> Iterator[Command]:
    with command(tmp_path) as made:
        yield made


class Following:
    """A running ``ade events tail --follow --json``."""

    def __init__(self, ade: Command, *argv: str, env: dict[str, str] | None = None) -> None:
        self.process = ade.start("events", "tail", "--follow", "--json", *argv, env=env, bufsize=1)

    def next(self) -> Any:
        assert self.process.stdout is not None
        text = self.process.stdout.readline()
        assert text, self.process.communicate()[1]
        return json.loads(text)

    def said(self) -> str:
        """The next line of standard error."""
        assert self.process.stderr is not None
        return str(self.process.stderr.readline())

    def end(self, how: int = signal.SIGINT) -> tuple[int, str]:
        """Exit code and what is left of standard error."""
        self.process.send_signal(how)
        _, told = self.process.communicate(timeout=30)
        return self.process.returncode, told

    def __enter__(self) -> Following:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def start(ade: Command, title: str = "x") -> str:
    """Something that happens: the id of a new session."""
    return str(ade.json("sessions", "start", "--title", title)["session"]["id"])


def test_it_prints_the_last_ones_then_what_comes_and_ends_with_ctrl_c(ade: Command) -> None:
    before = [start(ade) for _ in range(4)]
    with Following(ade, "--limit", "2") as tail:
        assert [tail.next()["subject"] for _ in range(2)] == before[2:]
        after = start(ade)
        event = tail.next()
        assert (event["type"], event["category"], event["subject"]) == ("session.start", "session", after)
        assert tail.end() == (130, "")


def test_without_following_it_prints_what_there_is(ade: Command) -> None:
    assert ade.run("events", "tail").stdout == "", "nothing has happened yet"
    ids = [start(ade) for _ in range(12)]
    done = ade.run("events", "tail", "--json")
    events = [json.loads(text) for text in done.stdout.splitlines()]
    assert [event["subject"] for event in events] == ids[-10:]
    done = ade.run("events", "tail", "--json", "--since", events[3]["cursor"])
    assert [json.loads(text)["subject"] for text in done.stdout.splitlines()] == ids[-6:]
    text = ade.run("events", "tail", "--text", "-n", "1").stdout
    assert text.split()[1:3] == ["session.start", ids[-1]]
    assert len(text.rstrip("\n")) <= 80
    assert ade.run("events", "tail", "-c", "lane,git", "--category=project").stdout == ""


def test_it_goes_on_at_the_next_runtime_and_says_so(ade: Command) -> None:
    start(ade)
    with Following(ade) as tail:
        tail.next()
        ade.json("runtime", "stop")
        assert "has ended" in tail.said()
        after = start(ade)
        assert "is back" in tail.said()
        gap = tail.next()["gap"]
        assert (gap["reason"], gap["missed"]) == ("restarted", None)
        assert tail.next()["subject"] == after
        ade.kill()
        assert "has ended" in tail.said()
        again = start(ade)
        assert "is back" in tail.said()
        assert tail.next()["gap"]["reason"] == "restarted"
        assert tail.next()["subject"] == again
        assert tail.end(signal.SIGTERM)[0] == -signal.SIGTERM


def test_it_ends_with_its_reader_even_while_nothing_happens(ade: Command) -> None:
    ids = [start(ade) for _ in range(3)]
    reading, writing = os.pipe()
    tail = ade.start("events", "tail", "--follow", "--json", stdout=writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as lines:
        for wanted in ids:
            assert json.loads(lines.readline())["subject"] == wanted
    _, told = tail.communicate(timeout=30)
    assert (tail.returncode, told) == (0, "")


def test_it_ends_with_its_reader_while_the_runtime_is_away(ade: Command) -> None:
    start(ade)
    with Following(ade) as tail:
        tail.next()
        ade.json("runtime", "stop")
        assert "has ended" in tail.said()
        assert tail.process.stdout is not None
        tail.process.stdout.close()
        assert tail.process.wait(30) == 0


def test_a_session_follows_its_own_project_and_only_while_it_lives(ade: Command, tmp_path: Path) -> None:
    projects = []
    for name in ("one", "two"):
        repo = Repo(tmp_path, name, env=ade.env)
        repo.commit("First", **{"README.md": "# Sample\n"})
        ade.json("project", "add", str(repo.root))
        projects.append(repo.root)
    made = ade.json("sessions", "start", cwd=projects[0])
    with Following(ade, "--category", "lane", env={"ADE_SESSION_TOKEN": made["token"]}) as tail:
        ade.json("lanes", "create", "foreign", cwd=projects[1])
        own = ade.json("lanes", "create", "own", cwd=projects[0])["id"]
        assert tail.next()["lane"] == own
        ade.json("sessions", "end", made["session"]["id"])
        ade.json("lanes", "create", "later", cwd=projects[0])
        out, told = tail.process.communicate(timeout=30)
        assert (tail.process.returncode, out) == (3, "")
        assert json.loads(told)["error"]["code"] == "policy_denied"
    refused = ade.error("events", "tail", exit_code=3, env={"ADE_SESSION_TOKEN": made["token"]})
    assert refused["code"] == "policy_denied"


@pytest.mark.parametrize(
    ("argv", "code", "exit_code"),
    [
        (["--since", "yesterday"], "invalid_cursor", 2),
        (["--category", "lanes"], "unknown_category", 2),
        (["--category"], "invalid_arguments", 2),
        (["--limit", "many"], "invalid_arguments", 2),
        (["--folow"], "invalid_arguments", 2),
        (["more"], "invalid_arguments", 2),
        (["--role", "god"], "invalid_arguments", 2),
        (["--headless"], "events_need_runtime", 7),
    ],
)
def test_what_is_wrong_with_the_line_is_said(
    ade: Command, argv: list[str], code: str, exit_code: int
) -> None:
    assert ade.error("events", "tail", *argv, exit_code=exit_code)["code"] == code


def test_help_and_a_headless_poll(ade: Command) -> None:
    assert "--follow" in ade.run("events", "tail", "--help").stdout
    assert "--follow" in ade.run("event", "tail", "--help").stdout
    refused = ade.error("events", "poll", "--headless", exit_code=7)
    assert refused["code"] == "events_need_runtime"
    assert "ade audit list" in refused["hint"]
    polled = ade.run("events", "poll", "--category", "session", "--wait-ms", "1", "--json")
    assert json.loads(polled.stdout)["items"] == []


def test_a_poll_that_waits_ends_with_what_happens(ade: Command) -> None:
    cursor = ade.json("events", "subscribe")["cursor"]
    waiting = ade.start("events", "poll", "--cursor", cursor, "--wait-ms", "60000", "--json")
    happened = start(ade)
    out, told = waiting.communicate(timeout=60)
    assert told == ""
    assert [event["subject"] for event in json.loads(out)["items"]] == [happened]
    interrupted: subprocess.Popen[str] = ade.start("events", "poll", "--start", "now", "--wait-ms", "60000")
    start(ade)
    interrupted.send_signal(signal.SIGINT)
    assert interrupted.wait(30) in (0, 130)
    interrupted.communicate()
