"""Secrets by name: who may have which, and values one by one. No message here may hold a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models import secret as models
from ade_generated.models.types import SecretName
from ade_generated.roles import ROLES
from ade_runtime.paging import cut
from ade_runtime.vault.names import MACHINE

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services
    from ade_runtime.vault import names
    from ade_runtime.vault.service import Vault


class SecretHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def list(self, call: Call, args: models.SecretListInput) -> models.SecretListOutput:
        found = await self._vault.listed(await self._owners(call, args.machine, args.project))
        mine = [secret for secret in found if _may_have(call, secret)]
        page, rest = cut(mine, args.cursor, args.limit, key=lambda secret: secret.key)
        return models.SecretListOutput(items=[_document(one) for one in page], total=len(mine), next=rest)

    async def get(self, call: Call, args: models.SecretGetInput) -> models.SecretGetOutput:
        call.subject = args.name
        for owner in await self._owners(call, args.machine, args.project):
            secret = await self._vault.find((owner,), args.name)
            if secret is not None and _may_have(call, secret):
                value = await self._vault.value(secret)
                return models.SecretGetOutput(name=secret.name, scope=_document(secret).scope, value=value)
        raise errors.SecretNotFound(name=args.name)

    async def set(self, call: Call, args: models.SecretSetInput) -> models.SecretSetOutput:
        call.subject = args.name
        owner = await self._owner(call, args.machine, args.project)
        before = await self._vault.find((owner,), args.name)
        if before is not None and not _may_have(call, before):
            raise errors.SecretProtected(name=args.name, role=before.readers)
        secret, created = await self._vault.put(
            owner,
            args.name,
            args.value,
            author=call.identity.session or "owner",
            readers=args.readers,
            description=args.description,
        )
        return models.SecretSetOutput(secret=_document(secret), created=created)

    async def delete(self, call: Call, args: models.SecretDeleteInput) -> SecretName:
        call.subject = args.name
        owner = await self._owner(call, args.machine, args.project)
        secret = await self._vault.find((owner,), args.name)
        if secret is None:
            raise errors.SecretNotFound(name=args.name)
        if not _may_have(call, secret):
            raise errors.SecretProtected(name=args.name, role=secret.readers)
        await self._vault.remove(secret)
        return _document(secret)

    @property
    def _vault(self) -> Vault:
        return self._services.vault

    async def _owner(self, call: Call, machine: bool, project: str | None) -> str:
        return MACHINE if machine else (await self._services.projects.meant(call, project)).id

    async def _owners(self, call: Call, machine: bool, project: str | None) -> tuple[str, ...]:
        """The project that is meant, if any, and the machine."""
        if machine:
            return (MACHINE,)
        if project is None and await self._services.projects.resolve(call.caller) is None:
            return (MACHINE,)
        return (await self._services.projects.meant(call, project)).id, MACHINE


def _may_have(call: Call, secret: names.SecretName) -> bool:
    return ROLES[call.identity.role].rank >= ROLES[secret.readers].rank


def _document(secret: names.SecretName) -> SecretName:
    machine = secret.owner == MACHINE
    return SecretName(
        name=secret.name,
        scope="machine" if machine else "project",
        project=None if machine else secret.owner,
        readers=secret.readers,
        store=secret.store,
        description=secret.description,
        updated_at=secret.updated_at,
    )
