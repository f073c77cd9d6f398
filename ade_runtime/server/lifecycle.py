"""From holding the lock to giving it back: event loop, log, signals, the start-up check, the end."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import importlib
import logging
import resource
import signal
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ade_runtime.client import starts  # now: when it is needed, its file may be of newer code
from ade_runtime.machine.log import open_log
from ade_runtime.machine.paths import Paths
from ade_runtime.services import Services, Settings

if TYPE_CHECKING:
    import socket

    from ade_runtime.server.ownership import Ownership

SETTLE_SECONDS = 2.0
EVERYDAY = ("main", "autostart", "starts", "local", "trouble")
SETTLED = "everything is loaded"
FILES_WANTED = 8192
"""Open files to ask the system for where its limit is lower: each client and each git process needs some."""

log = logging.getLogger("ade.server")


def serve(
    paths: Paths,
    settings: Settings,
    ownership: Ownership,
    *,
    ready: Callable[[], None],
    log_file: bool,
    level: str = "",
    inherited: socket.socket | None = None,
) -> int:
    """Bind (or take the ``inherited`` socket), call ``ready``, serve until stopped; gives the exit code. The lock is released
    whatever happens.
    """
    try:
        if inherited is not None:
            ownership.adopt(inherited)
        listener = inherited or ownership.bind()
        open_log(paths.log if log_file else None, level)
        _run(_serve(paths, settings, ownership, listener, ready))
        starts.clear(str(paths.home))  # an orderly end, noted before the lock lets the next one start
        return 0
    finally:
        ownership.unlink()
        ownership.release()


async def _serve(
    paths: Paths, settings: Settings, ownership: Ownership, listener: socket.socket, ready: Callable[[], None]
) -> None:
    from ade_runtime.server.server import Server

    allow_files()
    services = Services(paths, settings)
    server = Server(services, ownership)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, server.stop)
    with contextlib.suppress(ValueError):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    loop.call_soon(ready)
    loop.call_later(SETTLE_SECONDS, _settle, loop)
    loop.call_later(SETTLE_SECONDS, _find_held, services, set())
    log.info("serving %s at %s", paths.home, paths.socket)
    await server.serve(listener)
    log.info("stopped")


def allow_files() -> None:
    """Raise this process's limit on open files as far as the system lets it, and it is of use."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES_WANTED if hard == resource.RLIM_INFINITY else min(hard, FILES_WANTED)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def idle_exit(environ: Mapping[str, str]) -> float | None:
    """Seconds from ``ADE_IDLE_EXIT``, ``None`` where it is not set; raises ``invalid_arguments`` for what is no duration."""
    text = environ.get("ADE_IDLE_EXIT")
    if not text:
        return None
    from ade_generated import errors
    from ade_runtime.cli.values import read_duration

    try:
        return read_duration(text)
    except ValueError as problem:
        raise errors.InvalidArguments(
            problem=f"ADE_IDLE_EXIT {problem}", action="serve", hint="For example ADE_IDLE_EXIT=30m."
        ) from None


def _settle(loop: asyncio.AbstractEventLoop) -> None:
    """What may wait until the first callers have their answers: the registry's check, byte code for the commands to come
    (this process writes it even where the callers' settings forbid theirs to), and taking the objects of the start out of
    the garbage collector's way.
    """
    from ade_runtime.pipeline.handlers import registry_problems

    def check() -> None:
        for problem in registry_problems():
            log.error("registry: %s", problem)
        for module in (*EVERYDAY, "serve", "stdio", "headless", "host"):
            importlib.import_module(f"ade_runtime.client.{module}")

    def done(_future: asyncio.Future[None]) -> None:
        gc.collect()
        gc.freeze()
        gc.enable()
        log.info(SETTLED)

    loop.run_in_executor(None, check).add_done_callback(done)


def _find_held(services: Services, tasks: set[asyncio.Task[None]]) -> None:
    """Find again what runs in holders, where there ever was any, and let go of what ended long ago."""
    if services.holders.root.is_dir():
        from ade_runtime.holders.retention import sweep

        for work in (sweep(services.holders), services.holders.following.find_again()):
            task = asyncio.get_running_loop().create_task(work)
            tasks.add(task)
            task.add_done_callback(lambda done: _swept(done, tasks))


def _swept(task: asyncio.Task[None], tasks: set[asyncio.Task[None]]) -> None:
    tasks.discard(task)
    if not task.cancelled() and task.exception() is not None:
        log.warning("looking for what runs in holders failed: %s", task.exception())


def _run(main: Any) -> None:
    try:
        import uvloop
    except ImportError:
        asyncio.run(main)
    else:
        uvloop.run(main)
