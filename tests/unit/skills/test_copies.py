"""Copies of ADE's own skills: made, brought up to date, removed, and never anything that is not ADE's."""

from __future__ import annotations

from pathlib import Path

from ade_runtime.machine.skill_roots import packaged, skill_files
from ade_runtime.skills.copies import home_folder, install, uninstall

OWN = {file.parent.name: file for file in skill_files(packaged().path)}
FOLDER = ".claude/skills"


def test_all_are_copied_marked_and_removed_again(tmp_path: Path) -> None:
    assert install(OWN, tmp_path, FOLDER) == (sorted(OWN), [])
    for name, source in OWN.items():
        assert (tmp_path / FOLDER / name / "SKILL.md").read_bytes() == source.read_bytes()
    assert uninstall(tmp_path, FOLDER) == sorted(OWN)
    assert list((tmp_path / FOLDER).iterdir()) == []


def test_an_older_copy_is_brought_up_to_date(tmp_path: Path) -> None:
    install(OWN, tmp_path, FOLDER)
    name = next(iter(OWN))
    file = tmp_path / FOLDER / name / "SKILL.md"
    file.write_text(file.read_text() + "\nolder\n")
    install(OWN, tmp_path, FOLDER)
    assert file.read_bytes() == OWN[name].read_bytes()


def test_what_is_not_ades_stays(tmp_path: Path) -> None:
    name = next(iter(OWN))
    mine = tmp_path / FOLDER / name
    mine.mkdir(parents=True)
    text = f"---\nname: {name}\ndescription: x\n---\nIt is not\n  generated-by: ade\n"
    (mine / "SKILL.md").write_text(text)
    done, left = install(OWN, tmp_path, FOLDER)
    assert left == [name]
    assert name not in done
    assert name not in uninstall(tmp_path, FOLDER)
    assert (mine / "SKILL.md").read_text() == text


def test_what_others_put_beside_a_copy_stays(tmp_path: Path) -> None:
    install(OWN, tmp_path, FOLDER)
    name = next(iter(OWN))
    (tmp_path / FOLDER / name / "notes.md").write_text("mine")
    uninstall(tmp_path, FOLDER)
    assert [file.name for file in (tmp_path / FOLDER).rglob("*") if file.is_file()] == ["notes.md"]


def test_nothing_is_written_or_removed_through_a_link_out_of_the_lane(tmp_path: Path) -> None:
    lane, away = tmp_path / "lane", tmp_path / "away"
    lane.mkdir()
    install(OWN, away_with(away), FOLDER)
    (lane / ".claude").symlink_to(away / ".claude")
    assert uninstall(lane, FOLDER) == []
    assert len(list((away / FOLDER).iterdir())) == len(OWN)
    (lane / ".codex").symlink_to(away)
    assert install(OWN, lane, ".codex/skills") == ([], sorted(OWN))
    assert not (away / "skills").exists()


def away_with(folder: Path) -> Path:
    folder.mkdir()
    return folder


def test_at_home_the_folder_may_be_linked(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / ".claude").symlink_to("dotfiles")
    root = home_folder(tmp_path, FOLDER)
    assert install(OWN, root, ".")[0] == sorted(OWN)
    assert len(list((tmp_path / "dotfiles/skills").iterdir())) == len(OWN)
    assert uninstall(root, ".") == sorted(OWN)
