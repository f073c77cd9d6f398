"""conflicts.* through the pipeline on real lanes. Nothing of what it looks at may change."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.repo import Repo
from tests.support.work import Work, opened

LINES = "".join(f"{number}\n" for number in range(1, 31))


@pytest.fixture
async def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Work]:
    async with opened(tmp_path, monkeypatch) as made:
        made.main.commit("one", f=LINES, g=LINES)
        yield made


def edit(number: int, text: str) -> str:
    return LINES.replace(f"\n{number}\n", f"\n{text}\n", 1)


async def lanes(work: Work) -> tuple[Repo, Repo, Repo]:
    """Lanes a and b change the same line of f; c changes a far line of f."""
    a, b, c = [await work.lane(name) for name in "abc"]
    a.commit("a", f=edit(5, "A"))
    b.commit("b", f=edit(5, "B"), b="new\n")
    c.commit("c", f=edit(25, "C"))
    return a, b, c


async def test_lanes_are_checked_against_their_parents_and_each_other(work: Work) -> None:
    await lanes(work)
    before = work.states()
    answer = await work.call("conflicts.check", lanes=["a", "b", "c"])
    assert work.states() == before
    outcomes = {(item["source"]["lane"], item["into"]["lane"]): item["outcome"] for item in answer["items"]}
    assert outcomes == {
        ("a", "primary"): "clean",
        ("b", "primary"): "clean",
        ("c", "primary"): "clean",
        ("b", "a"): "conflict",
        ("c", "a"): "clean",
        ("c", "b"): "clean",
    }
    assert (answer["clean"], answer["conflicts"], answer["total"], answer["failures"]) == (False, 1, 6, [])
    first = answer["items"][0]
    assert first["outcome"] == "conflict" and first["paths"] == ["f"]
    (region,) = first["files"][0]["regions"]
    assert (region["base_start"], region["base_lines"]) == (5, 1)
    assert (region["ours"], region["theirs"]) == ("A\n", "B\n")
    assert (region["ours_start"], region["theirs_start"]) == (5, 5)
    without = await work.call("conflicts.check", lanes=["a", "b"], pairs=False)
    assert without["clean"] and without["total"] == 2


async def test_the_same_answer_as_a_real_merge(work: Work) -> None:
    a, _b, _c = await lanes(work)
    for name, other in (("b", a), ("c", a)):
        predicted = await work.call("conflicts.simulate_merge", lane=name, target="a")
        head = other.git("rev-parse", "HEAD")
        other.git("merge", "--no-edit", f"ade/{name}", check=False)
        conflicted = other.git("diff", "--name-only", "--diff-filter=U").split()
        assert predicted["clean"] is (not conflicted)
        assert predicted["trial"]["paths"] == conflicted
        other.git("reset", "-q", "--hard", head)


async def test_uncommitted_work_counts_only_when_asked(work: Work) -> None:
    a, b = await work.lane("a"), await work.lane("b")
    a.write("f", edit(5, "A"))
    b.write("f", edit(5, "B"))
    b.write("new", "n\n")
    before = work.states()
    assert (await work.call("conflicts.check", lanes=["a", "b"]))["clean"]
    answer = await work.call("conflicts.check", lanes=["a", "b"], include_uncommitted=True)
    assert work.states() == before
    assert (answer["conflicts"], answer["items"][0]["paths"]) == (1, ["f"])
    assert answer["items"][0]["source"]["uncommitted"]
    merged = await work.call("conflicts.simulate_merge", lane="b", include_uncommitted=True)
    assert (merged["changed"], merged["commits"]) == (["f", "new"], 1)


async def test_merging_tells_what_the_target_would_gain(work: Work) -> None:
    await lanes(work)
    ahead = await work.call("conflicts.simulate_merge", lane="b")
    assert ahead["fast_forward"] and ahead["commits"] == 1 and ahead["changed"] == ["b", "f"]
    assert (await work.call("conflicts.simulate_merge", lane="b", target="b"))["trial"][
        "outcome"
    ] == "up_to_date"
    apart = await work.call("conflicts.simulate_merge", lane="b", target="c")
    assert (apart["clean"], apart["fast_forward"], apart["changed"]) == (True, False, ["b", "f"])
    by_ref = await work.call("conflicts.simulate_merge", lane="b", target_ref="ade/a")
    assert by_ref["trial"]["into"] == {
        "lane": None,
        "ref": "ade/a",
        "commit": by_ref["trial"]["into"]["commit"],
        "uncommitted": False,
    }
    assert not by_ref["clean"]


async def test_a_stack_is_checked_lane_by_lane(work: Work) -> None:
    a = await work.lane("a")
    a.commit("a", f=edit(5, "A"))
    child = await work.lane("child", parent="a")
    child.commit("child", f=edit(5, "A").replace("\nA\n", "\nAA\n"))
    answer = await work.call("conflicts.check", lanes=["a", "child"])
    pairs = {(item["source"]["lane"], item["into"]["lane"]) for item in answer["items"]}
    assert answer["clean"] and pairs == {("a", "primary"), ("child", "a")}
    a.commit("a again", f=edit(5, "other"))
    assert (await work.call("conflicts.check", lanes=["child"]))["conflicts"] == 1


async def test_an_integration_meets_what_was_merged_before(work: Work) -> None:
    await lanes(work)
    before = work.states()
    answer = await work.call("conflicts.simulate_integration", lanes=["a", "c", "b"])
    assert work.states() == before
    assert [item["outcome"] for item in answer["items"]] == ["clean", "clean", "conflict"]
    assert answer["items"][2]["conflicts_with"] == ["a", "c"]
    assert (answer["merged"], answer["clean"]) == (2, False)
    stopped = await work.call("conflicts.simulate_integration", lanes=["a", "b", "c"], on_conflict="stop")
    assert [item["outcome"] for item in stopped["items"]] == ["clean", "conflict", "not_tried"]
    skipped = await work.call("conflicts.simulate_integration", lanes=["a", "b", "c"])
    assert [item["outcome"] for item in skipped["items"]] == ["clean", "conflict", "clean"]


async def test_an_integration_gives_the_tree_of_real_merges(work: Work) -> None:
    await lanes(work)
    answer = await work.call("conflicts.simulate_integration", lanes=["a", "c"])
    work.main.git("merge", "-q", "--no-edit", "ade/a")
    work.main.git("merge", "-q", "--no-edit", "ade/c")
    assert answer["tree"] == work.main.git("rev-parse", "HEAD^{tree}")


async def test_overlaps_name_files_and_lines(work: Work) -> None:
    _a, b, c = await lanes(work)
    b.commit("g", g=edit(3, "B"))
    c.commit("g", g=edit(20, "C"))
    before = work.states()
    answer = await work.call("conflicts.overlaps")
    assert work.states() == before
    found = {item["path"]: item for item in answer["items"]}
    assert {path: item["lines"] for path, item in found.items()} == {"f": "same", "g": "apart"}
    assert found["g"]["changes"] == [
        {"lane": "b", "status": "modified", "ranges": [{"start": 3, "lines": 1}], "ranges_total": 1},
        {"lane": "c", "status": "modified", "ranges": [{"start": 20, "lines": 1}], "ranges_total": 1},
    ]
    assert answer["lanes"] == ["a", "b", "c"] and answer["failures"] == []
    page = await work.call("conflicts.overlaps", limit=1)
    rest = await work.call("conflicts.overlaps", limit=1, cursor=page["next"])
    assert [page["items"][0]["path"], rest["items"][0]["path"]] == ["f", "g"] and rest["next"] is None
    assert (await work.refused("conflicts.overlaps", cursor="x")).code == "invalid_cursor"


async def test_overlaps_of_files_that_are_no_text_or_moved_on(work: Work) -> None:
    work.main.commit_files("bytes", {"blob": b"\0000"})
    a = await work.lane("a")
    a.commit_files("a", {"blob": b"\0001", "both": "1\n", "f": edit(5, "A")})
    work.main.commit("main goes on", f=edit(12, "MAIN"))
    b = await work.lane("b")
    b.commit_files("b", {"blob": b"\0002", "both": "2\n"})
    b.write("f", (b.root / "f").read_text().replace("\n5\n", "\nB\n"))
    b.commit("b")
    answer = await work.call("conflicts.overlaps", lanes=["a", "b"])
    assert {item["path"]: item["lines"] for item in answer["items"]} == {
        "blob": "unknown",
        "both": "same",
        "f": "unknown",
    }


async def test_the_matrix_rates_every_pair(work: Work) -> None:
    await lanes(work)
    d = await work.lane("d")
    d.commit("d", d="new\n")
    before = work.states()
    answer = await work.call("conflicts.risk_matrix")
    assert work.states() == before
    risks = {item["a"] + item["b"]: item["risk"] for item in answer["items"]}
    assert risks == {
        "ab": "conflict",
        "ac": "overlap",
        "bc": "overlap",
        "ad": "none",
        "bd": "none",
        "cd": "none",
    }
    assert answer["items"][0]["risk"] == "conflict" and answer["items"][0]["paths"] == ["f"]
    assert (answer["total"], answer["checked"], answer["skipped"]) == (6, 6, 0)
    some = await work.call("conflicts.risk_matrix", max_pairs=2)
    assert (some["total"], some["checked"], some["skipped"]) == (6, 2, 4)
    assert "4 of 6 were not looked at" in some["summary"]


async def test_fault_28_what_could_not_be_looked_at_is_told(work: Work) -> None:
    _a, b, c = await lanes(work)
    c.git("checkout", "-q", "--orphan", "alone")
    c.commit("unrelated", z="1\n")
    work.main.git("worktree", "remove", "--force", str(b.root))
    answer = await work.call("conflicts.check", lanes=["a", "b", "c"], include_uncommitted=True)
    assert not answer["clean"] and "could not be tried" in answer["summary"]
    failed = {(tuple(each["lanes"]), each["code"]) for each in answer["failures"]}
    assert failed == {
        (("b",), "lane_missing"),
        (("c", "primary"), "unrelated_histories"),
        (("c", "a"), "unrelated_histories"),
    }
    matrix = await work.call("conflicts.risk_matrix")
    assert {each["code"] for each in matrix["failures"]} == {"unrelated_histories"}
    assert matrix["checked"] + matrix["skipped"] == matrix["total"] == 3
    assert [item["a"] + item["b"] for item in matrix["items"]] == ["ab"]
    shared = await work.call("conflicts.overlaps")
    assert [each["lanes"] for each in shared["failures"]] == [["c"]] and shared["lanes"] == ["a", "b"]
    chain = await work.call("conflicts.simulate_integration", lanes=["c", "a"])
    assert [item["outcome"] for item in chain["items"]] == ["failed", "clean"]
    assert [each["code"] for each in chain["failures"]] == ["unrelated_histories"] and not chain["clean"]


async def test_the_only_question_that_fails_is_an_error(work: Work) -> None:
    _a, b, c = await lanes(work)
    c.git("checkout", "-q", "--orphan", "alone")
    c.commit("unrelated", z="1\n")
    assert (await work.refused("conflicts.check", lanes=["c"])).code == "unrelated_histories"
    assert (await work.refused("conflicts.simulate_merge", lane="c")).code == "unrelated_histories"
    work.main.git("worktree", "remove", "--force", str(b.root))
    gone = await work.refused("conflicts.check", lanes=["b"], include_uncommitted=True)
    assert gone.code == "lane_missing"
    assert (await work.call("conflicts.check", lanes=["b"]))["clean"], "its branch is still there"


async def test_lanes_and_targets_that_do_not_exist(work: Work) -> None:
    await lanes(work)
    assert (await work.refused("conflicts.check", lanes=["a", "nowhere"])).code == "lane_not_found"
    assert (
        await work.refused("conflicts.simulate_merge", lane="a", target="nowhere")
    ).code == "lane_not_found"
    assert (
        await work.refused("conflicts.simulate_merge", lane="a", target_ref="--all")
    ).code == "invalid_base"
    assert (await work.refused("conflicts.simulate_merge", lane="primary")).code == "no_comparison"
    both = await work.refused("conflicts.simulate_merge", lane="a", target="b", target_ref="main")
    assert both.code == "invalid_arguments"


async def test_a_repository_without_commits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(tmp_path, monkeypatch) as work:
        assert (await work.refused("conflicts.simulate_merge", lane="primary")).code == "no_comparison"
        empty = await work.refused("conflicts.simulate_merge", lane="primary", target="primary")
        assert empty.code == "repository_has_no_commits"
        assert (await work.call("conflicts.risk_matrix"))["total"] == 0


async def test_hostile_names_in_conflict(work: Work) -> None:
    names = [b"-rf", b"a\nb", b"caf\xe9", b'"q"', b"*"]
    work.main.commit_files("odd", dict.fromkeys(names, "1\n"))
    for name in "ab":
        (await work.lane(name)).commit_files(name, dict.fromkeys(names, f"{name}\n"))
    answer = await work.call("conflicts.check", lanes=["a", "b"])
    shown = sorted(['"\\"q\\""', "*", "-rf", "a\nb", '"caf\\351"'])
    assert sorted(answer["items"][0]["paths"]) == shown
    assert all(len(file["regions"]) == 1 for file in answer["items"][0]["files"])
    shared = await work.call("conflicts.overlaps")
    assert sorted(item["path"] for item in shared["items"]) == shown
    assert {item["lines"] for item in shared["items"]} == {"same"}


async def test_many_and_long_conflicts_are_bounded(work: Work) -> None:
    names = [f"n{number:03}" for number in range(120)]
    work.main.commit_files("many", dict.fromkeys(names, "1\n") | {"long": "1\n"})
    for name in "ab":
        lane = await work.lane(name)
        lane.commit_files(name, dict.fromkeys(names, f"{name}\n") | {"long": f"{name}\n" * 9000})
    answer = await work.call("conflicts.check", lanes=["a", "b"], limit=7)
    first = answer["items"][0]
    assert (first["total"], len(first["files"]), len(first["paths"])) == (121, 7, 121)
    (region,) = first["files"][0]["regions"]
    assert first["files"][0]["path"] == "long" and region["cut"] and len(region["ours"]) == 2000


async def test_programs_of_the_repository_do_not_run(work: Work, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    for key in ("diff.external", "core.fsmonitor", "diff.evil.textconv"):
        work.main.git("config", key, f"touch {mark}; true")
    work.main.commit_files("attributes", {".gitattributes": "* diff=evil\n"})
    await lanes(work)
    mark.unlink(missing_ok=True)
    await work.call("conflicts.check", lanes=["a", "b"], include_uncommitted=True)
    await work.call("conflicts.overlaps")
    await work.call("diff.patch", lane="a", compare="parent")
    assert not mark.exists()


async def test_a_cancelled_call_leaves_nothing(work: Work) -> None:
    await lanes(work)
    scratch = work.runtime.services.paths.temporary
    begun = asyncio.Event()

    async def run() -> None:
        await work.runtime.call(
            "conflicts.risk_matrix",
            {},
            cwd=work.main.root,
            env=work.main.env,
            progress=lambda *_: begun.set(),
        )

    task = asyncio.create_task(run())
    await begun.wait()
    assert list(scratch.glob("*/scratch-*"))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert list(scratch.glob("*/scratch-*")) == []
