"""Every action that writes to GitHub, with the requests by which it does, for tests that cut the answers to them."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ade_runtime.pulls.marks import without_mark
from tests.support.github.hub import Cut
from tests.support.github.shop import Shop
from tests.support.github.state import CheckRun, Said, Thread

Prepare = Callable[[Shop], Awaitable[dict[str, Any]]]
Renew = Callable[[Shop], Awaitable[None]]
VARY = {"created", "pushed", "already", "updated_at", "rerun", "next", "queue", "reason", "note"}
"""What an answer may say otherwise where an earlier attempt had done the work: nothing about the work itself."""


async def nothing(shop: Shop) -> None:
    """There is nothing of it outside the stand-in."""


@dataclass(frozen=True)
class Write:
    """``requests`` are the method, the path, and how many fitting requests come before the one that writes. ``prepare`` makes
    what the action needs and gives its arguments; ``renew`` puts back what it has changed outside the stand-in."""

    action: str
    requests: tuple[tuple[str, str, int], ...]
    prepare: Prepare
    renew: Renew = field(default=nothing)


class Away(Cut):
    """After the answer that is cut none arrives any more, though all that is sent does."""

    def is_due(self, method: str, path: str) -> bool:
        if self.done:
            self.after = 0
            return True
        return super().is_due(method, path)


class Memory:
    """All that the stand-in has of a repository, to compare with and to go back to."""

    def __init__(self, shop: Shop) -> None:
        self._shop = shop
        self._state = copy.deepcopy(self._parts())
        self._refs = self._listed()
        self._ids = shop.repository._ids

    def restore(self) -> None:
        self._shop.hub.cutting = None
        pulls, checks = copy.deepcopy(self._state)
        self._shop.repository.pulls[:] = pulls
        self._shop.repository.checks.clear()
        self._shop.repository.checks.update(checks)
        self._shop.repository._ids = self._ids
        now = self._listed()
        for ref in now.keys() - self._refs.keys():
            self._shop.repository.run("update-ref", "-d", ref)
        for ref, commit in self._refs.items() - now.items():
            self._shop.repository.run("update-ref", ref, commit)

    def seen(self) -> Any:
        """What there is, but for how often it was touched and for the marks, which come of request ids."""
        pulls, checks = self._parts()
        told = [without_marks(dataclasses.asdict(pull) | {"changed": 0}) for pull in pulls]
        runs = {commit: [dataclasses.asdict(one) for one in many] for commit, many in checks.items()}
        return told, runs, self._listed()

    def _parts(self) -> tuple[list[Any], dict[str, Any]]:
        return self._shop.repository.pulls, self._shop.repository.checks

    def _listed(self) -> dict[str, str]:
        lines = self._shop.repository.run("for-each-ref", "--format=%(refname) %(objectname)").splitlines()
        return dict(line.split(" ", 1) for line in lines)


def without_marks(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_marks(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [without_marks(one) for one in value]
    return without_mark(value) if isinstance(value, str) else value


def told(answer: Any) -> Any:
    """An answer without what may vary."""
    if isinstance(answer, Mapping):
        return {name: told(value) for name, value in answer.items() if name not in VARY}
    return [told(one) for one in answer] if isinstance(answer, list) else answer


async def unopened(shop: Shop) -> dict[str, Any]:
    shop.lane.git("push", "--quiet", "origin", "HEAD:refs/heads/ade/fix-login")
    return {"lane": "fix-login", "labels": ["bug"], "reviewers": ["grace"]}


def opened(**arguments: Any) -> Prepare:
    async def prepare(shop: Shop) -> dict[str, Any]:
        await shop.open_pull()
        return {"number": 1, **arguments}

    return prepare


def thread(**arguments: Any) -> Prepare:
    async def prepare(shop: Shop) -> dict[str, Any]:
        await shop.open_pull()
        said = [Said(1, "grace", "Why?")]
        shop.repository.pulls[0].threads.append(Thread("PRRT_kw1", "login.py", 1, said))
        return {"thread": "PRRT_kw1", **arguments}

    return prepare


async def closed(shop: Shop) -> dict[str, Any]:
    await shop.open_pull()
    return await shop.call("pr.close", number=1) and {"number": 1}


async def behind(shop: Shop) -> dict[str, Any]:
    pull = await shop.open_pull()
    shop.work.main.commit("Meanwhile", **{"meanwhile.py": "1\n"})
    shop.work.main.git("push", "--quiet", "origin", "main")
    return {"number": 1, "expect": pull["head_commit"]}


async def retargeted(shop: Shop) -> dict[str, Any]:
    shop.work.main.git("push", "--quiet", "origin", "main:next")
    return await opened(base="next")(shop)


def failed(app: str) -> Prepare:
    async def prepare(shop: Shop) -> dict[str, Any]:
        pull = await shop.open_pull()
        run = CheckRun(shop.repository.next_id(), "test", "failure", app=app)
        shop.repository.checks[pull["head_commit"]] = [run]
        return {"number": 1}

    return prepare


async def queued(shop: Shop) -> dict[str, Any]:
    await shop.open_pull()
    await shop.call("queue.create", lanes=["fix-login"])
    return {}


async def queued_again(shop: Shop) -> None:
    state = await shop.call("queue.state")
    if state["state"] == "active":
        await shop.call("queue.cancel", queue=state["id"])
    await shop.call("queue.create", lanes=["fix-login"])


GRAPHQL = "/graphql$"
WRITES = (
    Write(
        "pr.create_from_lane",
        (("POST", "/pulls$", 0), ("POST", "/labels$", 0), ("POST", "/requested_reviewers$", 0)),
        unopened,
    ),
    Write("pr.add_comment", (("POST", "/comments$", 0),), opened(body="It works.")),
    Write("pr.submit_review", (("POST", "/reviews$", 0),), opened(verdict="comment", body="Well done.")),
    Write("pr.reply_to_review_thread", (("POST", GRAPHQL, 1),), thread(body="Because.")),
    Write("pr.resolve_review_thread", (("POST", GRAPHQL, 1),), thread()),
    Write("pr.update_title", (("PATCH", "/pulls/1$", 0),), opened(title="Another")),
    Write("pr.update_body", (("PATCH", "/pulls/1$", 0),), opened(body="Another")),
    Write("pr.set_labels", (("PUT", "/labels$", 0),), opened(labels=["bug", "ready"])),
    Write("pr.request_reviewers", (("POST", "/requested_reviewers$", 0),), opened(reviewers=["grace"])),
    Write("pr.close", (("PATCH", "/pulls/1$", 0),), opened()),
    Write("pr.reopen", (("PATCH", "/pulls/1$", 0),), closed),
    Write("pr.retarget_base", (("PATCH", "/pulls/1$", 0),), retargeted),
    Write("pr.update_branch", (("PUT", "/update-branch$", 0),), behind),
    Write("pr.rerun_failed_checks", (("POST", "/rerun-failed-jobs$", 0),), failed("github-actions")),
    Write("pr.rerun_failed_checks", (("POST", "/rerequest$", 0),), failed("circleci")),
    Write("pr.merge", (("PUT", "/merge$", 0), ("DELETE", "/git/refs/heads/", 0)), opened(delete_branch=True)),
    Write("queue.land_next", (("PUT", "/merge$", 0),), queued, queued_again),
)
