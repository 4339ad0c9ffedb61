"""Layer 4: secrets told in sentences, such as "the password of the account is ..."."""

from __future__ import annotations

from collections.abc import Iterator

import re2

from kradle_ctx.redaction.keys import Strength
from kradle_ctx.redaction.model import Extent, Match, Rule
from kradle_ctx.redaction.never_touch import (
    is_digest,
    is_expression,
    is_identifier,
    is_placeholder,
    is_plain_datum,
    is_uuid,
)
from kradle_ctx.redaction.randomness import is_hex, looks_random
from kradle_ctx.redaction.values import is_secret

_latin = re2.Options()
_latin.encoding = re2.Options.Encoding.LATIN1

NOUN = (
    r"(?:pass(?:word|phrase|code|wd)?|pwd|pw|pin|secret|token|creds?|credentials?|(?:api|access|secret|"
    r"private|license|licence|"
    r"account|master|signing|encryption|pre-?shared|shared|wi-?fi|activation) ?key|key|psk|login|"
    r"passwort|kennwort|"
    r"mot de passe|contrase\xc3\xb1a|clave|senha|wachtwoord|l\xc3\xb6senord(?:et)?|has\xc5\x82o|parola)"
)
_VERB = (
    r"(?:is|was|are|were|be|to|as|equals|reads|remains|becomes|became|with|using|lautet|ist|est|es|"
    r"\xc3\xa9|\xc3\xa4r|to jest|"
    r"ustawione na)"
)
_ADVERB = (
    r"(?:(?:now|still|currently|set to|just|simply|only|again|temporarily|always|the same|"
    r"changed to|this|the following|today|at the moment)[ \t]+){0,2}"
)
_verb = re2.compile(
    (
        r"(?i)(?:(?:[ \t\"'\x60*)]|^)"
        + _VERB
        + r"(?:[ \t]*:[ \t]*|[ \t]+|[ \t]*\r?\n[ \t>]*)|[\w)*\x60]:[ \t]+|[ \t](?:=|->|\xe2\x86\x92)[ \t]+)"
        + _ADVERB
        + r"([\"'\x60*_(\[]{0,3})([^\s]{5,200})"
    ).encode("latin-1"),
    _latin,
)
_WINDOW = 110
_LONGEST = 512
_paragraph_end = re2.compile(rb"\n[ \t>]*(?:\r?\n|[\-*+#|{}]|\"?[\w.\- ]{1,40}\"?[:=])", _latin)
_digit = re2.compile(rb"[0-9]", _latin)
_technical = re2.compile(
    r"(?i)^(?:sha|pkcs#|pkcs|md|aes|rsa|dsa|ed|ec|ecdsa|hmac|pbkdf|argon|bcrypt|scrypt|utf|base|oauth|"
    r"http|tls|ssl|x|p|v|k8s|s3|ec2|rfc|iso|fips|ipv|"
    r"cve|py|python|node|java|go|es|h2|h|q|vlan|layer|tier|level|step|phase|day|week|sprint|issue|pr|id|"
    r"jira)[\-_ ]?\d[\w.\-]*$|"
    r"^\d+[\-_ ]?(?:x|bits?|bytes?|chars?|characters?|digits?|days?|hours?|minutes?|words?|times|factor|"
    r"fa|way|nd|rd|th|st|h|d|m|s|ms|kb|mb|gb|k)\b.*$|"
    r"^[\w.+\-]+@[\w\-]+(?:\.[\w\-]+)+$|^(?:[A-Z]{2,10}-\d+)$|^#\d+$|^\[.*\]\(.*$|^[a-z]+\(\)$|"
    r"^https?:.*$|^[\w.\-]+/[\w.\-/]+$"
)
_typed = re2.compile(r"^[A-Za-z]+(?:[\-_.][A-Za-z]+)*[\-_.]?\d{2,}[!?#$*%&+]*$")
_TYPED_NOUNS = (
    "pass",
    "pw",
    "pin",
    "psk",
    "wifi key",
    "wi-fi key",
    "kennwort",
    "mot de",
    "contra",
    "senha",
    "wacht",
    "l\u00f6sen",
    "has\u0142o",
)
_TRAIL = ".,;:)]}>\"'`*_"


def is_told(value: str, *, quoted: bool, noun: str = "") -> bool:
    """Whether a token of a sentence can be a password: mixed as people mix, or random, and no term or name.

    After a noun for what people type, words with digits are enough.
    """
    if len(value) < 6 or is_placeholder(value) or is_digest(value) or is_plain_datum(value) or is_uuid(value):
        return False
    if not quoted and is_expression(value):
        return False
    if _technical.match(value) or not any(map(str.isalpha, value)):
        return quoted and value.isdigit() and len(value) >= 6
    digits = sum(map(str.isdigit, value))
    if digits and not any(c in value for c in "(/") and _has_symbols(value):
        return True
    if is_identifier(value) and not is_hex(value) and not _typed.match(value):
        return digits >= 3 and len(value) >= 10 and looks_random(value)
    if _typed.match(value) and digits and len(value) >= 8:
        return (
            quoted
            or (digits >= 3 and noun.lower().startswith(_TYPED_NOUNS))
            or (digits >= 3 and any(c in value for c in "-_.") and not value.islower())
            or value[-1] in "!?#$*%&+"
        )
    return digits > 0 and looks_random(value) and "/" not in value and (quoted or len(value) >= 8)


def _has_symbols(value: str) -> bool:
    """Whether symbols stand in the value as in a password, not as the `@`, `#` or `:` of a name."""
    inner = value.lstrip("#")[:-1]
    if any(c in "!$%^&*?" for c in inner):
        return value.count(":") == 0 or not value.islower()
    return any(c in "@#" for c in inner) and ":" not in value and not value.islower()


def _trimmed(data: bytes, start: int, end: int) -> int:
    value = data[start:end].decode("utf-8", "replace")
    return start + len(value.rstrip(_TRAIL).encode("utf-8", "replace")) if value.isascii() else end


def told(data: bytes, match: Match) -> Iterator[Extent]:
    """Tokens that follow a verb in the sentence of the noun."""
    start = match.end()
    limit = min(len(data), start + _WINDOW)
    if _digit.search(data, start, limit) is None:
        return
    noun = match.group(1).decode("utf-8", "replace")
    stop = _paragraph_end.search(data, start, limit)
    for verb in _verb.finditer(data, start, stop.start() if stop else limit):
        end = verb.end(2)
        while end >= limit and end < len(data) and data[end : end + 1].strip() and end - verb.start(2) < _LONGEST:
            end += 1
        end = _trimmed(data, verb.start(2), end)
        if is_told(data[verb.start(2) : end].decode("utf-8", "replace"), quoted=bool(verb.group(1)), noun=noun):
            yield verb.start(2), end


def beside(data: bytes, match: Match) -> Iterator[Extent]:
    """The second group, when the first holds the quote before it or is empty."""
    end = _trimmed(data, match.start(2), match.end(2))
    if is_told(data[match.start(2) : end].decode("utf-8", "replace"), quoted=bool(match.group(1))):
        yield match.start(2), end


def random_beside(data: bytes, match: Match) -> Iterator[Extent]:
    """The second group, when it is random."""
    end = _trimmed(data, match.start(2), match.end(2))
    if is_secret(data[match.start(2) : end].decode("utf-8", "replace"), Strength.WEAK, quoted=False) or is_hex(
        data[match.start(2) : end].decode("utf-8", "replace")
    ):
        yield match.start(2), end


def before(data: bytes, match: Match) -> Iterator[Extent]:
    """The token before the match."""
    start = end = match.start()
    while start > 0 and end - start < _LONGEST and data[start - 1 : start].strip():
        start -= 1
    token = data[start:end]
    inner = token.strip(b"\"'`*(_,")
    if is_told(inner.decode("utf-8", "replace"), quoted=inner != token):
        start += token.find(inner)
        yield start, start + len(inner)


_LOGIN = (
    r"(?i)\b(?:log ?in|credentials?|creds|user(?:name)?|account|admin|root|pass(?:word)?|pw|console|"
    r"ssh|ipmi|idrac|ilo|vpn|ftp|rdp|wi-?fi|ssid|radius|snmp)\b"
)

TOLD: tuple[Rule, ...] = (
    Rule(
        id="told-password",
        kind="password",
        pattern=r"(?i)\b(" + NOUN + r")(?:s|es)?\b",
        reader=told,
        hits=(
            "The password of the break-glass account is {pw:14} until then.",
            "the wifi password for the lab is **{typed}** (guests)",
        ),
        misses=(
            "The password is at least 12 characters long.",
            "The token is rotated every 90d by the operator.",
        ),
    ),
)

RULES: tuple[Rule, ...] = (
    Rule(
        id="login-pair",
        kind="password",
        pattern=r"[ \t]/[ \t]+([\x60\"'*]{0,2})([^\s|/0-9]{0,60}[0-9][^\s|/]{0,60})",
        context=_LOGIN,
        reader=beside,
        hits=("IPMI login: ADMIN / {typed}", "Username/password: svc_report / {pw:14}"),
        misses=("log in / sign out", "user: app / role: admin"),
    ),
    Rule(
        id="login-slash-pair",
        kind="password",
        pattern=r"(?i)\b(?:user(?:name)?|login|account)[ \t]*[/|&][ \t]*(?:pass(?:word)?|pw|"
        r"pwd)\b[^\n]{0,30}?[:=][ \t]*[\x60\"'*]{0,2}[\w.\-@\\]{2,40}[/:,]([\x60\"'*]{0,2})([^\s|"
        r"\x60\"']{6,100})",
        reader=beside,
        hits=("user/pass: svc/{pw:12}", "login/pw = `bob:{typed}`"),
        misses=("user/password: see the vault", "login/pw: <user>/<password>"),
    ),
    Rule(
        id="login-colon-pair",
        kind="password",
        pattern=r"(?i)\b(?:login|log in|log on|sign in|logged in|credentials?|creds|authenticate|account|"
        r"user)\b[^\n|]{0,30}?(?:with|as|using|are|is|:)[ "
        r"\t]+[\x60\"'*]{0,2}[\w.\-@\\]{2,40}:([\x60\"'*]{0,2})([^\s|\x60\"']{6,100})",
        reader=beside,
        hits=("log in with admin:{pw:14} today", "credentials: `svc:{typed}`"),
        misses=("log in with localhost:8080", "credentials: vault:secret/data/app"),
    ),
    Rule(
        id="password-beside",
        kind="password",
        pattern=r"(?i)\b(?:password|passphrase|passcode|passwd|pwd|pw|pass|pin|psk|"
        r"wi-?fi key)s?[ \t]*[ \t:(]([\x60\"'*]{0,2})([^\s|\x60\"']{6,100})",
        reader=beside,
        hits=("join with password {pw:14} please", "the host (pw {pw:12}) is old"),
        misses=("password reset flow v2", "password hashing uses argon2id"),
    ),
    Rule(
        id="token-beside",
        kind="secret",
        pattern=r"(?i)\b(?:token|secret|(?:api|access|secret|private|license|account|master|"
        r"signing) key)s?[ \t]*[ \t:(]([\x60\"'*]{0,2})([^\s|\x60\"']{16,200})",
        reader=random_beside,
        hits=("use token {hex:40} for the bot", "the api key {base62:32} is new"),
        misses=("token bucket-implementation-v2 is used", "secret orders-db-credentials-2 exists"),
    ),
    Rule(
        id="value-first",
        kind="password",
        pattern=r"(?i) (?:is|was|as|=) (?:the|our|your|its|my|his|her|their|"
        r"a) (?:[\w\-]+ ){0,4}?(?:password|passphrase|passcode|secret|token|credential|api key|pin)\b",
        reader=before,
        hits=("use {pw:14} as the password", "`{typed}` is the admin password"),
        misses=("this is the password", "use OAuth2 as the token source"),
    ),
)
