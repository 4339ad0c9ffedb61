"""The parts that rules stand on: names of fields, randomness, checksums."""

from __future__ import annotations

import base64
import random

import pytest
from templates import checksummed, draw, expand

from kradle_ctx.redaction.keys import Strength, classify
from kradle_ctx.redaction.never_touch import is_placeholder
from kradle_ctx.redaction.randomness import entropy, looks_random
from kradle_ctx.redaction.validators import (
    has_valid_checksum,
    is_bech32,
    is_der_private_key,
    is_jwt,
    is_no_sample,
)


@pytest.mark.parametrize(
    ("name", "strength"),
    [
        ("DB_PASSWORD", Strength.PASSWORD),
        ("dbPassword", Strength.PASSWORD),
        ("SECRET_KEY_BASE", Strength.SECRET),
        ("API key", Strength.SECRET),
        ("client-key-data", Strength.SECRET),
        ("REDIS_AUTH", Strength.PAIR),
        ("cache_key", Strength.NONE),
        ("public_key", Strength.NONE),
        ("access_key_id", Strength.NONE),
        ("token_endpoint", Strength.NONE),
        ("secretName", Strength.NONE),
        ("passage", Strength.NONE),
        ("max_tokens", Strength.SECRET),
        ("key", Strength.WEAK),
    ],
)
def test_the_last_word_of_a_name_says_what_its_value_is(name: str, strength: Strength) -> None:
    assert classify(name) is strength


@pytest.mark.parametrize("length", [20, 32, 40, 64])
def test_generated_text_looks_random(length: int) -> None:
    generator = random.Random(length)
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    values = [draw(generator, alphabet, length) for _ in range(500)]
    assert sum(map(looks_random, values)) >= 495


@pytest.mark.parametrize(
    "name",
    [
        "PasswordResetTokenGeneratorV2",
        "orders-db-credentials-2",
        "kubernetes.io/service-account-token",
        "UserService2Impl",
    ],
)
def test_names_do_not_look_random(name: str) -> None:
    assert not looks_random(name)


def test_entropy_is_zero_for_one_character_and_two_bits_for_four_even_ones() -> None:
    assert (entropy(""), entropy("aaaa"), entropy("abcd")) == (0.0, 0.0, 2.0)


def test_the_checksum_of_github_tokens_is_told_from_a_wrong_one() -> None:
    token = checksummed(random.Random(1), "ghp_")
    other = token[:-1] + ("A" if token[-1] != "A" else "B")
    assert has_valid_checksum("ghp_" + token)
    assert not has_valid_checksum("ghp_" + other)
    assert is_no_sample(b"ghp_" + other.encode())


@pytest.mark.parametrize("text", ["A12UEL5L", "abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw"])
def test_bech32_strings_of_the_standard_are_valid(text: str) -> None:
    """Test vectors of BIP 173."""
    assert is_bech32(text)
    assert not is_bech32(text[:-1] + ("q" if text[-1] != "q" else "p"))


def test_a_web_token_is_known_by_its_header() -> None:
    assert is_jwt(expand("{jwt}")[0].encode())
    assert not is_jwt(b"eyJub3QiOiJhIGhlYWRlciJ9.e30.x")


def test_a_private_key_is_told_from_a_certificate_by_its_version() -> None:
    assert is_der_private_key(expand("{der:200}")[0].encode())
    certificate = base64.b64encode(b"\x30\x82\x01\x00\x30\x82\x00\xf0" + bytes(64))
    assert not is_der_private_key(certificate)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "changeme",
        "<password>",
        "${SECRET}",
        "op://vault/item",
        "********",
        "{{ token }}",
        "your-api-key",
        "ENC[x]",
        "!Ref Pw",
    ],
)
def test_placeholders_are_no_secrets(value: str) -> None:
    assert is_placeholder(value)
