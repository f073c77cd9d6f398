"""Secrets of projects and of the machine: values are put and given one by one, and each use is by name."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.storage.times import from_ms, to_ms
from ade_runtime.vault import names
from ade_runtime.vault.marks import note
from ade_runtime.vault.names import MACHINE, Readers, SecretName
from ade_runtime.vault.stores import Stores

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.services import Services
    from ade_runtime.vault.stores import StoreName

log = logging.getLogger("ade.vault")


class Vault:
    """A value is stored before its name is, and removed before its name is: a name without a value can be told and removed,
    a value without a name could not."""

    def __init__(self, services: Services, stores: Stores | None = None) -> None:
        self._services = services
        self._stores = stores or Stores(services.paths)

    async def find(self, owners: Sequence[str], name: str) -> SecretName | None:
        """The secret of that name of the first of ``owners`` that has one."""

        def read(db: Connection) -> SecretName | None:
            return next((found for owner in owners if (found := names.find(db, owner, name))), None)

        return await self._services.database.read(read)

    async def listed(self, owners: Sequence[str]) -> list[SecretName]:
        """Names of these owners, in order."""
        return await self._services.database.read(lambda db: names.listed(db, owners))

    async def value(self, secret: SecretName) -> str:
        """The value; raises ``secret_not_found`` where the store has lost it, and ``secret_store_failed``."""
        found = await self._stores.named(secret.store).get(secret.key)
        if found is None:
            raise errors.SecretNotFound(name=secret.name)
        return found

    async def put(
        self,
        owner: str,
        name: str,
        value: str,
        *,
        author: str,
        readers: Readers | None = None,
        description: str | None = None,
    ) -> tuple[SecretName, bool]:
        """Set a secret, and whether it is new. What is left out stays as it was; raises ``secret_store_failed``."""
        async with self._services.locks.secret(owner, name):
            before = await self.find((owner,), name)
            now = self._now()
            secret = before or SecretName(
                owner=owner,
                name=name,
                store="file",
                readers="agent",
                description=None,
                author=author,
                created_at=now,
                updated_at=now,
            )
            secret = replace(
                secret,
                author=author,
                updated_at=now,
                readers=readers or secret.readers,
                description=secret.description if description is None else description or None,
            )
            secret = replace(secret, store=await self._keep(secret.key, value))
            await self._services.database.write(lambda db: names.put(db, secret))
            note(self._services.paths, secret, there=True)
            if before is not None and before.store != secret.store:
                await self._drop(before)
        await self.sweep()
        return secret, before is None

    async def remove(self, secret: SecretName) -> None:
        """Remove value and name; raises ``secret_store_failed``, and then nothing is removed."""
        async with self._services.locks.secret(secret.owner, secret.name):
            await self._stores.named(secret.store).delete(secret.key)
            await self._services.database.write(lambda db: names.remove(db, secret))
            note(self._services.paths, secret, there=False)

    async def _keep(self, key: str, value: str) -> StoreName:
        """Store the value where it is safest, and say where. A keyring that fails at it gives way to the file."""
        store = await self._stores.preferred()
        try:
            await self._stores.named(store).put(key, value)
        except errors.SecretStoreFailed as problem:
            if store == "file" or self._stores.wanted == "keyring":
                raise
            log.warning("%s; the secret goes to the encrypted file", problem.message)
            await self._stores.file.put(key, value)
            return "file"
        return store

    async def _drop(self, secret: SecretName) -> None:
        try:
            await self._stores.named(secret.store).delete(secret.key)
        except errors.SecretStoreFailed as problem:
            log.warning("an older value of %s could not be removed: %s", secret.name, problem.message)

    async def sweep(self) -> None:
        """Remove what projects left behind that are no longer known."""
        for secret in await self._services.database.read(names.orphans):
            try:
                await self.remove(secret)
            except errors.SecretStoreFailed as problem:
                log.warning(
                    "%s of a forgotten project could not be removed: %s", secret.name, problem.message
                )

    def _now(self) -> datetime:
        return from_ms(to_ms(self._services.clock.now()))


__all__ = ["MACHINE", "Readers", "SecretName", "Vault"]
