"""Changes are made once, wherever the answer is lost, and whoever asks again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ade_generated import errors
from ade_runtime.client.in_process import Runtime
from ade_runtime.issues.service import Issues
from tests.support.linear.running import ade, linear
from tests.support.linear.server import Fault, LinearStandIn

__all__ = ["ade", "linear"]


@pytest.fixture
async def issues(ade: Runtime) -> Any:
    made = Issues(ade.services, pause=0)
    ade.services.__dict__["issues"] = made
    yield made


async def test_one_comment_wherever_the_answer_is_cut(issues: Issues, linear: LinearStandIn) -> None:
    await issues.comment("ENG-1", "whole", once=None)
    size = linear.sizes[-1]
    for count in range(size + 1):
        linear.faults.append(Fault("commentCreate", cut_after=count))
        made = await issues.comment("ENG-1", f"cut after {count}", once=None)
        assert made["body"] == f"cut after {count}"
    assert not linear.faults
    assert (
        len({one["body"] for one in linear.workspace.comments}) == len(linear.workspace.comments) == size + 2
    )


async def test_one_change_of_state_wherever_the_answer_is_cut(issues: Issues, linear: LinearStandIn) -> None:
    await issues.set_state("ENG-1", "Done")
    size = linear.sizes[-1]
    for count in range(size + 1):
        before = linear.workspace.changes
        linear.faults.append(Fault("issueUpdate", cut_after=count))
        issue, changed = await issues.set_state("ENG-1", ("Todo", "Done")[count % 2])
        assert (issue["state"]["name"], changed) == (("Todo", "Done")[count % 2], True)
        assert linear.workspace.changes == before + 1
    assert not linear.faults


@pytest.mark.parametrize("count", [0, 1, 60, 200])
async def test_labels_and_assignees_change_once(issues: Issues, linear: LinearStandIn, count: int) -> None:
    before = linear.workspace.changes
    linear.faults.extend(Fault(name, cut_after=count) for name in ("issueAddLabel", "issueRemoveLabel"))
    linear.faults.append(Fault("issueUpdate", cut_after=count))
    assert (await issues.add_label("ENG-1", "Backend"))[1]
    assert (await issues.remove_label("ENG-1", "Feature"))[1]
    assert (await issues.assign("ENG-1", "grace@example.org"))[1]
    issue = await issues.get("eng-1")
    assert [one["name"] for one in issue["labels"]["nodes"]] == ["Backend"]
    assert issue["assignee"]["displayName"] == "grace"
    assert linear.workspace.changes == before + 3


async def test_what_was_never_carried_out_is_asked_for_again(issues: Issues, linear: LinearStandIn) -> None:
    linear.faults.extend([Fault("commentCreate", lost=True), Fault("commentCreate", status=502)])
    await issues.comment("ENG-1", "third time", once=None)
    assert [one["body"] for one in linear.workspace.comments] == ["third time"]


async def test_a_call_that_failed_is_repeated_by_its_request_id(
    ade: Runtime, issues: Issues, linear: LinearStandIn
) -> None:
    """Every answer is lost, also that of the look whether it has landed: the call fails although the comment is there."""
    wish = {"issue": "ENG-1", "body": "once"}
    linear.faults.append(Fault("commentCreate", cut_after=10))
    linear.faults.extend(Fault("query CommentById", lost=True) for _ in range(4))
    first = await issues.client()
    with pytest.raises(errors.LinearUnavailable):
        await ade.call("issue.comment", wish, cwd=Path.cwd(), request_id="r1")
    linear.faults.clear()
    assert await issues.client() is first
    made = await ade.call("issue.comment", wish, cwd=Path.cwd(), request_id="r1")
    again = await ade.call("issue.comment", wish, cwd=Path.cwd(), request_id="r1")
    assert made == again
    assert len(linear.workspace.comments) == 1


async def test_two_wishes_with_one_text_are_two_comments(
    ade: Runtime, issues: Issues, linear: LinearStandIn
) -> None:
    for request_id in ("a", "b", None, None):
        wish = {"issue": "ENG-1", "body": "again"}
        await ade.call("issue.comment", wish, cwd=Path.cwd(), request_id=request_id)
    assert len(linear.workspace.comments) == 4


async def test_what_is_so_already_is_not_changed(issues: Issues, linear: LinearStandIn) -> None:
    before = linear.workspace.changes
    assert not (await issues.set_state("ENG-1", "todo"))[1]
    assert not (await issues.add_label("ENG-1", "feature"))[1]
    assert not (await issues.remove_label("ENG-1", "bug"))[1]
    assert not (await issues.assign("ENG-1", None))[1]
    assert linear.workspace.changes == before
