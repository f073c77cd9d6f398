"""Kept releases under ``specs/released/``, the breaks announced since, and the names that stay reserved.

``<version>.json`` is the surface of a release, ``announced.yaml`` names each break that the next one is meant to have, and why.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ade_runtime.strict_yaml.reader import Mapping, Node, Scalar, Sequence, decode, read
from codegen.compat.compare import compare
from codegen.compat.findings import Finding, of_level
from codegen.compat.sources import RELEASED, last_release, read_kept
from codegen.compat.surface import Surface, kept, names, surface
from codegen.compat.versions import version
from codegen.diagnostics import Sink, SpecErrors
from codegen.failure import GenerationError
from codegen.ir import Span, Specs
from codegen.wording import did_you_mean, quote

ANNOUNCED = "announced.yaml"
_KEYS = ("rule", "where", "why")


@dataclass(frozen=True, slots=True)
class Announcement:
    """A break that is meant. ``where`` may end in ``*`` for everything that begins so."""

    rule: str
    where: str
    why: str
    span: Span

    def covers(self, finding: Finding) -> bool:
        if self.rule != finding.rule:
            return False
        begins = self.where.removesuffix("*")
        return finding.where.startswith(begins) if self.where.endswith("*") else finding.where == self.where


@dataclass(frozen=True, slots=True)
class Verdict:
    """Every finding since the release ``since``, the breaks nobody announced, and announcements of what does not break."""

    since: str
    findings: tuple[Finding, ...]
    unannounced: tuple[Finding, ...]
    stale: tuple[Announcement, ...]


def judge(root: Path, specs: Specs) -> Verdict | None:
    """Hold specs to the last release; ``None`` where none is kept. Raises ``SpecErrors`` for a faulty announced.yaml."""
    announced = read_announced(root)
    try:
        path = last_release(root)
    except GenerationError:
        return None
    old = read_kept(path)
    findings = compare(old, surface(specs), package_version(root))
    breaks = of_level(findings, "breaking")
    unannounced = [one for one in breaks if not any(said.covers(one) for said in announced)]
    stale = [said for said in announced if not any(said.covers(one) for one in breaks)]
    return Verdict(old["version"], findings, tuple(unannounced), tuple(stale))


def read_announced(root: Path) -> tuple[Announcement, ...]:
    """The announcements, in their order; none where there is no file."""
    from codegen.compat.rules import RULES

    path = root / RELEASED / ANNOUNCED
    name = (RELEASED / ANNOUNCED).as_posix()
    if not path.exists():
        return ()
    sink = Sink()
    text = decode(path.read_bytes(), name, sink)
    node = None if text is None else read(text, name, sink)
    listed = None if node is None else node.get("announced")
    found = [
        one
        for item in (listed.items if isinstance(listed, Sequence) else ())
        if (one := _announcement(item, sink)) is not None
    ]
    if node is not None and not isinstance(listed, Sequence):
        sink.add(node.span, "wrong-type", "a list of announcements belongs at announced", "announced: []")
    for one in found:
        if one.rule not in RULES:
            message = f"there is no rule {quote(one.rule)}{did_you_mean(one.rule, RULES)}"
            sink.add(one.span, "unknown-rule", message)
    if sink.items:
        raise SpecErrors(sink.items, {name: text or ""})
    return tuple(found)


def _announcement(node: Node, sink: Sink) -> Announcement | None:
    values = {key: _text(node, key) for key in _KEYS}
    if isinstance(node, Mapping) and set(node.entries) == set(_KEYS) and all(values.values()):
        return Announcement(values["rule"], values["where"], values["why"], node.span)
    message = "an announcement is rule, where and why, each a text"
    sink.add(node.span, "wrong-type", message, "{rule: field-removed, where: lane.create.base, why: …}")
    return None


def _text(node: Node, key: str) -> str:
    found = node.get(key) if isinstance(node, Mapping) else None
    return found.value.strip() if isinstance(found, Scalar) and isinstance(found.value, str) else ""


def package_version(root: Path) -> str:
    """The version the project is about to be, from its ``pyproject.toml``; ``0`` where it says none."""
    import tomllib

    try:
        project: Any = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
        return str(project["project"]["version"])
    except (OSError, ValueError, KeyError):
        return "0"


def keep(root: Path, specs: Specs, number: str) -> tuple[Path, int]:
    """Keep the surface as that of a release: its file, and how many names of former ones stay reserved.

    A version is kept again only while it is the last one. Raises :class:`GenerationError` otherwise.
    """
    folder = root / RELEASED
    folder.mkdir(parents=True, exist_ok=True)
    before: Surface | None = None
    for path in sorted(folder.glob("[0-9]*.json"), key=lambda path: version(path.stem)):
        if version(path.stem) > version(number):
            raise GenerationError(f"{path.stem} is kept already and is later than {number}")
        if version(path.stem) < version(number):
            before = read_kept(path)
    now = surface(specs)
    document = kept(now, number)
    document["retired"] = {} if before is None else retired(before, now, number)
    target = folder / f"{number}.json"
    target.write_text(
        json.dumps(document, indent=1, sort_keys=True, ensure_ascii=True) + "\n", encoding="utf-8"
    )
    return target, len(document["retired"])


def retired(before: Surface, now: Surface, number: str) -> dict[str, str]:
    """Names of former releases that are gone, each with the release it was gone from first."""
    gone = {name: number for name in names(before) if name not in names(now)}
    return dict(sorted({**gone, **before.get("retired", {})}.items()))
