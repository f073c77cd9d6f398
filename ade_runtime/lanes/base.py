"""The commit a new lane starts from: the caller's words are checked and resolved before any other command
sees them."""

from __future__ import annotations

from dataclasses import dataclass

from ade_generated import errors
from ade_runtime.integrations.git.failures import BadName, BadRevision, NoCommits
from ade_runtime.integrations.git.refs import check_revision, head, resolve_commit, resolve_ref
from ade_runtime.integrations.git.runner import Git
from ade_runtime.lanes.records import LaneRecord
from ade_runtime.lanes.refs import Branches, printable
from ade_runtime.projects.locate import read_line
from ade_runtime.projects.registry import Project

_USUAL_DEFAULTS = ("main", "master", "trunk", "develop")


@dataclass(frozen=True, slots=True)
class Base:
    """``shown`` is what a reader is told, ``commit`` the full id, ``branch`` the branch behind it
    (``origin/x`` for a
    remote one), ``None`` for tags and commits."""

    shown: str
    commit: str
    branch: str | None


async def resolve_base(git: Git, branches: Branches, text: str) -> Base:
    """The commit ``text`` names: a branch, tag, remote branch or commit, optionally with ``~n`` or ``^n``.

    Raises ``invalid_base`` for what git would read as an option, a search, an upstream or a range, and
    ``base_not_found`` with candidates for what names none or several commits.
    """
    if text in branches.commits:
        return Base(text, branches.commits[text], text)
    try:
        check_revision(text)
        if "@{" in text or "^{" in text:
            raise BadName(
                kind="revision", name=text, why="it depends on more than the commits; name the commit"
            )
        commit = await resolve_commit(git, text)
    except BadName as problem:
        raise errors.InvalidBase(base=printable(text), reason=problem.why) from None
    except BadRevision as problem:
        raise _not_found(text, problem.candidates) from None
    except NoCommits:
        raise _not_found(text, []) from None
    remote = await resolve_ref(git, f"refs/remotes/{text}^{{commit}}")
    return Base(text, commit, text if remote == commit else None)


async def default_base(git: Git, project: Project, branches: Branches) -> Base:
    """Where lanes start without being told: the branch origin's HEAD names, else a usual name, else what is
    checked
    out. Raises ``repository_has_no_commits``."""
    remote = remote_default(project)
    if remote is not None and remote not in branches.commits:
        commit = await resolve_ref(git, f"refs/remotes/origin/{remote}^{{commit}}")
        if commit is not None:
            return Base(f"origin/{remote}", commit, f"origin/{remote}")
    for name in (remote, *_USUAL_DEFAULTS, checked_out(project)):
        if name is not None and name in branches.commits:
            return Base(name, branches.commits[name], name)
    commit = await head(git)
    if commit is None:
        raise errors.RepositoryHasNoCommits(project=project.name, path=str(project.root))
    return Base("HEAD", commit, None)


async def parent_base(git: Git, parent: LaneRecord) -> Base:
    """The latest commit of the lane to build on; ``git`` runs in it."""
    commit = await head(git)
    if commit is None:
        raise errors.RepositoryHasNoCommits(project=parent.project.name, path=str(parent.path))
    branch = parent.live_branch()
    return Base(branch or commit, commit, branch)


def remote_default(project: Project) -> str | None:
    """The branch that ``origin`` calls its default, as far as this clone was told."""
    line = read_line(project.git_dir / "refs" / "remotes" / "origin" / "HEAD")
    prefix = "ref: refs/remotes/origin/"
    return line.removeprefix(prefix) if line and line.startswith(prefix) else None


def checked_out(project: Project) -> str | None:
    """The branch of the main checkout, ``None`` when its HEAD is detached."""
    line = read_line(project.git_dir / "HEAD")
    return line.removeprefix("ref: refs/heads/") if line and line.startswith("ref: refs/heads/") else None


def _not_found(text: str, candidates: list[str]) -> errors.BaseNotFound:
    reason = "the repository has no such branch, tag or commit"
    if len(candidates) > 1 and all(name.startswith(text.lower()) and len(name) >= 40 for name in candidates):
        reason = f"{len(candidates)} commits begin like that: " + ", ".join(
            name[:12] for name in candidates[:5]
        )
    elif candidates:
        reason += "; did you mean " + ", ".join(candidates[:5]) + "?"
    return errors.BaseNotFound(base=text, reason=reason, details={"candidates": candidates})
