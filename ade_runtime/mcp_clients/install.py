"""Putting ADE's entry into a client's file, and taking it out again to the byte.

What was done is recorded in ADE_HOME beside a copy of the file as it was. As long as nobody else changed the file, undoing puts
that copy back; where somebody did, our text alone goes. An entry that ade did not put there is never touched.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from ade_runtime.machine.install import blocks, files
from ade_runtime.machine.install.blocks import DamagedBlockError
from ade_runtime.machine.install.files import UnusableFileError
from ade_runtime.mcp_clients import jsonc
from ade_runtime.mcp_clients.clients import NAME, Client, snippet
from ade_runtime.mcp_clients.jsonc import DamagedJsonError
from ade_runtime.mcp_endpoint.service import RECORD

BACKUPS = "backups"
State = Literal["absent", "present", "other", "written", "unchanged", "removed"]


class ForeignEntryError(Exception):
    """The file has an entry named ade that this program did not put there."""


@dataclass(frozen=True, slots=True)
class Written:
    """What was done to a file: ``before`` in it was replaced by ``after``. ``backup`` holds the file as it was, ``None`` where
    there was none; ``digest`` is the SHA-256 of what was written, ``folders`` those made for it."""

    before: str
    after: str
    digest: str
    backup: str | None
    folders: tuple[str, ...] = field(default=())


class Installer:
    """Works on one client's file. Raises :class:`UnusableFileError` where it is beyond us, and :class:`ForeignEntryError`."""

    def __init__(self, home: Path, client: Client, path: Path) -> None:
        self._home = home
        self._client = client
        self._path = path
        self._keys = (*client.keys, NAME)

    def state(self, entry: Mapping[str, Any]) -> State:
        """Whether the file has this very entry, another one of that name, or none."""
        found = self._entry(files.read(self._path))
        if found is None:
            return "absent"
        return "present" if found == entry else "other"

    def write(self, entry: Mapping[str, Any]) -> tuple[State, str | None]:
        """Have the entry in the file; gives what became of it and where the file as it was is kept."""
        data = files.read(self._path)
        records = self._records()
        done = records.get(str(self._path))
        if self._entry(data) == entry:
            return "unchanged", None if done is None else done.backup
        if done is not None:
            data = self._undone(data, done)
        if self._entry(data) is not None:
            raise ForeignEntryError
        made, before, after = self._with(data, entry)
        if self._entry(made) != entry:
            raise UnusableFileError("would not hold the entry afterwards; write it in by hand")
        files.check_writable(self._path)
        backup = done.backup if done is not None and self._kept(done) == data else self._back_up(data)
        folders = done.folders if done is not None else tuple(map(str, files.missing(self._path.parent)))
        records[str(self._path)] = Written(before, after, _digest(made), backup, folders)
        self._save(records)
        files.make_folders(self._path.parent)
        files.write(self._path, made)
        return "written", backup

    def undo(self) -> State:
        """Take the entry out again."""
        records = self._records()
        done = records.pop(str(self._path), None)
        if done is None:
            return "other" if self._entry(files.read(self._path)) is not None else "absent"
        data = files.read(self._path)
        before = self._undone(data, done)
        if before is None:
            files.remove(self._path)
        elif before != data:
            files.write(self._path, before)
        for folder in reversed(done.folders):
            try:
                Path(folder).rmdir()
            except OSError:
                break  # somebody uses it by now
        self._save(records)
        if done.backup is not None:
            Path(done.backup).unlink(missing_ok=True)
        return "removed"

    # -- texts

    def _entry(self, data: bytes | None) -> Any:
        if data is None:
            return None
        try:
            if self._client.format == "toml":
                value: Any = tomllib.loads(data.decode())
                for key in self._keys:
                    value = value.get(key) if isinstance(value, dict) else None
                return value
            return jsonc.value_of(data.decode(), self._keys)
        except UnicodeDecodeError:
            raise UnusableFileError("is not text in UTF-8") from None
        except DamagedJsonError as problem:
            raise UnusableFileError(str(problem)) from None
        except tomllib.TOMLDecodeError as problem:
            raise UnusableFileError(f"is not TOML: {problem}") from None

    def _with(self, data: bytes | None, entry: Mapping[str, Any]) -> tuple[bytes, str, str]:
        if self._client.format == "toml":
            try:
                return blocks.put(data, snippet(self._client, entry)), "", ""
            except DamagedBlockError as problem:
                raise UnusableFileError(str(problem)) from None
        try:
            edit = jsonc.put((data or b"").decode(), self._keys, entry)
        except DamagedJsonError as problem:
            raise UnusableFileError(str(problem)) from None
        return edit.text.encode(), edit.before, edit.after

    def _undone(self, data: bytes | None, done: Written) -> bytes | None:
        """The file as it was before ``done``: to the byte where nobody changed it since, else without our part."""
        if data is None:
            return None
        if _digest(data) == done.digest:
            return self._kept(done)
        if self._client.format == "toml":
            try:
                return blocks.take(data)
            except DamagedBlockError as problem:
                raise UnusableFileError(str(problem)) from None
        text = data.decode()
        if done.after and text.count(done.after) == 1:
            return text.replace(done.after, done.before).encode()
        try:
            return jsonc.take(text, self._keys).encode()
        except DamagedJsonError as problem:
            raise UnusableFileError(str(problem)) from None

    # -- what is kept

    def _kept(self, done: Written) -> bytes | None:
        if done.backup is None:
            return None
        kept = files.read(Path(done.backup))
        if kept is None:
            raise UnusableFileError(f"cannot be put back: its copy {done.backup} is gone")
        return kept

    def _back_up(self, data: bytes | None) -> str | None:
        if data is None:
            return None
        folder = self._home / BACKUPS
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / f"{_digest(str(self._path).encode())[:12]}-{self._path.name}"
        files.write(path, data, 0o600)
        return str(path)

    def _records(self) -> dict[str, Written]:
        try:
            found = json.loads(files.read(self._home / RECORD) or b"{}")
            return {path: Written(**{**one, "folders": tuple(one["folders"])}) for path, one in found.items()}
        except (ValueError, TypeError, KeyError, AttributeError):
            raise UnusableFileError(f"is recorded in {self._home / RECORD}, which is damaged") from None

    def _save(self, records: Mapping[str, Written]) -> None:
        document = {
            path: {
                "before": one.before,
                "after": one.after,
                "digest": one.digest,
                "backup": one.backup,
                "folders": list(one.folders),
            }
            for path, one in records.items()
        }
        self._home.mkdir(mode=0o700, parents=True, exist_ok=True)
        files.write(self._home / RECORD, json.dumps(document, indent=2).encode(), 0o600)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
