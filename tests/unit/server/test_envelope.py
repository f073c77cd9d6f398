"""Envelopes are read strictly: what two readers could understand differently is refused."""

from __future__ import annotations

import json

import pytest

from ade_runtime.server.envelope import BadJson, Invalid, Request, read_json, read_message, result


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1,"a":2}',
        '{"a":{"b":1,"b":1}}',
        "NaN",
        "[Infinity]",
        "-Infinity",
        "1e999",
        '{"id":18446744073709551616}',
        '{"id":-9223372036854775809}',
        "123456789012345678901234567890",
        "[1,]",
        "01",
        '"\t"',
        "{} {}",
        "",
        "\ufeff{}",
        "[" * 65 + "]" * 65,
        "[" * 100_000,
        '{"a":' * 65 + "1" + "}" * 65,
    ],
)
def test_refused(text: str) -> None:
    with pytest.raises(BadJson):
        read_json(text.encode())


@pytest.mark.parametrize("raw", [b"\xff\xfe{\x00", b'{"a":"\xc3"}', b'{"id":1,\x00"m":2}'])
def test_refused_bytes(raw: bytes) -> None:
    with pytest.raises(BadJson):
        read_json(raw)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[" * 64 + "]" * 64, json.loads("[" * 64 + "]" * 64)),
        ('"' + "[" * 500 + '\\"' + "{" * 500 + '"', "[" * 500 + '"' + "{" * 500),
        ("18446744073709551615", 2**64 - 1),
        ("-9223372036854775808", -(2**63)),
        ("1e2", 100.0),
        ('"\\ud83d\\ude00"', "\U0001f600"),
        (json.dumps([[]] * 200), [[]] * 200),
    ],
)
def test_accepted(text: str, value: object) -> None:
    assert read_json(text.encode()) == value


def test_requests() -> None:
    assert read_message(b'{"jsonrpc":"2.0","id":0,"method":"ping"}') == Request(0, "ping", {}, False)
    assert read_message(b'{"jsonrpc":"2.0","method":"ping","params":null}') == Request(None, "ping", {}, True)
    assert read_message(b'{"jsonrpc":"2.0","id":null,"method":"ping"}') == Request(None, "ping", {}, False)


@pytest.mark.parametrize(
    ("text", "identifier"),
    [
        ("42", None),
        ("[]", None),
        ('{"jsonrpc":2.0,"id":1,"method":"ping"}', 1),
        ('{"jsonrpc":"2.0","id":true,"method":"ping"}', None),
        ('{"jsonrpc":"2.0","id":[1],"method":"ping"}', None),
        ('{"jsonrpc":"2.0","id":1,"method":1}', 1),
        ('{"jsonrpc":"2.0","id":"a","method":"ping","params":[]}', "a"),
    ],
)
def test_no_requests(text: str, identifier: object) -> None:
    found = read_message(text.encode())
    assert isinstance(found, Invalid)
    assert found.id == identifier


def test_batches_keep_their_order() -> None:
    found = read_message(b'[{"jsonrpc":"2.0","id":1,"method":"a"},7,{"jsonrpc":"2.0","method":"b"}]')
    assert isinstance(found, list)
    assert [type(one).__name__ for one in found] == ["Request", "Invalid", "Request"]


def test_an_id_that_is_half_a_character_is_given_back_as_it_came() -> None:
    found = read_message(b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}')
    assert isinstance(found, Request)
    assert json.loads(result(found.id, {}))["id"] == "\ud800"
