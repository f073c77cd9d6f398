"""Which remote and which of its branches a branch belongs to, read from the configuration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ade_runtime.integrations.git.refs import remote_names
from ade_runtime.integrations.git.runner import Git


@dataclass(frozen=True, slots=True)
class Upstream:
    """What a branch tracks. ``remote`` is ``.`` for a branch of the repository itself; ``merge`` is the
    full name there, ``ref`` the ref that follows it here (``None`` when none does), which may not exist."""

    remote: str
    merge: str
    ref: str | None

    @property
    def name(self) -> str:
        """How git shows it: origin/main."""
        if self.ref is None:
            return f"{self.remote}/{self.branch}"
        return self.ref.removeprefix("refs/remotes/").removeprefix("refs/heads/")

    @property
    def branch(self) -> str:
        """Short name on the remote."""
        return self.merge.removeprefix("refs/heads/")


async def read_upstream(git: Git, branch: str) -> Upstream | None:
    """What the local branch ``branch`` tracks, ``None`` when nothing is configured."""
    result = await git.read(
        "for-each-ref",
        "--format=%(upstream:remotename)%00%(upstream:remoteref)%00%(upstream)",
        f"refs/heads/{branch}",
    )
    first = result.text.split("\n", 1)[0]
    remote, _, rest = first.partition("\0")
    merge, _, ref = rest.partition("\0")
    if not merge:
        return await _configured(git, branch)
    return Upstream(remote or ".", merge, ref or None)


async def default_remote(git: Git) -> str | None:
    """Where to push and fetch when a branch does not say: origin, else the only remote."""
    return usual_remote(await remote_names(git))


def usual_remote(names: Sequence[str]) -> str | None:
    """Of the remotes with these names."""
    if "origin" in names:
        return "origin"
    return names[0] if len(names) == 1 else None


async def _configured(git: Git, branch: str) -> Upstream | None:
    """For a branch without commits, which for-each-ref does not list, or one whose remote fetches nothing."""
    remote = await git.read("config", "--get", f"branch.{branch}.remote", ok=(0, 1))
    merge = await git.read("config", "--get", f"branch.{branch}.merge", ok=(0, 1))
    if remote.code or merge.code or not merge.text:
        return None
    return Upstream(remote.text, merge.text, None)
