"""Forms of tool servers as questions, and answers as filled forms."""

from __future__ import annotations

from typing import Any

import pytest

from ade_runtime.chat.providers import codex_forms

FORM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Name", "description": "Whose?"},
        "count": {"type": "integer"},
        "share": {"type": "number"},
        "sure": {"type": "boolean"},
        "colour": {"type": "string", "enum": ["r", "b"], "enumNames": ["Red", "Blue"]},
        "sizes": {
            "type": "array",
            "items": {"anyOf": [{"const": "s", "title": "Small"}, {"const": "l", "title": "Large"}]},
        },
    },
    "required": ["name"],
}


def test_each_field_is_a_question() -> None:
    name, count, _, sure, colour, sizes = codex_forms.questions("An order.", FORM)
    assert (name.id, name.title, name.text, name.free) == ("name", "Name", "An order.\nWhose?", True)
    assert count.text == "count"
    assert [choice.label for choice in sure.choices] == ["yes", "no"]
    assert [(choice.label, choice.description) for choice in colour.choices] == [("r", "Red"), ("b", "Blue")]
    assert (colour.free, colour.multiple) == (False, False)
    assert ([choice.label for choice in sizes.choices], sizes.multiple) == (["s", "l"], True)


def test_answers_become_what_the_fields_take() -> None:
    answers = {
        "name": ("Ada",),
        "count": ("3",),
        "share": ("0.5",),
        "sure": ("Yes",),
        "colour": ("b",),
        "sizes": ("s", "l"),
    }
    expected = {"name": "Ada", "count": 3, "share": 0.5, "sure": True, "colour": "b", "sizes": ["s", "l"]}
    assert codex_forms.content(FORM, answers) == expected


def test_what_is_not_required_may_be_left_out() -> None:
    assert codex_forms.content(FORM, {"name": ("Ada",), "count": ("",)}) == {"name": "Ada"}


@pytest.mark.parametrize("answers", [{}, {"name": ("Ada",), "count": ("three",)}, {"name": ("",)}])
def test_a_form_that_is_not_filled_in_is_none(answers: dict[str, tuple[str, ...]]) -> None:
    assert codex_forms.content(FORM, answers) is None
