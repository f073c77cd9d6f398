"""Suites told from files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ade_runtime.testing.detect import detect

CASES = {
    "pytest.ini": ({"pytest.ini": ""}, [("pytest", "pytest.ini")]),
    "pyproject": ({"pyproject.toml": "[tool.pytest.ini_options]\n"}, [("pytest", "pyproject.toml")]),
    "pyproject without pytest": ({"pyproject.toml": "[tool.ruff]\n"}, []),
    "broken pyproject": ({"pyproject.toml": "[[["}, []),
    "setup.cfg": ({"setup.cfg": "[tool:pytest]\n"}, [("pytest", "setup.cfg")]),
    "tests folder": ({"tests/test_a.py": ""}, [("pytest", "tests/")]),
    "tests folder of something else": ({"tests/a.rs": ""}, []),
    "npm": ({"package.json": '{"scripts": {"test": "vitest run"}}'}, [("npm", "package.json")]),
    "npm's placeholder": (
        {"package.json": '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}'},
        [],
    ),
    "package.json that is a list": ({"package.json": "[]"}, []),
    "deep package.json": ({"package.json": "[" * 100_000}, []),
    "cargo": ({"Cargo.toml": '[package]\nname = "a"\n'}, [("cargo", "Cargo.toml")]),
    "go": ({"go.mod": "module example.org/a\n"}, [("go", "go.mod")]),
    "make": ({"Makefile": ".PHONY: test\ntest: build\n\t./run\n"}, [("make", "Makefile")]),
    "make with several targets": ({"Makefile": "check test:\n\ttrue\n"}, [("make", "Makefile")]),
    "make without a target test": ({"Makefile": "tests:\n\ttrue\ntest := 1\n"}, []),
}


@pytest.mark.parametrize("name", CASES)
def test_detected(tmp_path: Path, name: str) -> None:
    files, expected = CASES[name]
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    assert [(one.name, one.why) for one in detect(tmp_path)] == expected


def test_the_lane_s_own_python_runs_pytest_where_there_is_one(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").touch()
    assert detect(tmp_path)[0].command == ("python3", "-m", "pytest")
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / ".venv/bin/python").touch()
    assert detect(tmp_path)[0].command == ("./.venv/bin/python", "-m", "pytest")


def test_what_stands_in_a_file_s_place_does_not_hold_anybody_up(tmp_path: Path) -> None:
    for name in ("pytest.ini", "package.json", "Makefile"):
        os.mkfifo(tmp_path / name)
    (tmp_path / "Cargo.toml").mkdir()
    (tmp_path / "go.mod").symlink_to(tmp_path / "go.mod")
    (tmp_path / "tests").symlink_to("/dev/null")
    assert detect(tmp_path) == []
