"""Where values of secrets can be kept."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ade_runtime.machine.paths import Paths

StoreName = Literal["keyring", "file"]
KEY_FILE_VARIABLE = "ADE_SECRET_KEY_FILE"
STORE_VARIABLE = "ADE_SECRET_STORE"


class Store(Protocol):
    """Keeps values by key. Every method may raise ``secret_store_failed``, whose text never holds a value."""

    async def get(self, key: str) -> str | None: ...

    async def put(self, key: str, value: str) -> None: ...

    async def delete(self, key: str) -> None:
        """Remove a value; one that is not there is no error."""


class Stores:
    """The stores of one ADE_HOME. ``environ`` may say which to use: ``auto`` (the keyring where it works), ``keyring`` or
    ``file``."""

    def __init__(self, paths: Paths, environ: Mapping[str, str] = os.environ) -> None:
        from ade_runtime.vault.encrypted_file import EncryptedFile
        from ade_runtime.vault.system_keyring import SystemKeyring

        folder = paths.home / "secrets"
        named = environ.get(KEY_FILE_VARIABLE)
        key = Path(named).expanduser() if named else folder / "key"
        self.wanted = environ.get(STORE_VARIABLE) or "auto"
        self.keyring = SystemKeyring(str(paths.home), environ)
        self.file = EncryptedFile(folder / "values.json", key)

    def named(self, name: StoreName) -> Store:
        return self.keyring if name == "keyring" else self.file

    async def preferred(self) -> StoreName:
        """The store for a new value. An unusable keyring is passed over unless it is the one that was asked for."""
        if self.wanted == "file":
            return "file"
        if self.wanted == "keyring":
            return "keyring"
        return "keyring" if await self.keyring.usable() else "file"
