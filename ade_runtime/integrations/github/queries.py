"""The GraphQL that ADE asks GitHub: what REST does not tell, or only with a request for each pull request."""

from __future__ import annotations

_COUNTS = """
          statusCheckRollup {
            state
            contexts(first: 1) {
              checkRunCount
              checkRunCountsByState { state count }
              statusContextCount
              statusContextCountsByState { state count }
            }
          }
"""

LIST = (
    """
query List($owner: String!, $name: String!, $states: [PullRequestState!], $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequests(first: 100, after: $after, states: $states, orderBy: {field: UPDATED_AT, direction: DESC}) {
      totalCount
      pageInfo { hasNextPage endCursor }
      nodes {
        number title state isDraft url updatedAt
        author { login }
        headRefName headRefOid baseRefName
        headRepositoryOwner { login }
        reviewDecision mergeable
        labels(first: 20) { nodes { name } }
        commits(last: 1) { nodes { commit {"""
    + _COUNTS
    + """        } } }
      }
    }
  }
}
"""
)

MERGED = """
query Merged($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) { mergeCommit { oid } }
  }
}
"""

STANDING = """
query Standing($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewDecision mergeable mergeStateStatus
      latestOpinionatedReviews(first: 100) {
        nodes { state author { login } url }
      }
    }
  }
}
"""

_THREAD = """
          id isResolved isOutdated path line originalLine
          comments(first: 100) {
            totalCount
            nodes { databaseId body url createdAt author { login } }
          }
"""

THREADS = (
    """
query Threads($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewThreads(first: 50, after: $after) {
        totalCount
        pageInfo { hasNextPage endCursor }
        nodes {"""
    + _THREAD
    + """        }
      }
    }
  }
}
"""
)

THREAD = (
    """
query Thread($id: ID!) {
  node(id: $id) {
    ... on PullRequestReviewThread {
      pullRequest { number headRefName repository { nameWithOwner } headRepository { nameWithOwner } }
      """
    + _THREAD
    + """    }
  }
}
"""
)

REPLY = """
mutation Reply($thread: ID!, $body: String!) {
  addPullRequestReviewThreadReply(input: {pullRequestReviewThreadId: $thread, body: $body}) {
    comment { databaseId body url createdAt author { login } }
  }
}
"""

RESOLVE = """
mutation Resolve($thread: ID!) {
  resolveReviewThread(input: {threadId: $thread}) { thread { id isResolved } }
}
"""

UNRESOLVE = """
mutation Unresolve($thread: ID!) {
  unresolveReviewThread(input: {threadId: $thread}) { thread { id isResolved } }
}
"""
