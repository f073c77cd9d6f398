"""How a request to the stand-in finds who answers it, and what answers are made of."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from tests.support.github.state import Pull, Repository


class Problem(Exception):
    """An answer that says no."""

    def __init__(self, status: int, message: str, *errors: dict[str, Any], **headers: str) -> None:
        super().__init__(message)
        self.status, self.headers = status, {name.replace("_", "-"): value for name, value in headers.items()}
        self.body: dict[str, Any] = {"message": message, "documentation_url": "https://docs.github.com/rest"}
        if errors:
            self.body["errors"] = list(errors)


@dataclass
class Ask:
    """One request. ``login`` is whose token came with it."""

    repository: Repository
    login: str
    base: str
    query: dict[str, str]
    body: dict[str, Any]


@dataclass
class Page:
    """A list, of which a page is answered; ``wrap`` makes the document of it."""

    items: list[Any]
    wrap: Callable[[list[Any]], Any] = lambda items: items


Handler = Callable[..., Any]
ROUTES: list[tuple[str, re.Pattern[str], int, Handler]] = []


def route(method: str, path: str, status: int = 200) -> Callable[[Handler], Handler]:
    part = {"branch": ".+", "ref": ".+"}
    pattern = re.compile(
        re.sub(r"\{(\w+)\}", lambda f: f"(?P<{f[1]}>{part.get(f[1], '[^/]+')})", path) + r"\Z"
    )

    def add(handler: Handler) -> Handler:
        ROUTES.append((method, pattern, status, handler))
        return handler

    return add


def body_of(ask: Ask, model: Any) -> dict[str, Any]:
    """The request's body, refused where the description does not allow it."""
    try:
        model.model_validate(ask.body)
    except ValidationError as problem:
        where = ".".join(map(str, problem.errors()[0]["loc"]))
        raise Problem(422, f"Invalid request. {where}: {problem.errors()[0]['msg']}") from None
    unknown = set(ask.body) - {field.alias or name for name, field in model.model_fields.items()}
    if unknown:
        raise Problem(422, f"Invalid request. {sorted(unknown)} is not a permitted key.")
    return ask.body


def user(login: str) -> dict[str, Any]:
    url = f"https://github.com/{login}"
    return {"login": login, "id": abs(hash(login)) % 10**6, "type": "User", "html_url": url, "url": url}


def found(ask: Ask, number: str) -> Pull:
    pull = ask.repository.pull(int(number))
    if pull is None:
        raise Problem(404, "Not Found")
    return pull
