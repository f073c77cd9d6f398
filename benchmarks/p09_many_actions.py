"""P9: generation with ten times the actions, its memory, and P1 where three thousand actions are added to ADE's own."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from benchmarks.measure import Row, Side, Size, alternate, process
from benchmarks.p08_generate import copy_project
from benchmarks.place import ADE, Place, place, words
from tests.unit.codegen import many, toy

FEW, MANY = 300, 3000
MEMORY = 1024.0
"""MiB."""


def measure(size: Size) -> list[Row]:
    base = Path(tempfile.mkdtemp(prefix="ade-bench-"))
    try:
        return [*_generation(base, size), _listing(base, size)]
    finally:
        shutil.rmtree(base)


def _generation(base: Path, size: Size) -> list[Row]:
    memory: list[int] = []
    sides = [_from_nothing(base / f"of-{count}", count, memory) for count in (FEW, MANY)]
    few, many_of = alternate(sides, size.of(3, 1), warm_up=0)
    what = f"generation with {MANY} actions"
    return [
        Row("P9", what, many_of, f"with {FEW}", few, 12.0),
        Row("P9", f"{what}, most memory", float(max(memory)), "1 GiB", MEMORY, 1.0, unit="MiB"),
    ]


def _from_nothing(root: Path, actions: int, memory: list[int]) -> Side:
    def side() -> float:
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir()
        taken = many.generate(root, actions)
        memory.append(taken.memory)
        return taken.seconds

    return side


def _listing(base: Path, size: Size) -> Row:
    """Two runtimes, of checkouts that differ in nothing but actions; the same command to each in turn."""
    programs = _checkout(base / "usual", 0), _checkout(base / "large", MANY)
    with place(files=5, program=programs[0]) as usual, place(files=5, program=programs[1]) as other:
        for here in (usual, other):
            for name in ("one", "two", "three"):
                here.ade("lanes", "create", name)
        ours, peer = alternate([_list(other), _list(usual)], rounds=size.of(60, 3), warm_up=3)
    return Row("P9", f"ade lanes list --json, {MANY} actions more", ours, "without them", peer, 1.2)


def _list(here: Place) -> Side:
    return process(words([here.program, "lanes", "list", "--json"]), cwd=here.project, env=here.env)


def _checkout(root: Path, actions: int) -> Path:
    """A checkout with so many actions more, and an interpreter of its own that finds it first; gives its ``ade``.

    The actions are in ten domains: guidance names each, and may not grow without end.
    """
    project, programs = root / "project", root / "venv"
    copy_project(project)
    if actions:
        toy.write_types(project, many.TYPES)
    for domain in many.domains(actions, a_domain=FEW):
        toy.write_domain(project, domain)
    process([sys.executable, "-m", "codegen", "--root", str(project), "gen"], cwd=project, env={})()
    process([sys.executable, "-m", "venv", "--without-pip", str(programs)], cwd=root, env={})()
    (packages,) = (programs / "lib").glob("python*/site-packages")
    packages.joinpath("ade.pth").write_text(f"{project}\n{_site_packages()}\n")
    program = programs / "bin" / "ade"
    text = ADE.read_text().partition("\n")[2]
    program.write_text(f"#!{programs / 'bin' / 'python'}\n{text}")
    program.chmod(0o755)
    return program


def _site_packages() -> str:
    import pydantic

    return str(Path(pydantic.__file__).parents[1])
