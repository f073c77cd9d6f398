"""Test suites: those that the configuration defines, else those that a lane's files tell of."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ade_generated import errors
from ade_runtime.testing.detect import detect

if TYPE_CHECKING:
    from ade_generated.models.types import TestSuiteConfig
    from ade_runtime.config.service import Loaded

TIMEOUT = 600.0
Origin = Literal["config", "detected", "command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A command that runs tests. ``junit`` is the report it writes, relative to its folder; ``timeout`` is in seconds. ``why``
    says what a detected one was told from. ``own_junit`` tells that it is started with an option that has it write a report
    into the run's own folder."""

    name: str
    origin: Origin
    command: tuple[str, ...]
    cwd: str | None = None
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    timeout: float = TIMEOUT
    junit: str | None = None
    why: str | None = None
    own_junit: bool = False


def configured(loaded: Loaded) -> list[Suite]:
    """The suites of a configuration, in the order of the file."""
    found = (loaded.config.tests.suites if loaded.config.tests else None) or {}
    return [_suite(name, one) for name, one in found.items()]


async def all_suites(loaded: Loaded, folder: Path) -> list[Suite]:
    """Every suite of a lane: the configured ones, and those detected that have no configured one's name."""
    known = configured(loaded)
    names = {one.name for one in known}
    found = await asyncio.to_thread(detect, folder)
    return known + [
        Suite(
            name=one.name,
            origin="detected",
            command=one.command,
            why=one.why,
            own_junit=one.own_junit,
        )
        for one in found
        if one.name not in names
    ]


def chosen(suites: list[Suite], name: str | None) -> Suite:
    """The suite of that name; without one the only one that is configured, else the only one that was detected.

    Raises ``suite_not_found`` and ``suite_required``.
    """
    known = ", ".join(one.name for one in suites)
    if name is not None:
        for one in suites:
            if one.name == name:
                return one
        raise errors.SuiteNotFound(suite=name, known=known or "none")
    configured_ones = [one for one in suites if one.origin == "config"]
    choice = configured_ones or suites
    if len(choice) != 1:
        raise errors.SuiteRequired(known=known or "none")
    return choice[0]


def _suite(name: str, config: TestSuiteConfig) -> Suite:
    return Suite(
        name=name,
        origin="config",
        command=tuple(config.command),
        cwd=config.cwd,
        env=dict(config.env or {}),
        timeout=config.timeout or TIMEOUT,
        junit=config.junit,
    )
