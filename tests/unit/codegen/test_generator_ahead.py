"""datamodel-code-generator in a process of its own: the same result, its own words where it fails, and nothing left behind."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest

from codegen.failure import GenerationError
from codegen.modelgen import generator

DOCUMENT = {
    "$defs": {"A": {"type": "object", "properties": {"class": {"type": "string"}}, "required": ["class"]}}
}


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[str]]:
    found: list[subprocess.Popen[str]] = []
    start = subprocess.Popen

    def note(*args: Any, **named: Any) -> subprocess.Popen[str]:
        found.append(start(*args, **named))
        return found[-1]

    monkeypatch.setattr(subprocess, "Popen", note)
    return found


def test_it_makes_the_same(started: list[subprocess.Popen[str]]) -> None:
    here = generator.begin(DOCUMENT)()
    assert "class A(" in here and not started
    with generator.ahead():
        wait = generator.begin(DOCUMENT)
        assert wait() == here
        assert wait() == here
        assert generator.begin(DOCUMENT)() == here, "one run ahead, then here"
    assert [process.returncode for process in started] == [0]


def test_it_is_not_left_behind_unused(started: list[subprocess.Popen[str]]) -> None:
    with generator.ahead():
        pass
    with pytest.raises(KeyError), generator.ahead():
        generator.begin(DOCUMENT)
        raise KeyError
    assert all(process.returncode is not None for process in started)
    assert len(started) == 2


def test_what_it_says_is_told() -> None:
    wrong = {"$defs": {"A": {"type": "object", "properties": {}, "allOf": 3}}}
    with generator.ahead():
        told: list[str] = []
        for wait in (generator.begin(wrong), generator.begin(wrong)):  # elsewhere, here
            with pytest.raises(GenerationError) as caught:
                wait()
            told.append(str(caught.value))
    assert told[0] == told[1]
    assert told[0].startswith("datamodel-code-generator failed:\nError at schema path '#/$defs/A'")
    assert "Traceback" not in told[0]
