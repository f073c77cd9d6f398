"""What an earlier run made from the same inputs, so that it need not be made again.

The store is ``ade_generated/`` itself: a file counts as made from a key when the manifest says so, the
generator is the same and the file's content is what the manifest says.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from codegen import ir
from codegen.manifest import Entry, Manifest
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
    path: PurePosixPath, domain: ir.Domain, specs: ir.Specs, make: Callable[[], str]
) -> PlannedFile:
    """A file about one domain, made again only when that domain's spec or one outside ``specs/domains`` changed.

    Only for content that no other domain's spec can change.
    """
    others = {other.file for other in specs.domains} - {domain.file}
    read_from = {name: sha for name, sha in specs.sources.items() if name not in others}
    key = json.dumps([domain.file, read_from], sort_keys=True)
    return reuse(path, key) or PlannedFile(path, make(), (domain.file,), key)
