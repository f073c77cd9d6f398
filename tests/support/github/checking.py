"""Checks of the stand-in: check runs, their suites and workflow runs, statuses, and having them run again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from githubkit_schemas.v2026_03_10 import models

from tests.support.github.documents import MOMENT, document, documents
from tests.support.github.routing import Ask, Page, Problem, route, user
from tests.support.github.state import CheckRun


@route("GET", "/repos/{owner}/{name}/commits/{sha}/check-runs")
def list_checks(ask: Ask, sha: str) -> Any:
    runs = ask.repository.checks.get(sha, [])
    values = [
        {
            "id": run.id,
            "name": run.name,
            "head_sha": sha,
            "status": run.state if run.state in ("queued", "in_progress") else "completed",
            "conclusion": None if run.state in ("queued", "in_progress") else run.state,
            "completed_at": None if run.state in ("queued", "in_progress") else MOMENT,
            "html_url": f"https://github.com/{ask.repository.full_name}/runs/{run.id}",
            "details_url": f"https://github.com/{ask.repository.full_name}/actions/runs/{run.run}/job/{run.id}",
            "app": {"slug": run.app, "owner": user("github")},
            "check_suite": {"id": run.suite},
        }
        for run in runs
    ]
    made = documents(models.CheckRun, values)
    return Page(made, lambda items: {"total_count": len(made), "check_runs": items})


@route("GET", "/repos/{owner}/{name}/commits/{sha}/status")
def list_statuses(ask: Ask, sha: str) -> Any:
    states = ask.repository.statuses.get(sha, {})
    values = [{"context": name, "state": state, "updated_at": MOMENT} for name, state in states.items()]

    def wrap(items: list[Any]) -> Any:
        given = {"state": "pending", "statuses": items, "sha": sha, "total_count": len(values)}
        return document(models.CombinedCommitStatus, given)

    return Page(values, wrap)


def runs_of(ask: Ask, wanted: Callable[[CheckRun], bool]) -> list[CheckRun]:
    """Check runs that are like that; there is no such resource without any."""
    made = [one for many in ask.repository.checks.values() for one in many if wanted(one)]
    if not made:
        raise Problem(404, "Not Found")
    return made


def status_of(runs: list[CheckRun]) -> str:
    return "queued" if any(one.state in ("queued", "in_progress") for one in runs) else "completed"


@route("GET", "/repos/{owner}/{name}/actions/runs/{run}")
def show_run(ask: Ask, run: str) -> Any:
    runs = runs_of(ask, lambda one: one.run == int(run))
    values = {"id": int(run), "status": status_of(runs), "run_attempt": max(one.attempts for one in runs)}
    return document(models.WorkflowRun, values)


@route("POST", "/repos/{owner}/{name}/actions/runs/{run}/rerun-failed-jobs", 201)
def rerun(ask: Ask, run: str) -> Any:
    runs = runs_of(ask, lambda one: one.run == int(run))
    if status_of(runs) == "queued":
        raise Problem(403, "The workflow run containing this job is already running")
    for one in runs:
        if one.state == "failure":
            one.state, one.attempts = "queued", one.attempts + 1
    return document(models.EmptyObject, {})


@route("GET", "/repos/{owner}/{name}/check-suites/{suite}")
def show_suite(ask: Ask, suite: str) -> Any:
    runs = runs_of(ask, lambda one: one.suite == int(suite))
    return document(models.CheckSuite, {"id": int(suite), "status": status_of(runs)})


@route("POST", "/repos/{owner}/{name}/check-runs/{check}/rerequest", 201)
def rerequest(ask: Ask, check: str) -> Any:
    (one,) = runs_of(ask, lambda one: one.id == int(check))
    one.state, one.attempts = "queued", one.attempts + 1
    return document(models.EmptyObject, {})
