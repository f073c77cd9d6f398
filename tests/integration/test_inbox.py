"""``ade inbox`` on a real terminal beside a real runtime: it shows what comes, takes answers, and leaves no trace."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import ADE, Command, command
from tests.support.screen import Screen

pytestmark = pytest.mark.timeout(180)


class Shop:
    """A project with a chat that never says anything, since its program is not installed."""

    def __init__(self, ade: Command, project: Path) -> None:
        self.ade, self.project = ade, project

    def ask(self, title: str, *parts: dict[str, Any], body: str | None = None) -> str:
        """Id of a new question."""
        asked: dict[str, Any] = {"title": title, "wait": 0, "parts": list(parts)}
        if body is not None:
            asked["body"] = body
        return str(self.ade.json("user", "ask", "--input-json", json.dumps(asked))["id"])

    def want(self, summary: str) -> str:
        """Id of a new approval, in a chat of its own."""
        chat = self.ade.json("chats", "create", "--title", "Tidy", cwd=self.project)["session"]
        asked = self.ade.json(
            "chats", "ask", summary, "--session", chat, "--reason", "Nobody reads it", cwd=self.project
        )
        return str(asked["id"])

    def question(self, identifier: str) -> dict[str, Any]:
        found: dict[str, Any] = self.ade.json("user", "wait", identifier, "--seconds", "0")
        return found

    @contextmanager
    def inbox(self, *argv: str, env: dict[str, str] | None = None, **options: Any) -> Iterator[Screen]:
        """A running one; however it ends, the terminal must be as it was."""
        made = Screen([str(ADE), "inbox", *argv], env=self.ade.env | (env or {}), cwd=self.project, **options)
        with made as screen:
            yield screen
            assert screen.process.poll() is not None, "the test ends it"
            assert screen.settings() == screen.before
            if b"\x1b[?1049h" in screen.printed:
                tail = screen.printed[screen.printed.rindex(b"\x1b[?1049h") :]
                assert b"\x1b[?1049l" in tail
                assert b"\x1b[?2004l" in tail
                assert tail.rindex(b"\x1b[?25h") > tail.rindex(b"\x1b[?25l"), "the cursor shows"


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    with command(tmp_path) as ade:
        root = tmp_path / "project"
        root.mkdir()
        for argv in (["init", "-q", "-b", "main"], ["commit", "-q", "--allow-empty", "-m", "Begin"]):
            subprocess.run(["git", *argv], cwd=root, env=ade.env, check=True)
        ade.json("project", "add", str(root))
        yield Shop(ade, root)


DATABASE = {
    "id": "db",
    "text": "Which one?",
    "free": False,
    "choices": [{"label": "SQLite"}, {"label": "Pg"}],
}


def test_it_shows_what_comes_and_takes_the_answer(shop: Shop) -> None:
    with shop.inbox() as screen:
        screen.expect("nothing waits for you")
        asked = shop.ask("Which database?", DATABASE, body="It is kept for years.")
        screen.expect("1 waiting")
        screen.expect("kept for years.*2[.] Pg")
        screen.type("\r")
        screen.expect("1[.] SQLite.*> ")
        screen.type("3\r")
        screen.expect("type 1 to 2")
        screen.type("\x7f2\r")
        screen.expect("nothing waits for you.*answered: Pg")
        screen.type("q")
        assert screen.wait() == 0
    answered = shop.question(asked)
    assert (answered["state"], answered["answers"]) == ("answered", [{"id": "db", "values": ["Pg"]}])


def test_several_parts_free_text_and_a_paste_with_lines(shop: Shop) -> None:
    parts: list[dict[str, Any]] = [
        {
            "id": "days",
            "text": "When?",
            "multiple": True,
            "choices": [{"label": d} for d in ("Mo", "Tu", "We")],
        },
        {"id": "why", "text": "Why then?"},
    ]
    asked = shop.ask("Release", *parts)
    with shop.inbox() as screen:
        screen.expect("1 waiting")
        screen.type("\r")
        screen.expect("1 of 2")
        screen.type("1, we\r")
        screen.expect("2 of 2")
        screen.type("\x1b")
        screen.expect("1 of 2.*> Mo, We")
        screen.type("\r")
        screen.expect("2 of 2")
        screen.type("\x1b[200~é first\nsecond\x1b[201~\r")
        screen.expect("answered: Mo, We; ")
        screen.type("\x04")
        assert screen.wait() == 0
    given = {one["id"]: one["values"] for one in shop.question(asked)["answers"]}
    assert given == {"days": ["Mo", "We"], "why": ["é first\nsecond"]}


def test_permission_is_given_refused_with_a_reason_and_a_question_dismissed(shop: Shop) -> None:
    first, second = shop.want("Delete the old table"), shop.want("Force-push main")
    third = shop.ask("Go on?")
    with shop.inbox() as screen:
        screen.expect("3 waiting")
        screen.expect("Nobody reads it")
        screen.type("a")
        screen.expect("allowed: Delete the old table")
        screen.type("r")
        screen.expect("> ")
        screen.type("Not on main.\r")
        screen.expect("refused: Force-push main")
        screen.type("d")
        screen.expect("y/n")
        screen.type("n")
        screen.expect("Enter answers")
        screen.type("d")
        screen.expect("y/n")
        screen.type("y")
        screen.expect("dismissed: Go on")
        screen.type("\x03")
        assert screen.wait() == 130
    assert shop.question(third)["state"] == "dismissed"
    assert shop.ade.json("chats", "approvals", cwd=shop.project)["total"] == 0
    for approval, refusal in ((first, "--refuse"), (second, "--no-refuse")):
        error = shop.ade.error("chats", "approve", approval, refusal, cwd=shop.project, exit_code=5)
        assert error["code"] == "approval_decided"


def test_the_first_answer_counts_and_the_next_key_hits_no_other_item(shop: Shop) -> None:
    asked, wanted = shop.ask("Which?"), shop.want("Delete the old table")
    with shop.inbox() as screen:
        screen.expect("2 waiting")
        screen.type("\rthis on")
        screen.expect("> this on")
        shop.ade.json("user", "respond", asked, "that one")
        screen.expect("1 waiting.*settled elsewhere: Which")
        screen.type("a")
        screen.type("\x1b[B")
        screen.expect("a allows, r refuses")
        assert shop.ade.json("chats", "approvals", cwd=shop.project)["items"][0]["id"] == wanted
        screen.type("q")
        assert screen.wait() == 0
    assert shop.question(asked)["answers"][0]["values"] == ["that one"]


def test_it_goes_on_at_the_next_runtime_with_what_was_typed(shop: Shop) -> None:
    asked = shop.ask("Which?")
    with shop.inbox() as screen:
        screen.expect("1 waiting")
        screen.type("\rhalf")
        screen.expect("> half")
        shop.ade.kill()
        screen.expect("the runtime has ended")
        screen.type(" typed\r")
        screen.expect("what you typed is kept")
        shop.ade.json("runtime", "info")
        screen.expect("1 waiting")
        screen.type("\r")
        screen.expect("answered: half typed")
        screen.type("q")
        assert screen.wait() == 0
    assert shop.question(asked)["answers"][0]["values"] == ["half typed"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_signals_leave_the_terminal_as_it_was(shop: Shop, number: signal.Signals) -> None:
    shop.ask("Which?")
    with shop.inbox() as screen:
        screen.expect("1 waiting")
        screen.process.send_signal(number)
        assert screen.wait() == 128 + number


def test_a_refusal_of_the_runtime_leaves_the_terminal_as_it_was(shop: Shop) -> None:
    with shop.inbox(env={"ADE_SESSION_TOKEN": "adest_wrong"}) as screen:
        assert screen.wait() == 3
        assert b"policy_denied" in screen.printed or b"token" in screen.printed


def test_it_fits_every_size_and_shows_nobodys_escapes(shop: Shop) -> None:
    shop.ask("\x1b]0;owned\x07 日本語のとても長い質問" * 8, body="word " * 400 + "\u202eevil")
    with shop.inbox(rows=12, columns=38) as screen:
        screen.expect("PgDn shows more")
        for rows, columns in ((4, 20), (1, 1), (60, 200)):
            screen.resize(rows, columns)
            screen.expect("\x1b\\[J".replace("\x1b", "\\x1b"))
        screen.expect("u202eevil")
        screen.type("q")
        assert screen.wait() == 0
    assert b"\x1b]0;" not in screen.printed
    assert "\u202e".encode() not in screen.printed


def test_no_color_and_a_dumb_terminal(shop: Shop) -> None:
    shop.ask("Which?")
    with shop.inbox(env={"NO_COLOR": "1"}) as screen:
        screen.expect("1 waiting")
        screen.type("q")
        assert screen.wait() == 0
    assert b"\x1b[1m" not in screen.printed
    with shop.inbox("--list") as screen:
        assert screen.wait() == 0
    assert b"\x1b[?1049h" not in screen.printed
    assert b"ade user respond" in screen.printed


def test_without_a_terminal_it_lists_and_says_how_to_answer(shop: Shop) -> None:
    asked, wanted = shop.ask("Which?", DATABASE), shop.want("Delete it")
    text = shop.ade.run("inbox", "--text")
    assert text.returncode == 0, text.stderr
    assert all(len(line) <= 80 for line in text.stdout.splitlines())
    assert "Which?" in text.stdout
    found = shop.ade.json("inbox")
    assert [item["answer"] for item in found["items"]] == [
        f"ade user respond {asked} ANSWER",
        f"ade chats approve {wanted}",
    ]
    assert found == shop.ade.json("user", "inbox")
    assert shop.ade.run("inbox").stdout == json.dumps(found, separators=(",", ":"), ensure_ascii=False) + "\n"
    assert shop.ade.json("--text", "inbox")["total"] == 2, "the last of --text and --json counts"
    shop.ade.json("runtime", "stop")
    assert shop.ade.json("inbox", "--headless")["total"] == 2
    assert shop.ade.pid is None


def test_its_help_has_examples_and_what_is_wrong_is_said(shop: Shop) -> None:
    told = shop.ade.run("inbox", "--help").stdout
    assert "ade inbox --list" in told
    assert all(len(line) <= 128 for line in told.splitlines())
    assert "inbox" in shop.ade.run("--help").stdout
    for argv in (["--lst"], ["more"], ["--socket"]):
        assert shop.ade.error("inbox", *argv, exit_code=2)["code"] == "invalid_arguments"


def test_a_session_sees_its_own_project_and_cannot_answer_itself(shop: Shop) -> None:
    made = shop.ade.json("sessions", "start", cwd=shop.project)
    env = {"ADE_SESSION_TOKEN": made["token"]}
    shop.ask("Of nobody's project")
    asked = shop.ade.json("user", "ask", "My own", "--wait", "0", env=env, cwd=shop.project)["id"]
    with shop.inbox(env=env) as screen:
        screen.expect("1 waiting")
        screen.type("\ryes\r")
        screen.expect("refused|not allowed|own session|may not")
        screen.type("\x03")
        assert screen.wait() == 130
    assert shop.question(asked)["state"] == "pending"
