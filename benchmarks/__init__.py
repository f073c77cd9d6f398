"""Figures of ADE, each a ratio of medians against a peer measured in turn in the same run."""
