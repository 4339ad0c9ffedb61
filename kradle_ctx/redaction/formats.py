"""Layer 3, formats of their own: SQL, query strings, signatures, password files, keys, recovery codes."""

from __future__ import annotations

from collections.abc import Iterator

import re2

from kradle_ctx.redaction.keys import Strength, classify
from kradle_ctx.redaction.model import Extent, Match, Rule
from kradle_ctx.redaction.never_touch import is_placeholder
from kradle_ctx.redaction.randomness import looks_random
from kradle_ctx.redaction.values import is_secret, read_values

_latin = re2.Options()
_latin.encoding = re2.Options.Encoding.LATIN1


def literal(data: bytes, match: Match) -> Iterator[Extent]:
    """The quoted literal that the match ends before."""
    for value in read_values(data, match.end()):
        text = data[value.start : value.end].decode("utf-8", "replace")
        quote = data[value.start - 1 : value.start]
        if (
            quote in (b"'", b'"')
            and len(text) >= 4
            and not is_placeholder(text)
            and is_secret(text, Strength.PASSWORD, quoted=True)
        ):
            yield value.start, value.end


def random_group(data: bytes, match: Match) -> Iterator[Extent]:
    """The first group, unless it is a placeholder or made of words."""
    value = match.group(1).decode("utf-8", "replace")
    if not is_placeholder(value) and (looks_random(value) or "%" in value):
        yield match.start(1), match.end(1)


def group(data: bytes, match: Match) -> Iterator[Extent]:
    """The first group, unless it is a placeholder."""
    if not is_placeholder(match.group(1).decode("utf-8", "replace")):
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


_SQL_ITEM = re2.compile(rb"\s*(?:N?'([^'\n]{0,512})'|[^,'()\n]{0,80}(?:\([^()\n]{0,80}\))?)\s*[,)]", _latin)
_CODE_LINE = re2.compile(
    rb"[ \t>]*(?:[\-*]|\d{1,2}[.)])?[ \t]*((?:\x60?[A-Za-z0-9]{4,10}(?:[\- "
    rb"][A-Za-z0-9]{4,10}){0,3}\x60?[ \t,]*)+)\r?(?:\n|\z)",
    _latin,
)


def code_lines(data: bytes, match: Match) -> Iterator[Extent]:
    """The lines of a list of recovery codes."""
    position = match.end()
    for _ in range(24):
        line = _CODE_LINE.match(data, position)
        if line is None or not any(0x30 <= byte <= 0x39 for byte in line.group(1)):
            return
        yield line.start(1), line.start(1) + len(line.group(1).rstrip())
        position = line.end()


_WORDS = re2.compile(rb"(?:(?:\d{1,2}[.)][ \t]*)?[a-z]{3,8}[ \t,\n]{1,3}){11,23}[a-z]{3,8}", _latin)


def seed_words(data: bytes, match: Match) -> Iterator[Extent]:
    """The 12 to 24 words of a mnemonic (BIP 39)."""
    words = _WORDS.match(data, match.end())
    if words and not _FILLER & set(words.group().split()):
        yield words.start(), words.end()


_FILLER = frozenset(
    (b"the", b"is", b"are", b"and", b"for", b"that", b"with", b"from", b"this", b"not", b"you", b"your")
)


RULES: tuple[Rule, ...] = (
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
        pattern=r"(?m)^[\w.*\-]+:(?:\d{2,5}|\*):[\w*\-]+:[\w.@\-]+:([^\s:]{4,}(?::[^\s:]+)*)[ \t]*\r?$",
        reader=group,
        hits=("db.example:5432:*:app:{base62:18}\n", "*:*:*:postgres:{pw:12}\n"),
        misses=("a:80:b:c:d\n", "localhost:5432:*:app:<password>\n"),
    ),
    Rule(
        id="password-hash",
        kind="password-hash",
        pattern=r"(\$(?:2[abxy]?|1|5|6|y|gy|7|apr1|argon2(?:id|i|d)|scrypt|pbkdf2[\w\-]*|P|H|"
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
        id="azure-client-secret",
        kind="azure-client-secret",
        pattern=r"[\w.~\-]{3}\dQ~[\w.~\-]{31,}",
        hits=("{base62:3}8Q~{b64url:34}", "secret {base62:3}7Q~{b64url:34}"),
        misses=("8Q~ is the mark", "7Q~short"),
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
        pattern=r"\b[MNO][A-Za-z\d_\-]{23,27}\.[\w\-]{6}\.[\w\-]{27,}",
        hits=("M{b64url:23}.{base62:6}.{b64url:38}", "bot `N{base62:23}.{base62:6}.{base62:27}`"),
        misses=("Module.method.call", "N.A.N"),
    ),
)
