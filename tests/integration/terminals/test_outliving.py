"""Terminals go on when the runtime is killed, and everything they print meanwhile is there afterwards."""

from __future__ import annotations

import os
import select
import sys
import time
from pathlib import Path

from tests.integration.terminals.conftest import Shop

COUNT = """
import os, sys
waits = os.open(sys.argv[1], os.O_RDONLY)
for number in range(1000):
    print("line", number, flush=True)
    if not os.read(waits, 1):
        break
print("done", flush=True)
sys.stdin.readline()
"""


def test_three_terminals_go_on_when_the_runtime_is_killed(shop: Shop) -> None:
    gates, terminals = [], []
    for number in range(3):
        gate = shop.folder.parent / f"gate-{number}"
        os.mkfifo(gate)
        terminals.append(shop.start(sys.executable, "-c", COUNT, str(gate)))
        gates.append(os.open(gate, os.O_WRONLY))
    for terminal in terminals:
        shop.read_until(terminal, "line 0\n")
    shop.ade.kill()
    for gate in gates:
        os.write(gate, b"x" * 200)
    assert shop.ade.pid is None
    for terminal in terminals:
        text = shop.read_until(terminal, "line 200\n")["text"]
        assert text == "".join(f"line {number}\n" for number in range(201)), (
            "nothing is missing and nothing twice"
        )
    listed = shop.ade.json("terminals", "list", cwd=shop.project)
    assert {one["id"] for one in listed["items"]} == set(terminals)
    assert {one["state"] for one in listed["items"]} == {"running"}
    with shop.screen("terminals", "attach", terminals[0]) as screen:
        screen.expect("line 0\r\n.*line 200\r\n")
        os.write(gates[0], b"x")
        screen.expect("line 201")
        screen.type("\x1c")
        assert screen.wait() == 0
    for gate in gates:
        os.close(gate)


def test_an_exit_status_is_kept_where_no_runtime_saw_the_end(shop: Shop) -> None:
    terminal = shop.start("sh", "-c", "read line; exit 9")
    socket = Path(shop.ade.json("terminals", "attach", terminal)["socket"])
    shop.ade.json("terminals", "write", terminal, "go", "--key", "enter")
    until_gone(socket)
    shop.ade.kill()
    told = shop.read(terminal)["terminal"]
    assert (told["state"], told["exit_code"], told["pid"]) == ("ended", 9, None)
    assert shop.ade.json("terminals", "list", cwd=shop.project)["total"] == 0
    assert shop.ade.json("terminals", "list", "--all", cwd=shop.project)["total"] == 1


def test_a_headless_command_starts_one_that_outlives_it(shop: Shop) -> None:
    made = shop.ade.json("--headless", "terminals", "start", "-l", "one", "sleep", "30", cwd=shop.project)
    assert shop.read(made["id"])["terminal"]["state"] == "running"


def test_the_primary_lane_has_terminals_and_test_runs_too_where_it_is_named(shop: Shop) -> None:
    argv = ["start", "-l", "primary", "sleep", "300"]
    assert shop.ade.json("terminals", *argv, cwd=shop.project)["cwd"] == str(shop.project)
    assert (
        shop.ade.json("tests", "run", "-l", "primary", "--command", "true", cwd=shop.project)["run"]["state"]
        == "passed"
    )


def test_a_lane_in_which_a_long_commit_works_has_terminals_all_the_same(shop: Shop) -> None:
    hooks, gate = shop.project / ".git" / "hooks", shop.folder.parent / "gate"
    os.mkfifo(gate)
    (hooks / "pre-commit").write_text(f"#!/bin/sh\nread x < {gate}\n")
    (hooks / "pre-commit").chmod(0o755)
    (shop.folder / "new.txt").write_text("new\n")
    committing = shop.ade.start(
        "git", "commit", "--lane", "one", "--stage-all", "-m", "New", "--json", cwd=shop.project
    )
    with gate.open("w") as hook:  # opens once the hook waits
        made = shop.ade.json("terminals", "start", "-l", "one", "sleep", "300", cwd=shop.project)
        assert made["state"] == "running"
        hook.write("go\n")
    out, err = committing.communicate(timeout=60)
    assert committing.returncode == 0, (out, err)


def test_a_machine_that_was_started_anew_has_lost_what_ran(shop: Shop) -> None:
    from ade_runtime.holders.look import look
    from ade_runtime.holding import state

    terminal = shop.start("sleep", "30")
    folder = shop.ade.home / "holders" / terminal
    found = state.load(str(folder))
    assert found is not None
    assert look(folder).phase == "running"
    text = (folder / "state.json").read_text().replace(str(found["boot"]), "another-boot")
    (folder / "state.json").write_text(text)
    assert look(folder).phase == "lost"


def until_gone(path: Path, seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while path.exists():
        assert time.monotonic() < deadline, f"{path} is still there"
        select.select([], [], [], 0.01)
