"""Layer 2, tokens whose mark stands inside of them or at their end."""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.redaction.formats import behind
from kradle_ctx.redaction.model import Extent, Match, Rule

_SENDING_KEY = lazy_expression(rb"(?<![a-f0-9])[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}\Z")
_LICENSE_KEY = lazy_expression(rb"(?<![a-f0-9x])[a-f0-9x]{30,40}(?:FFFF)?NRAL\Z")
_APP_TOKEN = lazy_expression(rb"(?<![0-9])[0-9]{15,16}\|[\w\-]{27,40}\Z")
_DEVOPS_KEY = lazy_expression(rb"[A-Za-z0-9]{48,80}(?:JQQJ9[9D][A-Za-z0-9]{8,40}|AZDO[A-Za-z0-9]{4})\Z")


def group_with_digit(data: bytes, match: Match) -> Iterator[Extent]:
    """The first group, when a digit is in it."""
    if any(0x30 <= byte <= 0x39 for byte in match.group(1)):
        yield match.start(1), match.end(1)


RULES: tuple[Rule, ...] = (
    Rule(
        id="azure-client-secret",
        kind="azure-client-secret",
        pattern=r"[\w.~\-]{3}\dQ~[\w.~\-]{31,}",
        hits=("{base62:3}8Q~{b64url:34}", "secret {base62:3}7Q~{b64url:34}"),
        misses=("8Q~ is the mark", "7Q~short"),
    ),
    Rule(
        id="kubeadm-token",
        kind="kubeadm-token",
        pattern=r"(?i)\btoken[\"']?[ \t=:]+[\"']?([a-z0-9]{6}\.[a-z0-9]{16})\b",
        reader=group_with_digit,
        hits=("kubeadm join 10.0.0.5:6443 --token {lowdigits:6}.{lowdigits:16}", "token: {lowdigits:6}.{lowdigits:16}"),
        misses=("token: tokens.authenticationapi", "bundle {lowdigits:6}.{lowdigits:16}"),
    ),
    Rule(
        id="mailgun-sending-key",
        kind="mailgun-key",
        pattern=r"[a-f0-9]-[a-f0-9]{8}-[a-f0-9]{8}\b",
        reader=behind(_SENDING_KEY),
        hits=("{hex:32}-{hex:8}-{hex:8}", "api:{hex:32}-{hex:8}-{hex:8}"),
        misses=("{hex:32}-{hex:8}", "{uuid}"),
    ),
    Rule(
        id="facebook-app-token",
        kind="facebook-token",
        pattern=r"\d\|[\w\-]{27,40}\b",
        reader=behind(_APP_TOKEN),
        hits=("{digits:15}|{b64url:27}", "access_token={digits:16}|{b64url:30}"),
        misses=("|a|b|", "12|{b64url:27}"),
    ),
    Rule(
        id="azure-devops-key",
        kind="azure-devops-token",
        pattern=r"JQQJ9[9D][A-Za-z0-9]{8,}|AZDO[A-Za-z0-9]{4}\b",
        reader=behind(_DEVOPS_KEY),
        hits=("{base62:76}JQQJ99{base62:8}", "pat={base62:76}AZDO{base62:4}"),
        misses=("AZDO is the mark", "JQQJ99 alone"),
    ),
    Rule(
        id="newrelic-license-key",
        kind="newrelic-key",
        pattern=r"NRAL\b",
        reader=behind(_LICENSE_KEY),
        hits=("{hex:36}NRAL", "license: `{hex:32}FFFFNRAL`"),
        misses=("ends in NRAL", "{hex:12}NRAL"),
    ),
    Rule(
        id="maxmind-key",
        kind="maxmind-key",
        pattern=r"\b[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk\b",
        hits=("{base62:6}_{base62:29}_mmk", "license `{base62:6}_{base62:29}_mmk`"),
        misses=("ends in _mmk", "a_b_mmk"),
    ),
    Rule(
        id="discord-bot-token",
        kind="discord-token",
        pattern=r"(?:\b|\\[nrt])([MNO][A-Za-z\d_\-]{23,27}\.[\w\-]{6}\.[\w\-]{27,})",
        group=1,
        hits=("M{b64url:23}.{base62:6}.{b64url:38}", "bot `N{base62:23}.{base62:6}.{base62:27}`"),
        misses=("Module.method.call", "N.A.N"),
    ),
)
