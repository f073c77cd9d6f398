"""Skill roots: nearest first, existing only, each once."""

from __future__ import annotations

from pathlib import Path

import pytest

from ade_runtime.machine.skill_roots import KINDS, VARIABLE, as_variable, packaged, skill_files, skill_roots


def skill(root: Path, name: str = "one") -> Path:
    (root / name).mkdir(parents=True)
    (root / name / "SKILL.md").write_text("# one\n")
    return root


def repository(folder: Path) -> Path:
    (folder / ".git").mkdir(parents=True)
    return folder


def paths(environ: dict[str, str], cwd: Path | None, home: Path) -> list[Path]:
    roots = skill_roots(environ, cwd, home)
    assert roots[-1] == packaged(), "ADE's own come last"
    return [root.path for root in roots[:-1]]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def test_fault_44_skill_roots_are_nearest_first_and_there(home: Path, tmp_path: Path) -> None:
    root = repository(tmp_path / "repo")
    lane = root / "lane"
    near = skill(lane / ".agents/skills")
    far = skill(root / ".claude/skills")
    beyond = skill(tmp_path / ".claude/skills")
    own = skill(home / ".agents/skills")
    (lane / ".claude").mkdir()
    named = skill(tmp_path / "named")
    found = paths({VARIABLE: f"{named}:relative:/nonexistent"}, lane, home)
    assert found == [near, far, own, named], "a far .claude never comes before a near .agents"
    assert beyond not in found, "nothing above the repository is its business"
    (home / ".claude").mkdir()
    (home / ".claude/skills").symlink_to(own)
    assert paths({}, home, home) == [home / ".claude/skills"], "one folder under two names is one"
    assert paths({}, None, tmp_path / "nobody") == []


def test_a_level_has_its_own_order(home: Path) -> None:
    wanted = [skill(home / kind) for kind in KINDS]
    assert [str(path.relative_to(home)) for path in paths({}, home, home)] == [
        ".claude/skills",
        ".agents/skills",
        ".ade/skills",
        ".codex/skills",
    ]
    assert paths({}, None, home) == wanted


def test_a_lane_comes_before_the_checkout_it_lies_in(home: Path, tmp_path: Path) -> None:
    root = repository(tmp_path / "repo")
    lane = root / ".ade/worktrees/fix"
    lane.mkdir(parents=True)
    (lane / ".git").write_text("gitdir: elsewhere\n")
    inner, of_lane, of_project = (
        skill(lane / "src/.codex/skills"),
        skill(lane / ".ade/skills"),
        skill(root / ".claude/skills"),
    )
    found = skill_roots({}, lane / "src", home)
    assert [(root.path, root.origin) for root in found[:-1]] == [
        (inner, "lane"),
        (of_lane, "lane"),
        (of_project, "ancestor"),
    ]
    assert [root.trusted for root in found] == [False, False, False, True]


def test_inside_of_the_home_every_folder_up_to_it_counts(home: Path) -> None:
    root = repository(home / "work/shop")
    between = skill(home / "work/.claude/skills")
    own = skill(home / ".claude/skills")
    found = skill_roots({}, root, home)
    assert [(root.path, root.origin) for root in found[:-1]] == [(between, "ancestor"), (own, "home")]


def test_names_that_differ_in_case_are_two_folders(home: Path, tmp_path: Path) -> None:
    named = [skill(tmp_path / "Team"), skill(tmp_path / "team")]
    assert paths({VARIABLE: f"{named[0]}:{named[1]}"}, None, home) == named


def test_the_variable_gives_a_program_elsewhere_the_same_list(home: Path, tmp_path: Path) -> None:
    lane = repository(tmp_path / "repo")
    skill(lane / ".claude/skills")
    skill(home / ".agents/skills")
    roots = skill_roots({VARIABLE: str(skill(tmp_path / "named"))}, lane, home)
    variable = as_variable(roots)
    again = skill_roots({VARIABLE: variable}, None, tmp_path / "nobody")
    assert [root.path for root in again] == [root.path for root in roots]
    inside = skill_roots({VARIABLE: variable}, lane, home)
    assert [root.path for root in inside] == [root.path for root in roots], "and in the lane nothing twice"


def test_a_root_full_of_folders_is_bounded(home: Path) -> None:
    root = home / "many"
    for number in range(1100):
        (root / f"s{number:04}").mkdir(parents=True)
    skill(root, "s0500x")
    skill(root, "z")
    assert [file.parent.name for file in skill_files(root)] == ["s0500x"]
