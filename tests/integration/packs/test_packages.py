"""A Python package that brings a pack: found without being imported, trusted by its whole content, called as functions."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.packs import case, document, user_environment
from tests.support.ways import Headless, InProcess, Socket

ROOT = Path(__file__).parents[3]
SPEC = """domain: calc
title: Sums
summary: Sums of numbers.
cli: {group: calc}
scope: machine
actions:
"""
ACTION = """  NAME:
    summary: Do NAME.
    effect: read
    toolset: base
    timeout: 20s
    input:
      a: {type: integer, description: A number.}
      b: {type: integer, default: 1, description: Another.}
    output:
      type: object
      properties:
        sum: {type: integer, description: Their sum.}
        role: {type: string, description: Who asked.}
      required: [sum, role]
    examples:
      - {title: Two, input: {a: 1}, output: {sum: 2}}
      - {title: None, input: {}, error: {code: invalid_arguments, path: a}}
"""
ENDLESS = "Do endless.\n    effect: read\n    toolset: base\n    timeout: 200ms"
CODE = """class Tools:
    async def add(self, context, arguments):
        context.progress("adding", 0.5)
        assert "ADE_SESSION_TOKEN" not in context.environment
        return {"sum": arguments["a"] + arguments["b"], "role": context.role}

    def plain(self, context, arguments):
        return {"sum": arguments["a"] - arguments["b"], "role": context.action}

    def endless(self, context, arguments):
        import threading
        threading.Event().wait(2)

    def wrong(self, context, arguments):
        return {"sum": "no number"}

    def broken(self, context, arguments):
        raise RuntimeError("inner words that nobody is told")
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package; importing it leaves a trace."""
    env = user_environment(tmp_path)
    for name in ("HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"):
        monkeypatch.setenv(name, env[name])
    site = tmp_path / "site"
    folder = site / "calc_pack"
    (folder / "ade_specs").mkdir(parents=True)
    trace = tmp_path / "imported"
    (folder / "__init__.py").write_text(f"open({str(trace)!r}, 'w').close()\n")
    (folder / "tools.py").write_text(CODE)
    actions = "".join(ACTION.replace("NAME", name) for name in ("add", "plain", "wrong", "broken", "endless"))
    actions = actions.replace("Do endless.\n    effect: read\n    toolset: base\n    timeout: 20s", ENDLESS)
    (folder / "ade_specs" / "calc.yaml").write_text(SPEC + actions)
    info = site / "calc_pack-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: calc-pack\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[ade.packs]\ncalc = calc_pack.tools:Tools\n")
    monkeypatch.syspath_prepend(str(site))
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == "calc_pack"]:
        del sys.modules[name]


async def test_a_package_brings_its_functions(package: Path, tmp_path: Path) -> None:
    home, trace = tmp_path / "home", tmp_path / "imported"
    async with Socket(home, tmp_path, {}) as way:
        added = await way.call("pack.add", {"package": "calc_pack"})
        assert (added["kind"], added["state"], added["root"]) == ("package", "untrusted", str(package))
        shown = await way.call("pack.show", {"name": "calc_pack"})
        assert shown["actions"][0]["runs"] == "calc_pack.tools:Tools.add"
        trusted = await way.call("pack.trust", {"name": "calc_pack", "hash": added["hash"]})
        assert trusted["actions"] == ["calc.add", "calc.broken", "calc.endless", "calc.plain", "calc.wrong"]
        listed = await way.call("actions.list", {"domain": "calc"})
        assert {item["pack"] for item in listed["items"]} == {"calc_pack"}
        assert not trace.exists(), "it was imported although nothing of it was called"
        assert await way.call("calc.add", {"a": 2, "b": 3}) == {"sum": 5, "role": "agent"}
        assert trace.exists()
        assert await way.call("calc_plain", {"a": 2}) == {"sum": 1, "role": "calc.plain"}
        assert (await way.perform(case("calc.wrong", {"a": 1}))).error["code"] == "pack_answer_invalid"
        assert (await way.perform(case("calc.endless", {"a": 1}))).error["code"] == "timed_out"
        broken = (await way.perform(case("calc.broken", {"a": 1}))).error
        assert broken["code"] == "internal_error"
        assert "inner words" not in str(broken)
        assert (await way.perform(case("calc.add", {"a": "2"}))).error["code"] == "invalid_arguments"
    async with Headless(home, tmp_path, {}) as command:
        assert document(await command.run(["calc", "add", "--a", "4", "--json"]))["sum"] == 5
        page = " ".join((await command.run(["calc", "add", "--help"]))["stdout"].split())
        assert "Of pack calc_pack, from the Python package calc_pack" in page


async def test_any_change_of_a_package_takes_its_actions_away(package: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    async with InProcess(home, tmp_path, {}) as way:
        added = await way.call("pack.add", {"package": "calc_pack"})
        await way.call("pack.trust", {"name": "calc_pack", "hash": added["hash"]})
        (package / "tools.py").write_text(CODE + "\nowned = 1\n")
        assert (await way.perform(case("calc.add", {"a": 1}))).error["code"] == "pack_changed"
        assert not (tmp_path / "imported").exists()
    async with InProcess(home, tmp_path, {}) as way:
        assert (await way.call("pack.list", {}))["items"][0]["state"] == "changed"
        assert (await way.perform(case("calc.add", {"a": 1}))).error["code"] == "pack_changed"


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("a run", "are its functions"),
        ("another entry point", "entry points"),
        ("a link", "no plain file"),
    ],
)
async def test_packages_that_are_refused(what: str, told: str, package: Path, tmp_path: Path) -> None:
    spec = package / "ade_specs" / "calc.yaml"
    if what == "a run":
        spec.write_text(spec.read_text() + "    run: {argv: [make]}\n")
    elif what == "another entry point":
        points = package.parent / "calc_pack-1.0.dist-info" / "entry_points.txt"
        points.write_text(points.read_text() + "other = calc_pack.tools:Tools\n")
    else:
        (package / "link.py").symlink_to("/etc/hostname")
    async with InProcess(tmp_path / "home", tmp_path, {}) as way:
        outcome = await way.perform(case("pack.add", {"package": "calc_pack"}))
        if outcome.error is None:
            outcome = await way.perform(case("pack.show", {"name": "calc_pack"}))
        assert told in outcome.error["message"], outcome.error


def test_a_plain_call_loads_nothing_of_packs(tmp_path: Path) -> None:
    code = (
        "import sys, asyncio\n"
        "from pathlib import Path\n"
        "from ade_runtime.client.in_process import Runtime\n"
        "async def main():\n"
        f"    async with Runtime.open(Path({str(tmp_path / 'home')!r})) as runtime:\n"
        "        await runtime.call('runtime.health')\n"
        "asyncio.run(main())\n"
        "print([name for name in sys.modules if name.split('.')[0] == 'codegen' or name in\n"
        "       ('ade_runtime.packs.loading', 'ade_runtime.packs.sources', 'ade_runtime.packs.compiler', 'yaml')])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done
