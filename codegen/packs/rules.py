"""What a pack may not do, whatever the language lets ADE's own specs say."""

from __future__ import annotations

from codegen import ir
from codegen.diagnostics import Sink
from codegen.places import Places

ROLES = (None, "agent", "orchestrator", "cto")
"""Least roles that a pack's action may ask for; a lower one would open a write to those who only read."""


def check_domain(domain: ir.Domain, places: Places, sink: Sink, *, commands: bool) -> None:
    """Report everything about a pack's domain by which it would reach further than a pack may."""
    if domain.within:
        message = "a pack's commands stand in a group of their own"
        sink.add(places.at(domain.span, "cli", "within"), "misplaced-key", message, "remove within:")
    for event in domain.events:
        sink.add(event.span, "misplaced-key", "a pack declares no events", "remove events:")
    for action in domain.actions:
        _action(action, places, sink, commands)


def _action(action: ir.Action, places: Places, sink: Sink, commands: bool) -> None:
    def refuse(key: str, message: str, step: str) -> None:
        sink.add(places.at(action.span, key), "misplaced-key", message, step)

    if action.toolset != "base":
        refuse("toolset", "a pack's actions are for everyone", "write toolset: base, and min_role: for less")
    if action.min_role not in ROLES:
        refuse("min_role", f"a pack opens nothing to role {action.min_role}", "leave it out")
    if action.effect == "secret":
        refuse("effect", "a pack neither takes nor gives secrets", "use read, write or destructive")
    if action.target.request is not None:
        refuse("target", "a pack decides about no requests", "remove request:")
    if commands and action.scope != "project":
        refuse("scope", "a project's own action works on that project", "write scope: project")
    for field in action.fields:
        if field.secret:
            sink.add(field.span, "misplaced-key", "a pack takes no secrets", "remove secret:")
