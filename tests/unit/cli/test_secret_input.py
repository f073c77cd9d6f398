"""A secret never comes from the line: it is asked for, or read from where the line says."""

from __future__ import annotations

import json

import pytest

from ade_runtime.cli.outcomes import Invocation, NeedsText, UsageProblem
from ade_runtime.cli.parse import parse

PLANTED = "hunter2-planted"
SET = ["secrets", "set", "STRIPE_KEY"]
RUN = ["actions", "run", "secret.set", "--arg", "name=STRIPE_KEY"]


@pytest.mark.parametrize("line", [SET, RUN])
def test_without_a_word_of_it_the_callers_process_asks(line: list[str]) -> None:
    needed = parse(line)
    assert isinstance(needed, NeedsText)
    assert needed.sources == ("secret:value",)
    done = parse(line, texts={"secret:value": PLANTED + "\n"})
    assert isinstance(done, Invocation)
    assert done.arguments == {"name": "STRIPE_KEY", "value": PLANTED}


@pytest.mark.parametrize(
    ("word", "source"),
    [("-", "-"), ("@-", "-"), ("@key.txt", "/elsewhere/key.txt"), ("@/etc/key", "/etc/key")],
)
def test_the_line_says_where_to_read_it(word: str, source: str) -> None:
    needed = parse([*SET, "--value", word], cwd="/elsewhere")
    assert isinstance(needed, NeedsText)
    assert needed.sources == (source,)
    done = parse([*SET, f"--value={word}"], cwd="/elsewhere", texts={source: "two\nlines\n\n"})
    assert isinstance(done, Invocation)
    assert done.arguments["value"] == "two\nlines\n", "one line end is what an editor puts behind a text"


def test_a_document_from_elsewhere_may_hold_it() -> None:
    document = json.dumps({"name": "STRIPE_KEY", "value": PLANTED + "\n"})
    for line in (["secrets", "set"], ["actions", "run", "secret.set"]):
        done = parse([*line, "--input-json", "-"], texts={"-": document})
        assert isinstance(done, Invocation)
        assert done.arguments["value"] == PLANTED + "\n", "what a document says is taken as it is"


@pytest.mark.parametrize(
    "line",
    [
        [*SET, "--value", PLANTED],
        [*SET, f"--value={PLANTED}"],
        [*SET, "--value", ""],
        [*SET, PLANTED],
        *(
            [*line, *more]
            for line in (SET, RUN)
            for more in (
                ["--arg", f"value={PLANTED}"],
                [f"--arg-json=value={json.dumps(PLANTED)}"],
                ["--input-json", json.dumps({"value": PLANTED})],
            )
        ),
    ],
    ids=" ".join,
)
def test_on_the_line_it_is_refused_and_not_repeated(line: list[str]) -> None:
    refused = parse(line)
    assert isinstance(refused, UsageProblem)
    assert PLANTED not in json.dumps(refused.envelope())


def test_among_the_arguments_of_actions_run_too() -> None:
    refused = parse(
        ["actions", "run", "secret.set", "--arguments", json.dumps({"name": "A", "value": PLANTED})]
    )
    assert isinstance(refused, UsageProblem)
    assert PLANTED not in json.dumps(refused.envelope())


def test_what_else_is_missing_is_told_before_anything_is_asked() -> None:
    refused = parse(["secrets", "set"])
    assert isinstance(refused, UsageProblem)
    assert "NAME" in refused.message and "value" not in refused.message


def test_a_document_without_it_is_not_completed_by_asking() -> None:
    refused = parse([*RUN, "--input-json", "{}"])
    assert isinstance(refused, UsageProblem)
    assert "value" in refused.message
