"""Between the emitters and the disk: the syntax tree is held against the expected skeleton, then ruff
formats once.
"""

from __future__ import annotations

import subprocess
import sysconfig
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from codegen import cache, ir
from codegen.failure import GenerationError
from codegen.plan import PlannedFile
from codegen.skeleton import harmless, same_shape

Emitter = Callable[[ir.Specs], Iterable[PlannedFile]]
LINE_LENGTH = 110
RUFF = str(Path(sysconfig.get_path("scripts"), "ruff"))


def finish(emitted: Sequence[tuple[Emitter, list[PlannedFile]]], specs: ir.Specs) -> list[PlannedFile]:
    """Every file checked and formatted; those made from the same key before come from the disk."""
    done: list[PlannedFile] = []
    fresh: list[PlannedFile] = []
    tame: ir.Specs | None = None
    for emit, files in emitted:
        stale = []
        for file in files:
            known = file if file.finished else cache.reuse(file.path, file.key or file.content)
            if known is not None:
                done.append(replace(known, sources=file.sources, structure=file.structure))
            else:
                stale.append(file)
        code = [file for file in stale if file.path.suffix == ".py" and not file.checked]
        if code:
            tame = tame or harmless(specs)
            expected = {file.path: file.content for file in emit(tame)}
            for file in code:
                same_shape(str(file.path), file.content, expected.get(file.path, ""))
        fresh += stale
    return done + formatted(fresh)


def formatted(files: Iterable[PlannedFile]) -> list[PlannedFile]:
    """The files with their Python formatted the way the project's own is, whatever configuration is
    around.
    """
    files = list(files)
    code = [file for file in files if file.path.suffix == ".py"]
    if not code:
        return files
    with tempfile.TemporaryDirectory(prefix="ade-gen-") as folder:
        for file in code:
            target = Path(folder, file.path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.data)
        _ruff(folder, "check", "--fix", "--select", "I", "--config", _FIRST_PARTY)
        _ruff(folder, "format", "--line-length", str(LINE_LENGTH))
        made = {file.path: Path(folder, file.path).read_bytes().decode() for file in code}
    return [replace(file, content=made.get(file.path, file.content), finished=True) for file in files]


_FIRST_PARTY = 'lint.isort.known-first-party = ["ade_generated", "ade_runtime"]'


def _ruff(folder: str, command: str, *options: str) -> None:
    line = [
        RUFF,
        command,
        "--isolated",
        "--no-cache",
        "--quiet",
        "--target-version",
        "py311",
        *options,
        ".",
    ]
    run = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode:
        raise GenerationError(f"generated Python is not well-formed:\n{run.stdout}{run.stderr}")
