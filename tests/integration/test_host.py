"""``ade serve --stdio`` and ``--host``: another machine's runtime over ssh. The ssh here runs its command on this machine."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.client.host import sent_environment, take_host
from ade_runtime.contracts import AdeError
from tests.support.agent import Agent
from tests.support.builds import make_build
from tests.support.command import ADE, Command, command
from tests.support.sample import IDENTITY

HOST = "ada@build-7"
SSH = """#!/bin/sh
# Runs the command as the login shell of another machine would: another home, nothing of the caller's environment.
printf '%s\\n' "$@" > {log}
while [ "$1" != -- ]; do shift; done
host=$2; shift 2
exec env -i HOME={home} PATH={path} ADE_HOME={ade_home} sh -c "cd; {before}; $*"
"""


class There:
    """The other machine: a home of its own with a runtime of its own. ``ade`` is the command on this one."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.ade = Command(base / "here")
        self.there = Command(base / "there")
        self.home = base / "there" / "user"
        self.programs = base / "bin"
        self.programs.mkdir()
        self.log = base / "ssh.log"
        self.ade.env["PATH"] = f"{self.programs}:{os.environ['PATH']}"
        self.ssh()

    def ssh(self, *, before: str = ":", program: Path | None = ADE, script: str | None = None) -> None:
        """Put the stand-in on PATH; ``program`` is the ade command of the other machine, ``None`` for none."""
        folder = self.base / "there" / "bin"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        if program is not None:
            (folder / "ade").symlink_to(program)
        text = script or SSH.format(
            log=self.log,
            home=self.home,
            path=f"{folder}:/usr/bin:/bin",
            ade_home=self.there.home,
            before=before,
        )
        (self.programs / "ssh").write_text(text)
        (self.programs / "ssh").chmod(0o755)

    def project(self) -> Path:
        root = self.home / "shop"
        root.mkdir()
        env = self.there.env | IDENTITY
        for argv in (["init", "-q", "-b", "main"], ["commit", "-q", "--allow-empty", "-m", "Begin"]):
            subprocess.run(["git", *argv], cwd=root, env=env, check=True)
        return root


@pytest.fixture
def over(tmp_path: Path) -> Iterator[There]:
    made = There(tmp_path)
    yield made
    for place in (made.ade, made.there):
        place.close()


# -- one connection on standard input and output


def stdio(ade: Command, *messages: Mapping[str, Any], env: Mapping[str, str] | None = None) -> list[Any]:
    text = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages)
    done = ade.run("serve", "--stdio", stdin=text, env=env)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_stdio_is_a_whole_connection_to_the_one_runtime(tmp_path: Path) -> None:
    with command(tmp_path) as ade:
        answers = stdio(
            ade,
            {"id": 1, "method": "ade/initialize", "params": {"protocol": 1}},
            {"id": 2, "method": "runtime/info"},
            {"id": 3, "method": "ping"},
        )
        pid = ade.pid
        assert pid is not None, "it started the machine's runtime, which stays"
        by_id = {answer["id"]: answer["result"] for answer in answers}
        assert by_id[1]["runtimeInfo"]["pid"] == by_id[2]["pid"] == pid
        assert by_id[3] == {"ok": True}
        assert ade.json("runtime", "info")["pid"] == pid
        [again] = stdio(ade, {"id": 1, "method": "runtime/info"})
        assert again["result"]["pid"] == pid


def test_stdio_carries_a_great_deal_both_ways(tmp_path: Path) -> None:
    """More than all the buffers on the way hold, with nobody reading until all of it is sent."""
    with command(tmp_path) as ade:
        many = [{"id": number, "method": "ping"} for number in range(3000)]
        wide = [{"id": f"{number}" + "x" * 100_000, "method": "ping"} for number in range(30)]
        answers = stdio(ade, *many, *wide)
        assert {answer["id"] for answer in answers} == {message["id"] for message in [*many, *wide]}


def test_a_call_whose_stdio_vanishes_is_cancelled(tmp_path: Path) -> None:
    with command(tmp_path) as ade:
        ade.json("runtime", "info")
        process = ade.start("serve", "--stdio", stdin=subprocess.PIPE)
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write('{"jsonrpc":"2.0","id":1,"method":"runtime/info"}\n')
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        process.stdout.close()
        process.stdin.close()
        assert process.wait(20) == 0
        assert process.stderr is not None
        process.stderr.close()


def test_stdio_that_cannot_start_says_why_on_standard_error(tmp_path: Path) -> None:
    ade = Command(tmp_path)
    ade.home.write_text("a file")
    done = ade.run("serve", "--stdio", stdin="")
    assert (done.returncode, done.stdout) == (7, "")
    assert json.loads(done.stderr)["error"]["code"] == "home_unusable"
    assert ade.error("serve", "--stdio", "--foreground", exit_code=2)["code"] == "invalid_arguments"


def test_stdio_of_newer_code_replaces_an_idle_runtime(tmp_path: Path) -> None:
    older = Command(tmp_path, program=make_build(tmp_path / "old", age=60))
    with command(tmp_path) as ade:
        first = older.json("runtime", "info")["pid"]
        [told] = stdio(ade, {"id": 1, "method": "runtime/info"})
        assert told["result"]["pid"] != first


# -- commands for another machine


def test_a_command_is_performed_by_the_other_machines_runtime(over: There) -> None:
    root = over.project()
    info = over.ade.json("--host", HOST, "runtime", "info")
    assert info["home"] == str(over.there.home)
    assert info["pid"] == over.there.pid
    assert over.ade.pid is None, "nothing was started here"
    assert over.log.read_text().splitlines()[-3:-1] == ["--", HOST]
    over.ade.json("project", "add", "shop", f"--host={HOST}")
    lane = over.ade.json("lanes", "create", "fix", "--host", HOST, "--project", "shop")
    assert Path(lane["path"]).is_relative_to(root)
    table = over.ade.run("--host", HOST, "--text", "lanes", "list", "--project", "shop")
    assert (table.returncode, table.stderr) == (0, "")
    assert "fix" in table.stdout
    picked = over.ade.run("--host", HOST, "lanes", "list", "--project", "shop", "--jq", ".items[].name")
    assert "fix" in picked.stdout.split()
    error = over.ade.error("--host", HOST, "lanes", "show", "none", "--project", "shop", exit_code=4)
    assert error["code"] == "lane_not_found"


def test_standard_input_and_files_are_this_machines(over: There) -> None:
    over.project()
    over.ade.json("project", "add", "shop", "--host", HOST)
    text = json.dumps({"name": "from-stdin", "project": None}).replace(', "project": null', "")
    made = over.ade.json(
        "lanes", "create", "--input-json", "-", "--host", HOST, "--project", "shop", stdin=text
    )
    assert made["name"] == "from-stdin"
    file = over.ade.base / "input.json"
    file.write_text('{"name": "from-file"}')
    words = ["lanes", "create", "--input-json", f"@{file}", "--host", HOST, "--project", "shop"]
    assert over.ade.json(*words)["name"] == "from-file"


def test_nothing_that_proves_or_names_this_machine_is_sent(over: There) -> None:
    told = sent_environment(
        {
            "PATH": "/bin", "HOME": "/h", "SSH_AUTH_SOCK": "/s", "ADE_SESSION_TOKEN": "t", "ADE_LANE_ID": "l", "ADE_HOME": "/a",
            "NO_COLOR": "1", "LC_ALL": "C", "GIT_AUTHOR_NAME": "Ada", "ADE_DEFAULT_ROLE": "external", "GIT_DIR": "/g",
        }
    )  # fmt: skip
    assert told.keys() == {"NO_COLOR", "LC_ALL", "GIT_AUTHOR_NAME", "ADE_DEFAULT_ROLE"}
    status = over.ade.json("auth", "status", "--host", HOST, env={"ADE_DEFAULT_ROLE": "external"})
    assert (status["role"], status["source"]) == ("external", "owner")


def test_from_inside_a_session_nothing_is_sent_elsewhere(over: There) -> None:
    token = over.ade.json("sessions", "start")["token"]
    for env in ({"ADE_SESSION_TOKEN": token}, {"ADE_SESSION_TOKEN": "x"}):
        error = over.ade.error("runtime", "info", "--host", HOST, exit_code=3, env=env)
        assert error["code"] == "policy_denied"
    with Agent(over.ade) as agent:
        over.ade.json("sessions", "start", "--pid", str(agent.pid))
        agent.denied("runtime", "info", "--host", HOST)
    assert not over.log.exists()


@pytest.mark.parametrize(
    "host",
    [
        "-oProxyCommand=touch x",
        "",
        "a b",
        "ada@-x",
        "$(touch x)",
        "ada@",
        "@b",
        "a@b@c",
        "ä",
        "x" * 400,
        "a;b",
        "--",
        "a\nb",
    ],
)
def test_what_ssh_could_misread_is_refused(over: There, host: str) -> None:
    error = over.ade.error(f"--host={host}", "runtime", "info", exit_code=2)
    assert error["code"] == "invalid_arguments"
    assert not over.log.exists()


@pytest.mark.parametrize("host", ["build-7", "ada@10.0.0.7", "ada@::1", "Ada.L+x@a_b.example.org"])
def test_hosts(host: str) -> None:
    assert take_host(["--host", host, "lanes", "--", "--host", "x"]) == (host, ["lanes", "--", "--host", "x"])


@pytest.mark.parametrize(
    "line", [["doctor"], ["serve"], ["install"], ["runtime", "stop"], ["runtime", "info", "--headless"]]
)
def test_what_is_about_one_machine_is_not_sent_to_another(over: There, line: list[str]) -> None:
    for words in ([*line, "--host", HOST], ["--host", HOST, *line]):
        error = over.ade.error(*words, exit_code=2)
        assert error["code"] == "invalid_arguments"


def test_a_missing_host_is_a_missing_value() -> None:
    with pytest.raises(AdeError, match="--host needs"):
        take_host(["runtime", "info", "--host"])


# -- what can go wrong on the way


def test_without_ssh(over: There) -> None:
    (over.programs / "ssh").unlink()
    env = {"PATH": str(over.programs)}
    error = over.ade.error("runtime", "info", "--host", HOST, exit_code=7, env=env)
    assert error["code"] == "ssh_missing"
    assert HOST in error["message"]


def test_a_host_that_does_not_answer(over: There) -> None:
    over.ssh(
        script="#!/bin/sh\necho 'banner' >&2\necho 'ssh: connect to host build-7 port 22: Connection refused' >&2\nexit 255\n"
    )
    error = over.ade.error("runtime", "info", "--host", HOST, exit_code=7)
    assert error["code"] == "host_unreachable"
    assert "Connection refused" in error["message"]
    assert f"ssh {HOST} true" in error["hint"]


def test_no_ade_over_there(over: There) -> None:
    over.ssh(program=None)
    error = over.ade.error("runtime", "info", "--host", HOST, exit_code=7)
    assert error["code"] == "ade_missing_on_host"
    assert "ade install" in error["hint"]


def test_a_runtime_that_does_not_start_over_there(over: There) -> None:
    over.there.home.write_text("a file")
    error = over.ade.error("runtime", "info", "--host", HOST, exit_code=7)
    assert error["code"] == "host_unreachable"
    assert "ADE cannot use" in error["message"]
    over.there.home.unlink()


@pytest.mark.parametrize(("ours", "theirs"), [(1, 2), (2, 1)])
def test_another_protocol_over_there(over: There, ours: int, theirs: int) -> None:
    other = make_build(over.base / "build", protocol=2)
    over.ssh(program=other if theirs == 2 else ADE)
    over.ade.program = other if ours == 2 else ADE
    error = over.ade.error("runtime", "info", "--host", HOST, exit_code=7)
    over.ade.program = ADE
    assert error["code"] == "incompatible_protocol"
    assert f"ADE on {HOST} speaks protocol {theirs}, this side protocol {ours}" in error["message"]
    assert "same version" in error["hint"]


def test_a_chatty_login_is_read_past_and_another_service_is_not_taken_for_ade(over: There) -> None:
    over.ssh(before="echo Welcome to build-7; echo '[1]'")
    assert over.ade.json("runtime", "info", "--host", HOST)["pid"] == over.there.pid
    over.ssh(script="#!/bin/sh\nexec yes nonsense\n")
    error = over.ade.error("runtime", "info", "--host", HOST, exit_code=7)
    assert (error["code"], "something else than ade" in error["message"]) == ("host_unreachable", True)


def test_ctrl_c_ends_ssh_and_the_call(over: There) -> None:
    over.ssh(script="#!/bin/sh\necho started >&2\nexec sleep 600\n")
    process = over.ade.start("runtime", "info", "--host", HOST, start_new_session=True)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while not children.read_text().split():
        assert process.poll() is None
    ssh = os.pidfd_open(int(children.read_text()))
    os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130
    assert select.select([ssh], [], [], 30)[0], "ssh goes on"
    os.close(ssh)
