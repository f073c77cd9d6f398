"""What would happen if lanes were merged; nothing is changed to find out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated.models.conflicts import (
    ConflictsCheckInput,
    ConflictsCheckOutput,
    ConflictsOverlapsInput,
    ConflictsOverlapsOutput,
    ConflictsRiskMatrixInput,
    ConflictsRiskMatrixOutput,
    ConflictsSimulateIntegrationInput,
    ConflictsSimulateIntegrationOutput,
    ConflictsSimulateMergeInput,
    ConflictsSimulateMergeOutput,
)
from ade_runtime.comparisons.checking import check
from ade_runtime.comparisons.describe import Budget
from ade_runtime.comparisons.integration import Integration
from ade_runtime.comparisons.matrix import overlaps, risk_matrix
from ade_runtime.comparisons.merging import simulate_merge
from ade_runtime.comparisons.targets import chosen_lanes, named_lanes, open_bench
from ade_runtime.lanes.records import primary_lane

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services

MOST_LANES = 50


class ConflictsHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def check(self, call: Call, args: ConflictsCheckInput) -> ConflictsCheckOutput:
        if args.lanes is None:
            records = [await self._services.lanes.resolve(call, None, write=False)]
        else:
            records = await named_lanes(self._services, call, args.lanes)
        async with open_bench(self._services, call, uncommitted=args.include_uncommitted) as bench:
            return await check(bench, args, records)

    async def simulate_merge(
        self, call: Call, args: ConflictsSimulateMergeInput
    ) -> ConflictsSimulateMergeOutput:
        record = await self._services.lanes.resolve(call, args.lane, write=False)
        async with open_bench(self._services, call, uncommitted=args.include_uncommitted) as bench:
            return await simulate_merge(bench, args, record)

    async def simulate_integration(
        self, call: Call, args: ConflictsSimulateIntegrationInput
    ) -> ConflictsSimulateIntegrationOutput:
        records = await named_lanes(self._services, call, args.lanes)
        async with open_bench(self._services, call, uncommitted=args.include_uncommitted) as bench:
            target = await bench.target(args.target, args.target_ref)
            target = target or await bench.head(primary_lane(call.project))
            return await Integration(bench, target, Budget(args.limit)).run(records, args)

    async def overlaps(self, call: Call, args: ConflictsOverlapsInput) -> ConflictsOverlapsOutput:
        records, notes = await chosen_lanes(self._services, call, args.lanes, most=MOST_LANES)
        async with open_bench(self._services, call, uncommitted=args.include_uncommitted) as bench:
            return await overlaps(bench, args, records, notes)

    async def risk_matrix(self, call: Call, args: ConflictsRiskMatrixInput) -> ConflictsRiskMatrixOutput:
        records, notes = await chosen_lanes(self._services, call, args.lanes, most=MOST_LANES)
        async with open_bench(self._services, call, uncommitted=args.include_uncommitted) as bench:
            return await risk_matrix(bench, args, records, notes)
