"""Who may patch what: the rules of specs/run_policy.yaml, asked about the very row and field that a patch finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ade_generated import errors
from ade_generated.run_rules import PATCH_RULES
from ade_runtime.runs import document, patch
from ade_runtime.runs.document import Manifest
from ade_runtime.runs.guards import GUARDS, Attempt
from ade_runtime.runs.members import Member
from ade_runtime.runs.rules import PatchRule

_DEFAULTS = {"/tasks/-": document.new_task, "/validationStrategy/steps/-": document.new_step}


def apply_all(
    manifest: Manifest, operations: Sequence[patch.Operation], member: Member, now: str, action: str
) -> None:
    """Apply every operation, each judged as the ones before have left the manifest. Raises ``policy_denied`` and
    ``invalid_patch``; then the manifest is no more to be used."""
    for operation in operations:
        _check_root(operation, member, action)
        place = patch.locate(manifest, operation)
        rule = _rule(manifest, operation, place, member, action)
        patch.apply(place, _completed(operation, place, rule, member, now))


def _check_root(operation: patch.Operation, member: Member, action: str) -> None:
    """Refuse what no rule reaches before looking whether it is there."""
    root = operation.segments[0].name
    known = {
        path.split("/")[1] for rule in PATCH_RULES.values() if rule.role == member.role for path in rule.paths
    }
    if root not in known:
        raise denied(member, action, operation.path, f"a {member.role} may not {operation.op} this")


def _rule(
    manifest: Manifest, operation: patch.Operation, place: patch.Place, member: Member, action: str
) -> PatchRule:
    reason = f"a {member.role} may not {operation.op} this"
    for rule in PATCH_RULES.values():
        if rule.role != member.role or operation.op not in rule.ops or place.pattern not in rule.paths:
            continue
        refused = _refusal(manifest, operation, place, member, rule)
        if refused is None:
            return rule
        reason = refused
    raise denied(member, action, operation.path, reason)


def _refusal(
    manifest: Manifest, operation: patch.Operation, place: patch.Place, member: Member, rule: PatchRule
) -> str | None:
    if rule.phases and manifest["currentPhase"] not in rule.phases:
        return f"that is only for {' and '.join(rule.phases)}; the run is in {manifest['currentPhase']}"
    if rule.fields:
        if not isinstance(operation.value, Mapping):
            return "a new element is an object"
        beyond = sorted(operation.value.keys() - set(rule.fields))
        if beyond:
            return f"a new element does not set {', '.join(beyond)[:200]}"
    if rule.guard is None:
        return None
    return GUARDS[rule.guard](Attempt(manifest, member.session, place.rows, operation.value))


def _completed(
    operation: patch.Operation, place: patch.Place, rule: PatchRule, member: Member, now: str
) -> patch.Operation:
    """The operation with what a new element has that its author says nothing of."""
    if not rule.fields:
        return operation
    value: dict[str, Any] = dict(operation.value)
    template = _DEFAULTS.get(place.pattern)
    value = {**template(), **value} if template is not None else {**value, "at": now, "by": member.name}
    return patch.Operation(operation.op, operation.path, operation.segments, value)


def denied(member: Member, action: str, path: str, reason: str) -> errors.PolicyDenied:
    """The refusal of one path; nothing of its patch is applied."""
    return errors.PolicyDenied(
        role=member.role, action=action, reason=f"{path[:200]}: {reason}.", details={"path": path[:200]}
    )
