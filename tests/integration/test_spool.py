"""The way in through a spool: for whom, for what, answered once, and deaf to whatever else lies in the folder."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.spool.layout import EXPIRE_SECONDS, REQUEST_LIMIT
from tests.support.agent import Agent
from tests.support.command import ADE, Command, command
from tests.support.repo import Repo
from tests.support.sample import IDENTITY
from tests.support.sandboxed import (
    CONFINE,
    Requester,
    blocked,
    blocked_error,
    blocked_json,
    new_id,
    request,
    spool_of,
    start_blocked,
    wait_for,
)

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the sandbox is Linux's own")


class Place:
    """A project with two lanes; ``fix`` is the folder of the one that tests work in."""

    def __init__(self, ade: Command, base: Path) -> None:
        self.ade = ade
        self.repo = Repo(base, env=ade.env | IDENTITY)
        self.repo.commit("One", **{"a.txt": "a\n"})
        ade.json("project", "add", str(self.repo.root))
        self.fix = Path(ade.json("lanes", "create", "fix", cwd=self.repo.root)["path"])
        self.other = Path(ade.json("lanes", "create", "other", cwd=self.repo.root)["path"])

    def session(self, role: str = "agent", lane: str | None = "fix") -> dict[str, str]:
        """The environment of a session that works in the lane."""
        words = ["--role", role, "--role-value", role, "--bind-project", "."]
        words += [] if lane is None else ["--lane", lane]
        return {"ADE_SESSION_TOKEN": self.ade.json("sessions", "start", *words, cwd=self.repo.root)["token"]}

    def audit(self) -> list[tuple[Any, ...]]:
        """What came through spools, the newest last."""
        import sqlite3

        database = sqlite3.connect(self.ade.paths.database)
        rows = database.execute(
            "SELECT action, identity, role, outcome FROM audit WHERE transport = 'spool' ORDER BY id"
        ).fetchall()
        database.close()
        return rows

    def settled(self) -> bool:
        """Whether nothing of any request is left in the lane."""
        return not list(spool_of(self.fix).iterdir())


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with command(tmp_path) as ade:
        yield Place(ade, tmp_path)


# -- what it carries, and for whom


def test_a_blocked_command_is_answered_as_at_the_socket(place: Place) -> None:
    for argv in (["lanes", "list"], ["lanes", "list", "--text"], ["git", "status"], ["actions", "list"]):
        through = blocked(place.ade, *argv, cwd=place.fix)
        direct = place.ade.run(*argv, cwd=place.fix)
        assert (through.returncode, through.stderr) == (0, "")
        assert len(through.stdout) > 20
        if argv[0] != "actions":
            assert through.stdout == direct.stdout
    wait_for(place.settled)
    folder = spool_of(place.fix)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert Repo(place.fix.parent, "fix", init=False, env=place.ade.env).git("status", "--porcelain") == ""
    assert not (place.fix / ".gitignore").exists()


def test_a_primary_checkout_and_folders_below_have_a_spool_too(place: Place) -> None:
    below = place.repo.root / "src" / "deep"
    below.mkdir(parents=True)
    assert blocked_json(place.ade, "lanes", "list", cwd=below)["total"] == 3
    assert (place.repo.root / ".ade" / "spool").is_dir()


def test_without_a_session_it_only_reads(place: Place) -> None:
    assert blocked_json(place.ade, "auth", "status", cwd=place.fix)["role"] == "external"
    (place.fix / "new.txt").write_text("new")
    error = blocked_error(place.ade, "git", "stage", "new.txt", cwd=place.fix, exit_code=3)
    assert error["code"] == "policy_denied"
    for role in ("agent", "cto"):
        error = blocked_error(place.ade, "lanes", "list", "--role", role, cwd=place.fix, exit_code=3)
        assert error["code"] == "policy_denied"
    assert [row[0] for row in place.audit()] == ["git.stage", "lane.list", "lane.list"]
    assert all(row[3] == "policy_denied" for row in place.audit())


def test_a_session_writes_in_its_own_lane_and_nowhere_else(place: Place) -> None:
    env = place.session()
    (place.fix / "new.txt").write_text("new")
    blocked_json(place.ade, "git", "stage", "new.txt", cwd=place.fix, env=env)
    made = blocked_json(place.ade, "git", "commit", "-m", "New", cwd=place.fix, env=env)
    assert made["subject"] == "New"
    for argv in (
        ["lanes", "create", "more"],
        ["git", "commit", "--lane", "other", "-m", "x"],
        ["git", "commit", "--lane", "primary", "-m", "x"],
        ["git", "discard", "a.txt"],
        ["git", "reset", "HEAD"],
        ["lanes", "delete", "fix"],
        ["session", "start"],
        ["actions", "run", "lane.create", "--input", '{"name": "more"}'],
    ):
        done = blocked(place.ade, *argv, "--json", cwd=place.fix, env=env)
        assert done.returncode in (2, 3), (argv, done.stdout, done.stderr)
        assert (done.returncode == 3) == ("policy_denied" in done.stderr)
    error = blocked_error(place.ade, "git", "stage", ".", cwd=place.other, env=env, exit_code=3)
    assert error["code"] == "policy_denied"
    done = {(row[0], row[3]) for row in place.audit()}
    assert ("git.commit", "ok") in done
    assert ("lane.create", "policy_denied") in done
    assert not {row for row in done if row[1] == "ok"} - {("git.stage", "ok"), ("git.commit", "ok")}


def test_a_higher_session_is_an_agent_in_there(place: Place) -> None:
    env = place.session("cto")
    assert place.ade.json("auth", "status", env=env)["role"] == "cto"
    assert blocked_json(place.ade, "auth", "status", cwd=place.fix, env=env)["role"] == "agent"
    assert blocked(place.ade, "lanes", "list", "--role", "cto", cwd=place.fix, env=env).returncode == 3
    assert blocked(place.ade, "lanes", "create", "more", cwd=place.fix, env=env).returncode == 3
    bound_to_no_lane = place.session("orchestrator", None)
    assert blocked(place.ade, "git", "stage", ".", cwd=place.fix, env=bound_to_no_lane).returncode == 3


def test_a_session_is_known_by_its_processes(place: Place) -> None:
    """The token is not in the request: whoever reads the lane could read it. Nor does leaving it out help."""
    env = place.session()
    with Agent(place.ade, env) as agent:
        argv = [*CONFINE[1:], str(ADE), "auth", "status", "--json"]
        for without in ({}, {"ADE_SESSION_TOKEN": None}):
            done = agent.run(*argv, program=sys.executable, cwd=place.fix, env=without)
            assert json.loads(done.stdout)["role"] == "agent"
            assert json.loads(done.stdout)["session"]


def test_a_forged_token_is_refused_not_ignored(place: Place) -> None:
    env = {"ADE_SESSION_TOKEN": "adest_forged"}
    error = blocked_error(place.ade, "lanes", "list", cwd=place.fix, env=env, exit_code=3)
    assert error["code"] == "policy_denied"
    assert place.audit()[-1] == ("lane.list", "nobody", "external", "policy_denied")


def test_the_token_is_not_in_the_request(place: Place) -> None:
    from ade_runtime.client import spool

    text = spool.request_text("cli/run", {"argv": [], "env": {**place.session(), "LANG": "C"}})
    assert b"adest_" not in text
    assert b"LANG" in text


# -- answered once


def test_a_request_waits_for_the_next_runtime(place: Place) -> None:
    place.ade.close()
    argv = ["lanes", "list"]
    with Requester(spool_of(place.fix), new_id(place.ade.home), request(argv, place.fix), argv) as asking:
        assert not asking.path("answer").exists()
        place.ade.json("runtime", "info")
        assert json.loads(asking.answer()["result"]["stdout"])["total"] == 3
        wait_for(lambda: not asking.path("taken").exists())


def test_what_a_killed_runtime_had_taken_is_reported_and_never_done_again(place: Place) -> None:
    place.ade.kill()
    argv = ["lanes", "list"]
    folder, identifier = spool_of(place.fix), new_id(place.ade.home)
    with Requester(folder, identifier, request(argv, place.fix), argv, kind="taken") as asking:
        place.ade.json("runtime", "info")
        error = asking.answer()["error"]["data"]
        assert error["code"] == "runtime_unavailable"
        assert "before you repeat it" in error["message"]
        wait_for(lambda: not asking.path("taken").exists())


def test_a_runtime_that_stops_answers_what_it_took(place: Place) -> None:
    operation = place.ade.json("actions", "run", "runtime.health", "--background")["operation"]
    process = start_blocked(place.ade, "actions", "status", operation, "--json", cwd=place.fix)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    place.ade.close()
    assert json.loads(out)["state"] == "done"
    wait_for(place.settled)


def test_a_caller_that_vanishes_ends_its_call(place: Place) -> None:
    argv = ["events", "poll", "--start", "now", "--wait-ms", "60000"]
    asking = Requester(spool_of(place.fix), new_id(place.ade.home), request(argv, place.fix), argv)
    wait_for(lambda: asking.path("taken").exists())
    asking.close()
    wait_for(lambda: not asking.path("taken").exists(), 30)
    assert place.ade.json("runtime", "info")["pid"] == place.ade.pid


def test_an_interrupted_command_leaves_nothing_behind(place: Place) -> None:
    process = start_blocked(place.ade, "lanes", "list", cwd=place.fix)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    folder = spool_of(place.fix)
    wait_for(lambda: not [file for file in folder.iterdir() if file.suffix in (".request", ".taken")])


# -- what else may lie there


@pytest.mark.parametrize("kind", ["unlocked", "symlink", "hard_link", "fifo", "open", "large", "folder"])
def test_what_the_client_does_not_put_there_is_never_performed(place: Place, kind: str) -> None:
    """Whoever may write in the lane may put anything there; nothing of it is read, and nothing it points at is touched."""
    folder, identifier = spool_of(place.fix), new_id(place.ade.home)
    path, text = folder / f"{identifier}.request", request(["lanes", "list"], place.fix)
    precious = place.ade.base / "precious"
    precious.write_text(text)
    precious.chmod(0o600)
    if kind == "symlink":
        path.symlink_to(precious)
    elif kind == "hard_link":
        path.hardlink_to(precious)
    elif kind == "fifo":
        os.mkfifo(path, 0o600)
    elif kind == "folder":
        path.mkdir()
    else:
        path.touch(0o644 if kind == "open" else 0o600)
        path.write_text(text if kind != "large" else text + " " * REQUEST_LIMIT)
    assert blocked_json(place.ade, "lanes", "list", cwd=place.fix)["total"] == 3  # the spool goes on working
    if kind == "folder":
        assert path.is_dir()
    else:
        wait_for(lambda: not os.path.lexists(path))
    assert precious.read_text() == text
    assert not list(folder.glob("*.answer"))


def test_a_request_is_only_what_its_process_was_started_for(place: Place) -> None:
    """Another process that may write in the lane changes what a session asks: the command line of its process tells."""
    env = place.session()
    text = request(["git", "commit", "-m", "changed"], place.fix)
    with Requester(
        spool_of(place.fix), new_id(place.ade.home), text, ["git", "commit", "-m", "meant"]
    ) as asking:
        assert asking.answer()["error"]["data"]["code"] == "policy_denied"
    assert env
    assert not [row for row in place.audit() if row[0] == "git.commit"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"jsonrpc":"2.0","id":1,"method":"shutdown"}', "[" * 100, '{"a":1,"a":2}']
)
def test_nonsense_gets_an_error(place: Place, text: str) -> None:
    with Requester(spool_of(place.fix), new_id(place.ade.home), text, []) as asking:
        assert asking.answer()["error"]["data"]["code"] in ("invalid_arguments", "policy_denied")
    assert place.ade.json("runtime", "info")["pid"] == place.ade.pid


def test_an_old_request_is_not_performed(place: Place) -> None:
    place.ade.close()
    argv = ["lanes", "list"]
    with Requester(spool_of(place.fix), new_id(place.ade.home), request(argv, place.fix), argv) as asking:
        long_ago = asking.path("request").stat().st_mtime - 2 * EXPIRE_SECONDS
        os.utime(asking.path("request"), (long_ago, long_ago))
        place.ade.json("runtime", "info")
        wait_for(lambda: not asking.path("request").exists())
        assert not asking.path("answer").exists()


def test_requests_to_another_home_are_left_alone(place: Place) -> None:
    argv = ["lanes", "list"]
    other = new_id(place.ade.base / "elsewhere")
    with Requester(spool_of(place.fix), other, request(argv, place.fix), argv) as asking:
        blocked_json(place.ade, "lanes", "list", cwd=place.fix)
        assert asking.path("request").exists()


def test_a_spool_that_leads_elsewhere_is_not_used(place: Place) -> None:
    elsewhere = place.ade.base / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    (place.fix / ".ade").mkdir(mode=0o700)
    (place.fix / ".ade" / "spool").symlink_to(elsewhere)
    argv = ["lanes", "list"]
    with Requester(elsewhere, new_id(place.ade.home), request(argv, place.fix), argv) as asking:
        error = blocked_error(place.ade, "lanes", "list", cwd=place.fix, exit_code=7)
        assert error["code"] == "sandbox_blocked"
        assert asking.path("request").exists()


def test_others_must_not_write_in_the_folder(place: Place) -> None:
    spool_of(place.fix).chmod(0o770)
    error = blocked_error(place.ade, "lanes", "list", cwd=place.fix, exit_code=7)
    assert "others may write" in error["message"]


# -- where there is no spool


def test_outside_of_projects_and_without_a_runtime_it_says_so_at_once(place: Place, tmp_path: Path) -> None:
    outside = blocked_error(place.ade, "runtime", "info", cwd=tmp_path, exit_code=7)
    assert outside["code"] == "sandbox_blocked"
    assert "in no lane" in outside["details"]["spool"]
    stranger = Repo(tmp_path, "stranger", env=place.ade.env)
    error = blocked_error(place.ade, "runtime", "info", cwd=stranger.root, exit_code=7)
    assert "ade project add" in error["details"]["spool"]
    assert not (stranger.root / ".ade").exists()
    place.ade.close()
    error = blocked_error(place.ade, "runtime", "info", cwd=place.fix, exit_code=7)
    assert "ade serve" in error["details"]["spool"]
    assert place.ade.pid is None, "a blocked command started a runtime"


def test_a_text_that_is_too_long_for_it_is_refused(place: Place) -> None:
    env = place.session()
    done = blocked(
        place.ade,
        "git",
        "commit",
        "--input-json",
        "-",
        cwd=place.fix,
        env=env,
        stdin=json.dumps({"message": "x" * 2 * REQUEST_LIMIT}),
    )
    assert done.returncode == 7
    assert "bytes" in done.stderr


def test_what_the_environment_may_say(place: Place) -> None:
    """Programs run for a sandboxed caller are the runtime's own choice, not what the caller would like to have run."""
    from types import SimpleNamespace

    from ade_runtime.spool.watch import allowed_environment

    said = {
        "PATH": "/evil",
        "GIT_SSH_COMMAND": "evil",
        "GIT_CONFIG_GLOBAL": "/evil",
        "EDITOR": "evil",
        "HOME": "/evil",
    }
    said |= {
        "HTTPS_PROXY": "evil",
        "LC_ALL": "C",
        "ADE_LANE_ID": "lane_1",
        "GIT_AUTHOR_NAME": "Ada",
        "ADE_HOME": "/evil",
    }
    origin = SimpleNamespace(pid=0, start=None)
    made = allowed_environment(SimpleNamespace(origin=origin), SimpleNamespace(env=said))  # type: ignore[arg-type]
    assert not [value for value in made.values() if "evil" in value]
    assert (made["ADE_LANE_ID"], made["GIT_AUTHOR_NAME"], made["LC_ALL"]) == ("lane_1", "Ada", "C")
    assert made.get("PATH") == os.environ.get("PATH")


def test_many_at_once_are_all_answered(place: Place) -> None:
    started = [start_blocked(place.ade, "lanes", "list", "--json", cwd=place.fix) for _ in range(12)]
    for process in started:
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        assert json.loads(out)["total"] == 3
    wait_for(place.settled)


def test_a_spool_does_not_stand_in_the_way_of_deleting_its_lane(place: Place) -> None:
    blocked_json(place.ade, "lanes", "list", cwd=place.fix)
    shown = place.ade.json("lanes", "show", "fix", cwd=place.repo.root)
    assert shown["status"]["dirty"] is False
    place.ade.json("lanes", "delete", "fix", cwd=place.repo.root)
    assert not place.fix.exists()


def test_completing_words_is_quiet(place: Place) -> None:
    done = blocked(place.ade, "__complete", "bash", "ade", "lan", cwd=place.fix)
    assert (done.returncode, done.stdout, done.stderr) == (7, "", "")
