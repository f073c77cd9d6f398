"""What the lead changes by itself: fields of the manifest by the policy, and plan.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_generated.models import run as models
from ade_generated.models.types import Run, RunPatchOperation
from ade_runtime.domains.run.shared import RunDomain
from ade_runtime.runs import patch, policy

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.pipeline.call import Call
    from ade_runtime.runs.document import Manifest

_VALUES = ("text", "texts", "number", "object")


class Editing(RunDomain):
    async def manifest_patch(self, call: Call, args: models.RunManifestPatchInput) -> Run:
        member = await self._member(call, args.run)
        if call.earlier.get("patched"):  # by this very call, whose answer was lost with its process
            return await self._told(call, args.run)
        operations = [_operation(one) for one in args.operations]

        def mutate(manifest: Manifest, now: str) -> None:
            policy.apply_all(manifest, operations, member, now, call.action.id)

        paths = ", ".join(dict.fromkeys(one.path for one in operations))

        def note(db: Connection) -> None:
            call.claim(db, {"patched": True})

        await self._runs.change(args.run, member.name, "patched", paths, mutate, etag=args.etag, also=note)
        return await self._told(call, args.run)

    async def plan_write(self, call: Call, args: models.RunPlanWriteInput) -> Run:
        return await self._write(call, args.run, args.text, args.replaces, append=False)

    async def plan_append(self, call: Call, args: models.RunPlanAppendInput) -> Run:
        member = await self._member(call, args.run)
        if member.role == "lead":
            return await self._write(call, args.run, args.text, None, append=True)
        await self._check_active(call, args.run)
        await self._runs.add_note(args.run, f"{member.name} ({member.role})", args.text)
        return await self._told(call, args.run)

    async def _write(self, call: Call, run: str, text: str, replaces: str | None, *, append: bool) -> Run:
        await self._leading(call, run)
        await self._check_active(call, run)
        await self._runs.write_plan(run, text, replaces, append=append)
        return await self._told(call, run)

    async def _check_active(self, call: Call, run: str) -> None:
        if (await self._find(call, run)).state != "active":
            raise errors.RunOver(run=run)


def _operation(given: RunPatchOperation) -> patch.Operation:
    """An operation with its one value; a field that may be empty is emptied by giving none."""
    found: dict[str, Any] = given.to_wire()
    values = [found[key] for key in _VALUES if key in found]
    if len(values) > 1 or (values and given.op == "remove"):
        raise errors.InvalidPatch(path=given.path[:200], reason="give one value, and none to remove")
    if given.op == "add" and not values:
        raise errors.InvalidPatch(path=given.path[:200], reason="give the new element")
    return patch.read(given.op, given.path, values[0] if values else None)
