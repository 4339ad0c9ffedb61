"""Layer 3: secrets named by the structure around them: fields, headers, URLs, tables."""

from __future__ import annotations

from collections.abc import Iterator

import re2

from kradle_ctx.redaction.keys import Strength, classify
from kradle_ctx.redaction.model import Extent, Match, Rule
from kradle_ctx.redaction.never_touch import is_placeholder
from kradle_ctx.redaction.values import is_secret, secrets

_latin = re2.Options()
_latin.encoding = re2.Options.Encoding.LATIN1

NOUNS = (
    r"(?:pass|pwd|\bpw|secret|token|cred|auth|key|jwt|psk|salt|pepper|mnemonic|seed|\bsid|session|\bpat\b|dockerc|totp|bearer|"
    r"kennwort|senha|wachtwoord|motdepasse|\bmdp|haslo|parola)"
)
_NAME = r"((?:[A-Za-z]+ )?[\w.\-]*" + NOUNS + r"[\w.\-]*)"
_TYPE = r"(?::[ \t]*(?:&?(?:'static )?str|[sS]tring|bytes|SecretStr|any|Optional\[str\]|str \| None|string \| undefined)\??[ \t]*)"
_OPERATOR = r"(" + _TYPE + r"?(?::=|\?=|\|\|=|=>|={1,3}|->|\xe2\x86\x92)|::?|>|,[ \t]*[\"']|\(|\|)"
FIELD = r"(?i)" + _NAME + r"(\\*[\"'\x60]\]?|[\])*_]|\\_){0,4}[ \t]*" + _OPERATOR
_SETTERS = ("set", "with", "use", "using", "add")


def field(data: bytes, match: Match) -> Iterator[Extent]:
    """The value of `name = value` in the notations of configuration, code and logs."""
    name = match.group(1).decode("ascii", "replace")
    strength = classify(name)
    if strength is Strength.NONE:
        return
    operator = match.group(match_operator)
    position = match.end()
    if operator == b"::" or not _operator_fits(data, match, name, operator):
        return
    if operator[:1] == b",":
        position -= 1
    for start, end in secrets(data, position, strength):
        if operator != b">" or data[end : end + 1] in (b"<", b"]"):
            yield start, end


match_operator = 3


def _operator_fits(data: bytes, match: Match, name: str, operator: bytes) -> bool:
    """Whether an operator that is no assignment by itself stands in a place where it is one."""
    before = data[max(0, match.start() - 80) : match.start()].rpartition(b"\n")[2]
    if operator == b">":
        return b"<" in before
    if operator == b"|":
        return before.rstrip(b" \t*_`").endswith(b"|")
    if operator == b"(":
        return name.lower().startswith(_SETTERS) and data[match.end() : match.end() + 1] in (b'"', b"'", b"`")
    if operator[:1] == b",":
        return before.endswith((b'"', b"'"))
    return True


def named_value(data: bytes, match: Match) -> Iterator[Extent]:
    """The value of a pair such as `name: DB_PASSWORD` and `value: ...`."""
    strength = classify(match.group(1).decode("ascii", "replace"))
    if strength is not Strength.NONE:
        yield from secrets(data, match.end(), strength)


def url_password(data: bytes, match: Match) -> Iterator[Extent]:
    """The password of a URL's user information (RFC 3986, 3.2.1)."""
    value = match.group(1).decode("utf-8", "replace")
    if not is_placeholder(value) or (value.isalnum() and value.lower() not in ("password", "pass", "secret", "token")):
        yield match.start(1), match.end(1)


def header_value(data: bytes, match: Match) -> Iterator[Extent]:
    """A credential in a header, unless it is a placeholder."""
    value = match.group(1).decode("utf-8", "replace")
    if is_secret(value, Strength.SECRET, quoted=True):
        yield match.start(1), match.end(1)


def cookies(data: bytes, match: Match) -> Iterator[Extent]:
    """The values of cookies that are random or named as a session."""
    for pair in _COOKIE.finditer(data, match.end(), min(len(data), match.end() + 4096)):
        value = pair.group(2).decode("utf-8", "replace")
        if is_secret(value, Strength.SECRET, quoted=True):
            yield pair.start(2), pair.end(2)
        if data[pair.end() : pair.end() + 1] not in (b";", b" "):
            return


_COOKIE = re2.compile(rb"[; ]*([\w.\-]+)=([^;\s\"'\x60]+)", _latin)


FIELDS: tuple[Rule, ...] = (
    Rule(
        id="field",
        kind="secret",
        pattern=FIELD,
        reader=field,
        hits=("api_key: {hex:32}", "DB_PASSWORD={pw:14}\n", '{"clientSecret": "{base62:32}"}', "password => '{pw:12}',"),
        misses=("token_endpoint: https://auth.example/oauth2/token", "PASSWORD=changeme", "secretName: orders-tls", "max_tokens: 4096"),
    ),
)

RULES: tuple[Rule, ...] = (
    Rule(
        id="name-value-pair",
        kind="secret",
        pattern=r"(?i)\b(?:name|key|variable|parameter|env)[\"']?[ \t]*[:=][ \t]*[\"']?([\w.\-]*" + NOUNS
        + r"[\w.\-]*)[\"']?[ \t,]*(?:\r?\n[ \t]*)?[\"']?value[\"']?[ \t]*[:=]",
        reader=named_value,
        hits=("- name: REDIS_AUTH\n  value: {base62:24}\n", '{"name": "DB_PASSWORD", "value": "{pw:14}"}'),
        misses=("- name: API_TOKEN\n  value: ${API_TOKEN}\n", "- name: TOKEN_TTL\n  value: 3600\n"),
    ),
    Rule(
        id="url-password",
        kind="url-password",
        pattern=r"://[^\s:/@\"'<>]*:([^\s/\"'\x60<>]+)@",
        reader=url_password,
        hits=("postgres://svc:{base62:24}@db.example:5432/app", "redis://:{pw:14}@cache:6379/0"),
        misses=("mysql://user:<password>@host/db", "https://example.org:8443/a@b"),
    ),
    Rule(
        id="authorization-header",
        kind="authorization",
        pattern=r"(?i)authorization[\"']?[ \t]*[:=,][ \t]*[\"']?(?:bearer|basic|token|apikey|key|digest|negotiate|bot|splunk|genie-?key)[ \t]+[\"']?([\w+/=.~\-]{8,})",
        reader=header_value,
        hits=("Authorization: Bearer {b64url:48}", 'curl -H "authorization: token {hex:40}"'),
        misses=("Authorization: Bearer <TOKEN>", "Authorization: Bearer $TOKEN"),
    ),
    Rule(
        id="cookie-header",
        kind="session-cookie",
        pattern=r"(?i)(?:\bset-cookie|\bcookie)[\"']?[ \t]*[:=][ \t]*[\"']?",
        reader=cookies,
        hits=("Cookie: theme=dark; session={b64url:43}; lang=de", "Set-Cookie: sid={base62:32}; Path=/; HttpOnly"),
        misses=("Cookie: theme=dark; lang=de", "Set-Cookie: consent=yes; Path=/"),
    ),
)
