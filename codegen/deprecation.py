"""What is said of an action or a field that will go, wherever it shows: help, tool descriptions, docs, results."""

from __future__ import annotations

from codegen import ir


def sentence(found: ir.Deprecation, instead: str | None) -> str:
    """``Deprecated since 0.2.0: use lane.create instead. It may be gone after 0.4.0.``

    ``instead`` is the name by which the reader knows what to use.
    """
    use = f": use {instead} instead" if instead else ""
    return f"Deprecated since {found.since}{use}. It may be gone after {found.remove_after}."


def of_action(action: ir.Action, specs: ir.Specs, *, by: str) -> str | None:
    """The sentence about an action, ``None`` where it stays. ``by`` is how its reader names actions: ``id``, ``tool`` or
    ``command``.
    """
    if action.deprecated is None:
        return None
    use = action.deprecated.use
    if by == "command" and use is not None and use.partition(".")[0] != action.domain:
        return sentence(
            action.deprecated, f"`ade actions run {use}`"
        )  # a domain's commands follow from its own file alone
    return sentence(action.deprecated, _name(use, specs, by))


def of_field(field: ir.Field) -> str | None:
    """The sentence about an input field, ``None`` where it stays."""
    return None if field.deprecated is None else sentence(field.deprecated, field.deprecated.use)


def notices(action: ir.Action) -> dict[str, str]:
    """The sentences about its deprecated input fields, by their names."""
    return {field.name: said for field in action.fields if (said := of_field(field)) is not None}


def _name(use: str | None, specs: ir.Specs, by: str) -> str | None:
    if use is None or by == "id":
        return use
    for domain in specs.domains:
        for action in domain.actions:
            if action.id == use:
                return action.tool if by == "tool" else f"`ade {domain.group} {action.command}`"
    return use
