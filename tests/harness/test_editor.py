"""The language server that editors use for YAML, at the specs: with the schemas beside them it helps whoever writes them."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.language_server import LanguageServer, language_server
from tests.support.programs import YAML_SERVER, installed

pytestmark = [pytest.mark.harness, pytest.mark.timeout(300)]
ROOT = Path(__file__).parents[2]
SPECS = sorted(path for path in (ROOT / "specs").rglob("*.yaml") if "released" not in path.parts)
LANE = ROOT / "specs" / "domains" / "lane.yaml"
_numbers = itertools.count()
HEAD = """\
# yaml-language-server: $schema=../schema/domain.schema.json
domain: shop
title: Shop
summary: What is sold.
actions:
  sell:
    summary: Sell a thing.
    effect: write
    toolset: base
    timeout: 5s
    input:
      what: {type: string, minLength: 1, maxLength: 20, description: What is sold.}
    output: {type: object, properties: {price: {type: integer, description: What it costs.}}, required: [price]}
    examples:
      - {title: A thing, input: {what: pen}, output: {price: 1}}
"""


@pytest.fixture(scope="module")
def server() -> Iterator[LanguageServer]:
    program = installed(YAML_SERVER, "yaml-language-server")
    with language_server([program, "--stdio"], ROOT) as made:
        yield made


def told(found: list[dict[str, Any]]) -> list[str]:
    return [f"{one['range']['start']['line'] + 1}: {one['message']}" for one in found]


def underlined(text: str, where: dict[str, Any]) -> str:
    """What an editor underlines, as far as it is in one line: the words of a key's fault need not name the key."""
    line = text.splitlines()[where["start"]["line"]]
    ends_here = where["end"]["line"] == where["start"]["line"]
    return line[where["start"]["character"] : where["end"]["character"] if ends_here else None]


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_it_finds_nothing_wrong_with_the_specs(path: Path, server: LanguageServer) -> None:
    text = path.read_text("utf-8")
    assert re.match(
        r"# yaml-language-server: \$schema=\.\./?[\w/.]*schema\.json\n|# .*\$schema=schema/", text
    ), path
    found = server.open(path, text)
    server.close(path)
    assert told(found) == []


def new_file() -> Path:
    """A file that only the editor has: what is said of one belongs to no other."""
    return ROOT / "specs" / "domains" / f"shop{next(_numbers)}.yaml"


def place(text: str, mark: str = "¦") -> tuple[str, int, int]:
    """The text without its mark, and the line and character of it."""
    before, _, after = text.partition(mark)
    return before + after, before.count("\n"), len(before) - before.rfind("\n") - 1


def offered(server: LanguageServer, more: str) -> dict[str, dict[str, Any]]:
    """What can be written at the mark, by its label, each of which stands there once."""
    text, line, character = place(HEAD + more)
    path = new_file()
    server.open(path, text)
    items = server.at("textDocument/completion", path, line, character)["items"]
    assert [label for label, times in Counter(item["label"] for item in items).items() if times > 1] == []
    return {item["label"]: item for item in items}


def documented(item: dict[str, Any]) -> str:
    text = item.get("documentation", "")
    return str(text["value"] if isinstance(text, dict) else text)


ACTION = ("tool", "min_role", "requires", "rate_limit", "errors", "guidance", "deprecated", "rules", "target")
KEYS = {
    "of an action": ("    ¦\n", ACTION, ("summary", "domain")),
    "of a field": (
        "  buy:\n    input:\n      what:\n        ¦\n",
        ("type", "description", "optional", "cli"),
        ("effect", "property"),
    ),
    "of a field that has a type": (
        "  buy:\n    input:\n      what:\n        type: string\n        ¦\n",
        ("description", "optional", "maxLength", "enum", "cli"),
        ("effect", "type"),
    ),
    "of a property": (
        "  buy:\n    output:\n      type: object\n      properties:\n        price:\n          ¦\n",
        ("type", "$ref", "description", "items", "required"),
        ("effect", "optional", "cli"),
    ),
    "of a field's command line": (
        "  buy:\n    input:\n      what:\n        type: string\n        cli:\n          ¦\n",
        ("positional", "short", "flag", "complete", "metavar"),
        ("type",),
    ),
    "of an example": ("      - ¦\n", ("title", "given", "input", "output", "error", "role"), ("effect",)),
}


@pytest.mark.parametrize("name", KEYS)
def test_it_offers_the_keys_of_a_place(name: str, server: LanguageServer) -> None:
    more, wanted, others = KEYS[name]
    found = offered(server, more)
    assert set(wanted) <= found.keys(), sorted(found)
    assert not set(others) & found.keys(), sorted(found)
    assert [label for label in wanted if not documented(found[label]).strip()] == []


@pytest.mark.parametrize(
    ("more", "wanted"),
    [
        ("  buy:\n    effect: ¦\n", {"read", "write", "destructive", "secret"}),
        ("  buy:\n    idempotency: ¦\n", {"none", "natural", "request_id"}),
        ("  buy:\n    scope: ¦\n", {"project", "machine"}),
    ],
)
def test_it_offers_the_values_of_a_key(more: str, wanted: set[str], server: LanguageServer) -> None:
    assert wanted <= offered(server, more).keys()


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("effect", "read"),
        ("toolset", "toolset"),
        ("timeout", "with its unit"),
        ("maxLength", "characters"),
        ("examples", "run as tests"),
    ],
)
def test_it_says_what_a_key_means(key: str, words: str, server: LanguageServer) -> None:
    line = next(number for number, text in enumerate(HEAD.splitlines()) if re.search(rf"\b{key}:", text))
    character = HEAD.splitlines()[line].index(f"{key}:") + 1
    path = new_file()
    assert server.open(path, HEAD) == []
    found = server.at("textDocument/hover", path, line, character)
    assert found is not None
    said = found["contents"]["value"]
    assert words in said, said


@pytest.mark.parametrize(
    ("right", "wrong", "line", "words"),
    [
        ("{type: string, minLength: 1", "{type: string, shortest: 1", 12, "shortest"),
        ("{type: integer, description", "{type: integer, optional: true, description", 13, "optional"),
        ("    effect: write", "    efect: write", 8, "efect"),
        ("    effect: write", "    effect: wirte", 8, "destructive"),
        ("    timeout: 5s", "    timeout: 5", 10, ""),
        ("{type: string, minLength: 1", "{type: string, minlength: 1", 12, "maxLength"),
        ("domain: shop", "domain: Shop", 2, ""),
    ],
)
def test_it_finds_what_is_wrong(
    right: str, wrong: str, line: int, words: str, server: LanguageServer
) -> None:
    assert right in HEAD
    text = HEAD.replace(right, wrong, 1)
    found = server.open(new_file(), text)
    seen = [f"{one} [{underlined(text, at['range'])}]" for one, at in zip(told(found), found, strict=True)]
    assert any(one.startswith(f"{line}: ") and words in one for one in seen), seen
