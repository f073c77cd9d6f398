"""Who the programs in a terminal are, and who may touch it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tests.integration.terminals.conftest import Shop
from tests.support.command import ADE


def asked_inside(shop: Shop, terminal: str, cursor: int = 0) -> dict[str, Any]:
    """What ``ade auth status`` said inside a terminal that runs it whenever a line is entered."""
    cursor = shop.ade.json("terminals", "write", terminal, "x", "--key", "enter")["cursor"]
    text = shop.read_until(terminal, "END", cursor)["text"]
    answer = text[text.index("{") : text.rindex("END")]
    found: dict[str, Any] = json.loads(answer.replace("\n", ""))
    return found


ASKING = f"stty -echo; while read line; do {ADE} auth status --json; echo END; done"


def test_in_the_owner_s_terminal_one_is_the_owner_whatever_runtime_answers(shop: Shop) -> None:
    terminal = shop.start("sh", "-c", ASKING)
    before = asked_inside(shop, terminal)
    assert (before["source"], before["session"]) == ("owner", None)
    shop.ade.kill()
    after = asked_inside(shop, terminal)
    assert (after["source"], after["role"]) == (before["source"], before["role"])


def test_in_a_session_s_terminal_one_is_that_session_without_its_token(shop: Shop) -> None:
    made = shop.ade.json("sessions", "start", "-l", "one", cwd=shop.project)
    session, token = made["session"]["id"], made["token"]
    terminal = shop.start("sh", "-c", ASKING, env={"ADE_SESSION_TOKEN": token})
    assert shop.read(terminal)["terminal"]["session"] == session
    assert asked_inside(shop, terminal)["session"] == session
    shop.ade.kill()
    assert asked_inside(shop, terminal)["session"] == session


def test_no_token_role_or_run_of_the_caller_leaks_into_a_terminal(shop: Shop) -> None:
    made = shop.ade.json("sessions", "start", "-l", "one", cwd=shop.project)
    env = {
        "ADE_SESSION_TOKEN": made["token"],
        "ADE_DEFAULT_ROLE": "agent",
        "ADE_RUN_ID": "run_1",
        "ADE_CHAT_SESSION_ID": "chat_1",
        "PLANTED": "secret-of-the-caller",
    }
    terminal = shop.start("env", env=env)
    text = shop.read_until(terminal, "ADE_HOME")["text"]
    while "ADE_PROJECT_ROOT" not in text:
        text = shop.read_until(terminal, "ADE_PROJECT_ROOT")["text"]
    names = {line.partition("=")[0] for line in text.splitlines()}
    assert not names & (env.keys() - {"ADE_LANE_ID"})
    assert {"PATH", "HOME", "TERM", "ADE_LANE_ID", "ADE_PROJECT_ROOT"} <= names
    for path in (shop.ade.home / "holders").rglob("*"):
        if path.is_file():
            assert made["token"].encode() not in path.read_bytes()


def test_ade_s_own_variables_cannot_be_set_for_a_terminal(shop: Shop) -> None:
    argv = ["terminals", "start", "-l", "one", "env", "--env", '{"ADE_SESSION_TOKEN": "x"}']
    assert shop.ade.error(*argv, exit_code=2, cwd=shop.project)["code"] == "invalid_arguments"
    made = shop.ade.json(
        "terminals", "start", "-l", "one", "env", "--env", '{"WORD": "given"}', cwd=shop.project
    )
    shop.read_until(made["id"], "WORD=given\n")


def test_a_session_neither_types_into_nor_ends_the_owner_s_terminal(shop: Shop) -> None:
    terminal = shop.start("cat")
    token = shop.ade.json("sessions", "start", "-l", "one", cwd=shop.project)["token"]
    lead = shop.ade.json(
        "sessions", "start", "--role", "orchestrator", "--bind-project", str(shop.project), "--json"
    )
    for proof in (token, lead["token"]):
        env = {"ADE_SESSION_TOKEN": proof}
        for argv in (
            ["write", terminal, "ade --role cto"],
            ["signal", terminal, "KILL"],
            ["close", terminal],
            ["attach", terminal],
            ["resize", terminal, "10", "10"],
        ):
            error = shop.ade.error("terminals", *argv, exit_code=3, env=env, cwd=shop.folder)
            assert error["code"] == "policy_denied"
        assert shop.read(terminal)["terminal"]["state"] == "running"


def test_a_session_reaches_its_own_terminal_and_not_that_of_another(shop: Shop) -> None:
    shop.ade.json("lanes", "create", "two", cwd=shop.project)
    one, two = (
        shop.ade.json("sessions", "start", "-l", lane, cwd=shop.project)["token"] for lane in ("one", "two")
    )
    terminal = shop.start("cat", env={"ADE_SESSION_TOKEN": one})
    written = shop.ade.json("terminals", "write", terminal, "hi", env={"ADE_SESSION_TOKEN": one})
    assert written["written"] == 2
    for argv in (["write", terminal, "x"], ["read", terminal], ["close", terminal]):
        shop.ade.error("terminals", *argv, exit_code=3, env={"ADE_SESSION_TOKEN": two})
    listed = shop.ade.json("terminals", "list", env={"ADE_SESSION_TOKEN": two}, cwd=shop.project)
    assert listed["total"] == 0
    error = shop.ade.error(
        "terminals", "start", "-l", "one", "ls", exit_code=3, env={"ADE_SESSION_TOKEN": two}, cwd=shop.project
    )
    assert error["code"] == "policy_denied"


def test_a_lane_whose_terminal_went_elsewhere_is_not_deleted(shop: Shop, tmp_path: Path) -> None:
    terminal = shop.start(
        sys.executable, "-c", "import os,time; os.chdir('/'); print('gone', flush=True); time.sleep(300)"
    )
    shop.read_until(terminal, "gone\n")
    risk = shop.ade.json("lanes", "delete-risk", "one", cwd=shop.project)
    assert risk["discard_needed"] == ["live_process"]
    assert shop.ade.error("lanes", "delete", "one", exit_code=5, cwd=shop.project)["code"] == "lane_has_work"
    shop.ade.json("terminals", "close", terminal)
    shop.ade.json("lanes", "delete", "one", cwd=shop.project)
