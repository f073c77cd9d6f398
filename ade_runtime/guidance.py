"""The texts for agents that are generated from the specs, as the prompts of this process use them."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def guidance(name: str) -> str:
    """The text ``name`` of ``ade_generated/guidance``, without blank lines around it."""
    return (files("ade_generated") / "guidance" / f"{name}.md").read_text("utf-8").strip()
