"""What the stand-in keeps: repositories over real bare ones, their pull requests and what is said and checked about them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.github.documents import MOMENT

WHO = {
    "GIT_AUTHOR_NAME": "GitHub",
    "GIT_AUTHOR_EMAIL": "noreply@example.org",
    "GIT_COMMITTER_NAME": "GitHub",
    "GIT_COMMITTER_EMAIL": "noreply@example.org",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
}
PEOPLE = ("ada", "grace", "linus", "octo")


class GitProblem(Exception):
    """Git said no."""


@dataclass
class Said:
    """A comment or review. ``state`` is a review's."""

    id: int
    author: str
    body: str
    at: str = MOMENT
    state: str = "COMMENTED"
    commit: str | None = None


@dataclass
class Thread:
    id: str
    path: str
    line: int
    comments: list[Said]
    resolved: bool = False


@dataclass
class Pull:
    """``head_owner`` is whose fork the branch is in."""

    number: int
    title: str
    body: str | None
    head: str
    base: str
    author: str
    draft: bool = False
    state: str = "open"
    head_owner: str = ""
    merged: str | None = None
    final: str | None = None
    """Where the branch was when it was merged or closed."""

    forked_from: str | None = None
    labels: list[str] = field(default_factory=list)
    reviewers: list[str] = field(default_factory=list)
    comments: list[Said] = field(default_factory=list)
    reviews: list[Said] = field(default_factory=list)
    threads: list[Thread] = field(default_factory=list)
    changed: int = 0


@dataclass
class CheckRun:
    id: int
    name: str
    state: str
    app: str = "github-actions"
    run: int = 7000
    attempts: int = 1

    @property
    def suite(self) -> int:
        """The suite it is in: each has one of its own."""
        return 500_000 + self.id


@dataclass
class Repository:
    """One repository. ``git`` is the bare one; checks and statuses are kept by commit."""

    owner: str
    name: str
    git: Path
    default_branch: str = "main"
    archived: bool = False
    fork: bool = False
    pulls: list[Pull] = field(default_factory=list)
    checks: dict[str, list[CheckRun]] = field(default_factory=dict)
    statuses: dict[str, dict[str, str]] = field(default_factory=dict)
    required: list[str] = field(default_factory=list)
    needs_review: bool = False
    methods: tuple[str, ...] = ("merge", "squash", "rebase")
    mergers: tuple[str, ...] | None = None
    """Who may merge, where that is restricted."""

    strict: bool = False
    moved_to: str | None = None
    _ids: int = 1000
    _known: dict[tuple[str, ...], Any] = field(default_factory=dict)

    @property
    def full_name(self) -> str:
        return f"{self.owner}/{self.name}"

    def next_id(self) -> int:
        self._ids += 1
        return self._ids

    def run(self, *argv: str, check: bool = True) -> str:
        done = subprocess.run(
            ["git", "--git-dir", str(self.git), *argv],
            env={**WHO, "PATH": "/usr/bin:/bin:/usr/local/bin"},
            capture_output=True,
            text=True,
            check=False,
        )
        if check and done.returncode:
            raise GitProblem(done.stderr.strip())
        return done.stdout.strip()

    def tip(self, branch: str) -> str | None:
        loose = self.git / "refs" / "heads" / branch
        if (
            loose.is_file()
        ):  # asked for a dozen times a request: a process each is most of what a request takes
            return loose.read_text("ascii").strip()
        found = self.run("show-ref", "--verify", "--hash", f"refs/heads/{branch}", check=False)
        return found or None

    def pull(self, number: int) -> Pull | None:
        return next((one for one in self.pulls if one.number == number), None)

    def head_of(self, pull: Pull) -> str:
        return pull.final or self.tip(pull.head) or "0" * 40

    def base_of(self, pull: Pull) -> str:
        return pull.forked_from or self.tip(pull.base) or "0" * 40

    def tree(self, ours: str, theirs: str) -> str | None:
        """The merged tree, ``None`` where they conflict."""
        return self._once(("tree", ours, theirs), lambda: self._tree(ours, theirs))

    def _once(self, key: tuple[str, ...], ask: Callable[[], Any]) -> Any:
        """What commits say of each other never changes."""
        if key not in self._known:
            self._known[key] = ask()
        return self._known[key]

    def _tree(self, ours: str, theirs: str) -> str | None:
        done = subprocess.run(
            ["git", "--git-dir", str(self.git), "merge-tree", "--write-tree", ours, theirs],
            env={**WHO, "PATH": "/usr/bin:/bin:/usr/local/bin"},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout.split("\n", 1)[0] if done.returncode == 0 else None

    def mergeable(self, pull: Pull) -> bool:
        return self.tree(self.base_of(pull), self.head_of(pull)) is not None

    def merge(self, pull: Pull, method: str, message: str) -> str:
        """Really merge: the base branch gets a commit, and moves only if it is still where it was."""
        base, head = self.base_of(pull), self.head_of(pull)
        tree = self.tree(base, head)
        assert tree is not None
        parents = ["-p", base] if method == "squash" else ["-p", base, "-p", head]
        made = self.run("commit-tree", tree, *parents, "-m", message)
        self.run("update-ref", f"refs/heads/{pull.base}", made, base)
        pull.forked_from, pull.final = base, head
        pull.merged, pull.state = made, "closed"
        pull.changed += 1
        return made

    def update(self, pull: Pull) -> None:
        """Merge the base into the branch."""
        base, head = self.base_of(pull), self.head_of(pull)
        tree = self.tree(head, base)
        assert tree is not None
        made = self.run("commit-tree", tree, "-p", head, "-p", base, "-m", f"Merge {pull.base}")
        self.run("update-ref", f"refs/heads/{pull.head}", made, head)
        pull.changed += 1

    def behind(self, pull: Pull) -> bool:
        return self.run("rev-list", "--count", f"{self.head_of(pull)}..{self.base_of(pull)}") != "0"

    def numbers(self, pull: Pull) -> dict[str, int]:
        base, head = self.base_of(pull), self.head_of(pull)
        return dict(self._once(("numbers", base, head), lambda: self._numbers(base, head)))

    def _numbers(self, base: str, head: str) -> dict[str, int]:
        commits = int(self.run("rev-list", "--count", f"{base}..{head}"))
        lines = [line.split("\t") for line in self.run("diff", "--numstat", f"{base}...{head}").splitlines()]
        return {
            "commits": commits,
            "additions": sum(int(line[0]) for line in lines if line[0].isdigit()),
            "deletions": sum(int(line[1]) for line in lines if line[1].isdigit()),
            "changed_files": len(lines),
        }

    def failing_required(self, pull: Pull) -> list[str]:
        head = self.head_of(pull)
        passed = {run.name for run in self.checks.get(head, ()) if run.state == "success"}
        passed |= {name for name, state in self.statuses.get(head, {}).items() if state == "success"}
        return [name for name in self.required if name not in passed]

    def decision(self, pull: Pull) -> str | None:
        states = self.opinions(pull).values()
        if any(review.state == "CHANGES_REQUESTED" for review in states):
            return "CHANGES_REQUESTED"
        if any(review.state == "APPROVED" for review in states):
            return "APPROVED"
        return "REVIEW_REQUIRED" if self.needs_review else None

    @staticmethod
    def opinions(pull: Pull) -> dict[str, Said]:
        return {one.author: one for one in pull.reviews if one.state in ("APPROVED", "CHANGES_REQUESTED")}

    def merge_state(self, pull: Pull) -> str:
        if not self.mergeable(pull):
            return "DIRTY"
        if pull.draft:
            return "DRAFT"
        if self.failing_required(pull) or self.decision(pull) in ("CHANGES_REQUESTED", "REVIEW_REQUIRED"):
            return "BLOCKED"
        if self.strict and self.behind(pull):
            return "BEHIND"
        return "CLEAN"


def set_checks(repository: Repository, checks: dict[str, str], statuses: dict[str, str]) -> None:
    """Checks of the newest pull request's last commit."""
    head = repository.head_of(repository.pulls[-1])
    runs = repository.checks.setdefault(head, [])
    for name, state in checks.items():
        runs[:] = [run for run in runs if run.name != name]
        runs.append(CheckRun(repository.next_id(), name, state))
    repository.statuses.setdefault(head, {}).update(statuses)


def add_thread(repository: Repository, given: dict[str, Any]) -> Thread:
    """A review thread of the newest pull request."""
    identifier = repository.next_id()
    said = Said(identifier, given["author"], given["body"])
    thread = Thread(f"PRRT_kw{identifier}", given["path"], given["line"], [said])
    repository.pulls[-1].threads.append(thread)
    return thread
