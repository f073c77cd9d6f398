"""What completion offers, and that nothing in it can act on a shell."""

from __future__ import annotations

from typing import Any

import pytest

from ade_runtime.cli.catalog import Catalog
from ade_runtime.cli.complete import Candidate, Completion, complete, live_candidates, render, shell_words


def offered(catalog: Catalog, *words: str) -> list[str]:
    return [one.value for one in complete(words, catalog=catalog).candidates]


def test_groups_and_commands(catalog: Catalog) -> None:
    assert offered(catalog, "la") == ["lanes"]
    assert {"lanes", "actions", "doctor", "serve"} <= set(offered(catalog, ""))
    assert offered(catalog, "--json", "lane", "cr") == ["create"]
    assert offered(catalog, "--project", "/p", "lanes", "") == ["create", "list", "shift", "wake"]
    assert offered(catalog, "nonsense", "") == []
    assert complete([], catalog=catalog).candidates
    assert offered(catalog, "actions", "od") == ["odd"]
    assert offered(catalog, "actions", "odd", "im") == ["import"]


def test_flags(catalog: Catalog) -> None:
    assert offered(catalog, "lanes", "create", "--f") == ["--force"]
    assert offered(catalog, "lanes", "create", "--no-") == ["--no-force", "--no-color"]
    assert "--base" not in offered(catalog, "lanes", "create", "--base", "x", "--")
    assert "--label" in offered(catalog, "lanes", "create", "--label", "x", "--")
    assert "--json" in offered(catalog, "lanes", "--")
    assert offered(catalog, "lanes", "create", "--", "--") == []


def test_enum_values(catalog: Catalog) -> None:
    assert offered(catalog, "lanes", "create", "--kind", "w") == ["worktree"]
    whole = complete(["lanes", "create", "--kind=a"], catalog=catalog)
    assert (whole.lead, whole.candidates) == ("--kind=", (Candidate("attached"),))
    split = complete(["lanes", "create", "--kind", "=", "a"], catalog=catalog)
    assert split == whole


def test_action_ids_and_argument_names(catalog: Catalog) -> None:
    assert offered(catalog, "actions", "run", "lane.c") == ["lane.create"]
    assert offered(catalog, "actions", "run", "lane.create", "--arg", "na") == ["name="]
    assert offered(catalog, "lanes", "create", "--arg-json", "op") == ["options="]


def test_live_values_are_a_request(catalog: Catalog) -> None:
    completion = complete(["--project", "/p", "lanes", "create", "x", "--parent-lane", "fi"], catalog=catalog)
    assert completion.live is not None
    assert (completion.live.completer.action, completion.live.project) == ("lane.list", "/p")
    document = {
        "items": [{"name": "fix", "branch": "ade/fix"}, {"name": "other", "branch": "x"}, {"name": None}]
    }
    assert live_candidates(completion, document) == (Candidate("fix", "ade/fix"),)
    assert live_candidates(completion, {"items": None}) == ()
    assert live_candidates(completion, {}) == ()


def test_positionals_that_hold_paths_are_left_to_the_shell(catalog: Catalog) -> None:
    assert complete(["lanes", "shift", "1", ""], catalog=catalog).files == "files"
    assert complete(["lanes", "list", "--project", ""], catalog=catalog).files == "dirs"


@pytest.mark.parametrize("value", ["a\nb", "a\tb", "a\u2028b", "a\x1b[0m"])
def test_values_that_no_line_can_hold_are_left_out(value: str) -> None:
    assert render(Completion(), [Candidate(value)], "bash") == "none\n"


def test_help_is_one_line() -> None:
    assert (
        render(Completion(), [Candidate("a", "one\ntwo\tthree\u202e")], "fish") == "none\na\tone two three\n"
    )


@pytest.mark.parametrize(
    ("shell", "typed", "wanted"),
    [("zsh", "", "--lane=a:b"), ("bash", "", "a:b"), ("bash", "a:", "b"), ("fish", "a:", "--lane=a:b")],
)
def test_what_a_shell_replaces(shell: str, typed: str, wanted: str) -> None:
    completion: Any = Completion(lead="--lane=", prefix=typed)
    assert render(completion, [Candidate("a:b")], shell) == f"none\n{wanted}\t\n"


def test_quoted_words_are_read_and_never_expanded() -> None:
    typed = ["fix\\ login", '"a b', "'x\\y'", "$(touch m)", "a\\", '"q\\"q"']
    assert shell_words("bash", typed) == ["fix login", "a b", "x\\y", "$(touch m)", "a", 'q"q']
    assert shell_words("zsh", typed) == typed
