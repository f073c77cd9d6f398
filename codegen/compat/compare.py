"""Compares two surfaces; the findings come sorted, the worst first."""

from __future__ import annotations

from typing import Any

from codegen.compat.actions import Actions
from codegen.compat.findings import Finding, Findings
from codegen.compat.shapes import AT
from codegen.compat.surface import Surface, names
from codegen.compat.values import Spot, Values
from codegen.compat.versions import version
from codegen.emitters.schemas import DOCUMENTS

_EXITS = ("exit", "rpc")


def compare(old: Surface, new: Surface, release: str = "0") -> tuple[Finding, ...]:
    """Every difference that matters to somebody. ``release`` is the version that ``new`` will be: what was to be removed
    after an earlier one may be gone."""
    findings = Findings()
    inputs = Values("input", findings, old["types"], new["types"])
    outputs = Values("output", findings, old["types"], new["types"])
    ranks = ({name: role["rank"] for name, role in side["roles"].items()} for side in (old, new))

    def gone(entry: dict[str, Any]) -> bool:
        found = entry.get("deprecated")
        return found is not None and version(release) > version(found["remove_after"])

    before, after = ranks
    Actions(findings, inputs, outputs, (before, after), gone).compare(old["actions"], new["actions"])
    _reused(findings, old, new)
    _errors(findings, old["errors"], new["errors"])
    _names(findings, old, new, "events", "event")
    _names(findings, old, new, "environment", "variable")
    _names(findings, old, new, "roles", "role")
    _methods(findings, inputs, outputs, old, new)
    _files(inputs, outputs, old, new)
    for name in sorted(old["roles"].keys() & new["roles"].keys()):
        was, now = old["roles"][name], new["roles"][name]
        if (was["rank"], was["effects"]) != (now["rank"], now["effects"]):
            findings.add("role-changed", f"role {name}", "may do other things or stands elsewhere", now["at"])
    return findings.sorted()


def _reused(findings: Findings, old: Surface, new: Surface) -> None:
    """A name must not become another thing's: who still uses it would do something else. That holds for names given up
    before the last release, too."""
    before, retired = names(old), old.get("retired", {})
    for name, owner in sorted(names(new).items()):
        action = owner if owner in new["actions"] else owner.rpartition(".")[0]
        at = new["actions"].get(action, new["errors"].get(owner, {})).get("at", "specs:1:1")
        if before.get(name, owner) != owner:
            findings.add("name-reused", owner, f"the {name} was that of {before[name]}", at)
        elif name not in before and name in retired:
            findings.add(
                "name-reused", owner, f"the {name} was given up in {retired[name]} and stays reserved", at
            )


def _names(findings: Findings, old: Surface, new: Surface, section: str, word: str) -> None:
    with_actions = (
        old["actions"].keys() ^ new["actions"].keys()
    )  # an action's own event comes and goes with it
    for name in sorted(old[section].keys() - new[section].keys() - with_actions):
        findings.add(
            f"{word}-removed", f"{word} {name}", "is gone", old[section][name].get("at", "specs:1:1")
        )
    for name in sorted(new[section].keys() - old[section].keys() - with_actions):
        findings.add(f"{word}-added", f"{word} {name}", "is new", new[section][name].get("at", "specs:1:1"))


def _errors(findings: Findings, old: dict[str, Any], new: dict[str, Any]) -> None:
    for code in sorted(old.keys() - new.keys()):
        findings.add("error-code-removed", f"error {code}", "is gone", old[code]["at"])
    for code in sorted(new.keys() - old.keys()):
        findings.add("error-code-added", f"error {code}", "is new", new[code]["at"])
    for code in sorted(old.keys() & new.keys()):
        was, now, where = old[code], new[code], f"error {code}"
        for key in _EXITS:
            if was[key] != now[key]:
                findings.add("error-exit-changed", where, f"{key} was {was[key]}, is {now[key]}", now["at"])
        if was["retry"] != now["retry"]:
            message = f"is {'now' if now['retry'] else 'no longer'} worth a retry"
            findings.add("error-retry-changed", where, message, now["at"])
        for name, kind in was["params"].items():
            if now["params"].get(name) != kind:
                message = f"the detail {name} is {now['params'].get(name, 'gone')}"
                findings.add("error-detail-removed", where, message, now["at"])


def _files(inputs: Values, outputs: Values, old: Surface, new: Surface) -> None:
    """Types that no action or method has are those of files: some that users write, all others that ADE writes."""
    both = sorted(old["types"].keys() & new["types"].keys())
    written = [name for name in both if name in DOCUMENTS.values()]
    for values, names_of in ((inputs, written), (outputs, both)):
        for name in names_of:
            if f"type {name}" not in inputs.seen | outputs.seen:
                at = new["types"][name].get(AT, "specs:1:1")
                values.compare({"ref": name}, {"ref": name}, Spot(f"type {name}", at))


def _methods(findings: Findings, inputs: Values, outputs: Values, old: Surface, new: Surface) -> None:
    _names(findings, old, new, "methods", "method")
    for name in sorted(old["methods"].keys() & new["methods"].keys()):
        was, now = old["methods"][name], new["methods"][name]
        spot = Spot(f"method {name}", now["at"])
        if (was["kind"], was["sent_by"]) != (now["kind"], now["sent_by"]):
            message = (
                f"was a {was['kind']} of the {was['sent_by']}, is a {now['kind']} of the {now['sent_by']}"
            )
            findings.add("method-removed", spot.where, message, spot.at)
        to_client = now["sent_by"] == "server"
        if was["params"] and now["params"]:
            (outputs if to_client else inputs).compare(was["params"], now["params"], spot)
        if was["result"] and now["result"]:
            (inputs if to_client else outputs).compare(was["result"], now["result"], spot)
