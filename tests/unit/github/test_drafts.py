"""Drafted titles and descriptions, joined checks, marks."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from ade_runtime.integrations.git.log import Commit, Person
from ade_runtime.pulls.checks import Check, Rules, conclusion, counts, join
from ade_runtime.pulls.draft import draft_body, draft_title, read_template
from ade_runtime.pulls.marks import find_marked, marked, without_mark

ADA = Person("Ada", "ada@example.org", datetime(2026, 1, 2, tzinfo=UTC))


def commit(message: str) -> Commit:
    return Commit("0" * 40, [], ADA, ADA, [], message)


def test_a_single_commit_gives_title_and_body() -> None:
    one = [commit("Fix the login\n\nIt greeted nobody.\n\nSigned-off-by: Ada <ada@example.org>\n")]
    assert draft_title(one, "fix-login", "something else") == "Fix the login"
    assert draft_body(one, None) == "It greeted nobody."
    assert draft_body(one, "## Tests\n") == "It greeted nobody.\n\n## Tests"


def test_several_commits_are_listed() -> None:
    many = [commit("Fix the login"), commit("Test the login")]
    assert draft_title(many, "fix-login_form", None) == "Fix login form"
    assert draft_title(many, "fix-login", "Let people in\nagain") == "Let people in"
    assert draft_body(many, None) == "- Fix the login\n- Test the login"


def test_secrets_of_commits_stay_out() -> None:
    one = [commit("Fix\n\nghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8")]
    assert "ghp_" not in draft_body(one, None)


def test_the_template_is_looked_for_where_github_does(tmp_path: Path) -> None:
    assert read_template(tmp_path) is None
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "PULL_REQUEST_TEMPLATE.md").write_text("of docs")
    assert read_template(tmp_path) == "of docs"
    (tmp_path / ".github").mkdir()
    (tmp_path / "secret").write_text("secret")
    (tmp_path / ".github" / "pull_request_template.md").symlink_to(tmp_path / "secret")
    assert read_template(tmp_path) == "of docs", "a link leads anywhere"
    (tmp_path / ".github" / "pull_request_template.md").unlink()
    (tmp_path / ".github" / "pull_request_template.md").write_text("of .github")
    assert read_template(tmp_path) == "of .github"


def test_required_checks_come_first_and_missing_ones_are_told() -> None:
    found = [
        Check("lint", "status", "passed"),
        Check("extra", "check_run", "failed"),
        Check("test", "check_run", "pending"),
    ]
    joined = join(found, Rules(frozenset(["test", "build"])))
    assert [(one.name, one.state, one.required) for one in joined] == [
        ("build", "missing", True),
        ("test", "pending", True),
        ("extra", "failed", False),
        ("lint", "passed", False),
    ]
    told = counts(joined)
    assert (told.state, told.total, told.passed, told.failed, told.pending) == ("failed", 4, 1, 1, 2)


def test_what_github_may_say_of_a_check() -> None:
    assert conclusion("completed", "success") == "passed"
    assert conclusion("IN_PROGRESS", None) == "pending"
    assert conclusion("SUCCESS", None) == "passed"
    assert conclusion("completed", "a word of tomorrow") == "failed"


def test_a_mark_is_found_again_and_not_shown() -> None:
    text = marked("Hello", "a" * 24)
    assert without_mark(text) == "Hello"
    assert find_marked([{"body": None}, {"body": text}], "a" * 24) == {"body": text}
    assert find_marked([{"body": text}], "b" * 24) is None
