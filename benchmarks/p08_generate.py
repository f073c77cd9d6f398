"""P8: ``make gen`` from nothing, with nothing to do, and after one spec changed."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.measure import Row, Side, Size, alternate, process

ROOT = Path(__file__).parents[1]
PARTS = ("specs", "codegen", "ade_runtime", "ade_generated", "docs", "pyproject.toml")
SPEC = Path("specs/domains/diff.yaml")
OLD, NEW = "summary: Count what a lane changed.", "summary: Count what a lane has changed."


def measure(size: Size) -> list[Row]:
    base = Path(tempfile.mkdtemp(prefix="ade-bench-"))
    try:
        return _measure(base, size)
    finally:
        shutil.rmtree(base)


def _measure(base: Path, size: Size) -> list[Row]:
    root = base / "project"
    copy_project(root)
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    gen = process([sys.executable, "-m", "codegen", "--root", str(root), "gen"], cwd=ROOT, env=env)
    alone = [sys.executable, "-m", "benchmarks.peers.models_alone"]
    bundle = base / "bundle.json"
    process([*alone, "--bundle", str(root), str(bundle)], cwd=ROOT, env=env)()
    peer = process([*alone, str(bundle)], cwd=ROOT, env=env)
    rounds = size.of(9, 1)
    nothing, idle, changed, bare = alternate(
        [from_nothing(gen, root), gen, after_change(gen, root), peer], rounds, warm_up=size.of(1, 0)
    )
    return [
        Row("P8", "make gen from nothing", nothing, "datamodel-code-generator alone", bare, 2.0),
        Row("P8", "make gen with nothing to do", idle, "0.3 s", 300.0, 1.0),
        Row("P8", "make gen after one spec changed", changed, "make gen from nothing", nothing, 0.5),
    ]


def copy_project(root: Path) -> None:
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, root / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, root / part)


def from_nothing(gen: Side, root: Path) -> Side:
    def side() -> float:
        for folder in (root / "ade_generated", root / "docs" / "reference"):
            shutil.rmtree(folder, ignore_errors=True)
        return gen()

    return side


def after_change(gen: Side, root: Path) -> Side:
    """One sentence of one spec, there and back, so that every round has something to do."""
    spec = root / SPEC

    def side() -> float:
        text = spec.read_text()
        spec.write_text(text.replace(OLD, NEW) if OLD in text else text.replace(NEW, OLD))
        if spec.read_text() == text:
            raise RuntimeError(f"{SPEC} has no line {OLD!r}")
        time.sleep(0.01)
        return gen()

    return side
