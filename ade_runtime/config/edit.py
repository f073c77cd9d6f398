"""Changing one value in a YAML text, and nothing else: every line that the change does not touch stays as it is.

The text is cut and joined at the places the parser tells. What comes out is read again and must say exactly what was meant,
else the change is given up (:class:`NotEditable`), so that no layout, however odd, can make it say something else.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import yaml

from ade_runtime.config.document import parse
from ade_runtime.config.yaml_text import block_lines, flow, key_text
from ade_runtime.strict_yaml.places import LINE_END

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
REMOVE = object()
"""In place of a value: take the entry out."""


class NotEditable(Exception):
    """The text is laid out so that the change would touch more than was asked for."""


class NoSuchPath(Exception):
    """The path leads through something that holds no names, or to nothing that could be removed."""


def edited(text: str, path: Sequence[str], value: Any) -> str:
    """``text`` with ``value`` at ``path`` (or without it, for :data:`REMOVE`). Mappings on the way are made.

    ``text`` must be readable. Raises :class:`NotEditable` and :class:`NoSuchPath`.
    """
    meant = _meant(parse(text.encode()).data or {}, path, value)
    made = _Editor(text).change(list(path), value)
    if made is None or parse(made.encode()).data != meant:
        raise NotEditable
    return made


def _meant(data: dict[str, Any], path: Sequence[str], value: Any) -> dict[str, Any]:
    """What the changed text has to say."""
    out = copy.deepcopy(data)
    here = out
    for name in path[:-1]:
        if value is REMOVE and name not in here:
            raise NoSuchPath
        inner = here.setdefault(name, {})
        if inner is None:
            inner = here[name] = {}
        if not isinstance(inner, dict):
            raise NoSuchPath
        here = inner
    if value is REMOVE:
        if path[-1] not in here:
            raise NoSuchPath
        del here[path[-1]]
    else:
        here[path[-1]] = value
    return out


class _Editor:
    """One change of one text; every method gives the whole new text, or ``None`` where it would have to guess."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.root: Any = yaml.compose(text, Loader=_Loader)
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self.starts = [0, *(found.end() for found in LINE_END.finditer(text))]

    def change(self, path: list[str], value: Any) -> str | None:
        if self.root is None:
            return self._append(path, value)
        node: Any = self.root
        owner: tuple[Any, Any] | None = None
        for depth, name in enumerate(path):
            if not isinstance(node, yaml.MappingNode):
                wanted = _nested(path[depth:], value)
                return None if owner is None else self._replace(*owner, wanted)
            entry = next((pair for pair in node.value if pair[0].value == name), None)
            if entry is None:
                return self._insert(node, owner, name, _nested(path[depth + 1 :], value))
            if depth == len(path) - 1:
                if value is REMOVE:
                    return self._remove(node, owner, entry)
                return self._replace(node, entry, value)
            owner, node = (node, entry), entry[1]
        return None

    def _append(self, path: list[str], value: Any) -> str:
        """For a text that says nothing: its comments stay in front."""
        lead = self.text if not self.text or self.text[-1] in "\r\n" else self.text + self.newline
        return lead + self._lines(block_lines(path[0], _nested(path[1:], value), 0))

    def _replace(self, mapping: Any, entry: tuple[Any, Any], value: Any) -> str | None:
        """Another value for a key that is there."""
        key, old = entry
        colon = self.text.find(":", self._offset(key.end_mark))
        if colon < 0:
            return None
        if mapping.flow_style or _is_inline(old):
            return self._replace_inline(mapping, colon, old, value)
        return self._replace_block(key, colon, old, value)

    def _replace_inline(self, mapping: Any, colon: int, old: Any, value: Any) -> str | None:
        start, end = self._offset(old.start_mark), self._offset(old.end_mark)
        if start == end:
            start = end = colon + 1
        lead = "" if self.text[start - 1] in " \n" else " "
        written = flow(value, inside=bool(mapping.flow_style))
        if isinstance(value, dict) and value and not mapping.flow_style and self._ends_line(end):
            column = mapping.value[0][0].start_mark.column
            body = [line for name, one in value.items() for line in block_lines(name, one, column + 2)]
            return (
                self.text[: colon + 1]
                + self._rest_of_line(end)
                + self.newline
                + self._lines(body)
                + self._after_line(end)
            )
        return self.text[:start] + lead + written + self.text[end:]

    def _replace_block(self, key: Any, colon: int, old: Any, value: Any) -> str | None:
        """A block of lines gives way to a value on the key's line, or to another block."""
        comment = "" if isinstance(old, yaml.ScalarNode) else self._rest_of_line(colon + 1)
        last = self._last_line(key, old)
        column = key.start_mark.column
        if isinstance(value, dict) and value:
            body = [line for name, one in value.items() for line in block_lines(name, one, column + 2)]
            new = comment + self.newline + self._lines(body)
        else:
            new = f" {flow(value, inside=False)}{comment}{self.newline}"
        return self.text[: colon + 1] + new + self.text[self._line(last + 1) :]

    def _insert(self, mapping: Any, owner: tuple[Any, Any] | None, name: str, value: Any) -> str | None:
        if not mapping.value:
            return self._replace(*owner, {name: value}) if owner else self._append_over(mapping, name, value)
        if mapping.flow_style:
            end = self._offset(mapping.value[-1][1].end_mark)
            written = f", {key_text(name)}: {flow(value, inside=True)}"
            return self.text[:end] + written + self.text[end:]
        key, last = mapping.value[-1]
        at = self._line(self._last_line(key, last) + 1)
        lead = self.newline if at == len(self.text) and self.text[-1:] not in ("\n", "\r") else ""
        lines = block_lines(name, value, mapping.value[0][0].start_mark.column)
        return self.text[:at] + lead + self._lines(lines) + self.text[at:]

    def _append_over(self, mapping: Any, name: str, value: Any) -> str:
        """For a text whose top is ``{}``."""
        start, end = self._offset(mapping.start_mark), self._offset(mapping.end_mark)
        lines = self._lines(block_lines(name, value, 0)).rstrip("\r\n")
        return self.text[:start] + lines + self.text[end:]

    def _remove(self, mapping: Any, owner: tuple[Any, Any] | None, entry: tuple[Any, Any]) -> str | None:
        key, old = entry
        if len(mapping.value) == 1 and owner is not None:
            return self._replace(*owner, {})
        if mapping.flow_style:
            return self._remove_inline(mapping, entry)
        first = key.start_mark.line
        if self.text[self._line(first) : self._offset(key.start_mark)].strip():
            return None
        return self.text[: self._line(first)] + self.text[self._line(self._last_line(key, old) + 1) :]

    def _remove_inline(self, mapping: Any, entry: tuple[Any, Any]) -> str | None:
        place = mapping.value.index(entry)
        if len(mapping.value) == 1:
            start, end = self._offset(mapping.start_mark) + 1, self._offset(mapping.end_mark) - 1
        elif place + 1 < len(mapping.value):
            start, end = (
                self._offset(entry[0].start_mark),
                self._offset(mapping.value[place + 1][0].start_mark),
            )
        else:
            start, end = self._offset(mapping.value[place - 1][1].end_mark), self._offset(entry[1].end_mark)
        return None if "#" in self.text[start:end] else self.text[:start] + self.text[end:]

    def _last_line(self, key: Any, value: Any) -> int:
        """The last line that belongs to an entry. Blank lines and comments that stand no deeper than the key belong to what
        follows."""
        if _is_inline(value):
            return max(int(value.end_mark.line), int(key.start_mark.line))
        last, column = int(value.end_mark.line), key.start_mark.column
        if not self.text[self._line(last) : self._offset(value.end_mark)].strip():
            last -= 1  # the parser is at the next thing already
        while last > key.start_mark.line and self._is_outer(last, column):
            last -= 1
        return last

    def _is_outer(self, number: int, column: int) -> bool:
        line = self.text[self._line(number) : self._line(number + 1)]
        bare = line.strip()
        return not bare or (bare.startswith("#") and len(line) - len(line.lstrip()) <= column)

    def _offset(self, mark: Any) -> int:
        return self._line(mark.line) + int(mark.column)

    def _line(self, number: int) -> int:
        return self.starts[number] if number < len(self.starts) else len(self.text)

    def _rest_of_line(self, offset: int) -> str:
        """A comment behind ``offset``, with the blanks before it."""
        end = LINE_END.search(self.text, offset)
        rest = self.text[offset : end.start() if end else len(self.text)]
        return rest if rest.strip().startswith("#") else ""

    def _after_line(self, offset: int) -> str:
        end = LINE_END.search(self.text, offset)
        return self.text[end.end() :] if end else ""

    def _ends_line(self, offset: int) -> bool:
        end = LINE_END.search(self.text, offset)
        rest = self.text[offset : end.start() if end else len(self.text)].strip()
        return not rest or rest.startswith("#")

    def _lines(self, lines: list[str]) -> str:
        return "".join(line + self.newline for line in lines)


def _is_inline(node: Any) -> bool:
    """Whether a value ends where its own text ends: flow collections and scalars that are no blocks."""
    return bool(node.flow_style) if isinstance(node, yaml.CollectionNode) else node.style not in ("|", ">")


def _nested(names: list[str], value: Any) -> Any:
    for name in reversed(names):
        value = {name: value}
    return value
