"""What a pack may not say: every fault is found in one run, at its place, and nothing of ADE's is taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.diagnostics import SpecErrors
from codegen.packs.compile import compiled
from codegen.packs.load import load_pack
from tests.support.packs import HEAD, RUNS, pack_text

FILE = ".ade/specs/shop.yaml"


def faults(text: str, *, file: str = FILE, commands: bool = True) -> list[str]:
    try:
        load_pack({file: text.encode()}, commands=commands)
    except SpecErrors as problem:
        return [one.render({}) for one in problem.diagnostics]
    return []


def test_a_sound_pack_is_compiled_whole() -> None:
    made = compiled(load_pack({FILE: pack_text().encode()}, commands=True))
    (domain,) = made["domains"]
    assert [action["id"] for action in domain["actions"]] == sorted(f"shop.{name}" for name in RUNS)
    run = next(action["run"] for action in domain["actions"] if action["id"] == "shop.direct")
    assert run["argv"] == [["scripts/run.sh"], ["--word", "{word}"]]


BAD_RUNS = {
    "dash": ("{argv: [-rf]}", "does not begin with a dash"),
    "placed": ("{argv: ['{word}']}", "the program is one fixed word"),
    "shell": ("{argv: [sh, -c, 'echo {word}']}", "reads the next word as code"),
    "cluster": ("{argv: [bash, -ec, '{word}']}", "reads the next word as code"),
    "python": ("{argv: [python3, -c, '{word}']}", "reads the next word as code"),
    "eval": ("{argv: [node, --eval, '{word}']}", "reads the next word as code"),
    "relay": ("{argv: [ssh, host, '{word}']}", "hands its words on"),
    "unnamed": ("{argv: [./run.sh]}", "files: does not name it"),
    "outside": ("{argv: [make], files: [../x]}", "no plain path"),
    "absolute": ("{argv: [make], files: [/etc/passwd]}", "no plain path"),
    "unknown": ("{argv: [make, '{wrod}']}", "no field"),
    "list": ("{argv: [make, 'x{words}']}", "a word of its own"),
    "token": ("{argv: [make], environment: [ADE_SESSION_TOKEN]}", "is not passed on"),
    "preload": ("{argv: [make], environment: [LD_PRELOAD]}", "is not passed on"),
    "keys": ("{argv: [make], shell: true}", "no key"),
    "text": ("{argv: make}", "needs argv"),
    "number": ("{argv: [make, 1]}", "a word of argv is a text"),
    "empty": ("{argv: []}", "needs argv"),
    "limit": ("{argv: [yes], max_output: 999999999}", "a number of bytes"),
    "answer": ("{argv: [make], answer: text}", "with answer: text"),
    "folder": ("{argv: [make], folder: /}", "lane or project"),
    "word": ("make deploy", "needs argv"),
}


def test_every_faulty_command_is_told_in_one_run() -> None:
    found = "\n".join(faults(pack_text({name: run for name, (run, _) in BAD_RUNS.items()})))
    missing = {name: told for name, (_, told) in BAD_RUNS.items() if told not in found}
    assert missing == {}, found


def test_fixed_code_with_words_behind_it_is_allowed() -> None:
    assert faults(pack_text({"say": "{argv: [sh, -c, 'printf %s \"$1\"', sh, '{word}']}"})) == []


def sound(change: tuple[str, str]) -> str:
    text = pack_text({"say": RUNS["say"]})
    assert change[0] in text
    return text.replace(*change)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("cli: {group: shop}", "cli: {group: lanes}"), "group of commands"),
        (("cli: {group: shop}", "cli: {group: shop, aliases: [git]}"), "group of commands"),
        (("cli: {group: shop}", "cli: {group: serve}"), "command of the program itself"),
        (("cli: {group: shop}", "cli: {group: shop, within: [lanes shop]}"), "group of their own"),
        (("toolset: base", "toolset: base\n    tool: create_lane"), "tool name"),
        (("toolset: base", "toolset: base\n    tool: Create_Lane"), "tool name"),
        (("toolset: base", "toolset: cto_operator"), "for everyone"),
        (("toolset: base", "toolset: base\n    min_role: external"), "opens nothing"),
        (("effect: read", "effect: secret"), "secrets"),
        (("toolset: base", "toolset: base\n    scope: machine"), "scope: project"),
        (("    run: ", "    walk: "), "unknown key"),
        (("actions:\n", "events:\n  x: {summary: An event.}\nactions:\n"), "no events"),
        (("title: Shop", "title: Shop\ntypes: {}"), "unknown key"),
        (("summary: Do say.", 'summary: "Do \\u202e say."'), ""),
        (
            ("optional: true, description: A word.", "secret: true, optional: true, description: A word."),
            "secret",
        ),
    ],
)
def test_a_pack_takes_nothing_that_is_not_its_own(change: tuple[str, str], told: str) -> None:
    found = "\n".join(faults(sound(change)))
    assert found, "it was accepted"
    assert told in found


def test_what_a_pack_may_not_do_is_told_beside_other_faults() -> None:
    text = pack_text({"say": RUNS["say"], "bare": RUNS["bare"]}, group="lanes")
    say, begin, bare = text.partition("  bare:\n")
    reaching = say.replace("toolset: base", "toolset: cto_operator\n    min_role: external")
    faulty = bare.replace("toolset: base", "toolset: cto_operator\n    tolset: x")
    found = "\n".join(faults(reaching + begin + faulty))
    assert "group of commands" in found and "unknown key" in found
    assert found.count("a pack's actions are for everyone") == 1, (
        "an action that is faulty in form is not judged"
    )
    assert "opens nothing to role external" in found


def test_a_domain_of_ades_own_cannot_be_declared_again() -> None:
    text = pack_text({"say": RUNS["say"]}, domain="lane", group="mylanes")
    found = faults(text, file=".ade/specs/lane.yaml")
    assert any("declared twice" in one for one in found), found
    assert all(one.startswith(".ade/specs/lane.yaml") for one in found), found


def test_an_action_without_a_command_is_refused_and_a_package_has_none() -> None:
    text = pack_text({"say": RUNS["say"]})
    without = text[: text.index("    run:")] + "\n"
    assert any("does not say what it runs" in one for one in faults(without))
    assert any("are its functions" in one for one in faults(text, commands=False))
    assert faults(without, commands=False) == []


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\xff\xfe",
        b"a: &x 1\nb: *x\n",
        b"- 1\n",
        HEAD.encode(),
        b"actions: {x: {run: 1}}\n",
        b"domain: [x]\nactions: 1\n",
    ],
)
def test_no_file_makes_the_check_itself_fail(text: bytes) -> None:
    with pytest.raises(SpecErrors):
        load_pack({FILE: text}, commands=True)


def test_the_guides_pack_is_sound() -> None:
    guide = (Path(__file__).parents[3] / "docs" / "guides" / "packs.md").read_text()
    block = guide.split("```yaml\n", 1)[1].split("```", 1)[0]
    assert faults(block) == []
    made = load_pack({FILE: block.encode()}, commands=True)
    assert made.runs["shop.deploy"].argv[-1] == ("--note", "{note}")
