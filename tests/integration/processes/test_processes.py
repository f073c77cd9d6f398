"""Processes of a project: started once, watched, started again with pauses, stopped as they are defined."""

from __future__ import annotations

import contextlib
import http.server
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ade_runtime.holders.look import runs
from tests.integration.processes.conftest import Works, gate
from tests.support.holders import await_end, marks

SERVER = """
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/healthy" else 500)
        self.end_headers()
server = http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
print("listening", flush=True)
server.serve_forever()
"""


def server(port: int) -> list[str]:
    return [sys.executable, "-u", "-c", SERVER, str(port)]


@contextmanager
def somebody_else(port: int) -> Iterator[None]:
    other = http.server.HTTPServer(("127.0.0.1", port), http.server.BaseHTTPRequestHandler)
    thread = threading.Thread(target=other.serve_forever)
    thread.start()
    try:
        yield
    finally:
        other.shutdown()
        other.server_close()
        thread.join()


def test_a_server_is_ready_once_its_port_its_page_and_its_log_say_so(works: Works, port: int) -> None:
    url = f"http://127.0.0.1:{port}/healthy"
    works.configure(
        {
            "processes": {
                "web": {"command": server(port), "ready": {"port": port, "http": url, "log": "listening"}}
            }
        }
    )
    started = works.json("processes", "start", "web")
    assert (started["started"], started["process"]["ready"], started["process"]["port"]) == (True, True, port)
    again = works.json("processes", "start", "web")
    assert (again["started"], again["process"]["id"]) == (False, started["process"]["id"])
    listed = works.json("processes", "list")["items"]
    assert [(one["name"], one["state"], one["ready"], one["lane"]) for one in listed] == [
        ("web", "running", True, "primary")
    ]
    works.shop.ade.kill()
    assert works.json("processes", "list")["items"][0]["ready"] is True
    stopped = works.json("processes", "stop", "web")
    assert (stopped["state"], stopped["ready"], stopped["signal"]) == ("stopped", False, "TERM")
    assert works.json("processes", "stop", "web")["state"] == "stopped", "stopping twice is the same"


def test_a_port_that_is_taken_is_told_before_anything_is_started(works: Works, port: int) -> None:
    works.configure({"processes": {"web": {"command": server(port), "ready": {"port": port}}}})
    with somebody_else(port):
        error = works.error("processes", "start", "web", exit_code=5)
    assert error["code"] == "process_port_taken"
    assert str(os.getpid()) in error["message"]
    assert works.json("processes", "list")["total"] == 0


def test_the_same_process_runs_in_two_lanes_at_a_time(works: Works) -> None:
    works.configure({"processes": {"idle": {"command": ["sleep", "300"]}}})
    first = works.json("processes", "start", "idle")["process"]
    second = works.json("processes", "start", "idle", "-l", "one")["process"]
    assert (first["lane"], second["lane"]) == ("primary", "one")
    assert second["cwd"] == str(works.shop.folder)
    error = works.error("lanes", "delete", "one", exit_code=5)
    assert error["code"] == "lane_has_work"
    works.json("processes", "stop", "idle", "-l", "one")
    assert works.json("processes", "list", "-l", "primary")["items"][0]["state"] == "running"
    works.json("lanes", "delete", "one")


def test_one_that_fails_before_it_is_ready_says_what_it_printed(works: Works, port: int) -> None:
    works.configure(
        {"processes": {"web": {"command": ["sh", "-c", "echo no luck; exit 3"], "ready": {"port": port}}}}
    )
    error = works.error("processes", "start", "web", exit_code=1)
    assert (error["code"], error["details"]["log"]) == ("process_failed", "no luck\n")
    assert works.json("processes", "list")["items"][0]["state"] == "failed"


def test_one_that_is_late_goes_on_and_is_told_as_not_ready(works: Works, port: int) -> None:
    works.configure(
        {"processes": {"web": {"command": ["sleep", "300"], "ready": {"port": port, "timeout": 0.2}}}}
    )
    assert works.error("processes", "start", "web", exit_code=124)["code"] == "process_not_ready"
    listed = works.json("processes", "list")["items"][0]
    assert (listed["state"], listed["ready"]) == ("running", False)


def test_one_that_fails_is_started_again_with_longer_pauses_until_it_failed_too_often(works: Works) -> None:
    works.configure(
        {"processes": {"bad": {"command": ["sh", "-c", "echo try; exit 1"], "restart": "on-failure"}}}
    )
    works.error("processes", "start", "bad", exit_code=1)
    found = works.until("bad", "crashed")
    assert (found["restarts"], found["exit_code"], found["next_start_at"]) == (4, 1, None)
    text = works.log("bad", "not started again")
    assert text.count("try\n") == 5
    assert [f"again in {pause} s" in text for pause in ("0.5", "1", "2", "4")] == [True] * 4


def test_on_failure_leaves_one_that_ended_well_alone_and_always_does_not(works: Works) -> None:
    works.configure(
        {
            "processes": {
                "well": {"command": ["true"], "restart": "on-failure"},
                "again": {"command": ["sh", "-c", "echo round; exit 0"], "restart": "always"},
            }
        }
    )
    assert works.json("processes", "start", "well")["process"]["state"] == "exited"
    works.json("processes", "start", "again", "--no-wait")
    works.log("again", "round\n[ade] sh exited with 0; starting it again in 0.5 s\nround\n")
    stopped = works.json("processes", "stop", "again")
    assert stopped["state"] == "stopped", "one that waits to be started again is not"


def test_a_restarted_one_keeps_nothing_of_the_run_before(works: Works) -> None:
    works.configure({"processes": {"p": {"command": ["sh", "-c", "sleep 300 & echo up; wait"]}}})
    first = works.json("processes", "start", "p")["process"]
    works.log("p", "up\n")
    before = [mark for pair in marks(works.shop.ade.home) for mark in pair]
    second = works.json("processes", "restart", "p")
    assert second["id"] != first["id"]
    assert [mark for mark in before if runs(mark)] == []
    runs_of = works.json("processes", "list", "--all")["items"]
    assert [one["id"] for one in runs_of] == [second["id"], first["id"]]
    assert works.json("processes", "logs", first["id"])["text"].startswith("up")


def test_stopping_follows_the_definition_and_kills_after_its_time(works: Works) -> None:
    code = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGINT, lambda *_: (print('asked', flush=True)))\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "print('up', flush=True)\n"
        "while True: time.sleep(300)\n"
    )
    works.configure(
        {
            "processes": {
                "p": {"command": [sys.executable, "-c", code], "stop_signal": "INT", "stop_timeout": 0.5}
            }
        }
    )
    works.json("processes", "start", "p")
    works.log("p", "up\n")
    stopped = works.json("processes", "stop", "p")
    assert (stopped["state"], stopped["signal"]) == ("stopped", "KILL")
    assert works.json("processes", "logs", "p")["text"] == "up\nasked\n"


def test_one_whose_holder_was_killed_is_offered_for_clean_up_and_ended_by_stop(works: Works) -> None:
    works.configure({"processes": {"idle": {"command": ["sleep", "300"]}}})
    run = works.json("processes", "start", "idle")["process"]
    ((holder, command),) = marks(works.shop.ade.home)
    pid, start = (int(part) for part in holder.split(":"))
    os.kill(pid, signal.SIGKILL)
    await_end(pid, start)
    works.shop.ade.kill()
    assert works.json("processes", "list")["items"][0]["state"] == "orphaned"
    rows = {row["check"]: row for row in works.shop.ade.json("doctor")["items"]}
    assert rows["kept running"]["state"] == "warn"
    assert run["id"] in rows["kept running"]["next"]
    works.json("processes", "stop", "idle")
    assert not runs(command)


def test_nothing_runs_before_the_owner_trusts_it_nor_after_it_changed(works: Works) -> None:
    works.configure({"processes": {"p": {"command": ["touch", "ran"]}}}, trust=False)
    for argv in (["start", "p"], ["restart", "p"], ["start-all"]):
        assert works.error("processes", *argv, exit_code=3)["code"] == "config_untrusted"
    works.configure({"processes": {"p": {"command": ["touch", "ran"]}}})
    works.configure({"processes": {"p": {"command": ["touch", "ran-too"]}}}, trust=False)
    assert works.error("processes", "start", "p", exit_code=3)["code"] == "config_untrusted"
    assert not (works.shop.project / "ran").exists()
    assert not (works.shop.project / "ran-too").exists()


def _size(folder: Path) -> int:
    """Bytes of all files; those that go meanwhile count nothing."""
    found = 0
    for path in folder.iterdir():
        with contextlib.suppress(FileNotFoundError):
            found += path.stat().st_size
    return found


def test_a_flood_of_a_gigabyte_stays_within_its_bounds(works: Works) -> None:
    flood = (
        "import os, time\n"
        "block = b'x' * 65535 + b'\\n'\n"
        "for _ in range(16384): os.write(1, block)\n"
        "print('the end', flush=True)\n"
        "time.sleep(300)\n"
    )
    works.configure({"processes": {"flood": {"command": [sys.executable, "-c", flood]}}})
    run = works.json("processes", "start", "flood")["process"]
    folder = works.shop.ade.home / "holders" / run["id"]
    largest, cursor = 0, 0
    ((holder, _),) = marks(works.shop.ade.home)
    while True:
        answer = works.json(
            "processes", "logs", "flood", "--cursor", str(cursor), "--wait", "30", "--max-bytes", "262144"
        )
        cursor = answer["next"]
        if "the end" in answer["text"]:
            break
        largest = max(largest, resident(holder))
        assert _size(folder) <= 5 * 1024 * 1024 + 4096
    assert cursor > 1024**3
    assert largest < 25 * 1024 * 1024


def test_a_session_s_process_is_that_session_and_another_s_lane_is_out_of_reach(works: Works) -> None:
    works.configure({"processes": {"p": {"command": ["sleep", "300"]}}})
    made = works.json("sessions", "start", "-l", "one")
    env = {"ADE_SESSION_TOKEN": made["token"]}
    run = works.json("processes", "start", "p", env=env)["process"]
    assert (run["lane"], run["session"]) == ("one", made["session"]["id"])
    for argv in (["start", "p"], ["stop", "p"], ["restart", "p"]):
        error = works.error("processes", *argv, "-l", "primary", exit_code=3, env=env)
        assert error["code"] == "policy_denied"


def test_fault_28_all_are_started_and_those_that_fail_are_named(works: Works) -> None:
    works.configure(
        {
            "processes": {
                "a": {"command": ["sleep", "300"]},
                "b": {"command": ["false"]},
                "c": {"command": ["no-such-program"]},
            }
        }
    )
    answer = works.json("processes", "start-all")
    assert [one["name"] for one in answer["items"]] == ["a"]
    assert [(one["name"], one["code"]) for one in answer["failures"]] == [
        ("b", "process_failed"),
        ("c", "command_not_started"),
    ]


def test_the_environment_is_the_definition_s_and_no_token_s(works: Works) -> None:
    wait = gate(works.shop.project)
    works.configure(
        {"processes": {"p": {"command": ["sh", "-c", f"env; read x < {wait}"], "env": {"WORD": "given"}}}}
    )
    token = works.json("sessions", "start", "--bind-project", str(works.shop.project))["token"]
    works.json("processes", "start", "p", env={"ADE_SESSION_TOKEN": token})
    text = works.log("p", "WORD=given\n")
    assert "ADE_SESSION_TOKEN" not in text
    assert token not in text


def resident(mark: str) -> int:
    with open(f"/proc/{mark.partition(':')[0]}/statm") as statm:  # noqa: PTH123
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
