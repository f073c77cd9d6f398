"""Lanes: git worktrees with a branch and a record. What the lane handlers and the git handlers share."""
