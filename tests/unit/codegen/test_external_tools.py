"""The table of external tools: mistakes are named, and no text in it breaks out of the generated module."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from codegen.emitters import external_tools
from codegen.text import SpecText
from tests.unit.codegen import toy
from tests.unit.codegen.specs_on_disk import faults, only

GOOD = 'title: T, programs: [toy], version_args: [--version], version_pattern: "([0-9]+)"'


ROW: dict[str, Any] = {
    "title": "T",
    "programs": ["toy"],
    "version_args": ["--version"],
    "version_pattern": "([0-9]+)",
}


def one(text: str = GOOD, folders: str = "") -> dict[str, str | bytes | None]:
    return {"external_tools.yaml": f"{folders}external_tools: {{toy: {{{text}}}}}\n"}


def swapped(old: str, new: str) -> dict[str, str | bytes | None]:
    assert old in GOOD
    return one(GOOD.replace(old, new))


def test_a_sound_table(tmp_path: Path) -> None:
    assert faults(tmp_path, one(folders="known_folders: [~/bin, /opt/*/bin]\n")) == ()


@pytest.mark.parametrize(
    ("files", "code", "mentions"),
    [
        (swapped("programs: [toy]", "programs: []"), "wrong-value", []),
        (swapped("programs: [toy]", "programs: [bin/toy]"), "bad-name", ["cursor-agent"]),
        (swapped("programs: [toy]", "programs: [-toy]"), "bad-name", ["cursor-agent"]),
        (swapped("programs: [toy]", "programs: [toy, toy]"), "duplicate-value", ["toy", "twice"]),
        (swapped("[toy]", "[toy], excluded: {toy: It is another.}"), "duplicate-value", ["excluded"]),
        (swapped("[0-9]+", "\\\\d+"), "schema-pattern", ["[0-9]"]),
        (swapped("([0-9]+)", "[0-9]+"), "schema-pattern", ["0 groups"]),
        (swapped("([0-9]+)", "([0-9])([0-9])"), "schema-pattern", ["2 groups", "(?: )"]),
        (swapped("title: T, ", ""), "missing-key", ["title"]),
        (swapped("title: T", "note: T, title: T"), "unknown-key", ["excluded"]),
        (one(folders="known_folders: [bin]\n"), "bad-name", ["~/.local/bin"]),
        (one(folders="known_folder: [~/bin]\n"), "unknown-key", ["known_folders"]),
    ],
)
def test_mistakes_are_named(
    files: dict[str, str | bytes | None], code: str, mentions: list[str], tmp_path: Path
) -> None:
    assert only(faults(tmp_path, files), code, *mentions).span.file == "specs/external_tools.yaml"


def test_a_program_belongs_to_one_tool(tmp_path: Path) -> None:
    text = f"external_tools:\n  a: {{{GOOD}}}\n  b: {{{GOOD}}}\n"
    found = only(faults(tmp_path, {"external_tools.yaml": text}), "duplicate-value", "toy", "first for a")
    assert found.span.line == 3


@pytest.mark.parametrize("text", toy.HOSTILE)
def test_texts_arrive_as_they_are(text: str, tmp_path: Path) -> None:
    specs = toy.specs(tmp_path, external_tools={"toy": ROW})
    tool = replace(
        specs.external_tools["toy"],
        title=SpecText(text),
        version_args=(text,),
        version_environment={"QUIET": text},
        excluded={"toyed": SpecText(text)},
    )
    (file,) = external_tools.emit(replace(specs, external_tools={"toy": tool}))
    module = ModuleType("made")
    exec(compile(file.content, str(file.path), "exec"), module.__dict__)
    found = module.EXTERNAL_TOOLS["toy"]
    assert (found.title, found.version_args, found.excluded) == (text, (text,), {"toyed": text})
    assert found.version_environment == {"QUIET": text}


def test_without_tools_there_is_no_module(tmp_path: Path) -> None:
    assert list(external_tools.emit(toy.specs(tmp_path))) == []
