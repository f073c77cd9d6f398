"""What ADE is asked through the spool of a sandbox starts no program outside of that sandbox."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from ade_generated import errors
from ade_runtime.pipeline.call import Caller
from tests.support.holders import end_holders
from tests.support.work import opened


async def test_no_program_is_started_through_the_spool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path, monkeypatch) as work:
        work.main.commit_files("Start", {"README.md": "# Shop\n"})
        lane = await work.lane("one")
        config = {
            "processes": {"p": {"command": ["touch", "ran"]}},
            "tests": {"suites": {"s": {"command": ["touch", "ran"]}}},
        }
        (work.main.root / ".ade").mkdir(exist_ok=True)
        (work.main.root / ".ade" / "config.yaml").write_text(json.dumps(config))
        await work.call("config.trust", hash=(await work.call("config.show"))["hash"])
        session = (await work.call("session.start", lane="one"))["session"]
        owner = await work.runtime.identity(None, "terminal.start")
        who = dataclasses.replace(
            owner, session=session["id"], lane=session["lane"], project=session["project"], source="token"
        )
        caller = Caller(transport="spool", cwd=str(lane.root), env=work.main.env)
        pipeline = work.runtime.services.pipeline
        for action, arguments in (
            ("terminal.start", {"command": ["touch", "ran"]}),
            ("process.start", {"process": "p"}),
            ("process.restart", {"process": "p"}),
            ("tests.run", {"suite": "s"}),
            ("tests.run", {"command": ["touch", "ran"]}),
        ):
            with pytest.raises(errors.PolicyDenied):
                await pipeline.call(action, arguments, identity=who, caller=caller)
        answer = json.loads(await pipeline.call("process.start_all", {}, identity=who, caller=caller))
        assert [one["code"] for one in answer["failures"]] == ["policy_denied"]
        assert not (lane.root / "ran").exists()
    end_holders(tmp_path / "ade-home")
