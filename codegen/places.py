"""Where in the files a thing of the intermediate model stands, down to a single key or list entry of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from ade_runtime.strict_yaml.reader import Mapping, Node, Sequence
from codegen.ir import Span


@dataclass(slots=True)
class FilePlaces:
    """Nodes of one file by the span of their value, and by that of their key."""

    values: dict[Span, Node] = field(default_factory=dict)
    keys: dict[Span, Node] = field(default_factory=dict)


class Places:
    """Spans of model objects → their nodes, so that a check can point at ``toolset`` of an action.

    The model holds one span for each object: a key's for what is named by a key, the value's own for the
    rest. Both kinds are kept apart because a mapping in block style begins where its first key does.
    """

    def __init__(self) -> None:
        self._files: dict[str, FilePlaces] = {}

    def note(self, span: Span, node: Node) -> None:
        """Remember the node that begins at ``span``."""
        self.of_file(span.file).values[span] = node

    def note_key(self, span: Span, node: Node) -> None:
        """Remember the node whose key stands at ``span``."""
        self.of_file(span.file).keys[span] = node

    def of_file(self, name: str) -> FilePlaces:
        return self._files.setdefault(name, FilePlaces())

    def take(self, name: str, places: FilePlaces) -> None:
        """Take over what was noted of a file that is still the same."""
        self._files[name] = places

    def node(self, owner: Span, *path: str | int) -> Node | None:
        """The node at ``path`` inside what ``owner`` is the span of."""
        noted = self.of_file(owner.file)
        found = noted.keys.get(owner) or noted.values.get(owner)
        for part in path:
            if isinstance(found, Mapping) and isinstance(part, str):
                found = found.get(part)
            elif isinstance(found, Sequence) and isinstance(part, int) and part < len(found.items):
                found = found.items[part]
            else:
                return None
        return found

    def at(self, owner: Span, *path: str | int) -> Span:
        """The span of the value at ``path``, or of the nearest thing around it that is there."""
        for length in range(len(path), 0, -1):
            node = self.node(owner, *path[:length])
            if node is not None:
                return node.span
        return owner

    def key(self, owner: Span, *path: str | int) -> Span:
        """The span of the last key of ``path``; of its value where the last part is a list index."""
        parent = self.node(owner, *path[:-1])
        if isinstance(parent, Mapping) and isinstance(path[-1], str) and path[-1] in parent.entries:
            return parent.key_span(path[-1])
        return self.at(owner, *path)
