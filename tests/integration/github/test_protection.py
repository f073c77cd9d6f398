"""What rules for branches refuse is told as such, with the way out; nothing is merged and nothing is opened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.github.hub import Fault, failing
from tests.support.github.shop import Shop
from tests.support.github.state import Said, set_checks


async def refused_merge(shop: Shop, **more: Any) -> Any:
    """The refusal of a merge that changed nothing."""
    before = shop.repository.tip("main")
    problem = await shop.refused("pr.merge", number=1, **more)
    assert (shop.repository.pulls[0].state, shop.repository.tip("main")) == ("open", before)
    return problem


async def test_a_check_that_is_required_and_did_not_come(shop: Shop) -> None:
    await shop.open_pull()
    shop.repository.required = ["build"]
    problem = await refused_merge(shop)
    assert problem.code == "pr_protected"
    assert "The rules for main" in problem.message and '"build" is expected' in problem.message
    assert "ade prs checks 1" in problem.hint and "--until checks" in problem.hint
    told = await shop.call("pr.issue_inventory", number=1)
    assert (told["verdict"], [one["kind"] for one in told["items"]]) == ("waiting", ["missing_check"])
    set_checks(shop.repository, {"build": "success"}, {})
    assert (await shop.call("pr.merge", number=1))["merge_commit"] == shop.repository.tip("main")


async def test_a_review_that_is_required(shop: Shop) -> None:
    await shop.open_pull()
    shop.repository.needs_review = True
    problem = await refused_merge(shop)
    assert problem.code == "pr_protected"
    assert "approving review is required" in problem.message
    assert "ade prs request-reviewers 1" in problem.hint
    told = await shop.call("pr.issue_inventory", number=1)
    assert [one["kind"] for one in told["items"]] == ["review_required"]
    shop.repository.pulls[0].reviews.append(Said(1, "grace", "Good", state="APPROVED"))
    assert (await shop.call("pr.merge", number=1))["already"] is False


async def test_a_way_of_merging_that_is_not_allowed(shop: Shop) -> None:
    shop.repository.methods = ("squash",)
    await shop.open_pull()
    problem = await refused_merge(shop, method="merge")
    assert problem.code == "pr_method_not_allowed"
    assert "Merge commits are not allowed" in problem.message
    assert problem.hint == "Call again with --method squash."
    await shop.call("pr.merge", number=1)
    assert shop.repository.run("rev-list", "--count", "--merges", "main") == "0", "by the way that is allowed"


async def test_a_branch_that_takes_no_merge_commits_is_merged_into_in_a_way_that_it_takes(shop: Shop) -> None:
    await shop.open_pull()
    said = failing(405, "This branch must not contain merge commits.")
    shop.hub.faults.append(Fault("PUT", "/merge$", instead=said))
    assert (await shop.call("pr.merge", number=1))["merge_commit"] == shop.repository.tip("main")
    assert shop.repository.run("rev-list", "--count", "--merges", "main") == "0"


async def test_somebody_who_may_not_merge_into_the_branch(shop: Shop) -> None:
    await shop.open_pull()
    shop.repository.mergers = ("grace",)
    problem = await refused_merge(shop)
    assert problem.code == "pr_protected"
    assert "not authorized" in problem.message and "Only those its rules name" in problem.hint


WORDS: list[Any] = [
    (405, "2 of 2 required status checks are expected.", "pr_protected", "ade prs checks 1"),
    (405, "Waiting on code owner review from octo/core.", "pr_protected", "request-reviewers 1"),
    (405, "Changes must be made through the merge queue", "pr_protected", "merge queue"),
    (405, "A conversation must be resolved before this pull request can be merged.", "pr_protected",
     "ade prs review-comments 1"),
    (405, "The head branch is not up to date with the base branch.", "pr_protected", "ade prs update-branch 1"),
    (405, "Commits must have verified signatures.", "pr_protected", "Sign the commits"),
    (405, "This branch must not contain merge commits.", "pr_method_not_allowed", "--method squash or --method rebase"),
    (409, "Repository rule violations found", "pr_protected", "ade prs issue-inventory 1"),
    (422, "Required status check \"x\" is failing.", "pr_protected", "ade prs checks 1"),
    (403, "Cannot update this protected ref.", "pr_protected", "Only those its rules name"),
    (405, "Pull Request is not mergeable", "pr_not_mergeable", "ade prs issue-inventory 1"),
    (409, "Merge conflict", "pr_not_mergeable", "ade prs issue-inventory 1"),
    (422, "Validation Failed", "pr_not_mergeable", "ade prs issue-inventory 1"),
    (403, "Resource not accessible by integration", "github_scope_missing", "scope or permission"),
    (403, "Something else", "github_refused", "Change what it names"),
]  # fmt: skip


@pytest.mark.parametrize(("status", "said", "code", "hint"), WORDS)
async def test_each_refusal_of_a_merge_says_what_to_do(
    shop: Shop, status: int, said: str, code: str, hint: str
) -> None:
    await shop.open_pull()
    shop.hub.faults.append(Fault("PUT", "/merge$", instead=failing(status, said)))
    problem = await refused_merge(shop, method="merge")
    assert problem.code == code
    assert hint in problem.hint


async def test_a_base_that_moved_in_the_very_moment_is_merged_into_again(shop: Shop) -> None:
    await shop.open_pull()
    moved = failing(405, "Base branch was modified. Review and try the merge again.")
    shop.hub.faults.append(Fault("PUT", "/merge$", times=2, instead=moved))
    assert (await shop.call("pr.merge", number=1))["merge_commit"] == shop.repository.tip("main")


async def test_a_queue_is_blocked_by_rules_and_says_so(shop: Shop) -> None:
    await shop.open_pull()
    await shop.call("queue.create", lanes=["fix-login"])
    shop.repository.mergers = ("grace",)
    told = await shop.call("queue.land_next")
    assert (told["result"], told["entry"]["state"]) == ("blocked", "blocked")
    assert "not authorized" in told["entry"]["note"]
    shop.repository.mergers = None
    assert (await shop.call("queue.land_next"))["result"] == "landed"


def protect(bare: Path, *lines: str) -> Path:
    """Have the bare repository refuse every push, with these words."""
    hook = bare / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\n" + "".join(f"echo '{line}' >&2\n" for line in lines) + "exit 1\n")
    hook.chmod(0o755)
    return hook


async def test_a_push_that_a_protected_branch_refuses(shop: Shop) -> None:
    rule = "- Changes must be made through a pull request."
    hook = protect(
        shop.bare, "error: GH006: Protected branch update failed for refs/heads/ade/fix-login.", "", rule
    )
    problem = await shop.refused("pr.create_from_lane", lane="fix-login")
    assert problem.code == "remote_refused"
    assert "GH006: Protected branch update failed" in problem.message
    assert "Changes must be made through a pull request" in problem.message
    assert problem.hint.startswith("Nothing was opened.")
    assert shop.repository.pulls == [] and shop.repository.tip("ade/fix-login") is None
    hook.unlink()
    made = await shop.call("pr.create_from_lane", lane="fix-login")
    assert (made["created"], made["pushed"]) == (True, True)


async def test_a_push_that_a_hook_refuses_without_a_word(shop: Shop) -> None:
    protect(shop.bare)
    problem = await shop.refused("pr.create_from_lane", lane="fix-login")
    assert (problem.code, "pre-receive hook declined" in problem.message) == ("remote_refused", True)


async def test_a_lane_on_the_protected_base_itself_is_refused_before_anything_is_pushed(shop: Shop) -> None:
    problem = await shop.refused("pr.create_from_lane", lane="fix-login", base="ade/fix-login")
    assert problem.code == "pr_base_missing"
    await shop.open_pull()
    problem = await shop.refused("pr.create_from_lane", lane="fix-login", base="ade/fix-login")
    assert problem.code == "pr_same_branch"
