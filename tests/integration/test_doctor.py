"""``ade doctor`` as it is run: it mends what is safe, asks nobody over the network, and answers whatever is broken."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.command import Command, command

SPY = """
import os, sys
def note(event, args):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        address = args[1] if event != "socket.getaddrinfo" else args[0]
        if not isinstance(address, (str, bytes)) or event == "socket.getaddrinfo":
            with open(os.environ["SPY_FILE"], "a") as file:
                file.write(f"{event} {address}\\n")
sys.addaudithook(note)
open(os.environ["SPY_FILE"] + " is in place", "w").close()
"""


@pytest.fixture
def ade(tmp_path: Path) -> Iterator[Command]:
    with command(tmp_path) as made:
        yield made


def test_every_concern_has_its_row(ade: Command) -> None:
    ade.json("runtime", "health")
    told = ade.json("doctor")
    found = [row["check"] for row in told["items"]]
    assert len(found) == len(set(found))
    assert set(found) >= {
        *("version", "python", "home", "socket folder", "socket", "lock", "runtime", "database", "git"),
        *("git identity", "project", "github", "linear", "path", "login shell", "skills", "service"),
    }
    assert any(name.startswith("agent") for name in found)
    assert told["fixed"] == []


def test_fix_closes_what_is_open_and_nothing_else(ade: Command) -> None:
    ade.json("runtime", "health")
    ade.home.chmod(0o755)
    (ade.home / "state.db").chmod(0o644)
    rows = {row["check"]: row for row in ade.json("doctor")["items"]}
    assert (rows["home"]["state"], rows["home"]["fixable"]) == ("warn", True)
    told = ade.json("doctor", "--fix")
    assert sorted(told["fixed"]) == ["database file", "home"]
    assert {row["state"] for row in told["items"] if row["check"] in told["fixed"]} == {"ok"}
    assert ade.home.stat().st_mode & 0o777 == 0o700
    assert (ade.home / "state.db").stat().st_mode & 0o777 == 0o600
    assert ade.json("doctor", "--fix")["fixed"] == []


def test_nothing_goes_over_the_network(ade: Command, tmp_path: Path) -> None:
    (tmp_path / "spy").mkdir()
    (tmp_path / "spy" / "sitecustomize.py").write_text(SPY)
    spy = {
        "PYTHONPATH": str(tmp_path / "spy"),
        "SPY_FILE": str(tmp_path / "seen"),
        "GH_TOKEN": "s3cret",
        "LINEAR_API_KEY": "x",
    }
    done = ade.run("doctor", "--json", env=spy)
    assert json.loads(done.stdout)["ok"] is True
    assert "s3cret" not in done.stdout
    assert (tmp_path / "seen is in place").exists()
    assert not (tmp_path / "seen").exists(), (tmp_path / "seen").read_text()


def test_an_unusable_home_is_a_row_and_no_crash(tmp_path: Path) -> None:
    (tmp_path / "ade-home").write_text("in the way")
    with command(tmp_path) as ade:
        done = ade.run("doctor", "--json")
        rows = {row["check"]: row for row in json.loads(done.stdout)["items"]}
        assert (done.returncode, rows["home"]["state"]) == (1, "fail")
        assert rows["home"]["next"]
        text = ade.run("doctor", "--text").stdout
        assert "fail  home" in text and "next: " in text


def test_global_options_may_stand_before_it(ade: Command) -> None:
    done = ade.run("--json", "doctor")
    assert json.loads(done.stdout)["ok"] is True
    assert ade.run("help", "doctor").stdout.startswith("Usage: ade doctor")
