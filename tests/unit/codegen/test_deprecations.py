"""``deprecated:`` is checked, and shows wherever the action or field does: help, tools, docs, dispatch, results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ade_runtime.cli.help import action_help
from ade_runtime.cli.run import warnings
from ade_runtime.pipeline.notices import of_entry
from ade_runtime.tooling import results
from codegen import ir
from codegen.compat.compare import compare
from codegen.compat.surface import surface
from codegen.emitters import cli, dispatch, docs, man, tools, typescript
from codegen.jsonschema_export import input_schema
from tests.unit.codegen import made, toy
from tests.unit.codegen.specs_on_disk import note, only

GONE = {"since": "0.2.0", "use": "toy.play", "remove_after": "0.4.0"}
FIELD = {"since": "0.2.0", "use": "speed", "remove_after": "0.3.0"}
SAID = "Deprecated since 0.2.0: use {} instead. It may be gone after 0.4.0."
SAID_FIELD = "Deprecated since 0.2.0: use speed instead. It may be gone after 0.3.0."


def specs(folder: Path, **more: Any) -> ir.Specs:
    fields = {
        "pace": {"type": "string", "optional": True, "description": "How fast.", "deprecated": FIELD},
        "speed": {"type": "string", "optional": True},
    }
    old = toy.action(summary="Play as before.", deprecated=GONE, input=fields)
    return toy.specs(folder, toy.domain(actions={"play": toy.action(), "start": {**old, **more}}))


def test_help_and_the_list_of_commands_say_it(tmp_path: Path) -> None:
    catalog = toy.catalog(cli.emit(specs(tmp_path)))
    group, info = catalog.action("toy.start") or pytest.fail("no such command")
    assert info.summary == "(deprecated) Play as before."
    page = toy.squeezed(action_help(catalog.command(group, info), 100))
    assert toy.squeezed(SAID.format("`ade toys play`")) in page
    assert toy.squeezed(f"How fast. {SAID_FIELD}") in page


def test_tools_schemas_and_docs_say_it(tmp_path: Path) -> None:
    found = specs(tmp_path)
    [start] = [action for action in found.actions if action.name == "start"]
    tool = tools.definition(start, found)
    assert tool["description"].startswith(SAID.format("toy_play"))
    assert tool["inputSchema"]["properties"]["pace"] == {
        "type": "string",
        "description": f"How fast. {SAID_FIELD}",
    }
    assert input_schema(start, found)["properties"]["pace"]["deprecated"] is True
    page = next(file.content for file in docs.emit(found) if file.path.name == "toy.md")
    assert (
        "| Deprecated | Deprecated since 0\\.2\\.0: use toy\\.play" in page or SAID.format("toy.play") in page
    )
    assert SAID_FIELD in page


def test_manual_pages_and_the_typescript_client_say_it(tmp_path: Path) -> None:
    found = specs(tmp_path)
    page = next(file.content for file in man.emit(found) if file.path.name == "ade-toys.1")
    assert str(man.roff(SAID.format("`ade toys play`"))) in page
    assert man.roff(f"How fast. {SAID_FIELD}") in page
    [client] = typescript.emit(found)
    assert f"/** Play as before. @deprecated {SAID.format('toy.play')} */" in client.content
    assert f"/** How fast. @deprecated {SAID_FIELD} */" in client.content


def test_results_say_it(tmp_path: Path) -> None:
    package = made.package(tmp_path, specs(tmp_path), dispatch.emit)
    entry = package["dispatch.py"].ACTIONS["toy.start"]
    assert of_entry(entry, {}) == (f"toy.start: {SAID.format('toy.play')}",)
    told = of_entry(entry, {"pace": "x", "speed": "y"})
    assert told[1:] == (f"pace: {SAID_FIELD}",)
    assert of_entry(package["dispatch.py"].ACTIONS["toy.play"], {"pace": 1}) == ()
    result = results.success({"done": True}, notices=told)
    assert result.structured == {"done": True}
    assert result.text == f'[{told[0]}]\n[{told[1]}]\n{{"done":true}}'
    assert warnings(told, as_text=True).splitlines() == [f"warning: {one}" for one in told]
    assert warnings(("a",), as_text=False) == '{"warnings":["a"]}\n'


def test_what_was_announced_may_go_and_nothing_sooner(tmp_path: Path) -> None:
    before = surface(specs(tmp_path / "a"))
    after = surface(toy.specs(tmp_path / "b", toy.domain(actions={"play": toy.action()})))
    assert [one.rule for one in compare(before, after, "0.4.0")] == ["action-removed"]
    assert [one.rule for one in compare(before, after, "0.5.0")] == ["retired-as-announced"]
    fields = {"speed": {"type": "string", "optional": True}}
    without = surface(specs(tmp_path / "c", input=fields))
    assert [one.rule for one in compare(before, without, "0.3.1")] == ["retired-as-announced"]
    plain = specs(tmp_path / "d", deprecated={**GONE, "since": "0.3.0"})
    assert compare(before, surface(plain)) == ()
    undeprecated = {
        **before,
        "actions": {**before["actions"], "toy.start": {**before["actions"]["toy.start"], "deprecated": None}},
    }
    assert [one.rule for one in compare(undeprecated, before)] == ["deprecated"]


LEVEL = "default: low, cli: {short: -l}"


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ("    effect: write\n", "    effect: write\n    deprecated: {since: '0.2'}\n", "bad-name", "0.2.0"),
        (
            "    effect: write\n",
            "    effect: write\n    deprecated: {since: 0.2.0, use: note.ad, remove_after: 0.3.0}\n",
            "unknown-action",
            'did you mean "note.add"',
        ),
        (
            "    effect: write\n",
            "    effect: write\n    deprecated: {since: 0.2.0, use: note.add, remove_after: 0.3.0}\n",
            "wrong-value",
            "is deprecated itself",
        ),
        (
            "    effect: write\n",
            "    effect: write\n    deprecated: {since: 0.10.0, remove_after: 0.9.0}\n",
            "wrong-value",
            "0.9.0 comes before 0.10.0",
        ),
        (
            LEVEL,
            f"{LEVEL}, deprecated: {{since: 0.2.0, use: cuont, remove_after: 0.3.0}}",
            "unknown-field",
            'did you mean "count"',
        ),
        (
            "description: What to remember.",
            "deprecated: {since: 0.2.0, remove_after: 0.3.0}",
            "misplaced-key",
            "must be given",
        ),
    ],
)
def test_a_faulty_deprecation_is_told(old: str, new: str, code: str, words: str, tmp_path: Path) -> None:
    found = note(tmp_path, (old, new))
    if code == "bad-name":
        assert {one.code for one in found} == {"bad-name", "missing-key"}
    else:
        only(found, code, words)
