"""Whole documents of GitHub's REST interface from the values that matter: the rest is made up, and all of it is held to the
generated models of the published description."""

from __future__ import annotations

import copy
import types
import typing
from datetime import datetime
from functools import cache
from typing import Any, Literal, get_args, get_origin

from githubkit.utils import UNSET
from pydantic import BaseModel

MOMENT = "2026-01-02T03:04:05Z"
ADDRESS = "https://github.com"

OLDER: dict[str, dict[str, Any]] = {
    "PullRequest": {"assignee": None, "merge_commit_sha": None},
    "PullRequestSimple": {"assignee": None, "merge_commit_sha": None},
    "Repository": {"has_downloads": True},
    "FullRepository": {"has_downloads": True},
}
"""What the version of the interface that ADE asks for has beside what the models know, which are of a later one."""


def document(model: Any, values: dict[str, Any]) -> dict[str, Any]:
    """A valid document with these values; raises ``ValidationError`` or ``AssertionError`` where they do not fit the model."""
    made = _filled(model, values)
    model.model_validate(made)
    return made


def documents(model: Any, many: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [document(model, values) for values in many]


def _filled(model: type[BaseModel], values: dict[str, Any]) -> dict[str, Any]:
    older = OLDER.get(model.__name__, {})
    made = copy.deepcopy(_blank(model) | older)
    fields = {field.alias or name: field for name, field in model.model_fields.items()}
    for name, value in values.items():
        assert name in fields or name in older, f"{model.__name__} has no {name}"
        made[name] = _fitted(fields[name].annotation, value) if name in fields else value
    return made


@cache
def _blank(model: type[BaseModel]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for field_name, field in model.model_fields.items():
        name = field.alias or field_name
        if field.is_required():
            made[name] = _made(field.annotation, name)
        elif field.default is not UNSET:  # GitHub requires it, and the model knows what it usually is
            made[name] = field.default
    return made


def _fitted(annotation: Any, value: Any) -> Any:
    if isinstance(value, list):
        return [_fitted(annotation, one) for one in value]
    if not isinstance(value, dict):
        return value
    for model in _models(annotation):
        known = {field.alias or name for name, field in model.model_fields.items()}
        if value.keys() <= known | OLDER.get(model.__name__, {}).keys():
            return _filled(model, value)
    return value


def _models(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in _models(part)]


def _made(annotation: Any, name: str = "") -> Any:
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        return None if type(None) in parts else _made(parts[0], name)
    if annotation is type(None):
        return None
    if origin is Literal:
        return parts[0]
    if origin is list:
        return []
    if origin is not None and hasattr(annotation, "__metadata__"):
        return _made(parts[0], name)
    if annotation is str and name.endswith("url"):
        return ADDRESS
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return _filled(annotation, {})
    simple: dict[Any, Any] = {str: "", int: 0, float: 0.0, bool: False, datetime: MOMENT, dict: {}}
    return simple.get(annotation, {} if origin is dict else "")
