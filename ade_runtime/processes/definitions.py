"""What a configuration says of a process, with everything it leaves out filled in."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ade_generated import errors

if TYPE_CHECKING:
    from ade_generated.models.types import ProcessConfig
    from ade_runtime.config.service import Loaded

STOP_SECONDS = 10.0
READY_SECONDS = 30.0
NEVER, ON_FAILURE, ALWAYS = "never", "on-failure", "always"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """When a process counts as ready: everything given must hold. ``timeout`` is in seconds."""

    port: int | None = None
    http: str | None = None
    log: str | None = None
    timeout: float = READY_SECONDS

    @property
    def any(self) -> bool:
        return self.port is not None or self.http is not None or self.log is not None

    @property
    def ports(self) -> list[int]:
        """The ports of this machine that it must take connections on."""
        found = [] if self.port is None else [self.port]
        if self.http is not None:
            url = urlsplit(self.http)
            if url.hostname in ("localhost", "127.0.0.1", "::1"):
                found.append(url.port or (443 if url.scheme == "https" else 80))
        return list(dict.fromkeys(found))


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A process as it would be started. ``stop_signal`` is a name without SIG; times are seconds."""

    name: str
    command: tuple[str, ...]
    cwd: str | None
    env: Mapping[str, str] = field(repr=False)
    lane: str | None
    restart: str
    ready: Ready
    stop_signal: str
    stop_timeout: float

    @property
    def stop_number(self) -> int:
        return int(signal.Signals[f"SIG{self.stop_signal}"])

    def settings(self) -> dict[str, Any]:
        """What is kept with a run, so that it is judged and stopped as it was started."""
        ready = self.ready
        return {
            "restart": self.restart,
            "stop_signal": self.stop_signal,
            "stop_timeout": self.stop_timeout,
            "ready": {"port": ready.port, "http": ready.http, "log": ready.log, "timeout": ready.timeout},
        }


def defined(loaded: Loaded) -> list[Definition]:
    """Every process of a configuration, in the order of the file."""
    return [definition(name, one) for name, one in (loaded.config.processes or {}).items()]


def find(loaded: Loaded, name: str) -> Definition:
    """The process of that name; raises ``process_not_defined``."""
    found = (loaded.config.processes or {}).get(name)
    if found is None:
        known = ", ".join(loaded.config.processes or {}) or "none"
        raise errors.ProcessNotDefined(process=name, known=known)
    return definition(name, found)


def definition(name: str, config: ProcessConfig) -> Definition:
    ready = config.ready
    return Definition(
        name=name,
        command=tuple(config.command),
        cwd=config.cwd,
        env=dict(config.env or {}),
        lane=config.lane,
        restart=config.restart or NEVER,
        ready=Ready()
        if ready is None
        else Ready(port=ready.port, http=ready.http, log=ready.log, timeout=ready.timeout or READY_SECONDS),
        stop_signal=config.stop_signal or "TERM",
        stop_timeout=STOP_SECONDS if config.stop_timeout is None else config.stop_timeout,
    )


def ready_of(settings: Mapping[str, Any]) -> Ready:
    """The check that a run was started with."""
    return Ready(**settings.get("ready", {}))
