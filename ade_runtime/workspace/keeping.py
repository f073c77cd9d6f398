"""Files about to be deleted, kept as a commit of their own under ``refs/ade/trash/``.

Their contents are those that were read through the checkout's root, given to ``git fast-import``; git itself opens none of
them, so what is kept is what was looked at, and no filter, hook or index takes part.
"""

from __future__ import annotations

import secrets
import shlex
import stat
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from ade_runtime.integrations.git.runner import Git
from ade_runtime.integrations.git.snapshot import KEEP, TRASH, Kept, prune
from ade_runtime.integrations.git.text import show_path
from ade_runtime.workspace.doomed import Thing

TIMEOUT = 60.0


async def keep(git: Git, things: Sequence[Thing], message: str, now: datetime) -> Kept | None:
    """Keep files and links for 30 days; ``None`` where there are only folders. Lets go of what was kept for longer."""
    plain = [thing for thing in things if not stat.S_ISDIR(thing.mode)]
    if not plain:
        return None
    stamp = now.astimezone(UTC)
    ref = f"{TRASH}{stamp.strftime('%Y%m%dT%H%M%S')}-deleted-{secrets.token_hex(6)}"
    stream = b"".join(_stream(plain, ref, message, stamp))
    await git.run(
        "fast-import", "--quiet", "--done", stdin=stream, timeout=TIMEOUT, plumbing=True, literal=False
    )
    commit = (await git.read("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")).text
    await prune(git, now)
    return Kept(ref, commit, now + KEEP)


def restore_command(kept: Kept, path: bytes) -> str:
    """The command that brings it back, run in the lane's folder; it takes nothing away that came since."""
    try:
        where = shlex.quote(f":(top,literal){path.decode()}")
    except UnicodeDecodeError:
        where = "."
    return f"git restore --overlay --source={kept.ref} -- {where}"


def _stream(things: Sequence[Thing], ref: str, message: str, now: datetime) -> Iterator[bytes]:
    said = message.encode()
    yield f"commit {ref}\ncommitter ADE <ade@localhost> {int(now.timestamp())} +0000\n".encode()
    yield b"data %d\n%b\n" % (len(said), said)
    for thing in things:
        path = b"/".join(thing.names)
        yield b"M %b inline %b\ndata %d\n%b\n" % (
            _mode(thing.mode),
            _quoted(path),
            len(thing.data),
            thing.data,
        )
    yield b"done\n"


def _mode(mode: int) -> bytes:
    if stat.S_ISLNK(mode):
        return b"120000"
    return b"100755" if mode & stat.S_IXUSR else b"100644"


def _quoted(path: bytes) -> bytes:
    """In git's quotes, whatever is in it."""
    shown = show_path(path)
    if shown.startswith('"'):
        return shown.encode()
    return b'"' + b"".join(b"\\%03o" % byte if byte in b'"\\\n' else bytes([byte]) for byte in path) + b'"'
