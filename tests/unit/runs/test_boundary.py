"""What counts as a change outside of a lane, and as one that somebody else may have made."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from ade_runtime.runs.boundary.compare import MOST_PATHS, Change, differences
from ade_runtime.runs.boundary.picture import Checkout, Picture
from ade_runtime.runs.boundary.store import Finding
from ade_runtime.runs.boundary.suspects import AtWork, Done, Suspects
from tests.unit.runs.samples import NOW

ONE, TWO = "1" * 40, "2" * 40
MAIN, OWN = "lane_main", "lane_own"
CLEAN = Checkout(True, "refs/heads/main", ONE, {})


def pictured(main: Checkout = CLEAN, own: Checkout = CLEAN, **more: Any) -> Picture:
    own = replace(own, head="refs/heads/own")
    given = {"refs/heads/main": main.commit or "", "refs/heads/own": own.commit or "", "refs/heads/old": ONE}
    return Picture(
        at=datetime.fromisoformat(NOW),
        refs=given | more.pop("refs", {}),
        heads={MAIN: main.head, OWN: own.head},
        settings=more.pop("settings", "s"),
        checkouts={MAIN: main, OWN: own},
    )


def found(before: Picture, after: Picture, **more: Any) -> list[Change]:
    return list(differences(before, after, OWN, **more))


def test_what_is_done_in_the_own_lane_is_no_change_outside() -> None:
    own = Checkout(True, "refs/heads/own", TWO, {b"a.txt": (".M", 3, 4)})
    assert found(pictured(), pictured(own=own)) == []


@pytest.mark.parametrize(
    ("before", "after", "paths"),
    [
        ({}, {b"new.txt": ("??", 1, 1)}, ("new.txt",)),
        ({b"a.txt": (".M", 1, 1)}, {b"a.txt": (".M", 2, 2)}, ("a.txt",)),
        ({b"a.txt": (".M", 1, 1)}, {b"a.txt": (".M", 1, 9)}, ("a.txt",)),
        ({b"a.txt": (".M", 1, 1)}, {}, ("a.txt",)),
        ({b"a.txt": (".M", 1, 1)}, {b"a.txt": (".M", 1, 1)}, ()),
    ],
)
def test_files_of_another_lane(
    before: dict[bytes, Any], after: dict[bytes, Any], paths: tuple[str, ...]
) -> None:
    changes = found(pictured(replace(CLEAN, files=before)), pictured(replace(CLEAN, files=after)))
    assert [(change.kind, change.lane, change.paths) for change in changes] == (
        [("files", MAIN, paths)] if paths else []
    )


def test_many_files_are_counted() -> None:
    many = {f"{place:03}.txt".encode(): ("??", 1, 1) for place in range(MOST_PATHS + 3)}
    (change,) = found(pictured(), pictured(replace(CLEAN, files=many)))
    assert (len(change.paths), change.more) == (MOST_PATHS, 3)


def test_a_commit_another_branch_and_a_folder_that_is_gone() -> None:
    dirty = replace(CLEAN, files={b"a.txt": (".M", 1, 1)})
    (change,) = found(pictured(dirty), pictured(replace(CLEAN, commit=TWO)))
    assert (change.kind, change.ref, change.before, change.after) == ("commit", "main", ONE, TWO)
    (change,) = found(pictured(), pictured(replace(CLEAN, head="refs/heads/old")))
    assert (change.kind, change.before, change.after) == ("branch", "main", "old")
    (change,) = found(pictured(), pictured(replace(CLEAN, present=False, files=None)))
    assert change.kind == "folder"


def test_a_branch_nobody_works_on_is_moved_or_deleted_and_a_new_one_is_nobodys() -> None:
    (change,) = found(pictured(), pictured(refs={"refs/heads/old": TWO}))
    assert (change.kind, change.ref, change.after) == ("ref", "old", TWO)
    gone = pictured()
    gone = replace(gone, refs={name: one for name, one in gone.refs.items() if name != "refs/heads/old"})
    (change,) = found(pictured(), gone)
    assert (change.ref, change.after) == ("old", None)
    assert found(pictured(), pictured(refs={"refs/tags/new": ONE})) == []
    made = pictured(refs={"refs/heads/mine": ONE})
    assert found(made, pictured(refs={"refs/heads/mine": TWO}), own_refs={"refs/heads/mine"}) == []


def test_what_all_lanes_share() -> None:
    (change,) = found(pictured(), pictured(settings="other"))
    assert (change.kind, change.lane) == ("settings", None)


def test_what_could_not_be_looked_at_is_no_change() -> None:
    assert found(pictured(), pictured(replace(CLEAN, files=None))) == []
    before = replace(pictured(), checkouts={OWN: CLEAN})
    assert found(before, pictured(replace(CLEAN, files={b"a.txt": ("??", 1, 1)}))) == []


def test_the_same_state_has_the_same_key_whoever_finds_it() -> None:
    def key(size: int) -> str:
        (change,) = found(pictured(), pictured(replace(CLEAN, files={b"a.txt": (".M", size, 1)})))
        return change.key

    assert key(1) == key(1) != key(2)


FILES = Change(kind="files", lane=MAIN, paths=("a.txt",))
REF = Change(kind="ref", ref="old", before=ONE)


@pytest.mark.parametrize(
    ("change", "suspects", "explained"),
    [
        (FILES, Suspects([], []), False),
        (FILES, Suspects([AtWork("ses_b", MAIN)], []), True),
        (FILES, Suspects([AtWork("ses_b", "lane_other")], []), False),
        (FILES, Suspects([AtWork("ses_lead", None)], []), False),
        (FILES, Suspects([], [Done("git.commit", MAIN, moves_refs=False)]), True),
        (FILES, Suspects([], [Done("git.commit", "lane_other", moves_refs=False)]), False),
        (REF, Suspects([AtWork("ses_b", MAIN)], [Done("run.claim_task", "run_1", moves_refs=False)]), False),
        (REF, Suspects([], [Done("git.commit", MAIN, moves_refs=False)]), False),
        (REF, Suspects([], [Done("lane.delete", "lane_other", moves_refs=True)]), True),
    ],
)
def test_who_works_there_and_calls_of_ade_explain_a_change(
    change: Change, suspects: Suspects, explained: bool
) -> None:
    assert suspects.explain(change) is explained


def test_what_is_told_says_only_what_is_known() -> None:
    def text(change: Change, *others: str) -> str:
        return Finding(session="ses_a", agent="Store", lane_name="main", others=others, change=change).text

    assert text(FILES) == (
        "Store (ses_a) changed what is outside of its lane: files of lane main: a.txt. Nothing was put back."
    )
    assert "It may also have been ses_b." in text(FILES, "ses_b") and "While Store" in text(FILES, "ses_b")
    assert "old, from 111111111111 to nothing" in text(REF)
    hostile = replace(FILES, paths=("a\n\x1b[2Jb\u202e",))
    assert not set("\n\x1b\u202e") & set(text(hostile))
