"""Having failed checks run again, each once: what was asked for is looked up where GitHub's answer was lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ade_runtime.integrations.github.problems import Refused

if TYPE_CHECKING:
    from ade_runtime.pulls.checks import Check
    from ade_runtime.pulls.connect import Place

WHAT = "run checks again"


async def rerun(place: Place, check: Check) -> str | None:
    """Have a check that failed run again, with all failed jobs of its workflow run; gives why it cannot be."""
    if check.kind != "check_run":
        return "a status of a service cannot be asked for again"
    try:
        if check.run_id is not None:
            await _rerun_jobs(place, check.run_id)
        else:
            await _rerequest(place, check)
    except Refused as problem:
        # Asked for twice, by two callers: it runs already.
        return None if "already running" in problem.reason.lower() else problem.reason
    return None


async def _rerun_jobs(place: Place, run: int) -> None:
    path = f"{place.path}/actions/runs/{run}"
    attempts = _attempts(await place.client.get(path, WHAT))

    async def found() -> Mapping[str, Any] | None:
        now: Mapping[str, Any] = await place.client.get(path, WHAT)
        return now if _attempts(now) > attempts else None

    await place.client.write("POST", f"{path}/rerun-failed-jobs", WHAT, None, found=found)


async def _rerequest(place: Place, check: Check) -> None:
    """GitHub opens the suite of a check again at once; its app sets the check itself back when it gets to it."""

    async def found() -> Mapping[str, Any] | None:
        suite: Mapping[str, Any] = await place.client.get(f"{place.path}/check-suites/{check.suite_id}", WHAT)
        return suite if suite["status"] != "completed" else None

    path = f"{place.path}/check-runs/{check.id}/rerequest"
    await place.client.write("POST", path, WHAT, None, found=None if check.suite_id is None else found)


def _attempts(run: Mapping[str, Any]) -> int:
    return int(run.get("run_attempt") or 1)
