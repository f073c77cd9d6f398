"""Watching: a save is generated from, a mistake is told, and what did not change is not read again."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from codegen import generate, memo, watch
from codegen.diagnostics import SpecErrors
from codegen.load import load_specs
from tests.unit.codegen.specs_on_disk import NOTE, edited, write
from tests.unit.codegen.test_load_property import FILES

ROOT = Path(__file__).resolve().parents[3]
OTHER = NOTE.replace("domain: note", "domain: other").replace("group: notes", "group: others")


def test_a_warm_load_gives_what_a_cold_one_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write(tmp_path, {"domains/other.yaml": OTHER})
    warm = watch.Warm()
    assert watch.load_warm(root, warm) == load_specs(root)
    write(root, {"domains/other.yaml": edited(("maxLength: 500", "maxLength: 400"), text=OTHER)})
    parsed: list[str] = []
    real = watch.SpecLoader._read
    monkeypatch.setattr(
        watch.SpecLoader, "_read", lambda self, file: (parsed.append(file.name), real(self, file))[1]
    )
    found = watch.load_warm(root, warm)
    assert parsed == ["specs/domains/other.yaml"]
    assert found == load_specs(root)


def test_a_mistake_is_told_again_and_again_until_it_is_mended(tmp_path: Path) -> None:
    root = write(tmp_path)
    warm = watch.Warm()
    watch.load_warm(root, warm)
    write(root, {"domains/note.yaml": edited(("effect: write", "effect: wirte"), text=NOTE)})
    for _ in range(2):
        with pytest.raises(SpecErrors) as caught:
            watch.load_warm(root, warm)
        assert [(one.code, one.span.line) for one in caught.value.diagnostics] == [("wrong-value", 8)]
    write(root, {"domains/note.yaml": NOTE})
    assert watch.load_warm(root, warm) == load_specs(root)


def test_only_saves_of_specs_count(tmp_path: Path) -> None:
    root = write(tmp_path)
    before = watch.fingerprint(root / "specs")
    (root / "specs" / ".note.yaml.swp").write_text("x")
    (root / "README.md").write_text("x")
    assert watch.fingerprint(root / "specs") == before
    write(root, {"domains/other.yaml": OTHER})
    assert watch.fingerprint(root / "specs") != before
    assert watch.fingerprint(root / "nowhere" / "specs") == ()


@contextmanager
def watching(root: Path, code: Path) -> Iterator[Callable[[str], list[str]]]:
    """The real program; what is given waits until it says some words, and returns all that it said since."""
    line = [sys.executable, "-m", "codegen", "--root", str(root), "watch"]
    env = {**os.environ, "PYTHONPATH": str(code), "PYTHONDONTWRITEBYTECODE": "1"}
    with subprocess.Popen(line, cwd=code, env=env, stdout=subprocess.PIPE, text=True) as process:

        def until(words: str) -> list[str]:
            assert process.stdout is not None
            said: list[str] = []
            for told in process.stdout:
                said.append(told)
                if words in told:
                    break
            return said

        try:
            yield until
        finally:
            process.terminate()


def test_each_save_is_generated_from(tmp_path: Path) -> None:
    root = write(tmp_path)
    with watching(root, ROOT) as until:
        assert any("new: ade_generated/dispatch.py" in told for told in until("done in"))
        target = root / "specs/domains/note.yaml"
        fresh = target.with_name(".fresh")
        fresh.write_text(edited(("summary: Add a note.", "summary: Add one note."), text=NOTE))
        fresh.rename(target)
        assert any("changed: ade_generated/dispatch.py" in told for told in until("done in"))
        assert "Add one note." in (root / "ade_generated/dispatch.py").read_text()
        fresh.write_text(edited(("effect: write", "effect: wirte"), text=NOTE))
        fresh.rename(target)
        report = until("not done in")
        assert report[0].startswith("specs/domains/note.yaml:8:13: wrong-value: ")


def test_a_change_of_the_generator_starts_it_anew(tmp_path: Path) -> None:
    root, code = write(tmp_path / "project"), tmp_path / "code"
    for part in ("codegen", "ade_runtime", "specs/schema"):
        shutil.copytree(ROOT / part, code / part, ignore=shutil.ignore_patterns("__pycache__"))
    with watching(root, code) as until:
        until("done in")
        template = code / "codegen/templates/python/package.py.jinja"
        template.write_text(template.read_text().replace("doc", "doc ~ ' Anew.'", 1))
        assert "the generator changed; starting anew\n" in until("starting anew")
        assert any("changed: ade_generated/models/__init__.py" in told for told in until("done in"))
    assert "Wire models. Anew." in (root / "ade_generated/models/__init__.py").read_text()


def test_the_watched_tree_is_what_a_fresh_run_makes_after_any_edits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Thirty edits of one process, right and wrong ones, there and back; then nothing tells the tree from a new one."""
    dice = random.Random(7)
    root = write(tmp_path / "watched", {**FILES, "domains/other.yaml": OTHER})
    warm = watch.Warm()
    assert watch.run(root, warm, first=True)
    worked, faulty, last = 0, False, ("", 0)
    applied: set[tuple[str, int]] = set()
    for _ in range(30):
        name = dice.choice(sorted(CHANGES))
        edit = last if faulty and dice.random() < 0.7 else (name, dice.randrange(len(CHANGES[name])))
        old, new = CHANGES[edit[0]][edit[1]]
        path = root / "specs" / edit[0]
        text = path.read_text()
        path.write_text(text.replace(new, old, 1) if edit in applied else text.replace(old, new, 1))
        applied ^= {edit}
        faulty = not watch.run(root, warm)
        worked += not faulty
        last = edit
        if dice.random() < 0.3:
            assert load(root, warm) == load(root, watch.Warm())
    assert 10 < worked < 30
    for edit in sorted(applied if faulty else ()):
        path = root / "specs" / edit[0]
        path.write_text({**FILES, "domains/other.yaml": OTHER}[edit[0]])
    assert watch.run(root, warm)
    fresh = tmp_path / "fresh"
    shutil.copytree(root / "specs", fresh / "specs")
    assert generate.gen(fresh) == 0
    assert tree(root) == tree(fresh)


CHANGES: dict[str, list[tuple[str, str]]] = {
    "domains/note.yaml": [
        ("summary: Add a note.", "summary: Add one note."),
        ("maxLength: 500", "maxLength: 400"),
        ("effect: write", "effect: wirte"),
        ("effect: write", "effect: destructive"),
        ("text: {type: string", "body: {type: integer, optional: true}\n      text: {type: string"),
        ("group: notes", "group: memos"),
        (
            "    effect: write",
            "    deprecated: {since: 0.2.0, use: rich.list, remove_after: 0.3.0}\n    effect: write",
        ),
    ],
    "domains/rich.yaml": [
        ("    summary: List.", "    tool: enumerate\n    summary: List."),
        ("timeout: 5s", "timeout: 6s"),
        ("errors: [gone]", "errors: [gone, lost]"),
        ("$ref: Shape", "$ref: Item"),
    ],
    "domains/other.yaml": [
        ("title: Notes", "title: Others"),
        ("type: integer, minimum: 1", "$ref: Nothing, minimum: 1"),
    ],
    "types/all.yaml": [
        ("name: {type: string}", "name: {type: string, maxLength: 9, description: Its name.}"),
        ("lane_ref: {type: string", "lane_ref: {description: A lane., type: string"),
        ("Square: {", "Square: {description: Four sides., "),
        ("  Item:", "  word: {type: string}\n  Item:"),
    ],
    "errors.yaml": [("summary: G.", "summary: Gone."), ("exit: failed, params", "exit: conflict, params")],
    "text_layouts.yaml": [("label: Name", "label: Title"), ("field: name", "field: nmae")],
    "fixtures.yaml": [("items.0.name", "items.0.at"), ("summary: One.", "summary: 1.")],
    "rate_limits.yaml": [("limit: 1", "limit: 2")],
    "toolsets.yaml": [("summary: ", "summary: More ")],
}
"""By file what is put in the place of what, the first time, and the other way round the next."""


def load(root: Path, warm: watch.Warm) -> object:
    with memo.using(warm.store):
        try:
            return watch.load_warm(root, warm)
        except SpecErrors as errors:
            return errors.render()


def tree(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for folder in ("ade_generated", "docs")
        for path in (root / folder).rglob("*")
        if path.is_file()
    }
