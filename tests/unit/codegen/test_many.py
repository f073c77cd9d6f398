"""Many actions: what one command needs is loaded, and nothing else. The three thousand are in tests/stress."""

from __future__ import annotations

from pathlib import Path

from tests.unit.codegen.many import generate, look


def test_one_command_loads_its_own_domain_and_no_model_until_it_is_read(tmp_path: Path) -> None:
    generate(tmp_path, 75)
    counts, before, parsing, reading = look(tmp_path, "d1.act7")
    assert counts == "75 75"
    assert not any(name.startswith(("ade_generated.models", "ade_generated.cli.d")) for name in before)
    assert parsing == {"ade_generated.cli.d1"}
    assert {name for name in reading if name.startswith("ade_generated.models.d")} == {
        "ade_generated.models.d1"
    }
