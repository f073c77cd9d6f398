"""Git's failures in the words of ADE's error catalogue."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ade_generated import errors
from ade_runtime.contracts import AdeError
from ade_runtime.integrations.git import failures as f
from ade_runtime.integrations.git.text import redact

OUTPUT_LIMIT = 8000
LINE_LIMIT = 300
FILES_SHOWN = 5
LINES_SHOWN = 4
_REMOTE = re.compile(r"^remote: ?(.*?)\s*$", re.MULTILINE)
_COUNTING = re.compile(r"(?:Resolving|Counting|Compressing|Enumerating|Total) ")


@dataclass(slots=True)
class Context:
    """What a call was about, for the sentences of its errors. ``operation`` is a word such as rebase."""

    lane: str
    action: str
    remote: str = ""
    branch: str = ""
    operation: str = ""


@contextmanager
def translate(context: Context) -> Iterator[None]:
    """Turn a :class:`GitError` raised inside, or a disk that is full, into the error of the catalogue."""
    try:
        yield
    except f.GitError as problem:
        raise to_error(problem, context) from problem
    except OSError as problem:
        if problem.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise errors.DiskFull(lane=context.lane) from problem


def to_error(problem: f.GitError, context: Context) -> AdeError:
    for kind, make in _MAKERS:
        if isinstance(problem, kind):
            return make(problem, context)
    details = {"stderr": problem.stderr[:OUTPUT_LIMIT]} if problem.stderr else None
    return errors.GitFailed(command=problem.command or "itself", reason=sentence(problem), details=details)


def sentence(problem: f.GitError) -> str:
    """Git's reason as the end of a sentence."""
    return one_line(problem.reason.rstrip(". ")) or "it gave no reason"


def one_line(text: str) -> str:
    """``text`` in one bounded line."""
    line = " ".join(text.split())
    return line if len(line) <= LINE_LIMIT else line[: LINE_LIMIT - 1] + "…"


def some(files: Sequence[str]) -> str:
    """The first few of ``files``, and how many more there are."""
    shown = ", ".join(files[:FILES_SHOWN])
    more = len(files) - FILES_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


def duration(seconds: float | None) -> str:
    """An age in words, from seconds to days."""
    if seconds is None:
        return "0 s"
    for size, unit in ((86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{int(seconds // size)} {unit}"
    return f"{int(seconds)} s"


def _locked(problem: f.GitLocked, context: Context) -> AdeError:
    details = {"path": str(problem.path), "age_seconds": problem.age}
    return errors.GitLocked(
        path=str(problem.path), age=duration(problem.age), details=details, retry_after_ms=1000
    )


def _hook(problem: f.HookFailed, context: Context) -> AdeError:
    printed = redact(problem.stderr)
    lines = [line for line in printed.splitlines() if line.strip()]
    said = one_line(lines[0]) if lines else "it printed nothing"
    details = {"hook": problem.hook, "exit_code": problem.code, "output": printed[:OUTPUT_LIMIT]}
    return errors.HookFailed(hook=problem.hook, status=problem.code, output=said, details=details)


def _revision(problem: f.BadRevision, context: Context) -> AdeError:
    commits = problem.candidates and all(len(name) >= 40 for name in problem.candidates)
    reason = "it could be any of several commits" if commits else "no branch, tag or commit is called so"
    details: dict[str, Any] | None = {"candidates": problem.candidates} if problem.candidates else None
    return errors.RevisionNotFound(revision=one_line(problem.revision), reason=reason, details=details)


def _name(problem: f.BadName, context: Context) -> AdeError:
    name = one_line(problem.name) or "''"
    if problem.kind == "path":
        return errors.PathOutsideLane(path=name, lane=context.lane, reason=problem.why)
    if problem.kind == "remote":
        return errors.InvalidRemote(remote=redact(name), reason=problem.why)
    if problem.kind == "tag":
        return errors.InvalidTagName(tag=name, reason=problem.why)
    if problem.kind == "revision":
        return errors.InvalidRevision(revision=name, reason=problem.why)
    return errors.InvalidBranchName(name=name, reason=problem.why)


def _rejected(problem: f.RemoteRejected, context: Context) -> AdeError:
    reason = one_line(problem.detail)
    details = {"output": problem.stderr[:OUTPUT_LIMIT]}
    remote, branch = context.remote, context.branch
    if problem.kind == "non_fast_forward":
        return errors.PushRejected(
            remote=remote, branch=branch, lane=context.lane, reason=reason, details=details
        )
    if problem.kind == "stale_lease":
        return errors.LeaseStale(remote=remote, branch=branch, reason=reason, details=details)
    said = _said(problem.stderr)
    return errors.RemoteRefused(
        remote=remote,
        branch=branch,
        reason=one_line(f"{reason}: {said}") if said else reason,
        details=details,
    )


def _said(complaint: str) -> str:
    """What the remote printed of its rule, as the end of a sentence."""
    lines = [line.strip(" -*\t") for line in _REMOTE.findall(redact(complaint))]
    told = [line.removeprefix("error: ") for line in lines if line and not _COUNTING.match(line)]
    return "; ".join(line.rstrip(".") for line in told[:LINES_SHOWN])


def _overwrite(problem: f.WouldOverwrite, context: Context) -> AdeError:
    files = some(problem.files) if problem.files else sentence(problem)
    return errors.LocalChanges(lane=context.lane, files=files, details={"files": problem.files})


def _unfinished(problem: f.OperationInProgress, context: Context) -> AdeError:
    return errors.OperationInProgress(lane=context.lane, operation=context.operation or "git operation")


def _conflict(problem: f.GitError, context: Context) -> AdeError:
    todo = f"See `ade git conflict-state --lane {context.lane}`."
    return errors.ConflictsLeft(
        operation=context.operation or problem.command, lane=context.lane, count=0, todo=todo
    )


def _not_worktree(problem: f.NotARepository, context: Context) -> AdeError:
    return errors.LaneNotAWorktree(lane=context.lane, reason=sentence(problem))


_Maker = Callable[[Any, Context], AdeError]
_MAKERS: tuple[tuple[type[f.GitError], _Maker], ...] = (
    (f.GitMissing, lambda p, c: errors.GitMissing(reason=sentence(p))),
    (f.GitTimedOut, lambda p, c: errors.TimedOut(action=c.action, seconds=p.seconds)),
    (f.OutputTooLarge, lambda p, c: errors.GitOutputTooLarge(command=p.command, limit=p.limit)),
    (f.WorktreeMissing, lambda p, c: errors.LaneMissing(lane=c.lane, what="its folder", path=str(p.path))),
    (f.NotARepository, _not_worktree),
    (f.GitLocked, _locked),
    (f.HookFailed, _hook),
    (f.NoCommits, lambda p, c: errors.NoCommits(lane=c.lane)),
    (f.BadRevision, _revision),
    (f.BadName, _name),
    (f.NothingToCommit, lambda p, c: errors.NothingToCommit(lane=c.lane, what="to commit")),
    (f.WouldOverwrite, _overwrite),
    (f.OperationInProgress, _unfinished),
    (f.MergeConflict, _conflict),
    (f.UnmergedPaths, _conflict),
    (f.IdentityUnknown, lambda p, c: errors.IdentityUnknown(lane=c.lane)),
    (f.SigningFailed, lambda p, c: errors.SigningFailed(reason=sentence(p))),
    (f.RemoteRejected, _rejected),
    (f.AuthFailed, lambda p, c: errors.AuthFailed(remote=c.remote, reason=sentence(p))),
    (f.RemoteUnreachable, lambda p, c: errors.RemoteUnreachable(remote=c.remote, reason=sentence(p))),
    (f.BranchCheckedOut, lambda p, c: errors.BranchInUse(branch=p.branch, path=p.path)),
    (f.StorageFull, lambda p, c: errors.DiskFull(lane=c.lane)),
)
