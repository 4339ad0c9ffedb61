"""Layer 3: secrets named by the structure around them: fields, headers, URLs, tables."""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.expressions import lazy_expression, lazy_linear_expression
from kradle_ctx.redaction.keys import Strength, classify
from kradle_ctx.redaction.model import Extent, Match, Rule
from kradle_ctx.redaction.never_touch import is_placeholder
from kradle_ctx.redaction.randomness import looks_random
from kradle_ctx.redaction.validators import is_no_sample_login
from kradle_ctx.redaction.values import is_secret, secrets

NOUNS = (
    r"(?:pass|pwd|pw|secret|cookie|login|token|cred|auth|key|jwt|psk|salt|pepper|mnemonic|seed|\bsid|"
    r"session|(?:\b|_)pat\b|dockerc|totp|bearer|"
    r"kennwort|senha|wachtwoord|motdepasse|\bmdp|haslo|parola)"
)
_NAME = r"((?:[A-Za-z]+ )?[\w.\-]*" + NOUNS + r"[\w.\-]*(?: id\b)?)"
_TYPE = (
    r"(?::[ \t]*(?:&?(?:'static )?str|[sS]tring|bytes|SecretStr|any|Optional\[str\]|str \| None|"
    r"string \| undefined)\??[ \t]*)"
)
_OPERATOR = r"(" + _TYPE + r"?(?::=|\?=|\|\|=|=>|={1,3}|->|\xe2\x86\x92|%3[dD]|%3[aA])|::?|>|,[ \t]*[\"']|\(|\|)"
FIELD = r"(?i)" + _NAME + r"(\\*[\"'\x60]\]?|[\])*_]|\\_|&quot;|&#3[49];){0,4}[ \t]*" + _OPERATOR
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
_NO_ASSIGNMENTS = (b">", b"|", b"(", b",")


_DIGEST_OF = (b"checksum/", b"checksum.", b"hash/", b"digest/", b"sha256/")
"""What stands before the name of a secret whose digest follows, as in annotations of Helm charts."""


def _operator_fits(data: bytes, match: Match, name: str, operator: bytes) -> bool:
    """Whether an operator that is no assignment by itself stands in a place where it is one."""
    start = match.start()
    if data[start - 1 : start] in (b"/", b".") and data[max(0, start - 16) : start].endswith(_DIGEST_OF):
        return False
    if operator[:1] not in _NO_ASSIGNMENTS and data.rfind(b"arn:", max(0, start - 64), start) < 0:
        return True
    before = data[max(0, start - 80) : start].rpartition(b"\n")[2]
    if b"arn:" in before[-64:]:
        return False
    if operator == b">":
        return _ELEMENT.search(before) is not None
    if operator == b"|":
        return before.rstrip(b" \t*_`").endswith(b"|")
    if operator == b"(":
        return name.rpartition(".")[2].lower().startswith(_SETTERS) and data[match.end() : match.end() + 1] in (
            b'"',
            b"'",
            b"`",
        )
    if operator[:1] == b",":
        return before.endswith((b'"', b"'", b"{"))
    return True


_ELEMENT = lazy_linear_expression(rb"(?i)<(?:[\w:.\-]*|[^<>]*\b(?:name|key|id)=[\"'])$", latin=True)


def named_value(data: bytes, match: Match) -> Iterator[Extent]:
    """The value of a pair such as `name: DB_PASSWORD` and `value: ...`."""
    name = next(match.group(number) for number in range(1, match.re.groups + 1) if match.start(number) >= 0)
    strength = classify(name.decode("ascii", "replace"))
    if strength is not Strength.NONE:
        yield from secrets(data, match.end(), strength)


def url_password(data: bytes, match: Match) -> Iterator[Extent]:
    """The password of a URL's user information (RFC 3986, 3.2.1)."""
    value = match.group(1).decode("utf-8", "replace")
    if not is_placeholder(value):
        yield match.start(1), match.end(1)


def url_token(data: bytes, match: Match) -> Iterator[Extent]:
    """A token in place of a user; the key of a Sentry URL is public by design."""
    value = match.group(1).decode("ascii", "replace")
    if not match.group().endswith(b"sentry.io") and looks_random(value):
        yield match.start(1), match.end(1)


def header_value(data: bytes, match: Match) -> Iterator[Extent]:
    """A credential in a header, unless it is a placeholder."""
    value = match.group(1).decode("utf-8", "replace")
    if is_secret(value, Strength.SECRET, quoted=False):
        yield match.start(1), match.end(1)


def cookies(data: bytes, match: Match) -> Iterator[Extent]:
    """The values of cookies that are random or named as a session."""
    position = match.end()
    while pair := _COOKIE.match(data, position):
        if is_secret(pair.group(1).decode("utf-8", "replace"), Strength.SECRET, quoted=True):
            yield pair.span(1)
        position = pair.end()
    yield position, position


_COOKIE = lazy_expression(rb"[;, ]*+(?>(?:(?:HttpOnly|Secure|Partitioned)[; ]++)*)[\w.\-]++=([^;\s\"'\x60]++)")


FIELDS: tuple[Rule, ...] = (
    Rule(
        id="field",
        kind="secret",
        pattern=FIELD,
        reader=field,
        hits=(
            "api_key: {hex:32}",
            "DB_PASSWORD={pw:14}\n",
            '{"clientSecret": "{base62:32}"}',
            "password => '{pw:12}',",
        ),
        misses=(
            "token_endpoint: https://auth.example/oauth2/token",
            "PASSWORD=changeme",
            "secretName: orders-tls",
            "max_tokens: 4096",
        ),
    ),
)

RULES: tuple[Rule, ...] = (
    Rule(
        id="name-value-pair",
        kind="secret",
        pattern=r"(?i)\b\w{0,12}(?:name|key|variable|parameter|env)[\"']?[ \t]*[:=][ \t]*[\"']?([\w.\-]*"
        + NOUNS
        + r"[\w.\-]*)[\"']?[ \t,]*(?:\r?\n[ \t]*)?[\"']?\w{0,12}value[\"']?[ \t]*[:=]",
        reader=named_value,
        hits=("- name: REDIS_AUTH\n  value: {base62:24}\n", '{"name": "DB_PASSWORD", "value": "{pw:14}"}'),
        misses=("- name: API_TOKEN\n  value: ${API_TOKEN}\n", "- name: TOKEN_TTL\n  value: 3600\n"),
    ),
    Rule(
        id="property-list-pair",
        kind="secret",
        pattern=r"(?i)(?:<key>[ \t]*([\w.\- ]*"
        + NOUNS
        + r"[\w.\- ]*)[ \t]*</key>\s*<string>|\bvariable[ \t]+\"([\w\-]*"
        + NOUNS
        + r"[\w\-]*)\"[ \t]*\{[^{}]{0,200}?\bdefault[ \t]*=)",
        reader=named_value,
        hits=(
            "<key>APIKey</key>\n<string>{base62:32}</string>",
            'variable "db_password" {\n  type = string\n  default = "{pw:12}"\n}',
        ),
        misses=("<key>TokenName</key><string>ci</string>", 'variable "api_token" {\n  type = string\n}'),
    ),
    Rule(
        id="oracle-url",
        kind="url-password",
        pattern=r"(?i)jdbc:oracle:\w+:[\w.\-]+/([^\s/\"']+)@",
        reader=url_password,
        hits=("jdbc:oracle:thin:scott/{typed}@//db:1521/orcl", "url=jdbc:oracle:oci:app/{pw:12}@tns"),
        misses=("jdbc:oracle:thin:@//db:1521/orcl", "jdbc:oracle:thin:scott/<password>@db"),
    ),
    Rule(
        id="url-token",
        kind="url-password",
        pattern=r"://([\w\-]{20,})(?::x-oauth-basic|:)?@[\w\-]+\.[\w.\-]*(?:sentry\.io)?",
        reader=url_token,
        hits=(
            "git clone https://{base62:40}@git.example/a.git",
            "https://{hex:40}:x-oauth-basic@git.example/a",
        ),
        misses=("https://{hex:32}@o1.ingest.sentry.io/2", "https://some-long-user-name-here@host.example"),
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
        pattern=r"(?i)authorization[\"']?(?:[ \t]*[:=,][ \t]*|[ \t]+)[\"']?(?:bearer|basic|token|apikey|key|digest|"
        r"negotiate|bot|splunk|genie-?key)[ \t]+[\"']?([\w+/=.~\-]{8,})",
        reader=header_value,
        validator=is_no_sample_login,
        hits=("Authorization: Bearer {b64url:48}", 'curl -H "authorization: token {hex:40}"'),
        misses=("Authorization: Bearer <TOKEN>", "Authorization: Bearer $TOKEN"),
    ),
    Rule(
        id="bearer-value",
        kind="authorization",
        pattern=r"\b[Bb]earer[ \t]+([\w+/=.~\-]{20,})",
        reader=header_value,
        hits=("call it with `Bearer {b64url:44}`", "header: bearer svk_{base62:32}"),
        misses=("Bearer <token>", "Bearer authentication-and-authorization"),
    ),
    Rule(
        id="cookie-header",
        kind="session-cookie",
        pattern=r"(?i)(?:\bset-cookie|\bcookie)[\"']?[ \t]*[:=][ \t]*[\"']?",
        reader=cookies,
        hits=(
            "Cookie: theme=dark; session={b64url:43}; lang=de",
            "Set-Cookie: sid={base62:32}; Path=/; HttpOnly",
        ),
        misses=("Cookie: theme=dark; lang=de", "Set-Cookie: consent=yes; Path=/"),
    ),
)
