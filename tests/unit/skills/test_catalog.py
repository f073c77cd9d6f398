"""Skills over several roots: the nearest of a name counts, faults are shown and never fatal, files are read safely."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ade_runtime.machine.beneath import NotBeneathError
from ade_runtime.machine.skill_roots import Origin, SkillRoot
from ade_runtime.skills.catalog import Skill, find_skills
from ade_runtime.skills.show import MOST_FILES, files_of, read_part


def root(folder: Path, origin: Origin = "lane") -> SkillRoot:
    folder.mkdir(parents=True, exist_ok=True)
    return SkillRoot(folder, origin)


def skill(where: SkillRoot, name: str, *, description: str = "x", body: str = "Body\n") -> Path:
    folder = where.path / name
    folder.mkdir()
    (folder / "SKILL.md").write_text(f"---\nname: {name}\ndescription: {description}\n---\n{body}")
    return folder


def states(*roots: SkillRoot) -> list[tuple[str, str]]:
    return [(found.name, found.state) for found in find_skills(roots)]


def only(*roots: SkillRoot) -> Skill:
    [found] = find_skills(roots)
    return found


def test_the_nearest_of_a_name_counts_and_the_others_show_it(tmp_path: Path) -> None:
    near, far = root(tmp_path / "near"), root(tmp_path / "far", "home")
    first = skill(near, "review")
    skill(far, "review")
    skill(far, "build")
    found = find_skills([near, far])
    assert [(one.name, one.state) for one in found] == [
        ("review", "ok"),
        ("build", "ok"),
        ("review", "shadowed"),
    ]
    assert found[2].shadowed_by == first / "SKILL.md"


def test_a_faulty_one_hides_nothing(tmp_path: Path) -> None:
    near, far = root(tmp_path / "near"), root(tmp_path / "far", "home")
    (skill(near, "review") / "SKILL.md").write_text("no head\n")
    skill(far, "review")
    assert states(near, far) == [("review", "faulty"), ("review", "ok")]


def test_one_skill_under_two_roots_is_one(tmp_path: Path) -> None:
    one, two = root(tmp_path / "one", "home"), root(tmp_path / "two", "home")
    (two.path / "review").symlink_to(skill(one, "review"))
    assert states(one, two) == [("review", "ok")]


def test_files_that_are_no_files_are_faults_and_nothing_blocks(tmp_path: Path) -> None:
    where = root(tmp_path / "skills")
    for name in ("fifo", "folder", "gone", "device", "loop"):
        (where.path / name).mkdir()
    os.mkfifo(where.path / "fifo/SKILL.md")
    (where.path / "folder/SKILL.md").mkdir()
    (where.path / "gone/SKILL.md").symlink_to("nothing")
    (where.path / "device/SKILL.md").symlink_to("/dev/zero")
    (where.path / "loop/SKILL.md").symlink_to("SKILL.md")
    (where.path / "file").write_text("not a skill")
    assert states(where) == [(name, "faulty") for name in ("device", "fifo", "folder", "gone", "loop")]


def test_in_a_project_a_link_leads_no_further_than_the_roots(tmp_path: Path) -> None:
    where, home = root(tmp_path / "lane/.claude/skills"), root(tmp_path / "home", "home")
    elsewhere = root(tmp_path / "elsewhere")
    skill(elsewhere, "secret")
    skill(home, "own")
    (where.path / "secret").symlink_to(elsewhere.path / "secret")
    (where.path / "own").symlink_to(home.path / "own")
    assert states(where, home) == [("own", "ok"), ("secret", "faulty")]


def test_at_home_a_skill_may_be_linked_from_anywhere(tmp_path: Path) -> None:
    home, elsewhere = root(tmp_path / "home", "home"), root(tmp_path / "dotfiles")
    folder = skill(elsewhere, "own")
    (folder / "link.md").symlink_to(tmp_path / "private")
    (tmp_path / "private").write_text("x")
    (home.path / "own").symlink_to(folder)
    found = only(home)
    assert found.state == "ok"
    with pytest.raises(NotBeneathError):
        read_part(found, [home], "link.md", 0, 100)


def test_a_link_inside_of_the_root_is_followed(tmp_path: Path) -> None:
    where = root(tmp_path / "skills")
    (where.path / "common.md").write_text("---\nname: one\ndescription: x\n---\n")
    (where.path / "one").mkdir()
    (where.path / "one/SKILL.md").symlink_to("../common.md")
    assert states(where) == [("one", "ok")]


def test_a_skill_is_read_in_parts_that_end_with_whole_characters(tmp_path: Path) -> None:
    where = root(tmp_path / "skills")
    skill(where, "one", body="é" * 50)
    found = only(where)
    whole = read_part(found, [where], "SKILL.md", 0, 10_000)
    assert whole.following is None
    text, offset = "", 0
    while offset is not None:
        part = read_part(found, [where], "SKILL.md", offset, 7)
        text, offset = text + part.text, part.following
    assert text == whole.text
    assert whole.size == len(text.encode())


@pytest.mark.parametrize(
    "file", ["../two/SKILL.md", "/etc/passwd", "references/../../two/SKILL.md", "nothing", "."]
)
def test_only_files_of_the_skill_are_shown(tmp_path: Path, file: str) -> None:
    where = root(tmp_path / "skills")
    skill(where, "one")
    skill(where, "two")
    with pytest.raises(NotBeneathError):
        read_part(find_skills([where])[0], [where], file, 0, 100)


def test_its_files_are_listed_without_an_end_nowhere(tmp_path: Path) -> None:
    where = root(tmp_path / "skills")
    folder = skill(where, "one")
    (folder / "scripts").mkdir()
    for number in range(MOST_FILES + 50):
        (folder / f"scripts/{number:04}.sh").write_text("x")
    (folder / "again").symlink_to(folder)
    files = files_of(only(where), [where])
    assert len(files) == MOST_FILES
    assert "SKILL.md" in files
