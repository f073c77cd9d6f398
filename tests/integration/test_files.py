"""file.* through the pipeline on real lanes, friendly and hostile."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import os
import shlex
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.contracts import AdeError
from tests.support.repo import Repo
from tests.support.work import Work, opened

SECRET = "never to be seen"


@pytest.fixture
async def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Work]:
    async with opened(tmp_path, monkeypatch) as made:
        yield made


@pytest.fixture
async def lane(work: Work, tmp_path: Path) -> Repo:
    work.main.commit("one", README="# Sample\n", shared="1\n2\n3\n")
    (tmp_path / "secret").write_text(SECRET)
    return await work.lane("fix")


async def ask(work: Work, action: str, **arguments: Any) -> dict[str, Any]:
    return await work.call(f"file.{action}", lane="fix", **arguments)


def run(lane: Repo, *argv: str) -> None:
    subprocess.run(argv, cwd=lane.root, env=lane.env, check=True)


@contextlib.contextmanager
def running(script: str) -> Iterator[None]:
    process = subprocess.Popen([sys.executable, "-c", script])
    try:
        yield
    finally:
        process.kill()
        process.wait()


async def refuse(work: Work, action: str, **arguments: Any) -> str:
    return (await work.refused(f"file.{action}", lane="fix", **arguments)).code


# -- writing


async def test_a_write_keeps_what_the_file_is(work: Work, lane: Repo) -> None:
    path = lane.root / "win"
    path.write_bytes("\ufeffé\r\nb\r\n".encode())
    path.chmod(0o751)
    read = await ask(work, "read", path="win")
    assert (read["text"], read["encoding"], read["newline"], read["executable"]) == (
        "é\r\nb\r\n",
        "utf-8-bom",
        "crlf",
        True,
    )
    made = await ask(work, "write", path="win", content="é\nc", if_match=read["hash"])
    assert path.read_bytes() == "\ufeffé\r\nc\r\n".encode()
    assert path.stat().st_mode & 0o7777 == 0o751
    assert (made["created"], made["changed"], made["old_hash"], len(made["notes"])) == (
        False,
        True,
        read["hash"],
        2,
    )
    assert made["hash"] == "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()
    problem = await work.refused("file.write", lane="fix", path="win", content="x", if_match=read["hash"])
    assert (problem.code, made["hash"] in problem.message) == ("file_changed", True)
    exact = await ask(work, "write", path="win", content="x\ny", newline="exact", encoding="utf-8")
    assert (path.read_bytes(), exact["notes"]) == (b"x\ny", [])
    same = await ask(work, "write", path="win", content="x\ny")
    assert not same["changed"]


async def test_a_write_in_another_encoding(work: Work, lane: Repo) -> None:
    for encoding, codec in (("utf-16-le", "utf-16-le"), ("utf-16-be", "utf-16-be"), ("latin-1", "latin-1")):
        await ask(work, "write", path="f", content="caf\u00e9\n", encoding=encoding)
        await ask(work, "write", path="f", content="th\u00e9\n")
        assert (lane.root / "f").read_bytes().decode(codec).removeprefix("\ufeff") == "th\u00e9\n"
    assert await refuse(work, "write", path="f", content="\u20ac") == "file_encoding"
    assert (lane.root / "f").read_bytes() == b"th\xe9\n"
    data = bytes(range(256))
    made = await ask(work, "write", path="f", base64=base64.b64encode(data).decode())
    assert ((lane.root / "f").read_bytes(), made["encoding"]) == (data, "binary")
    read = await ask(work, "read", path="f", **{"as": "base64"})
    assert (base64.b64decode(read["base64"]), read["text"], read["exact"]) == (data, "", True)
    assert await refuse(work, "write", path="f", base64="abc") == "invalid_arguments"


async def test_a_write_goes_through_a_link_inside_and_leaves_it(work: Work, lane: Repo) -> None:
    (lane.root / "link").symlink_to("README")
    made = await ask(work, "write", path="link", content="# New\n")
    assert made["path"] == "README"
    assert (lane.root / "link").is_symlink()
    assert (lane.root / "README").read_text() == "# New\n"


async def test_create_mkdir_and_rename_replace_nothing(work: Work, lane: Repo) -> None:
    made = await ask(work, "create", path="bin/run", content="#!/bin/sh\n", executable=True, parents=True)
    assert (made["created"], os.access(lane.root / "bin/run", os.X_OK)) == (True, True)
    (lane.root / "dangling").symlink_to("nowhere")
    for path in ("bin/run", "bin", "dangling", "README"):
        assert await refuse(work, "create", path=path) == "file_exists"
        assert await refuse(work, "mkdir", path=path) == "file_exists"
        assert await refuse(work, "rename", path="shared", to=path) == "file_exists"
    assert await refuse(work, "create", path="README/x") == "file_wrong_kind"
    assert await refuse(work, "create", path="none/x") == "file_missing"
    assert await refuse(work, "rename", path="bin", to="bin/in/itself", parents=True) == "file_unusable"
    assert await refuse(work, "rename", path=".", to="x") == "path_outside_lane"
    assert not (await ask(work, "mkdir", path="bin", parents=True))["created"]
    moved = await ask(work, "rename", path="bin", to="a/b/c", parents=True)
    assert (moved["kind"], (lane.root / "a/b/c/run").exists(), (lane.root / "bin").exists()) == (
        "folder",
        True,
        False,
    )
    link = await ask(work, "rename", path="dangling", to="a/dangling")
    assert (link["kind"], str((lane.root / "a/dangling").readlink())) == ("link", "nowhere")


async def test_a_call_that_is_repeated_writes_once(work: Work, lane: Repo) -> None:
    arguments = {"path": "once", "content": "1", "lane": "fix"}
    first = await work.runtime.call(
        "file.create", arguments, cwd=work.main.root, env=work.main.env, request_id="r1"
    )
    (lane.root / "once").unlink()
    again = await work.runtime.call(
        "file.create", arguments, cwd=work.main.root, env=work.main.env, request_id="r1"
    )
    assert first == again
    assert not (lane.root / "once").exists()


async def test_a_session_writes_in_its_own_lane_only(
    work: Work, lane: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = await work.lane("other")
    monkeypatch.setenv("ADE_SESSION_TOKEN", (await work.call("session.start", lane="fix"))["token"])
    await work.call("file.create", path="mine")
    assert (lane.root / "mine").exists()
    for action, arguments in (
        ("create", {"path": "theirs"}), ("write", {"path": "README", "content": ""}), ("mkdir", {"path": "d"}),
        ("rename", {"path": "README", "to": "x"}), ("delete", {"path": "README"}),
    ):  # fmt: skip
        for target in ("other", "primary"):
            problem = await work.refused(f"file.{action}", lane=target, **arguments)
            assert problem.code == "policy_denied"
    assert (await work.call("file.read", lane="other", path="README"))["text"] == "# Sample\n"
    assert other.git("status", "--porcelain") == ""


# -- deleting


async def test_what_is_deleted_comes_back(work: Work, lane: Repo) -> None:
    lane.write("d/tracked", "t\n")
    lane.git("add", "d")
    lane.git("commit", "-qm", "d")
    lane.write("d/new", "n\n")
    lane.write(".gitignore", "*.env\n")
    lane.write("d/sub/x.env", "SECRET=1\n")
    lane.write(b"d/caf\xe9", b"\xff\0")
    lane.write('d/odd "name"\n', "o")
    (lane.root / "d/run").write_text("#!\n")
    (lane.root / "d/run").chmod(0o755)
    (lane.root / "d/link").symlink_to("/etc/passwd")
    (lane.root / "d/empty").mkdir()
    assert await refuse(work, "delete", path="d") == "folder_not_empty"
    before = {str(path): path.lstat().st_size for path in (lane.root / "d").rglob("*") if not path.is_dir()}
    gone = await ask(work, "delete", path="d", recursive=True)
    assert (gone["kind"], gone["files"], gone["folders"]) == ("folder", 7, 3)
    assert not (lane.root / "d").exists()
    assert lane.git("status", "--porcelain", "d") == " D d/tracked"
    lane.write("d/later", "l\n")
    lane.git("add", "d/later")
    run(lane, *shlex.split(gone["recovery"]["restore"]))
    assert {
        str(path): path.lstat().st_size for path in (lane.root / "d").rglob("*") if not path.is_dir()
    } == before | {str(lane.root / "d/later"): 2}
    assert (lane.root / "d/sub/x.env").read_text() == "SECRET=1\n"
    assert os.access(lane.root / "d/run", os.X_OK)
    assert (lane.root / "d/link").readlink() == Path("/etc/passwd")
    assert (
        lane.git("for-each-ref", "--format=%(refname)", "refs/ade/trash/").strip() == gone["recovery"]["ref"]
    )


async def test_deleting_one_thing(work: Work, lane: Repo) -> None:
    read = await ask(work, "read", path="README")
    wrong = "sha256:" + "0" * 64
    assert await refuse(work, "delete", path="README", if_match=wrong) == "file_changed"
    gone = await ask(work, "delete", path="README", if_match=read["hash"])
    assert (gone["files"], gone["size"]) == (1, 9)
    (lane.root / "link").symlink_to("shared")
    assert (await ask(work, "delete", path="link"))["kind"] == "link"
    assert (lane.root / "shared").exists()
    (lane.root / "empty").mkdir()
    assert (await ask(work, "delete", path="empty"))["recovery"] is None
    assert await refuse(work, "delete", path="README") == "file_missing"
    assert await refuse(work, "delete", path="shared/x") == "file_wrong_kind"
    assert await refuse(work, "delete", path=".", recursive=True) == "path_outside_lane"
    assert await refuse(work, "delete", path="shared/..", recursive=True) == "path_outside_lane"


async def test_what_cannot_be_kept_needs_permanent(work: Work, lane: Repo) -> None:
    (lane.root / "d").mkdir()
    with (lane.root / "d/huge").open("wb") as file:
        file.truncate(2**31)
    os.mkfifo(lane.root / "pipe")
    for path in ("d", "d/huge", "pipe"):
        assert await refuse(work, "delete", path=path, recursive=True) == "deletion_unkeepable"
    assert (lane.root / "d/huge").exists()
    assert (await ask(work, "delete", path="pipe", permanent=True))["kind"] == "other"
    gone = await ask(work, "delete", path="d", recursive=True, permanent=True)
    assert (gone["recovery"], (lane.root / "d").exists()) == (None, False)


async def test_no_repository_and_no_lane_is_ever_deleted_or_moved(work: Work, lane: Repo) -> None:
    inner = lane.root / "vendor/lib"
    inner.mkdir(parents=True)
    lane.write("vendor/note", "n")
    run(lane, "git", "init", "-q", "vendor/lib")
    for path in ("vendor", "vendor/lib", "vendor/lib/.git", ".git"):
        for permanent in (False, True):
            code = await refuse(work, "delete", path=path, recursive=True, permanent=permanent)
            assert code == "path_outside_lane"
    assert await refuse(work, "rename", path="vendor/lib", to="lib") == "path_outside_lane"
    for path in (".ade", ".ade/worktrees", ".ade/worktrees/fix", ".ade/worktrees/fix/README"):
        for permanent in (False, True):
            problem = await work.refused(
                "file.delete", lane="primary", path=path, recursive=True, permanent=permanent
            )
            assert problem.code == "path_outside_lane"
        assert (
            await work.refused("file.rename", lane="primary", path=path, to="x")
        ).code == "path_outside_lane"
    assert (inner / ".git").is_dir()
    assert (lane.root / "vendor/note").exists()
    assert (lane.root / "README").exists()


# -- a hostile lane


async def test_nothing_of_the_outside_is_read_written_or_deleted(
    work: Work, lane: Repo, tmp_path: Path
) -> None:
    for name, target in {
        "file": "../../../../secret", "folder": "../../../..", "absolute": str(tmp_path), "git": ".git", "loop": "loop",
    }.items():  # fmt: skip
        (lane.root / name).symlink_to(target)
    paths = [
        "file",
        "folder/secret",
        "absolute/secret",
        "git/config",
        "loop/x",
        "../../../../secret",
        str(tmp_path / "secret"),
    ]
    for path in paths:
        for action, arguments in (
            ("read", {"path": path}), ("write", {"path": path, "content": "x"}), ("create", {"path": path}),
            ("mkdir", {"path": path + "/d"}), ("delete", {"path": path + "/x", "recursive": True}), ("tree", {"path": path}),
            ("rename", {"path": "README", "to": path}), ("rename", {"path": path, "to": "x"}), ("blame", {"path": path}),
        ):  # fmt: skip
            if path in ("file",) and action in ("create", "rename"):
                continue
            problem = await work.refused(f"file.{action}", lane="fix", **arguments)
            assert problem.code in ("path_outside_lane", "file_missing", "file_wrong_kind"), (action, path)
            assert SECRET not in str(problem.envelope())
    found = await ask(work, "search", query="never")
    assert found["items"] == []
    assert (tmp_path / "secret").read_text() == SECRET


async def test_odd_files_hold_nothing_up(work: Work, lane: Repo) -> None:
    os.mkfifo(lane.root / "pipe")
    with (lane.root / "sparse").open("wb") as file:
        file.truncate(2**31)
    lane.write(b"caf\xe9\xff", "bytes\n")
    lane.write("new\nline", "x\n")
    deep = lane.root
    for _ in range(100):
        deep = deep / "d"
    deep.mkdir(parents=True)
    begun = time.monotonic()
    assert await refuse(work, "read", path="pipe") == "file_wrong_kind"
    assert await refuse(work, "write", path="pipe", content="x") == "file_wrong_kind"
    assert await refuse(work, "write", path="sparse", content="x") == "file_too_large"
    part = await ask(work, "read", path="sparse", offset=2**31 - 10, max_bytes=100)
    assert (part["size"], part["hash"], part["encoding"]) == (2**31, None, "binary")
    assert (await ask(work, "read", path='"caf\\351\\377"'))["text"] == "bytes\n"
    tree = await ask(work, "tree", depth=64)
    shown = {item["path"]: item["kind"] for item in tree["items"]}
    assert (shown["pipe"], shown['"caf\\351\\377"'], shown["new\nline"]) == ("other", "file", "file")
    assert max(item["depth"] for item in tree["items"]) == 64
    assert (await ask(work, "search", query="bytes"))["items"][0]["path"] == '"caf\\351\\377"'
    assert (await ask(work, "quick_open", query="caf"))["items"][0]["path"] == '"caf\\351\\377"'
    assert time.monotonic() - begun < 20


async def test_a_hundred_thousand_entries_are_listed_in_pages(work: Work, lane: Repo) -> None:
    folder = lane.root / "many"
    folder.mkdir()
    for number in range(100_000):
        (folder / f"{number:05}").touch()
    (lane.root / "wide").mkdir()
    begun = time.monotonic()
    page = await ask(work, "tree", path="many", limit=2000)
    assert (len(page["items"]), page["total"], page["next"]) == (2000, 100_000, "many/01999")
    following = await ask(work, "tree", path="many", limit=2, cursor=page["next"])
    assert [item["path"] for item in following["items"]] == ["many/02000", "many/02001"]
    assert (await ask(work, "quick_open", query="99999"))["items"][0]["path"] == "many/99999"
    assert (await ask(work, "search", query="x"))["files"] == 100_002
    assert time.monotonic() - begun < 60


async def test_pages_of_a_tree_make_the_whole(work: Work, lane: Repo) -> None:
    for name in ("a/b/c", "a/b-", "a.txt", "a/z", "b", ".github/x", "log/x.log", "y.log"):
        lane.write(name, "x")
    lane.write(".gitignore", "*.log\nlog/\n")
    whole = await ask(work, "tree", depth=9)
    paths = [item["path"] for item in whole["items"]]
    assert paths == [
        ".github",
        ".github/x",
        ".gitignore",
        "README",
        "a",
        "a/b",
        "a/b/c",
        "a/b-",
        "a/z",
        "a.txt",
        "b",
        "shared",
    ]
    pages: list[str] = []
    cursor: str | None = None
    while True:
        more = {"cursor": cursor} if cursor else {}
        page = await ask(work, "tree", depth=9, limit=5, **more)
        assert page["total"] == len(paths)
        pages += [item["path"] for item in page["items"]]
        if page["next"] is None:
            break
        cursor = page["next"]
    assert pages == paths
    assert [item["tree"] for item in whole["items"]][4:9] == [
        "├─ a",
        "│  ├─ b",
        "│  │  └─ c",
        "│  ├─ b-",
        "│  └─ z",
    ]
    with_ignored = await ask(work, "tree", ignored=True)
    assert {"log/x.log", "y.log"} <= {item["path"] for item in with_ignored["items"]}
    inside = await ask(work, "tree", path="log")
    assert [item["path"] for item in inside["items"]] == ["log/x.log"]
    assert await refuse(work, "tree", cursor="../x") == "invalid_cursor"


async def test_calls_beside_a_process_that_swaps_folders(work: Work, lane: Repo, tmp_path: Path) -> None:
    """A second process turns a folder into a link to the outside and back while it is read, listed, written and deleted."""
    outside = tmp_path / "outside"
    outside.mkdir()
    for number in range(10):
        lane.write(f"d/f{number}", "inside")
        (outside / f"f{number}").write_text(SECRET)
    names = sorted(path.name for path in outside.iterdir())
    swap = f"""
import os
os.chdir({str(lane.root)!r})
while True:
    os.rename('d', {str(tmp_path / "kept")!r})
    os.symlink({str(outside)!r}, {str(tmp_path / "link")!r})
    os.rename({str(tmp_path / "link")!r}, 'd')
    os.unlink('d')
    os.rename({str(tmp_path / "kept")!r}, 'd')
"""
    told: list[str] = []
    worked = 0
    with running(swap):
        for turn in range(40):
            for action, arguments in (
                ("read", {"path": f"d/f{turn % 10}"}),
                ("tree", {"path": "d"}),
                ("write", {"path": f"d/f{turn % 10}", "content": f"w{turn}"}),
                ("create", {"path": f"d/n{turn}"}),
                ("delete", {"path": f"d/n{turn}", "permanent": bool(turn % 2)}),
            ):
                try:
                    told.append(str(await work.call(f"file.{action}", lane="fix", **arguments)))
                    worked += 1
                except AdeError as problem:
                    told.append(str(problem.envelope()))
    assert SECRET not in "".join(told)
    assert sorted(path.name for path in outside.iterdir()) == names
    assert {path.read_text() for path in outside.iterdir()} == {SECRET}
    assert worked > 0


# -- blame


async def test_blame(work: Work, lane: Repo) -> None:
    lane.write("shared", "1\nzwei\r\n3\ncaf\u00e9\n")
    lane.git("commit", "-qam", "Change two")
    lane.git("mv", "shared", "moved")
    lane.git("commit", "-qm", "Move")
    lane.write("moved", "0\n1\nzwei\r\n3\ncaf\u00e9\n")
    answer = await ask(work, "blame", path="moved")
    lines = [(item["line"], item["text"], item["summary"], item["original_path"]) for item in answer["items"]]
    assert lines == [
        (1, "0", None, "moved"), (2, "1", "one", "shared"), (3, "zwei", "Change two", "shared"), (4, "3", "one", "shared"),
        (5, "caf\u00e9", "Change two", "shared"),
    ]  # fmt: skip
    assert (answer["items"][0]["commit"], answer["total"], answer["next"]) == (None, 5, None)
    page = await ask(work, "blame", path="moved", limit=2)
    assert [
        item["line"] for item in (await ask(work, "blame", path="moved", cursor=page["next"]))["items"]
    ] == [3, 4, 5]
    assert (await ask(work, "blame", path="moved", start_line=99))["items"] == []
    lane.write("new", "x\n")
    assert await refuse(work, "blame", path="new") == "file_not_tracked"
    lane.write("moved", b"a\0b")
    assert await refuse(work, "blame", path="moved") == "file_not_text"


async def test_blame_before_the_first_commit(work: Work) -> None:
    work.main.write("a", "x\n")
    problem = await work.refused("file.blame", path="a")
    assert problem.code == "no_commits"


async def test_a_folder_is_not_moved_into_itself_and_a_way_out_is_told(work: Work, lane: Repo) -> None:
    lane.write("tree/leaf.txt", "x\n")
    with pytest.raises(AdeError) as caught:
        await ask(work, "rename", path="tree", to="tree/below")
    assert caught.value.code == "file_unusable"
    assert "into itself" in caught.value.message and "Move it beside itself" in caught.value.hint
