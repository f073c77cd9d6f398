"""Markdown files as HTML: headings with the anchors that GitHub gives them, links that lead to pages of the site, tables that
scroll by themselves, coloured code."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

_COMMENT = re.compile(r"\A<!--.*?-->\s*", re.DOTALL)
_FORMATTER: HtmlFormatter[str] = HtmlFormatter(nowrap=True, classprefix="t-")
_LANGUAGES = {"sh": "bash", "console": "console", "jsonc": "json"}

Resolve = Callable[[str], str | None]
"""Where a link of a file leads on the site: what to put there, ``None`` for what the site does not have."""


@dataclass(frozen=True, slots=True)
class Document:
    """``title`` is the first heading's text, ``lead`` the first paragraph's; ``headings`` are those of the second level."""

    title: str
    lead: str
    body: str
    headings: tuple[tuple[str, str], ...]


@dataclass(slots=True)
class _Seen:
    slugs: Counter[str] = field(default_factory=Counter)
    headings: list[tuple[str, str]] = field(default_factory=list)
    title: str = ""
    lead: str = ""


def document(source: str, resolve: Resolve) -> Document:
    """One file. HTML in it is shown as text."""
    made = MarkdownIt("commonmark", {"html": False, "highlight": _highlight}).enable("table")
    tokens = made.parse(_COMMENT.sub("", source))
    seen = _Seen()
    for number, token in enumerate(tokens):
        _look(token, tokens[number + 1] if number + 1 < len(tokens) else None, seen)
        token.children = _linked(token.children, resolve) if token.children else token.children
    _name_empty_heads(tokens)
    body = made.renderer.render(tokens, made.options, {})
    body = body.replace("<table>", '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>')
    body = body.replace("</table>", "</table></div>").replace("<th>", '<th scope="col">')
    body = body.replace("<pre>", '<pre tabindex="0">')
    return Document(seen.title, seen.lead, body, tuple(seen.headings))


def slug(heading: str, seen: Counter[str]) -> str:
    """The anchor GitHub makes of a heading: lower case, no punctuation, dashes for blanks, a number where it is there twice."""
    name = re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
    seen[name] += 1
    return name if seen[name] == 1 else f"{name}-{seen[name] - 1}"


def _look(token: Token, following: Token | None, seen: _Seen) -> None:
    if following is None or following.type != "inline":
        return
    text = _text(following)
    if token.type == "heading_open":
        anchor = slug(text, seen.slugs)
        token.attrSet("id", anchor)
        if token.tag == "h1":
            seen.title = seen.title or text
        elif token.tag == "h2":
            seen.headings.append((anchor, text))
    elif token.type == "paragraph_open" and not seen.lead:
        seen.lead = text


def _text(token: Token) -> str:
    """An inline token's text, without its marks."""
    parts = (" " if one.type == "softbreak" else one.content for one in token.children or [])
    return "".join(parts)


def _linked(children: list[Token], resolve: Resolve) -> list[Token]:
    """The tokens with links that lead to pages; a link to what the site does not have becomes its text."""
    out: list[Token] = []
    dropped = 0
    for token in children:
        if token.type == "link_open":
            target = str(token.attrGet("href") or "")
            found = target if re.match(r"https?:", target) else resolve(target)
            if found is None:
                dropped += 1
                continue
            token.attrSet("href", found)
            if found is target:
                token.attrSet("rel", "noreferrer")
        elif token.type == "link_close" and dropped:
            dropped -= 1
            continue
        out.append(token)
    return out


def _name_empty_heads(tokens: list[Token]) -> None:
    """The head of a column without a name says nothing to whoever hears the page: it becomes a plain cell."""
    for opened, inner, closed in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if opened.type == "th_open" and inner.type == "inline" and not inner.content.strip():
            opened.tag = closed.tag = "td"


def _highlight(code: str, language: str, _attributes: Any) -> str:
    try:
        lexer = get_lexer_by_name(_LANGUAGES.get(language, language)) if language else None
    except ClassNotFound:
        lexer = None
    return html.escape(code) if lexer is None else highlight(code, lexer, _FORMATTER)
