"""Having Linear tell what happens: one webhook for each project, made once."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ade_generated import errors
from ade_runtime.integrations.linear import documents
from ade_runtime.linear_sync.ingress import SECRET

if TYPE_CHECKING:
    from ade_runtime.contracts import JsonObject
    from ade_runtime.integrations.linear.client import LinearClient
    from ade_runtime.projects.registry import Project
    from ade_runtime.services import Services

RESOURCES = ["Issue", "Comment"]
SECRET_BYTES = 32
MOST_PAGES = 20
_USUAL = re.compile(r"[!-~]+")
"""What an address is made of; other letters are written in Punycode or with a percent sign."""


@dataclass(frozen=True, slots=True)
class Webhook:
    id: str
    url: str
    created: bool


async def ensure(services: Services, project: Project, base: str, team: str | None, author: str) -> Webhook:
    """The webhook of a project, made or put right; ``base`` is the public address that leads to the listener.

    Raises ``webhook_address_unsafe`` and what the client raises.
    """
    url = f"{_checked(base)}/linear/{project.id}"
    client = await services.issues.client()
    secret, fresh = await _secret(services, project.id, author)
    try:
        return await _ensure(client, project, url, team, secret, fresh=fresh)
    except BaseException:
        if fresh:  # Linear may not know it; the next attempt makes another and sets that
            await _forget(services, project.id)
        raise


async def _ensure(
    client: LinearClient, project: Project, url: str, team: str | None, secret: str, *, fresh: bool
) -> Webhook:
    found = await _named(client, url)
    if found is None:
        wish: JsonObject = {"url": url, "label": f"ADE: {project.name}"[:80], "secret": secret}
        wish |= {"resourceTypes": RESOURCES, "enabled": True}
        wish |= {"allPublicTeams": True} if team is None else {"teamId": team}
        made = await client.write(
            documents.CREATE_WEBHOOK,
            {"input": wish},
            landed=lambda: _named(client, url),
            answer=lambda data: dict(data["webhookCreate"]["webhook"]),
        )
        return Webhook(str(made["id"]), url, True)
    if fresh or not found["enabled"] or set(RESOURCES) - set(found["resourceTypes"]):
        await _put_right(client, found, secret)
    return Webhook(str(found["id"]), url, False)


async def _put_right(client: LinearClient, hook: JsonObject, secret: str) -> None:
    """Nobody can read back which secret a webhook has, so after a lost answer it is set again: to the same."""

    async def landed() -> JsonObject | None:
        return None

    await client.write(
        documents.UPDATE_WEBHOOK,
        {"id": hook["id"], "input": {"secret": secret, "enabled": True, "resourceTypes": RESOURCES}},
        landed=landed,
        answer=lambda data: dict(data["webhookUpdate"]["webhook"]),
    )


async def _named(client: LinearClient, url: str) -> JsonObject | None:
    after: str | None = None
    for _ in range(MOST_PAGES):
        page = (await client.read(documents.WEBHOOKS, {"after": after}))["webhooks"]
        for hook in page["nodes"]:
            if hook["url"] == url:
                return dict(hook)
        if not page["pageInfo"]["hasNextPage"]:
            break
        after = page["pageInfo"]["endCursor"]
    return None


async def _secret(services: Services, project: str, author: str) -> tuple[str, bool]:
    """The project's secret, and whether it was made just now."""
    known = await services.vault.find((project,), SECRET)
    if known is not None:
        return await services.vault.value(known), False
    value = secrets.token_hex(SECRET_BYTES)
    about = "Signs what Linear tells of this project"
    await services.vault.put(project, SECRET, value, author=author, readers="cto", description=about)
    return value, True


async def _forget(services: Services, project: str) -> None:
    known = await services.vault.find((project,), SECRET)
    if known is not None:
        await services.vault.remove(known)


def _checked(base: str) -> str:
    try:
        parts = urlsplit(base.strip())
        usable = _USUAL.fullmatch(base.strip()) is not None and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise errors.WebhookAddressUnsafe(reason="it is no address")
    if parts.scheme != "https" or not parts.hostname or parts.username or parts.password:
        raise errors.WebhookAddressUnsafe(
            reason="it must begin with https:// and hold neither user nor password"
        )
    if parts.query or parts.fragment:
        raise errors.WebhookAddressUnsafe(reason="it must end with its path")
    return base.strip().rstrip("/")
