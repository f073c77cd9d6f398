"""Signed in by GitHub's own command line, and a GitHub that is slow, or says that nothing changed where nothing is kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.responses import Response

from ade_runtime.integrations.github import client
from tests.support.github.hub import OTHER, Fault, failing
from tests.support.github.shop import Shop


async def test_the_token_of_githubs_own_command_line_is_used_and_comes_over_a_pipe(
    shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await shop.open_pull()
    programs, told = tmp_path / "programs", tmp_path / "told"
    programs.mkdir()
    gh = programs / "gh"
    gh.write_text(f'#!/bin/sh\necho "$*" >> {told}\nenv | grep -c TOKEN >> {told}\necho {OTHER}\n')
    gh.chmod(0o755)
    monkeypatch.delenv("GH_TOKEN")
    shop.work.main.env["PATH"] = f"{programs}:/usr/bin:/bin"
    for text in ("By gh", "By gh again"):
        made = await shop.call("pr.add_comment", number=1, body=text)
        assert made["author"] == "grace"
    assert told.read_text().split("\n")[:2] == ["auth token --hostname github.com", "0"]
    assert told.read_text().count("auth token") == 1, "asked once, not with every call"


async def test_a_command_line_that_is_signed_out_is_not_taken_for_a_token(
    shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    gh = programs / "gh"
    gh.write_text("#!/bin/sh\necho no oauth token found for github.com >&2\nexit 1\n")
    gh.chmod(0o755)
    monkeypatch.delenv("GH_TOKEN")
    shop.work.main.env["PATH"] = f"{programs}:/usr/bin:/bin"
    problem = await shop.refused("pr.list")
    assert problem.code == "github_signed_out"
    assert "gh auth login" in problem.hint


def slow() -> Callable[[], Response]:
    """An answer that comes when nobody waits for it any more."""

    def answer() -> Response:
        time.sleep(0.5)
        return failing(200)()

    return answer


async def test_an_answer_that_is_too_slow_is_asked_for_again(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    await shop.open_pull()
    await shop.work.runtime.services.pulls.connections.close()
    monkeypatch.setattr(client, "TIMEOUT", 0.4)
    shop.hub.faults.append(Fault("GET", "/pulls/1$", instead=slow()))
    assert (await shop.call("pr.show", number=1))["number"] == 1
    shop.hub.faults.append(Fault("POST", "/comments$", after=slow()))
    made = await shop.call("pr.add_comment", number=1, body="Once", request_id="once")
    assert [one.id for one in shop.repository.pulls[0].comments] == [made["id"]]


async def test_nothing_changed_is_no_answer_where_nothing_is_kept(shop: Shop) -> None:
    await shop.open_pull()
    shop.repository.pulls[0].title = "Changed"
    nothing = Response(status_code=304, headers={"etag": '"stale"'})
    answers = shop.work.runtime.services.database
    from ade_runtime.storage.schema import github_answers

    await answers.write(lambda db: db.execute(github_answers.delete()))
    shop.hub.faults.append(Fault("GET", "/pulls/1$", instead=lambda: nothing))
    assert (await shop.call("pr.show", number=1))["title"] == "Changed"


async def test_an_answer_that_is_kept_and_cannot_be_read_is_asked_for_anew(shop: Shop) -> None:
    await shop.open_pull()
    await shop.call("pr.show", number=1)
    from ade_runtime.storage.schema import github_answers

    database = shop.work.runtime.services.database
    await database.write(lambda db: db.execute(github_answers.update().values(body='{"number": 1, "ti')))
    assert (await shop.call("pr.show", number=1))["number"] == 1
