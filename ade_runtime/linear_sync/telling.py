"""Telling of what was heard from Linear, once it is written down."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ade_runtime.linear_sync.records import Facts
    from ade_runtime.services import Services


def tell(services: Services, project: str, action: str, facts: Facts) -> None:
    """Publish that an issue has changed; ``action`` is Linear's word: create, update or remove."""
    data = {"issue": facts.identifier, "title": facts.title, "state": facts.state, "action": action}
    services.events.publish("issue.changed", project=project, subject=facts.identifier, data=data)
