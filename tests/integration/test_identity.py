"""Who a caller is, tried with real processes against a real runtime: no input of the caller's raises a role."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ade_generated.roles import ROLES
from tests.support.agent import Agent, How
from tests.support.command import ADE, Command, command

HIDING: tuple[How, ...] = ("plain", "setsid", "orphan", "orphan_setsid")
NO_TOKEN = {"ADE_SESSION_TOKEN": None}


@dataclass
class Place:
    """A project with lanes one and two and a second project; ``ade`` is the owner's shell."""

    ade: Command
    project: Path
    other: Path
    lanes: dict[str, str]
    folders: dict[str, Path]

    def start(self, *argv: str, **options: Any) -> tuple[str, str]:
        """A new session in lane one: its id and its token."""
        options.setdefault("cwd", self.project)
        made = self.ade.json("sessions", "start", *argv, **options)
        return made["session"]["id"], made["token"]

    def audit(self) -> list[dict[str, Any]]:
        with sqlite3.connect(self.ade.paths.database) as db:
            db.row_factory = sqlite3.Row
            return [dict(row) for row in db.execute("SELECT * FROM audit ORDER BY id")]

    def denials(self) -> list[tuple[str, str]]:
        return [(row["identity"], row["action"]) for row in self.audit() if row["outcome"] == "policy_denied"]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with command(tmp_path) as ade:
        roots = []
        for name in ("project", "other"):
            root = tmp_path / name
            root.mkdir()
            for argv in (["init", "-q", "-b", "main"], ["commit", "-q", "--allow-empty", "-m", "Begin"]):
                subprocess.run(["git", *argv], cwd=root, env=ade.env, check=True)
            ade.json("project", "add", str(root))
            roots.append(root)
        made = {name: ade.json("lanes", "create", name, cwd=roots[0]) for name in ("one", "two")}
        yield Place(
            ade,
            *roots,
            {name: lane["id"] for name, lane in made.items()},
            {name: Path(lane["path"]) for name, lane in made.items()},
        )


# -- what a token proves


def test_a_token_is_exactly_its_session(place: Place) -> None:
    session, token = place.start("--lane", "one", "--interaction-mode", "worker")
    told = place.ade.json("auth", "status", env={"ADE_SESSION_TOKEN": token})
    assert (told["source"], told["session"], told["role"]) == ("token", session, "agent")
    assert (told["lane"], told["interaction_mode"]) == (place.lanes["one"], "worker")
    assert place.ade.json("auth", "status")["source"] == "owner"


def test_a_token_is_told_once_and_kept_nowhere(place: Place) -> None:
    done = place.ade.run("sessions", "start", "--request-id", "again", "--json")
    token = json.loads(done.stdout)["token"]
    again = place.ade.json("sessions", "start", "--request-id", "again")
    assert again["token"] != token, "a replay makes another session, it does not tell the token again"
    refused = place.ade.error("actions", "run", "session.start", "--background", exit_code=2)
    assert refused["code"] == "invalid_arguments"
    place.ade.json("auth", "status", env={"ADE_SESSION_TOKEN": token})
    place.ade.json("sessions", "list", "--all")
    for file in place.ade.home.rglob("*"):
        if file.is_file():
            assert token.encode() not in file.read_bytes(), file


@pytest.mark.parametrize(
    "edit", ["cut", "longer", "other_letter", "case", "blank_before", "hash", "nonsense"]
)
def test_an_edited_token_is_refused_not_ignored(place: Place, edit: str) -> None:
    _, token = place.start()
    with sqlite3.connect(place.ade.paths.database) as db:
        stored = db.execute("SELECT token_hash FROM sessions").fetchone()[0]
    last = "A" if token[-1] != "A" else "B"
    edited = {
        "cut": token[:-1],
        "longer": token + "A",
        "other_letter": token[:-2] + last + token[-1],
        "case": token.swapcase(),
        "blank_before": " " + token,
        "hash": stored,
        "nonsense": "x" * 5000,
    }[edit]
    refused = place.ade.error(
        "lanes", "list", exit_code=3, env={"ADE_SESSION_TOKEN": edited}, cwd=place.project
    )
    assert refused["code"] == "policy_denied"
    assert edited.strip() not in json.dumps(refused)
    assert place.denials() == [("nobody", "lane.list")]


def test_an_expired_token_is_refused(place: Place) -> None:
    session, token = place.start("--expires-in", "3600")
    with sqlite3.connect(place.ade.paths.database) as db:
        db.execute("UPDATE sessions SET expires_at = started_at + 1")
    refused = place.ade.error("lanes", "list", exit_code=3, env={"ADE_SESSION_TOKEN": token})
    assert "expired" in refused["hint"]
    assert place.denials() == [(f"session:{session}", "lane.list")]
    assert place.ade.json("sessions", "verify")["problems"] == [
        f"{session} differs from its entry in expires_at"
    ]


def test_d19_other_project_other_lane_and_after_the_end(place: Place) -> None:
    session, token = place.start("--lane", "one")
    mine = {"ADE_SESSION_TOKEN": token}
    place.ade.error("lanes", "list", "--project", str(place.other), exit_code=3, env=mine, cwd=place.project)
    (place.folders["two"] / "new.txt").write_text("new\n")
    commit = ("git", "commit", "-m", "Sneak in", "--stage-all")
    place.ade.error(*commit, "--lane", "two", exit_code=3, env=mine, cwd=place.project)
    place.ade.json("sessions", "end", session)
    place.ade.error("lanes", "list", exit_code=3, env=mine, cwd=place.project)
    who = f"session:{session}"
    assert place.denials() == [(who, "lane.list"), (who, "git.commit"), (who, "lane.list")]
    assert token not in json.dumps(place.audit())
    assert place.ade.json("git", "status", "--lane", "two", cwd=place.project)["clean"] is False


def test_a_session_stays_in_its_project_by_every_way_to_name_another(place: Place) -> None:
    _, token = place.start("--lane", "one")
    mine = {"ADE_SESSION_TOKEN": token}
    other = next(p["id"] for p in place.ade.json("project", "list")["items"] if p["root"] == str(place.other))
    for argv, cwd in [
        (["lanes", "list", "--project", other], place.project),
        (["lanes", "list", "--project", "other"], place.project),
        (["lanes", "list"], place.other),
        (["lanes", "create", "three"], place.other),
        (["actions", "run", "lane.list", "--project", other], place.project),
        (["project", "show", other], place.project),
        (["project", "remove", other], place.project),
        (["sessions", "start", "--bind-project", other], place.project),
    ]:
        place.ade.error(*argv, exit_code=3, env=mine, cwd=cwd)
    aside = {**mine, "ADE_PROJECT_ROOT": str(place.other)}
    told = place.ade.json("lanes", "list", env=aside, cwd=place.ade.base)
    assert {lane["name"] for lane in told["items"]} == {"primary", "one", "two"}, (
        "its own, wherever it stands"
    )


def test_a_session_writes_in_its_own_lane_only(place: Place) -> None:
    _, token = place.start("--lane", "one")
    mine = {"ADE_SESSION_TOKEN": token}
    for argv, cwd in [
        (["git", "stage-all"], place.folders["two"]),
        (["git", "stage-all", "--lane", place.lanes["two"]], place.folders["one"]),
        (["git", "stage-all", "--lane", "TWO"], place.folders["one"]),
        (["git", "stage-all", "--lane", "primary"], place.folders["one"]),
        (["lanes", "delete", "two"], place.folders["one"]),
        (["lanes", "merge", "one"], place.folders["one"]),
        (["project", "remove", "project"], place.folders["one"]),
        (["actions", "run", "lane.delete", "--arg", "lane=two"], place.folders["one"]),
    ]:
        place.ade.error(*argv, exit_code=3, env={**mine, "ADE_LANE_ID": place.lanes["two"]}, cwd=cwd)
    (place.folders["one"] / "mine.txt").write_text("mine\n")
    commit = ("git", "commit", "-m", "Mine", "--stage-all")
    lied = {**mine, "ADE_LANE_ID": place.lanes["two"]}
    place.ade.json(*commit, env=lied, cwd=place.ade.base)
    assert place.ade.json("git", "log", "--lane", "one", cwd=place.project)["items"][0]["subject"] == "Mine"
    assert place.ade.json("git", "status", "--lane", "two", env=mine, cwd=place.project)["clean"] is True
    assert place.ade.json("lanes", "create", "three", env=mine, cwd=place.project)["name"] == "three"


# -- what a session may hand on


def test_a_session_starts_none_above_itself_and_none_elsewhere(place: Place) -> None:
    session, token = place.start("--lane", "one", "--expires-in", "600", "--run", "run_1")
    mine = {"ADE_SESSION_TOKEN": token}
    for argv in (["--role", "cto"], ["--lane", "two"], ["--interaction-mode", "lead"], ["--run", "run_2"]):
        line = ["actions", "run", "session.start"]
        for flag, value in zip(argv[::2], argv[1::2], strict=True):
            line += ["--arg", f"{flag[2:].replace('-', '_')}={value}"]
        place.ade.error(*line, exit_code=3, env=mine, cwd=place.project)
    made = place.ade.json("sessions", "start", env=mine, cwd=place.ade.base)["session"]
    assert (made["parent"], made["lane"], made["run"]) == (session, place.lanes["one"], "run_1")
    assert made["expires_at"] is not None


def test_the_owner_hands_on_no_role_that_it_has_not_taken(place: Place) -> None:
    place.ade.error("actions", "run", "session.start", "--arg", "role=cto", exit_code=3)
    made = place.ade.json("actions", "run", "session.start", "--arg", "role=cto", "--role", "cto")
    assert made["session"]["role"] == "cto"


# -- every input that a caller controls


CLAIMS: list[tuple[list[str], dict[str, str | None]]] = [
    (["--role", "cto"], {}),
    ([], {"ADE_DEFAULT_ROLE": "cto"}),
    ([], {"ADE_DEFAULT_ROLE": "orchestrator"}),
    (["--headless", "--role", "cto"], {}),
    (["--headless"], {"ADE_DEFAULT_ROLE": "cto"}),
]


@pytest.mark.parametrize("how", HIDING)
@pytest.mark.parametrize("reaper", [True, False], ids=["with reaper", "without"])
def test_a_child_that_hides_stays_its_session(place: Place, how: How, reaper: bool) -> None:
    """Dropping the token, a kernel session of its own, losing its parent: with a launcher that keeps orphans nothing helps.

    Without one, only a process that does all three at once gets away, which no system call could tell from a stranger.
    """
    if how == "orphan_setsid" and not reaper:
        pytest.skip("needs a launcher that keeps orphans; see SECURITY.md")
    with Agent(place.ade, reaper=reaper) as agent:
        session, token = place.start("--lane", "one", "--pid", str(agent.pid))
        told = agent.json("auth", "status", how=how)
        assert (told["session"], told["source"], told["role"]) == (session, "process", "agent")
        for words, env in CLAIMS:
            agent.denied("lanes", "list", *words, how=how, env=env, cwd=place.project)
        agent.denied("git", "stage-all", "--lane", "two", how=how, cwd=place.project)
        agent.denied("--headless", "git", "stage-all", "--lane", "two", how=how, cwd=place.project)
        assert agent.json("auth", "status", "--role", "evaluator", how=how)["role"] == "evaluator"
        place.ade.json("sessions", "end", session)
        agent.denied("auth", "status", how=how)
        agent.denied("auth", "status", "--headless", how=how)
        assert token not in json.dumps(place.audit())


@pytest.mark.parametrize("how", ["plain", "setsid"])
def test_a_token_in_the_environment_an_agent_began_with_is_enough(place: Place, how: How) -> None:
    session, token = place.start("--lane", "one")
    with Agent(place.ade, {"ADE_SESSION_TOKEN": token}) as agent:
        told = agent.json("auth", "status", how=how, env=NO_TOKEN)
        assert (told["session"], told["source"]) == (session, "process")
        for words, env in CLAIMS:
            agent.denied("lanes", "list", *words, how=how, env=env | NO_TOKEN, cwd=place.project)


def test_a_worker_is_not_the_session_that_launched_it(place: Place) -> None:
    """Whoever drops its token becomes neither the lead above it nor the owner."""
    with Agent(place.ade, reaper=True) as lead:
        lead_id, _ = place.start("--pid", str(lead.pid))
        made = lead.json("sessions", "start", "--lane", "one", cwd=place.project)
        worker, token = made["session"]["id"], made["token"]
        assert made["session"]["parent"] == lead_id
        told = lead.json("auth", "status", env={"ADE_SESSION_TOKEN": token})
        assert (told["session"], told["source"]) == (worker, "token")
        script = f"env -u ADE_SESSION_TOKEN {ADE} auth status --json"
        told = lead.json("-c", f"{script}; true", program="sh", env={"ADE_SESSION_TOKEN": token})
        assert (told["session"], told["source"]) == (worker, "process")
        bound = f"{ADE} sessions attach {worker} $$ --json >/dev/null && {script}; true"
        told = lead.json("-c", bound, program="sh", env=NO_TOKEN)
        assert (told["session"], told["source"]) == (worker, "process")
        assert lead.json("auth", "status")["session"] == lead_id


def test_a_token_of_a_stranger_is_refused_inside_a_session(place: Place) -> None:
    """Read from another agent's environment, or kept from the session that launched this one."""
    _, strangers = place.start("--lane", "two")
    with Agent(place.ade) as lead, Agent(place.ade) as worker:
        lead_id, leads = place.start("--role", "agent", "--pid", str(lead.pid))
        child = lead.json("sessions", "start", "--lane", "one", cwd=place.project)["session"]["id"]
        place.ade.json("sessions", "attach", child, str(worker.pid))
        for token in (strangers, leads):
            worker.denied("lanes", "list", env={"ADE_SESSION_TOKEN": token}, cwd=place.project)
        lead.denied("lanes", "list", env={"ADE_SESSION_TOKEN": strangers}, cwd=place.project)
        assert lead.json("auth", "status", env={"ADE_SESSION_TOKEN": leads})["session"] == lead_id


def test_only_what_is_below_a_session_can_be_bound_to_it(place: Place) -> None:
    with Agent(place.ade) as agent, Agent(place.ade) as victim:
        session, _ = place.start("--pid", str(agent.pid))
        agent.denied("sessions", "attach", session, str(victim.pid))
        agent.denied("sessions", "attach", session, str(os.getpid()))
        assert victim.json("auth", "status")["source"] == "owner"
        runtime = place.ade.pid
        assert (
            place.ade.error("sessions", "attach", session, str(runtime), exit_code=4)["code"]
            == "process_not_found"
        )


@pytest.mark.parametrize(
    "argv", [["serve"], ["serve", "--foreground"], ["runtime", "restart"], ["runtime", "stop"]]
)
def test_a_session_neither_ends_nor_starts_the_runtime(place: Place, argv: list[str]) -> None:
    _, token = place.start()
    before = place.ade.pid
    with Agent(place.ade, {"ADE_SESSION_TOKEN": token}) as agent:
        agent.denied(*argv, env={"ADE_DEFAULT_ROLE": "cto"})
        agent.denied(*argv, env=NO_TOKEN)
    assert place.ade.pid == before
    assert len(place.denials()) == 2


def test_a_program_that_the_runtime_starts_is_not_the_owner(place: Place) -> None:
    """A hook that an agent wrote runs below the runtime: it is the session as long as anything says so, else it only reads."""
    session, token = place.start("--lane", "one")
    out = place.ade.base / "told"
    hook = place.project / ".git" / "hooks" / "pre-commit"
    lines = {
        "with": "",
        "without": "env -u ADE_SESSION_TOKEN ",
        "cto": "env -u ADE_SESSION_TOKEN ADE_DEFAULT_ROLE=cto ",
    }
    tries = [(name, prefix, way) for name, prefix in lines.items() for way in ("", "--headless")]
    script = [
        f"{prefix}{ADE} {way} auth status --json >{out}.{name}{way} 2>&1" for name, prefix, way in tries
    ]
    hook.write_text("\n".join(["#!/bin/sh", f"export ADE_HOME={place.ade.home}", *script, "exit 0", ""]))
    hook.chmod(0o755)

    def told(name: str) -> Any:
        return json.loads(Path(f"{out}.{name}").read_text())

    commit = {"message": "Try", "stage_all": True, "lane": "one"}
    (place.folders["one"] / "a.txt").write_text("a\n")
    line = ("actions", "run", "git.commit", "--input-json", json.dumps(commit))
    place.ade.json(*line, env={"ADE_SESSION_TOKEN": token}, cwd=place.project)
    for way in ("", "--headless"):
        assert (told("with" + way)["session"], told("without" + way)["session"]) == (session, session)
        assert told("cto" + way)["error"]["code"] == "policy_denied"
    (place.folders["one"] / "b.txt").write_text("b\n")
    params = {"name": "git.commit", "arguments": commit, "project": str(place.project)}
    assert "result" in place.ade.rpc("ade/actions/call", params), (
        "the owner, from a client that sends no environment"
    )
    for way in ("", "--headless"):
        assert (told("without" + way)["source"], told("without" + way)["role"]) == (
            "runtime_child",
            "external",
        )
        assert told("cto" + way)["error"]["code"] == "policy_denied"


def test_the_end_wins_every_race(place: Place) -> None:
    """Calls sent after the end was answered are refused, on new connections and on old ones."""
    session, token = place.start("--lane", "one")
    import socket

    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(place.ade.paths.socket))
        lines = connection.makefile("rwb")

        def ask(method: str, **params: Any) -> dict[str, Any]:
            request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
            lines.write(json.dumps(request).encode() + b"\n")
            lines.flush()
            answer: dict[str, Any] = json.loads(lines.readline())
            return answer

        introduced = ask("ade/initialize", session_token=token, identity={"role": "cto"})
        assert introduced["result"]["runtimeInfo"]["role"] == "agent"
        ended, after = threading.Event(), []

        def hammer() -> None:
            while True:
                told = ended.is_set()
                answer = ask("ade/actions/call", name="auth.status", arguments={})
                if "error" in answer:
                    after.append((told, answer["error"]["data"]["code"]))
                    return
                assert not told, "answered after the session had ended"

        thread = threading.Thread(target=hammer)
        thread.start()
        place.ade.json("--headless", "sessions", "end", session)
        ended.set()
        thread.join(60)
        assert [code for _, code in after] == ["policy_denied"]
        second = ask("ade/initialize", session_token=token)
        assert second["error"]["data"]["code"] == "policy_denied"


# -- the weak spots of systems like this one


def test_fault_01_a_role_is_neither_claimed_nor_inherited(place: Place) -> None:
    for identity in ({"role": "cto"}, {"role": "owner"}, {}):
        told = place.ade.rpc("ade/initialize", {"identity": identity})["result"]["runtimeInfo"]
        assert (told["role"], told["defaultRole"]) == ("agent", "cto")
    assert place.ade.error("auth", "status", "--role", "god", exit_code=2)["code"] == "invalid_arguments"


def test_fault_02_ids_in_the_environment_describe_and_prove_nothing(place: Place) -> None:
    session, token = place.start("--lane", "one")
    lies = {
        "ADE_CHAT_SESSION_ID": "chat_1",
        "ADE_RUN_ID": "run_1",
        "ADE_OWNER_ID": "cto",
        "ADE_CALLER_ID": "human-cli",
        "ADE_SESSION_ID": "ses_other",
        "ADE_LANE_ID": place.lanes["two"],
    }
    told = place.ade.json("auth", "status", env={**lies, "ADE_SESSION_TOKEN": token})
    assert (told["session"], told["lane"], told["run"], told["role"]) == (
        session,
        place.lanes["one"],
        None,
        "agent",
    )
    assert place.ade.json("auth", "status", env=lies)["session"] is None
    for field in ("identity", "role", "session", "session_token", "callerId", "ownerId", "env"):
        params = {"name": "auth.status", "arguments": {}, field: "cto"}
        assert place.ade.rpc("ade/actions/call", params)["error"]["data"]["code"] == "invalid_arguments"
        params = {"name": "auth.status", "arguments": {field: "cto"}}
        assert place.ade.rpc("ade/actions/call", params)["error"]["data"]["code"] == "invalid_arguments"


def test_fault_05_ending_the_runtime_and_forgetting_projects_are_gated(place: Place) -> None:
    _, token = place.start("--lane", "one")
    with Agent(place.ade, {"ADE_SESSION_TOKEN": token}) as agent:
        agent.denied("runtime", "stop")
        agent.denied("project", "remove", "project", cwd=place.project)
    for role in ("external", "evaluator"):
        place.ade.error("project", "remove", "project", "--role", role, exit_code=3, cwd=place.project)
    assert place.ade.pid is not None


def test_fault_08_a_runtime_started_by_an_agent_is_nobodys(place: Place) -> None:
    session, token = place.start("--lane", "one")
    place.ade.json("runtime", "stop")
    with Agent(place.ade, {"ADE_SESSION_TOKEN": token, "ADE_DEFAULT_ROLE": "evaluator"}) as agent:
        assert agent.json("auth", "status")["session"] == session, "its command starts the runtime"
        environ = Path(f"/proc/{place.ade.pid}/environ").read_bytes()
        assert token.encode() not in environ
        assert b"ADE_DEFAULT_ROLE" not in environ
        told = place.ade.json("auth", "status")
        assert (told["source"], told["role"], told["ceiling"]) == ("owner", "agent", "cto")


def test_fault_33_the_ceiling_is_not_the_first_callers_and_no_restart_raises_it(tmp_path: Path) -> None:
    with command(tmp_path) as ade:
        told = ade.json("auth", "status", "--role", "evaluator")
        assert (told["role"], told["ceiling"]) == ("evaluator", "cto")
        ade.json("runtime", "stop")
        ade.json("serve", env={"ADE_DEFAULT_ROLE": "agent"})
        assert ade.json("auth", "status")["ceiling"] == "agent"
        ade.error("auth", "status", "--role", "cto", exit_code=3)
        ade.kill()
        assert ade.json("auth", "status")["ceiling"] == "agent", "started again by a command"
        ade.json("runtime", "restart", env={"ADE_DEFAULT_ROLE": "cto"})
        assert ade.json("auth", "status")["ceiling"] == "agent"
        ade.json("runtime", "stop")
        ade.json("serve", env={"ADE_DEFAULT_ROLE": "cto"})
        assert ade.json("auth", "status")["ceiling"] == "cto"


def test_d20_headless_grants_no_more_than_the_runtime(place: Place) -> None:
    _, token = place.start("--lane", "one")
    as_cto = ("--headless", "--role", "cto", "auth", "status")
    place.ade.error(*as_cto, exit_code=3, env={"ADE_SESSION_TOKEN": token})
    place.ade.json("runtime", "stop")
    place.ade.json("serve", env={"ADE_DEFAULT_ROLE": "external"})
    place.ade.error(*as_cto, exit_code=3)
    assert place.ade.json("--headless", "auth", "status")["role"] == "external"
    place.ade.error("--headless", "lanes", "create", "three", exit_code=3, cwd=place.project)
    place.ade.kill()


def test_roles_in_specs_are_the_roles_there_are() -> None:
    types = json.loads((Path(__file__).parents[2] / "ade_generated/schemas/session.json").read_text())
    assert set(types["actions"]["session.start"]["input"]["properties"]["role"]["enum"]) == set(ROLES)
