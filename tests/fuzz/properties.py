"""What must hold for any bytes that a client sends; shared by the tests and the coverage-guided fuzzer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise

from ade_runtime.server import envelope
from ade_runtime.server.envelope import BadJson, Invalid, Request
from ade_runtime.server.framing import Fault, Frame, FrameReader

LIMIT = 4096
"""A small limit, so that made-up input reaches beyond it."""


def check(data: bytes, cuts: Sequence[int]) -> None:
    """Raise AssertionError where reading ``data``, cut into pieces at ``cuts``, breaks a promise."""
    whole = [_bare(item) for item in FrameReader(LIMIT).feed(data)]
    assert _in_pieces(data, cuts) == whole, "frames depend on how the bytes arrived"
    for item in whole:
        if isinstance(item, Frame):
            assert len(item.body) <= LIMIT
            _check_message(item.body)
    broken = [at for at, item in enumerate(whole) if item is Fault.BAD_HEADER]
    assert broken in ([], [len(whole) - 1]), "something was read after the framing was lost"


def _in_pieces(data: bytes, cuts: Sequence[int]) -> list[Frame | Fault]:
    reader = FrameReader(LIMIT)
    edges = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [_bare(item) for start, end in pairwise(edges) for item in reader.feed(data[start:end])]


def _bare(item: Frame | Fault) -> Frame | Fault:
    """A line without its newline, which a reader may leave on."""
    return Frame(item.body.removesuffix(b"\n"), item.headed) if isinstance(item, Frame) else item


def _check_message(body: bytes) -> None:
    try:
        message = envelope.read_message(body)
    except BadJson as problem:
        answers = [envelope.failure(None, envelope.PARSE_ERROR, f"not JSON: {problem}")]
    else:
        members = message if isinstance(message, list) else [message]
        answers = [_answer(member) for member in members]
    for answer in answers:
        _check_answer(answer)


def _answer(member: Request | Invalid) -> bytes:
    if isinstance(member, Invalid):
        return envelope.failure(member.id, envelope.INVALID_REQUEST, member.reason)
    return envelope.result(member.id, {"method": member.method})


def _check_answer(answer: bytes) -> None:
    document = json.loads(answer)
    assert b"\n" not in answer
    assert document["jsonrpc"] == "2.0"
    assert ("result" in document) != ("error" in document)
    assert document["id"] is None or isinstance(document["id"], str | int | float)
