"""One thing in the project's specs is flipped at random: a check refuses it, or the comparison tells of it, every time.

``make test`` tries twenty, ``make stress`` five hundred; ``ADE_MUTATION_SEED`` makes them others.
"""

from __future__ import annotations

import itertools
import os
import random
import shutil
from pathlib import Path

import pytest

from codegen import memo
from codegen.compat.compare import compare
from codegen.compat.surface import surface
from codegen.diagnostics import SpecErrors
from codegen.watch import Warm, load_warm
from tests.unit.codegen.flips import KINDS, Flip, flips

ROOT = Path(__file__).parents[3]
SEED = int(os.environ.get("ADE_MUTATION_SEED", "1"))


@pytest.mark.parametrize(
    "count", [20, pytest.param(500, marks=[pytest.mark.stress, pytest.mark.timeout(1800)])]
)
def test_every_flip_is_noticed(count: int, tmp_path: Path) -> None:
    """What a flip leaves as it was is neither parsed nor checked again: that is most of the time of a load."""
    shutil.copytree(ROOT / "specs", tmp_path / "specs")
    files = [path for path in (tmp_path / "specs").rglob("*.yaml") if "released" not in path.parts]
    texts = {path.relative_to(tmp_path).as_posix(): path.read_text(encoding="utf-8") for path in files}
    warm, unnoticed = Warm(), []
    with memo.using(warm.store):
        before = surface(load_warm(tmp_path, warm))
        for flip in itertools.islice(flips(texts, random.Random(SEED)), count):
            path = tmp_path / flip.file
            path.write_text(flip.applied(texts[flip.file]), encoding="utf-8")
            try:
                if not compare(before, surface(load_warm(tmp_path, warm.copy()))):
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
