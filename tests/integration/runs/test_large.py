"""A large run, and one with a long history: a change is one transaction, and its cost is that of the run as it is."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event, insert

from ade_runtime.storage.schema import run_history
from tests.integration.runs.conftest import House

TASKS = 2000


@contextmanager
def statements() -> Iterator[list[tuple[str, int]]]:
    """Each statement that is executed meanwhile, with how many rows it gave or changed."""
    seen: list[tuple[str, int]] = []

    def note(_connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        seen.append((" ".join(statement.split())[:60], cursor.rowcount))

    event.listen(Engine, "after_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(Engine, "after_cursor_execute", note)


async def lengthen(house: House, entries: int) -> None:
    row = {"run_id": house.run, "at": 0, "actor": "x", "kind": "patched", "summary": "x" * 400, "etag": "e"}
    rows = [{**row, "generation": -number} for number in range(1, entries)]
    await house.runtime.services.database.write(lambda db: db.execute(insert(run_history), rows))


async def test_acceptance_13_a_patch_of_a_large_run_is_one_transaction_whatever_its_history(
    house: House,
) -> None:
    await house.develop({"id": "T-1", "title": "Store"})
    worker = await house.enlist("worker")
    manifest = await house.manifest()
    template = manifest["tasks"][0]
    for number in range(2, TASKS + 1):
        task = {**copy.deepcopy(template), "id": f"T-{number}", "description": "What it is about. " * 40}
        manifest["tasks"].append(task)
    assert len(json.dumps(manifest)) > 2_000_000
    await house.store_raw(manifest)
    etag = manifest["etag"]
    generation = manifest["serverGeneration"]
    found = []
    for entries in (0, 5000):
        if entries:
            await lengthen(house, entries)
        with statements() as seen:
            patched = await house.patch(("replace", "/tasks/{id:T-1999}/title", {"text": f"New {entries}"}))
        found.append([statement for statement, _ in seen if not statement.startswith("SELECT")])
        assert patched["generation"] == (generation := generation + 1)
    assert patched["etag"] != etag
    assert found[0] == found[1]
    assert sum(statement.startswith("UPDATE runs") for statement in found[0]) == 1
    with statements() as seen:
        claimed = await house.call("claim_task", task="T-2000", token=worker)
    assert claimed["task"]["status"] == "claimed"
    assert not [statement for statement, _ in seen if "FROM run_history" in statement]
