"""One thing in the project's specs is flipped at random: a check refuses it, or the comparison tells of it, every time.

``make test`` tries a few; ``ADE_MUTATIONS=500`` tries five hundred, ``ADE_MUTATION_SEED`` others.
"""

from __future__ import annotations

import itertools
import os
import random
import shutil
from pathlib import Path

import pytest

from ade_runtime.strict_yaml.reader import Mapping, read
from codegen.compat.compare import compare
from codegen.compat.surface import surface
from codegen.diagnostics import Sink, SpecErrors
from codegen.load import load_specs
from tests.unit.codegen.flips import KINDS, Flip, flips

ROOT = Path(__file__).parents[3]
COUNT = int(os.environ.get("ADE_MUTATIONS", "6"))
SEED = int(os.environ.get("ADE_MUTATION_SEED", "1"))


@pytest.fixture
def parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that a flip leaves as they are need not be parsed again: that is most of the time of a load."""
    nodes: dict[tuple[str, str], Mapping | None] = {}

    def read_once(text: str, name: str, sink: Sink) -> Mapping | None:
        if (name, text) not in nodes:
            before = len(sink.items)
            found = read(text, name, sink)
            if len(sink.items) > before:
                return found
            nodes[name, text] = found
        return nodes[name, text]

    monkeypatch.setattr("codegen.load.read", read_once)


@pytest.mark.timeout(120 + 6 * COUNT)
@pytest.mark.usefixtures("parsed_once")
def test_every_flip_is_noticed(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "specs", tmp_path / "specs")
    files = [path for path in (tmp_path / "specs").rglob("*.yaml") if "released" not in path.parts]
    texts = {path.relative_to(tmp_path).as_posix(): path.read_text(encoding="utf-8") for path in files}
    before = surface(load_specs(tmp_path))
    unnoticed = []
    for flip in itertools.islice(flips(texts, random.Random(SEED)), COUNT):
        path = tmp_path / flip.file
        path.write_text(flip.applied(texts[flip.file]), encoding="utf-8")
        try:
            if not compare(before, surface(load_specs(tmp_path))):
                unnoticed.append(flip.told(texts[flip.file]))
        except SpecErrors:
            pass
        finally:
            path.write_text(texts[flip.file], encoding="utf-8")
    assert not unnoticed, "\n".join(unnoticed)


def test_flips_reach_every_kind() -> None:
    files = {
        "a.yaml": (
            "    effect: write\n    min_role: agent\n    toolset: base\n    scope: machine\n    idempotency: none\n"
            "    timeout: 10s\n    errors: [a, b]\n    tool: make\n"
            "x: {maxLength: 3, enum: [a, b], default: true, optional: true, cli: {short: -l, flag: --all, positional: true}}\n"
            "y: {pattern: '^[a-z]$', exit: failed, rank: 1}\n    limit: 3\n"
        )
    }
    found: list[Flip] = list(itertools.islice(flips(files, random.Random(1)), 400))
    assert {flip.kind for flip in found} == {kind for kind, _, _ in KINDS}
    assert all(flip.applied(files["a.yaml"]) != files["a.yaml"] for flip in found)
