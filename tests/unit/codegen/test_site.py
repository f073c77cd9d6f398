"""The documentation as a site: all of it is there, every link leads somewhere, nothing is asked of another host, and no text
becomes markup. How it looks and works in a browser is tested in ``tests/harness/test_site.py``."""

from __future__ import annotations

import dataclasses
import json
import posixpath
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ade_generated.dispatch import ACTIONS
from codegen import ir
from codegen.__main__ import main
from codegen.failure import GenerationError
from codegen.load import load_specs
from codegen.site import diagrams
from codegen.site.build import Site
from codegen.site.command import refused, replace
from codegen.site.guides import BESIDE
from codegen.site.packs import with_packs
from codegen.site.pages import action_page, domain_page
from codegen.site.transcripts import transcripts
from tests.unit.codegen import toy
from tests.unit.codegen.test_cli_emit import PLAY

ROOT = Path(__file__).parents[3]
VOID = frozenset(["meta", "link", "input", "br", "hr", "img"])


class Read(HTMLParser):
    """What a page holds: its tags in order, the targets of its links and what it loads, its anchors, its texts by tag."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: list[str] = []
        self.open: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self.attributes: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(f"{tag} {' '.join(sorted(name for name, _ in attrs))}")
        given = {name: value or "" for name, value in attrs}
        self.attributes += [(name, value or "") for name, value in attrs]
        self.links += [given["href"]] if tag == "a" and "href" in given else []
        self.loads += [given[name] for name in ("src", "href", "data") if name in given and tag != "a"]
        self.anchors += [given["id"]] if "id" in given else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        self.tags.append(f"/{tag}")
        assert self.open and self.open.pop() == tag, (tag, self.getpos())

    def handle_data(self, data: str) -> None:
        self.texts.setdefault(self.open[-1] if self.open else "", []).append(data)


@pytest.fixture(scope="module")
def specs() -> ir.Specs:
    return load_specs(ROOT)


@pytest.fixture(scope="module")
def files(specs: ir.Specs) -> dict[str, str]:
    return Site(ROOT, specs, version="9.9.9", refusal=refused).files()


@pytest.fixture(scope="module")
def pages(files: dict[str, str]) -> dict[str, Read]:
    return {path: Read(text) for path, text in files.items() if path.endswith(".html")}


def rows(files: dict[str, str]) -> list[list[str]]:
    script = files["assets/index.js"]
    assert script.startswith("window.ADE_SEARCH=") and script.endswith(";\n")
    found: list[list[str]] = json.loads(script.removeprefix("window.ADE_SEARCH=")[:-2])
    return found


def test_everything_has_its_place(specs: ir.Specs, files: dict[str, str], pages: dict[str, Read]) -> None:
    listed = set(pages["actions.html"].links)
    for action in specs.actions:
        assert action_page(action.id) in pages
        assert action_page(action.id) in listed
    for domain in specs.domains:
        own = {posixpath.basename(target) for target in pages[domain_page(domain.name)].links}
        assert {f"{action.id}.html" for action in domain.actions} <= own
    assert set(specs.errors) <= set(pages["errors.html"].anchors)
    for folder, place in (("guides", "guides"), ("decisions", "decisions"), ("reference", "reference")):
        made_anew = {"README", "errors", "access"} if folder == "reference" else {"README"}
        for file in (ROOT / "docs" / folder).glob("*.md"):
            assert file.stem in made_anew or f"{place}/{file.stem}.html" in pages, file
    searched = {(kind, title) for kind, title, *_ in rows(files)}
    assert {("Action", action.id) for action in specs.actions} <= searched
    assert {("Error", code) for code in specs.errors} <= searched
    assert {row[3].partition("#")[0] for row in rows(files)} <= pages.keys()


def test_links_lead_somewhere(files: dict[str, str], pages: dict[str, Read]) -> None:
    for path, page in pages.items():
        assert len(page.anchors) == len(set(page.anchors)), path
        for target in page.links:
            if target.startswith("https://"):
                continue
            file, _, anchor = target.partition("#")
            other = posixpath.normpath(posixpath.join(posixpath.dirname(path), file)) if file else path
            assert other in pages, (path, target)
            assert not anchor or anchor in pages[other].anchors, (path, target)
    for _, _, _, place, _ in rows(files):
        file, _, anchor = place.partition("#")
        assert not anchor or anchor in pages[file].anchors, place


def test_guides_lead_to_the_pages_of_actions(pages: dict[str, Read]) -> None:
    """Links of the files into the reference by domain lead to the action's own page."""
    targets = {
        target for path, page in pages.items() if path.startswith("reference/") for target in page.links
    }
    assert any(target.startswith("../actions/") for target in targets)
    assert not any(target.endswith(".md") for page in pages.values() for target in page.links)


def test_nothing_comes_from_elsewhere(files: dict[str, str], pages: dict[str, Read]) -> None:
    for path, page in pages.items():
        for target in page.loads:
            other = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
            assert other in files, (path, target)
        assert not any(name.startswith("on") or name == "style" for name, _ in page.attributes), path
        assert "script" not in page.texts and "style" not in page.texts, path
        assert "default-src 'none'" in files[path]
    assets = "".join(files[path] for path in files if path.endswith((".css", "/site.js", "/theme.js")))
    assert not re.search(r"url\(|@import|https?:|fetch\(|XMLHttp|import\(|sendBeacon", assets)


def test_every_page_can_be_read_by_ear_and_by_hand(pages: dict[str, Read]) -> None:
    for path, page in pages.items():
        levels = [int(tag[1]) for tag in page.tags if re.match(r"h[1-6] ", tag)]
        assert levels.count(1) == 1, path
        kinds = [tag.split(" ")[0] for tag in page.tags]
        assert [kinds.count(kind) for kind in ("main", "header", "footer")] == [1, 1, 1]
        assert ("lang", "en") in page.attributes and ("class", "skip") in page.attributes
        assert page.texts["title"][0].strip()
        assert "#main" in page.links


def test_transcripts_say_what_ade_says(specs: ir.Specs) -> None:
    lane = next(domain for domain in specs.domains if domain.name == "lane")
    create = next(action for action in lane.actions if action.name == "create")
    made = {one.title.raw: one for one in transcripts(lane, create, specs, refused)}
    works = made["A lane from the default branch"]
    assert works.command == "ade lanes create fix-login"
    assert works.text.startswith("Lane fix-login (active)\n") and "ade/fix-login" in works.text
    assert ACTIONS["lane.create"].output_model.from_wire(json.loads(works.document))
    assert json.loads(works.tool) == {"name": "create_lane", "arguments": {"name": "fix-login"}}
    assert json.loads(works.request)["params"] == {"name": "lane.create", "arguments": {"name": "fix-login"}}
    assert works.exit == 0 and works.error is None
    fails = made["A name that is taken"]
    assert (fails.error, fails.exit) == ("lane_name_taken", 5)
    assert fails.text.startswith("error: ") and "\nhint: " in fails.text
    assert json.loads(fails.response)["error"]["data"]["code"] == "lane_name_taken"


def test_a_refused_input_is_told_in_the_words_of_ade(specs: ir.Specs) -> None:
    for domain in specs.domains:
        for action in domain.actions:
            for one in transcripts(domain, action, specs, refused):
                if one.error == "invalid_arguments":
                    own = refused(action.id, json.loads(one.request)["params"]["arguments"])
                    assert own is None or one.text.startswith(f"error: {own}\n"), (action.id, one.title)
                assert "…" in one.document or json.loads(one.document)


def test_the_drawing_of_a_call_is_true(specs: ir.Specs) -> None:
    for stage in diagrams.PIPELINE:
        assert (ROOT / "ade_runtime" / "pipeline" / f"{stage.module}.py").is_file()
        assert set(stage.refusals) <= specs.errors.keys()
    drawn = str(diagrams.pipeline("index.html", specs))
    assert all(f"errors.html#{code}" in drawn for stage in diagrams.PIPELINE for code in stage.refusals)
    tiles = str(diagrams.domains("index.html", specs))
    assert all(tiles.count(f'"{domain_page(domain.name)}"') == 2 for domain in specs.domains)


@pytest.fixture
def small(tmp_path: Path) -> ir.Specs:
    """Specs in a folder that has a little of what else the site is made from."""
    for name in ("docs/README", "docs/concepts", "docs/guides/play", "docs/decisions/README"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{name}.md").write_text("# Toys\n\nAll about [toys](../README.md).\n")
    (tmp_path / "codegen").mkdir()
    for name in BESIDE:
        (tmp_path / name).write_text("# Beside\n")
    actions = {"play": {**PLAY, "min_role": "agent"}, "rest": toy.action()}
    return toy.specs(tmp_path, toy.domain(actions=actions))


def shape(made: dict[str, str]) -> Iterator[tuple[str, list[str]]]:
    for path, text in made.items():
        if path.endswith(".html"):
            yield path, Read(text).tags


HOSTILE = [*toy.HOSTILE, '"><img src=x onerror=alert(1)>', "javascript:alert(1)", "</pre>"]


def test_hostile_text_stays_text(small: ir.Specs) -> None:
    """Words in backticks are set as code; nothing else of a text makes a tag."""
    code = ("code ", "/code")
    plain = dict(shape(Site(small.root, toy.poisoned(small, "word"), version="1").files()))
    for text in HOSTILE:
        made = Site(small.root, toy.poisoned(small, text), version="1").files()
        for path, tags in shape(made):
            wanted = [tag for tag in plain[path] if tag not in code]
            assert [tag for tag in tags if tag not in code] == wanted, (path, text)
        assert all(len(row) == 5 for row in rows(made))


def test_it_replaces_a_site_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("keep")
    assert main(["site", "--out", str(tmp_path / "mine")]) == 2
    assert "holds something that is no site" in capsys.readouterr().err
    assert (tmp_path / "mine" / "letter.txt").read_text() == "keep"
    replace(tmp_path / "site", {"old.html": "old"})
    replace(tmp_path / "site", {"actions/new.html": "new"})
    assert not (tmp_path / "site" / "old.html").exists()
    assert (tmp_path / "site" / "actions" / "new.html").read_text() == "new"


def test_packs_are_shown_with_their_origin(small: ir.Specs, specs: ir.Specs, tmp_path: Path) -> None:
    pack = tmp_path / "shop"
    (pack / ".ade" / "specs").mkdir(parents=True)
    (pack / ".ade" / "specs" / "shop.yaml").write_text(SHOP)
    joined, origins = with_packs(specs, [pack])
    assert {domain.name for domain in joined.domains} == {*(domain.name for domain in specs.domains), "shop"}
    alone = dataclasses.replace(joined, domains=tuple(one for one in joined.domains if one.name == "shop"))
    made = Site(small.root, alone, version="1", origins=origins).files()
    said = made["actions/shop.say.html"]
    assert "Pack shop." in said and "is not part of ADE" in said and "printf &lt;{word}&gt;" in said
    assert '<span class="pack">pack</span>' in made["index.html"]
    assert ["Action", "shop.say"] in [row[:2] for row in rows(made)]
    with pytest.raises(GenerationError, match="has no pack"):
        with_packs(specs, [tmp_path])


SHOP = """domain: shop
title: Shop
summary: What this project does with its shop.
cli: {group: shop}
actions:
  say:
    summary: Say it.
    effect: read
    toolset: base
    timeout: 5s
    input: {word: {type: string, maxLength: 9, description: A word., cli: {positional: true}}}
    output: {type: object, properties: {stdout: {type: string, description: What it said.}}, required: [stdout]}
    examples:
      - {title: Hello, input: {word: hello}, output: {}}
      - {title: Too long, input: {word: "much too long"}, error: {code: invalid_arguments, path: word}}
    run: {argv: [printf, "<{word}>"], answer: text}
"""
