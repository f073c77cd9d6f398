"""What a configuration must hold to besides its schema."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ade_generated.models.types import ProcessConfig, ProjectConfig, TestSuiteConfig
from ade_runtime.wire_errors import Problem

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def problems_of(config: ProjectConfig) -> list[Problem]:
    """Everything wrong with names, commands and folders; paths are those of the document."""
    found: list[Problem] = []
    for name, process in (config.processes or {}).items():
        found += _name("processes", name)
        found += _command(f"processes.{name}", process)
        if process.ready is not None and not (process.ready.port or process.ready.http or process.ready.log):
            found.append(Problem(f"processes.{name}.ready", "needs at least one of port, http, log", "rule"))
    suites = (config.tests.suites if config.tests else None) or {}
    for name, suite in suites.items():
        found += _name("tests.suites", name)
        found += _command(f"tests.suites.{name}", suite)
        found += _inside(f"tests.suites.{name}.junit", suite.junit)
    return found


def _name(where: str, name: str) -> Iterator[Problem]:
    if not NAME.fullmatch(name):
        message = (
            "a name is letters, digits, - and _, begins with a letter or digit, and has at most 60 characters"
        )
        yield Problem(f"{where}.{name}", message, "name")


def _command(where: str, thing: ProcessConfig | TestSuiteConfig) -> Iterator[Problem]:
    if not thing.command[0]:
        yield Problem(f"{where}.command.0", "the program is empty", "command")
    for place, word in enumerate(thing.command):
        if "\0" in word:
            yield Problem(f"{where}.command.{place}", "holds a NUL character", "command")
    yield from _inside(f"{where}.cwd", thing.cwd)
    yield from _environment(f"{where}.env", thing.env or {})


def _environment(where: str, env: Mapping[str, str]) -> Iterator[Problem]:
    for name, value in env.items():
        if not _VARIABLE.fullmatch(name):
            yield Problem(f"{where}.{name}", "is no name of an environment variable", "name")
        elif name.startswith("ADE_"):
            yield Problem(f"{where}.{name}", "variables that begin with ADE_ are set by ADE alone", "name")
        elif "\0" in value:
            yield Problem(f"{where}.{name}", "holds a NUL character", "env")


def _inside(where: str, path: str | None) -> Iterator[Problem]:
    if path is None:
        return
    if path.startswith("/") or ".." in path.split("/") or "\0" in path:
        yield Problem(where, "must be a path below the lane's root, without ..", "path")
