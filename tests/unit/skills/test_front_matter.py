"""Heads of SKILL.md files: what the Agent Skills format wants, and what becomes of everything else."""

from __future__ import annotations

from pathlib import Path

import pytest

from ade_runtime.machine.skill_roots import packaged, skill_files
from ade_runtime.skills.front_matter import LONGEST_HEAD, body_of, read_head

GOOD = "---\nname: review\ndescription: How to review.\n---\nBody\n"


def problems(text: str | bytes, folder: str = "review") -> str:
    data = text.encode() if isinstance(text, str) else text
    return "; ".join(read_head(data, folder).problems)


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        GOOD.replace("\n", "\r\n"),
        "\ufeff" + GOOD,
        GOOD.replace("---\n", "--- \n"),
        "---\nname: review\ndescription: >\n  How\n  to.\n---",
        "---\nname: review\ndescription: x\nlicense: MIT\ncompatibility: any\nallowed-tools: Read Bash\n"
        "metadata:\n  version: '1'\n---\n",
        GOOD + "---\nname: other\n---\n",
    ],
)
def test_a_good_head(text: str) -> None:
    head = read_head(text.encode(), "review")
    assert (head.name, head.problems, head.remarks) == ("review", (), ())
    assert head.description


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", "does not begin with a head"),
        ("# Review\n", "does not begin with a head"),
        ("---\nname: review\n", "does not begin with a head"),
        ("\n" + GOOD, "does not begin with a head"),
        ("---\n---\n", "empty"),
        ("---\n- a\n---\n", "not a mapping"),
        ("---\nname: review\n---\n", "description: it is missing"),
        ("---\nname: review\ndescription:\n---\n", "description: it is empty"),
        ("---\nname: review\ndescription: '  '\n---\n", "description: it is empty"),
        ("---\nname: review\ndescription: [a]\n---\n", "description: it must be text"),
        ("---\ndescription: x\n---\n", "name: it is missing"),
        ("---\nname: 12\ndescription: x\n---\n", "name: it must be text"),
        ("---\nname: Review\ndescription: x\n---\n", "name: only small letters"),
        ("---\nname: re--view\ndescription: x\n---\n", "name: only small letters"),
        ("---\nname: -review\ndescription: x\n---\n", "name: only small letters"),
        ("---\nname: other\ndescription: x\n---\n", "its folder is called review"),
        (f"---\nname: {'a' * 65}\ndescription: x\n---\n", "64 is the most"),
        (f"---\nname: review\ndescription: {'a' * 1025}\n---\n", "1024 is the most"),
        ("---\nname: review\ndescription: x\nmetadata: {a: [1]}\n---\n", "metadata: it must be a mapping"),
        ("---\nname: review\nname: review\ndescription: x\n---\n", "line 3"),
        ("---\nname: review\ndescription: a: b\n---\n", "line 3"),
        ("---\nname: &a review\ndescription: *a\n---\n", "line 2"),
        ("---\n\tname: review\n---\n", "line 2"),
        (GOOD.encode().replace(b"How", b"\xff"), "not UTF-8"),
        (f"---\nname: review\ndescription: x\nlicense: {'a' * LONGEST_HEAD}\n---\n", "in the first"),
        ("---\nname: review\ndescription: x\nmetadata: " + "{a: " * 60 + "1" + "}" * 60 + "\n---\n", "deep"),
    ],
)
def test_what_is_wrong_is_said(text: str | bytes, wanted: str) -> None:
    assert wanted in problems(text)


def test_a_key_that_the_format_does_not_know_is_remarked_upon() -> None:
    head = read_head(GOOD.replace("---\nBody", "colour: red\n---\nBody").encode(), "review")
    assert (head.problems, head.remarks) == ((), ("colour: the format knows no such key",))


def test_the_body_is_what_follows_the_head() -> None:
    assert body_of(GOOD.encode()) == b"Body\n"
    assert body_of(b"no head\n") == b"no head\n"


def test_ades_own_skills_are_as_the_format_wants_them() -> None:
    root = packaged()
    files = skill_files(root.path)
    assert files
    for file in files:
        head = read_head(Path(file).read_bytes(), file.parent.name)
        assert (head.problems, head.remarks) == ((), ()), file
