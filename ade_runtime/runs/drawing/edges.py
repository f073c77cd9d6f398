"""Who spawned whom and what came back, as a tree of text, as Mermaid, as Graphviz DOT and as SVG.

What others wrote is escaped by the rules of each format, so that a title cannot add a node.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ade_runtime.cli.clean import clean_line
from ade_runtime.runs.document import Manifest

LONGEST_LABEL = 60
COLOURS = {"running": "#2f6fde", "completed": "#2e8b57", "failed": "#c0392b", "lead": "#555555"}
"""Outline of a session's box by what came of it."""


@dataclass(frozen=True, slots=True)
class Node:
    """A session of the run. ``spawned`` are its children, in the order of their spawning."""

    session: str
    title: str
    status: str
    detail: str
    spawned: tuple[Node, ...] = ()


def tree(manifest: Manifest) -> Node:
    """The lead with everybody it has spawned; an agent without an edge hangs below the lead as well, since a run has one."""
    agents = {one["sessionId"]: one for one in manifest["agents"]}
    edges = {one["child"]: one for one in manifest["lineage"]}
    lead = next(one for one in manifest["agents"] if one["role"] == "lead")

    def node(agent: Mapping[str, Any]) -> Node:
        edge = edges.get(agent["sessionId"])
        spawned = tuple(
            node(one)
            for one in agents.values()
            if one is not lead and _parent(one, edges, lead["sessionId"]) == agent["sessionId"]
        )
        role = agent["role"] if agent["tag"] is None else f"{agent['role']}, {agent['tag']}"
        status = "lead" if edge is None and agent is lead else str((edge or agent)["status"])
        result = "" if edge is None else _short(edge["resultSummary"] or "")
        return Node(agent["sessionId"], _short(f"{agent['displayName']} ({role})"), status, result, spawned)

    return node(lead)


def _parent(agent: Mapping[str, Any], edges: Mapping[str, Mapping[str, Any]], lead: str) -> str:
    edge = edges.get(agent["sessionId"])
    return lead if edge is None else str(edge["parent"])


def _short(text: str) -> str:
    line = clean_line(" ".join(text.split()))
    return line if len(line) <= LONGEST_LABEL else line[: LONGEST_LABEL - 1] + "…"


@dataclass(frozen=True, slots=True)
class _Row:
    """A node in the order of drawing; ``parent`` is the place of its parent's row."""

    node: Node
    depth: int
    parent: int | None


def _rows(root: Node) -> list[_Row]:
    found: list[_Row] = []

    def add(node: Node, depth: int, parent: int | None) -> None:
        mine = len(found)
        found.append(_Row(node, depth, parent))
        for child in node.spawned:
            add(child, depth + 1, mine)

    add(root, 0, None)
    return found


def text(root: Node) -> str:
    lines = [f"{root.title}  {root.session}"]

    def add(node: Node, before: str) -> None:
        for place, child in enumerate(node.spawned):
            last = place == len(node.spawned) - 1
            lines.append(f"{before}{'└─' if last else '├─'} {child.title}  {child.session}  {child.status}")
            below = before + ("   " if last else "│  ")
            if child.detail:
                lines.append(f"{below}   {child.detail}")
            add(child, below)

    add(root, "")
    return "\n".join(lines) + "\n"


def mermaid(root: Node) -> str:
    """A flowchart; quotes are written as entities, as Mermaid's documentation asks for."""

    def label(value: str) -> str:
        return "".join(char if char not in '"<>&#;' else f"#{ord(char)};" for char in value)

    lines = ["flowchart TD"]
    for place, row in enumerate(_rows(root)):
        lines.append(f'  n{place}["{label(row.node.title)}"]:::{row.node.status}')
        if row.parent is not None:
            lines.append(f'  n{row.parent} -->|"{label(row.node.status)}"| n{place}')
    lines += [f"  classDef {status} stroke:{colour}" for status, colour in COLOURS.items()]
    return "\n".join(lines) + "\n"


def dot(root: Node) -> str:
    """A digraph; strings are quoted as the DOT language says: a backslash and a double quote by a backslash."""

    def quoted(value: str) -> str:
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'

    rows = _rows(root)
    lines = ["digraph run {", "  node [shape=box, fontname=Helvetica];"]
    for row in rows:
        name, colour = quoted(row.node.session), COLOURS.get(row.node.status, COLOURS["lead"])
        lines.append(f"  {name} [label={quoted(row.node.title)}, color={quoted(colour)}];")
        if row.parent is not None:
            parent = quoted(rows[row.parent].node.session)
            lines.append(f"  {parent} -> {name} [label={quoted(row.node.status)}];")
    return "\n".join([*lines, "}"]) + "\n"


BOX_WIDTH, BOX_HEIGHT, GAP, STEP = 600, 44, 16, 60


def svg(root: Node) -> str:
    """One box a session, children indented below their parent. Nothing is loaded from anywhere."""
    rows = _rows(root)
    width = BOX_WIDTH + STEP * max(row.depth for row in rows) + 2 * GAP
    height = (BOX_HEIGHT + GAP) * len(rows) + GAP
    picture = Element("svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width} {height}")
    picture.set("font-family", "Helvetica, Arial, sans-serif")
    SubElement(picture, "title").text = f"Sessions of {root.title}"
    for place, row in enumerate(rows):
        left, top = GAP + row.depth * STEP, GAP + place * (BOX_HEIGHT + GAP)
        _box(picture, row.node, left, top)
        if row.parent is not None:
            x = GAP + rows[row.parent].depth * STEP + STEP // 2
            begin = GAP + row.parent * (BOX_HEIGHT + GAP) + BOX_HEIGHT
            line = SubElement(picture, "path", d=f"M{x} {begin}V{top + BOX_HEIGHT // 2}H{left}", fill="none")
            line.set("stroke", "#888888")
    indent(picture)
    return tostring(picture, encoding="unicode") + "\n"


def _box(picture: Element, node: Node, x: int, y: int) -> None:
    colour = COLOURS.get(node.status, COLOURS["lead"])
    box = SubElement(
        picture, "rect", x=str(x), y=str(y), width=str(BOX_WIDTH), height=str(BOX_HEIGHT), rx="6"
    )
    box.set("fill", "#ffffff")
    box.set("stroke", colour)
    first = SubElement(picture, "text", x=str(x + 10), y=str(y + 18))
    first.set("font-size", "13")
    first.text = node.title
    second = SubElement(picture, "text", x=str(x + 10), y=str(y + 35), fill=colour)
    second.set("font-size", "11")
    second.text = " · ".join(part for part in (node.status, node.session, node.detail) if part)


FORMATS: Mapping[str, Callable[[Node], str]] = {"text": text, "mermaid": mermaid, "dot": dot, "svg": svg}
