"""What a command prints, where, and how it ends: over the runtime and headless alike."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import pty
import select
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from ade_runtime.cli.run import Line
from ade_runtime.client.headless import perform
from ade_runtime.domains.runtime import RuntimeHandlers
from tests.support.command import ADE, Command, command


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Command]:
    with command(tmp_path_factory.mktemp("ade")) as made:
        yield made


@pytest.fixture(params=["runtime", "headless"])
def ade(request: pytest.FixtureRequest, home: Command) -> Iterator[Command]:
    if request.param == "runtime":
        yield home
        return
    made = Command(home.base, home.home)
    run = made.run
    made.run = lambda *argv, **more: run("--headless", *argv, **more)  # type: ignore[method-assign]
    yield made


def terminal(ade: Command, *argv: str, env: dict[str, str] | None = None) -> tuple[int, str]:
    """Exit code and everything that a command writes to a terminal 100 columns wide."""
    import fcntl
    import struct
    import termios

    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    process = ade.start(*argv, env={"TERM": "xterm", **(env or {})}, stdin=side, stdout=side, stderr=side)
    os.close(side)
    seen = b""
    while True:
        assert select.select([main], [], [], 60)[0]
        try:
            data = os.read(main, 65536)
        except OSError:
            break
        if not data:
            break
        seen += data
    os.close(main)
    return process.wait(60), seen.decode().replace("\r\n", "\n")


def test_json_is_exactly_the_output_document(ade: Command) -> None:
    done = ade.run("actions", "describe", "runtime.health", "--json")
    assert done.stderr == ""
    assert done.stdout.endswith("}\n")
    assert done.stdout.count("\n") == 1
    assert json.loads(done.stdout)["id"] == "runtime.health"


def test_without_a_terminal_json_is_the_default(ade: Command) -> None:
    assert json.loads(ade.run("runtime", "health").stdout) == {"status": "ok"}


def test_text_on_request(ade: Command) -> None:
    text = ade.run("runtime", "info", "--text").stdout
    assert text.startswith("ADE runtime ")
    assert f"  Home:     {ade.home}\n" in text
    assert "\x1b" not in text


def test_text_and_colour_on_a_terminal(home: Command) -> None:
    for before in ([], ["--headless"]):
        code, seen = terminal(home, *before, "runtime", "info")
        assert code == 0
        assert "ADE runtime" in seen
        assert "\x1b[1m" in seen
        assert not seen.startswith("{")


@pytest.mark.parametrize(
    ("argv", "env"), [(["--no-color"], {}), ([], {"NO_COLOR": "1"}), ([], {"TERM": "dumb"})]
)
def test_no_colour_where_none_is_wanted(home: Command, argv: list[str], env: dict[str, str]) -> None:
    code, seen = terminal(home, *argv, "runtime", "info", env=env)
    assert code == 0
    assert "ADE runtime" in seen
    assert "\x1b" not in seen


def test_an_error_on_a_terminal_names_the_next_step(home: Command) -> None:
    code, seen = terminal(home, "actions", "describe", "lane.explode")
    assert code == 4
    assert "error: There is no action lane.explode." in seen
    assert "hint: " in seen


def test_errors_are_one_json_document_on_stderr(ade: Command) -> None:
    error = ade.error("actions", "status", "op_unknown", exit_code=4)
    assert error["code"] == "operation_not_found"
    assert error["message"]
    assert error["hint"]


def test_errors_as_text(ade: Command) -> None:
    done = ade.run("actions", "status", "op_\x1b[31munknown", "--text")
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr.startswith("error: There is no operation op_\\u001b[31munknown.")
    assert "hint: " in done.stderr


def test_every_problem_is_told_at_once(ade: Command) -> None:
    arguments = json.dumps({"limit": 0, "effect": "harmless", "nope": 1})
    done = ade.run("actions", "run", "actions.list", "--input-json", arguments, "--json")
    problems = json.loads(done.stderr)["error"]["details"]["problems"]
    assert {problem["path"] for problem in problems} == {"limit", "effect", "nope"}


def test_a_misspelt_command(ade: Command) -> None:
    error = ade.error("runtime", "inof", exit_code=2)
    assert "info" in error["hint"] + error["message"]


def test_jq(ade: Command) -> None:
    assert ade.run("runtime", "health", "--jq", ".status").stdout == "ok\n"
    assert (
        ade.run("actions", "list", "--domain", "runtime", "--jq", ".items[].id").stdout
        == "runtime.health\nruntime.info\n"
    )
    assert ade.run("runtime", "health", "--jq", "{s: .status}").stdout == '{"s":"ok"}\n'
    done = ade.run("runtime", "health", "--jq", ".[")
    assert done.returncode == 2
    assert json.loads(done.stderr)["error"]["code"] == "invalid_arguments"


def test_a_dry_run_shows_the_call_and_makes_none(ade: Command, tmp_path: Path) -> None:
    shown = json.loads(ade.run("projects", "add", str(tmp_path), "--dry-run", "--json").stdout)
    assert shown == {
        "dry_run": True,
        "action": "project.add",
        "effect": "write",
        "project": None,
        "arguments": {"path": str(tmp_path)},
    }
    assert ade.error("projects", "add", "", "--dry-run", exit_code=2)["code"] == "invalid_arguments"


def test_a_skeleton_can_be_filled_in(ade: Command) -> None:
    skeleton = json.loads(ade.run("actions", "describe", "--skeleton").stdout)
    assert "action" in skeleton


def test_standard_input_and_files_are_read_when_asked_for(ade: Command, tmp_path: Path) -> None:
    document = json.dumps({"action": "runtime.info"})
    assert (
        json.loads(ade.run("actions", "describe", "--input-json", "-", stdin=document).stdout)["id"]
        == "runtime.info"
    )
    file = tmp_path / "in.json"
    file.write_text(document)
    assert (
        json.loads(ade.run("actions", "describe", "--input-json", f"@{file}").stdout)["id"] == "runtime.info"
    )
    error = ade.error("actions", "describe", "--input-json", "@/no/such/file", exit_code=2)
    assert error["code"] == "invalid_arguments"
    assert "@FILE" in error["hint"], "the hint names no command that does not exist"
    assert "`ade" not in error["hint"]


def test_standard_input_is_left_alone_otherwise(ade: Command) -> None:
    process = ade.start(*(["--headless"] if "lambda" in repr(ade.run) else []), "runtime", "health", stdin=-1)
    out, _ = process.communicate("for somebody else", timeout=60)
    assert json.loads(out) == {"status": "ok"}


def test_background_runs(ade: Command) -> None:
    started = ade.json("actions", "run", "runtime.health", "--background")
    assert started["result"] is None
    told = ade.json("actions", "status", started["operation"], "--wait", "20")
    assert (told["state"], told["result"], told["error"]) == ("done", {"status": "ok"}, None)


def test_searching(ade: Command) -> None:
    found = ade.json("actions", "search", "create a lane", "--limit", "3")["items"]
    assert found[0]["id"] == "lane.create"
    assert found[0]["input"]["properties"]["name"]["type"] == "string"


def test_paging(ade: Command) -> None:
    whole = [item["id"] for item in ade.json("actions", "list")["items"]]
    assert whole == sorted(whole)
    seen: list[str] = []
    cursor: list[str] = []
    while True:
        page = ade.json("actions", "list", "--limit", "40", *cursor)
        assert page["total"] == len(whole)
        seen += [item["id"] for item in page["items"]]
        if page["next"] is None:
            break
        cursor = ["--cursor", page["next"]]
    assert seen == whole


def test_a_closed_pipe_ends_the_command_quietly(home: Command) -> None:
    import subprocess

    script = f"{ADE} actions list --schemas | head -c 10; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], env=home.env, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert len(done.stdout) == 10


def test_a_working_folder_that_is_gone(home: Command, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    import subprocess

    script = f"rmdir {gone}; {ADE} runtime health"
    done = subprocess.run(
        ["bash", "-c", script], cwd=gone, env=home.env, capture_output=True, text=True, timeout=60
    )
    assert json.loads(done.stdout) == {"status": "ok"}


def test_progress_is_shown_on_a_terminal_and_cleared(home: Command) -> None:
    """The runtime sends notes while it works; the answer comes on a clean line."""
    import socket

    path = home.base / "progress.sock"
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen()
    main, side = pty.openpty()
    process = home.start("--socket", str(path), "runtime", "info", stdin=side, stdout=side, stderr=side)
    os.close(side)
    connection, _ = listener.accept()
    with connection, connection.makefile("rb") as lines:
        assert json.loads(lines.readline())["params"]["terminal_err"] is True
        note = {"token": 1, "message": "cloning \x1b[31m", "fraction": 0.25}
        for message in ({"method": "$/progress", "params": note}, {"id": 1, "result": {"stdout": "done\n"}}):
            connection.sendall(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        assert process.wait(60) == 0
    seen = os.read(main, 4096).decode()
    os.close(main)
    listener.close()
    assert seen == "\r\x1b[K 25% cloning  [31m\r\x1b[Kdone\r\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupting_a_headless_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    """A signal cancels the handler, waits for its clean-up and ends with 130."""
    stopped = []

    async def interrupted(self: object, call: object, args: object) -> None:
        os.kill(os.getpid(), number)
        try:
            await asyncio.Event().wait()
        finally:
            stopped.append(True)

    monkeypatch.setenv("ADE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(RuntimeHandlers, "info", interrupted)
    level, handlers = logging.root.level, logging.root.handlers
    try:
        answer = perform(Line(argv=("runtime", "info"), cwd="/", env={}, transport="headless"))
    finally:
        logging.root.setLevel(level)
        logging.root.handlers = handlers
    assert (answer.exit, answer.stdout, stopped) == (130, "", [True])
    assert json.loads(answer.stderr)["error"]["code"] == "cancelled"


# -- commands of the program itself


def test_the_doctor_finds_a_sound_machine(home: Command) -> None:
    home.json("runtime", "health")
    told = home.json("doctor")
    assert told["ok"] is True
    rows = {row["check"]: row for row in told["items"]}
    assert rows.keys() >= {"version", "python", "home", "socket", "runtime", "database", "git", "project"}
    assert str(home.pid) in rows["runtime"]["found"]
    assert all(row["state"] in ("ok", "warn", "fail") for row in told["items"])
    assert all(row["next"] for row in told["items"] if row["state"] != "ok")


def test_the_doctor_finds_a_damaged_database_and_a_dead_socket(tmp_path: Path) -> None:
    with command(tmp_path) as ade:
        ade.json("runtime", "health")
        ade.kill()
        (ade.home / "state.db").write_text("not a database")
        done = ade.run("doctor", "--json")
        rows = {row["check"]: row for row in json.loads(done.stdout)["items"]}
        assert done.returncode == 1
        assert rows["database"]["state"] == "fail"
        assert rows["runtime"]["state"] == "ok"
        text = ade.run("doctor", "--text")
        assert text.returncode == 1
        assert "next: " in text.stdout
        assert ade.error("runtime", "health", exit_code=7)["code"] == "storage_corrupt"
        assert (ade.home / "state.db").read_text() == "not a database"


def test_version_guidance_completion(home: Command) -> None:
    assert home.run("--version").stdout.startswith("ade ")
    assert "actions list" in home.run("guidance").stdout
    for shell in ("bash", "zsh", "fish"):
        assert "ade" in home.run("completion", shell).stdout
    assert home.error("completion", "tcsh", exit_code=2)["code"] == "invalid_arguments"
    assert home.error("doctor", "--fix-everything", exit_code=2)["code"] == "invalid_arguments"
    for name in ("serve", "doctor", "guidance", "completion"):
        assert home.run(name, "--help").stdout.startswith(f"Usage: ade {name}")


def test_completion_over_the_runtime(home: Command) -> None:
    lines = home.run("__complete", "bash", "runtime", "in").stdout.splitlines()
    assert lines[0] == "none"
    assert [line.split("\t")[0] for line in lines[1:]] == ["info"]
    lines = home.run("__complete", "zsh", "actions", "describe", "runtime.h").stdout.splitlines()
    assert lines[1].startswith("runtime.health\t")


def test_headless_starts_no_runtime(tmp_path: Path) -> None:
    with command(tmp_path) as ade:
        info = ade.json("--headless", "runtime", "info")
        assert info["socket"] is None
        assert ade.pid is None
        assert not ade.paths.socket.exists()


def test_headless_as_a_value_is_no_switch(home: Command) -> None:
    done = home.run("actions", "describe", "--", "--headless")
    assert (done.returncode, json.loads(done.stderr)["error"]["code"]) == (4, "unknown_action")
    assert home.json("runtime", "info", "--request-id=--headless")["pid"] == home.pid
