"""The reference pages: every action is there, and no text breaks out of the Markdown around it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from codegen import ir
from codegen.emitters import clients, docs, json_schema
from codegen.emitters.docs import fenced, seconds
from codegen.load import load_specs
from codegen.text import SpecText
from tests.unit.codegen import toy
from tests.unit.codegen.test_cli_emit import PLAY

ROOT = Path(__file__).parents[3]
RENDERER = MarkdownIt("gfm-like", {"linkify": False, "html": True})


@pytest.fixture
def specs(tmp_path: Path) -> ir.Specs:
    environment = {"TOY_HOME": {"summary": "Where toys live.", "example": "~/toys"}}
    limits = {"gentle": {"summary": "For play.", "limit": 3, "window": "90s", "per": "session"}}
    actions = {"play": {**PLAY, "rate_limit": "gentle", "min_role": "agent"}, "rest": toy.action()}
    return toy.specs(tmp_path, toy.domain(actions=actions), environment=environment, rate_limits=limits)


def pages(specs: ir.Specs) -> dict[str, str]:
    files = [*docs.emit(specs), *clients.emit(specs), *json_schema.emit(specs)]
    return {file.path.relative_to("docs/reference").as_posix(): file.content for file in files}


def structure(page: str) -> list[str]:
    """The kinds of everything a renderer makes of a page, texts left out."""
    out = []
    for token in RENDERER.parse(page):
        out.append(f"{token.type} {token.tag}")
        out += [f"  {child.type}" for child in merged(token)]
    return out


def merged(token: Token) -> list[Token]:
    """Inline tokens with runs of text taken together: an escaped character is text."""
    out: list[Token] = []
    for child in token.children or []:
        if child.type in ("text", "text_special") and out and out[-1].type == "text":
            out[-1].content += child.content
        else:
            child.type = "text" if child.type == "text_special" else child.type
            out.append(child)
    return out


def test_pages_hold_everything(specs: ir.Specs) -> None:
    made = pages(specs)
    assert set(made) >= {"README.md", "actions/toy.md", "errors.md", "environment.md", "access.md"}
    page = made["actions/toy.md"]
    for part in (
        "## toy.play",
        "All about it.",
        "ade toys play [OPTIONS] NAME",
        "| Tool | `toy_play` |",
        "| Effect | write |",
        "| Lowest role | `agent` |",
        "| Rate limit | 3 calls in 90 s for each session |",
        "| `name` (required) | `NAME` | text, 1 to 9 characters | Its name. |",
        "| `labels` | `-l, --label` |",
        "Give at most one of cron, delay.",
        "| `done` | true or false | Whether. |",
        "(../errors.md#toy_broken) | 5 | The toy is broken. |",
        "ade toys play x\n",
        "# Broken (ends with toy_broken)",
    ):
        assert part in page, part
    assert "It takes no input." in page
    assert "](actions/toy.md#toyplay)" in made["README.md"]
    assert "| Exit code | 5 |" in made["errors.md"]
    assert "| `TOY_HOME` | Where toys live. | `~/toys` | no |" in made["environment.md"]
    for text in made.values():
        assert text.startswith("<!-- Generated from ")
        assert text.endswith("\n") and not text.endswith("\n\n")


@pytest.mark.parametrize("text", toy.HOSTILE)
def test_hostile_text_stays_text(specs: ir.Specs, text: str) -> None:
    plain = pages(toy.poisoned(specs, "word"))
    hostile = pages(toy.poisoned(specs, text))
    assert plain.keys() == hostile.keys()
    for name, page in hostile.items():
        assert structure(page) == structure(plain[name]), name
        assert "49" not in re.sub(r"[^\n]*7\*7[^\n]*", "", page)
    shown = [child.content for token in RENDERER.parse(hostile["actions/toy.md"]) for child in merged(token)]
    assert SpecText(text).one_line() in shown


def test_descriptions_keep_their_paragraphs(specs: ir.Specs) -> None:
    page = pages(toy.poisoned(specs, "One.\n\nTwo\nthree."))["actions/toy.md"]
    assert "\nOne.\n\nTwo three.\n" in page


def test_links_lead_somewhere(specs: ir.Specs) -> None:
    made = pages(specs)
    for name, page in made.items():
        for target in re.findall(r"\]\(([^)]+)\)", page):
            path, _, anchor = target.partition("#")
            file = (
                (Path("/") / Path(name).parent / path).resolve().relative_to("/").as_posix() if path else name
            )
            assert file in made, (name, target)
            headings = [
                re.sub(r"[^\w-]", "", line[3:].lower())
                for line in made[file].split("\n")
                if line[:3] == "## "
            ]
            assert not anchor or anchor in headings, (name, target)


def test_fences_cannot_be_ended_from_inside() -> None:
    assert fenced(["```", "x"], "sh") == "````sh\n```\nx\n````"


@pytest.mark.parametrize(
    ("value", "words"),
    [(0.5, "500 ms"), (1, "1 s"), (90, "90 s"), (120, "2 min"), (3600, "1 h"), (1.5, "1.5 s")],
)
def test_times_are_readable(value: float, words: str) -> None:
    assert seconds(value) == words


def test_every_action_of_the_project_is_documented() -> None:
    specs = load_specs(ROOT)
    made = pages(specs)
    for action in specs.actions:
        assert f"\n## {action.id}\n" in made[f"actions/{action.domain}.md"]
        assert f"`{action.id}`" in made["README.md"]
        for field in action.fields:
            assert field.cli.hidden or f"| `{field.name}`" in made[f"actions/{action.domain}.md"]
