"""Values in a file, each encrypted with AES-256-GCM and bound to its key, so that none can be put in another's place.

The file's own key is in a file of its own that only the owner may read. Whoever has both has the values: what this
guards against is a copy, a backup or a search of the one file, not a process of the same user.
"""

from __future__ import annotations

import asyncio
import base64
import fcntl
import json
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from ade_generated import errors
from ade_runtime.machine.paths import private_folder

T = TypeVar("T")
VERSION = 1
KEY_BYTES = 32
NONCE_BYTES = 12
STORE = "the encrypted file"


class _Unusable(ValueError):
    """Why the file cannot be used, and what to do about it."""

    def __init__(self, reason: str, hint: str) -> None:
        super().__init__(reason)
        self.reason, self.hint = reason, hint


class EncryptedFile:
    """``path`` holds the values; ``key_path`` the key, made with the first value."""

    def __init__(self, path: Path, key_path: Path) -> None:
        self._path = path
        self._key_path = key_path

    async def get(self, key: str) -> str | None:
        return await asyncio.to_thread(self._guarded, lambda: self._get(key))

    async def put(self, key: str, value: str) -> None:
        await asyncio.to_thread(self._guarded, lambda: self._put(key, value))

    async def delete(self, key: str) -> None:
        await asyncio.to_thread(self._guarded, lambda: self._delete(key))

    def _get(self, key: str) -> str | None:
        entry = self._entries().get(key)
        return None if entry is None else self._opened(key, entry)

    def _put(self, key: str, value: str) -> None:
        with self._locked():
            entries = self._entries()
            secret = self._key() if entries or self._key_path.exists() else self._new_key()
            self._write({**entries, key: _sealed(secret, key, value)})

    def _delete(self, key: str) -> None:
        with self._locked():
            entries = self._entries()
            if entries.pop(key, None) is not None:
                self._write(entries)

    def _entries(self) -> dict[str, str]:
        try:
            document = json.loads(self._path.read_bytes())
        except FileNotFoundError:
            return {}
        if not isinstance(document, dict) or document.get("version") != VERSION:
            raise _Unusable(
                f"{self._path} is of another version", "Use the ADE that wrote it, or a newer one."
            )
        entries = document["values"]
        if not isinstance(entries, dict):
            raise self._damaged()
        return {str(name): str(entry) for name, entry in entries.items()}

    def _opened(self, key: str, entry: str) -> str:
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        data = base64.b64decode(entry)
        try:
            text = AESGCM(self._key()).decrypt(data[:NONCE_BYTES], data[NONCE_BYTES:], key.encode())
        except InvalidTag:
            raise self._keyless("is not the key it was encrypted with") from None
        return text.decode("utf-8")

    def _key(self) -> bytes:
        try:
            status = self._key_path.stat()
        except FileNotFoundError:
            raise self._keyless("is gone") from None
        if status.st_uid != os.getuid() or stat.S_IMODE(status.st_mode) & 0o077:
            hint = f"Run `chmod 600 {self._key_path}`, and change the secrets at their sources: others may know them."
            raise _Unusable(f"others may read {self._key_path}", hint)
        key = base64.b64decode(self._key_path.read_bytes())
        if len(key) != KEY_BYTES:
            raise self._keyless("holds no key")
        return key

    def _new_key(self) -> bytes:
        key = os.urandom(KEY_BYTES)
        private_folder(self._key_path.parent)
        _replace(self._key_path, base64.b64encode(key) + b"\n")
        return key

    def _write(self, entries: dict[str, str]) -> None:
        document = {"version": VERSION, "values": dict(sorted(entries.items()))}
        _replace(self._path, json.dumps(document, indent=1).encode() + b"\n")

    @contextmanager
    def _locked(self) -> Iterator[None]:
        private_folder(self._path.parent)
        lock = os.open(self._path.with_name("lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def _guarded(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except OSError as problem:
            reason = f"{problem.strerror or 'failed'}: {problem.filename or self._path}"
            raise errors.SecretStoreFailed(store=STORE, reason=reason) from None
        except (ValueError, KeyError, TypeError) as problem:
            known = problem if isinstance(problem, _Unusable) else self._damaged()
        raise errors.SecretStoreFailed(store=STORE, reason=known.reason, hint=known.hint)

    def _keyless(self, what: str) -> _Unusable:
        hint = (
            f"Put the key back from a copy of {self._key_path}. Without it nothing in {self._path} can be read: move that file "
            "away and set the secrets anew with `ade secrets set NAME`."
        )
        return _Unusable(f"{self._key_path} {what}", hint)

    def _damaged(self) -> _Unusable:
        hint = f"Put {self._path} back from a copy, or move it away and set the secrets anew with `ade secrets set NAME`."
        return _Unusable(f"{self._path} is damaged", hint)


def _sealed(secret: bytes, key: str, value: str) -> str:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    nonce = os.urandom(NONCE_BYTES)
    data = AESGCM(secret).encrypt(nonce, value.encode("utf-8"), key.encode())
    return base64.b64encode(nonce + data).decode()


def _replace(path: Path, data: bytes) -> None:
    """Put a file in place as a whole, readable by the owner alone and safely on the disk."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    folder: Any = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
