"""Programs that do not want to end, or that print without end."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from pathlib import Path

from ade_runtime.holders.look import runs
from ade_runtime.holding import tree
from tests.integration.terminals.conftest import Shop
from tests.integration.terminals.test_outliving import until_gone
from tests.support.holders import marks

STUBBORN = """
import os, signal, sys, time
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    for fd in (0, 1, 2):
        os.close(fd)
    time.sleep(300)
print("forked", flush=True)
for fd in (0, 1, 2):
    os.close(fd)
time.sleep(300)
"""


def below(shop: Shop) -> tuple[str, list[str]]:
    ((holder, _),) = marks(shop.ade.home)
    pid = int(holder.partition(":")[0])
    return holder, [f"{one}:{start}" for one, start in tree.below(pid)]


def test_one_that_ignores_signals_forks_and_closes_its_terminal_is_ended_on_request(shop: Shop) -> None:
    terminal = shop.start(sys.executable, "-c", STUBBORN)
    shop.read_until(terminal, "forked\n")
    deadline = time.monotonic() + 30
    while len(below(shop)[1]) < 2 and time.monotonic() < deadline:
        pass
    holder, programs = below(shop)
    assert len(programs) == 2
    used = cpu_seconds(holder)
    told = shop.ade.json("terminals", "close", terminal, "--grace", "0.5")
    assert (told["state"], told["signal"], told["leftovers"]) == ("ended", "KILL", False)
    assert [mark for mark in programs if runs(mark)] == []
    assert used < 2.0, "a closed terminal must not keep the holder busy"


def test_a_background_program_that_outlives_its_shell_is_told_of_and_ended_by_close(shop: Shop) -> None:
    terminal = shop.start("sh", "-c", "(trap '' HUP; setsid sleep 300 >/dev/null 2>&1 &); exit 4")
    deadline = time.monotonic() + 30
    while (told := shop.read(terminal)["terminal"])["state"] == "running" and time.monotonic() < deadline:
        pass
    assert (told["exit_code"], told["leftovers"]) == (4, True)
    assert shop.ade.json("terminals", "list", cwd=shop.project)["total"] == 1
    error = shop.ade.error("lanes", "delete", "one", exit_code=5, cwd=shop.project)
    assert error["code"] == "lane_has_work"
    told = shop.ade.json("terminals", "close", terminal)
    assert (told["exit_code"], told["leftovers"]) == (4, False)
    assert shop.ade.json("terminals", "list", cwd=shop.project)["total"] == 0


def test_a_flood_stays_within_its_bounds_and_tells_what_is_gone(shop: Shop) -> None:
    terminal = shop.start(
        "sh", "-c", "head -c 33554432 /dev/zero | tr '\\0' 'x'; echo; echo the end; read line"
    )
    cursor, answer = 0, shop.read(terminal)
    while "the end" not in answer["text"]:
        answer = shop.read(terminal, cursor, "--wait", "30", "--max-bytes", "262144")
        assert answer["cursor"] == cursor + answer["dropped"]
        cursor = answer["next"]
    assert answer["next"] >= 33554432
    folder = shop.ade.home / "holders" / terminal
    size = sum(path.stat().st_size for path in folder.iterdir())
    assert size <= 5 * 256 * 1024
    ((holder, _),) = marks(shop.ade.home)
    assert resident(holder) < 25 * 1024 * 1024
    first = shop.read(terminal, 0)
    assert first["dropped"] == first["cursor"] > 31 * 1024 * 1024
    with shop.screen("terminals", "attach", terminal) as screen:
        screen.expect("the end")
        screen.type("\x1c")
        assert screen.wait() == 0


def test_one_that_never_reads_does_not_take_what_is_typed_without_end(shop: Shop) -> None:
    terminal = shop.start("sh", "-c", "stty -icanon -echo; echo ready; exec sleep 300")
    shop.read_until(terminal, "ready")
    text = "x" * 65536
    assert shop.ade.json("terminals", "write", terminal, text)["written"] == len(text)
    assert shop.ade.error("terminals", "write", terminal, text, exit_code=5)["code"] == "terminal_input_full"
    told = shop.ade.json("terminals", "close", terminal)
    assert told["state"] == "ended"


def test_one_whose_holder_is_killed_is_told_as_orphaned_and_can_be_ended(shop: Shop) -> None:
    code = "import signal,time; signal.signal(signal.SIGHUP, signal.SIG_IGN); print('on', flush=True); time.sleep(300)"
    terminal = shop.start(sys.executable, "-c", code)
    shop.read_until(terminal, "on\n")
    ((holder, command),) = marks(shop.ade.home)
    os.kill(int(holder.partition(":")[0]), signal.SIGKILL)
    deadline = time.monotonic() + 30
    while runs(holder) and time.monotonic() < deadline:
        pass
    assert shop.read(terminal)["terminal"]["state"] == "orphaned"
    assert shop.ade.error("terminals", "write", terminal, "x", exit_code=5)["code"] == "terminal_out_of_reach"
    shop.ade.json("terminals", "close", terminal)
    assert not runs(command)


def test_a_pid_that_is_somebody_else_s_by_now_is_left_alone(shop: Shop) -> None:
    """The state of a dead terminal names a living process of another start time: nothing is sent to it."""
    terminal = shop.start("sleep", "300")
    ((holder, command),) = marks(shop.ade.home)
    for mark in (holder, command):
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(mark.partition(":")[0]), signal.SIGKILL)
    folder = shop.ade.home / "holders" / terminal
    state = (folder / "state.json").read_text()
    stranger = os.getpid()
    (folder / "state.json").write_text(
        state.replace(holder, f"{stranger}:1")
        .replace(command, f"{stranger}:2")
        .replace('"ended"', '"running"')
    )
    (folder / "sock").unlink(missing_ok=True)
    told = shop.ade.json("terminals", "close", terminal)
    assert told["state"] in ("lost", "ended")


def test_one_whose_holder_is_stopped_can_be_ended_all_the_same(shop: Shop) -> None:
    terminal = shop.start("sleep", "300")
    ((holder, command),) = marks(shop.ade.home)
    os.kill(int(holder.partition(":")[0]), signal.SIGSTOP)
    shop.ade.json("terminals", "close", terminal, "--grace", "0")
    assert not runs(holder)
    assert not runs(command)


def test_a_holder_whose_home_is_removed_ends_with_its_program(shop: Shop) -> None:
    shop.start("sleep", "300")
    ((holder, command),) = marks(shop.ade.home)
    import shutil

    shutil.rmtree(shop.ade.home / "holders")
    deadline = time.monotonic() + 30
    while (runs(holder) or runs(command)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not runs(holder)
    assert not runs(command)


def test_nobody_else_s_connection_is_answered(shop: Shop) -> None:
    terminal = shop.start("sleep", "300")
    folder = shop.ade.home / "holders" / terminal
    socket = Path(shop.ade.json("terminals", "attach", terminal)["socket"])
    assert socket.stat().st_mode & 0o777 == 0o600
    assert socket.parent.stat().st_mode & 0o777 == 0o700
    assert folder.stat().st_mode & 0o777 == 0o700
    assert folder.parent.stat().st_mode & 0o777 == 0o700
    assert (folder / "state.json").stat().st_mode & 0o777 == 0o600
    shop.ade.json("terminals", "close", terminal)
    until_gone(socket)


def cpu_seconds(mark: str) -> float:
    with open(f"/proc/{mark.partition(':')[0]}/stat") as stat:  # noqa: PTH123
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(mark: str) -> int:
    with open(f"/proc/{mark.partition(':')[0]}/statm") as statm:  # noqa: PTH123
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
