"""What a run found right is not looked at again, and yet nothing is missed that a look from nothing finds."""

from __future__ import annotations

import random
import re
import shutil
from pathlib import Path

import pytest

from codegen import memo
from codegen.diagnostics import SpecErrors
from codegen.load import load_specs, schemas_digest
from codegen.load.structure import Walker
from codegen.sound import Sound, sound

REPOSITORY = Path(__file__).parents[3]
ENTRY = re.compile(r"^  [A-Za-z0-9_.]+:.*\n(?:(?:    .*)?\n)*", re.MULTILINE)
WORD = re.compile(r"\b(?!true|false)[a-z_]{4,}\b(?=[,\]}\n])")
LOOKS = 3


def told(root: Path, known: Sound | None) -> str:
    try:
        with memo.using(memo.Store()):
            load_specs(root, known)
    except SpecErrors as errors:
        return errors.render()
    return ""


def harmed(text: str, dice: random.Random) -> str:
    """The file without one of its entries, or with one word misspelt."""
    entries, words = list(ENTRY.finditer(text)), list(WORD.finditer(text))
    if entries and dice.random() < 0.5:
        entry = dice.choice(entries)
        return text[: entry.start()] + text[entry.end() :]
    word = dice.choice(words)
    return text[: word.end()] + "x" + text[word.end() :]


def test_nothing_is_missed(tmp_path: Path) -> None:
    shutil.copytree(REPOSITORY / "specs", tmp_path / "specs")
    known = sound(load_specs(tmp_path), schemas_digest())
    dice = random.Random(11)
    files = sorted(path for path in (tmp_path / "specs").rglob("*.yaml") if "released" not in path.parts)
    found = 0
    while found < LOOKS:
        path = dice.choice(files)
        text = path.read_text(encoding="utf-8")
        path.write_text(harmed(text, dice), encoding="utf-8")
        answer = told(tmp_path, None)
        assert told(tmp_path, known) == answer, path
        found += bool(answer)
        path.write_text(text, encoding="utf-8")


def test_what_is_known_is_not_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(REPOSITORY / "specs", tmp_path / "specs")
    specs = load_specs(tmp_path)
    known = sound(specs, schemas_digest())
    monkeypatch.setattr(Walker, "check", lambda *_: pytest.fail("it was looked at"))
    assert load_specs(tmp_path, known) == specs


def test_what_was_held_to_other_schemas_is_not_known(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "rate_limits.yaml").write_text("rate_limits: {often: {}}\n", encoding="utf-8")
    wrong = told(tmp_path, None)
    digest = "9" * 64
    assert "missing-key" in wrong
    assert told(tmp_path, Sound(digest, {"specs/rate_limits.yaml": digest}, {})) == wrong
