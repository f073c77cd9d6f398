"""``python -m codegen watch``: generate again whenever a spec is saved, and say at once what is wrong with it.

The process stays warm: a file that was not saved is neither parsed nor held to its schema again.
"""

from __future__ import annotations

import gc
import itertools
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from ade_runtime.strict_yaml.reader import Mapping
from codegen import generate, ir, memo
from codegen.diagnostics import SpecErrors
from codegen.failure import GenerationError
from codegen.load import SCHEMAS, SpecLoader
from codegen.load.files import SpecFile
from codegen.places import FilePlaces

PAUSE = 0.05
"""Seconds between two looks at the files."""
SELDOM = 20
"""Looks at the specs for each one at the generator itself."""
ANEW = 75
"""Exit code of a watch that is to be started anew: a failure that passes (``EX_TEMPFAIL`` of sysexits.h)."""
R = TypeVar("R")


@dataclass(slots=True)
class Known:
    """A file that was sound: its nodes, where they stand, and what they amount to."""

    digest: str
    node: Mapping
    places: FilePlaces
    made: Any


@dataclass(slots=True)
class Warm:
    """What a watching process keeps: the files that were sound, by name; the keys of the domains that were found right; and
    what was made of them."""

    files: dict[str, Known] = field(default_factory=dict)
    proven: dict[str, tuple[ir.Domain, str]] = field(default_factory=dict)
    store: memo.Store = field(default_factory=memo.Store)

    def copy(self) -> Warm:
        """The same to begin with, for one load that is to leave no trace but in the store."""
        return Warm(dict(self.files), dict(self.proven), self.store)


class WarmLoader(SpecLoader):
    """Takes over what is known of files that were sound and have not changed."""

    def __init__(self, root: Path, warm: Warm) -> None:
        super().__init__(root)
        self.warm = warm
        self._known: Known | None = None
        self._made: Any = None

    def load(self) -> ir.Specs:
        specs = super().load()
        self.warm.proven = {domain.name: (domain, self.proof(domain, specs)) for domain in specs.domains}
        return specs

    def is_proven(self, domain: ir.Domain, specs: ir.Specs) -> bool:
        before = self.warm.proven.get(domain.name)
        return before is not None and before[0] is domain and before[1] == self.proof(domain, specs)

    def made_of(self, file: SpecFile, build: Callable[[], R]) -> R:
        self._made = build() if self._known is None else self._known.made
        made: R = self._made
        return made

    def _read(self, file: SpecFile) -> None:
        known = self.warm.files.pop(file.name, None)
        if known is not None and known.digest == file.digest:
            self.texts[file.name] = file.data.decode()
            self.roots.append(known.node)
            self.places.take(file.name, known.places)
            self._known = known
            self._build(file, known.node)
            self._known = None
            self.warm.files[file.name] = known
            return
        before, held = len(self.sink.items), len(self.roots)
        self._made = None
        super()._read(file)
        if len(self.sink.items) == before and len(self.roots) > held:
            places = self.places.of_file(file.name)
            self.warm.files[file.name] = Known(file.digest, self.roots[-1], places, self._made)


def load_warm(root: Path, warm: Warm) -> ir.Specs:
    """The specs. Raises SpecErrors."""
    return WarmLoader(root, warm).load()


def watch(root: Path, *, pause: Callable[[], None] = lambda: time.sleep(PAUSE)) -> int:
    """Generate, then again after every change under ``specs/``, until interrupted. ``pause`` waits between two looks.

    A change of the generator's own code ends it with exit code :data:`ANEW`.
    """
    warm = Warm()
    seen: tuple[object, ...] | None = None
    code = _code()
    _say(f"watching {root / 'specs'}; end it with Ctrl-C")
    try:
        for look in itertools.count(1):
            if look % SELDOM == 0 and _code() != code:
                _say("the generator changed; starting anew")
                return ANEW
            now = fingerprint(root / "specs")
            if now != seen:
                run(root, warm, first=seen is None)
                seen = now
                gc.collect()
            pause()
    except KeyboardInterrupt:
        pass
    return 0


def run(root: Path, warm: Warm, *, first: bool = False) -> bool:
    """Generate once, the ``first`` time everything, so that the next is quick. True where it worked.

    What is wrong goes to standard output, in the form that editors make links of.
    """
    begun = time.perf_counter()
    loaded: list[ir.Specs] = []

    def load() -> ir.Specs:
        loaded.append(load_warm(root, warm))
        return loaded[-1]

    try:
        with memo.using(warm.store):
            code = generate.gen(root, load=load, anyway=first)
            if first:
                generate.prepare(*loaded)
        if loaded and code == 0:
            warm.store.turn()
    except SpecErrors as errors:
        _say(errors.render())
        code = 2
    except GenerationError as error:
        _say(f"error: {error}")
        code = 2
    _say(f"{'done' if code == 0 else 'not done'} in {time.perf_counter() - begun:.2f} s")
    return code == 0


def fingerprint(*folders: Path) -> tuple[object, ...]:
    """Name, size and time of change of every file."""
    return tuple(sorted(entry for folder in folders for entry in _entries(folder)))


def _code() -> tuple[object, ...]:
    return fingerprint(generate.CODE, generate.READER, SCHEMAS)


def _entries(folder: Path) -> Iterator[tuple[str, int, int]]:
    try:
        with os.scandir(folder) as found:
            for entry in found:
                if entry.name.startswith(".") or entry.name == "__pycache__":
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
