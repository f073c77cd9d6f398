"""Watching: a save is generated from, a mistake is told, and what did not change is not read again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from codegen import watch
from codegen.diagnostics import SpecErrors
from codegen.load import load_specs
from tests.unit.codegen.specs_on_disk import NOTE, edited, write

ROOT = Path(__file__).resolve().parents[3]
OTHER = NOTE.replace("domain: note", "domain: other").replace("group: notes", "group: others")


def test_a_warm_load_gives_what_a_cold_one_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write(tmp_path, {"domains/other.yaml": OTHER})
    nodes: watch.Nodes = {}
    assert watch.load_warm(root, nodes) == load_specs(root)
    write(root, {"domains/other.yaml": edited(("maxLength: 500", "maxLength: 400"), text=OTHER)})
    parsed: list[str] = []
    real = watch.SpecLoader._read
    monkeypatch.setattr(
        watch.SpecLoader, "_read", lambda self, file: (parsed.append(file.name), real(self, file))[1]
    )
    found = watch.load_warm(root, nodes)
    assert parsed == ["specs/domains/other.yaml"]
    assert found == load_specs(root)


def test_a_mistake_is_told_again_and_again_until_it_is_mended(tmp_path: Path) -> None:
    root = write(tmp_path)
    nodes: watch.Nodes = {}
    watch.load_warm(root, nodes)
    write(root, {"domains/note.yaml": edited(("effect: write", "effect: wirte"), text=NOTE)})
    for _ in range(2):
        with pytest.raises(SpecErrors) as caught:
            watch.load_warm(root, nodes)
        assert [(one.code, one.span.line) for one in caught.value.diagnostics] == [("wrong-value", 8)]
    write(root, {"domains/note.yaml": NOTE})
    assert watch.load_warm(root, nodes) == load_specs(root)


def test_only_saves_of_specs_count(tmp_path: Path) -> None:
    root = write(tmp_path)
    before = watch.fingerprint(root)
    (root / "specs" / ".note.yaml.swp").write_text("x")
    (root / "README.md").write_text("x")
    assert watch.fingerprint(root) == before
    write(root, {"domains/other.yaml": OTHER})
    assert watch.fingerprint(root) != before
    assert watch.fingerprint(root / "nowhere") == ()


def test_each_save_is_generated_from(tmp_path: Path) -> None:
    """The real program, driven by what it says."""
    root = write(tmp_path)
    line = [sys.executable, "-m", "codegen", "--root", str(root), "watch"]
    with subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said: list[str] = []

        def until(words: str) -> list[str]:
            assert process.stdout is not None
            for told in process.stdout:
                said.append(told)
                if words in told:
                    break
            found, said[:] = said[:], []
            return found

        try:
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
        finally:
            process.terminate()
