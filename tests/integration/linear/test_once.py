"""Changes are made once, wherever the answer is lost, and whoever asks again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ade_generated import errors
from ade_runtime.client.in_process import Runtime
from ade_runtime.issues.service import Issues
from tests.support.linear.running import ade, linear
from tests.support.linear.server import Fault, LinearStandIn, each, sampled

__all__ = ["ade", "linear"]


@pytest.fixture
async def issues(ade: Runtime) -> Any:
    made = Issues(ade.services, pause=0)
    ade.services.__dict__["issues"] = made
    yield made


Places = Callable[[int], Iterator[int]]
Wish = Callable[[], Awaitable[tuple[Any, bool]]]
LONG = [pytest.mark.stress, pytest.mark.timeout(7200)]
HOW = [pytest.param(sampled, id="sampled"), pytest.param(each, id="each byte", marks=LONG)]


@pytest.mark.parametrize("places", HOW)
async def test_one_comment_wherever_the_answer_is_cut(
    issues: Issues, linear: LinearStandIn, places: Places
) -> None:
    await issues.comment("ENG-1", "whole", once=None)
    cuts = sorted(set(places(linear.sizes[-1])))
    for count in cuts:
        linear.faults.append(Fault("commentCreate", cut_after=count))
        made = await issues.comment("ENG-1", f"cut after {count}", once=None)
        assert made["body"] == f"cut after {count}"
    assert not linear.faults
    found = [one["body"] for one in linear.workspace.comments]
    assert len(set(found)) == len(found) == len(cuts) + 1


async def cut_everywhere(linear: LinearStandIn, places: Places, about: str, there: Wish, back: Wish) -> None:
    """Change something there and back, with the answer of ``there`` cut at one place after another."""
    await there()
    cuts = sorted(set(places(linear.sizes[-1])))
    await back()
    for count in cuts:
        before = linear.workspace.changes
        linear.faults.append(Fault(about, cut_after=count))
        _, changed = await there()
        assert changed and not linear.faults
        assert linear.workspace.changes == before + 1, f"cut after {count}"
        await back()


@pytest.mark.parametrize("places", HOW)
async def test_one_change_of_state_wherever_the_answer_is_cut(
    issues: Issues, linear: LinearStandIn, places: Places
) -> None:
    def put(name: str) -> Wish:
        return lambda: issues.set_state("ENG-1", name)

    await cut_everywhere(linear, places, "issueUpdate", put("Done"), put("Todo"))


@pytest.mark.parametrize("places", HOW)
async def test_one_change_of_person_wherever_the_answer_is_cut(
    issues: Issues, linear: LinearStandIn, places: Places
) -> None:
    def give(user: str | None) -> Wish:
        return lambda: issues.assign("ENG-1", user)

    await cut_everywhere(linear, places, "issueUpdate", give("grace@example.org"), give(None))


@pytest.mark.parametrize("places", HOW)
async def test_one_change_of_labels_wherever_the_answer_is_cut(
    issues: Issues, linear: LinearStandIn, places: Places
) -> None:
    def put() -> Awaitable[tuple[Any, bool]]:
        return issues.add_label("ENG-1", "Backend")

    def take() -> Awaitable[tuple[Any, bool]]:
        return issues.remove_label("ENG-1", "Backend")

    await cut_everywhere(linear, places, "issueAddLabel", put, take)
    await put()
    await cut_everywhere(linear, places, "issueRemoveLabel", take, put)


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
