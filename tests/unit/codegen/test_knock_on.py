"""A file that cannot be read is told of once: nothing in other files is called wrong for what stands in it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from codegen.diagnostics import SpecErrors
from codegen.watch import Warm, load_warm

REPOSITORY = Path(__file__).parents[3]
SPECS = REPOSITORY / "specs"
DOMAINS = ("chat", "lane", "run")
"""Domains that others refer to: a group inside theirs, an action in place of a deprecated one, a tool of the same name."""
FILES = [
    path.relative_to(REPOSITORY)
    for path in (
        *sorted(SPECS.glob("*.yaml")),
        *sorted(SPECS.glob("types/*.yaml")),
        *(SPECS / "domains" / f"{name}.yaml" for name in DOMAINS),
    )
]


def test_a_broken_file_is_the_only_one_told_of(tmp_path: Path) -> None:
    shutil.copytree(REPOSITORY / "specs", tmp_path / "specs")
    warm = Warm()
    load_warm(tmp_path, warm)
    for file in FILES:
        text = (tmp_path / file).read_text(encoding="utf-8")
        (tmp_path / file).write_text(f"{text}\n}}: [\n", encoding="utf-8")
        with pytest.raises(SpecErrors) as caught:
            load_warm(tmp_path, warm.copy())
        (tmp_path / file).write_text(text, encoding="utf-8")
        told = {found.span.file for found in caught.value.diagnostics}
        assert told == {file.as_posix()}, caught.value.render()
