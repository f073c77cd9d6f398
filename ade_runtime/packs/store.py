"""Which packs the owner added and trusts, and what was trusted, kept in ADE_HOME.

``packs/known.json`` lists the packs. ``packs/HASH/`` holds what a trusted content needs to run: its compiled actions, and its
files as they were reviewed, so that what runs is what was trusted whatever happens in the repository meanwhile.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from ade_runtime.machine.paths import private_folder
from ade_runtime.packs.records import Known

if TYPE_CHECKING:
    from ade_runtime.packs.sources import Source

FOLDER = "packs"
LIST = "known.json"
COMPILED = "compiled.json"
FORMAT = 3
"""Form of what is compiled of a pack; 2 says of an action whether it moves refs, 3 what of it will go."""


class Store:
    """The packs of one ADE_HOME; the files are the only state, so that processes never disagree."""

    def __init__(self, home: Path) -> None:
        self.folder = home / FOLDER
        self.list = self.folder / LIST
        self._path = str(self.list)

    def mark(self) -> tuple[int, int, int] | None:
        """Changes whenever the list does; ``None`` where there is none."""
        try:
            found = os.stat(self._path)  # noqa: PTH116
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def known(self) -> list[Known]:
        """Every pack that was added, by name."""
        try:
            rows = orjson.loads(self.list.read_bytes())["packs"]
        except FileNotFoundError:
            return []
        return [Known(**row) for row in rows]

    @contextlib.contextmanager
    def changing(self) -> Iterator[list[Known]]:
        """The list, to be changed in place: it is written when the block ends, and nobody else changes it meanwhile."""
        private_folder(self.folder)
        with (self.folder / "lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            packs = self.known()
            yield packs
            rows = [asdict(pack) for pack in sorted(packs, key=lambda pack: pack.name)]
            self._write(self.list, orjson.dumps({"packs": rows}, option=orjson.OPT_INDENT_2))

    def content(self, hash_: str) -> Path:
        """The folder of a trusted content."""
        return self.folder / hash_.removeprefix("sha256:")

    def keep(self, source: Source, compiled: dict[str, Any]) -> None:
        """Put a content in place, whole or not at all."""
        target = self.content(source.hash)
        private_folder(self.folder)
        made = Path(tempfile.mkdtemp(prefix="new-", dir=self.folder))
        try:
            for file in source.files if source.kind == "project" else ():
                path = made / "files" / file.path
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                path.write_bytes(file.data)
                path.chmod(0o500 if file.executable else 0o400)
            (made / COMPILED).write_bytes(orjson.dumps(compiled))
            shutil.rmtree(target, ignore_errors=True)
            made.rename(target)
        finally:
            shutil.rmtree(made, ignore_errors=True)

    def compiled(self, hash_: str) -> dict[str, Any] | None:
        """What was compiled of a content; ``None`` where it is gone or of another version's form."""
        try:
            found: dict[str, Any] = orjson.loads((self.content(hash_) / COMPILED).read_bytes())
        except (OSError, orjson.JSONDecodeError):
            return None
        return found if found.get("format") == FORMAT else None

    def drop(self, hash_: str) -> None:
        """Remove a content that nobody trusts any more."""
        shutil.rmtree(self.content(hash_), ignore_errors=True)

    def _write(self, path: Path, data: bytes) -> None:
        with tempfile.NamedTemporaryFile(dir=self.folder, delete=False) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(file.name).replace(path)
