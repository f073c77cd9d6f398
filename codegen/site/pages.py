"""What a page of the site is, where pages lie, and the templates that they are made with."""

from __future__ import annotations

import html
import posixpath
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from codegen.naming import module_name
from codegen.text import SpecText, visible

TEMPLATES = Path(__file__).with_name("templates")
_CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """``path`` is relative to the site's root; ``body`` the HTML of its main part. ``section`` is the part of the navigation
    that it stands in, ``within`` the page that it belongs to, with its title."""

    path: str
    title: str
    summary: str
    body: str
    section: str
    within: tuple[str, str] | None = None
    contents: tuple[tuple[str, str], ...] = ()
    """Headings of the page, each with its anchor."""


def action_page(action: str) -> str:
    return f"actions/{action}.html"


def domain_page(domain: str) -> str:
    return f"domains/{module_name(domain)}.html"


def error_place(code: str) -> str:
    return f"errors.html#{code}"


def root_of(path: str) -> str:
    """What leads from a page to the root: empty, or some ``../``."""
    return "../" * path.count("/")


def link(source: str, target: str) -> str:
    """From one page to another, which may have an anchor."""
    path, hash_, anchor = target.partition("#")
    if path == source and hash_:
        return f"#{anchor}"
    return _from_folder(posixpath.dirname(source), path) + hash_ + anchor


@cache
def _from_folder(folder: str, path: str) -> str:
    return posixpath.relpath(path, folder or ".")


def text(value: SpecText | str) -> Markup:
    """A text as HTML that shows exactly its characters; control and direction characters as ``\\uXXXX``."""
    raw = value.raw if isinstance(value, SpecText) else value
    return Markup(html.escape(visible(raw), quote=True))


def prose(value: SpecText | str) -> Markup:
    """The same, with words in backticks set as code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(text(value))))


def _finalize(value: Any) -> Any:
    return text(value) if isinstance(value, SpecText) else value


@cache
def environment() -> Environment:
    """Unlike that of the other products it escapes whatever it prints for HTML."""
    env = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    env.filters.update(prose=prose, text=text)
    env.globals.update(action_page=action_page, domain_page=domain_page, error_place=error_place)
    return env


def render(template: str, path: str, **values: Any) -> str:
    """One template for the page at ``path``; in it ``to(target)`` leads to another page."""
    made = environment().get_template(template)
    return made.render(path=path, root=root_of(path), to=lambda target: link(path, target), **values)
