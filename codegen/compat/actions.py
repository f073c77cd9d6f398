"""Compares actions: who may call them, under which names, with what, and what they may end with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from codegen.compat.findings import Findings
from codegen.compat.shapes import AT
from codegen.compat.values import Spot, Values

Entry = dict[str, Any]
_EFFECTS = ("read", "write", "destructive", "secret")
_RETRIES = ("none", "request_id", "natural")


@dataclass(slots=True)
class Actions:
    """``ranks`` are those of the roles before and after; ``gone`` tells whether a deprecated thing may be gone by now."""

    findings: Findings
    inputs: Values
    outputs: Values
    ranks: tuple[dict[str, int], dict[str, int]]
    gone: Callable[[Entry], bool]

    def compare(self, before: dict[str, Entry], after: dict[str, Entry]) -> None:
        for name in sorted(before.keys() - after.keys()):
            rule = "retired-as-announced" if self.gone(before[name]) else "action-removed"
            self.findings.add(rule, name, "is gone", before[name]["at"])
        for name in sorted(after.keys() - before.keys()):
            self.findings.add("action-added", name, "is new", after[name]["at"])
        for name in sorted(before.keys() & after.keys()):
            old, new = before[name], after[name]
            spot = Spot(name, new["at"])
            for part in (_names, _permission, _visibility, _limits, _retries, _errors, _rules):
                part(self, old, new, spot)
            self._fields(old, new, spot)
            self.outputs.compare(old["output"], new["output"], Spot(f"{name} output", new["output"][AT]))

    def say(self, rule: str, spot: Spot, message: str) -> None:
        self.findings.add(rule, spot.where, message, spot.at)

    def _fields(self, old: Entry, new: Entry, spot: Spot) -> None:
        before, after = old["fields"], new["fields"]
        for name in sorted(before.keys() - after.keys()):
            rule = "retired-as-announced" if self.gone(before[name]) else "field-removed"
            self.findings.add(rule, f"{spot.where}.{name}", "is gone", spot.at)
        for name in sorted(after.keys() - before.keys()):
            rule = "field-added-required" if after[name]["required"] else "field-added"
            self.findings.add(rule, f"{spot.where}.{name}", "is new", after[name]["at"])
        for name in sorted(before.keys() & after.keys()):
            self._field(before[name], after[name], Spot(f"{spot.where}.{name}", after[name]["at"]))
        was, now = old["positional"], new["positional"]
        if was != now[: len(was)] and set(was) <= after.keys():
            message = f"were {', '.join(was)}, are {', '.join(now) or 'none'}"
            self.say("positional-moved", spot, f"the words of the command {message}")

    def _field(self, old: Entry, new: Entry, spot: Spot) -> None:
        if old["required"] != new["required"]:
            now = new["required"]
            message = "must be given now" if now else "may be left out now"
            self.say("field-now-required" if now else "field-now-optional", spot, message)
        elif old["default"] != new["default"]:
            self.say("default-changed", spot, f"left out it was {old['default']}, is {new['default']}")
        if old["secret"] != new["secret"]:
            self.say("secret-changed", spot, f"is {'now' if new['secret'] else 'no longer'} a secret")
        if old["duration"] != new["duration"]:
            written = "a duration such as 90s" if new["duration"] else "a number"
            self.say("flag-meaning", spot, f"is now written as {written}")
        for flag in old["flags"]:
            if flag not in new["flags"]:
                self.say("flag-removed", spot, f"the option {flag} is gone")
        for flag in new["flags"]:
            if flag not in old["flags"]:
                self.say("flag-added", spot, f"the option {flag} is new")
        _deprecation(self, old, new, spot)
        self.inputs.compare(old["shape"], new["shape"], spot)


def _names(to: Actions, old: Entry, new: Entry, spot: Spot) -> None:
    if old["tool"] != new["tool"]:
        to.say("tool-renamed", spot, f"the tool was {old['tool']}, is {new['tool']}")
    for word in old["commands"]:
        if word not in new["commands"]:
            to.say("command-removed", spot, f"ade {word} is gone")
    for word in new["commands"]:
        if word not in old["commands"]:
            to.say("command-added", spot, f"ade {word} is new")
    _deprecation(to, old, new, spot)


def _deprecation(to: Actions, old: Entry, new: Entry, spot: Spot) -> None:
    if new.get("deprecated") and not old.get("deprecated"):
        to.say("deprecated", spot, f"since {new['deprecated']['since']}")


def _permission(to: Actions, old: Entry, new: Entry, spot: Spot) -> None:
    was, now = _EFFECTS.index(old["effect"]), _EFFECTS.index(new["effect"])
    if was != now:
        rule = "effect-raised" if now > was else "effect-lowered"
        to.say(rule, spot, f"the effect was {old['effect']}, is {new['effect']}")
    if old["scope"] != new["scope"]:
        rule = "scope-narrowed" if new["scope"] == "project" else "scope-widened"
        to.say(rule, spot, f"the scope was {old['scope']}, is {new['scope']}")
    if old["target"] != new["target"]:
        changed = [key for key in new["target"] if old["target"].get(key) != new["target"][key]]
        to.say("target-changed", spot, f"the target's {', '.join(changed)} changed")
    if old.get("moves_refs", False) != new["moves_refs"]:
        to.say("moves-refs-changed", spot, f"it {'may' if new['moves_refs'] else 'does not'} move other refs")


def _visibility(to: Actions, old: Entry, new: Entry, spot: Spot) -> None:
    """Seen by roles and sessions, from a lowest role, with capabilities, not in some chats."""
    fewer: list[str] = []
    more: list[str] = []
    for word, was, now in (
        ("roles", set(old["roles"]), set(new["roles"])),
        ("sessions", _sessions(old["modes"]), _sessions(new["modes"])),
    ):
        _sets(fewer, f"{word} lost", was - now if "any" not in now else set())
        _sets(more, f"{word} gained", now - was if "any" not in was else set())
    if old["owner"] != new["owner"]:
        (more if new["owner"] else fewer).append("the owner's own shell")
    for word in ("requires", "hidden_in"):
        _sets(fewer, word, set(new[word]) - set(old[word]))
        _sets(more, f"no longer {word}", set(old[word]) - set(new[word]))
    was_rank, now_rank = (
        ranks.get(entry["min_role"], -1) for ranks, entry in zip(to.ranks, (old, new), strict=True)
    )
    if was_rank != now_rank:
        (fewer if now_rank > was_rank else more).append(f"lowest role {new['min_role'] or 'none'}")
    if fewer:
        to.say("visibility-narrowed", spot, "; ".join(fewer))
    if more:
        to.say("visibility-widened", spot, "; ".join(more))


def _sessions(modes: list[str]) -> set[str]:
    return set(modes) or {"any"}


def _sets(into: list[str], word: str, names: set[str]) -> None:
    if names:
        into.append(f"{word}: {', '.join(sorted(names))}")


def _limits(to: Actions, old: Entry, new: Entry, spot: Spot) -> None:
    was, now = old["limits"], new["limits"]
    if was != now:
        rule = "limit-tightened" if _tighter(was, now) else "limit-relaxed"
        to.say(rule, spot, f"was {_limit(was)}, is {_limit(now)}")
    if old["timeout"] != new["timeout"]:
        rule = "timeout-shortened" if new["timeout"] < old["timeout"] else "timeout-lengthened"
        to.say(rule, spot, f"was {old['timeout']:g} s, is {new['timeout']:g} s")


def _tighter(old: list[Entry], new: list[Entry]) -> bool:
    """Whether some calls are refused that were let through: there are more limits, or one lets fewer pass at once or in the
    long run, or more callers share it."""
    return len(new) > len(old) or any(
        now["calls"] < was["calls"]
        or now["calls"] / now["window"] < was["calls"] / was["window"]
        or (was["per"] == "session" and now["per"] == "machine")
        for was, now in zip(old, new, strict=False)
    )


def _limit(limits: list[Entry]) -> str:
    said = [f"{one['calls']} in {one['window']:g} s a {one['per']}" for one in limits]
    return " and ".join(said) or "no limit"


def _retries(to: Actions, old: Entry, new: Entry, spot: Spot) -> None:
    was, now = _RETRIES.index(old["idempotency"]), _RETRIES.index(new["idempotency"])
    if was != now:
        rule = "retry-safer" if now > was else "retry-unsafe"
        to.say(rule, spot, f"idempotency was {old['idempotency']}, is {new['idempotency']}")


def _errors(to: Actions, old: Entry, new: Entry, spot: Spot) -> None:
    for code in sorted(set(new["errors"]) - set(old["errors"])):
        to.say("error-added", spot, f"can fail with {code}")
    for code in sorted(set(old["errors"]) - set(new["errors"])):
        to.say("error-removed", spot, f"no longer fails with {code}")


def _rules(to: Actions, old: Entry, new: Entry, spot: Spot) -> None:
    was = {(rule["kind"], tuple(rule["fields"])): rule for rule in old["rules"]}
    now = {(rule["kind"], tuple(rule["fields"])): rule for rule in new["rules"]}
    for key in sorted(now.keys() - was.keys()):
        to.say("rule-added", Spot(spot.where, now[key].get(AT, spot.at)), f"{key[0]} of {', '.join(key[1])}")
    for key in sorted(was.keys() - now.keys()):
        to.say("rule-removed", spot, f"{key[0]} of {', '.join(key[1])}")
