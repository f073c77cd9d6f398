"""Compares what a value may be, before and after, as something that callers send or that they get."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from codegen.compat.findings import Findings
from codegen.compat.shapes import AT, Shape

Direction = Literal["input", "output"]


@dataclass(frozen=True, slots=True)
class Spot:
    """A place that is compared: its name, and where it stands where a shape does not know itself."""

    where: str
    at: str

    def inner(self, name: str, shape: Shape) -> Spot:
        return Spot(f"{self.where}{name}", shape.get(AT, self.at))


@dataclass(slots=True)
class Values:
    """Compares values of one direction, each shared type once."""

    direction: Direction
    findings: Findings
    before: Mapping[str, Shape]
    after: Mapping[str, Shape]
    seen: set[str] = field(default_factory=set)

    def compare(self, old: Shape, new: Shape, spot: Spot) -> None:
        """Report every way in which ``new`` takes or gives something else than ``old``."""
        was, was_null = self._resolved(old, self.before)
        now, now_null = self._resolved(new, self.after)
        if was_null != now_null:
            if now_null:
                self._wider(spot, "may now be null")
            else:
                self._narrower(spot, "may no longer be null")
        if "ref" in new and old.get("ref") == new["ref"]:
            name = f"type {new['ref']}"
            if name in self.seen:
                return
            self.seen.add(name)
            spot = Spot(name, now.get(AT, spot.at))
        if was.get("kind") != now.get("kind"):
            self._kind(str(was.get("kind")), str(now.get("kind")), spot)
            return
        compare = getattr(self, f"_{now['kind']}", None)
        if compare is not None:
            compare(was, now, spot)

    def _resolved(self, shape: Shape, types: Mapping[str, Shape]) -> tuple[Shape, bool]:
        null = shape.get("null", False)
        while "ref" in shape and shape["ref"] in types:
            shape = types[shape["ref"]]
            null = null or shape.get("null", False)
        return shape, null

    def _kind(self, old: str, new: str, spot: Spot) -> None:
        if (old, new) == ("integer", "number"):
            self._wider(spot, "may now be any number, not only an integer")
        elif (old, new) == ("number", "integer"):
            self._narrower(spot, "is now an integer, not any number")
        else:
            self.findings.add(f"{self.direction}-type", spot.where, f"was {old}, is {new}", spot.at)

    def _string(self, old: Shape, new: Shape, spot: Spot) -> None:
        self._choices(old.get("values"), new.get("values"), spot)
        self._bound(old.get("shortest"), new.get("shortest"), "fewest characters", spot, low=True)
        self._bound(old.get("longest"), new.get("longest"), "most characters", spot, low=False)
        for word in ("pattern", "format"):
            self._filter(old.get(word), new.get(word), word, spot)

    def _choices(self, old: list[str] | None, new: list[str] | None, spot: Spot) -> None:
        if old == new:
            return
        if old is None:
            self._narrower(spot, f"is now one of {', '.join(new or [])}")
        elif new is None:
            self._wider(spot, "may now be any text")
        else:
            if gone := [value for value in old if value not in new]:
                self._narrower(spot, f"is no longer {', '.join(gone)}")
            if come := [value for value in new if value not in old]:
                self._wider(spot, f"may now be {', '.join(come)}")

    def _filter(self, old: str | None, new: str | None, word: str, spot: Spot) -> None:
        """A pattern or format: between two of them nothing can be proved, so the worse is said."""
        if old == new:
            return
        if old is None or (new is not None and self.direction == "input"):
            self._narrower(spot, f"must now have the {word} {new}")
        elif new is None or self.direction == "output":
            self._wider(spot, f"need no longer have the {word} {old}")

    def _bound(self, old: Any, new: Any, word: str, spot: Spot, *, low: bool) -> None:
        if old == new:
            return
        tighter = new is not None and (old is None or (new > old if low else new < old))
        change = f"{word}: {'any' if old is None else old}, now {'any' if new is None else new}"
        if tighter:
            self._narrower(spot, change)
        else:
            self._wider(spot, change, of_range=True)

    def _integer(self, old: Shape, new: Shape, spot: Spot) -> None:
        self._number(old, new, spot)

    def _number(self, old: Shape, new: Shape, spot: Spot) -> None:
        for low, closed, opened, word in (
            (True, "minimum", "above", "least"),
            (False, "maximum", "below", "greatest"),
        ):
            was, now = (_end(shape, closed, opened, low) for shape in (old, new))
            if was == now:
                continue
            change = f"{word}: {_said(old, closed, opened)}, now {_said(new, closed, opened)}"
            if (now > was) == low:
                self._narrower(spot, change)
            else:
                self._wider(spot, change, of_range=True)

    def _array(self, old: Shape, new: Shape, spot: Spot) -> None:
        self._bound(old.get("fewest"), new.get("fewest"), "fewest items", spot, low=True)
        self._bound(old.get("most"), new.get("most"), "most items", spot, low=False)
        if new.get("unique") and not old.get("unique"):
            self._narrower(spot, "no two items may be alike any more")
        if old.get("unique") and not new.get("unique"):
            self._wider(spot, "two items may now be alike")
        self.compare(old["items"], new["items"], spot.inner("[]", new["items"]))

    def _map(self, old: Shape, new: Shape, spot: Spot) -> None:
        was, now = old.get("of"), new.get("of")
        if was is None and now is not None:
            self._narrower(spot, "no longer holds any JSON")
        elif now is None and was is not None:
            self._wider(spot, "now holds any JSON")
        elif was is not None and now is not None:
            self.compare(was, now, spot.inner("{}", now))

    def _object(self, old: Shape, new: Shape, spot: Spot) -> None:
        before, after = old.get("fields", {}), new.get("fields", {})
        for name in before.keys() - after.keys():
            rule = "field-removed" if self.direction == "input" else "output-field-removed"
            self.findings.add(rule, f"{spot.where}.{name}", "is gone", spot.at)
        for name in after.keys() - before.keys():
            inner = spot.inner(f".{name}", after[name])
            rule = "output-field-added"
            if self.direction == "input":
                rule = "field-added-required" if name in new.get("required", ()) else "field-added"
            self.findings.add(rule, inner.where, "is new", inner.at)
        for name in after.keys() & before.keys():
            inner = spot.inner(f".{name}", after[name])
            self._presence(name in old.get("required", ()), name in new.get("required", ()), inner)
            self.compare(before[name], after[name], inner)

    def _presence(self, was: bool, now: bool, spot: Spot) -> None:
        if was == now:
            return
        if self.direction == "input":
            rule = "field-now-required" if now else "field-now-optional"
            message = "must be given now" if now else "may be left out now"
            self.findings.add(rule, spot.where, message, spot.at)
        elif now:
            self._narrower(spot, "is always there now")
        else:
            self._wider(spot, "may be absent now")

    def _union(self, old: Shape, new: Shape, spot: Spot) -> None:
        if old["tag"] != new["tag"]:
            message = f"was told apart by {old['tag']}, is by {new['tag']}"
            self.findings.add(f"{self.direction}-type", spot.where, message, spot.at)
            return
        before, after = self._tagged(old, self.before), self._tagged(new, self.after)
        if gone := sorted(before.keys() - after.keys()):
            self._narrower(spot, f"{new['tag']} is no longer {', '.join(gone)}")
        if come := sorted(after.keys() - before.keys()):
            self._wider(spot, f"{new['tag']} may now be {', '.join(come)}")
        for tag in sorted(before.keys() & after.keys()):
            self.compare(before[tag], after[tag], spot.inner(f"({tag})", after[tag]))

    def _tagged(self, union: Shape, types: Mapping[str, Shape]) -> dict[str, Shape]:
        found = {}
        for branch in union["branches"]:
            fields = self._resolved(branch, types)[0].get("fields", {})
            tag = self._resolved(fields.get(union["tag"], {}), types)[0]
            found[str((tag.get("values") or [branch.get("ref")])[0])] = branch
        return found

    def _narrower(self, spot: Spot, message: str) -> None:
        self.findings.add(f"{self.direction}-narrowed", spot.where, message, spot.at)

    def _wider(self, spot: Spot, message: str, *, of_range: bool = False) -> None:
        rule = (
            "output-range-widened" if of_range and self.direction == "output" else f"{self.direction}-widened"
        )
        self.findings.add(rule, spot.where, message, spot.at)


def _end(shape: Shape, closed: str, opened: str, low: bool) -> tuple[float, int]:
    """An end of a range so that ends compare; an open end lies a little further inside than the closed one."""
    inside = 1 if low else -1
    if shape.get(opened) is not None:
        return shape[opened], inside
    return (
        (shape[closed], 0) if shape.get(closed) is not None else (float("-inf") if low else float("inf"), 0)
    )


def _said(shape: Shape, closed: str, opened: str) -> str:
    if shape.get(opened) is not None:
        return f"{opened} {shape[opened]}"
    return str(shape.get(closed, "any"))
