"""What the git actions declare is what their handlers use."""

from __future__ import annotations

import ast
import inspect
import textwrap

import pytest

from ade_generated import errors
from ade_generated.dispatch import ACTIONS
from ade_runtime.contracts import AdeError
from ade_runtime.domains.git import GitHandlers

GIT = [entry for entry in ACTIONS.values() if entry.domain == "git"]


def args_read(source: str) -> set[str]:
    """Names read as ``args.<name>``."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "args":
            found.add(node.attr)
    return found


@pytest.mark.parametrize("entry", GIT, ids=lambda entry: entry.id)
def test_fault_12_every_declared_field_is_used_and_no_other(entry) -> None:  # type: ignore[no-untyped-def]
    method = getattr(GitHandlers, entry.method)
    own = args_read(textwrap.dedent(inspect.getsource(method)))
    module = inspect.getmodule(method)
    assert module is not None
    helped = args_read(inspect.getsource(module))
    declared = set(entry.input_model.model_fields)
    assert own <= declared
    assert declared <= helped, f"{sorted(declared - helped)} are declared and not used"
    assert entry.input_model.model_config.get("extra") == "forbid"


def test_every_error_a_git_action_declares_is_one_it_can_raise() -> None:
    """Each declared code is made somewhere in the domain, so that the list an agent reads is no wish list."""
    import ade_runtime.domains.git as domain
    import ade_runtime.lanes.service as lanes

    made: set[str] = set()
    folder = inspect.getsourcefile(domain)
    assert folder is not None
    from pathlib import Path

    sources = [path.read_text() for path in Path(folder).parent.glob("*.py")] + [inspect.getsource(lanes)]
    classes = {
        name: kind.code
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, AdeError) and hasattr(kind, "code")
    }
    for source in sources:
        made |= {code for name, code in classes.items() if f"errors.{name}(" in source}
    for entry in GIT:
        assert set(entry.errors) <= made, f"{entry.id} declares {sorted(set(entry.errors) - made)}"
