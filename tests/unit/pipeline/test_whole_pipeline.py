"""A call from end to end: receipts, audit, faults of handlers, background runs."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from ade_generated import errors
from ade_generated.dispatch import ACTIONS
from ade_generated.models.runtime import RuntimeHealthInput, RuntimeHealthOutput
from ade_runtime.client.in_process import Runtime
from ade_runtime.contracts import AdeError, Effect, Idempotency
from ade_runtime.domains.runtime import RuntimeHandlers
from ade_runtime.pipeline.call import Call
from ade_runtime.pipeline.receipt import KEPT_MS
from ade_runtime.storage.schema import audit, receipts

Work = Callable[[Call], Awaitable[Any]]


class Bench:
    """A runtime in which ``runtime.health`` is a write with receipts, performed by ``work``."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self.calls = 0
        self.work: Work | None = None

    async def call(self, request_id: str | None = None, **more: Any) -> Any:
        return await self.runtime.call("runtime.health", request_id=request_id, **more)

    async def rows(self, table: Any) -> list[Any]:
        return list(await self.runtime.services.database.read(lambda c: c.execute(select(table)).all()))


@pytest.fixture
async def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Bench]:
    async with Runtime.open(tmp_path / "home") as runtime:
        made = Bench(runtime)
        entry = dataclasses.replace(
            ACTIONS["runtime.health"], effect=Effect.WRITE, idempotency=Idempotency.REQUEST_ID
        )
        visibility = runtime.services.pipeline.visibility
        monkeypatch.setitem(visibility._by_name, "runtime.health", entry)

        async def health(self: object, call: Call, args: RuntimeHealthInput) -> Any:
            made.calls += 1
            return RuntimeHealthOutput(status="ok") if made.work is None else await made.work(call)

        monkeypatch.setattr(RuntimeHandlers, "health", health)
        yield made


async def test_the_same_request_is_performed_once(bench: Bench) -> None:
    assert [await bench.call("r1") for _ in range(3)] == [{"status": "ok"}] * 3
    assert bench.calls == 1
    await bench.call("r2")
    await bench.call()
    assert bench.calls == 3


async def test_the_answer_survives_the_process(bench: Bench, tmp_path: Path) -> None:
    await bench.call("r1")
    await bench.runtime.services.database.write(
        lambda c: c.execute(update(receipts).values(output='{"status":"stored"}'))
    )
    assert await bench.call("r1") == {"status": "stored"}


async def test_other_arguments_under_the_same_id_are_a_conflict(bench: Bench) -> None:
    await bench.call("r1", lane="one")
    with pytest.raises(errors.RequestIdConflict):
        await bench.call("r1", lane="two")


async def test_a_repetition_while_the_first_runs(bench: Bench) -> None:
    go = asyncio.Event()

    async def work(call: Call) -> RuntimeHealthOutput:
        await go.wait()
        return RuntimeHealthOutput(status="ok")

    bench.work = work
    first = asyncio.create_task(bench.call("r1"))
    while not bench.calls:  # noqa: ASYNC110
        await asyncio.sleep(0.001)
    with pytest.raises(errors.RequestInProgress):
        await bench.call("r1")
    go.set()
    assert await first == {"status": "ok"}
    assert await bench.call("r1") == {"status": "ok"}
    assert bench.calls == 1


async def test_a_call_whose_process_died_may_be_made_again(bench: Bench) -> None:
    await bench.call("r1")
    dead = f"{os.getpid()}:1"
    await bench.runtime.services.database.write(
        lambda c: c.execute(update(receipts).values(output=None, holder=dead))
    )
    assert await bench.call("r1") == {"status": "ok"}
    assert bench.calls == 2


async def test_what_failed_may_be_tried_again_under_the_same_id(bench: Bench) -> None:
    async def fail(call: Call) -> Any:
        raise errors.StorageFull(path="/x")

    bench.work = fail
    with pytest.raises(errors.StorageFull):
        await bench.call("r1")
    bench.work = None
    assert await bench.call("r1") == {"status": "ok"}


async def test_invalid_arguments_store_nothing(bench: Bench) -> None:
    with pytest.raises(errors.InvalidArguments):
        await bench.runtime.call("runtime.health", {"nope": 1}, request_id="r1")
    assert await bench.rows(receipts) == []
    assert await bench.call("r1") == {"status": "ok"}


@pytest.mark.parametrize("request_id", ["", "x" * 201])
async def test_request_ids_have_bounds(bench: Bench, request_id: str) -> None:
    with pytest.raises(errors.InvalidArguments):
        await bench.call(request_id)


async def test_receipts_expire(bench: Bench) -> None:
    await bench.call("old")
    await bench.runtime.services.database.write(
        lambda c: c.execute(update(receipts).values(created_at=receipts.c.created_at - KEPT_MS - 1000))
    )
    await bench.call("new")
    assert [row.request_id for row in await bench.rows(receipts)] == ["new"]


async def test_a_handler_may_store_its_answer_with_its_effect(bench: Bench) -> None:
    async def work(call: Call) -> RuntimeHealthOutput:
        output = RuntimeHealthOutput(status="ok")
        receipt = call.receipt
        assert receipt is not None
        await bench.runtime.services.database.write(lambda c: receipt.fulfil(c, output))
        call.subject = "lane_1"
        return output

    bench.work = work
    await bench.call("r1")
    (row,) = await bench.rows(receipts)
    assert json.loads(row.output) == {"status": "ok"}
    (note,) = await bench.rows(audit)
    assert (note.action, note.outcome, note.subject, note.request_id) == (
        "runtime.health",
        "ok",
        "lane_1",
        "r1",
    )


async def test_a_fault_of_a_handler_tells_nothing_but_a_reference(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(call: Call) -> Any:
        raise RuntimeError("secret detail")

    bench.work = fail
    with pytest.raises(errors.InternalError) as refusal:
        await bench.call("r1")
    envelope = json.dumps(refusal.value.envelope())
    assert "secret" not in envelope
    reference = refusal.value.message.split("reference ")[1].rstrip(").")
    assert reference in caplog.text
    assert "secret detail" in caplog.text
    assert [row.outcome for row in await bench.rows(audit)] == ["internal_error"]
    assert await bench.rows(receipts) == []


async def test_an_answer_of_another_class_is_a_fault(bench: Bench) -> None:
    async def wrong(call: Call) -> Any:
        return RuntimeHealthInput()

    bench.work = wrong
    with pytest.raises(errors.InternalError):
        await bench.call()


async def test_a_handlers_own_timeout_is_not_the_calls(bench: Bench) -> None:
    async def late(call: Call) -> Any:
        raise TimeoutError("of something inside")

    bench.work = late
    with pytest.raises(errors.InternalError):
        await bench.call()


async def test_a_cancelled_call_is_noted_and_may_be_repeated(bench: Bench) -> None:
    async def wait(call: Call) -> Any:
        await asyncio.Event().wait()

    bench.work = wait
    task = asyncio.create_task(bench.call("r1"))
    while not bench.calls:  # noqa: ASYNC110
        await asyncio.sleep(0.001)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [row.outcome for row in await bench.rows(audit)] == ["cancelled"]
    bench.work = None
    assert await bench.call("r1") == {"status": "ok"}


async def test_a_time_limit_is_told_in_seconds(bench: Bench) -> None:
    async def wait(call: Call) -> Any:
        await asyncio.Event().wait()

    bench.work = wait
    with pytest.raises(errors.TimedOut) as refusal:
        await bench.call(timeout=0.01)
    assert "0.01 s" in refusal.value.message
    assert refusal.value.exit == 124


async def test_background_runs_report_and_keep_their_end(bench: Bench) -> None:
    go = asyncio.Event()

    async def work(call: Call) -> RuntimeHealthOutput:
        call.progress("halfway", 0.5)
        await go.wait()
        return RuntimeHealthOutput(status="ok")

    bench.work = work
    started = await bench.runtime.call("actions.run", {"action": "runtime.health", "background": True})
    operation = started["operation"]
    while not bench.calls:  # noqa: ASYNC110
        await asyncio.sleep(0.001)
    running = await bench.runtime.call("actions.status", {"operation": operation})
    assert (running["state"], running["message"], running["fraction"]) == ("running", "halfway", 0.5)
    waiting = asyncio.create_task(bench.runtime.call("actions.status", {"operation": operation, "wait": 30}))
    go.set()
    done = await waiting
    assert (done["state"], done["result"]) == ("done", {"status": "ok"})


async def test_background_runs_that_fail_keep_their_error(bench: Bench) -> None:
    async def fail(call: Call) -> Any:
        raise errors.StorageFull(path="/x")

    bench.work = fail
    started = await bench.runtime.call("actions.run", {"action": "runtime.health", "background": True})
    told = await bench.runtime.call("actions.status", {"operation": started["operation"], "wait": 30})
    assert (told["state"], told["error"]["code"]) == ("failed", "storage_full")


async def test_a_background_run_is_checked_before_it_begins(bench: Bench) -> None:
    with pytest.raises(errors.InvalidArguments):
        await bench.runtime.call(
            "actions.run", {"action": "runtime.health", "arguments": {"x": 1}, "background": True}
        )


async def test_background_runs_end_with_their_runtime(bench: Bench, tmp_path: Path) -> None:
    async def wait(call: Call) -> Any:
        await asyncio.Event().wait()

    bench.work = wait
    started = await bench.runtime.call("actions.run", {"action": "runtime.health", "background": True})
    await bench.runtime.close()
    async with Runtime.open(tmp_path / "home") as later:
        told = await later.call("actions.status", {"operation": started["operation"]})
    assert (told["state"], told["error"]["code"]) == ("failed", "cancelled")


async def test_running_an_action_keeps_its_permissions(bench: Bench) -> None:
    with pytest.raises(errors.PolicyDenied):
        await bench.runtime.call("actions.run", {"action": "runtime.health"}, role="external")
    with pytest.raises(AdeError) as refusal:
        await bench.runtime.call("actions.run", {"action": "actions.run"})
    assert refusal.value.code == "invalid_arguments"
