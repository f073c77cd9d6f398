"""What who leads a run reads beyond it. Nothing here changes anything, and nothing that is not connected is an error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ade_generated.models import run as models
from ade_runtime.domains.run.shared import RunDomain
from ade_runtime.runs.capabilities import Answer, read

if TYPE_CHECKING:
    from collections.abc import Collection

    from ade_runtime.pipeline.call import Call

_NO_PAGE: dict[str, Any] = {"items": [], "total": 0, "next": None}
_NO_ISSUE: dict[str, Any] = {"issue": None, "description": None, "comments": [], "more_comments": False}


class Looking(RunDomain):
    async def search_workspace(
        self, call: Call, args: models.RunSearchWorkspaceInput
    ) -> models.RunSearchWorkspaceOutput:
        answer = await self._read(call, args.run, "search.workspace", _without_run(args))
        found = answer.found or {**_NO_PAGE, "complete": answer.error is None}
        return models.RunSearchWorkspaceOutput.from_wire({**answer.head, **found})

    async def read_linear_issue(
        self, call: Call, args: models.RunReadLinearIssueInput
    ) -> models.RunReadLinearIssueOutput:
        answer = await self._read(call, args.run, "issue.show", _without_run(args), empty=("issue_required",))
        return models.RunReadLinearIssueOutput.from_wire({**answer.head, **(answer.found or _NO_ISSUE)})

    async def read_pr(self, call: Call, args: models.RunReadPrInput) -> models.RunReadPrOutput:
        answer = await self._read(call, args.run, "pr.show", _without_run(args), empty=("pr_not_linked",))
        return models.RunReadPrOutput.from_wire({**answer.head, "pull": answer.found})

    async def list_proof_artifacts(
        self, call: Call, args: models.RunListProofArtifactsInput
    ) -> models.RunListProofArtifactsOutput:
        answer = await self._read(call, args.run, "proof.list", _without_run(args))
        return models.RunListProofArtifactsOutput.from_wire({**answer.head, **(answer.found or _NO_PAGE)})

    async def mint_deeplink(
        self, call: Call, args: models.RunMintDeeplinkInput
    ) -> models.RunMintDeeplinkOutput:
        target = {"kind": "run", "run": args.run} if args.target is None else args.target.to_wire()
        answer = await self._read(call, args.run, "deeplink.mint", {"target": target})
        link = None if answer.found is None else answer.found["link"]
        return models.RunMintDeeplinkOutput.from_wire({**answer.head, "link": link})

    async def _read(
        self, call: Call, run: str, action: str, arguments: dict[str, Any], empty: Collection[str] = ()
    ) -> Answer:
        await self._leading(call, run)
        lane = (await self._runs.manifest(run))["laneId"]
        return await read(self._services, call, action, arguments, lane=lane, empty=empty)


def _without_run(args: Any) -> dict[str, Any]:
    """The arguments that the action which reads has, too."""
    given: dict[str, Any] = args.to_wire()
    return {name: value for name, value in given.items() if name != "run"}
