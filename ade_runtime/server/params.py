"""Reading the parameters of a method by hand: a few fields, each with one type, nothing else let through."""

from __future__ import annotations

import math
from typing import NoReturn

from ade_generated import errors
from ade_runtime.contracts import JsonObject

TEXT_LIMIT = 4096


class Params:
    """Takes known fields out of one object; :meth:`end` refuses what is left."""

    __slots__ = ("_method", "_taken", "_values")

    def __init__(self, method: str, values: JsonObject) -> None:
        self._method = method
        self._values = values
        self._taken: list[str] = []

    def text(self, name: str) -> str:
        """A required text."""
        found = self.maybe(name)
        if found is None:
            self._refuse(name, "is required")
        return found

    def maybe(self, name: str) -> str | None:
        """A text that may be absent or null."""
        self._taken.append(name)
        found = self._values.get(name)
        if found is None:
            return None
        if type(found) is not str:
            self._refuse(name, "must be a text")
        if len(found) > TEXT_LIMIT or "\0" in found:
            self._refuse(name, f"must have at most {TEXT_LIMIT} characters and no NUL")
        return found

    def object(self, name: str) -> JsonObject:
        """An object; absent or null is the empty one."""
        self._taken.append(name)
        found = self._values.get(name)
        if found is None:
            return {}
        if type(found) is not dict:
            self._refuse(name, "must be an object")
        return found

    def seconds(self, name: str) -> float | None:
        """A positive number of milliseconds, as seconds."""
        self._taken.append(name)
        found = self._values.get(name)
        if found is None:
            return None
        if type(found) not in (int, float) or not math.isfinite(found) or found <= 0:
            self._refuse(name, "must be a positive number of milliseconds")
        return float(found) / 1000

    def end(self) -> None:
        """Refuse fields that nobody took."""
        for name in self._values:
            if name not in self._taken:
                import difflib

                close = difflib.get_close_matches(name[:100], self._taken, n=1)
                meant = f"; did you mean {close[0]}?" if close else f"; fields: {', '.join(self._taken)}"
                self._refuse(name[:100], f"is not a field of {self._method}{meant}")

    def _refuse(self, name: str, why: str) -> NoReturn:
        raise errors.InvalidArguments(
            problem=f"{name} {why}",
            action=self._method,
            details={"problems": [{"path": name, "message": why}]},
            hint=f"See the reference of {self._method}.",
        )
