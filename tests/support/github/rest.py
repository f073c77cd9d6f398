"""The REST interface of the stand-in: each answer is valid by GitHub's published description, each body is checked."""

from __future__ import annotations

from typing import Any

from githubkit_schemas.v2026_03_10 import models

from tests.support.github import checking
from tests.support.github.documents import MOMENT, document, documents
from tests.support.github.routing import ROUTES, Ask, Page, Problem, body_of, found, route, user
from tests.support.github.state import PEOPLE, Pull, Repository, Said

__all__ = ["ROUTES", "Ask", "Page", "Problem", "checking"]


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


def settings(repository: Repository) -> dict[str, Any]:
    """Ways of merging that are allowed."""
    names = {"merge": "allow_merge_commit", "squash": "allow_squash_merge", "rebase": "allow_rebase_merge"}
    return {key: name in repository.methods for name, key in names.items()}


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
        "labels": [{"name": name, "description": ""} for name in pull.labels],
        "requested_reviewers": [user(name) for name in pull.reviewers],
        "requested_teams": [],
        "head": {"ref": pull.head, "sha": repository.head_of(pull), "label": f"{owner}:{pull.head}",
                 "repo": head_values, "user": user(owner)},
        "base": {"ref": pull.base, "sha": repository.base_of(pull), "label": f"{repository.owner}:{pull.base}",
                 "repo": values, "user": user(repository.owner)},
        "created_at": MOMENT,
        "updated_at": f"2026-01-02T04:{pull.changed // 60 % 60:02}:{pull.changed % 60:02}Z",
        "merged_at": MOMENT if pull.merged else None,
        "merge_commit_sha": pull.merged,
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
    return document(models.FullRepository, repository_values(ask.repository) | settings(ask.repository))


@route("GET", "/repos/{owner}/{name}/branches/{branch}")
def show_branch(ask: Ask, branch: str) -> Any:
    tip = ask.repository.tip(branch)
    if tip is None:
        raise Problem(404, "Branch not found")
    page = f"https://github.com/{ask.repository.full_name}/tree/{branch}"
    links = {"html": page, "self": f"{ask.base}/repos/{ask.repository.full_name}/branches/{branch}"}
    values = {"name": branch, "commit": {"sha": tip}, "protected": bool(ask.repository.required)}
    return document(models.BranchWithProtection, {**values, "_links": links})


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
    method = body.get("merge_method", "merge")
    if method not in repository.methods:
        names = {"merge": "Merge commits", "squash": "Squash merges", "rebase": "Rebase merges"}
        raise Problem(405, f"{names[method]} are not allowed on this repository.")
    if missing := repository.failing_required(pull):
        known = {run.name for run in repository.checks.get(repository.head_of(pull), ())}
        state = "failing" if missing[0] in known else "expected"
        raise Problem(405, f'Required status check "{missing[0]}" is {state}.')
    if repository.decision(pull) in ("CHANGES_REQUESTED", "REVIEW_REQUIRED"):
        needed = "At least 1 approving review is required by reviewers with write access."
        raise Problem(405, f"Repository rule violations found\n\n{needed}\n\n")
    if repository.mergers is not None and ask.login not in repository.mergers:
        raise Problem(403, "You're not authorized to push to this branch.")
    if pull.draft or not repository.mergeable(pull):
        raise Problem(405, "Pull Request is not mergeable")
    message = (
        body.get("commit_title") or f"Merge pull request #{pull.number} from {repository.owner}/{pull.head}"
    )
    made = repository.merge(pull, method, message)
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


@route("POST", "/repos/{owner}/{name}/issues/{number}/labels")
def add_labels(ask: Ask, number: str) -> Any:
    pull, body = (
        found(ask, number),
        body_of(ask, models.ReposOwnerRepoIssuesIssueNumberLabelsPostBodyOneof0),
    )
    pull.labels += [name for name in body["labels"] if name not in pull.labels]
    pull.changed += 1
    return documents(models.Label, [{"name": name, "color": "ededed"} for name in pull.labels])


@route("GET", "/repos/{owner}/{name}/git/commits/{sha}")
def show_commit(ask: Ask, sha: str) -> Any:
    parents = ask.repository.run("rev-list", "--parents", "--max-count=1", sha).split()[1:]
    return document(models.GitCommit, {"sha": sha, "parents": [{"sha": one} for one in parents]})


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
