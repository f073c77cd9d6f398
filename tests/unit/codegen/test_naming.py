"""Python names of wire names: natural where safe, never shadowing, the same everywhere."""

from __future__ import annotations

import keyword
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, create_model

from ade_runtime.wire import WireModel
from codegen.naming import CLASS_BODY_NAMES, MODEL_ATTRIBUTES, class_name, method_name, module_name, py_name

WIRE_NAMES = st.from_regex(r"[A-Za-z0-9_.-]{1,64}", fullmatch=True)


def test_reserved_names_are_those_of_the_base_class() -> None:
    own = {
        name
        for base in (WireModel, BaseModel, type(WireModel))
        for name in dir(base)
        if not name.startswith(("_", "model_"))
    }
    assert own - {"mro"} <= MODEL_ATTRIBUTES | CLASS_BODY_NAMES


@pytest.mark.parametrize(
    ("wire", "python"),
    [
        ("name", "name"), ("id", "id"), ("type", "type"), ("help", "help"), ("match", "match"), ("date", "date"),
        ("class", "class_"), ("from", "from_"), ("None", "None_"), ("async", "async_"), ("lambda", "lambda_"),
        ("schema", "schema_"), ("json", "json_"), ("copy", "copy_"), ("dict", "dict_"), ("register", "register_"),
        ("model_config", "model_config_"), ("model_x", "model_x_"), ("self", "self_"), ("int", "int_"), ("str", "str_"),
        ("list", "list_"), ("Any", "Any_"), ("Field", "Field_"), ("Literal", "Literal_"), ("Optional", "Optional_"),
        ("_id", "id"), ("__typename", "typename"), ("a.b-c", "a_b_c"), ("1st", "field_1st"), ("_", "field"), ("-", "field"),
    ],
)  # fmt: skip
def test_fields(wire: str, python: str) -> None:
    assert py_name(wire) == python


@given(WIRE_NAMES)
def test_every_wire_name_makes_a_field(wire: str) -> None:
    name = py_name(wire)
    assert name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("_")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        create_model("Made", __base__=WireModel, **{name: (str, ...)})  # type: ignore[call-overload]


def test_classes_modules_and_methods() -> None:
    assert class_name("lane", "create_child", "input") == "LaneCreateChildInput"
    assert (
        class_name("fooBar")
        == class_name("foo_bar")
        == class_name("foo-bar")
        == class_name("FooBar")
        == "FooBar"
    )
    assert (module_name("import"), module_name("lane")) == ("import_", "lane")
    assert (method_name("class"), method_name("list"), method_name("match")) == ("class_", "list", "match")
