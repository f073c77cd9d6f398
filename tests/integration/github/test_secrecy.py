"""A token is nowhere but in the head of requests to the host it is for."""

from __future__ import annotations

import json
import logging

import pytest

from ade_runtime.contracts import AdeError
from tests.support.github.hub import TOKEN, Fault, failing
from tests.support.github.shop import Shop


async def test_a_token_turns_up_nowhere(shop: Shop, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    said = [await shop.open_pull()]
    said.append(await shop.call("pr.health", number=1))
    for status in (401, 422, 502):
        shop.hub.faults.append(Fault("POST", "/comments", instead=failing(status, f"No {TOKEN}")))
        try:
            said.append(await shop.call("pr.add_comment", number=1, body="Hello", request_id=f"r{status}"))
        except AdeError as problem:
            said.append(problem.envelope())
    said.append(await shop.call("audit.list", limit=1000))
    assert TOKEN not in json.dumps(said)
    assert TOKEN not in caplog.text
    assert TOKEN not in shop.work.main.git("remote", "-v")
    assert TOKEN not in repr(shop.work.runtime.services.pulls.connections.__dict__)
    await shop.work.runtime.close()
    home = shop.work.runtime.services.paths.home
    for path in [*home.rglob("*"), *shop.work.main.root.rglob("*")]:
        if path.is_file():
            assert TOKEN.encode() not in path.read_bytes(), path
