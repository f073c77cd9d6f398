"""From git's exit code and complaint to a :class:`~.failures.GitError`.

Git has no machine-readable errors, so its English texts are matched; they are pinned by running git with an
English locale, and each row has a test against the real program.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from ade_runtime.integrations.git import failures as f
from ade_runtime.integrations.git.hooks import Failure

_FILES_LIMIT = 100

Maker = Callable[[re.Match[str], str], f.GitError]


def classify(command: str, code: int, complaint: str, hooks: Sequence[Failure] = ()) -> f.GitError:
    """The error for ``git command`` that ended with ``code`` after printing ``complaint``."""
    blocking = [hook for hook in hooks if not hook.name.startswith("post-")]
    if blocking:
        return f.HookFailed(command=command, code=blocking[-1].code, stderr=complaint, hook=blocking[-1].name)
    for pattern, make in _RULES:
        match = pattern.search(complaint)
        if match is not None:
            error = make(match, complaint)
            break
    else:
        error = f.GitError()
    error.command, error.code, error.stderr = command, code, complaint
    return error


def _config_locked(match: re.Match[str], complaint: str) -> f.GitError:
    return _locked_at(Path(match.group(1) + ".lock"))


def _locked_at(path: Path) -> f.GitLocked:
    try:
        age: float | None = max(0.0, time.time() - path.lstat().st_mtime)
    except OSError:
        age = None
    return f.GitLocked(path=path, age=age)


def _would_overwrite(match: re.Match[str], complaint: str) -> f.GitError:
    files = [line.strip() for line in complaint.splitlines() if line.startswith("\t")]
    return f.WouldOverwrite(files=files[:_FILES_LIMIT])


def _rejected(match: re.Match[str], complaint: str) -> f.GitError:
    detail = match.group(2).strip()
    if "stale info" in detail or "remote ref updated" in detail:
        kind = "stale_lease"
    elif any(
        word in detail
        for word in ("non-fast-forward", "fetch first", "behind", "needs force", "already exists")
    ):
        kind = "non_fast_forward"
    elif "hook declined" in detail or match.group(1):
        kind = "hook" if "hook" in detail else "other"
    else:
        kind = "other"
    return f.RemoteRejected(kind=kind, detail=detail)


def _checked_out(match: re.Match[str], complaint: str) -> f.GitError:
    return f.BranchCheckedOut(branch=match.group(1), path=match.group(2))


def _simple(kind: type[f.GitError]) -> Maker:
    return lambda match, complaint: kind()


def _bad_revision(match: re.Match[str], complaint: str) -> f.GitError:
    return f.BadRevision(revision=match.group(1))


_TABLE: tuple[tuple[str, Maker], ...] = (
    (r"Unable to create '(.+\.lock)': File exists", lambda match, text: _locked_at(Path(match.group(1)))),
    (r"could not lock config file (.+): File exists", _config_locked),
    (r"No space left on device", _simple(f.StorageFull)),
    (r"gpg failed to sign|failed to write commit object|failed to sign|cannot run gpg",
     _simple(f.SigningFailed)),
    (r"\(not a git repository|not a git repository|cannot use bare repository", _simple(f.NotARepository)),
    (r"this operation must be run in a work tree", _simple(f.NotARepository)),
    (r"tell me who you are|empty ident name|no email was given|no name was given|unable to auto-detect email",
     _simple(f.IdentityUnknown)),
    (r"^ ?!.*\[(remote )?rejected\].*\((.+)\)", _rejected),
    (r"authentication failed|could not read (?:username|password)|permission denied \("
     r"|terminal prompts disabled|host key verification failed|returned error: 40[13]"
     r"|invalid username or (?:password|token)",
     _simple(f.AuthFailed)),
    (r"does not appear to be a git repository|could not read from remote repository|could not resolve host"
     r"|connection (?:refused|timed out|reset)|unable to access '"
     r"|repository '.*' (?:not found|does not exist)"
     r"|unable to connect|the remote end hung up|network is unreachable|early eof|transport '.*' not allowed",
     _simple(f.RemoteUnreachable)),
    (r"'([^']+)' is already checked out at '([^']+)'", _checked_out),
    (r"'([^']+)' is already used by worktree at '([^']+)'", _checked_out),
    (r"refusing to (?:fetch into|update checked out) (?:branch )?'?(?:refs/heads/)?([^']+)'?"
     r" checked out at '([^']+)'",
     _checked_out),
    (r"would be overwritten|would be removed by|would lose untracked"
     r"|already exists, no checkout|local changes to the following",
     _would_overwrite),
    (r"cannot (?:rebase|pull with rebase|cherry-pick|revert)\b.*(?:unstaged changes|uncommitted changes)"
     r"|your index contains uncommitted changes|please commit your changes or stash|entry '.*' not uptodate"
     r"|your local changes would be",
     _would_overwrite),
    (r"you have not concluded your merge|merge_head exists|rebase-(?:merge|apply) director|already a rebase"
     r"|(?:cherry-pick|revert) is already in progress|cherry_pick_head exists|in the middle of",
     _simple(f.OperationInProgress)),
    (r"conflict \(|merge conflict|could not apply|could not revert|automatic merge failed|conflicts in index"
     r"|after resolving the conflicts|resolve all conflicts",
     _simple(f.MergeConflict)),
    (r"unmerged (?:paths|files)|you need to resolve your current index|not possible because you have unmerged"
     r"|needs merge",
     _simple(f.UnmergedPaths)),
    (r"nothing to commit|no changes added to commit|nothing added to commit|no changes - did you forget"
     r"|the previous cherry-pick is now empty|nothing to do",
     _simple(f.NothingToCommit)),
    (r"does not have any commits yet|bad default revision 'head'|you do not have the initial commit yet"
     r"|nothing to amend|ambiguous argument 'head'|not a valid object name: 'head'",
     _simple(f.NoCommits)),
    (r"(?:bad revision|ambiguous argument|unknown revision|invalid upstream|not a valid ref:?|bad object)"
     r" '?([^'\n]+)'?",
     _bad_revision),
)  # fmt: skip

_RULES = tuple((re.compile(pattern, re.IGNORECASE | re.MULTILINE), make) for pattern, make in _TABLE)
