"""The two service managers: what they are told, one program run a time, each bounded."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ade_generated import errors
from ade_runtime.machine.service.units import Service, launchd_files, launchd_label, systemd_files

ANSWER_SECONDS = 30.0
REASON_LIMIT = 400


class Manager(Protocol):
    """A service manager. Methods that act raise ``service_failed`` when it refuses."""

    name: str
    program: str

    def check(self) -> None:
        """Raise ``service_manager_missing`` unless the manager can be spoken to."""
        ...

    def files(self) -> dict[Path, bytes]:
        """The files to be written, by path."""
        ...

    def start_commands(self) -> list[list[str]]:
        """What has to be run once the files are in place."""
        ...

    def stop_commands(self) -> list[list[str]]:
        """What has to be run before the files are removed."""
        ...

    def after_commands(self) -> list[list[str]]:
        """What has to be run once the files are gone."""
        ...

    def state(self) -> dict[str, str]:
        """What the manager says about each part, in its own words."""
        ...


def manager_of(service: Service, environ: Mapping[str, str]) -> Manager:
    """The manager of this platform."""
    return Launchd(service, environ) if sys.platform == "darwin" else Systemd(service, environ)


@dataclass(frozen=True, slots=True)
class Systemd:
    """The user instance of systemd."""

    service: Service
    environ: Mapping[str, str]
    name = "systemd"
    program = "systemctl"

    def check(self) -> None:
        find(self.program, self.environ)
        done = run(self._command("show-environment"), self.environ)
        if done.returncode:
            reason = f"the user instance of systemd does not answer ({first_line(done)})"
            raise errors.ServiceManagerMissing(program="systemctl --user", reason=reason)

    def files(self) -> dict[Path, bytes]:
        return systemd_files(self.service, self.environ)

    def start_commands(self) -> list[list[str]]:
        return [self._command("daemon-reload"), self._command("enable", "--now", self._socket)]

    def stop_commands(self) -> list[list[str]]:
        return [self._command("disable", "--now", self._socket), self._command("stop", self._unit)]

    def after_commands(self) -> list[list[str]]:
        return [self._command("daemon-reload"), self._command("reset-failed")]

    def state(self) -> dict[str, str]:
        told = {}
        for unit in (self._socket, self._unit):
            for question in ("is-enabled", "is-active"):
                if (unit, question) != (self._unit, "is-enabled"):  # a socket starts it; it is never enabled
                    done = run(self._command(question, unit), self.environ)
                    told[f"{unit} {question.removeprefix('is-')}"] = done.stdout.strip() or first_line(done)
        return told

    @property
    def _socket(self) -> str:
        return f"{self.service.name}.socket"

    @property
    def _unit(self) -> str:
        return f"{self.service.name}.service"

    def _command(self, *words: str) -> list[str]:
        return [self.program, "--user", *words]


@dataclass(frozen=True, slots=True)
class Launchd:
    """The launchd of the user's login session."""

    service: Service
    environ: Mapping[str, str]
    name = "launchd"
    program = "launchctl"

    def check(self) -> None:
        find(self.program, self.environ)
        done = run([self.program, "print", self._domain], self.environ)
        if done.returncode:
            reason = f"launchd has no session for you ({first_line(done)})"
            raise errors.ServiceManagerMissing(program=self.program, reason=reason)

    def files(self) -> dict[Path, bytes]:
        return launchd_files(self.service, self.environ)

    def start_commands(self) -> list[list[str]]:
        return [[self.program, "bootstrap", self._domain, str(path)] for path in self.files()]

    def stop_commands(self) -> list[list[str]]:
        return [[self.program, "bootout", f"{self._domain}/{launchd_label(self.service)}"]]

    def after_commands(self) -> list[list[str]]:
        return []

    def state(self) -> dict[str, str]:
        label = launchd_label(self.service)
        done = run([self.program, "print", f"{self._domain}/{label}"], self.environ)
        lines = [line.strip() for line in done.stdout.splitlines()]
        found = next((line for line in lines if line.startswith("state =")), "")
        return {label: found.removeprefix("state =").strip() or first_line(done)}

    @property
    def _domain(self) -> str:
        return f"gui/{os.getuid()}"


def find(program: str, environ: Mapping[str, str]) -> None:
    """Raise ``service_manager_missing`` where there is no such program."""
    if shutil.which(program, path=environ.get("PATH")) is None:
        raise errors.ServiceManagerMissing(program=program, reason="there is no such program on PATH")


def run(command: Sequence[str], environ: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run one command of a manager. One that does not answer in time counts as failed."""
    program = shutil.which(command[0], path=environ.get("PATH")) or command[0]
    try:
        return subprocess.run(
            [program, *command[1:]],
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=ANSWER_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(list(command), 124, "", f"no answer within {ANSWER_SECONDS:g} s")
    except OSError as problem:
        return subprocess.CompletedProcess(list(command), 127, "", str(problem.strerror))


def must(command: Sequence[str], environ: Mapping[str, str]) -> None:
    """Run one command and raise ``service_failed`` unless it works."""
    done = run(command, environ)
    if done.returncode:
        raise errors.ServiceFailed(command=" ".join(command), reason=first_line(done))


def first_line(done: subprocess.CompletedProcess[str]) -> str:
    """The first thing a command said, for a message."""
    for text in (done.stderr, done.stdout):
        for line in text.splitlines():
            if line.strip():
                return line.strip()[:REASON_LIMIT].rstrip(".")
    return f"exit code {done.returncode}"
