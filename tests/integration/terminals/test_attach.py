"""``ade terminals attach`` through a real terminal: usable, and the user's terminal as it was on every way out."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from tests.integration.terminals.conftest import Shop
from tests.support.holders import marks

PROGRAM = """
import os, signal, sys
def told(*_):
    print("size %d %d" % os.get_terminal_size()[::-1], flush=True)
signal.signal(signal.SIGWINCH, told)
print("\\x1b[?1049h\\x1b[?25lready", flush=True)
while True:
    line = sys.stdin.readline().strip()
    if line == "quit":
        sys.exit(7)
    print("got", line, flush=True)
"""


@pytest.fixture
def program(shop: Shop) -> str:
    return shop.start(sys.executable, "-u", "-c", PROGRAM)


def test_keys_go_in_and_output_comes_out_and_the_detach_key_leaves_it_running(
    shop: Shop, program: str
) -> None:
    with shop.screen("terminals", "attach", program) as screen:
        screen.expect("ready")
        screen.expect("size 30 100")
        assert screen.settings() != screen.before, "keys go to the program one by one"
        screen.type("hello\r")
        screen.expect("got hello")
        screen.resize(41, 123)
        screen.expect("size 41 123")
        screen.type("\x1c")
        screen.expect("left " + program)
        assert screen.wait() == 0
        assert screen.settings() == screen.before
        assert b"\x1b[?1049l" in screen.printed, "the other screen is left"
        assert b"\x1b[?25h" in screen.printed, "the cursor is shown again"
    assert shop.read(program)["terminal"]["state"] == "running"


def test_the_program_s_end_ends_it_and_tells_the_exit_code(shop: Shop, program: str) -> None:
    with shop.screen("terminals", "attach", program) as screen:
        screen.expect("ready")
        screen.type("quit\r")
        screen.expect("ended with exit code 7")
        assert screen.wait() == 1
        assert screen.settings() == screen.before
    told = shop.read(program)["terminal"]
    assert (told["state"], told["exit_code"], told["signal"]) == ("ended", 7, None)
    assert shop.ade.error("terminals", "attach", program, exit_code=5)["code"] == "terminal_ended"


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]
)
def test_a_signal_leaves_the_terminal_as_it_was(
    shop: Shop, program: str, number: signal.Signals, code: int
) -> None:
    with shop.screen("terminals", "attach", program) as screen:
        screen.expect("ready")
        screen.process.send_signal(number)
        assert screen.wait() == code
        assert screen.settings() == screen.before
    assert shop.read(program)["terminal"]["state"] == "running"


def test_a_connection_that_breaks_leaves_the_terminal_as_it_was(shop: Shop, program: str) -> None:
    with shop.screen("terminals", "attach", program) as screen:
        screen.expect("ready")
        ((holder, _),) = marks(shop.ade.home)
        os.kill(int(holder.partition(":")[0]), signal.SIGKILL)
        screen.expect("connection to .* broke")
        assert screen.wait() == 7
        assert screen.settings() == screen.before


def test_an_attached_terminal_does_not_notice_the_end_of_the_runtime(shop: Shop, program: str) -> None:
    with shop.screen("terminals", "attach", program) as screen:
        screen.expect("ready")
        shop.ade.kill()
        screen.type("still there\r")
        screen.expect("got still there")
        screen.type("\x1c")
        assert screen.wait() == 0


def test_another_detach_key_may_be_chosen_and_the_usual_one_then_reaches_the_program(shop: Shop) -> None:
    raw = "import os,tty; tty.setraw(0); print('ready\\r', flush=True); print(repr(os.read(0, 9)), flush=True); os.read(0, 9)"
    terminal = shop.start(sys.executable, "-c", raw)
    with shop.screen("terminals", "attach", terminal, "--detach-key", "ctrl-q") as screen:
        screen.expect("ready")
        screen.type("\x1c")
        screen.expect(r"b'\\x1c'")
        screen.type("\x11")
        screen.expect("left")
        assert screen.wait() == 0


def test_two_people_see_the_same_terminal(shop: Shop, program: str) -> None:
    with (
        shop.screen("terminals", "attach", program) as one,
        shop.screen("terminals", "attach", program) as two,
    ):
        one.expect("ready")
        two.expect("ready")
        one.type("from one\r")
        two.expect("got from one")
        two.type("from two\r")
        one.expect("got from two")


def test_without_a_terminal_it_tells_how_to_connect_instead(shop: Shop, program: str) -> None:
    told = shop.ade.json("terminals", "attach", program)
    assert told["detach_key"] == "ctrl-\\"
    assert Path(told["socket"]).is_socket()
    with shop.screen("terminals", "attach", program, "--json") as screen:
        screen.expect('"detach_key"')
        assert screen.wait() == 0
