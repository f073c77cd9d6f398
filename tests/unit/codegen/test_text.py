"""Spec text is printed only through a context, and each context keeps the text's meaning and nothing else."""

from __future__ import annotations

import ast
import io
import json
import shlex
import subprocess
import sysconfig
import tokenize
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError

from codegen.templating import environment
from codegen.text import SpecText, docstring, python_literal, python_value
from tests.unit.codegen.toy import HOSTILE

RUFF = Path(sysconfig.get_path("scripts"), "ruff")
texts = st.text(alphabet=st.characters(codec="utf-16", exclude_categories=[])) | st.sampled_from(HOSTILE)
TRICKY = [
    "",
    " ",
    "   ",
    '"',
    '""',
    '"""',
    "\\",
    "\\\\",
    " x ",
    "\t",
    "\n",
    "a\n",
    "\na",
    '\\"',
    "it's",
    "C:\\new\\N{x} \\",
]


@pytest.mark.parametrize(
    "use", [str, repr, "{}".format, "%s".__mod__, lambda text: f"{text!s}", lambda text: f"{text}"]
)
def test_a_text_cannot_be_printed_without_a_context(use: object) -> None:
    assert callable(use)
    if use is repr:
        assert "secret" in repr(SpecText("secret"))  # for debuggers; a template cannot reach it
        return
    with pytest.raises(TypeError, match="context"):
        use(SpecText("secret"))


@pytest.mark.parametrize(
    "template",
    [
        "{{ text }}",
        "{{ text ~ 'x' }}",
        "{{ text|upper }}",
        "{{ [text]|join }}",
        "{{ 'x' + text }}",
    ],
)
def test_a_template_cannot_print_a_text_without_a_context(template: str) -> None:
    with pytest.raises(TypeError):
        environment().from_string(template).render(text=SpecText("{{7*7}}"))


def test_a_name_a_template_does_not_get_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        environment().from_string("{{ no_such }}").render()


@given(texts)
def test_a_literal_is_one_ascii_line_with_the_value(text: str) -> None:
    literal = python_literal(text)
    assert literal.isascii() and "\n" not in literal
    assert ast.literal_eval(literal) == text


@given(texts)
def test_a_comment_is_one_line_without_anything_invisible(text: str) -> None:
    comment = SpecText(text).comment()
    line = f"# {comment}\nx = 1\n"
    kinds = [token.type for token in tokenize.generate_tokens(io.StringIO(line).readline)]
    assert kinds.count(tokenize.COMMENT) == 1 and kinds.count(tokenize.NAME) == 1
    assert len(comment.splitlines()) <= 1
    assert "\u202e" not in comment and "\x1b" not in comment


@given(texts)
def test_a_shell_word_is_one_word(text: str) -> None:
    word = SpecText(text).shell()
    assert shlex.split(word) == [SpecText(text).one_line()]
    assert "\n" not in word


@given(texts)
def test_json_and_values_keep_the_text(text: str) -> None:
    assert json.loads(SpecText(text).json()) == text
    value = {"a": (text,), "b": [SpecText(text), None, True, 1.5]}
    assert ast.literal_eval(python_value(value)) == {"a": (text,), "b": [text, None, True, 1.5]}


def test_generator_5_docstrings_keep_their_value_through_the_formatter() -> None:
    found = [
        *TRICKY[1:],
        *HOSTILE,
        "line one\n  line two\n\n  three",
        "trailing  ",
        "\N{RIGHT-TO-LEFT MARK}x",
        "é 修 👍🏽",
    ]
    source = "".join(
        f"class C{number}:\n    {docstring(text)}\n\n    x: int\n    {docstring(text)}\n\n\n"
        for number, text in enumerate(found)
    )
    run = subprocess.run(
        [RUFF, "format", "--isolated", "-"], input=source, capture_output=True, text=True, check=True
    )
    for node, text in zip(ast.parse(run.stdout).body, found, strict=True):
        assert isinstance(node, ast.ClassDef)
        last = node.body[-1]
        assert isinstance(last, ast.Expr) and isinstance(last.value, ast.Constant)
        assert (ast.get_docstring(node, clean=False), last.value.value) == (text, text)


def test_only_plain_data_becomes_source() -> None:
    with pytest.raises(TypeError):
        python_value(Path("x"))
    with pytest.raises(TypeError):
        python_value({"a": object()})
