"""Packs on the site: their actions beside ADE's own, each with its origin and what performs it. Nothing of them is run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from codegen import ir
from codegen.failure import GenerationError
from codegen.packs.load import Pack, load_pack
from codegen.site.build import Origin

PROJECT = Path(".ade", "specs")
PACKAGE = Path("ade_specs")


def with_packs(specs: ir.Specs, folders: Sequence[Path]) -> tuple[ir.Specs, dict[str, Origin]]:
    """The specs with those of packs among them, and the origin of each domain that is not ADE's.

    A folder is a project with ``.ade/specs`` or a Python package with ``ade_specs``. Raises :class:`GenerationError` for any
    other, and ``SpecErrors`` for what is wrong with a pack.
    """
    origins: dict[str, Origin] = {}
    domains = list(specs.domains)
    for folder in folders:
        commands = (folder / PROJECT).is_dir()
        place = folder / (PROJECT if commands else PACKAGE)
        files = {path.name: path.read_bytes() for path in sorted(place.glob("*.yaml"))}
        if not files:
            raise GenerationError(f"{folder} has no pack: neither {PROJECT}/*.yaml nor {PACKAGE}/*.yaml")
        pack = load_pack(files, commands=commands)
        taken = {domain.name for domain in domains} & {domain.name for domain in pack.domains}
        if taken:
            raise GenerationError(f"{folder} brings {', '.join(sorted(taken))}, and so does another pack")
        origins |= _origins(pack, folder.resolve().name, commands=commands)
        domains += pack.domains
    return replace(specs, domains=tuple(sorted(domains, key=lambda domain: domain.name))), origins


def _origins(pack: Pack, name: str, *, commands: bool) -> dict[str, Origin]:
    kind = "the repository" if commands else "the Python package"
    told = f"It comes from {kind} {name} and is not part of ADE; it is there once the owner trusts it."
    return {
        domain.name: Origin(name, told, {action.id: _runs(pack, action) for action in domain.actions})
        for domain in pack.domains
    }


def _runs(pack: Pack, action: ir.Action) -> str:
    run = pack.runs.get(action.id)
    if run is None:
        return f"its function {action.name}"
    words = (" ".join(item) if len(item) == 1 else f"[{' '.join(item)}]" for item in run.argv)
    return " ".join(words)
