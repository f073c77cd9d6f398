"""``python -m codegen watch``: generate again whenever a spec is saved, and say at once what is wrong with it.

The process stays warm: a file that was not saved is neither parsed nor held to its schema again.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from ade_runtime.strict_yaml.reader import Mapping
from codegen import generate, ir
from codegen.diagnostics import SpecErrors
from codegen.failure import GenerationError
from codegen.load import SpecLoader
from codegen.load.files import SpecFile

PAUSE = 0.05
"""Seconds between two looks at the files."""
Nodes = dict[str, tuple[str, Mapping]]


class WarmLoader(SpecLoader):
    """Takes over the nodes of files that were sound and have not changed; ``nodes`` holds them by name, with the digest."""

    def __init__(self, root: Path, nodes: Nodes) -> None:
        super().__init__(root)
        self.nodes = nodes

    def _read(self, file: SpecFile) -> None:
        known = self.nodes.get(file.name)
        if known is not None and known[0] == file.digest:
            self.texts[file.name] = file.data.decode()
            self.roots.append(known[1])
            self._build(file, known[1])
            return
        self.nodes.pop(file.name, None)
        before, held = len(self.sink.items), len(self.roots)
        super()._read(file)
        if len(self.sink.items) == before and len(self.roots) > held:
            self.nodes[file.name] = (file.digest, self.roots[-1])


def load_warm(root: Path, nodes: Nodes) -> ir.Specs:
    """The specs. Raises SpecErrors."""
    return WarmLoader(root, nodes).load()


def watch(root: Path, *, pause: Callable[[], None] = lambda: time.sleep(PAUSE)) -> int:
    """Generate, then again after every change under ``specs/``, until interrupted. ``pause`` waits between two looks."""
    nodes: Nodes = {}
    seen: tuple[object, ...] | None = None
    _say(f"watching {root / 'specs'}; end it with Ctrl-C")
    try:
        while True:
            now = fingerprint(root)
            if now != seen:
                seen = now
                run(root, nodes)
                gc.collect()
            pause()
    except KeyboardInterrupt:
        return 0


def run(root: Path, nodes: Nodes) -> bool:
    """Generate once; what is wrong goes to standard output, in the form that editors make links of. True where it worked."""
    begun = time.perf_counter()
    try:
        code = generate.gen(root, load=lambda: load_warm(root, nodes))
    except SpecErrors as errors:
        _say(errors.render())
        code = 2
    except GenerationError as error:
        _say(f"error: {error}")
        code = 2
    _say(f"{'done' if code == 0 else 'not done'} in {time.perf_counter() - begun:.2f} s")
    return code == 0


def fingerprint(root: Path) -> tuple[object, ...]:
    """Name, size and time of change of every spec file."""
    return tuple(sorted(_entries(root / "specs")))


def _entries(folder: Path) -> Iterator[tuple[str, int, int]]:
    try:
        with os.scandir(folder) as found:
            for entry in found:
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    yield from _entries(Path(entry.path))
                else:
                    about = entry.stat()
                    yield entry.path, about.st_size, about.st_mtime_ns
    except FileNotFoundError:
        return


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
