"""The one Jinja environment: strict about what is undefined, and blind to spec text unless a context is
named.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from codegen import text

FILTERS: dict[str, Callable[..., str]] = {
    "literal": lambda value: (
        value.literal() if isinstance(value, text.SpecText) else text.python_literal(value)
    ),
    "docstring": lambda value: value.docstring(),
    "comment": lambda value: value.comment(),
    "one_line": lambda value: value.one_line() if isinstance(value, text.SpecText) else value,
    "markdown": lambda value: value.markdown() if isinstance(value, text.SpecText) else text.markdown(value),
    "code": lambda value: text.code_span(value.raw if isinstance(value, text.SpecText) else value),
    "shell": lambda value: value.shell(),
    "json": lambda value: json.dumps(value.raw if isinstance(value, text.SpecText) else value),
    "py": repr,
    "value": text.python_value,
}


def _finalize(value: Any) -> Any:
    if isinstance(value, text.SpecText):
        raise TypeError(f"spec text printed without a context: {value.raw[:60]!r}")
    return value


@cache
def environment() -> Environment:
    env = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    env.filters.update(FILTERS)
    return env


def render(template: str, **values: Any) -> str:
    """Render ``templates/<template>``; every name must be given and every spec text printed through a
    context.
    """
    return environment().get_template(template).render(**values)
