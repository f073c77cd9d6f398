"""Which model runs an agent, and which entry of the routing said so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def lookup(
    routing: Mapping[str, Any],
    role: str,
    tag: str | None,
    *,
    override: Mapping[str, Any] | None = None,
    fallback: Mapping[str, Any] | None = None,
) -> tuple[str, Mapping[str, Any]] | None:
    """The key and the model: override, then role and tag, tag, role, default, fallback; ``None`` where there is none."""
    places: list[tuple[str, Mapping[str, Any] | None]] = [("override", override)]
    if tag is not None:
        places.append((f"byRoleTag:{role}:{tag}", routing["byRoleTag"].get(f"{role}:{tag}")))
        places.append((f"byTag:{tag}", routing["byTag"].get(tag)))
    places.append((f"byRole:{role}", routing["byRole"].get(role)))
    places += [("default", routing["default"]), ("fallback", fallback)]
    return next(((key, model) for key, model in places if model is not None), None)
