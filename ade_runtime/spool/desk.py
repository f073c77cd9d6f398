"""Taking requests out of one spool folder and putting answers there. Everything here blocks, and runs on a thread."""

from __future__ import annotations

import logging
import os
import time
from dataclasses import dataclass, field

from ade_generated import errors
from ade_runtime.contracts import AdeError
from ade_runtime.machine.ancestry import look
from ade_runtime.pipeline.identify import Origin
from ade_runtime.server import envelope
from ade_runtime.spool import folder as files
from ade_runtime.spool.evidence import lock_holder, user_of, was_started_with
from ade_runtime.spool.layout import (
    ANSWER_LIMIT,
    ENTRY_LIMIT,
    EXPIRE_SECONDS,
    REQUEST_LIMIT,
    split,
)

log = logging.getLogger("ade.spool")

METHOD = "cli/run"
"""The one method that the spool carries."""


@dataclass(slots=True)
class Taken:
    """A request the runtime has made its own; a typist, as ``run_line`` wants one. ``refusal`` is why it is not performed.

    ``folder`` and ``file`` are descriptors, open until it is answered.
    """

    id: str
    folder: int
    file: int
    origin: Origin
    request: envelope.Request | None = None
    refusal: AdeError | None = None
    session: str | None = None

    @property
    def wanted(self) -> bool:
        """Whether the process that asks is still there to read an answer."""
        return lock_holder(self.file) is not None


@dataclass(slots=True)
class Found:
    """What lies in a folder: ids of requests that wait, and of those that a runtime took and never answered."""

    waiting: list[str] = field(default_factory=list)
    interrupted: list[str] = field(default_factory=list)


def look_into(folder: int, tag: str, working: frozenset[str]) -> Found:
    """Look through the folder and remove what was left behind. ``tag`` begins the ids that are this runtime's; ``working``
    are those it works on."""
    found = Found()
    with os.scandir(folder) as entries:
        for number, entry in enumerate(entries):
            if number >= ENTRY_LIMIT:
                break
            parts = split(entry.name)
            if parts is None or not parts[0].startswith(tag):
                continue
            identifier, kind = parts
            if kind == "request":
                found.waiting.append(identifier)
            elif kind == "taken":
                if identifier not in working:
                    found.interrupted.append(identifier)
            elif _expired(folder, entry.name):
                files.remove(folder, entry.name)
    return found


def take(root: str, identifier: str) -> Taken | None:
    """Make a request this runtime's own. ``None`` where there is nothing to answer: nobody waits for it any more, or it is
    nothing that the client puts there; it is then removed.
    """
    folder = files.open_folder(root, make=False)
    name = f"{identifier}.request"
    try:
        file = files.open_file(folder, name, REQUEST_LIMIT)
    except OSError as problem:
        _discard(folder, name, str(problem))
        os.close(folder)
        return None
    taken = Taken(identifier, folder, file, Origin(os.getuid(), 0))
    try:
        if not taken.wanted or _expired(folder, name):
            _discard(folder, name, "nobody waits for it")
        elif _claim(taken, name):
            _read(taken)
            return taken
    except BaseException:
        _close(taken)
        raise
    _close(taken)
    return None


def answer(taken: Taken, body: bytes) -> None:
    """Put the answer there, unless nobody waits for it any more, and forget the request."""
    writing, done = f"{taken.id}.writing", f"{taken.id}.answer"
    if len(body) > ANSWER_LIMIT:
        problem = f"the answer has more than {ANSWER_LIMIT} bytes; ask for less of it"
        body = envelope.error_answer(1, errors.InvalidArguments(problem=problem, action=METHOD))
    try:
        if taken.wanted:
            files.remove(taken.folder, writing)
            file = files.create_file(taken.folder, writing)
            try:
                files.write_all(file, body)
            finally:
                os.close(file)
            os.replace(writing, done, src_dir_fd=taken.folder, dst_dir_fd=taken.folder)
        files.remove(taken.folder, f"{taken.id}.taken")
    except OSError as trouble:
        log.warning("the answer to %s could not be put into its spool: %s", taken.id, trouble)
    finally:
        _close(taken)


def answer_interrupted(root: str, identifier: str, log_path: str) -> None:
    """Tell whoever still waits for a request that the runtime which took it ended: it is never performed a second time."""
    folder = files.open_folder(root, make=False)
    name = f"{identifier}.taken"
    try:
        file = files.open_file(folder, name, REQUEST_LIMIT)
    except OSError as problem:
        _discard(folder, name, str(problem))
        os.close(folder)
        return
    reason = "it ended before it answered; look whether the command was performed before you repeat it"
    gone = errors.RuntimeUnavailable(reason=reason, log=log_path)
    answer(Taken(identifier, folder, file, Origin(os.getuid(), 0)), envelope.error_answer(1, gone))


def _claim(taken: Taken, name: str) -> bool:
    """Rename the request to show that it is being worked on; whether what has the new name is what was looked at."""
    mine = f"{taken.id}.taken"
    try:
        os.rename(name, mine, src_dir_fd=taken.folder, dst_dir_fd=taken.folder)
        status = os.stat(mine, dir_fd=taken.folder, follow_symlinks=False)
    except OSError:
        return False
    return os.path.samestat(status, os.fstat(taken.file))


def _read(taken: Taken) -> None:
    """Fill in who asks for what. The lock is looked at again afterwards, so that pid and start time are of one holder."""
    pid = lock_holder(taken.file) or 0
    taken.origin = Origin(_user(pid), pid)
    try:
        message = envelope.read_message(files.read_all(taken.file, REQUEST_LIMIT))
    except envelope.BadJson as problem:
        taken.refusal = errors.InvalidArguments(problem=f"not JSON: {problem}", action=METHOD)
        return
    if not isinstance(message, envelope.Request) or message.method != METHOD:
        taken.refusal = errors.InvalidArguments(problem=f"the spool carries {METHOD} only", action=METHOD)
        return
    taken.request = message
    _verify(taken, message)


def _verify(taken: Taken, request: envelope.Request) -> None:
    pid = taken.origin.pid
    process = look(pid) if pid else None
    if process is None or process.start != taken.origin.start or lock_holder(taken.file) != pid:
        taken.origin = Origin(os.getuid(), 0)
        return
    argv = request.params.get("argv")
    words = tuple(argv) if isinstance(argv, list) and all(isinstance(word, str) for word in argv) else ()
    if not was_started_with(process, words):
        taken.refusal = errors.PolicyDenied(
            role="external",
            action="this request",
            reason="It is not the one that the process which locks it was started with.",
        )


def _user(pid: int) -> int:
    found = user_of(pid) if pid else None
    return os.getuid() if found is None else found


def _expired(folder: int, name: str) -> bool:
    try:
        changed = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mtime
    except OSError:
        return False
    return abs(time.time() - changed) > EXPIRE_SECONDS


def _discard(folder: int, name: str, why: str) -> None:
    log.info("%s is removed unread: %s", name, why)
    files.remove(folder, name)


def _close(taken: Taken) -> None:
    os.close(taken.file)
    os.close(taken.folder)
