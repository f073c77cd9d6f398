"""git.log, git.show, git.file_history, git.branches, git.checkout_branch, git.create_tag."""

from __future__ import annotations

from tests.integration.git.conftest import Lab


async def test_a_long_log_is_paged_and_stays_put(lab: Lab) -> None:
    script = ["feature done\n"]
    for number in range(300):
        script.append(
            f"commit refs/heads/long\ncommitter A <a@b> {1700000000 + number} +0000\ndata 5\nc{number:04}\n"
            + ("from refs/heads/main^0\n" if number == 0 else "")
        )
    lab.run("fast-import", "--quiet", stdin="".join([*script, "done\n"]).encode(), at=lab.project)
    seen: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = await lab.git("log", ref="long", limit=120, **cursor)
        seen += [item["subject"] for item in page["items"]]
        assert page["total"] == 301
        lab.run("branch", "-f", "long", "main", at=lab.project)
        if page["next"] is None:
            break
        cursor = {"cursor": page["next"]}
    assert seen == [f"c{n:04}" for n in reversed(range(300))] + ["Add README"]


async def test_log_filters(lab: Lab) -> None:
    lab.run(
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "by Grace (a.b)",
        "--author=Grace <g@example.org>",
        "--date=2020-05-01T00:00:00Z",
    )
    lab.commit("touches sub", **{"sub/f": "1"})
    lab.commit("theirs", at=lab.project, x="1")
    lab.run("merge", "-q", "--no-ff", "-m", "merge main", "main")

    async def subjects(**filters: object) -> list[str]:
        return [item["subject"] for item in (await lab.git("log", **filters))["items"]]

    assert await subjects(author="GRACE") == ["by Grace (a.b)"]
    assert await subjects(grep="(A.B)") == ["by Grace (a.b)"]
    assert await subjects(grep="a.b)+") == []
    assert await subjects(paths=["sub"]) == ["touches sub"]
    assert await subjects(not_in="main") == ["merge main", "touches sub", "by Grace (a.b)"]
    assert await subjects(first_parent=True, limit=2) == ["merge main", "touches sub"]
    assert await subjects(since="2999-01-01T00:00:00Z") == []
    assert await subjects(until="1980-01-01T00:00:00Z") == []
    assert "theirs" in await subjects(since="2021-01-01T00:00:00+02:00")
    await lab.fails("invalid_cursor", "log", cursor="17")
    await lab.fails("invalid_arguments", "log", since="yesterday")


async def test_show_is_bounded_and_says_so(lab: Lab) -> None:
    lab.commit("big", a="line of text\n" * 5000, b="1")
    out = await lab.git("show", max_bytes=1000)
    assert out["truncated"]
    assert len(out["text"].encode()) <= 1000
    assert out["text"].endswith("\n")
    assert [(i["path"], i["additions"]) for i in out["items"]] == [("a", 5000), ("b", 1)]
    assert (await lab.git("show", patch=False))["text"] == ""
    only = await lab.git("show", paths=["b"], limit=1)
    assert (only["total"], "+line" in only["text"]) == (1, False)
    lab.commit("small", a="line of text\n" * 2500 + "x\n" + "line of text\n" * 2500)
    assert (await lab.git("show", context=0))["text"].count("\n") == 6


async def test_show_of_a_merge_a_first_commit_a_tag_and_odd_bytes(lab: Lab) -> None:
    lab.commit("mine", a="1")
    lab.commit("theirs", at=lab.project, b="1")
    lab.run("merge", "-q", "--no-edit", "main")
    merge = await lab.git("show")
    assert [item["path"] for item in merge["items"]] == ["b"]
    assert "+1" in merge["text"]
    root = await lab.git("show", ref="main~1")
    assert (root["commit"]["parents"], root["items"][0]["status"]) == ([], "added")
    await lab.git("create_tag", name="v1", target="main", message="One")
    assert (await lab.git("show", ref="v1"))["commit"]["subject"] == "theirs"
    lab.write("c", b"caf\xe9\n")
    lab.write("d", b"\0binary")
    await lab.git("commit", message="bytes", stage_all=True)
    out = await lab.git("show")
    assert (out["exact"], "caf\ufffd" in out["text"]) == (False, True)
    assert out["items"][1]["additions"] is None


async def test_file_history_follows_renames_and_pages(lab: Lab) -> None:
    lab.commit("made", old="some text\n" * 20)
    lab.commit("changed", old="some text\n" * 20 + "more\n")
    lab.run("mv", "old", "new name")
    lab.run("commit", "-q", "-m", "renamed")
    out = await lab.git("file_history", path="new name")
    assert [(i["subject"], i["status"], i["path"]) for i in out["items"]] == [
        ("renamed", "renamed", "new name"),
        ("changed", "modified", "old"),
        ("made", "added", "old"),
    ]
    assert out["total"] == 3
    first = await lab.git("file_history", path="new name", limit=1)
    assert (first["total"], first["items"][0]["old_path"]) == (None, "old")
    second = await lab.git("file_history", path="new name", limit=1, cursor=first["next"])
    assert second["items"][0]["subject"] == "changed"
    assert (await lab.git("file_history", path="new name", follow=False))["total"] == 1
    assert (await lab.git("file_history", path="old", ref="HEAD~1"))["total"] == 2


async def test_branches_with_their_lanes(lab: Lab) -> None:
    lab.remote()
    for name in ("a/one", "a/two"):
        lab.run("branch", name)
    lab.commit("ahead", a="1")
    out = await lab.git("branches")
    found = {item["name"]: item for item in out["items"]}
    assert (found["ade/fix-login"]["lane"], found["ade/fix-login"]["current"]) == ("fix-login", True)
    assert (found["main"]["lane"], found["main"]["upstream"], found["main"]["ahead"]) == (
        "primary",
        "origin/main",
        0,
    )
    assert [i["name"] for i in (await lab.git("branches", kind="remote"))["items"]] == ["origin/main"]
    assert (await lab.git("branches", kind="all"))["total"] == 5
    assert (await lab.git("branches", search="A/"))["total"] == 2
    assert (await lab.git("branches", merged_into="main", search="fix"))["total"] == 0
    first = await lab.git("branches", limit=3)
    assert len((await lab.git("branches", limit=3, cursor=first["next"]))["items"]) == 1


async def test_checkout(lab: Lab) -> None:
    lab.remote()
    lab.run("push", "-q", "origin", "main:feature", "main:fix/x", at=lab.project)
    lab.run("fetch", "-q")
    out = await lab.git("checkout_branch", branch="feature")
    assert (out["branch"], lab.run("config", "branch.feature.merge")) == ("feature", "refs/heads/feature")
    assert (await lab.call("lane.show", lane="fix-login"))["branch"] == "feature"
    start = lab.commit("one", a="1")
    lab.commit("two", a="2")
    out = await lab.git("checkout_branch", branch="from-one", create=True, start="HEAD~1")
    assert out["after"] == start
    lab.write("a", "precious")
    await lab.fails("local_changes", "checkout_branch", branch="feature")
    assert lab.read("a") == "precious"
    await lab.fails("branch_exists", "checkout_branch", branch="FEATURE/x", create=True)
    await lab.fails("invalid_arguments", "checkout_branch", branch="x", start="HEAD")
    await lab.fails("invalid_branch_name", "checkout_branch", branch="-")
    await lab.fails("revision_not_found", "checkout_branch", branch="y", create=True, start="nowhere")
    lab.run("tag", "feature")
    lab.run("checkout", "-q", "--", "a")
    assert (await lab.git("checkout_branch", branch="feature"))["branch"] == "feature"


async def test_a_branch_that_two_remotes_have_is_not_guessed(lab: Lab) -> None:
    for name in ("origin", "second"):
        lab.remote(name)
        lab.run("push", "-q", name, "main:feature", at=lab.project)
    problem = await lab.fails("branch_not_found", "checkout_branch", branch="feature")
    assert len(problem.details["remote_branches"]) == 2


async def test_checkout_in_an_empty_repository(lab: Lab) -> None:
    empty = lab.base / "empty"
    lab.run("init", "-q", "-b", "main", str(empty), at=lab.base)
    await lab.call("project.add", path=str(empty))
    out = await lab.call("git.checkout_branch", branch="trunk", create=True, cwd=empty)
    assert (out["branch"], out["after"]) == ("trunk", None)


async def test_tags(lab: Lab) -> None:
    lab.commit("one", a="1")
    light = await lab.git("create_tag", name="light")
    assert (light["object"], light["annotated"]) == (lab.head(), False)
    noted = await lab.git("create_tag", name="v1.0", message="First\n\nNotes", target="HEAD~1")
    assert (noted["commit"], noted["annotated"]) == (lab.head(at=lab.project), True)
    assert lab.run("tag", "-l", "--format=%(contents:body)", "v1.0") == "Notes"
    await lab.fails("tag_exists", "create_tag", name="v1.0")
    for name in ("-d", "a..b", "a b", ""):
        await lab.fails("invalid_arguments" if not name else "invalid_tag_name", "create_tag", name=name)
    lab.run("config", "tag.gpgSign", "true")
    lab.run("config", "gpg.program", "/bin/false")
    await lab.fails("signing_failed", "create_tag", name="v2", message="x")
    assert (await lab.git("create_tag", name="still-light"))["annotated"] is False
