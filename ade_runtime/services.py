"""The composition root: what handlers may use, made once per runtime, headless command or in-process opening."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING

from ade_runtime.machine.locks import Locks
from ade_runtime.machine.paths import Paths

if TYPE_CHECKING:
    from ade_runtime.agents.service import Agents
    from ade_runtime.chat.service import ChatService
    from ade_runtime.config.service import ConfigService
    from ade_runtime.events.service import Events
    from ade_runtime.holders.service import Holders
    from ade_runtime.integrations.linear.signing_in import SigningIn
    from ade_runtime.issues.service import Issues
    from ade_runtime.lanes.service import LaneService
    from ade_runtime.linear_sync.service import LinearSync
    from ade_runtime.machine.temporary import TemporaryPlace
    from ade_runtime.mcp_endpoint.service import McpEndpoint
    from ade_runtime.memory.service import Memory
    from ade_runtime.packs.service import Packs
    from ade_runtime.pipeline.identify import Identification
    from ade_runtime.pipeline.pipeline import Pipeline
    from ade_runtime.projects.registry import ProjectRegistry
    from ade_runtime.proof.service import Proofs
    from ade_runtime.pulls.service import Pulls
    from ade_runtime.questions.service import Questions
    from ade_runtime.runs.asking import Asking
    from ade_runtime.runs.awaiting import Awaiting
    from ade_runtime.runs.boundary.watching import Boundary
    from ade_runtime.runs.budgets import Budgets
    from ade_runtime.runs.delivery import Deliveries
    from ade_runtime.runs.heartbeats import Heartbeats
    from ade_runtime.runs.service import Runs
    from ade_runtime.runs.spawning import Spawning
    from ade_runtime.runs.sweeper import Sweeper
    from ade_runtime.scheduling.service import ScheduleService
    from ade_runtime.search.service import Search
    from ade_runtime.sessions.service import Sessions
    from ade_runtime.storage.database import Database
    from ade_runtime.storage.fence import Fence
    from ade_runtime.vault.service import Vault


_BOOT_TIME = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)  # macOS's own clock stands still in sleep


class Clock:
    """The one source of wall-clock time, so that a test can put another in its place."""

    def now(self) -> datetime:
        """The current instant, in UTC."""
        return datetime.now(UTC)

    def elapsed(self) -> float:
        """Seconds since some moment, a suspended machine's included, that setting the wall clock does not change."""
        return time.clock_gettime(_BOOT_TIME)


@dataclass(frozen=True, slots=True)
class Settings:
    """What was decided when the process started. ``ceiling`` is the highest role this process grants; ``listening`` tells a
    runtime with a socket from a headless command, ``one_command`` a process that performs one command and ends. ``idle_exit``
    is after how many seconds with nothing to do and nobody connected the runtime ends, ``None`` for never."""

    ceiling: str = "cto"
    listening: bool = False
    one_command: bool = False
    idle_exit: float | None = None


class Services:
    """Everything a handler is given. Parts that cost start-up time are made when first used.

    ``await services.close()`` ends background work and closes the database.
    """

    def __init__(self, paths: Paths, settings: Settings | None = None, clock: Clock | None = None) -> None:
        self.paths = paths
        self.settings = settings or Settings()
        self.clock = clock or Clock()
        self.locks = Locks(paths.locks)
        self.started_at = self.clock.now()
        self.fence: Fence | None = None
        self.at_work: list[Callable[[], bool]] = []
        """Each tells whether work goes on that no connection waits for; a runtime makes no room for newer code meanwhile."""

        self.expecting: list[Callable[[], bool]] = []
        """Each tells whether something is due later by itself; a runtime without anything to do does not end meanwhile."""

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Services:
        return cls(Paths.from_environment(environ))

    @cached_property
    def database(self) -> Database:
        from ade_runtime.storage.database import Database

        return Database(self.paths.database, self.fence)

    @cached_property
    def temporary(self) -> TemporaryPlace:
        from ade_runtime.machine.temporary import TemporaryPlace

        return TemporaryPlace(self.paths.temporary)

    @cached_property
    def projects(self) -> ProjectRegistry:
        from ade_runtime.projects.registry import ProjectRegistry

        return ProjectRegistry(self)

    @cached_property
    def lanes(self) -> LaneService:
        from ade_runtime.lanes.service import LaneService

        return LaneService(self)

    @cached_property
    def config(self) -> ConfigService:
        from ade_runtime.config.service import ConfigService

        return ConfigService(self)

    @cached_property
    def agents(self) -> Agents:
        from ade_runtime.agents.service import Agents

        return Agents(self)

    @cached_property
    def holders(self) -> Holders:
        from ade_runtime.holders.service import Holders

        return Holders(self)

    @cached_property
    def issues(self) -> Issues:
        from ade_runtime.issues.service import Issues

        return Issues(self)

    @cached_property
    def linear_sign_in(self) -> SigningIn:
        from ade_runtime.integrations.linear.signing_in import SigningIn

        return SigningIn(self)

    @cached_property
    def linear_sync(self) -> LinearSync:
        from ade_runtime.linear_sync.service import LinearSync

        return LinearSync(self)

    @cached_property
    def mcp(self) -> McpEndpoint:
        from ade_runtime.mcp_endpoint.service import McpEndpoint

        return McpEndpoint(self)

    @cached_property
    def memory(self) -> Memory:
        from ade_runtime.memory.service import Memory

        return Memory(self)

    @cached_property
    def vault(self) -> Vault:
        from ade_runtime.vault.service import Vault

        return Vault(self)

    @cached_property
    def search(self) -> Search:
        from ade_runtime.search.service import Search

        return Search(self)

    @cached_property
    def chats(self) -> ChatService:
        from ade_runtime.chat.service import ChatService

        return ChatService(self)

    @cached_property
    def pulls(self) -> Pulls:
        from ade_runtime.pulls.service import Pulls

        return Pulls(self)

    @cached_property
    def questions(self) -> Questions:
        from ade_runtime.questions.service import Questions

        return Questions(self)

    @cached_property
    def runs(self) -> Runs:
        from ade_runtime.runs.service import Runs

        return Runs(self)

    @cached_property
    def run_questions(self) -> Asking:
        from ade_runtime.runs.asking import Asking

        return Asking(self)

    @cached_property
    def run_spawning(self) -> Spawning:
        from ade_runtime.runs.spawning import Spawning

        return Spawning(self)

    @cached_property
    def run_awaiting(self) -> Awaiting:
        from ade_runtime.runs.awaiting import Awaiting

        return Awaiting(self)

    @cached_property
    def run_budgets(self) -> Budgets:
        from ade_runtime.runs.budgets import Budgets

        return Budgets(self)

    @cached_property
    def run_boundary(self) -> Boundary:
        from ade_runtime.runs.boundary.watching import Boundary

        return Boundary(self)

    @cached_property
    def run_sweeper(self) -> Sweeper:
        from ade_runtime.runs.sweeper import Sweeper

        return Sweeper(self)

    @cached_property
    def heartbeats(self) -> Heartbeats:
        from ade_runtime.runs.heartbeats import Heartbeats

        return Heartbeats(self)

    @cached_property
    def deliveries(self) -> Deliveries:
        from ade_runtime.runs.delivery import Deliveries

        return Deliveries(self)

    @cached_property
    def schedules(self) -> ScheduleService:
        from ade_runtime.scheduling.service import ScheduleService

        return ScheduleService(self)

    @cached_property
    def sessions(self) -> Sessions:
        from ade_runtime.sessions.service import Sessions

        return Sessions(self)

    @cached_property
    def proofs(self) -> Proofs:
        from ade_runtime.proof.service import Proofs

        return Proofs(self)

    @cached_property
    def identification(self) -> Identification:
        from ade_runtime.pipeline.identify import Identification

        return Identification(self)

    @cached_property
    def events(self) -> Events:
        from ade_runtime.events.service import Events

        return Events(self.clock)

    @cached_property
    def packs(self) -> Packs:
        from ade_runtime.packs.service import Packs

        return Packs(self)

    @cached_property
    def pipeline(self) -> Pipeline:
        from ade_runtime.pipeline.pipeline import Pipeline

        return Pipeline(self)

    def end_waiting(self) -> None:
        """Answer everybody who only waits for news, so that nobody waits for them."""
        if "events" in self.__dict__:
            self.events.close()

    async def close(self, *, drain: bool = False) -> None:
        """End background work (with ``drain`` only once it is done) and close the database."""
        self.end_waiting()
        if "schedules" in self.__dict__:
            await self.schedules.close()
        if "deliveries" in self.__dict__:
            await self.deliveries.close()
        if "run_sweeper" in self.__dict__:
            await self.run_sweeper.close()
        if "run_budgets" in self.__dict__:
            await self.run_budgets.close()
        if "holders" in self.__dict__:
            await self.holders.following.close()
        if "chats" in self.__dict__:
            await self.chats.close()
        if "run_boundary" in self.__dict__:
            await self.run_boundary.close()
        if "mcp" in self.__dict__:
            await self.mcp.close()
        if "pipeline" in self.__dict__:
            await self.pipeline.close(drain=drain)
        if "linear_sync" in self.__dict__:
            await self.linear_sync.close()
        if "linear_sign_in" in self.__dict__:
            await self.linear_sign_in.close()
        if "issues" in self.__dict__:
            await self.issues.close()
        if "pulls" in self.__dict__:
            await self.pulls.close()
        if "temporary" in self.__dict__:
            self.temporary.close()
        if "search" in self.__dict__:
            await self.search.close()
        if "heartbeats" in self.__dict__:
            await self.heartbeats.close()
        if "database" in self.__dict__:
            await self.database.close()
