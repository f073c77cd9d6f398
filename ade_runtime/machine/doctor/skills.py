"""Skills that agents started here will see."""

from __future__ import annotations

from collections.abc import Iterator

from ade_runtime.machine.doctor.rows import Place, Row
from ade_runtime.machine.skill_roots import VARIABLE, named_roots, skill_files, skill_roots


def check(place: Place) -> Iterator[Row]:
    gone = [str(root) for root in named_roots(place.environ) if not root.is_dir()]
    if gone:
        step = f"Take it out of {VARIABLE}, or make the folder."
        yield Row("skills", "warn", f"{VARIABLE} names {', '.join(gone)}, which does not exist", step)
    roots = skill_roots(place.environ, place.cwd, place.home)
    counts = [(root.path, len(skill_files(root.path))) for root in roots]
    own = "; your own go to .agents/skills of a project or of your home" if len(roots) < 2 else ""
    yield Row("skills", "ok", ", ".join(f"{count} in {path}" for path, count in counts) + own)
