"""What is taken for a secret in free text, and what is not."""

from __future__ import annotations

import logging
import string
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ade_runtime.machine.log import BoundedFile, WithoutSecrets
from ade_runtime.redaction import MARK, redact, redacted

LETTERS = string.ascii_letters + string.digits


def mixed(length: int, seed: int = 7) -> str:
    """Text that looks random and is the same in every run."""
    out, state = [], seed
    for _ in range(length):
        state = (state * 1103515245 + 12345) % 2**31
        out.append(LETTERS[state // 7 % len(LETTERS)])
    return "".join(out)


SECRETS = {
    "github": "ghp_" + mixed(36),
    "github fine grained": "github_pat_" + mixed(22) + "_" + mixed(59),
    "gitlab": "glpat-" + mixed(20),
    "openai": "sk-proj-" + mixed(48),
    "openai, old": "sk-" + mixed(48),
    "anthropic": "sk-ant-api03-" + mixed(60),
    "aws key id": "AKIA" + "Q3EG7ZKLM2NOPX5R",
    "slack": "xoxb-" + "1234567890-1234567890-" + mixed(24),
    "slack webhook": "https://hooks.slack.com/services/T0000/B0000/" + mixed(24),
    "google": "AIza" + mixed(35),
    "stripe": "sk_live_" + mixed(24),
    "npm": "npm_" + mixed(36),
    "linear": "lin_api_" + mixed(40),
    "ade session": "adest_" + mixed(43),
    "jwt": f"eyJ{mixed(20)}.eyJ{mixed(30)}.{mixed(40)}",
}
NAMED = {
    "password=Tr0ub4dor&3x": "Tr0ub4dor&3x",
    "password: hunter2x": "hunter2x",
    'db_password = "correct horse battery"': "correct horse battery",
    "AWS_SECRET_ACCESS_KEY=" + mixed(40): mixed(40),
    'export API_KEY="' + mixed(24) + '"': mixed(24),
    '{"client_secret": "' + mixed(30) + '"}': mixed(30),
    "Authorization: Bearer " + mixed(32): mixed(32),
    "STRIPE_SIGNING=" + mixed(32): mixed(32),
    "postgres://shop:" + mixed(12) + "@db.example.com/shop": mixed(12),
    "curl -u shop:Sommer https://example.com": "Sommer",
    "curl -sSu shop:autumn x || curl --user=shop:winter x": "winter",
    "env X=1 curl -x p --proxy-user shop:winter x": "winter",
    "token: 550e8400-e29b-41d4-a716-446655440000": "550e8400-e29b-41d4-a716-446655440000",
}
INNOCENT = [
    "docker run -u 1000:1000 alpine",
    "curl -u shop https://example.com:8080/x",
    "install -u root:wheel x\ncurl example.com",
    "The fix is 3f2a9c1d4b5e6f708192a3b4c5d6e7f8091a2b3c on main",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "COMMIT=3f2a9c1d4b5e6f708192a3b4c5d6e7f8091a2b3c",
    "BUILD_ID=550e8400-e29b-41d4-a716-446655440000",
    "run 550e8400-e29b-41d4-a716-446655440000 failed",
    "lane_01hq3vd5n2kq and ses_01hq3vd5n2kq",
    "token = get_token()",
    "token = get2_token(name)",
    "token = settings.auth.token",
    "password = os.environ['DATABASE_PASSWORD']",
    "password: $DATABASE_PASSWORD",
    "secret = vault.read(name)",
    "max_tokens: 1000000",
    "the token bucket: ten a second",
    "read the secret: see docs/keys.md",
    "secret_name: STRIPE_KEY_2",
    "sk-learn-like-names-are-not-keys-at-all",
    "https://example.com:8443/path@2x.png",
    "git@github.com:owner/repository.git",
    "PATH=/usr/local/bin:/usr/bin:/home/user/.local/bin/With9Digits",
    "Change-Id: I8473b95934b5732ac55d26311a706c9c2bde9940",
    "integrity sha512-Q3f9" + "A" * 20,
    "password reset mails are sent twice",
    "passwordless: yes",
    "token=",
    "version: 1.22.333, secret-scanner: v10.12.13",
]


@pytest.mark.parametrize("kind", SECRETS)
@pytest.mark.parametrize("around", ["{}", "use {} here", "KEY={}", '"{}"', "a\n{}\nb", "({})."])
def test_known_forms_are_taken_out(kind: str, around: str) -> None:
    secret = SECRETS[kind]
    text, count = redacted(around.format(secret))
    assert secret.split("://")[-1] not in text
    assert MARK in text and count == 1


@pytest.mark.parametrize("text", NAMED)
def test_values_behind_telling_names_are_taken_out(text: str) -> None:
    assert NAMED[text] not in redact(text)
    assert MARK in redact(text)


@pytest.mark.parametrize("text", INNOCENT)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact(text) == text


def test_private_keys_go_as_a_whole_even_when_they_are_cut_off() -> None:
    key = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1r\nZXktdjE=\n-----END OPENSSH PRIVATE KEY-----"
    assert redact(f"before\n{key}\nafter") == f"before\n{MARK}private_key]\nafter"
    assert redact(key[:60]) == f"{MARK}private_key]"


@given(st.text(max_size=400))
def test_redacting_twice_changes_nothing(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


@given(st.sampled_from(sorted(SECRETS.values()) + sorted(NAMED)), st.text(max_size=60), st.text(max_size=60))
def test_nothing_round_a_secret_keeps_redaction_from_settling(secret: str, before: str, after: str) -> None:
    once = redact(f"{before} {secret} {after}")
    assert redact(once) == once


@given(
    st.binary(min_size=20, max_size=32), st.sampled_from(["commit {}", "{}", "HEAD={}", "see {}.", "{}\n"])
)
def test_hashes_are_no_secrets(data: bytes, around: str) -> None:
    text = around.format(data.hex())
    assert redact(text) == text


@given(st.uuids(), st.sampled_from(["run {}", "{}", "REQUEST_ID={}", "id: {}"]))
def test_uuids_are_no_secrets(value: object, around: str) -> None:
    text = around.format(value)
    assert redact(text) == text


@pytest.mark.parametrize(
    "text",
    ["a" * 200_000, "password" * 25_000, "-----BEGIN PRIVATE KEY-----" * 5_000, "x://" * 50_000, "sk-" * 60_000, "eyJ" * 60_000,
     "A_" * 100_000, "token: " * 30_000],
)  # fmt: skip
def test_long_texts_take_no_longer_than_their_length_asks(text: str) -> None:
    began = time.process_time()
    redact(text)
    assert time.process_time() - began < 3


def test_the_log_holds_no_secret_not_even_in_a_traceback(tmp_path: Path) -> None:
    handler = BoundedFile(tmp_path / "runtime.log")
    handler.setFormatter(WithoutSecrets("%(message)s"))
    logger = logging.Logger("sample")
    logger.addHandler(handler)
    secret = SECRETS["github"]
    try:
        raise ValueError(f"refused {secret}")
    except ValueError:
        logger.exception("with %s", secret)
    handler.close()
    written = (tmp_path / "runtime.log").read_text()
    assert secret not in written and written.count(MARK) >= 2
