"""What there is to know about a project's repository before agents work in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_runtime.integrations.git.config_scan import scan_config
from ade_runtime.integrations.git.failures import GitError
from ade_runtime.integrations.git.refs import head
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.integrations.git.runner import Git
from ade_runtime.integrations.git.text import redact, show_text
from ade_runtime.lanes.base import checked_out, default_base
from ade_runtime.lanes.refs import read_branches

if TYPE_CHECKING:
    from ade_runtime.projects.registry import Project


def project_document(project: Project, lanes: int) -> dict[str, Any]:
    """A ``Project``; ``lanes`` counts those besides the primary one."""
    return {
        "id": project.id,
        "name": project.name,
        "root": str(project.root),
        "exists": project.exists,
        "lanes": lanes,
        "added_at": project.added_at,
        "last_used_at": project.last_used_at,
    }


async def detail_document(project: Project, lanes: int) -> dict[str, Any]:
    """A ``ProjectDetail``. A repository that is gone or that git refuses to read is told as a warning."""
    facts: dict[str, Any] = {
        "branch": None,
        "head": None,
        "default_branch": None,
        "has_commits": False,
        "git_dir": None,
        "remotes": [],
        "warnings": [],
        "next": f"Put it back, or forget it with `ade project remove {project.id}`",
    }
    if project.exists:
        try:
            facts |= await _facts(project)
        except GitError as problem:
            facts["warnings"] = [_warning("unreadable", f"Git cannot read the repository: {problem.reason}")]
    else:
        facts["warnings"] = [_warning("root_missing", "The folder is gone or is no git repository any more")]
    return {**project_document(project, lanes), **facts}


async def _facts(project: Project) -> dict[str, Any]:
    git = Repository(project.root, project.git_dir).git
    commit = await head(git)
    default: str | None = None
    try:
        default = (await default_base(git, project, await read_branches(git))).shown
    except errors.RepositoryHasNoCommits:
        default = None
    return {
        "branch": checked_out(project),
        "head": commit,
        "default_branch": default,
        "has_commits": commit is not None or default is not None,
        "git_dir": str(project.git_dir),
        "remotes": await _remotes(git),
        "warnings": await _warnings(git, project, commit),
        "next": "Start a task with `ade lanes create NAME`"
        if default
        else f"Make the first commit in {project.root}; lanes start from one",
    }


async def _remotes(git: Git) -> list[dict[str, str]]:
    listed = await git.read("config", "-z", "--get-regexp", r"^remote\..*\.url$", ok=(0, 1))
    found: dict[str, str] = {}
    for record in listed.records():
        key, _, url = show_text(record).partition("\n")
        found.setdefault(key.removeprefix("remote.").removesuffix(".url"), redact(url))
    return [{"name": name, "url": url} for name, url in found.items()]


async def _warnings(git: Git, project: Project, commit: str | None) -> list[dict[str, Any]]:
    out = [_warning("config_runs_program", str(finding), finding.key) for finding in await scan_config(git)]
    if commit is None:
        out.append(_warning("no_commits", "There is no commit yet, so no lane can be made"))
    elif checked_out(project) is None:
        out.append(
            _warning("detached_head", "The main checkout is on no branch; lanes cannot be merged into it")
        )
    if (project.git_dir / "shallow").exists():
        out.append(
            _warning("shallow", "The clone lacks old history; merges may not find where branches parted")
        )
    return out


def _warning(code: str, message: str, where: str | None = None) -> dict[str, Any]:
    return {"code": code, "message": message, "where": where}
