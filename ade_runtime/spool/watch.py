"""The spools of all lanes of one runtime: seen, taken, performed like a line from the socket, answered once."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import logging
import os
import time
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.client.environment import caller_environment
from ade_runtime.contracts import AdeError
from ade_runtime.pipeline.execute import inner_fault
from ade_runtime.pipeline.identify import TOKEN_VARIABLE, given_tokens
from ade_runtime.server import envelope
from ade_runtime.spool.bell import Bell
from ade_runtime.spool.layout import AT_ONCE, tag_of
from ade_runtime.spool.places import Place, database_key, has_changed, worktrees

if TYPE_CHECKING:
    from ade_runtime.cli.run import Line
    from ade_runtime.server.server import Server
    from ade_runtime.spool.desk import Taken
    from ade_runtime.spool.places import FileKey

LOOK_SECONDS = 2.0
"""How often it is looked whether lanes or spool folders are new, one ``stat`` a lane; known folders ring a bell."""

SHARE, LONGEST_PAUSE = 20, 3.0
"""A look is followed by a pause of this many times its own length, within what a client has patience for."""

GONE_SECONDS = 0.5
"""How often it is looked whether the process that asks is still there."""

ALL_AT_ONCE = 32
"""Most requests worked on at a time in all spools together."""

KEPT_NAMES = frozenset(["LANG", "LANGUAGE", "TZ", "NO_COLOR", "TERM"])
KEPT_PREFIXES = ("LC_", "GIT_AUTHOR_", "GIT_COMMITTER_")
KEPT_ADE = frozenset(
    [
        "ADE_LANE_ID",
        "ADE_PROJECT_ROOT",
        "ADE_CHAT_SESSION_ID",
        "ADE_DEFAULT_ROLE",
        "ADE_RUN_ID",
        "ADE_OWNER_ID",
    ]
)
"""What a sandboxed caller's environment may say here: nothing that names a program, a file or a network, since what follows
from it happens outside of the sandbox."""

log = logging.getLogger("ade.spool")
Key = tuple[str, str]


class SpoolWatch:
    """Serves the spools from :meth:`start` to :meth:`close`; its calls count as the server's calls in flight."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._tag = tag_of(str(server.services.paths.home))
        self._places: dict[str, Place] = {}
        self._key: FileKey = ()
        self._rung: set[str] = set()
        self._woken = asyncio.Event()
        self._bell = Bell(self._ring)
        self._working: dict[Key, asyncio.Task[None]] = {}
        self._watching: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look for requests."""
        self._watching = asyncio.get_running_loop().create_task(self._run())

    def stop(self) -> None:
        """Take no more requests; those that wait are for the next runtime. Those taken are answered."""
        if self._watching is not None:
            self._watching.cancel()
            self._watching = None
            self._bell.close()

    async def close(self) -> None:
        """Cancel what is still worked on, and answer it so."""
        self.stop()
        tasks = list(self._working.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    # -- seeing

    def _ring(self, root: str | None) -> None:
        self._rung.update(self._places if root is None else [root])
        self._woken.set()

    async def _run(self) -> None:
        pause = LOOK_SECONDS
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._woken.wait()
            self._woken.clear()
            began = time.monotonic()
            try:
                await self._look()
            except (OSError, AdeError) as problem:
                log.warning("the spools could not be looked at: %s", problem)
            pause = min(max(LOOK_SECONDS, SHARE * (time.monotonic() - began)), LONGEST_PAUSE)

    async def _look(self) -> None:
        await self._learn_places()
        rung, self._rung = self._rung, set()
        for root, place in self._places.items():
            changed = has_changed(place, root)
            if changed is None:
                place.inode, place.watch = (0, 0), -1
            elif changed or root in rung:
                if place.watch < 0:
                    await self._bell.open()
                    place.watch = self._bell.watch(root)
                await self._look_into(root)

    async def _learn_places(self) -> None:
        """Read the lanes anew where the database has changed; a database that was never used is not opened for this."""
        key = database_key(self._server.services.paths.database)
        if key == self._key:
            return
        self._key = key
        roots = await self._server.services.database.read(worktrees) if key else []
        self._places = {root: self._places.get(root) or Place() for root in roots}

    async def _look_into(self, root: str) -> None:
        from ade_runtime.spool import desk, folder

        working = frozenset(identifier for place, identifier in self._working if place == root)

        def look() -> desk.Found:
            opened = folder.open_folder(root, make=False)
            try:
                return desk.look_into(opened, self._tag, working)
            finally:
                os.close(opened)

        try:
            found = await asyncio.to_thread(look)
        except OSError as problem:
            log.info("the spool of %s is left alone: %s", root, problem)
            return
        for identifier in found.interrupted:
            await asyncio.to_thread(
                desk.answer_interrupted, root, identifier, str(self._server.services.paths.log)
            )
        room = min(AT_ONCE - len(working), ALL_AT_ONCE - len(self._working))
        for identifier in found.waiting[: max(0, room)]:
            self._begin((root, identifier))
        if len(found.waiting) > room:
            self._rung.add(root)  # looked at again as soon as one of these is done

    # -- performing

    def _begin(self, key: Key) -> None:
        if key in self._working:
            return
        self._server.in_flight += 1
        task = asyncio.get_running_loop().create_task(self._serve(key))
        self._working[key] = task
        task.add_done_callback(lambda _task: self._ended(key))

    def _ended(self, key: Key) -> None:
        self._working.pop(key, None)
        self._server.call_ended()
        if self._rung:
            self._woken.set()

    async def _serve(self, key: Key) -> None:
        from ade_runtime.spool import desk

        try:
            taken = await asyncio.to_thread(desk.take, *key)
        except OSError as problem:
            log.info("a request in %s could not be taken: %s", key[0], problem)
            return
        if taken is None:
            return
        body = await self._answer_to(taken, key[0])
        await asyncio.to_thread(desk.answer, taken, body)

    async def _answer_to(self, taken: Taken, root: str) -> bytes:
        """What to answer, whatever happens; performing is cancelled once nobody waits for it any more."""
        work = asyncio.get_running_loop().create_task(self._perform(taken, root))
        try:
            while not (await asyncio.wait([work], timeout=GONE_SECONDS))[0]:
                if not taken.wanted:
                    work.cancel()
            return work.result()
        except asyncio.CancelledError:
            work.cancel()
            await asyncio.wait([work])
            return envelope.error_answer(1, errors.Cancelled(action="this command"))
        except AdeError as problem:
            return envelope.error_answer(1, problem)
        except Exception as problem:
            return envelope.error_answer(1, inner_fault("cli/run", problem))

    async def _perform(self, taken: Taken, root: str) -> bytes:
        from ade_runtime.cli.run import Line, run_line

        if taken.refusal is not None or taken.request is None:
            raise taken.refusal or errors.InvalidArguments(problem="it holds no request", action="cli/run")
        given = Line.from_wire(taken.request.params)
        line = dataclasses.replace(
            given, transport="spool", cwd=_inside(given.cwd, root), env=allowed_environment(taken, given)
        )
        answer = await run_line(self._server.services, line, typist=taken)
        return envelope.result(taken.request.id, answer.to_wire())


def allowed_environment(taken: Taken, line: Line) -> dict[str, str]:
    """The runtime's own settings for programs, what the caller may add to them, and the token its process was started with."""
    from ade_runtime.machine.ancestry import look

    env = {
        name: value
        for name, value in caller_environment(dict(os.environ)).items()
        if not name.startswith("ADE_")
    }
    env |= {name: value for name, value in line.env.items() if _may_say(name)}
    process = look(taken.origin.pid) if taken.origin.pid else None
    if process is not None and process.start == taken.origin.start:
        tokens = given_tokens(process)
        if tokens and tokens[0]:  # of two, a program's own environment has the first
            env[TOKEN_VARIABLE] = tokens[0]
    return env


def _may_say(name: str) -> bool:
    return name in KEPT_NAMES or name in KEPT_ADE or name.startswith(KEPT_PREFIXES)


def _inside(cwd: str, root: str) -> str:
    """The caller's folder where it lies in the worktree, else the worktree itself."""
    here = os.path.realpath(cwd)
    return here if here == root or here.startswith(root.rstrip("/") + "/") else root
