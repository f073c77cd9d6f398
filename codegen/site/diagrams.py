"""The way of a call and the domains as inline SVG. Colours come from the style sheet, so that they follow light and dark.

Each drawing exists for wide and for narrow windows; the style sheet shows one. Shapes carry links, and a list beside the
drawing says the same in words.
"""

from __future__ import annotations

import html
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from codegen import ir
from codegen.site.pages import domain_page, error_place, link

EFFECTS = ("read", "write", "destructive", "secret")


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of a call. ``module`` is where it is under ``ade_runtime/pipeline``; ``refusals`` are errors it ends with."""

    name: str
    module: str
    says: str
    refusals: tuple[str, ...] = ()


PIPELINE = (
    Stage("Who asks?", "identify", "What can be verified, never what a caller says.", ("policy_denied",)),
    Stage("Visible?", "visibility", "Its toolset, what it needs, where it is hidden.", ("unknown_action",)),
    Stage("Allowed?", "permission", "What the action does, against the role.", ("policy_denied",)),
    Stage("Valid?", "validation", "Every field and rule; all problems at once.", ("invalid_arguments",)),
    Stage("Within rate?", "rate_limit", "Sliding windows, counted by identity.", ("rate_limited",)),
    Stage("Done before?", "receipt", "The same request id gets the same answer.", ("request_in_progress",)),
    Stage("Which project?", "scope", "The project that the call is about.", ("project_required",)),
    Stage("The work", "execute", "The action's handler, within its time limit.", ("timed_out",)),
    Stage("Remember", "record", "Event and audit; then the answer goes out."),
)


def pipeline(path: str, specs: ir.Specs) -> Markup:
    """The stages of a call and what each refuses with, across and from top to bottom."""
    known = [(stage, [code for code in stage.refusals if code in specs.errors]) for stage in PIPELINE]
    return Markup(_across(path, known) + _down(path, known))


def _across(path: str, stages: Sequence[tuple[Stage, list[str]]]) -> str:
    """Two rows, the second read from left to right like the first."""
    per_row = math.ceil(len(stages) / 2)
    width, height, gap = 172, 56, 26
    total = per_row * width + (per_row - 1) * gap + 4
    out = []
    for number, (stage, codes) in enumerate(stages):
        row, column = divmod(number, per_row)
        x, y = 2 + column * (width + gap), 2 + row * 150
        out.append(_stage(path, stage, codes, x, y, width, height))
        if column + 1 < per_row and number + 1 < len(stages):
            out.append(_arrow(x + width, y + height / 2, x + width + gap - 2, y + height / 2))
    turn = 2 + height + 62
    last, first = 2 + (per_row - 1) * (width + gap) + width / 2, 2 + width / 2
    out.append(
        f'<path class="arrow" d="M{last + 70} {2 + height} V{turn} H{first} V{turn + 26}" marker-end="url(#head-wide)"/>'
    )
    return _svg(
        "wide", total, 264, "The way of a call", "Each stage in its order, with the errors it ends with.", out
    )


def _down(path: str, stages: Sequence[tuple[Stage, list[str]]]) -> str:
    width, height, step = 150, 52, 78
    out = []
    for number, (stage, codes) in enumerate(stages):
        y = 2 + number * step
        out.append(_stage(path, stage, codes, 2, y, width, height, beside=True))
        if number + 1 < len(stages):
            out.append(_arrow(2 + width / 2, y + height, 2 + width / 2, y + step - 2, "narrow"))
    total = len(stages) * step
    return _svg(
        "narrow",
        330,
        total,
        "The way of a call",
        "Each stage in its order, with the errors it ends with.",
        out,
    )


def _stage(
    path: str,
    stage: Stage,
    codes: Sequence[str],
    x: float,
    y: float,
    width: float,
    height: float,
    *,
    beside: bool = False,
) -> str:
    out = f'<rect class="stage" x="{x}" y="{y}" width="{width}" height="{height}" rx="10"/>'
    out += f'<text class="name" x="{x + width / 2}" y="{y + height / 2 - 4}">{_text(stage.name)}</text>'
    out += f'<text class="small" x="{x + width / 2}" y="{y + height / 2 + 15}">{_text(stage.module)}</text>'
    for number, code in enumerate(codes):
        if beside:
            px, py, start = x + width + 26, y + height / 2 + 4 + number * 16, "start"
            out += _arrow(x + width, y + height / 2, x + width + 20, y + height / 2, "narrow", "refusal")
        else:
            px, py, start = x + width / 2, y + height + 38 + number * 16, "middle"
            out += _arrow(x + width / 2, y + height, x + width / 2, y + height + 22, "wide", "refusal")
        target = html.escape(link(path, error_place(code)))
        out += f'<a href="{target}"><text class="code {start}" x="{px}" y="{py}">{_text(code)}</text></a>'
    return out


def domains(path: str, specs: ir.Specs) -> Markup:
    """A tile a domain; its bar counts the actions by what they do."""
    return Markup(_map(path, specs, "wide", 6, 176) + _map(path, specs, "narrow", 2, 166))


def _map(path: str, specs: ir.Specs, which: str, columns: int, width: float) -> str:
    height, gap = 74, 12
    most = max((len(domain.actions) for domain in specs.domains), default=1)
    out = []
    for number, domain in enumerate(specs.domains):
        row, column = divmod(number, columns)
        x, y = 2 + column * (width + gap), 2 + row * (height + gap)
        out.append(_tile(path, domain, x, y, width, height, most))
    rows = math.ceil(len(specs.domains) / columns)
    total = columns * width + (columns - 1) * gap + 4
    told = "A tile for each domain, with a bar of its actions by effect."
    return _svg(which, total, rows * (height + gap), "The domains", told, out)


def _tile(path: str, domain: ir.Domain, x: float, y: float, width: float, height: float, most: int) -> str:
    counts: Counter[str] = Counter(action.effect for action in domain.actions)
    title = _text(_short(domain.title.one_line(), width))
    out = f'<a href="{html.escape(link(path, domain_page(domain.name)))}">'
    out += f'<rect class="tile" x="{x}" y="{y}" width="{width}" height="{height}" rx="10"/>'
    out += f'<text class="title start" x="{x + 14}" y="{y + 27}">{title}</text>'
    told = f"ade {domain.group} · {len(domain.actions)}"
    out += f'<text class="small start" x="{x + 14}" y="{y + 45}">{_text(told)}</text>'
    room, at = width - 28, x + 14
    for effect in EFFECTS:
        long = room * counts[effect] / most
        if long:
            out += f'<rect class="bar {effect}" x="{at:.1f}" y="{y + 55}" width="{long:.1f}" height="7"/>'
            at += long
    return out + "</a>"


def relations(specs: ir.Specs) -> dict[str, frozenset[str]]:
    """Of each domain those whose types its actions take or answer with."""
    names = {domain.name for domain in specs.domains}
    return {
        domain.name: frozenset(
            home
            for action in domain.actions
            for schema in (*(field.schema for field in action.fields), action.output)
            for home in _homes(schema, specs, frozenset())
            if home in names and home != domain.name
        )
        for domain in specs.domains
    }


def _homes(schema: ir.Schema, specs: ir.Specs, seen: frozenset[str]) -> Iterator[str]:
    """The files of the types that a schema refers to, one level of references deep."""
    match schema:
        case ir.RefSchema(target=target) if target not in seen:
            yield specs.types[target].file.rsplit("/", 1)[-1].removesuffix(".yaml")
        case ir.ArraySchema(items=items):
            yield from _homes(items, specs, seen)
        case ir.ObjectSchema(properties=properties):
            for inner in properties.values():
                yield from _homes(inner, specs, seen)
        case ir.MapSchema(values=values) if values is not None:
            yield from _homes(values, specs, seen)
        case ir.UnionSchema(branches=branches):
            for branch in branches:
                yield from _homes(branch, specs, seen)


def neighbours(path: str, domain: ir.Domain, specs: ir.Specs) -> Markup | None:
    """The domain between those whose types it uses and those that use its own; ``None`` where it stands alone."""
    found = relations(specs)
    uses = sorted(found[domain.name])
    used = sorted(name for name, targets in found.items() if domain.name in targets)
    if not uses and not used:
        return None
    titles = {one.name: one.title.one_line() for one in specs.domains}
    box, height, step = 120, 34, 44
    rows = max(len(uses), len(used), 1)
    total = rows * step + 22
    middle = 22 + (rows * step - (step - height)) / 2
    out = []
    for names, x, caption in ((used, 2, "used by"), (uses, 302, "uses")):
        if names:
            out.append(f'<text class="small" x="{x + box / 2}" y="12">{caption}</text>')
        top = middle - (len(names) * step - (step - height)) / 2
        for number, name in enumerate(names):
            y = top + number * step
            out.append(_box(path, name, titles[name], x, y, box, height))
            at = y + height / 2
            ends = (x + box, at, 152, middle) if x < 100 else (272, middle, x - 2, at)
            out.append(_curve(*ends))
    out.append(
        f'<rect class="stage here" x="154" y="{middle - height / 2}" width="116" height="{height}" rx="8"/>'
    )
    out.append(
        f'<text class="name" x="212" y="{middle + 5}">{_text(_short(titles[domain.name], 116))}</text>'
    )
    told = f"Uses the types of {_said(uses, titles)}; its own are used by {_said(used, titles)}."
    return Markup(_svg("alone", 424, total, f"{titles[domain.name]} among the other domains", told, out))


def _said(names: Sequence[str], titles: dict[str, str]) -> str:
    return ", ".join(titles[name] for name in names) or "no other domain"


def _box(path: str, name: str, title: str, x: float, y: float, width: float, height: float) -> str:
    target = html.escape(link(path, domain_page(name)))
    out = f'<a href="{target}"><rect class="tile" x="{x}" y="{y:.1f}" width="{width}" height="{height}" rx="8"/>'
    shown = _text(_short(title, width))
    return out + f'<text class="label" x="{x + width / 2}" y="{y + height / 2 + 5:.1f}">{shown}</text></a>'


def _curve(x1: float, y1: float, x2: float, y2: float) -> str:
    half = (x1 + x2) / 2
    line = f"M{x1} {y1:.1f} C{half} {y1:.1f} {half} {y2:.1f} {x2} {y2:.1f}"
    return f'<path class="arrow" d="{line}" marker-end="url(#head-alone)"/>'


def _arrow(x1: float, y1: float, x2: float, y2: float, which: str = "wide", kind: str = "") -> str:
    name = f"arrow {kind}".strip()
    return f'<path class="{name}" d="M{x1} {y1} L{x2} {y2}" marker-end="url(#head-{which})"/>'


def _svg(which: str, width: float, height: float, title: str, told: str, parts: Sequence[str]) -> str:
    head = (
        f'<defs><marker id="head-{which}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path class="head" d="M0 0 L8 4 L0 8 z"/></marker></defs>'
    )
    name = f"{title}. {told}"
    return (
        f'<svg class="{which}" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" role="group" '
        f'aria-label="{_text(name)}">{head if "arrow" in "".join(parts) else ""}{"".join(parts)}</svg>'
    )


def _short(title: str, width: float) -> str:
    """A title that fits into a box, at about nine units a letter."""
    most = int((width - 12) // 9)
    return title if len(title) <= most else title[: most - 1].rstrip() + "…"


def _text(value: str) -> str:
    return html.escape(value, quote=True)
