"""Layer 3, formats of their own: SQL, query strings, signatures, password files, keys, recovery codes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kradle_ctx.expressions import lazy_expression, lazy_linear_expression
from kradle_ctx.redaction.keys import Strength, classify
from kradle_ctx.redaction.model import Extent, Match, Reader, Rule
from kradle_ctx.redaction.never_touch import is_placeholder
from kradle_ctx.redaction.randomness import looks_random
from kradle_ctx.redaction.reading import read_values
from kradle_ctx.redaction.values import is_secret

_BEFORE = 160
_LICENCE = lazy_expression(rb"[A-Z0-9]{4,6}(?:[ \-][A-Z0-9]{4,6}){3,7}\b")
_DSN_PASSWORD = lazy_expression(rb"[\w.\-]:([^\s:@/\"'\x60()]{4,100}+)@\w++\(\Z")


def literal(data: bytes, match: Match) -> Iterator[Extent]:
    """The quoted literal that the match ends before."""
    for value in read_values(data, match.end()):
        text = value.text(data)
        quote = data[value.start - 1 : value.start]
        if (
            quote in (b"'", b'"')
            and len(text) >= 4
            and not is_placeholder(text)
            and is_secret(text, Strength.PASSWORD, quoted=True)
        ):
            yield value.extent(data)


def random_group(data: bytes, match: Match) -> Iterator[Extent]:
    """The first group, unless it is a placeholder or made of words."""
    value = match.group(1).decode("utf-8", "replace")
    if not is_placeholder(value) and (looks_random(value) or "%" in value):
        yield match.start(1), match.end(1)


def group(data: bytes, match: Match) -> Iterator[Extent]:
    """The first group, unless it is a placeholder."""
    if not is_placeholder(match.group(1).decode("utf-8", "replace")):
        yield match.start(1), match.end(1)


def behind(pattern: re.Pattern[bytes]) -> Reader:
    """A reader of the first group of the pattern, or of all of it, which ends where the match does."""

    def read(data: bytes, match: Match) -> Iterator[Extent]:
        start = max(0, match.start() - _BEFORE)
        found = pattern.search(data[start : match.end()])
        if found and not is_placeholder(found.group(found.lastindex or 0).decode("utf-8", "replace")):
            yield start + found.start(found.lastindex or 0), start + found.end(found.lastindex or 0)

    return read


def licence_groups(data: bytes, match: Match) -> Iterator[Extent]:
    """Groups of capitals and digits, such as licence keys have."""
    groups = _LICENCE.match(data, match.end() - 4)
    if groups and any(0x30 <= byte <= 0x39 for byte in groups.group()):
        yield groups.span()


def typed_group(data: bytes, match: Match) -> Iterator[Extent]:
    """The first group, when it is such as people type for a password."""
    if is_secret(match.group(1).decode("utf-8", "replace"), Strength.PASSWORD, quoted=True):
        yield match.start(1), match.end(1)


def private_members(data: bytes, match: Match) -> Iterator[Extent]:
    """The private members of a JSON web key (RFC 7518, 6.2.2, 6.3.2 and 6.4.1)."""
    around = data[max(0, match.start() - 4096) : match.end() + 4096]
    if b'"kty"' in around and not is_placeholder(match.group(1).decode("ascii", "replace")):
        yield match.start(1), match.end(1)


def inserted(data: bytes, match: Match) -> Iterator[Extent]:
    """The literals of an SQL INSERT whose columns are named as secrets."""
    names = match.group(1).decode("utf-8", "replace").split(",")
    position = match.end()
    for name in names:
        item = _SQL_ITEM.match(data, position)
        if item is None:
            return
        strength = classify(name)
        literal_text = (item.group(1) or b"").decode("utf-8", "replace")
        if strength is not Strength.NONE and is_secret(literal_text, strength, quoted=True):
            yield item.start(1), item.end(1)
        position = item.end()


_SQL_ITEM = lazy_linear_expression(
    rb"\s*(?:N?'([^'\n]{0,512})'|[^,'()\n]{0,80}(?:\([^()\n]{0,80}\))?)\s*[,)]", latin=True
)
_digit = lazy_expression(rb"[0-9]")
_CODE_LINE = lazy_expression(
    rb"[ \t>]*+(?:[\-*]|\d{1,2}[.)])?[ \t]*+((?>(?:\x60?[A-Za-z0-9]{4,10}+(?>(?:[\- ][A-Za-z0-9]{4,10}+){0,3})"
    rb"\x60?[ \t,]*+)+))\r?(?:\n|\Z)"
)


def code_lines(data: bytes, match: Match) -> Iterator[Extent]:
    """The lines of a list of recovery codes, most of which have digits."""
    position, lines = match.end(), list[Extent]()
    while line := _CODE_LINE.match(data, position):
        lines.append((line.start(1), line.start(1) + len(line.group(1).rstrip())))
        position = line.end()
    if 2 * sum(_digit.search(data, *extent) is not None for extent in lines) > len(lines):
        yield from lines
        yield position, position
    elif lines:
        # The codes may begin at a later heading; so what is read again is never more than half.
        half, _ = lines[len(lines) // 2]
        yield half, half


_WORDS = lazy_linear_expression(rb"(?:(?:\d{1,2}[.)][ \t]*)?[a-z]{3,8}[ \t,\n]{1,3}){11,23}[a-z]{3,8}", latin=True)


def seed_words(data: bytes, match: Match) -> Iterator[Extent]:
    """The 12 to 24 words of a mnemonic (BIP 39)."""
    words = _WORDS.match(data, match.end())
    if words and not _FILLER & set(words.group().split()):
        yield words.start(), words.end()


_FILLER = frozenset(
    (b"the", b"is", b"are", b"and", b"for", b"that", b"with", b"from", b"this", b"not", b"you", b"your")
)


SQL: tuple[Rule, ...] = (
    Rule(
        id="sql-password",
        kind="password",
        pattern=r"(?i)(?:\bidentified(?:[ \t]+with[ \t]+\S+)?[ \t]+(?:by|as)[ \t]+(?:password[ \t]+|"
        r"values[ \t]+)?|\b(?:encrypted[ \t]+)?password[ \t]*(?:\(|[ \t]for[ \t][^=\n]{1,80}=|=|"
        r"[ \t])[ \t]*|"
        r"\bcrypt\(|\bsp_addlogin[ \t]+'[^']*',[ \t]*)",
        reader=literal,
        hits=("CREATE USER app IDENTIFIED BY '{pw:14}';", "ALTER ROLE app WITH PASSWORD '{typed}';"),
        misses=("CREATE USER app IDENTIFIED BY '<password>';", "ALTER ROLE app WITH PASSWORD NULL;"),
    ),
    Rule(
        id="sql-insert",
        kind="password",
        pattern=r"(?i)\binsert[ \t]+into[ \t]+\S+[ \t]*\(([^()\n]{1,400})\)\s*values\s*\(",
        reader=inserted,
        hits=(
            "INSERT INTO users (name, password) VALUES ('bob', '{typed}');",
            "insert into t(id,api_key,x) values (1,'{base62:32}','y')",
        ),
        misses=(
            "INSERT INTO t (name, password) VALUES ('bob', NULL);",
            "INSERT INTO t (name, tokens) VALUES ('bob', 12);",
        ),
    ),
)

RULES: tuple[Rule, ...] = (
    Rule(
        id="signature-parameter",
        kind="signature",
        pattern=r"(?i)[?&;](?:amp;)?(?:sig|signature|x-amz-signature|x-goog-signature|"
        r"x-amz-security-token|x-amz-credential|hmac|code|auth|key|token|access_token|"
        r"id_token|refresh_token|api_?key|client_secret|sas|st|ticket|jwt|password|passwd|pwd|secret|"
        r"session|sid|x-oss-signature|se_sig)=([\w%+/.~=\-]{12,})",
        reader=random_group,
        hits=(
            "https://a.example/raw?sv=2024&sp=r&sig={b64url:40}%3D",
            "GET /cb?X-Amz-Signature={hex:64}&x=1",
        ),
        misses=("https://a.example/?key=customer-orders-list", "https://a.example/?token=<token>"),
    ),
    Rule(
        id="signature-header",
        kind="signature",
        pattern=r"(?i)\b(?:x-[\w\-]*(?:signature|hmac)[\w\-]*|stripe-signature|webhook-signature|"
        r"svix-signature)[\"']?[ \t]*[:=][ \t]*[\"']?(?:t=\d+,[ \t]*)?(?:sha(?:1|256|512)=|"
        r"v\d[=,])?([A-Za-z0-9+/=]{20,})",
        reader=group,
        hits=("X-Hub-Signature-256: sha256={hex:64}", "Stripe-Signature: t=1700000000,v1={hex:64}"),
        misses=("X-Hub-Signature-256: sha256=<digest>", "the header X-Hub-Signature-256 is checked"),
    ),
    Rule(
        id="signed-request",
        kind="signature",
        pattern=r"(?i)\b(?:oauth_)?signature=\"?([\w%+/=]{20,})",
        context=r"(?i)oauth|aws4-hmac|credential=",
        reader=group,
        hits=(
            'OAuth oauth_nonce="x", oauth_signature="{b64:27}%3D"',
            "AWS4-HMAC-SHA256 Credential=x/y, SignedHeaders=host, Signature={hex:64}",
        ),
        misses=("Signature={hex:64}", 'OAuth oauth_signature="<signature>"'),
    ),
    Rule(
        id="sasl-password",
        kind="password",
        pattern=r"(?m)^\[[\w.\-]+\](?::\d+)?[ \t]+[^\s:]+:(\S+)",
        reader=typed_group,
        hits=("[smtp.example]:587 relay@a.example:{pw:14}\n", "[mx.example] bot:{base62:20}\n"),
        misses=("[note] see:above", "[smtp.example]:587 user:password\n"),
    ),
    Rule(
        id="digest-response",
        kind="authorization",
        pattern=r"(?i)\bresponse=\"?([a-f0-9]{32,64})\b",
        context=r"(?i)digest|nonce=",
        reader=random_group,
        hits=(
            'Authorization: Digest username="ops", nonce="{~hex:32}", response="{hex:32}"',
            'Digest realm="x", response="{hex:64}"',
        ),
        misses=('response="ok"', "response={hex:32}"),
    ),
    Rule(
        id="pgpass-line",
        kind="password",
        pattern=r"(?m)(?:^|[\"'])[\w.*\-]+:(?:\d{2,5}|\*):[\w*\-]+:[\w.@\-]+:"
        r"([^\s:\"']{4,}(?::[^\s:\"']+)*)(?:[\"']|[ \t]*\r?$)",
        reader=group,
        hits=("db.example:5432:*:app:{base62:18}\n", "*:*:*:postgres:{pw:12}\n"),
        misses=("a:80:b:c:d\n", "localhost:5432:*:app:<password>\n"),
    ),
    Rule(
        id="password-hash",
        kind="password-hash",
        pattern=r"(\$(?:2[abxy]?|1|5|6|8|9|y|gy|7|krb5\w+|apr1|argon2(?:id|i|d)|scrypt|pbkdf2[\w\-]*|P|H|"
        r"S)\$[\w.,=$+/\-]{20,}|\{(?:SSHA|SHA|SMD5|CRYPT|SSHA512)\}[\w+/=$.]{16,}|"
        r"pbkdf2_sha\d+\$\d+\$[\w+/=$]{20,})",
        group=1,
        hits=("root:$6${base62:12}${base62:86}:19000:0:", "hash $2b$12${base62:53}"),
        misses=("cost $2b$12$", "{SSHA} is a scheme"),
    ),
    Rule(
        id="json-web-key",
        kind="private-key",
        pattern=r"\"(?:d|p|q|dp|dq|qi|k)\"[ \t]*:[ \t\r\n]*\"([\w\-]{16,})\"",
        reader=private_members,
        hits=('{"kty":"EC","crv":"P-256","d":"{b64url:43}"}', '{"kty": "oct", "k": "{b64url:43}"}'),
        misses=('{"kty":"RSA","n":"{b64url:80}","e":"AQAB"}', '{"d": "{uuid}"}'),
    ),
    Rule(
        id="recovery-codes",
        kind="recovery-code",
        pattern=r"(?i)\b(?:recovery|backup|scratch|2fa|mfa|one-time|"
        r"emergency)[ \-]codes?\b[^\n:]{0,60}(?::|\r?\n)[ \t]*(?:\r?\n)?(?:[ \t]*\r?\n)?",
        reader=code_lines,
        hits=(
            "Recovery codes for root:\n- {lowdigits:5}-{digits:5}\n- {digits:5}-{lowdigits:5}\n",
            "Backup codes: {digits:4} {digits:4}\n",
        ),
        misses=("Recovery codes are kept in the safe.\n", "Backup codes:\n\nask the lead\n"),
    ),
    Rule(
        id="seed-phrase",
        kind="seed-phrase",
        pattern=r"(?i)\b(?:seed|recovery|mnemonic|secret|backup)[ \-_]?(?:phrase|words|"
        r"mnemonic)?\b[^\n:=]{0,40}[:=][ \t\n\"'\x60>|\-]*",
        reader=seed_words,
        hits=("seed phrase: {words:12}", 'mnemonic = "{words:24}"'),
        misses=(
            "seed phrase: twelve words",
            "Recovery: restart the shard and wait for the replica to catch up with its peer",
        ),
    ),
    Rule(
        id="license-key-groups",
        kind="license-key",
        pattern=r"(?i)\b(?:licen[sc]e|product|activation|serial|registration)[ _\-]?(?:key|code|number)?\b[^\n:=]*[:=]"
        r"[ \t\x60\"'*]*(?-i:[A-Z0-9]{4})",
        reader=licence_groups,
        hits=(
            "license key: {updigits:5} {updigits:5} {updigits:5} {updigits:5}",
            "Product key = `{updigits:5}-{updigits:5}-{updigits:5}-{updigits:5}-{updigits:5}`",
        ),
        misses=("license: APACHE LICENSE VERSION TWO", "serial: {updigits:10} rack"),
    ),
    Rule(
        id="url-password-with-slash",
        kind="url-password",
        pattern=r"://[^\s:/@]*:([^\s\"'<>@/]+/[^\s\"'<>@]*)@[\w\-]+\.",
        reader=random_group,
        hits=("https://ci:{b64:20}/{b64:20}@git.example/a.git", "postgres://app:{b64:30}/{b64:9}@db.example/crm"),
        misses=("https://example.org:8443/a/b@c.example", "http://a.example:80/users/bob@b.example"),
    ),
    Rule(
        id="cookie-jar",
        kind="session-cookie",
        pattern=r"\t(?:TRUE|FALSE)\t\d+\t[\w.\-]+\t(\S{8,})",
        reader=random_group,
        hits=(
            "app.example\tFALSE\t/\tTRUE\t1798761600\tsession\t{b64url:43}\n",
            ".example.org\tTRUE\t/\tFALSE\t0\tSID\t{base62:32}\n",
        ),
        misses=("app.example\tFALSE\t/\tTRUE\t0\tlang\tde\n", "a\tTRUE\tb\n"),
    ),
    Rule(
        id="driver-dsn",
        kind="url-password",
        pattern=r"@(?:tcp|udp|unix)\(",
        reader=behind(_DSN_PASSWORD),
        hits=('"app:{base62:14}@tcp(10.0.0.4:3306)/shop"', "root:{pw:12}@unix(/tmp/mysql.sock)/"),
        misses=("user:password@tcp(localhost)/", "app:${PW}@tcp(db:3306)/"),
    ),
    Rule(
        id="braced-password",
        kind="password",
        pattern=r"(?i)\b(?:pwd|password)=\{([^{}\n]+)\}",
        context=r"(?i)\b(?:driver|server|uid|dsn)=",
        reader=typed_group,
        hits=("Driver=x;UID=sa;PWD={{pw:14}};", "Server=db;Password={{base62:20}}"),
        misses=("Driver=x;PWD={password};", "Server=db;Password={0}"),
    ),
)
