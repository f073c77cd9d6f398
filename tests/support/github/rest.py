"""The REST interface of the stand-in: each answer is valid by GitHub's published description, each body is checked."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from githubkit_schemas.v2026_03_10 import models
from pydantic import ValidationError

from tests.support.github.documents import MOMENT, document, documents
from tests.support.github.state import PEOPLE, Pull, Repository, Said


class Problem(Exception):
    """An answer that says no."""

    def __init__(self, status: int, message: str, *errors: dict[str, Any], **headers: str) -> None:
        super().__init__(message)
        self.status, self.headers = status, {name.replace("_", "-"): value for name, value in headers.items()}
        self.body: dict[str, Any] = {"message": message, "documentation_url": "https://docs.github.com/rest"}
        if errors:
            self.body["errors"] = list(errors)


@dataclass
class Ask:
    """One request. ``login`` is whose token came with it."""

    repository: Repository
    login: str
    base: str
    query: dict[str, str]
    body: dict[str, Any]


@dataclass
class Page:
    """A list, of which a page is answered; ``wrap`` makes the document of it."""

    items: list[Any]
    wrap: Callable[[list[Any]], Any] = lambda items: items


Handler = Callable[..., Any]
ROUTES: list[tuple[str, re.Pattern[str], int, Handler]] = []


def route(method: str, path: str, status: int = 200) -> Callable[[Handler], Handler]:
    part = {"branch": ".+", "ref": ".+"}
    pattern = re.compile(
        re.sub(r"\{(\w+)\}", lambda f: f"(?P<{f[1]}>{part.get(f[1], '[^/]+')})", path) + r"\Z"
    )

    def add(handler: Handler) -> Handler:
        ROUTES.append((method, pattern, status, handler))
        return handler

    return add


def body_of(ask: Ask, model: Any) -> dict[str, Any]:
    """The request's body, refused where the description does not allow it."""
    try:
        model.model_validate(ask.body)
    except ValidationError as problem:
        where = ".".join(map(str, problem.errors()[0]["loc"]))
        raise Problem(422, f"Invalid request. {where}: {problem.errors()[0]['msg']}") from None
    unknown = set(ask.body) - {field.alias or name for name, field in model.model_fields.items()}
    if unknown:
        raise Problem(422, f"Invalid request. {sorted(unknown)} is not a permitted key.")
    return ask.body


def user(login: str) -> dict[str, Any]:
    url = f"https://github.com/{login}"
    return {"login": login, "id": abs(hash(login)) % 10**6, "type": "User", "html_url": url, "url": url}


def found(ask: Ask, number: str) -> Pull:
    pull = ask.repository.pull(int(number))
    if pull is None:
        raise Problem(404, "Not Found")
    return pull


def repository_values(repository: Repository) -> dict[str, Any]:
    return {
        "id": 1,
        "name": repository.name,
        "full_name": repository.full_name,
        "owner": user(repository.owner),
        "default_branch": repository.default_branch,
        "archived": repository.archived,
        "fork": repository.fork,
        "html_url": f"https://github.com/{repository.full_name}",
    }


def pull_values(ask: Ask, pull: Pull) -> dict[str, Any]:
    """What the full and the simple document of a pull request share."""
    repository = ask.repository
    values = repository_values(repository)
    owner = pull.head_owner or repository.owner
    head_values = {**values, "owner": user(owner), "full_name": f"{owner}/{repository.name}"}
    url = f"{ask.base}/repos/{repository.full_name}/pulls/{pull.number}"
    return {
        "url": url,
        "id": 10_000 + pull.number,
        "number": pull.number,
        "html_url": f"https://github.com/{repository.full_name}/pull/{pull.number}",
        "state": pull.state,
        "title": pull.title,
        "body": pull.body,
        "draft": pull.draft,
        "user": user(pull.author),
        "labels": [{"name": name} for name in pull.labels],
        "requested_reviewers": [user(name) for name in pull.reviewers],
        "requested_teams": [],
        "head": {"ref": pull.head, "sha": repository.head_of(pull), "label": f"{owner}:{pull.head}",
                 "repo": head_values, "user": user(owner)},
        "base": {"ref": pull.base, "sha": repository.base_of(pull), "label": f"{repository.owner}:{pull.base}",
                 "repo": values, "user": user(repository.owner)},
        "created_at": MOMENT,
        "updated_at": f"2026-01-02T04:{pull.changed // 60 % 60:02}:{pull.changed % 60:02}Z",
        "merged_at": MOMENT if pull.merged else None,
    }  # fmt: skip


def whole(ask: Ask, pull: Pull) -> dict[str, Any]:
    repository = ask.repository
    return document(
        models.PullRequest,
        {
            **pull_values(ask, pull),
            **repository.numbers(pull),
            "merged": pull.merged is not None,
            "mergeable": None if pull.merged else repository.mergeable(pull),
            "mergeable_state": repository.merge_state(pull).lower(),
            "comments": len(pull.comments),
            "review_comments": sum(len(thread.comments) for thread in pull.threads),
        },
    )


@route("GET", "/repos/{owner}/{name}")
def show_repository(ask: Ask) -> Any:
    return document(models.FullRepository, repository_values(ask.repository))


@route("GET", "/repos/{owner}/{name}/branches/{branch}")
def show_branch(ask: Ask, branch: str) -> Any:
    tip = ask.repository.tip(branch)
    if tip is None:
        raise Problem(404, "Branch not found")
    return document(
        models.BranchWithProtection,
        {"name": branch, "commit": {"sha": tip}, "protected": bool(ask.repository.required)},
    )


@route("GET", "/repos/{owner}/{name}/rules/branches/{branch}")
def branch_rules(ask: Ask, branch: str) -> Any:
    if branch != ask.repository.default_branch or not ask.repository.required:
        return Page([])
    contexts = [{"context": name} for name in ask.repository.required]
    parameters = {
        "required_status_checks": contexts,
        "strict_required_status_checks_policy": ask.repository.strict,
    }
    values = {"type": "required_status_checks", "parameters": parameters}
    return Page([document(models.RepositoryRuleDetailedOneof8, values)])


@route("GET", "/repos/{owner}/{name}/pulls")
def list_pulls(ask: Ask) -> Any:
    state, base = ask.query.get("state", "open"), ask.query.get("base")
    owner, _, branch = ask.query.get("head", "").partition(":")
    pulls = [
        pull
        for pull in reversed(ask.repository.pulls)
        if state in ("all", pull.state)
        and (base is None or pull.base == base)
        and (not branch or (pull.head_owner or ask.repository.owner, pull.head) == (owner, branch))
    ]
    return Page(documents(models.PullRequestSimple, [pull_values(ask, pull) for pull in pulls]))


@route("POST", "/repos/{owner}/{name}/pulls", 201)
def open_pull(ask: Ask) -> Any:
    body, repository = body_of(ask, models.ReposOwnerRepoPullsPostBody), ask.repository
    owner, _, head = body["head"].rpartition(":")
    if repository.tip(body["base"]) is None:
        raise Problem(
            422, "Validation Failed", {"resource": "PullRequest", "field": "base", "code": "invalid"}
        )
    if repository.tip(head) is None:
        raise Problem(
            422, "Validation Failed", {"resource": "PullRequest", "field": "head", "code": "invalid"}
        )
    if repository.run("rev-list", "--count", f"{body['base']}..{head}") == "0":
        message = f"No commits between {body['base']} and {head}"
        raise Problem(
            422, "Validation Failed", {"resource": "PullRequest", "code": "custom", "message": message}
        )
    if any((one.head, one.base, one.state) == (head, body["base"], "open") for one in repository.pulls):
        message = f"A pull request already exists for {owner or repository.owner}:{head}."
        raise Problem(
            422, "Validation Failed", {"resource": "PullRequest", "code": "custom", "message": message}
        )
    pull = Pull(
        number=len(repository.pulls) + 1,
        title=body["title"],
        body=body.get("body"),
        head=head,
        base=body["base"],
        author=ask.login,
        draft=body.get("draft", False),
        head_owner=owner,
    )
    repository.pulls.append(pull)
    return whole(ask, pull)


@route("GET", "/repos/{owner}/{name}/pulls/{number}")
def show_pull(ask: Ask, number: str) -> Any:
    return whole(ask, found(ask, number))


@route("PATCH", "/repos/{owner}/{name}/pulls/{number}")
def change_pull(ask: Ask, number: str) -> Any:
    pull, body = found(ask, number), body_of(ask, models.ReposOwnerRepoPullsPullNumberPatchBody)
    if pull.merged and "state" in body:
        raise Problem(
            422, "Validation Failed", {"message": "Cannot change the state of a merged pull request"}
        )
    if "base" in body and ask.repository.tip(body["base"]) is None:
        raise Problem(
            422, "Validation Failed", {"resource": "PullRequest", "field": "base", "code": "invalid"}
        )
    for name, value in body.items():
        setattr(pull, name, value)
    pull.final = ask.repository.head_of(pull) if pull.state == "closed" else None
    pull.changed += 1
    return whole(ask, pull)


@route("PUT", "/repos/{owner}/{name}/pulls/{number}/merge")
def merge_pull(ask: Ask, number: str) -> Any:
    pull, body = found(ask, number), body_of(ask, models.ReposOwnerRepoPullsPullNumberMergePutBody)
    repository = ask.repository
    if pull.state != "open":
        raise Problem(405, "Pull Request is not mergeable")
    if body.get("sha", repository.head_of(pull)) != repository.head_of(pull):
        raise Problem(409, "Head branch was modified. Review and try the merge again.")
    if missing := repository.failing_required(pull):
        raise Problem(405, f'Required status check "{missing[0]}" is failing.')
    if pull.draft or not repository.mergeable(pull):
        raise Problem(405, "Pull Request is not mergeable")
    message = (
        body.get("commit_title") or f"Merge pull request #{pull.number} from {repository.owner}/{pull.head}"
    )
    made = repository.merge(pull, body.get("merge_method", "merge"), message)
    values = {"sha": made, "merged": True, "message": "Pull Request successfully merged"}
    return document(models.PullRequestMergeResult, values)


@route("PUT", "/repos/{owner}/{name}/pulls/{number}/update-branch", 202)
def update_pull(ask: Ask, number: str) -> Any:
    pull, body = found(ask, number), body_of(ask, models.ReposOwnerRepoPullsPullNumberUpdateBranchPutBody)
    repository = ask.repository
    if body.get("expected_head_sha", repository.head_of(pull)) != repository.head_of(pull):
        raise Problem(422, "expected head sha didn't match current head ref.")
    if not repository.behind(pull):
        raise Problem(422, "There are no new commits on the base branch.")
    if not repository.mergeable(pull):
        raise Problem(422, "merge conflict between base and head")
    repository.update(pull)
    return document(
        models.ReposOwnerRepoPullsPullNumberUpdateBranchPutResponse202,
        {"message": "Updating pull request branch."},
    )


@route("POST", "/repos/{owner}/{name}/pulls/{number}/requested_reviewers", 201)
def ask_reviewers(ask: Ask, number: str) -> Any:
    pull = found(ask, number)
    names = ask.body.get("reviewers", [])
    if any(name not in PEOPLE or name == pull.author for name in names):
        raise Problem(422, "Reviews may only be requested from collaborators.")
    pull.reviewers += [name for name in names if name not in pull.reviewers]
    pull.changed += 1
    return document(models.PullRequestSimple, pull_values(ask, pull))


@route("GET", "/repos/{owner}/{name}/pulls/{number}/reviews")
def list_reviews(ask: Ask, number: str) -> Any:
    pull = found(ask, number)
    return Page(documents(models.PullRequestReview, [review_values(ask, pull, one) for one in pull.reviews]))


@route("POST", "/repos/{owner}/{name}/pulls/{number}/reviews")
def review(ask: Ask, number: str) -> Any:
    pull, body = found(ask, number), body_of(ask, models.ReposOwnerRepoPullsPullNumberReviewsPostBody)
    event = body["event"]
    if event != "COMMENT" and ask.login == pull.author:
        verb = "approve" if event == "APPROVE" else "request changes on"
        raise Problem(422, "Unprocessable Entity", {"message": f"Can not {verb} your own pull request"})
    states = {"APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED", "COMMENT": "COMMENTED"}
    commit = body.get("commit_id") or ask.repository.head_of(pull)
    said = Said(ask.repository.next_id(), ask.login, body.get("body", ""), MOMENT, states[event], commit)
    pull.reviews.append(said)
    pull.changed += 1
    return document(models.PullRequestReview, review_values(ask, pull, said))


def review_values(ask: Ask, pull: Pull, said: Said) -> dict[str, Any]:
    url = f"https://github.com/{ask.repository.full_name}/pull/{pull.number}#pullrequestreview-{said.id}"
    return {
        "id": said.id,
        "user": user(said.author),
        "body": said.body,
        "state": said.state,
        "html_url": url,
        "commit_id": said.commit,
        "submitted_at": said.at,
    }


def comment_values(ask: Ask, pull: Pull, said: Said) -> dict[str, Any]:
    url = f"https://github.com/{ask.repository.full_name}/pull/{pull.number}#issuecomment-{said.id}"
    return {
        "id": said.id,
        "user": user(said.author),
        "body": said.body,
        "html_url": url,
        "created_at": said.at,
        "updated_at": said.at,
    }


@route("GET", "/repos/{owner}/{name}/issues/{number}/comments")
def list_comments(ask: Ask, number: str) -> Any:
    pull = found(ask, number)
    return Page(documents(models.IssueComment, [comment_values(ask, pull, one) for one in pull.comments]))


@route("POST", "/repos/{owner}/{name}/issues/{number}/comments", 201)
def comment(ask: Ask, number: str) -> Any:
    pull, body = found(ask, number), body_of(ask, models.ReposOwnerRepoIssuesIssueNumberCommentsPostBody)
    said = Said(ask.repository.next_id(), ask.login, body["body"])
    pull.comments.append(said)
    pull.changed += 1
    return document(models.IssueComment, comment_values(ask, pull, said))


@route("PUT", "/repos/{owner}/{name}/issues/{number}/labels")
def set_labels(ask: Ask, number: str) -> Any:
    pull, body = found(ask, number), body_of(ask, models.ReposOwnerRepoIssuesIssueNumberLabelsPutBodyOneof0)
    pull.labels = list(body["labels"])
    pull.changed += 1
    return documents(models.Label, [{"name": name, "color": "ededed"} for name in pull.labels])


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


@route("POST", "/repos/{owner}/{name}/actions/runs/{run}/rerun-failed-jobs", 201)
def rerun(ask: Ask, run: str) -> Any:
    runs = [one for many in ask.repository.checks.values() for one in many if one.run == int(run)]
    if any(one.state in ("queued", "in_progress") for one in runs):
        raise Problem(403, "The workflow run containing this job is already running")
    for one in runs:
        if one.state == "failure":
            one.state, one.attempts = "queued", one.attempts + 1
    return document(models.EmptyObject, {})


@route("POST", "/repos/{owner}/{name}/check-runs/{check}/rerequest", 201)
def rerequest(ask: Ask, check: str) -> Any:
    for many in ask.repository.checks.values():
        for one in many:
            if one.id == int(check):
                one.state, one.attempts = "queued", one.attempts + 1
    return document(models.EmptyObject, {})


@route("DELETE", "/repos/{owner}/{name}/git/refs/{ref}", 204)
def delete_ref(ask: Ask, ref: str) -> Any:
    if ask.repository.tip(ref.removeprefix("heads/")) is None:
        raise Problem(422, "Reference does not exist")
    ask.repository.run("update-ref", "-d", f"refs/{ref}")
    return None


@route("GET", "/repos/{owner}/{name}/compare/{span}")
def compare(ask: Ask, span: str) -> Any:
    base, _, head = span.partition("...")
    behind, ahead = ask.repository.run("rev-list", "--count", "--left-right", f"{base}...{head}").split()
    status = "diverged" if int(behind) and int(ahead) else "behind" if int(behind) else "ahead"
    values = {"status": status, "ahead_by": int(ahead), "behind_by": int(behind), "total_commits": int(ahead)}
    return document(models.CommitComparison, values)
