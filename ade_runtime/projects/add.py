"""Registering a repository: from any folder in it to the root of its main checkout."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.integrations.git.runner import Git
from ade_runtime.lanes.naming import BadNameError, clean_name
from ade_runtime.projects.exclude import keep_out_of_status
from ade_runtime.projects.locate import bare_around, checkout_around, read_line, real

if TYPE_CHECKING:
    from ade_runtime.projects.registry import Answer, Project, ProjectRegistry


async def add_project(
    registry: ProjectRegistry, path: Path, name: str | None, answer: Answer | None = None
) -> Project:
    """The project of the repository around ``path``, registered if it was not. For a new one ``answer`` gives what else is to
    be written in the same transaction.

    Raises ``path_not_found``, ``not_a_git_repository``, ``bare_repository`` or ``invalid_project_name``.
    """
    folder = existing_folder(path)
    checked = checked_project_name(name) if name is not None else None
    if bare_around(folder) is not None:
        raise errors.BareRepository(path=str(folder))
    around = checkout_around(folder)
    if around is None:
        raise errors.NotAGitRepository(path=str(folder))
    root, git_dir = await _main_checkout(*around)
    await _prove(root, git_dir)
    keep_out_of_status(git_dir)
    return await registry.register(root, git_dir, checked, answer)


def existing_folder(path: Path) -> Path:
    """``path`` with symlinks resolved; raises ``path_not_found`` unless it is a folder."""
    folder = real(path)
    try:
        if folder.is_dir():
            return folder
    except (OSError, ValueError):
        pass
    raise errors.PathNotFound(path=str(path))


def absolute(path: str, cwd: str | None) -> Path:
    """A caller's path: ``~`` is the home folder, a relative one is read from the caller's working folder."""
    if "\x00" in path:
        raise errors.PathNotFound(path=path.replace("\x00", "\\0"))
    try:
        return Path(cwd or Path.home()) / Path(path).expanduser()
    except RuntimeError:
        raise errors.PathNotFound(path=path) from None


def checked_project_name(name: str) -> str:
    try:
        return clean_name(name)
    except BadNameError as problem:
        shown = name if name.isprintable() else name.encode("unicode_escape").decode("ascii")
        raise errors.InvalidProjectName(name=shown, reason=str(problem)) from None


async def _main_checkout(root: Path, git_dir: Path) -> tuple[Path, Path]:
    """Root and git folder of the main checkout, also from a linked worktree; raises ``bare_repository``
    without one."""
    common = read_line(git_dir / "commondir")
    if common is None:
        return root, git_dir
    shared = real(git_dir / common)
    git = Git(root)
    if (await git.read("config", "--file", shared / "config", "--get", "core.worktree", ok=(0, 1))).text:
        text = (await git.read("config", "--file", shared / "config", "--get", "core.worktree")).text
        return real(shared / text), shared
    if shared.name != ".git":
        raise errors.BareRepository(path=str(shared))
    return shared.parent, shared


async def _prove(root: Path, git_dir: Path) -> None:
    """Have git itself say that this is a checkout of that repository."""
    git = Repository.open(root, common_dir=git_dir).git
    if (await git.read("rev-parse", "--is-bare-repository")).text == "true":
        raise errors.BareRepository(path=str(root))
