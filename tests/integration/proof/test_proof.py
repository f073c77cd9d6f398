"""Proof from end to end: what a lane's session may do with it, retries, export, and the comment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ade_generated import errors
from ade_runtime.contracts import AdeError
from ade_runtime.pipeline.call import Caller, Identity
from tests.support.work import Work


def text(written: dict[str, Any]) -> str:
    return Path(written["path"]).read_text()


def remove(added: dict[str, Any]) -> None:
    Path(added["path"]).unlink()


async def as_session(work: Work, own: str, action: str, **arguments: Any) -> Any:
    """The call made by an agent's session that is bound to the lane."""
    records = await work.call("lane.show", lane=own)
    [project] = await work.runtime.services.projects.all()
    who = Identity("agent", "session:ses_x", 0, session="ses_x", project=project.id, lane=records["id"])
    caller = Caller("socket", cwd=records["path"], env=work.main.env)
    answer = await work.runtime.services.pipeline.call(action, arguments, identity=who, caller=caller)
    return json.loads(answer)


async def test_a_piece_goes_in_and_comes_out_the_same(work: Work) -> None:
    lane = await work.lane("fix")
    (lane.root / "out.log").write_text("12 passed\n")
    added = await work.call(
        "proof.attach", path="out.log", lane="fix", caption="It works.", about="ADE://lane/fix"
    )
    proof = added["proof"]
    assert (proof["kind"], proof["about"], proof["size"]) == ("log", "ade://lane/fix", 10)
    (lane.root / "out.log").write_text("changed afterwards\n")
    shown = await work.call("proof.show", proof=proof["id"])
    assert (shown["content"], shown["present"]) == ("12 passed\n", True)
    written = await work.call("proof.export", proof=proof["id"], path="back.log", lane="fix")
    assert text(written) == "12 passed\n"
    away = lane.root.parent / "elsewhere.log"
    await work.call("proof.export", proof=proof["id"], path=str(away))
    assert away.read_text() == "12 passed\n", "the owner may name any place"


async def test_a_session_keeps_to_its_own_lane(work: Work) -> None:
    mine, other = await work.lane("mine"), await work.lane("other")
    for lane in (mine, other):
        (lane.root / "a.txt").write_text("x")
    theirs = (await work.call("proof.attach", path="a.txt", lane="other"))["proof"]["id"]
    own = (await as_session(work, "mine", "proof.attach", path="a.txt"))["proof"]
    assert own["session"] == "ses_x"
    assert own["lane"] == (await work.call("lane.show", lane="mine"))["id"]
    with pytest.raises(errors.PolicyDenied):
        await as_session(work, "mine", "proof.attach", path="a.txt", lane="other")
    for action, more in (("proof.delete", {}), ("proof.update", {"caption": "mine now"})):
        with pytest.raises(errors.ProofNotFound):
            await as_session(work, "mine", action, proof=theirs, **more)
    for action in ("proof.sweep", "proof.limit"):
        with pytest.raises(errors.PolicyDenied):
            arguments = {"max_age_days": 1} if action == "proof.limit" else {}
            await as_session(work, "mine", action, **arguments)
    with pytest.raises(AdeError):
        await as_session(work, "mine", "proof.export", proof=own["id"], path=str(other.root / "b.txt"))
    assert not (other.root / "b.txt").exists()
    assert (await as_session(work, "mine", "proof.show", proof=theirs))["content"] == "x", (
        "reading is for all"
    )


async def test_what_is_of_git_or_of_another_lane_is_no_proof_and_no_place(work: Work) -> None:
    mine = await work.lane("mine")
    (mine.root / "a.txt").write_text("x")
    (mine.root / "link").symlink_to(".git")
    proof = (await work.call("proof.attach", path="a.txt", lane="mine"))["proof"]["id"]
    for path, lane in (
        (".git", "mine"),
        ("link", "mine"),
        (".git/config", "primary"),
        (".GIT/config", "primary"),
        (".ade/worktrees/mine/a.txt", "primary"),
    ):
        with pytest.raises(errors.ProofUnreadable, match="lies"):
            await work.call("proof.attach", path=path, lane=lane)
    for path, lane in (
        (".GIT", "mine"),
        ("git~1", "mine"),
        (".git/hooks/pre-commit", "primary"),
        (".ade/worktrees/mine/b.txt", "primary"),
    ):
        with pytest.raises(errors.PathOutsideLane):
            await work.call("proof.export", proof=proof, path=path, lane=lane, overwrite=True)
    assert not (mine.root / "b.txt").exists()


async def test_a_repeated_request_puts_away_once_and_answers_the_same(work: Work) -> None:
    lane = await work.lane("fix")
    (lane.root / "a.txt").write_text("x")
    arguments = {"path": "a.txt", "lane": "fix"}
    answers = [
        await work.runtime.call(
            "proof.attach", arguments, cwd=work.main.root, env=work.main.env, request_id="r1"
        )
        for _ in range(2)
    ]
    assert answers[0] == answers[1]
    assert (await work.call("proof.list", lane="fix"))["total"] == 1


async def test_lists_are_narrowed_and_paged(work: Work) -> None:
    lane = await work.lane("fix")
    for number in range(5):
        (lane.root / f"{number}.json").write_text(f"[{number}]")
    paths = [f"{number}.json" for number in range(5)]
    await work.call("proof.ingest", paths=paths, lane="fix", about="ade://issue/ENG-1")
    page = await work.call("proof.list", lane="fix", about="ade://issue/ENG-1", kind="json", limit=2)
    assert (len(page["items"]), page["total"]) == (2, 5)
    rest = await work.call("proof.list", lane="fix", limit=10, cursor=page["next"])
    assert len(rest["items"]) == 3
    assert (await work.call("proof.list", kind="png"))["total"] == 0
    assert (await work.refused("proof.list", about="ade://nothing")).code == "invalid_deeplink"


async def test_a_lane_that_is_deleted_leaves_its_proof(work: Work) -> None:
    lane = await work.lane("gone")
    (lane.root / "a.txt").write_text("it worked")
    proof = (await work.call("proof.attach", path="a.txt", lane="gone"))["proof"]["id"]
    (lane.root / "a.txt").unlink()
    await work.call("lane.delete", lane="gone")
    assert (await work.call("proof.show", proof=proof))["content"] == "it worked"


async def test_a_content_that_is_gone_is_said_to_be(work: Work) -> None:
    lane = await work.lane("fix")
    (lane.root / "a.txt").write_text("x")
    added = await work.call("proof.attach", path="a.txt", lane="fix")
    remove(added)
    shown = await work.call("proof.show", proof=added["proof"]["id"])
    assert (shown["present"], shown["content"]) == (False, None)
    refusal = await work.refused("proof.export", proof=added["proof"]["id"], path="b.txt", lane="fix")
    assert refusal.code == "proof_content_gone"


async def test_the_comment_shows_what_the_lane_has(work: Work) -> None:
    lane = await work.lane("fix")
    (lane.root / "a.log").write_text("1 failed")
    (lane.root / "b.gif").write_bytes(b"GIF89a\x02\0\x02\0\0\0\0;")
    items = (await work.call("proof.ingest", paths=["a.log", "b.gif"], lane="fix"))["items"]
    told = await work.call("proof.publish", lane="fix", title="Before")
    assert told["body"].startswith("### Before\n")
    assert "1 failed" in told["body"]
    assert told["uploads"] == [items[1]["id"]]
    assert told["posted"] is False
    urls = {items[1]["id"]: "https://example.org/b.gif"}
    told = await work.call("proof.publish", proofs=[item["id"] for item in items], urls=urls)
    assert "![b.gif](https://example.org/b.gif)" in told["body"]
    assert told["uploads"] == []
