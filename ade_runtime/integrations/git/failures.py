"""What can go wrong when git runs, as types. ``classify`` in :mod:`.classify` makes them from git's own
words."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(eq=False)
class GitError(Exception):
    """Git could not do what was asked. ``command`` is the subcommand, ``stderr`` its bounded, redacted
    complaint."""

    command: str = ""
    code: int = 0
    stderr: str = ""

    def __str__(self) -> str:
        return f"git {self.command}: {self.reason}" if self.command else self.reason

    @property
    def reason(self) -> str:
        """The line of git's complaint that says why, without its prefix."""
        lines = [line.strip() for line in self.stderr.splitlines() if line.strip()]
        for line in lines:
            for prefix in ("fatal: ", "error: "):
                if line.startswith(prefix):
                    return line.removeprefix(prefix)
        return lines[0] if lines else f"exit code {self.code}"


@dataclass(eq=False)
class GitMissing(GitError):
    """The git program itself is not installed or cannot be started."""


@dataclass(eq=False)
class GitTimedOut(GitError):
    """Git did not finish in ``seconds`` and was killed with its children."""

    seconds: float = 0


@dataclass(eq=False)
class OutputTooLarge(GitError):
    """Git printed more than ``limit`` bytes and was killed."""

    limit: int = 0


@dataclass(eq=False)
class NotARepository(GitError):
    """The folder is not, or no longer, the worktree of a repository; ``path`` is the folder."""

    path: Path = field(default_factory=Path)


@dataclass(eq=False)
class WorktreeMissing(NotARepository):
    """The folder itself is gone."""


@dataclass(eq=False)
class ForeignRepository(NotARepository):
    """The folder's ``.git`` leads to another repository than the project's."""


@dataclass(eq=False)
class GitLocked(GitError):
    """Another git holds a lock file; it was waited for and never removed. ``age`` in seconds, ``None`` if
    it just went."""

    path: Path = field(default_factory=Path)
    age: float | None = None


@dataclass(eq=False)
class HookFailed(GitError):
    """A hook of the repository ended with ``code``; ``stderr`` is what it printed."""

    hook: str = ""


@dataclass(eq=False)
class NoCommits(GitError):
    """The repository has no commit yet."""


@dataclass(eq=False)
class BadRevision(GitError):
    """``revision`` names no commit. ``candidates`` are full object ids when it is an ambiguous
    abbreviation."""

    revision: str = ""
    candidates: list[str] = field(default_factory=list)


@dataclass(eq=False)
class BadName(GitError):
    """A branch, remote, tag or path that is refused before git sees it; ``why`` follows a colon."""

    kind: str = "branch"
    name: str = ""
    why: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.name!r}: {self.why}"


@dataclass(eq=False)
class NothingToCommit(GitError):
    """The commit would be empty."""


@dataclass(eq=False)
class MergeConflict(GitError):
    """The operation stopped because both sides changed the same lines; the worktree holds the conflict."""


@dataclass(eq=False)
class WouldOverwrite(GitError):
    """Local changes or untracked files are in the way; nothing was done. ``files`` are git's spelling,
    bounded."""

    files: list[str] = field(default_factory=list)


@dataclass(eq=False)
class OperationInProgress(GitError):
    """A merge, rebase, cherry-pick or revert waits to be finished."""


@dataclass(eq=False)
class UnmergedPaths(GitError):
    """Files with unresolved conflicts keep git from going on."""


@dataclass(eq=False)
class IdentityUnknown(GitError):
    """Neither user.name nor user.email is configured."""


@dataclass(eq=False)
class SigningFailed(GitError):
    """The commit or tag was to be signed and could not be."""


@dataclass(eq=False)
class RemoteRejected(GitError):
    """The remote refused the push. ``kind``: ``non_fast_forward``, ``stale_lease``, ``hook`` or ``other``."""

    kind: str = "other"
    detail: str = ""


@dataclass(eq=False)
class AuthFailed(GitError):
    """The remote did not accept the credentials git found, or there were none."""


@dataclass(eq=False)
class RemoteUnreachable(GitError):
    """The remote could not be reached or is no repository."""


@dataclass(eq=False)
class BranchCheckedOut(GitError):
    """The branch is checked out in another worktree at ``path``."""

    branch: str = ""
    path: str = ""


@dataclass(eq=False)
class StorageFull(GitError):
    """The disk is full."""
