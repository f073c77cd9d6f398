"""Which domains contribute documents to a project's search.

A domain contributes with a class here: its ``kind`` goes into the enumeration in ``specs/types/search.yaml``, and every
document names the action that shows it, by which it is decided who finds it.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ade_runtime.search.documents import Source
    from ade_runtime.services import Services

SOURCES = (
    "ade_runtime.search.sources.lanes:Lanes",
    "ade_runtime.search.sources.memory:Notes",
    "ade_runtime.search.sources.proof:Captions",
    "ade_runtime.search.sources.outside:Pulls",
    "ade_runtime.search.sources.outside:Issues",
    "ade_runtime.search.sources.chats:Chats",
    "ade_runtime.search.sources.commits:Commits",
)
"""``module:Class`` of every source, those that change the least work first. Each is made with the services."""


def make_sources(services: Services) -> list[Source]:
    """All sources, for one process."""
    found: list[Source] = []
    for ref in SOURCES:
        module, _, name = ref.partition(":")
        found.append(getattr(importlib.import_module(module), name)(services))
    return found
