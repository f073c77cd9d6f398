"""From a call to the repository at GitHub that it is about, signed in."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_runtime.integrations.git.refs import remote_names
from ade_runtime.integrations.git.remotes import read_upstream, usual_remote
from ade_runtime.integrations.github import signin
from ade_runtime.integrations.github.address import (
    PUBLIC,
    Repository,
    host_of,
    interface_of,
    problem_of_interface,
    read_remote,
)
from ade_runtime.integrations.github.answers import Answers
from ade_runtime.integrations.github.client import Client
from ade_runtime.integrations.github.problems import Refused
from ade_runtime.pipeline.surroundings import environment_of
from ade_runtime.storage.times import to_ms
from ade_runtime.vault.service import MACHINE

if TYPE_CHECKING:
    from ade_runtime.integrations.git.runner import Git
    from ade_runtime.integrations.github.signin import Token
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services

INTERFACE = "ADE_GITHUB_API"
"""Variable of the runtime, not of its callers: who sets it decides where tokens go."""
UPSTREAM = "upstream"
_KEPT_FOR = 300.0
"""Seconds for which a repository's own description and the answer of gh hold."""
_MOST_CLIENTS = 8


@dataclass(frozen=True, slots=True)
class Place:
    """Where a pull request of this project is. ``repository`` is the one it is opened in, as GitHub spells it; ``head_owner``
    owns the branches that are pushed, to the remote ``remote``.
    """

    client: Client
    repository: Repository
    head_owner: str
    remote: str
    about: Mapping[str, Any]
    notes: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        return f"/repos/{self.repository.full_name}"

    @property
    def default_branch(self) -> str:
        return str(self.about["default_branch"])

    def check_writable(self) -> None:
        """Raise ``github_repository_archived`` where nothing can be changed."""
        if self.about.get("archived"):
            raise errors.GithubRepositoryArchived(repository=self.repository.full_name)


class Connections:
    """Clients by interface and token, kept while this process lives."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._clients: dict[str, Client] = {}
        self._asked_gh: dict[tuple[str, str], tuple[float, Token]] = {}
        self._about: dict[str, tuple[float, Mapping[str, Any]]] = {}
        self._lock = asyncio.Lock()

    async def close(self) -> None:
        for client in self._clients.values():
            await client.close()
        self._clients.clear()

    async def place(self, call: Call, lane: LaneRecord | None = None) -> Place:
        """Where the pull requests of the call's project, or of a lane of it, are; raises ``not_at_github`` and ``github_…``."""
        lanes = self._services.lanes
        repository = lanes.main(call.project) if lane is None else lanes.repository(lane)
        interface = _interface()
        remote, found = await _remote(repository.git, lane, anywhere=interface is not None)
        client = await self._client(call, found, interface)
        about, notes = await self._describe(client, found)
        head = _named(found, about)
        base = await self._base(client, repository.git, head, about, anywhere=interface is not None)
        if base is not None:
            base_about, _ = await self._describe(client, base)
            return Place(client, _named(base, base_about), head.owner, remote, base_about, notes)
        return Place(client, head, head.owner, remote, about, notes)

    async def _client(self, call: Call, repository: Repository, interface: str | None) -> Client:
        token = await self._token(call, repository.host, configured=interface is not None)
        base = interface or interface_of(repository.host)
        key = f"{token.fingerprint}@{base}"
        async with self._lock:
            client = self._clients.get(key)
            if client is None:
                while len(self._clients) >= _MOST_CLIENTS:
                    await self._clients.pop(next(iter(self._clients))).close()
                answers = Answers(self._services.database, lambda: to_ms(self._services.clock.now()))
                host = repository.host if interface is None else host_of(interface)
                client = self._clients[key] = Client(base, host, token, answers)
            return client

    async def _token(self, call: Call, host: str, *, configured: bool) -> Token:
        environ = environment_of(call.identity, call.caller)
        for place in (environ, os.environ):
            if (found := signin.from_environment(place, host, configured=configured)) is not None:
                return found
        if (found := await self._stored(host)) is not None:
            return found
        if (found := await self._of_gh(environ, host)) is not None:
            return found
        raise errors.GithubSignedOut(host=host, secret=signin.secret_of(host))

    async def _stored(self, host: str) -> Token | None:
        vault = self._services.vault
        secret = await vault.find((MACHINE,), signin.secret_of(host))
        if secret is None:
            return None
        return signin.Token((await vault.value(secret)).strip(), f"the secret {secret.name}")

    async def _of_gh(self, environ: Mapping[str, str], host: str) -> Token | None:
        key = (host, "\0".join(environ.get(name, "") for name in ("PATH", "HOME", "XDG_CONFIG_HOME")))
        kept = self._asked_gh.get(key)
        if kept is not None and time.monotonic() - kept[0] < _KEPT_FOR:
            return kept[1]
        token = await signin.from_gh(environ, host)
        if token is not None:
            self._asked_gh[key] = (time.monotonic(), token)
        return token

    async def _describe(
        self, client: Client, repository: Repository
    ) -> tuple[Mapping[str, Any], tuple[str, ...]]:
        """What GitHub says of a repository, and what a person should know about its address."""
        key = f"{client.fingerprint}/{repository.key}"
        kept = self._about.get(key)
        if kept is None or time.monotonic() - kept[0] > _KEPT_FOR:
            try:
                about = await client.get(f"/repos/{repository.full_name}", "read the repository")
            except Refused as problem:
                if problem.status == 404:
                    raise errors.GithubRepositoryNotFound(repository=repository.full_name) from None
                raise problem.error from None
            if not isinstance(about.get("full_name"), str) or "default_branch" not in about:
                raise errors.GithubUnreachable(host=client.host, reason="it answered with no repository")
            kept = self._about[key] = (time.monotonic(), about)
        name = str(kept[1]["full_name"])
        if name.lower() == repository.key:
            return kept[1], ()
        return kept[1], (
            f"The repository was moved to {name}; `git remote set-url` gives the remote its new address.",
        )

    async def _base(
        self, client: Client, git: Git, head: Repository, about: Mapping[str, Any], *, anywhere: bool
    ) -> Repository | None:
        """The repository that a fork's pull requests go to: that of the remote called upstream, if there is one."""
        if not about.get("fork") or UPSTREAM not in await remote_names(git):
            return None
        found = read_remote(await _url(git, UPSTREAM), anywhere=anywhere)
        return found if found is not None and found.host == head.host and found.key != head.key else None


def _interface() -> str | None:
    given = os.environ.get(INTERFACE, "").strip()
    if not given:
        return None
    problem = problem_of_interface(given)
    if problem is not None:
        raise errors.GithubInterfaceInvalid(variable=INTERFACE, reason=problem)
    return given.rstrip("/")


async def _remote(git: Git, lane: LaneRecord | None, *, anywhere: bool) -> tuple[str, Repository]:
    """The remote that a lane's branch belongs to, else origin or the only one, and its repository."""
    upstream = await read_upstream(git, lane.branch) if lane is not None and lane.branch else None
    own = upstream.remote if upstream is not None and upstream.remote != "." else None
    known = await remote_names(git)
    remote = own or usual_remote(known)
    if remote is None or remote not in known:
        raise errors.NotAtGithub(remote=remote or "none", known=", ".join(known) or "none")
    found = read_remote(await _url(git, remote), anywhere=anywhere)
    if found is None:
        raise errors.NotAtGithub(remote=remote, known=", ".join(known))
    return remote, found


async def _url(git: Git, remote: str) -> str:
    return (await git.read("remote", "get-url", "--", remote)).text.split("\n", 1)[0]


def _named(repository: Repository, about: Mapping[str, Any]) -> Repository:
    owner, _, name = str(about["full_name"]).partition("/")
    return Repository(repository.host, owner, name)


__all__ = ["PUBLIC", "Connections", "Place"]
