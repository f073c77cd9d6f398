"""Packs end to end: a repository's own actions, from review to call, over every way in."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from ade_runtime.chat.providers.plan_mode import refused
from ade_runtime.machine.paths import Paths
from ade_runtime.packs.store import COMPILED, Store
from ade_runtime.packs.telling import section
from ade_runtime.services import Services
from tests.support.packs import RUNS, case, document, make_project, pack_text, trusted, user_environment
from tests.support.ways import Headless, InProcess, Mcp, Socket, SocketCommand

HOSTILE = [
    "two words",
    "quo'te \"s",
    "$(touch pwned)",
    "`id`",
    "new\nline",
    "; rm -rf /",
    "*",
    "é\u202e",
    "--x",
    "",
]


@pytest.fixture
def env(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    env = user_environment(tmp_path)
    for name in ("HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"):
        monkeypatch.setenv(name, env[name])
    return env


@pytest.fixture
def project(tmp_path: Path, env: dict[str, str]) -> Path:
    return make_project(tmp_path / "shop", env)


async def test_nothing_is_there_before_it_is_trusted(
    tmp_path: Path, project: Path, env: dict[str, str]
) -> None:
    async with Socket(tmp_path / "home", project, env) as way:
        await way.call("project.add", {"path": str(project)})
        added = await way.call("pack.add", {"name": "shop"})
        assert (added["state"], added["actions"]) == ("untrusted", [])
        assert (await way.perform(case("shop.say", {}))).error["code"] == "unknown_action"
        listed = await way.call("actions.list", {"limit": 1000})
        assert not [item for item in listed["items"] if item["pack"] is not None]
        shown = await way.call("pack.show", {"name": "shop"})
        assert shown["state"] == "untrusted"
        runs = {action["id"]: action["runs"] for action in shown["actions"]}
        assert runs["shop.direct"] == "scripts/run.sh [--word {word}]"
        assert {file["path"] for file in shown["files"]} == {
            ".ade/specs/shop.yaml",
            "scripts/say.py",
            "scripts/run.sh",
        }
        assert (await way.perform(case("shop.say", {}))).error["code"] == "unknown_action"
        pages = await way.call("pack.docs", {"name": "shop"})
        assert (pages["state"], "## shop.say" in pages["text"]) == ("untrusted", True)
        wrong = await way.perform(case("pack.trust", {"name": "shop", "hash": "sha256:" + "0" * 64}))
        assert wrong.error["code"] == "pack_hash_differs"


async def test_a_trusted_pack_over_socket_headless_and_mcp(
    tmp_path: Path, project: Path, env: dict[str, str]
) -> None:
    home = tmp_path / "home"
    async with Socket(home, project, env) as way:
        hash_ = await trusted(way)
        await calls_by_json(way)
        await is_shown(way)
    async with Headless(home, project, env) as command:
        await is_a_command(command, hash_)
    async with SocketCommand(home, project, env) as command:
        await is_a_command(command, hash_)
    async with Mcp(home, project, env) as mcp:
        await is_a_tool(mcp)
    async with InProcess(home, project, env) as own:
        assert (await own.call("shop.say", {"word": "x"}))["argv"] == ["--word=x", "--"]


async def calls_by_json(way: Socket) -> None:
    """Hostile values arrive as they are, each as one word, but for those that would be read as options."""
    said = await way.call("shop.say", {"word": "a b", "words": HOSTILE})
    assert said["argv"] == ["--word=a b", "--", *HOSTILE]
    assert said["cwd"] == str(way.project)
    assert set(said["env"]) <= {
        "PATH",
        "HOME",
        "USER",
        "LOGNAME",
        "LANG",
        "LANGUAGE",
        "TZ",
        "TMPDIR",
        "PWD",
        "LC_ALL",
        "LC_CTYPE",
    }
    assert not (way.project / "pwned").exists()
    assert (await way.call("shop.say", {}))["argv"] == ["--"]
    for given, path in (({"word": "-rf"}, "word"), ({"words": ["ok", "--upload-pack=x"]}, "words")):
        error = (await way.perform(case("shop.bare", given))).error
        assert error["code"] == "invalid_arguments"
        assert error["details"]["problems"][0]["path"] == path
    nul = (await way.perform(case("shop.say", {"word": "a\0b"}))).error
    assert nul["code"] == "invalid_arguments"
    assert (await way.call("shop.direct", {"word": "a'b"}))["argv"] == ["--word", "a'b"]
    assert (await way.call("shop.direct", {}))["argv"] == []
    for name, words in {
        "flood": "more than 100000 bytes",
        "fail": "ended with 1",
        "missing": "no program",
    }.items():
        error = (await way.perform(case(f"shop.{name}", {}))).error
        assert (error["code"], words in error["message"]) == ("pack_command_failed", True), error
    assert (await way.perform(case("shop.nonsense", {}))).error["code"] == "pack_answer_invalid"
    assert (await way.perform(case("shop.forever", {}))).error["code"] == "timed_out"
    unknown = (await way.perform(case("shop.say", {"wrod": "x"}))).error
    assert "word" in json.dumps(unknown)


async def is_shown(way: Socket) -> None:
    """Its origin is said wherever it is listed."""
    listed = await way.call("actions.list", {"limit": 1000, "schemas": True, "domain": "shop"})
    assert {item["id"] for item in listed["items"]} == {f"shop.{name}" for name in RUNS}
    assert all(item["pack"] == "shop" and item["summary"].endswith("[pack shop]") for item in listed["items"])
    assert all(item["input"]["type"] == "object" for item in listed["items"])
    detail = await way.call("actions.describe", {"action": "shop_say"})
    assert (detail["pack"], detail["toolset"]) == ("shop", "base")
    assert (await way.call("actions.describe", {"action": "lane.list"}))["pack"] is None
    found = await way.call("actions.search", {"words": "shop say"})
    assert "shop.say" in [item["id"] for item in found["items"]]
    ran = await way.call("actions.run", {"action": "shop.say", "arguments": {"word": "y"}})
    assert ran["result"]["argv"] == ["--word=y", "--"]
    told = await way.call("actions.explain", {"action": "shop.say"})
    assert told["callable"] is True


async def is_a_command(way: Headless | SocketCommand, hash_: str) -> None:
    said = document(await way.run(["shop", "say", "a 'b", "--words=-x", "--words", "c", "--json"]))
    assert said["argv"] == ["--word=a 'b", "--", "-x", "c"]
    generic = document(await way.run(["actions", "run", "shop.say", "--arg", "word=1", "--json"]))
    assert generic["argv"] == ["--word=1", "--"]
    page = (await way.run(["shop", "say", "--help"]))["stdout"]
    assert "Of pack shop, from the repository" in " ".join(page.split())
    assert "[pack shop]" in (await way.run(["shop", "--help"]))["stdout"]
    assert "[pack shop]" in " ".join((await way.run(["--help"]))["stdout"].split())
    unknown = await way.run(["shop", "sya", "--json"])
    assert "ade shop say" in unknown["stderr"]
    shown = document(await way.run(["packs", "list", "--json"]))["items"]
    assert [(item["state"], item["trusted_hash"]) for item in shown] == [("trusted", hash_)]
    assert (await way.run(["packs", "show", "shop", "--text"]))["exit"] == 0
    pages = (await way.run(["packs", "docs", "shop", "--text"]))["stdout"]
    assert pages.startswith("# Shop\n\nOf pack shop, from the repository")
    assert all(f"\n## shop.{name}\n" in pages for name in RUNS)
    assert "ade shop say [OPTIONS] [WORD]" in pages and "](../" not in pages and "make gen" not in pages
    told = section(Services(Paths.of_home(way.home)))
    assert "- `ade shop say`: Do say. [pack shop]" in told
    dry = document(await way.run(["shop", "say", "x", "--dry-run", "--json"]))
    assert dry["action"] == "shop.say"


async def is_a_tool(mcp: Mcp) -> None:
    listed = (await mcp._request("tools/list", {}))["result"]["tools"]
    (tool,) = [one for one in listed if one["name"] == "shop_say"]
    assert tool["description"].startswith("Of pack shop, from the repository")
    assert tool["title"].endswith("[pack shop]")
    plain = [word for word in HOSTILE if "\u202e" not in word]  # which a model is shown escaped
    outcome = await mcp.perform({"tool": "shop_say", "input": {"words": plain}})
    assert outcome.output["argv"] == ["--", *plain]


async def test_what_will_go_is_said_as_of_what_is_ades_own(tmp_path: Path, env: dict[str, str]) -> None:
    going = "deprecated: {since: 0.1.0, remove_after: 0.2.0}"
    text = pack_text({"say": RUNS["say"]}).replace("    effect:", f"    {going}\n    effect:")
    text = text.replace("word: {", f"word: {{{going}, ")
    project = make_project(tmp_path / "shop", env, text)
    said = "Deprecated since 0.1.0. It may be gone after 0.2.0."
    async with SocketCommand(tmp_path / "home", project, env) as way:
        await trusted(way)
        assert "say  (deprecated) Do say. [pack shop]" in (await way.run(["shop", "--help"]))["stdout"]
        assert said in (await way.run(["shop", "say", "--help"]))["stdout"]
        (item,) = (await way.call("actions.list", {"domain": "shop"}))["items"]
        assert item["summary"] == "(deprecated) Do say. [pack shop]"
        detail = await way.call("actions.describe", {"action": "shop.say"})
        assert (detail["summary"], detail["deprecated"]) == (item["summary"], said)
        assert said in detail["input"]["properties"]["word"]["description"]
        assert "`ade shop say`: (deprecated) Do say. [pack shop]" in section(
            Services(Paths.of_home(way.home))
        )
        ran = await way.run(["shop", "say", "x", "--json"])
        assert json.loads(ran["stderr"]) == {"warnings": [f"shop.say: {said}", f"word: {said}"]}
        assert document(ran)["argv"] == ["--word=x", "--"]
    async with Mcp(tmp_path / "home", project, env) as mcp:
        (tool,) = [
            one
            for one in (await mcp._request("tools/list", {}))["result"]["tools"]
            if one["name"] == "shop_say"
        ]
        assert said in tool["description"]
        answer = (await mcp._request("tools/call", {"name": "shop_say", "arguments": {}}))["result"]
        assert answer["content"][0]["text"].startswith(f"[shop.say: {said}]")


async def test_a_change_takes_the_actions_away(tmp_path: Path, project: Path, env: dict[str, str]) -> None:
    home = tmp_path / "home"
    async with SocketCommand(home, project, env) as way:
        hash_ = await trusted(way)
        assert (await way.run(["shop", "say", "--json"]))["exit"] == 0
        script = project / "scripts" / "say.py"
        script.write_text("print('owned')\n")
        for line in (["shop", "say", "--json"], ["actions", "run", "shop.say", "--json"]):
            answer = await way.run(line)
            error = json.loads(answer["stderr"])["error"]
            assert (answer["exit"], error["code"]) == (3, "pack_changed"), answer
            assert "ade packs trust" in error["hint"]
        (item,) = document(await way.run(["packs", "list", "--json"]))["items"]
        assert (item["state"], item["actions"]) == ("changed", [])
        assert (item["hash"] != hash_, item["trusted_hash"]) == (True, hash_)
        again = await way.run(["packs", "trust", "shop", hash_, "--json"])
        assert json.loads(again["stderr"])["error"]["code"] == "pack_hash_differs"
    async with Headless(home, project, env) as fresh:
        answer = await fresh.run(["shop", "say", "--json"])
        assert json.loads(answer["stderr"])["error"]["code"] == "pack_changed"
    async with Headless(home, project, env) as way:
        (project / "scripts" / "say.py").write_text(
            "import json\nprint(json.dumps({'argv': ['2'], 'cwd': '', 'env': []}))\n"
        )
        (item,) = document(await way.run(["packs", "list", "--json"]))["items"]
        assert (await way.run(["packs", "trust", "shop", item["hash"], "--json"]))["exit"] == 0
        assert document(await way.run(["shop", "say", "--json"]))["argv"] == ["2"]
        assert (await way.run(["packs", "remove", "shop", "--json"]))["exit"] == 0
        assert (await way.run(["shop", "say", "--json"]))["exit"] == 2
        assert [one.name for one in Store(home).folder.iterdir() if one.is_dir()] == [hash_[7:]]


async def test_a_change_that_no_status_tells_is_found_before_it_runs(
    tmp_path: Path, project: Path, env: dict[str, str]
) -> None:
    async with Socket(tmp_path / "home", project, env) as way:
        await trusted(way)
        script = project / "scripts" / "say.py"
        before = script.stat()
        script.write_text(script.read_text().replace("json", "jsom", 1))
        os.utime(script, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert (await way.perform(case("shop.say", {}))).error["code"] == "pack_changed"


async def test_what_is_again_what_was_trusted_is_there_again(
    tmp_path: Path, project: Path, env: dict[str, str]
) -> None:
    """As when another branch is checked out for a while."""
    script, specs, more = project / "scripts/say.py", project / ".ade/specs", project / ".ade/specs/more.yaml"
    text = script.read_text()
    async with SocketCommand(tmp_path / "home", project, env) as way:
        await trusted(way)

        async def is_there() -> bool:
            (item,) = document(await way.run(["packs", "list", "--json"]))["items"]
            answer = await way.run(["shop", "say", "--json"])
            assert ((item["state"] == "trusted"), item["actions"] != []) == (answer["exit"] == 0,) * 2
            return bool(answer["exit"] == 0)

        for change, back in (
            (lambda: script.write_text("print('other')\n"), lambda: script.write_text(text)),
            (lambda: specs.rename(project / "away"), lambda: (project / "away").rename(specs)),
            (lambda: more.write_text("domain: more\n"), more.unlink),
        ):
            change()
            assert not await is_there()
            back()
            assert (await way.run(["shop", "say", "--json"]))["exit"] == 0
            assert await is_there()


async def test_what_an_older_version_compiled_is_trusted_again_before_it_runs(
    tmp_path: Path, project: Path, env: dict[str, str]
) -> None:
    home = tmp_path / "home"
    async with Headless(home, project, env) as way:
        hash_ = await trusted(way)
        kept = Store(home).content(hash_) / COMPILED
        older = json.loads(kept.read_text())
        for domain in older["domains"]:
            for action in domain["actions"]:
                del action["moves_refs"]
        kept.write_text(json.dumps(older | {"format": 1}))
    async with Headless(home, project, env) as way:
        (item,) = document(await way.run(["packs", "list", "--json"]))["items"]
        assert (item["state"], item["actions"], item["hash"]) == ("untrusted", [], hash_)
        assert (await way.run(["shop", "say", "--json"]))["exit"] != 0
        assert (await way.run(["packs", "trust", "shop", hash_, "--json"]))["exit"] == 0
        assert (await way.run(["shop", "say", "--json"]))["exit"] == 0


async def test_what_runs_is_what_was_trusted_and_not_what_a_lane_holds(
    tmp_path: Path, project: Path, env: dict[str, str]
) -> None:
    async with Socket(tmp_path / "home", project, env) as way:
        await trusted(way)
        lane = await way.call("lane.create", {"name": "fix"})
        other = Path(lane["path"]) / "scripts" / "say.py"
        other.parent.mkdir()
        other.write_text("raise SystemExit('owned')\n")
        said = await way.call("shop.inlane", {"lane": lane["id"]})
        assert said["cwd"] == lane["path"]


async def test_only_the_owner_in_person_decides(tmp_path: Path, project: Path, env: dict[str, str]) -> None:
    async with Socket(tmp_path / "home", project, env) as way:
        await way.call("project.add", {"path": str(project)})
        added = await way.call("pack.add", {"name": "shop"})
        agent = (await way.call("session.start", {"role": "agent"}))["token"]
        for role in ("agent", "cto"):
            if role == "cto":
                await way.become("cto")
            token = agent if role == "agent" else None
            for action, given in (
                ("pack.add", {"name": "other"}),
                ("pack.trust", {"name": "shop", "hash": added["hash"]}),
                ("pack.remove", {"name": "shop"}),
            ):
                outcome = await way.perform({**case(action, given), "as": token})
                assert outcome.error is not None and outcome.error["code"] == "policy_denied", (role, action)
            listed = await way.perform({**case("pack.list", {}), "as": token})
            assert listed.output["items"][0]["state"] == "untrusted"


async def test_roles_hold_for_packs(tmp_path: Path, env: dict[str, str]) -> None:
    project = make_project(tmp_path / "shop", env, pack_text({"say": RUNS["say"]}, effect="write"))
    other = make_project(tmp_path / "other", env)
    async with SocketCommand(tmp_path / "home", project, env) as way:
        await trusted(way)
        denied = await way.run(["shop", "say", "--role", "external", "--json"])
        assert denied["exit"] == 3
        assert document(await way.run(["shop", "say", "--json"]))["argv"] == ["--"]
        assert refused("shop_say", {})
        assert refused("actions_run", {"action": "shop.say"})
        added = await way.call("project.add", {"path": str(other)})
        elsewhere = await way.run(["shop", "say", "--json", "--project", added["id"]])
        assert json.loads(elsewhere["stderr"])["error"]["code"] == "pack_elsewhere"
        started = await way.call("session.start", {"role": "agent", "project": added["id"]})
        hidden = await way.run(["actions", "describe", "shop.say", "--json"], token=started["token"])
        assert json.loads(hidden["stderr"])["error"]["code"] == "unknown_action"
        here = (await way.call("project.list", {}))["items"]
        own = next(item["id"] for item in here if item["root"] == str(project))
        lane = await way.call("lane.create", {"name": "fix"})
        started = await way.call("session.start", {"role": "agent", "project": own, "lane": lane["id"]})
        bound = await way.run(["shop", "say", "--json"], token=started["token"])
        assert bound["exit"] == 0, bound


async def test_two_packs_cannot_bring_one_name(tmp_path: Path, project: Path, env: dict[str, str]) -> None:
    other = make_project(tmp_path / "other", env)
    home = tmp_path / "home"
    async with Headless(home, project, env) as way:
        await trusted(way)
    async with Headless(home, other, env) as way:
        await way.call("project.add", {"path": str(other)})
        added = await way.call("pack.add", {"name": "second"})
        taken = await way.perform(case("pack.trust", {"name": "second", "hash": added["hash"]}))
        assert taken.error["code"] == "pack_name_taken"
        states = {item["name"]: item["state"] for item in (await way.call("pack.list", {}))["items"]}
        assert states == {"shop": "trusted", "second": "untrusted"}
        same = await way.perform(case("pack.add", {"name": "shop"}))
        assert same.error["code"] == "pack_name_taken"


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("a linked spec", "symbolic link"),
        ("a linked folder", "symbolic link"),
        ("a linked script", "symbolic link"),
        ("a missing script", "say.py"),
        ("no spec", "no .yaml file"),
        ("a pipe", "shop.yaml"),
    ],
)
async def test_files_that_are_not_plain_are_refused(
    what: str, told: str, tmp_path: Path, project: Path, env: dict[str, str]
) -> None:
    specs, spec, script = (
        project / ".ade" / "specs",
        project / ".ade" / "specs" / "shop.yaml",
        project / "scripts" / "say.py",
    )
    if what == "a linked folder":
        specs.rename(project / "elsewhere")
        specs.symlink_to(project / "elsewhere")
    elif what in ("a linked spec", "a linked script"):
        target = spec if what == "a linked spec" else script
        target.rename(project / "real")
        target.symlink_to(project / "real")
    elif what == "a missing script":
        script.unlink()
    else:
        spec.unlink()
        if what == "a pipe":
            os.mkfifo(spec)
    async with Headless(tmp_path / "home", project, env) as way:
        await way.call("project.add", {"path": str(project)})
        outcome = await way.perform(case("pack.add", {}))
        assert outcome.error["code"] == "pack_unreadable"
        assert told in outcome.error["message"]
