"""Runs of a project's tests: waited for or not, judged by their reports, ended with all that they started."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.holders.look import runs
from ade_runtime.holding import tree
from tests.integration.processes.conftest import Works, gate, shop, works
from tests.support.holders import await_end, marks

__all__ = ["shop", "works"]

REPORT = '<testsuite><testcase name="a"/><testcase name="b"><failure message="wrong"/></testcase></testsuite>'


def run(works: Works, *argv: str, **options: Any) -> dict[str, Any]:
    found = works.json("tests", "run", "-l", "one", *argv, **options)
    assert isinstance(found, dict)
    return found


def suites(works: Works, **by_name: dict[str, Any]) -> None:
    works.configure({"tests": {"suites": by_name}})


def test_a_configured_suite_is_run_and_its_report_is_read(works: Works) -> None:
    suites(
        works,
        unit={
            "command": ["sh", "-c", f"echo testing; echo '{REPORT}' > out.xml; exit 1"],
            "junit": "out.xml",
        },
    )
    answer = run(works)
    told = answer["run"]
    assert (told["suite"], told["origin"], told["state"], told["exit_code"]) == (
        "unit",
        "config",
        "failed",
        1,
    )
    assert {key: told["summary"][key] for key in ("total", "passed", "failed")} == {
        "total": 2,
        "passed": 1,
        "failed": 1,
    }
    assert told["summary"]["failures"][0]["message"] == "wrong"
    assert answer["log"] == "testing\n"
    assert works.json("tests", "runs")["items"][0] == told, "the same is told afterwards"
    error = works.error("tests", "run", "-l", "one", "--check", exit_code=1)
    assert (error["code"], error["details"]["log"]) == ("tests_failed", "testing\n")


def test_a_report_of_an_earlier_run_is_not_taken_for_this_one_s(works: Works) -> None:
    suites(works, unit={"command": ["true"], "junit": "out.xml"})
    (works.shop.folder / "out.xml").write_text(REPORT)
    told = run(works)["run"]
    assert (told["state"], told["summary"]) == ("passed", None)
    assert "earlier run" in told["note"]


def test_pytest_is_detected_and_its_report_is_read_without_a_file_in_the_lane(works: Works) -> None:
    folder = works.shop.folder
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider\n")
    (folder / "test_shop.py").write_text("def test_good():\n    pass\n\ndef test_bad():\n    assert 1 == 2\n")
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / ".venv" / "bin" / "python").symlink_to(sys.executable)
    before = {path.name for path in folder.iterdir()}
    found = works.json("tests", "suites", "-l", "one")["items"]
    assert [(one["name"], one["origin"], one["why"]) for one in found] == [
        ("pytest", "detected", "pytest.ini")
    ]
    told = run(works, env={"PYTHONDONTWRITEBYTECODE": "1"})["run"]
    assert told["state"] == "failed", told
    assert (told["summary"]["total"], told["summary"]["failed"]) == (2, 1)
    assert told["summary"]["failures"][0]["name"] == "test_shop.test_bad"
    assert not [path for path in folder.iterdir() if path.name not in before and path.suffix == ".xml"]


def test_a_run_in_the_background_goes_on_when_the_runtime_is_killed(works: Works) -> None:
    wait = gate(works.shop.folder.parent)
    answer = run(
        works,
        "--command",
        "sh",
        "--command=-c",
        "--command",
        f"echo begun; read x < {wait}; exit 0",
        "--no-wait",
    )
    assert answer["run"]["state"] == "running"
    works.shop.ade.kill()
    wait.write_text("go\n")
    logs = works.json("tests", "logs", answer["run"]["id"], "--cursor", "0", "--wait", "30")
    assert logs["text"] == "begun\n"
    deadline = time.monotonic() + 30
    while (
        state := works.json("tests", "runs")["items"][0]["state"]
    ) == "running" and time.monotonic() < deadline:
        pass
    assert state == "passed"


STUBBORN = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    time.sleep(300)
print("forked", flush=True)
time.sleep(300)
"""


def below(works: Works) -> list[str]:
    ((holder, _),) = marks(works.shop.ade.home)
    return [f"{pid}:{start}" for pid, start in tree.below(int(holder.partition(":")[0]))]


def test_one_that_takes_too_long_is_ended_with_everything_it_started(works: Works) -> None:
    answer = run(
        works,
        "--command",
        sys.executable,
        "--command=-c",
        "--command",
        STUBBORN,
        "--time-limit",
        "1",
        "--no-wait",
    )
    works.json("tests", "logs", answer["run"]["id"], "--cursor", "0", "--wait", "30")
    programs = below(works)
    assert len(programs) == 2
    for mark in programs:
        pid, start = (int(part) for part in mark.split(":"))
        await_end(pid, start, 30)
    deadline = time.monotonic() + 30
    while (told := works.json("tests", "runs")["items"][0])[
        "state"
    ] == "running" and time.monotonic() < deadline:
        pass
    assert (told["state"], told["signal"], told["timeout"]) == ("timed_out", "KILL", 1)


def test_what_a_run_leaves_behind_is_ended_with_it(works: Works) -> None:
    answer = run(works, "--command", "sh", "--command=-c", "--command", "sleep 300 & echo done")
    assert (answer["run"]["state"], answer["log"]) == ("passed", "done\n")
    end = time.monotonic() + 20
    while left := [holder for holder, _ in marks(works.shop.ade.home) if runs(holder)]:
        assert time.monotonic() < end, f"nothing is left to hold for {left}"
        time.sleep(0.02)


def test_a_run_is_stopped_by_its_id(works: Works) -> None:
    made = run(works, "--command", "sleep", "--command", "300", "--no-wait")["run"]
    programs = below(works)
    stopped = works.json("tests", "stop", made["id"])
    assert (stopped["state"], stopped["signal"]) == ("stopped", "TERM")
    assert [mark for mark in programs if runs(mark)] == []
    assert works.json("tests", "stop", made["id"])["state"] == "stopped"


@pytest.mark.parametrize("how", ["interrupted", "timed out"])
def test_who_stops_waiting_stops_the_run(works: Works, how: str) -> None:
    more = ["--timeout", "8"] if how == "timed out" else []
    command = ["--command", "sh", "--command=-c", "--command", "echo up; exec sleep 300"]
    waiting = works.shop.ade.start(
        "tests", "run", "-l", "one", *command, "--json", *more, cwd=works.shop.project
    )
    deadline = time.monotonic() + 30
    while not (begun := works.json("tests", "runs")["items"]):
        assert time.monotonic() < deadline
    works.json("tests", "logs", begun[0]["id"], "--cursor", "0", "--wait", "30")
    programs = below(works)
    if how == "interrupted":
        waiting.send_signal(signal.SIGINT)
    waiting.communicate(timeout=60)
    assert waiting.returncode == (130 if how == "interrupted" else 124)
    assert [mark for mark in programs if runs(mark)] == []
    assert works.json("tests", "runs")["items"][0]["state"] == "stopped"


def test_the_last_line_is_told_while_one_waits(works: Works) -> None:
    wait = gate(works.shop.folder.parent)
    command = f"echo collecting 12 tests; read x < {wait}; echo ok"
    argv = ["tests", "run", "-l", "one", "--command", "sh", "--command=-c", "--command", command]
    with works.shop.screen(*argv) as screen:
        screen.expect("collecting 12 tests")
        wait.write_text("go\n")
        screen.expect("passed")
        assert screen.wait() == 0


def test_a_log_of_many_megabytes_is_bounded_and_its_end_is_there(works: Works) -> None:
    flood = "for n in range(200000): print('line', n, 'x' * 80)"
    answer = run(works, "--command", sys.executable, "--command=-c", "--command", flood)
    assert answer["log"].endswith(f"line 199999 {'x' * 80}\n")
    assert len(answer["log"]) <= 4096
    first = works.json("tests", "logs", answer["run"]["id"], "--cursor", "0")
    assert first["dropped"] == first["cursor"] > 10_000_000
    folder = works.shop.ade.home / "holders" / answer["run"]["id"]
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 5 * 1024 * 1024


def test_a_suite_needs_the_owner_s_trust_and_a_detected_one_does_not(works: Works) -> None:
    works.configure({"tests": {"suites": {"unit": {"command": ["touch", "ran"]}}}}, trust=False)
    (works.shop.folder / "Makefile").write_text("test:\n\t@echo made\n")
    listed = works.json("tests", "suites", "-l", "one")["items"]
    assert [(one["name"], one["trusted"]) for one in listed] == [("unit", False), ("make", True)]
    assert works.error("tests", "run", "unit", "-l", "one", exit_code=3)["code"] == "config_untrusted"
    assert not (works.shop.folder / "ran").exists()
    assert run(works, "make")["log"] == "made\n"


def test_old_runs_are_let_go_with_their_files(works: Works) -> None:
    from ade_runtime.holders import retention

    first = run(works, "--command", "true")["run"]
    folder = works.shop.ade.home / "holders" / first["id"]
    assert folder.is_dir()
    script = (
        "import asyncio\n"
        "from datetime import timedelta\n"
        "from ade_runtime.holders import retention\n"
        "from ade_runtime.services import Services\n"
        "async def main():\n"
        "    services = Services.from_environment()\n"
        "    retention.KEPT_FOR = timedelta(0)\n"
        "    await retention.sweep(services.holders)\n"
        "    await services.close()\n"
        "asyncio.run(main())\n"
    )
    import subprocess

    subprocess.run([sys.executable, "-c", script], env=works.shop.ade.env, check=True, timeout=60)
    assert retention.KEPT["test"] > 1
    assert not folder.exists()
    assert works.json("tests", "runs")["total"] == 0
    assert works.error("tests", "logs", first["id"], exit_code=4)["code"] == "test_run_not_found"


def test_fault_26_an_old_run_is_found_by_its_id_and_an_unknown_one_is_an_error(works: Works) -> None:
    import sqlite3

    old = run(works, "--command", "true")["run"]
    with sqlite3.connect(works.shop.ade.paths.database) as db:
        db.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) "
            "INSERT INTO holders SELECT 'tst_' || i, kind, project_id, lane_id, lane_name, session_id, name, title,"
            " command, cwd, settings, created_at + i, ended_at, outcome FROM holders, n WHERE id = ?",
            [old["id"]],
        )
    assert works.json("tests", "logs", old["id"])["run"]["state"] == "passed"
    assert works.error("tests", "logs", "tst_nobody", exit_code=4)["code"] == "test_run_not_found"
    assert works.error("tests", "stop", "tst_nobody", exit_code=4)["code"] == "test_run_not_found"


def test_a_session_runs_tests_in_its_own_lane_only(works: Works, tmp_path: Path) -> None:
    works.json("lanes", "create", "two")
    token = works.json("sessions", "start", "-l", "one")["token"]
    env = {"ADE_SESSION_TOKEN": token}
    own = works.json("tests", "run", "--command", "true", env=env)["run"]
    assert (own["lane"], own["state"]) == ("one", "passed")
    error = works.error("tests", "run", "-l", "two", "--command", "true", exit_code=3, env=env)
    assert error["code"] == "policy_denied"
    other = works.json("tests", "run", "-l", "two", "--command", "sleep", "--command", "300", "--no-wait")[
        "run"
    ]
    assert works.error("tests", "stop", other["id"], exit_code=4, env=env)["code"] == "test_run_not_found"
    assert works.error("tests", "logs", other["id"], exit_code=3, env=env)["code"] == "policy_denied"
    assert [one["id"] for one in works.json("tests", "runs", env=env)["items"]] == [own["id"]]
