"""The commands in a configuration, and the hash by which exactly these are trusted."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from ade_generated.models.types import ProcessConfig, ProjectConfig, TestSuiteConfig

PARTS = ("processes", "tests")
"""Top-level parts that name commands. All of them is hashed, so that no change in how or where a command runs is missed."""


@dataclass(frozen=True, slots=True)
class Command:
    """``name`` is where it stands, such as ``processes.web``; ``cwd`` is relative to the lane's root."""

    name: str
    argv: tuple[str, ...]
    cwd: str | None
    env: tuple[str, ...]


def commands_of(config: ProjectConfig) -> list[Command]:
    """Every command, in the order of the file."""
    found = [_command(f"processes.{name}", one) for name, one in (config.processes or {}).items()]
    suites = (config.tests.suites if config.tests else None) or {}
    return found + [_command(f"tests.suites.{name}", one) for name, one in suites.items()]


def trust_hash(config: ProjectConfig) -> str:
    """``sha256:…`` over the parts that name commands; layout, comments and the order of keys do not count."""
    document = config.to_wire()
    parts = {name: document[name] for name in PARTS if name in document}
    canonical = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()


def _command(name: str, thing: ProcessConfig | TestSuiteConfig) -> Command:
    env = tuple(f"{key}={value}" for key, value in (thing.env or {}).items())
    return Command(name, tuple(thing.command), thing.cwd, env)
