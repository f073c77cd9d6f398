"""Tokens that look like no token, used by commands and by an agent, turn up nowhere, in whatever form they are written down."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.integration.test_canaries import Watch
from tests.support import acp_program
from tests.support.command import ADE, Command, command
from tests.support.github import hub as github
from tests.support.github.hub import Cut, Fault, Hub, failing, stand_in
from tests.support.github.marked import files_with, forms, told
from tests.support.github.pushing import served
from tests.support.github.state import set_checks
from tests.support.linear.server import Fault as LinearFault
from tests.support.linear.server import LinearStandIn
from tests.support.repo import Repo

pytestmark = pytest.mark.timeout(120)
GITHUB = "canary+Git/Hub=7Qz9xWv3Rt5Lm1Kp"
LINEAR = "canary+Lin/ear=4Hj8Bn2Vc6Xs0Dg"
PASSWORD = "canary-Pass-word-5Ty1Ui7Op3As9Df"
TOKENS = (GITHUB, LINEAR, PASSWORD)
GIT = re.compile(r"\S*git[ -](?:remote-http|send-pack --stateless-rpc) ")
DELIVERED = {"GH_TOKEN": GITHUB, "LINEAR_API_KEY": LINEAR}


class House:
    """A project at both stand-ins whose agents run what they are told. ``said`` is what commands have printed."""

    def __init__(self, ade: Command, hub: Hub, linear: LinearStandIn, port: int) -> None:
        self.ade, self.hub, self.linear = ade, hub, linear
        self.said: dict[str, str] = {}
        self.codes: dict[str, int] = {}
        base = ade.base
        self.repo = Repo(base, "project", env=ade.env)
        self.bare = base / "octo" / "shop.git"
        self.repo.commit("First", **{"README.md": "# Shop\n"})
        self.repo.git("init", "--quiet", "--bare", "-b", "main", str(self.bare))
        self.repo.git("--git-dir", str(self.bare), "config", "http.receivepack", "true")
        self.address = f"http://octo:{PASSWORD}@127.0.0.1:{port}/octo/shop.git"
        self.repo.git("remote", "add", "origin", self.address)
        self.repo.git("push", "--quiet", "-u", "origin", "main")
        self.pulls = hub.add("octo/shop", self.bare)

    def run(self, *argv: str, stdin: str | None = None, json: bool = True) -> str:
        done = self.ade.run(*argv, *(["--json"] if json else []), cwd=self.repo.root, stdin=stdin)
        name = f"{len(self.said)}: {' '.join(argv)}"
        self.said[name], self.codes[name] = done.stdout + done.stderr, done.returncode
        return done.stdout

    def works(self, *argv: str, **options: Any) -> str:
        text = self.run(*argv, **options)
        (code, said) = list(self.codes.values())[-1], list(self.said.values())[-1]
        assert code == 0, said
        return text

    def fails(self, *argv: str, code: str) -> None:
        self.run(*argv)
        said = list(self.said.values())[-1]
        assert f'"code":"{code}"' in said, said

    def lane(self, name: str) -> Repo:
        self.works("lanes", "create", name)
        lane = Repo(self.repo.root / ".ade" / "worktrees", name, init=False, env=self.ade.env)
        lane.commit(f"Work on {name}", **{f"{name}.txt": "work\n"})
        return lane


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    hub = stand_in()
    hub.clear()
    monkeypatch.setitem(github.LOGINS, GITHUB, "ada")
    with LinearStandIn() as linear, command(tmp_path) as ade, served(tmp_path, "octo", PASSWORD) as port:
        linear.key = LINEAR
        programs = acp_program.install(tmp_path / "programs", "shells")
        ade.env["PATH"] = f"{programs}{os.pathsep}{ADE.parent}{os.pathsep}{ade.env['PATH']}"
        ade.env |= {"ADE_GITHUB_API": hub.address, "ADE_LINEAR_API_URL": linear.address, "ADE_LOG": "debug"}
        yield House(ade, hub, linear, port)
    hub.clear()


def echoed(token: str) -> str:
    """What a server says that repeats what it was sent, as it is and as it was coded on the way."""
    return "Refused: " + " ".join(form.decode() for form in forms(token))


def work_with_github(house: House) -> None:
    house.lane("fix")
    house.works("prs", "create", "fix", "--title", "Fix it")
    set_checks(house.pulls, {"test": "failure"}, {"lint": "success"})
    for argv in (["list"], ["show", "1"], ["health", "1"], ["issue-inventory", "1"], ["checks", "1"]):
        house.works("prs", *argv)
    comments = "/comments$"
    faults: list[tuple[Fault, str]] = [
        (Fault("POST", comments, instead=failing(401, echoed(GITHUB))), "github_sign_in_refused"),
        (Fault("POST", comments, instead=failing(403, echoed(GITHUB))), "github_refused"),
        (Fault("POST", comments, instead=failing(422, echoed(GITHUB))), "github_refused"),
        (Fault("GET", "/pulls/1$", times=4, instead=failing(502, echoed(GITHUB))), "github_unreachable"),
        (Fault("POST", "/graphql", instead=failing(400, echoed(GITHUB))), "github_refused"),
    ]
    for fault, code in faults:
        house.hub.faults[:] = [fault]
        argv = ["health", "1"] if fault.path == "/graphql" else ["add-comment", "1", "--body", "Hello"]
        house.fails("prs", *argv, code=code)
    house.hub.faults.clear()
    house.hub.faults.append(Fault("POST", comments, after=failing(502, echoed(GITHUB))))
    house.works("prs", "add-comment", "1", "--body", "Lost answer", "--request-id", "lost")
    house.hub.cutting = Cut("POST", comments, 60)
    house.works("prs", "add-comment", "1", "--body", "Cut answer", "--request-id", "cut")
    assert len(house.pulls.pulls[0].comments) == 2
    house.works("prs", "add-comment", "1", "--body", "Cut answer", "--request-id", "cut")
    house.works("prs", "rerun-failed-checks", "1")
    house.works("queues", "create", "fix")
    house.run("queues", "land-next")


def work_with_linear(house: House) -> None:
    house.works("issues", "list")
    house.works("issues", "comment", "Hello", "--issue", "ENG-1", "--request-id", "one")
    house.works("linear", "run-now", "--no-route")
    problem = {"errors": [{"message": echoed(LINEAR), "extensions": {"code": "INPUT_ERROR"}}]}
    for status, code in ((401, "linear_key_refused"), (403, "linear_forbidden"), (400, "linear_refused")):
        house.linear.faults.append(LinearFault(status=status, document=problem))
        house.fails("issues", "show", "ENG-1", code=code)
    house.linear.faults.extend(LinearFault(status=502, document=echoed(LINEAR)) for _ in range(3))
    house.fails("issues", "show", "ENG-1", code="linear_unavailable")
    house.linear.faults.append(LinearFault(about="commentCreate", cut_after=30))
    house.works("issues", "comment", "Cut", "--issue", "ENG-1", "--request-id", "two")
    assert sum(one.get("body", "").startswith("Cut") for one in comments(house)) == 1


def comments(house: House) -> list[dict[str, Any]]:
    found = json.loads(house.works("issues", "show", "ENG-1"))
    return list(found["comments"]["items"] if "items" in found["comments"] else found["comments"])


def push_badly(house: House) -> None:
    """Pushes that the host of the repository refuses."""
    lane = house.lane("bad")
    hook = house.bare / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho 'Not today' >&2\nexit 1\n")
    hook.chmod(0o755)
    house.fails("prs", "create", "bad", code="remote_refused")
    hook.unlink()
    config = house.repo.root / ".git" / "config"
    config.write_text(config.read_text().replace("octo:", "nobody:"))
    house.fails("git", "push", "--lane", lane.root.name, code="auth_failed")
    house.fails("git", "fetch", "--lane", lane.root.name, code="auth_failed")


def have_an_agent_do_it(house: House, source: str) -> None:
    """Calls of a managed chat, which says its environment where that has no token."""
    lines = [
        "ade prs create agents --title 'By an agent' --json",
        "ade prs list --text",
        "ade prs add-comment --body 'From an agent' --lane agents --json",
        "ade prs merge 99 --json || true",
        "ade issues show ENG-1 --json",
        "ade issues comment 'From an agent' --issue ENG-1 --json",
        "ade git push --json || true",
        "ade secrets list --json || true",
        *(["env"] if source == "stored" else []),
    ]
    house.lane("agents")
    text = "\n".join(["Do this:", *(f"$ {line}" for line in lines)])
    made = house.works("chats", "create", text, "--provider", "gemini", "--lane", "agents")
    session = str(json.loads(made)["session"])
    ended = json.loads(house.works("chats", "wait", session, "--seconds", "60"))
    assert ended["state"] == "idle", ended
    told_by = house.works("chats", "transcript", session)
    assert '"title":"By an agent"' in told_by.replace("\\", ""), told_by


@pytest.mark.parametrize("source", ["environment", "stored"])
def test_what_no_form_gives_away_is_nowhere(house: House, source: str) -> None:
    if source == "environment":
        house.ade.env |= DELIVERED
    with Watch(*(form for token in TOKENS for form in forms(token))) as watch:
        house.works("project", "add", str(house.repo.root))
        if source == "stored":
            for name, token in (("GITHUB_TOKEN_127_0_0_1", GITHUB), ("LINEAR_API_KEY", LINEAR)):
                house.works(
                    "secrets", "set", name, "--machine", "--readers", "cto", "--value", "-", stdin=token
                )
        house.works("auth", "status")
        work_with_github(house)
        work_with_linear(house)
        have_an_agent_do_it(house, source)
        push_badly(house)
        for argv in (["events", "poll"], ["audit", "list"]):
            house.works(*argv, "--limit", "1000")
        exported = house.ade.base / "run.zip"
        run = json.loads(house.works("--role", "cto", "runs", "create", "Fixes", "--goal", "Fix all of it"))[
            "id"
        ]
        house.works("--role", "cto", "runs", "export", run, str(exported))
    check(house, watch.found)


def check(house: House, lines: set[str]) -> None:
    """Nothing that is kept or was told holds a token."""
    for name, text in house.said.items():
        assert not told(text.encode(), TOKENS), (name, text)
    # git itself hands the address of a remote to its helpers; see SECURITY.md
    own = {line for line in lines if not GIT.match(line)}
    assert not own, own
    assert not told("\n".join(lines).encode(), (GITHUB, LINEAR)), lines
    remotes = house.repo.git("remote", "-v").replace(PASSWORD, "")
    assert not told(remotes.encode(), TOKENS)
    assert files_with(house.ade.home, TOKENS) == {}
    shutil.unpack_archive(house.ade.base / "run.zip", house.ade.base / "exported")
    assert files_with(house.ade.base / "exported", TOKENS) == {}
    mine = house.repo.root / ".git" / "config"  # holds the address that its owner gave the remote
    assert files_with(house.repo.root, TOKENS).keys() <= {mine}
