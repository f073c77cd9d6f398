"""Every query and mutation that ADE sends to Linear. A test holds each to Linear's published schema."""

from __future__ import annotations

_ISSUE = """
fragment IssueParts on Issue {
  id identifier title url priority priorityLabel branchName createdAt updatedAt dueDate
  state { id name type }
  team { id key name }
  assignee { id name displayName }
  labels(first: 50) { nodes { id name } }
}
"""
_COMMENT = """
fragment CommentParts on Comment { id body url createdAt user { displayName } botActor { name } issue { identifier } }
"""

VIEWER = "query Viewer { viewer { id name displayName email } }"

ISSUE = (
    """
query Issue($id: String!) { issue(id: $id) { ...IssueParts } }
"""
    + _ISSUE
)

ISSUE_WITH_COMMENTS = (
    """
query IssueWithComments($id: String!, $first: Int!) {
  issue(id: $id) {
    ...IssueParts
    description
    comments(first: $first, orderBy: createdAt) { nodes { ...CommentParts } pageInfo { hasNextPage } }
  }
}
"""
    + _ISSUE
    + _COMMENT
)

ISSUES = (
    """
query Issues($first: Int!, $after: String, $filter: IssueFilter) {
  issues(first: $first, after: $after, filter: $filter, orderBy: updatedAt) {
    nodes { ...IssueParts }
    pageInfo { hasNextPage endCursor }
  }
}
"""
    + _ISSUE
)

CHANGED_ISSUES = (
    """
query ChangedIssues($first: Int!, $after: String, $since: DateTimeOrDuration!) {
  issues(
    first: $first
    after: $after
    filter: { updatedAt: { gte: $since } }
    sort: [{ updatedAt: { order: Ascending } }]
  ) {
    nodes { ...IssueParts }
    pageInfo { hasNextPage endCursor }
  }
}
"""
    + _ISSUE
)

SEARCH = """
query SearchIssues($term: String!, $first: Int!, $after: String, $comments: Boolean!) {
  searchIssues(term: $term, first: $first, after: $after, includeComments: $comments) {
    totalCount
    nodes {
      id identifier title url priority priorityLabel branchName createdAt updatedAt dueDate
      state { id name type }
      team { id key name }
      assignee { id name displayName }
      labels(first: 50) { nodes { id name } }
    }
    pageInfo { hasNextPage endCursor }
  }
}
"""

STATES = (
    """
query IssueStates($id: String!) {
  issue(id: $id) { ...IssueParts team { states(first: 100) { nodes { id name type position } } } }
}
"""
    + _ISSUE
)

LABELS = """
query Labels($name: String!) {
  issueLabels(first: 50, filter: { name: { eqIgnoreCase: $name } }) { nodes { id name isGroup team { id key } } }
}
"""

USERS = """
query Users($name: String!) {
  users(
    first: 20
    filter: { or: [
      { displayName: { eqIgnoreCase: $name } }
      { name: { eqIgnoreCase: $name } }
      { email: { eqIgnoreCase: $name } }
    ] }
  ) { nodes { id name displayName email active } }
}
"""

COMMENT = (
    """
query CommentById($id: ID!) { comments(first: 1, filter: { id: { eq: $id } }) { nodes { ...CommentParts } } }
"""
    + _COMMENT
)

CREATE_COMMENT = (
    """
mutation CreateComment($input: CommentCreateInput!) {
  commentCreate(input: $input) { success comment { ...CommentParts } }
}
"""
    + _COMMENT
)

UPDATE_ISSUE = (
    """
mutation UpdateIssue($id: String!, $input: IssueUpdateInput!) {
  issueUpdate(id: $id, input: $input) { success issue { ...IssueParts } }
}
"""
    + _ISSUE
)

ADD_LABEL = (
    """
mutation AddLabel($id: String!, $label: String!) {
  issueAddLabel(id: $id, labelId: $label) { success issue { ...IssueParts } }
}
"""
    + _ISSUE
)

REMOVE_LABEL = (
    """
mutation RemoveLabel($id: String!, $label: String!) {
  issueRemoveLabel(id: $id, labelId: $label) { success issue { ...IssueParts } }
}
"""
    + _ISSUE
)

WEBHOOKS = """
query Webhooks($after: String) {
  webhooks(first: 100, after: $after) {
    nodes { id url label enabled resourceTypes }
    pageInfo { hasNextPage endCursor }
  }
}
"""

CREATE_WEBHOOK = """
mutation CreateWebhook($input: WebhookCreateInput!) {
  webhookCreate(input: $input) { success webhook { id url label enabled resourceTypes } }
}
"""

UPDATE_WEBHOOK = """
mutation UpdateWebhook($id: String!, $input: WebhookUpdateInput!) {
  webhookUpdate(id: $id, input: $input) { success webhook { id url label enabled resourceTypes } }
}
"""

ALL = {name: text for name, text in sorted(globals().items()) if name.isupper() and not name.startswith("_")}
"""Every document by its name here."""
