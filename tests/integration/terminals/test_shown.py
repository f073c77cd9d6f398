"""Lists on a terminal of 80 columns."""

from __future__ import annotations

import json
import re

from ade_runtime.cli.clean import cells
from tests.integration.terminals.conftest import Shop

LONG = "a title that says at great length what the terminal is there for, although nobody asked for that much of it"


def lines(printed: bytes) -> list[str]:
    text = re.sub(r"\x1b\[[0-9;]*m", "", printed.decode()).replace("\r\n", "\n")
    return text.split("\n")


def test_lists_fit_80_columns(shop: Shop) -> None:
    made = shop.ade.json("lanes", "create", "a lane with quite a long name", cwd=shop.project)
    shop.ade.json(
        "terminals", "start", "sleep", "300", "--lane", made["id"], "--title", LONG, cwd=shop.project
    )
    suites = {f"suite-{'x' * 40}": {"command": ["true", "x" * 100]}}
    processes = {f"process-{'x' * 40}": {"command": ["sleep", "300", "x" * 100]}}
    (shop.project / ".ade" / "config.yaml").write_text(
        json.dumps({"processes": processes, "tests": {"suites": suites}})
    )
    shop.ade.json(
        "config", "trust", shop.ade.json("config", "show", cwd=shop.project)["hash"], cwd=shop.project
    )
    shop.ade.run("processes", "start", *processes, "--no-wait", cwd=shop.project)
    shop.ade.json("tests", "run", "-l", "one", "--command", "true", "--command", "x" * 100, cwd=shop.project)
    for argv in (
        ["terminals", "list"],
        ["processes", "definitions"],
        ["processes", "list"],
        ["tests", "suites"],
        ["tests", "runs"],
    ):
        with shop.screen(*argv, columns=80) as screen:
            assert screen.wait() == 0
            shown = lines(screen.printed)
            assert len(shown) > 2, (argv, shown)
            assert max(map(cells, shown)) <= 80, (argv, shown)


def test_one_cannot_attach_a_terminal_to_itself(shop: Shop) -> None:
    from tests.support.command import ADE

    script = f"read id; {ADE} terminals attach $id --json; echo END; read x"
    terminal = shop.start("sh", "-c", script)
    shop.ade.json("terminals", "write", terminal, terminal, "--key", "enter")
    assert "terminal_is_own" in shop.read_until(terminal, "END\n")["text"]


def test_a_password_on_a_command_line_is_not_shown(shop: Shop) -> None:
    terminal = shop.start("sh", "-c", "sleep 60 # curl -u shop:Sommer https://example.com")
    shown = shop.ade.run("terminals", "list", "--json", cwd=shop.project).stdout
    assert terminal in shown and "shop:[redacted:password]" in shown and "Sommer" not in shown
    shop.ade.json("terminals", "close", terminal, "--grace", "0")
