"""git.status, git.stage, git.unstage, git.stage_all, git.unstage_all, git.discard."""

from __future__ import annotations

import os

from tests.integration.git.conftest import Lab

ODD = [b"two\nlines", b"caf\xe9.txt", b"-rf", b'"q"', "修正.txt".encode(), b"*", b":(glob)x"]


async def test_paths_of_any_bytes_go_through_whole(lab: Lab) -> None:
    for name in ODD:
        lab.write(name, "x")
    lab.write("other", "x")
    status = await lab.git("status", untracked="all")
    shown = {item["path"] for item in status["items"]}
    assert shown == {"two\nlines", '"caf\\351.txt"', "-rf", '"\\"q\\""', "修正.txt", "*", ":(glob)x", "other"}
    staged = await lab.git("stage", paths=sorted(shown - {"other"}))
    assert staged["total"] == len(ODD)
    assert staged["counts"] == {"staged": len(ODD), "changed": 0, "untracked": 1, "conflicted": 0}
    listed = lab.run("diff", "--cached", "--name-only", "-z").split("\0")
    assert {os.fsencode(name) for name in listed if name} == set(ODD)
    assert (await lab.git("unstage", paths=["*"]))["total"] == 1
    assert (await lab.git("unstage_all"))["total"] == len(ODD) - 1
    assert (await lab.git("discard", all=True, untracked=True))["total"] == len(ODD) + 1
    assert lab.status() == []


async def test_status_pages_filters_and_warns(lab: Lab) -> None:
    for number in range(5):
        lab.write(f"d/f{number}", "x")
    lab.write(".gitignore", "ignored\n")
    lab.write("ignored", "x")
    first = await lab.git("status", untracked="all", limit=4)
    rest = await lab.git("status", untracked="all", limit=4, cursor=first["next"])
    assert (len(first["items"]), first["total"], len(rest["items"]), rest["next"]) == (4, 6, 2, None)
    assert (await lab.git("status"))["total"] == 2
    assert (await lab.git("status", untracked="none"))["clean"]
    assert [i["path"] for i in (await lab.git("status", paths=["d"]))["items"]] == ["d/"]
    ignored = (await lab.git("status", ignored=True))["items"]
    assert {"path": "ignored", "index": "ignored", "worktree": "ignored"}.items() <= ignored[-1].items()
    lab.run("config", "diff.external", "/tmp/x")
    assert "diff.external" in (await lab.git("status"))["warnings"][0]
    await lab.fails("invalid_cursor", "status", cursor="x")


async def test_staging_an_ignored_file_needs_force(lab: Lab) -> None:
    lab.write(".gitignore", "*.log\n")
    lab.write("a.log", "x")
    problem = await lab.fails("path_ignored", "stage", paths=[".gitignore", "a.log"])
    assert "a.log" in problem.message
    assert (await lab.git("stage", paths=["a.log"], force=True))["items"][0]["index"] == "added"


async def test_a_path_through_a_symlink_inside_and_outside(lab: Lab) -> None:
    lab.write("sub/f", "x")
    (lab.lane / "in").symlink_to("sub")
    (lab.lane / "out").symlink_to(lab.base)
    assert (await lab.git("stage", paths=["in/f"]))["items"][0]["path"] == "sub/f"
    await lab.fails("path_outside_lane", "stage", paths=["out/f"])
    await lab.fails("path_outside_lane", "stage", paths=["/etc/passwd"])
    assert (await lab.git("stage", paths=["out"]))["items"][0]["path"] == "out"


async def test_staging_in_an_empty_repository(lab: Lab) -> None:
    empty = lab.base / "empty"
    lab.run("init", "-q", "-b", "main", str(empty), at=lab.base)
    await lab.call("project.add", path=str(empty))
    lab.write("a", "x", at=empty)
    here = {"cwd": empty}
    assert (await lab.call("git.status", **here))["head"] is None
    assert (await lab.call("git.stage", paths=["a"], **here))["counts"]["staged"] == 1
    assert (await lab.call("git.unstage_all", **here))["counts"] == {
        "staged": 0, "changed": 0, "untracked": 1, "conflicted": 0,
    }  # fmt: skip
    assert (await lab.call("git.log", **here))["items"] == []
    made = await lab.call("git.commit", message="First", stage_all=True, **here)
    assert made["before"] is None
    assert (await lab.call("git.log", **here))["total"] == 1


async def test_unresolved_files_are_not_staged_by_accident(lab: Lab) -> None:
    lab.conflict()
    lab.run("merge", "-q", "main", check=False)
    problem = await lab.fails("conflict_markers", "stage", paths=["README.md"])
    assert problem.details["files"] == ["README.md"]
    await lab.fails("conflict_markers", "stage_all")
    await lab.fails("conflict_markers", "commit", message="x", stage_all=True)
    staged = await lab.git("stage_all", allow_markers=True)
    assert staged["counts"]["conflicted"] == 0
    assert "README.md" in staged["warnings"][0]


async def test_unstage_all_leaves_a_merge_alone(lab: Lab) -> None:
    lab.commit("ours", a="1")
    lab.commit("theirs", at=lab.project, b="1")
    lab.run("merge", "-q", "--no-commit", "main")
    await lab.git("unstage_all")
    assert (await lab.git("status"))["operation"] == "merge"


async def test_discarded_work_comes_back(lab: Lab) -> None:
    lab.commit("base", a="1", b="1")
    lab.write("a", "mine")
    lab.run("add", "a")
    (lab.lane / "b").unlink()
    lab.write("new file", "precious")
    out = await lab.git("discard", all=True, untracked=True)
    assert out["total"] == 3
    assert lab.status() == []
    assert not (lab.lane / "new file").exists()
    lab.shell(out["recovery"]["restore"])
    assert lab.read("new file") == "precious"
    assert lab.read("a") == "mine"
    assert not (lab.lane / "b").exists()


async def test_discard_of_one_file_and_back_to_what_is_staged(lab: Lab) -> None:
    lab.commit("base", a="1", b="1")
    for name in ("a", "b"):
        lab.write(name, "staged")
    lab.run("add", "--all")
    for name in ("a", "b"):
        lab.write(name, "later")
    await lab.git("discard", paths=["a"], keep_staged=True)
    assert (lab.read("a"), lab.read("b")) == ("staged", "later")
    assert lab.status() == ["M  a", "MM b"]
    await lab.git("discard", paths=["b"])
    assert lab.status() == ["M  a"]
    await lab.fails("nothing_to_discard", "discard", paths=["b"])


async def test_discard_of_new_files_only_when_asked(lab: Lab) -> None:
    lab.write("new", "x")
    await lab.fails("nothing_to_discard", "discard", all=True)
    assert lab.read("new") == "x"
    await lab.git("discard", paths=["new"], untracked=True)
    assert not (lab.lane / "new").exists()


async def test_discard_must_say_what(lab: Lab) -> None:
    await lab.fails("invalid_arguments", "discard")
    await lab.fails("invalid_arguments", "discard", all=False)
    await lab.fails("invalid_arguments", "discard", all=True, paths=["a"])


async def test_a_repository_inside_the_lane_is_left_alone(lab: Lab) -> None:
    lab.run("init", "-q", "inner")
    lab.write("inner/f", "x")
    lab.write("loose", "x")
    out = await lab.git("discard", all=True, untracked=True)
    assert [item["path"] for item in out["items"]] == ["loose"]
    assert lab.read("inner/f") == "x"


async def test_a_submodule(lab: Lab) -> None:
    other = lab.base / "other"
    lab.run("init", "-q", "-b", "main", str(other), at=lab.base)
    lab.commit("one", at=other, f="1")
    lab.run("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other), "sub")
    made = await lab.git("commit", message="Add a submodule", stage_all=True)
    assert {item["path"] for item in made["items"]} == {".gitmodules", "sub"}
    lab.commit("two", at=lab.lane / "sub", f="2")
    [item] = (await lab.git("status"))["items"]
    assert (item["path"], item["submodule"], item["worktree"]) == ("sub", True, "modified")
    assert (await lab.git("stage", paths=["sub"]))["total"] == 1


async def test_windows_line_ends_stay_as_they_are(lab: Lab) -> None:
    lab.write("a.txt", b"one\r\ntwo\r\n")
    await lab.git("commit", message="Add it", stage_all=True)
    assert lab.run("cat-file", "-p", "HEAD:a.txt") == "one\r\ntwo\r"
    shown = await lab.git("show")
    assert "+one\r\n" in shown["text"]
    lab.write(".gitattributes", "*.txt text eol=crlf\n")
    await lab.git("stage", paths=[".gitattributes"])
    assert (await lab.git("stage_all"))["counts"]["changed"] == 0


async def test_no_action_takes_a_path_outside(lab: Lab) -> None:
    lab.write("a", "x")
    for action in ("stage", "unstage", "discard", "status", "log", "show", "stash_push"):
        for path in ("../x", ".git/config", ".GIT/x", "a\x00b"):
            await lab.fails("path_outside_lane", action, paths=[path])
