"""ADE's own skills: made only of what exists, in the format that agents read, and naming nothing that cannot be called."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from ade_generated.dispatch import ACTIONS
from ade_runtime.skills.front_matter import LONGEST_DESCRIPTION, read_head
from codegen import ir
from codegen.diagnostics import SpecErrors
from codegen.emitters import skills
from codegen.load import load_specs
from codegen.text import SpecText
from tests.unit.codegen import toy
from tests.unit.codegen.test_cli_emit import PLAY

ROOT = Path(__file__).parents[3]
HEAD = "---\ndescription: How to play.\ndomains: [toy]\n---\n"


def specs(root: Path, **texts: str) -> ir.Specs:
    folder = root / "specs" / "skills"
    folder.mkdir(parents=True)
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text)
    return toy.specs(root, toy.domain(actions={"play": PLAY, "rest": toy.action()}))


def made(found: ir.Specs) -> dict[str, str]:
    return {str(file.path): file.content for file in skills.emit(found)}


def test_a_skill_is_made_with_its_slots_filled(tmp_path: Path) -> None:
    files = made(
        specs(tmp_path, play=HEAD + "# Play\n\nGroups: {{groups}}. {{exit_codes}}\n\n{{commands toy}}\n")
    )
    [(path, text)] = files.items()
    assert path == "ade_generated/skills/play/SKILL.md"
    head = read_head(text.encode(), "play")
    assert (head.name, head.description, head.problems) == ("play", "How to play.", ())
    assert "Groups: toys. 0 done, 1 failed" in text
    assert "- `ade toys rest`: " in text
    assert "{{" not in text


def test_a_skill_about_what_does_not_exist_is_not_made(tmp_path: Path) -> None:
    text = HEAD.replace("[toy]", "[toy, pr]") + "`ade prs create` {{commands pr}}\n"
    assert made(specs(tmp_path, play=HEAD + "Body\n", later=text)).keys() == {
        "ade_generated/skills/play/SKILL.md"
    }


@pytest.mark.parametrize(
    "text", [*toy.HOSTILE, "a: b # c", "---", '"', "\\", "- x", "{{groups}}", "a\n---\nname: other"]
)
def test_a_description_is_one_text_of_the_head_whatever_it_holds(tmp_path: Path, text: str) -> None:
    found = specs(tmp_path, play=HEAD + "Body\n")
    skill = dataclasses.replace(found.skills[0], description=SpecText(text))
    [content] = made(dataclasses.replace(found, skills=(skill,))).values()
    head = read_head(content.encode(), "play")
    shown = SpecText(text).one_line()[:LONGEST_DESCRIPTION]  # a longer one is refused when it is loaded
    assert head.name == "play"
    assert head.description == shown.strip()
    assert content.endswith("\nBody\n")


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("x\n`ade toys pla`\n", "6:1 unknown-command there is no command `ade toys pla`"),
        ("`ade toys play --lod`", "5:1 unknown-command that command has no option --lod"),
        ("call `toy.plai`", "5:6 unknown-command there is no action, tool, field or error toy.plai"),
        ("call `toy_plai`", "5:6 unknown-command there is no action, tool, field or error toy_plai"),
        ("a {{groop}}", "5:3 bad-slot there is no slot {{groop}}"),
        ("{{commands git}}", "5:1 bad-slot there is no slot {{commands git}}"),
    ],
)
def test_what_cannot_be_called_is_refused_with_its_place(tmp_path: Path, body: str, wanted: str) -> None:
    with pytest.raises(SpecErrors) as caught:
        made(specs(tmp_path, play=HEAD + body))
    [one] = caught.value.diagnostics
    assert f"{one.span.line}:{one.span.column} {one.code} {one.message}".startswith(wanted)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("# Play\n", "missing-key"),
        ("---\ndomains: [toy]\n---\n", "missing-key"),
        ("---\ndescription: x\n---\n", "wrong-type"),
        ("---\ndescription: x\ndomains: toy\n---\n", "wrong-type"),
        ("---\ndescription: x\ndomains: [toy]\nname: play\n---\n", "unknown-key"),
        (f"---\ndescription: {'x' * 1025}\ndomains: [toy]\n---\n", "too-long"),
    ],
)
def test_a_head_with_a_mistake_is_refused(tmp_path: Path, text: str, code: str) -> None:
    with pytest.raises(SpecErrors) as caught:
        specs(tmp_path, play=text)
    assert code in {one.code for one in caught.value.diagnostics}


def test_every_command_that_ades_skills_name_is_one_that_can_be_called() -> None:
    """The generator checks the sources; this reads what was really written, as an agent will."""
    commands = {" ".join(("ade", *entry.cli)): entry for entry in ACTIONS.values()}
    texts = [file.read_text() for file in sorted((ROOT / "ade_generated/skills").glob("*/SKILL.md"))]
    listed = {
        match for text in texts for match in re.findall(r"^- `(ade [a-z-]+ [a-z-]+)", text, re.MULTILINE)
    }
    assert listed
    assert listed <= commands.keys()
    domains = {commands[line].domain for line in listed}
    for entry in ACTIONS.values():
        if entry.domain in domains:
            assert " ".join(("ade", *entry.cli)) in listed, "a domain is listed as a whole"


def test_the_skills_on_disk_are_those_whose_domains_exist() -> None:
    found = load_specs(ROOT)
    names = {domain.name for domain in found.domains}
    wanted = {skill.name for skill in found.skills if names.issuperset(skill.domains)}
    assert {path.parent.name for path in (ROOT / "ade_generated/skills").glob("*/SKILL.md")} == wanted
