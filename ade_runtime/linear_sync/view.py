"""Items, events and policies as the outputs of actions."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ade_generated.models.linear_sync import LinearSyncSignInOutput
from ade_generated.models.types import FlowRevision, FlowRoute, LinearEvent, LinearItem
from ade_runtime.storage.times import from_ms

if TYPE_CHECKING:
    from ade_runtime.integrations.linear.oauth import Attempt, Grant
    from ade_runtime.linear_sync.policy import Decision
    from ade_runtime.linear_sync.records import Event, Facts, Item


def item_told(item: Item, lane: str | None) -> LinearItem:
    """``lane`` is the name of its lane."""
    facts = item.facts
    return LinearItem(
        id=item.id,
        issue=facts.identifier,
        title=facts.title,
        url=facts.url,
        issue_state=facts.state,
        state=item.state,
        route=item.route,
        rule=item.rule,
        reason=item.reason,
        lane=lane,
        target=item.target,
        attempts=item.attempts,
        error=item.error,
        created_at=item.created_at,
        updated_at=item.updated_at,
    )


def event_told(event: Event) -> LinearEvent:
    return LinearEvent(
        id=event.id,
        source=event.source,
        kind=event.kind,
        action=event.action,
        issue=event.identifier,
        outcome=event.outcome,
        reason=event.reason,
        received_at=event.received_at,
    )


def route_told(facts: Facts, decision: Decision) -> FlowRoute:
    return FlowRoute(
        issue=facts.identifier,
        title=facts.title,
        route=decision.route,
        rule=decision.rule,
        reason=decision.reason,
        prompt=decision.prompt,
    )


def sign_in_told(grant: Grant | None, attempt: Attempt | None, *, used: bool) -> LinearSyncSignInOutput:
    """``attempt`` is one that waits for its person."""
    if attempt is not None:
        step = "Open the address, then call `ade linear sign-in --wait 5m`"
    elif used:
        step = "Signed in to Linear"
    else:
        step = "Signed in to Linear, but LINEAR_API_KEY goes first"
    return LinearSyncSignInOutput(
        signed_in=grant is not None,
        url=None if attempt is None else attempt.url,
        redirect=None if attempt is None else attempt.redirect,
        user=None if grant is None else grant.user,
        email=None if grant is None else grant.email,
        scope=None if grant is None else grant.scope,
        expires_at=None if grant is None else datetime.fromtimestamp(grant.expires_at, UTC),
        used=used,
        next=step,
    )


def revision_told(row: Mapping[str, Any]) -> FlowRevision:
    return FlowRevision(
        revision=row["revision"],
        author=row["author"],
        note=row["note"],
        saved_at=from_ms(row["created_at"]),
    )
