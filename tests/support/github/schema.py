"""The part of GitHub's GraphQL schema that is asked for, by its published names and types, and how the stand-in resolves it.

Whatever is not in here is refused, as GitHub would refuse a field it does not have.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from graphql import GraphQLError, build_schema, graphql_sync

from tests.support.github.documents import MOMENT
from tests.support.github.state import Pull, Repository, Said, Thread

SCHEMA = build_schema(
    """
scalar DateTime
scalar URI
scalar GitObjectID
interface Node { id: ID! }
interface Actor { login: String! }
type User implements Actor { login: String! }
enum PullRequestState { OPEN CLOSED MERGED }
enum PullRequestReviewDecision { APPROVED CHANGES_REQUESTED REVIEW_REQUIRED }
enum PullRequestReviewState { APPROVED CHANGES_REQUESTED COMMENTED DISMISSED PENDING }
enum MergeableState { MERGEABLE CONFLICTING UNKNOWN }
enum MergeStateStatus { BEHIND BLOCKED CLEAN DIRTY DRAFT HAS_HOOKS UNKNOWN UNSTABLE }
enum StatusState { ERROR EXPECTED FAILURE PENDING SUCCESS }
enum CheckRunState {
  ACTION_REQUIRED CANCELLED COMPLETED FAILURE IN_PROGRESS NEUTRAL PENDING QUEUED SKIPPED STALE STARTUP_FAILURE SUCCESS
  TIMED_OUT WAITING
}
enum IssueOrderField { CREATED_AT UPDATED_AT COMMENTS }
enum OrderDirection { ASC DESC }
input IssueOrder { field: IssueOrderField!, direction: OrderDirection! }
type PageInfo { hasNextPage: Boolean!, endCursor: String }
interface RepositoryOwner { login: String! }
type Owner implements RepositoryOwner { login: String! }
type Label { name: String! }
type LabelConnection { nodes: [Label] }
type CheckRunStateCount { state: CheckRunState!, count: Int! }
type StatusContextStateCount { state: StatusState!, count: Int! }
type StatusCheckRollupContextConnection {
  checkRunCount: Int!, checkRunCountsByState: [CheckRunStateCount!]
  statusContextCount: Int!, statusContextCountsByState: [StatusContextStateCount!]
}
type StatusCheckRollup { state: StatusState!, contexts(first: Int): StatusCheckRollupContextConnection! }
type Commit { oid: GitObjectID!, statusCheckRollup: StatusCheckRollup }
type PullRequestCommit { commit: Commit! }
type PullRequestCommitConnection { nodes: [PullRequestCommit] }
type PullRequestReview { state: PullRequestReviewState!, author: Actor, url: URI! }
type PullRequestReviewConnection { nodes: [PullRequestReview] }
type PullRequestReviewComment { databaseId: Int, body: String!, url: URI!, createdAt: DateTime!, author: Actor }
type PullRequestReviewCommentConnection { totalCount: Int!, nodes: [PullRequestReviewComment] }
type PullRequestReviewThread implements Node {
  id: ID!, isResolved: Boolean!, isOutdated: Boolean!, path: String!, line: Int, originalLine: Int
  pullRequest: PullRequest!, comments(first: Int): PullRequestReviewCommentConnection!
}
type PullRequestReviewThreadConnection { totalCount: Int!, pageInfo: PageInfo!, nodes: [PullRequestReviewThread] }
type PullRequest {
  number: Int!, title: String!, state: PullRequestState!, isDraft: Boolean!, url: URI!, updatedAt: DateTime!, author: Actor
  headRefName: String!, headRefOid: GitObjectID!, baseRefName: String!, headRepositoryOwner: RepositoryOwner
  headRepository: Repository, repository: Repository!, reviewDecision: PullRequestReviewDecision, mergeable: MergeableState!
  mergeStateStatus: MergeStateStatus!, mergeCommit: Commit, labels(first: Int): LabelConnection
  commits(last: Int): PullRequestCommitConnection!
  latestOpinionatedReviews(first: Int): PullRequestReviewConnection
  reviewThreads(first: Int, after: String): PullRequestReviewThreadConnection!
}
type PullRequestConnection { totalCount: Int!, pageInfo: PageInfo!, nodes: [PullRequest] }
type Repository {
  nameWithOwner: String!, pullRequest(number: Int!): PullRequest
  pullRequests(first: Int, after: String, states: [PullRequestState!], orderBy: IssueOrder): PullRequestConnection!
}
input AddPullRequestReviewThreadReplyInput { pullRequestReviewThreadId: ID!, body: String!, clientMutationId: String }
type AddPullRequestReviewThreadReplyPayload { comment: PullRequestReviewComment }
input ResolveReviewThreadInput { threadId: ID!, clientMutationId: String }
input UnresolveReviewThreadInput { threadId: ID!, clientMutationId: String }
type ResolveReviewThreadPayload { thread: PullRequestReviewThread }
type UnresolveReviewThreadPayload { thread: PullRequestReviewThread }
type Query { repository(owner: String!, name: String!): Repository, node(id: ID!): Node }
type Mutation {
  addPullRequestReviewThreadReply(input: AddPullRequestReviewThreadReplyInput!): AddPullRequestReviewThreadReplyPayload
  resolveReviewThread(input: ResolveReviewThreadInput!): ResolveReviewThreadPayload
  unresolveReviewThread(input: UnresolveReviewThreadInput!): UnresolveReviewThreadPayload
}
"""
)


def answer(repositories: dict[str, Repository], login: str, asked: dict[str, Any]) -> dict[str, Any]:
    """What GitHub would answer to a GraphQL request."""
    root = Root(repositories, login)
    done = graphql_sync(SCHEMA, asked["query"], root.values(), variable_values=asked.get("variables"))
    made: dict[str, Any] = {"data": done.data}
    if done.errors:
        made["errors"] = [_problem(one) for one in done.errors]
    return made


def _problem(problem: GraphQLError) -> dict[str, Any]:
    kind = (problem.extensions or {}).get("type")
    return {"message": problem.message, **({"type": kind} if kind else {})}


def missing(message: str) -> GraphQLError:
    return GraphQLError(message, extensions={"type": "NOT_FOUND"})


class Root:
    def __init__(self, repositories: dict[str, Repository], login: str) -> None:
        self.repositories, self.login = repositories, login

    def values(self) -> dict[str, Any]:
        return {
            "repository": lambda info, owner, name: self.repository(f"{owner}/{name}".lower()),
            "node": lambda info, id: self.node(id),
            "addPullRequestReviewThreadReply": lambda info, input: self.reply(input),
            "resolveReviewThread": lambda info, input: self.resolve(input["threadId"], True),
            "unresolveReviewThread": lambda info, input: self.resolve(input["threadId"], False),
        }

    def repository(self, key: str) -> dict[str, Any]:
        found = self.repositories.get(key)
        if found is None:
            raise missing("Could not resolve to a Repository.")
        return repository_node(found)

    def thread(self, identifier: str) -> tuple[Repository, Pull, Thread]:
        for repository in self.repositories.values():
            for pull in repository.pulls:
                for thread in pull.threads:
                    if thread.id == identifier:
                        return repository, pull, thread
        raise missing(f"Could not resolve to a node with the global id of '{identifier}'.")

    def node(self, identifier: str) -> dict[str, Any]:
        return {"__typename": "PullRequestReviewThread", **thread_node(*self.thread(identifier))}

    def reply(self, given: dict[str, Any]) -> dict[str, Any]:
        repository, pull, thread = self.thread(given["pullRequestReviewThreadId"])
        said = Said(repository.next_id(), self.login, given["body"])
        thread.comments.append(said)
        pull.changed += 1
        return {"comment": comment_node(repository, pull, said)}

    def resolve(self, identifier: str, resolved: bool) -> dict[str, Any]:
        repository, pull, thread = self.thread(identifier)
        thread.resolved = resolved
        pull.changed += 1
        return {"thread": thread_node(repository, pull, thread)}


def page(nodes: list[Any], first: int | None, after: str | None) -> dict[str, Any]:
    start = int(after or 0)
    end = start + (first or 30)
    info = {"hasNextPage": end < len(nodes), "endCursor": str(min(end, len(nodes)))}
    return {"totalCount": len(nodes), "pageInfo": info, "nodes": nodes[start:end]}


def repository_node(repository: Repository) -> dict[str, Any]:
    def pull(info: Any, number: int) -> dict[str, Any]:
        found = repository.pull(number)
        if found is None:
            raise missing(f"Could not resolve to a PullRequest with the number of {number}.")
        return pull_node(repository, found)

    def pulls(info: Any, first: int = 30, after: str | None = None, states: Any = None, **order: Any) -> Any:
        listed = [one for one in repository.pulls if not states or _state(one) in states]
        listed.sort(key=lambda one: (one.changed, one.number), reverse=True)
        made = page(listed, first, after)
        return {**made, "nodes": [pull_node(repository, one) for one in made["nodes"]]}

    return {"nameWithOwner": repository.full_name, "pullRequest": pull, "pullRequests": pulls}


def pull_node(repository: Repository, pull: Pull) -> dict[str, Any]:
    owner = pull.head_owner or repository.owner
    url = f"https://github.com/{repository.full_name}/pull/{pull.number}"
    return {
        "number": pull.number,
        "title": pull.title,
        "state": _state(pull),
        "isDraft": pull.draft,
        "url": url,
        "updatedAt": MOMENT,
        "author": actor(pull.author),
        "headRefName": pull.head,
        "headRefOid": lambda info: repository.head_of(pull),
        "baseRefName": pull.base,
        "headRepositoryOwner": {"__typename": "Owner", "login": owner},
        "headRepository": {"nameWithOwner": f"{owner}/{repository.name}"},
        "repository": {"nameWithOwner": repository.full_name},
        "reviewDecision": repository.decision(pull),
        "mergeable": lambda info: "MERGEABLE" if repository.mergeable(pull) else "CONFLICTING",
        "mergeStateStatus": lambda info: repository.merge_state(pull),
        "mergeCommit": {"oid": pull.merged} if pull.merged else None,
        "labels": lambda info, first=None: {"nodes": [{"name": name} for name in pull.labels]},
        "commits": lambda info, last=None: {"nodes": [{"commit": commit_node(repository, pull)}]},
        "latestOpinionatedReviews": lambda info, first=None: {
            "nodes": [
                {"state": one.state, "author": actor(one.author), "url": f"{url}#review-{one.id}"}
                for one in repository.opinions(pull).values()
            ]
        },
        "reviewThreads": lambda info, first=None, after=None: page(
            [thread_node(repository, pull, one) for one in pull.threads], first, after
        ),
    }


def commit_node(repository: Repository, pull: Pull) -> dict[str, Any]:
    head = repository.head_of(pull)
    runs, statuses = repository.checks.get(head, []), repository.statuses.get(head, {})
    if not runs and not statuses:
        return {"oid": head, "statusCheckRollup": None}
    states = [run.state.upper() for run in runs] + [state.upper() for state in statuses.values()]
    failed = any(state in ("FAILURE", "ERROR") for state in states)
    waits = any(state in ("QUEUED", "IN_PROGRESS", "PENDING") for state in states)
    counts = {
        "checkRunCount": len(runs),
        "checkRunCountsByState": _counted(run.state for run in runs),
        "statusContextCount": len(statuses),
        "statusContextCountsByState": _counted(statuses.values()),
    }
    state = "FAILURE" if failed else "PENDING" if waits else "SUCCESS"
    return {"oid": head, "statusCheckRollup": {"state": state, "contexts": lambda info, first=None: counts}}


def thread_node(repository: Repository, pull: Pull, thread: Thread) -> dict[str, Any]:
    comments = [comment_node(repository, pull, one) for one in thread.comments]
    return {
        "id": thread.id,
        "isResolved": thread.resolved,
        "isOutdated": False,
        "path": thread.path,
        "line": thread.line,
        "originalLine": thread.line,
        "pullRequest": lambda info: pull_node(repository, pull),
        "comments": lambda info, first=None: {"totalCount": len(comments), "nodes": comments[:first]},
    }


def comment_node(repository: Repository, pull: Pull, said: Said) -> dict[str, Any]:
    url = f"https://github.com/{repository.full_name}/pull/{pull.number}#discussion_r{said.id}"
    return {
        "databaseId": said.id,
        "body": said.body,
        "url": url,
        "createdAt": said.at,
        "author": actor(said.author),
    }


def actor(login: str) -> dict[str, Any]:
    return {"__typename": "User", "login": login}


def _counted(states: Any) -> list[dict[str, Any]]:
    return [{"state": state.upper(), "count": count} for state, count in Counter(states).items()]


def _state(pull: Pull) -> str:
    return "MERGED" if pull.merged else pull.state.upper()
