"""G1: ``ade prs list`` of 500 open pull requests with 50 checks each at a stand-in for GitHub: the requests of the first time
against the 12 it may take, and the call from what is kept against the 100 ms it may take."""

from __future__ import annotations

import time

from benchmarks.measure import Row, Size, alternate, process
from benchmarks.place import ADE, Place, place, words
from tests.support.github.hub import Hub, ours, stand_in
from tests.support.github.state import CheckRun, Pull, Repository

CHECKS = 50
MOST_REQUESTS = 12
LIMIT_MS = 100.0
LIST = [str(ADE), "prs", "list", "--limit", "50", "--max-age", "1d", "--json"]


def measure(size: Size) -> list[Row]:
    pulls, hub = size.of(500, 40), stand_in()
    with place(files=1) as here:
        fill(hub, here, pulls)
        here.ade("runtime", "stop")  # the next one is started by who knows where the stand-in is
        here.env.update(ours(hub))
        asked = len(hub.seen)
        began = time.perf_counter()
        told = here.ade("prs", "list", "--limit", "1000")
        took = (time.perf_counter() - began) * 1000
        requests = len(hub.seen) - asked
        if len(told["items"]) != pulls or told["items"][0]["checks"]["total"] != CHECKS:
            raise RuntimeError("not all of it was listed")
        sides = [
            process(LIST, cwd=here.project, env=here.env),
            process(words([ADE, "lanes", "list", "--json"]), cwd=here.project, env=here.env),
        ]
        times = alternate(sides, rounds=size.of(40, 3), warm_up=2)
        if len(hub.seen) - asked != requests:
            raise RuntimeError("GitHub was asked for what is kept")
    what = f"{pulls} open pull requests with {CHECKS} checks each"
    kept = f"ade prs list --json of {what}, from what is kept"
    return [
        Row("G1", what, requests, "the requests it may take", MOST_REQUESTS, 1.0, unit="requests"),
        Row("G1", kept, times[0], "the time it may take", LIMIT_MS, 1.0),
        Row("G1", kept, times[0], "ade lanes list --json", times[1], None),
        Row("G1", f"{what}, the first time", took, "a pull request", took / pulls, None),
    ]


def fill(hub: Hub, here: Place, pulls: int) -> None:
    """That many pull requests from one branch of a repository at the stand-in, which is the project's remote."""
    bare = here.base / "octo" / "shop.git"
    here.git("init", "-q", "--bare", "-b", "main", str(bare))
    here.git("remote", "add", "origin", str(bare))
    here.git("checkout", "-q", "-b", "many")
    here.git("commit", "-q", "--allow-empty", "-m", "Change")
    here.git("push", "-q", "origin", "main", "many")
    here.git("checkout", "-q", "main")
    repository = hub.add("octo/shop", bare)
    head = str(repository.tip("many"))
    repository.checks[head] = [
        CheckRun(5000 + number, f"check-{number}", "success") for number in range(CHECKS)
    ]
    repository.pulls += [
        Pull(number, f"Change {number}", None, "many", "main", "ada", final=head, changed=number)
        for number in range(1, pulls + 1)
    ]
    answer_without_git(repository)


def answer_without_git(repository: Repository) -> None:
    """Whether it can be merged takes the stand-in a program for each, which is no part of what is measured."""
    repository.mergeable = lambda pull: True  # type: ignore[method-assign]
