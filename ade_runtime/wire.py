"""Base of every generated model: strict, closed, and read from and written to JSON by wire names.

A wire name is the name in the spec. A field whose wire name would clash with Python or pydantic (``class``,
``schema``, ``copy``) has ``_`` behind it in Python; on the wire nothing changes. Python code builds models
with either name, documents are read by wire name only.

A field that may be left out reads as ``None``; an explicit null is refused unless the spec allows null. What
was left out is left out again when the model is written.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationError,
)
from pydantic_core import PydanticCustomError, core_schema

from ade_runtime.rfc3339 import is_date, is_date_time
from ade_runtime.wire_errors import Problem, WireError, describe, locate, problems
from ade_runtime.wire_json import LARGEST, SMALLEST, parse

if TYPE_CHECKING:
    from typing import Self

    from pydantic import GetCoreSchemaHandler

__all__ = [
    "Date", "DateTime", "Int64", "JsonObject", "Problem", "Rule", "UniqueList", "WireError", "WireModel",
    "parse_date", "parse_date_time", "problems",
]  # fmt: skip

DEEPEST = 64
T = TypeVar("T")
M = TypeVar("M", bound="WireModel")
_FRACTION = re.compile(r"\.[0-9]+")


def parse_date(text: str) -> date:
    """An RFC 3339 full-date (``2026-01-31``). Raises ValueError."""
    if not is_date(text):
        raise ValueError("not a date")
    return date.fromisoformat(text)


def parse_date_time(text: str) -> datetime:
    """An RFC 3339 date-time with its offset. Digits past microseconds are dropped. Raises ValueError."""
    if not is_date_time(text):
        raise ValueError("not a date and time with its offset")
    return datetime.fromisoformat(_FRACTION.sub(lambda found: found[0][:7], text.upper()))


def _read_date(value: Any) -> Any:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    if not isinstance(value, str):
        raise PydanticCustomError("string_type", "must be text")
    try:
        return parse_date(value)
    except ValueError:
        raise PydanticCustomError("wire_date", "must be a date like 2026-01-31") from None


def _read_date_time(value: Any) -> Any:
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value
    if not isinstance(value, str):
        raise PydanticCustomError("string_type", "must be text")
    try:
        return parse_date_time(value)
    except ValueError:
        message = "must be a date and time with its offset, like 2026-01-31T09:30:00Z"
        raise PydanticCustomError("wire_date_time", message) from None


def _write_date_time(value: datetime) -> str:
    text = value.isoformat()
    return text[:-6] + "Z" if text.endswith("+00:00") else text


def _unique(value: list[T]) -> list[T]:
    seen: set[tuple[bool, T]] = set()
    for index, item in enumerate(value):
        key = (isinstance(item, bool), item)
        if key in seen:
            first = next(i for i, other in enumerate(value) if other == item)
            raise PydanticCustomError(
                "wire_unique", "items {first} and {second} are the same", {"first": first, "second": index}
            )
        seen.add(key)
    return value


def _read_json_object(value: dict[str, Any]) -> dict[str, Any]:
    _require_json(value, 0)
    return value


def _require_json(value: Any, depth: int) -> None:
    """Hold a free value to JSON, so that whatever a model holds can be written."""
    if depth > DEEPEST:
        raise PydanticCustomError("wire_depth", f"is nested more than {DEEPEST} levels deep")
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise PydanticCustomError("wire_json", "must have text keys")
            _require_json(item, depth + 1)
    elif isinstance(value, list):
        for item in value:
            _require_json(item, depth + 1)
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise PydanticCustomError("finite_number", "must be a finite number")
    elif isinstance(value, int):
        if not SMALLEST <= value <= LARGEST:
            raise PydanticCustomError("wire_json", "must hold numbers of at most 64 bits")
    elif isinstance(value, str):
        if not value.isascii() and any("\ud800" <= char <= "\udfff" for char in value):
            raise PydanticCustomError("string_unicode", "must be valid Unicode text")
    elif value is not None:
        raise PydanticCustomError("wire_json", "must hold JSON values only")


Int64 = Annotated[int, Field(ge=SMALLEST, le=LARGEST)]
"""An integer without bounds of its own."""

Date = Annotated[date, BeforeValidator(_read_date), PlainSerializer(date.isoformat, return_type=str)]
"""A day; ``2026-01-31`` in JSON."""

DateTime = Annotated[
    datetime, BeforeValidator(_read_date_time), PlainSerializer(_write_date_time, return_type=str)
]
"""An instant with its offset; RFC 3339 in JSON. Naive ones are refused."""

UniqueList = Annotated[list[T], AfterValidator(_unique)]
"""A list of scalars without repetitions, in the order given.

As in JSON Schema, ``1`` and ``1.0`` are the same.
"""

JsonObject = Annotated[dict[str, Any], AfterValidator(_read_json_object)]
"""A free JSON object."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule across fields, by wire names. For ``requires`` the first field, when given, needs the others."""

    kind: Literal["exactly_one_of", "at_most_one_of", "at_least_one_of", "requires"]
    fields: tuple[str, ...]

    def problem(self, given: frozenset[str]) -> str | None:
        """What is wrong when just these fields are given, ``None`` when the rule holds."""
        names = ", ".join(self.fields)
        present = [name for name in self.fields if name in given]
        if self.kind == "requires":
            missing = [name for name in self.fields[1:] if name not in given]
            if self.fields[0] in given and missing:
                return f"{self.fields[0]} also needs {', '.join(missing)}"
        elif not present and self.kind != "at_most_one_of":
            amount = "exactly" if self.kind == "exactly_one_of" else "at least"
            return f"give {amount} one of {names}"
        elif len(present) > 1 and self.kind != "at_least_one_of":
            return f"give only one of {names}; {' and '.join(present)} are given"
        return None


class WireModel(BaseModel):
    """A model of the wire. Instances do not change; ``model_copy(update=…)`` makes another."""

    model_config = ConfigDict(
        strict=True,
        extra="forbid",
        frozen=True,
        validate_by_name=True,
        validate_by_alias=True,
        allow_inf_nan=False,
        protected_namespaces=(),
        defer_build=True,
        hide_input_in_errors=True,
        str_max_length=2**31
        - 1,  # any bound makes pydantic refuse lone surrogates, which JSON text cannot carry
    )
    __rules__: ClassVar[tuple[Rule, ...]] = ()
    """Rules across fields, from the spec."""
    __null_ok__: ClassVar[frozenset[str]] = frozenset()
    """Python names of the fields that may be left out and may also be null."""
    __secret__: ClassVar[frozenset[str]] = frozenset()
    """Python names of the fields whose values nothing may show."""

    def __repr_args__(self) -> Any:
        hidden = self.__secret__
        return [(name, "…" if name in hidden else value) for name, value in super().__repr_args__()]

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Refuse null where a field may only be left out, and add the rules; see DESIGN section 4,
        "Strict".
        """
        schema = handler(source)
        model: Any = handler.resolve_ref_schema(schema)
        inner = model["schema"]
        for name, field in inner["fields"].items():
            default = field["schema"]
            if default["type"] != "default" or default["schema"]["type"] != "nullable":
                continue
            if default.get("default", ...) is None and name not in cls.__null_ok__:
                default["schema"] = core_schema.no_info_before_validator_function(
                    _refuse_null, default["schema"]
                )
        if cls.__rules__:
            model["schema"] = core_schema.no_info_after_validator_function(cls._hold_to_rules, inner)
        return schema

    @classmethod
    def _hold_to_rules(cls, value: Any) -> Any:
        given = frozenset(cls.model_fields[name].alias or name for name in value[2])
        for rule in cls.__rules__:
            if problem := rule.problem(given):
                raise PydanticCustomError("wire_rule", "{problem}", {"problem": problem})
        return value

    @classmethod
    def from_wire(cls, document: Any) -> Self:
        """Read a parsed JSON document. Raises :class:`WireError`, which lists every problem."""
        try:
            read: Self = cls.__pydantic_validator__.validate_python(document, by_alias=True, by_name=False)
            return read
        except ValidationError as refusal:
            return _second_reading(cls, document, refusal)

    @classmethod
    def from_answer(cls, document: Any) -> Self:
        """Read what a runtime answered that may be of a later version: a field that is not known here is left out.

        Raises :class:`WireError` for everything else that does not fit."""
        while True:
            try:
                return cls.model_validate(document, by_alias=True, by_name=False)
            except ValidationError as refusal:
                unknown = [error["loc"] for error in refusal.errors() if error["type"] == "extra_forbidden"]
                if not unknown:
                    return _second_reading(cls, document, refusal)
                for place in unknown:
                    document = _without(document, locate(cls, place).path)

    @classmethod
    def from_wire_json(cls, document: bytes | str) -> Self:
        """Read JSON text; duplicate keys and numbers that JSON does not have are refused."""
        return cls.from_wire(parse(document))

    def to_wire(self) -> dict[str, Any]:
        """The JSON document as Python values: what was left out stays out."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)

    def shown(self) -> dict[str, Any]:
        """The document as it may be shown: in place of a secret, what is behind it is told."""
        hidden = {type(self).model_fields[name].alias or name for name in self.__secret__}
        return {name: "(secret)" if name in hidden else value for name, value in self.to_wire().items()}

    def to_wire_json(self) -> bytes:
        """The JSON document as UTF-8, written in one pass."""
        return self.__pydantic_serializer__.to_json(self, by_alias=True, exclude_unset=True)


def _refuse_null(value: Any) -> Any:
    if value is None:
        raise PydanticCustomError("wire_null", "may be left out but not null")
    return value


def _second_reading(model: type[M], document: Any, refusal: ValidationError) -> M:
    """Read whole floats as the integers JSON Schema equates them with, if that is what the refusal is about;
    else raise.
    """
    whole = [
        (locate(model, error["loc"]).path, int(error["input"]))
        for error in refusal.errors(include_url=False)
        if error["type"] == "int_type" and isinstance(error["input"], float) and error["input"].is_integer()
    ]
    if whole:
        for path, value in whole:
            document = _with(document, path, value)
        try:
            return model.model_validate(document, by_alias=True, by_name=False)
        except ValidationError as second:
            refusal = second
    found = describe(refusal, model)
    if model.__rules__ and isinstance(document, dict) and not any(item.kind == "rule" for item in found):
        given = frozenset(document)
        broken = [rule.problem(given) for rule in model.__rules__]
        found += [Problem("", text, "rule") for text in broken if text]
    raise WireError(found) from None


def _without(document: Any, path: tuple[str | int, ...]) -> Any:
    """A copy of the document that lacks what is at the path."""
    if len(path) == 1:
        return {name: value for name, value in document.items() if name != path[0]}
    return _with(document, path[:1], _without(document[path[0]], path[1:]))


def _with(document: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """A copy of the document, sharing what is beside the path, with another value at it."""
    if not path:
        return value
    copy = document.copy()
    copy[path[0]] = _with(document[path[0]], path[1:], value)
    return copy
