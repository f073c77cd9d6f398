"""The one guarded way to run git: :class:`~ade_runtime.integrations.git.repository.Repository` for a
worktree, :class:`~ade_runtime.integrations.git.runner.Git` for everything that has none (clone, init, a
remote)."""
