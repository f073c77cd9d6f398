"""Names and limits of a spool folder. Built-in modules only: the thin client reads this, too.

A request goes ``ID.new`` → ``ID.request`` (whole, and locked by the process that asks) → ``ID.taken`` (the runtime works on
it); its answer goes ``ID.writing`` → ``ID.answer``. Each step is one rename. ID is 32 hexadecimal digits: 8 that stand for
the ADE_HOME whose runtime is meant, since several may know the same repository, and 24 by chance.
"""

FOLDER = (".ade", "spool")
"""Below the root of a worktree."""

KINDS = ("new", "request", "taken", "writing", "answer")
ID_LENGTH = 32
TAG_LENGTH = 8
_DIGITS = frozenset("0123456789abcdef")

REQUEST_LIMIT = 1024 * 1024
"""Most bytes of a request."""

ANSWER_LIMIT = 8 * 1024 * 1024
"""Most bytes of an answer."""

ENTRY_LIMIT = 256
"""Most entries of a folder that are looked at in one go."""

AT_ONCE = 8
"""Most requests of one folder that are worked on at a time; others wait."""

EXPIRE_SECONDS = 60.0
"""Age at which a request that nobody took is no longer performed, and at which what was left behind is removed."""

PICKUP_SECONDS = 10.0
"""How long a client waits for a runtime to take its request."""

ANSWER_SECONDS = 3600.0
"""How long a client waits for an answer once its request was taken: longer than any action may run."""


def tag_of(home: str) -> str:
    """The digits that begin the ids of requests to the runtime of this ADE_HOME."""
    import hashlib
    import os

    return hashlib.sha256(os.fsencode(os.path.realpath(home))).hexdigest()[:TAG_LENGTH]


def split(name: str) -> "tuple[str, str] | None":
    """``(id, kind)`` of a file of the spool; ``None`` for anything else, which is never touched."""
    identifier, _, kind = name.partition(".")
    if len(identifier) != ID_LENGTH or kind not in KINDS or not _DIGITS.issuperset(identifier):
        return None
    return identifier, kind
