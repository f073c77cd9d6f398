"""Searching gives the same answers with ripgrep and without, and nothing of the outside."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from ade_runtime.workspace import search as searching
from ade_runtime.workspace import search_worker
from ade_runtime.workspace.listing import below, files_of, fitting, ignored_of
from ade_runtime.workspace.opening import Root
from ade_runtime.workspace.pattern import pattern_of
from ade_runtime.workspace.search import Found, Wanted, search
from tests.support.repo import Repo
from tests.unit.workspace.ripgrep import RIPGREP, WHY

needs_ripgrep = pytest.mark.skipif(RIPGREP is None, reason=WHY)
WORDS = ["alpha", "Alpha", "beta", "naïve", "x1", "_y", "foo(bar)", "a.b", "…"]


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    made = Repo(tmp_path, "work")
    for name in ("HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"):
        monkeypatch.setenv(name, made.env[name])
    return made


@pytest.fixture
def root(repo: Repo) -> Iterator[Root]:
    with Root(repo.root) as opened:
        yield opened


@pytest.fixture(autouse=True)
async def few(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """Ripgrep is asked however few files there are."""
    monkeypatch.setattr(searching, "_FEW", 0)
    yield


def wanted(
    query: str, *, regex: bool = False, ignore_case: bool = False, whole: bool = False, context: int = 0
) -> Wanted:
    return Wanted(pattern_of(query, regex=regex, ignore_case=ignore_case, whole_word=whole), context, 1000)


def fill(repo: Repo) -> None:
    """Files of every kind that a search meets."""
    chance = random.Random(4)
    ends = ["\n", "\r\n"]
    for number in range(120):
        end = chance.choice(ends)
        lines = [" ".join(chance.choices(WORDS, k=chance.randrange(6))) for _ in range(chance.randrange(12))]
        text = end.join(lines) + chance.choice(["", end])
        encoding = chance.choice(["utf-8", "utf-8", "utf-8-sig", "utf-16", "latin-1"])
        repo.write(f"d{number % 7}/f{number}.txt", text.encode(encoding, "replace"))
    repo.write("binary", b"alpha\0beta\n")
    repo.write("late-nul", b"x" * 9000 + b"\nalpha\n\0alpha\n")
    repo.write("no-utf8", b"alpha \xff\xfe beta\n\xed\xa0\x80 alpha\n")
    repo.write("bad-utf16", b"\xff\xfea\0\0\xd8a\0l\0p\0h\0a\0\n\0x")
    repo.write("long", b"x" * 100_000 + b" alpha " + b"y" * 100_000 + b"\n")
    repo.write("empty", b"")
    repo.write(b"caf\xe9.txt", b"alpha\n")
    repo.write("-e", b"alpha\n")
    repo.write("new\nline", b"alpha\n")
    repo.write(".hidden", b"alpha\n")
    repo.write(".gitignore", b"ignored*\n!ignored-not\n")
    repo.write("ignored", b"alpha\n")
    repo.write("ignored-not", b"alpha\n")
    repo.write("ignored-but-tracked", b"alpha\n")
    repo.write(".ignore", b"d1\n")
    repo.write(".rgignore", b"d2\n")
    repo.git("add", "-f", "ignored-but-tracked", "d1", "d3")
    (repo.root / "link").symlink_to("d1/f1.txt")
    (repo.root / "out").symlink_to(repo.root.parent / "secret")
    (repo.root.parent / "secret").write_bytes(b"alpha secret\n")
    os.mkfifo(repo.root / "pipe")


@needs_ripgrep
@pytest.mark.parametrize(
    "query",
    [
        wanted("alpha"), wanted("Alpha", ignore_case=True), wanted("naïve"), wanted("NAÏVE", ignore_case=True),
        wanted("foo(bar)"), wanted("a.b"), wanted("a.b", regex=True), wanted("^alpha", regex=True), wanted("beta$", regex=True),
        wanted("^$", regex=True), wanted("", regex=True), wanted("[^a-z ]+$", regex=True), wanted("x1", whole=True),
        wanted("(alpha|x1) .*_y", regex=True), wanted("\\W\\w+\\b", regex=True), wanted("na.ve", regex=True), wanted("…"),
        wanted("alpha", context=3), wanted("nowhere to be found"),
    ],
    ids=lambda one: one.pattern.python,
)  # fmt: skip
async def test_ripgrep_changes_nothing_but_the_time(repo: Repo, root: Root, query: Wanted) -> None:
    fill(repo)
    paths = await files_of(repo.repository.git)
    with_it = await search(root, paths, query, RIPGREP)
    without = await search(root, paths, query, None)
    assert with_it == without
    assert with_it.complete
    assert "secret" not in str(with_it)
    found = {match.path for match in with_it.matches}
    assert not found & {"link", "out", "pipe", "ignored", "binary"}
    if query.pattern.literal == "alpha":
        assert {
            '"caf\\351.txt"', "-e", "new\nline", ".hidden", "ignored-not", "ignored-but-tracked", "no-utf8", "late-nul", "long",
        } <= found  # fmt: skip


async def test_a_page_goes_on_where_the_last_one_ended(repo: Repo, root: Root) -> None:
    for number in range(30):
        repo.write(f"f{number:02}", "hit\nmiss\nhit\n")
    paths = await files_of(repo.repository.git)
    pattern = pattern_of("hit", regex=False, ignore_case=False, whole_word=False)
    seen: list[tuple[str, int]] = []
    after = None
    while True:
        found = await search(root, paths, Wanted(pattern, 0, 7, after), None)
        assert (found.total, found.complete) == (60, True)
        seen += [(match.path, match.line) for match in found.matches]
        if not found.more:
            break
        after = (found.matches[-1].path.encode(), found.matches[-1].line)
    assert seen == [(f"f{number:02}", line) for number in range(30) for line in (1, 3)]


async def test_a_match_in_a_long_line_is_shown_around_itself(repo: Repo, root: Root) -> None:
    repo.write("long", b"x" * 5000 + b"needle" + b"y" * 5000)
    found = await search(root, [b"long"], wanted("needle"), None)
    [match] = found.matches
    assert (match.column, match.length, len(match.text)) == (5001, 6, search_worker.SHOWN)
    assert "xneedley" in match.text


async def test_a_pattern_without_an_end_is_stopped(
    repo: Repo, root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.write("a", "hit\n")
    repo.write("b", "a" * 40 + "\n")
    monkeypatch.setattr(searching, "_COMMAND", [*searching._COMMAND, "0.5"])
    begun = time.monotonic()
    found = await search(root, [b"a", b"b"], wanted("(a|aa)+b|hit", regex=True), None)
    assert time.monotonic() - begun < 20
    assert [match.path for match in found.matches] == ["a"]
    assert not found.complete
    assert "takes too long" in found.notes[0]


async def test_what_is_swapped_while_it_is_searched_shows_nothing_of_the_outside(
    repo: Repo, root: Root
) -> None:
    """A second thread turns files and folders into links to the outside and back, as fast as it can."""
    outside = repo.root.parent / "outside"
    outside.mkdir()
    for number in range(40):
        repo.write(f"d/f{number}", "alpha inside\n")
        (outside / f"f{number}").write_text("alpha secret\n")
    paths = await files_of(repo.repository.git)
    stop = threading.Event()

    def swap() -> None:
        folder, kept, link = repo.root / "d", repo.root.parent / "kept", repo.root.parent / "link"
        while not stop.is_set():
            folder.rename(kept)
            link.symlink_to(outside)
            link.rename(folder)
            folder.unlink()
            kept.rename(folder)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        answers: list[Found] = [
            await search(root, paths, wanted("alpha"), program)
            for program in (RIPGREP, None)
            for _ in range(8)
        ]
    finally:
        stop.set()
        thread.join()
    assert "secret" not in str(answers)
    assert (await search(root, paths, wanted("alpha"), RIPGREP)).total == 40


async def test_lists(repo: Repo) -> None:
    repo.write(".gitignore", "*.log\nbuild/\n")
    for name in ("a.py", "src/b.py", "src/deep/c.py", "src/deep/d.txt", "x.log", "build/out", "e [1].py"):
        repo.write(name, "x")
    repo.git("add", "a.py", "src")
    paths = await files_of(repo.repository.git)
    assert paths == [b".gitignore", b"a.py", b"e [1].py", b"src/b.py", b"src/deep/c.py", b"src/deep/d.txt"]
    assert await files_of(repo.repository.git, untracked=False) == [one for one in paths if one[:1] in b"as"]
    assert below(paths, [(b"src", b"deep")]) == [b"src/deep/c.py", b"src/deep/d.txt"]
    assert below(paths, [(b"a.py",), (b"sr",)]) == [b"a.py"]
    assert below(paths, [()]) == paths
    for glob, found in {
        "*.py": [b"a.py", b"e [1].py", b"src/b.py", b"src/deep/c.py"], "src/*.py": [b"src/b.py"],
        "src/**/*.py": [b"src/b.py", b"src/deep/c.py"], "**/c.py": [b"src/deep/c.py"], "?.txt": [b"src/deep/d.txt"],
        "[ab].py": [b"a.py", b"src/b.py"], "e [[]1].py": [b"e [1].py"], "src/**": paths[3:], "/a.py": [b"a.py"],
        "[!a].py": [b"src/b.py", b"src/deep/c.py"],
    }.items():  # fmt: skip
        assert fitting(paths, glob) == found, glob
    hidden = await ignored_of(repo.repository.git)
    assert hidden((b"x.log",)) and hidden((b"build",)) and not hidden((b"src",))
