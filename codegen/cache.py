"""What an earlier run made from the same inputs, so that it need not be made again.

The store is ``ade_generated/`` itself: a file counts as made from a key when the manifest says so, the
generator is the same and the file's content is what the manifest says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from codegen import ir
from codegen.manifest import Entry, Manifest
from codegen.narrow import key_of, per_domain
from codegen.plan import PlannedFile, digest, read


@dataclass(frozen=True, slots=True)
class Earlier:
    root: Path
    manifest: Manifest


_EARLIER: ContextVar[Earlier | None] = ContextVar("earlier", default=None)


@contextmanager
def using(earlier: Earlier | None) -> Iterator[None]:
    token = _EARLIER.set(earlier)
    try:
        yield
    finally:
        _EARLIER.reset(token)


def reuse(path: PurePosixPath, key: str) -> PlannedFile | None:
    """The finished file made from ``key`` before, or ``None``."""
    entry, data = _before(path)
    if entry is None or data is None or entry.key != digest(key.encode()):
        return None
    return PlannedFile(path, data.decode(), entry.sources, key, finished=True, structure=entry.structure)


def of_structure(path: PurePosixPath, structure: str) -> str | None:
    """The content of the file that differed from the one to make in its texts at most, or ``None``."""
    entry, data = _before(path)
    return data.decode() if entry is not None and data is not None and entry.structure == structure else None


def _before(path: PurePosixPath) -> tuple[Entry | None, bytes | None]:
    """What the manifest says about a file, and its content where nobody touched it."""
    earlier = _EARLIER.get()
    entry = None if earlier is None else earlier.manifest.files.get(str(path))
    if earlier is None or entry is None:
        return None, None
    data = read(earlier.root / path)
    return entry, data if data is not None and (digest(data),) == entry.digests else None


def of_domain(
    path: PurePosixPath,
    domain: ir.Domain,
    specs: ir.Specs,
    make: Callable[[ir.Domain, ir.Specs], str],
    *more: str,
) -> PlannedFile:
    """A file about one domain, made again only when that domain's spec or something that it refers to changed.

    ``make`` is given nothing else. ``more`` are further spec files that the file is said to come from.
    """
    key = key_of(specs, domain)
    return reuse(path, key) or PlannedFile(path, per_domain(make)(domain, specs), (domain.file, *more), key)
