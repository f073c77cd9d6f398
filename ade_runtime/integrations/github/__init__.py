"""GitHub's REST and GraphQL interfaces, nothing of ADE's models. githubkit is imported when the first request is made."""
