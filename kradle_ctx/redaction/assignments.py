"""Layer 3, names and values without an operator between them: commands that set, defaults, nested elements.

Patterns begin with a word for a secret, and the name before it is read backwards: that keeps the search cheap.
"""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.redaction.keys import Strength, classify
from kradle_ctx.redaction.model import Extent, Match, Rule
from kradle_ctx.redaction.structure import NOUNS, named_value
from kradle_ctx.redaction.telling import is_told
from kradle_ctx.redaction.values import is_secret, secrets

_NEAR = 120
"""Bytes before a match in which the beginning of a name is looked for."""
_name_start = lazy_expression(rb"[\w./:\- ]*+\Z")
_COMPOUND = lazy_expression(rb"(?:^|\s)[A-Za-z0-9.]++[_\-][\w.\-]*+\Z")
_entry = lazy_expression(rb"[ \t]++[\"']?[\w.\-]{1,60}+[\"']?:[ \t]++")
_MOST_ENTRIES = 64
_SHORTEST = 6
_WORD = r"(" + NOUNS + r"[\w.\-]*)"


def value_behind(data: bytes, match: Match) -> Iterator[Extent]:
    """The value behind the match, with the quote that the match may end with."""
    before = data[max(0, match.start() - _NEAR) : match.start()]
    name = _name_start.search(before)
    strength = classify(((name.group() if name else b"") + match.group(1)).decode("ascii", "replace"))
    if strength is not Strength.NONE:
        yield from secrets(data, match.end() - match.group().endswith((b'"', b"'", b"`")), strength)


def value_of_line(data: bytes, match: Match) -> Iterator[Extent]:
    """The last word of a line, behind a name that begins the line or is no plain word."""
    start = data.rfind(b"\n", max(0, match.start() - _NEAR), match.start()) + 1
    before = data[start : match.start()]
    if before.strip() and not _COMPOUND.search(before + match.group(1)):
        return
    name = before.split()[-1:] if before[-1:].strip() else []
    strength = classify((b"".join(name) + match.group(1)).decode("ascii", "replace"))
    if strength is not Strength.NONE:
        yield from secrets(data, match.end(1), strength)


def line_below(data: bytes, match: Match) -> Iterator[Extent]:
    """The last line of the match, under a heading that names it."""
    strength = classify(match.group(1).decode("ascii", "replace"))
    start = match.start() + match.group().rstrip().rfind(b"\n") + 1
    if strength is not Strength.NONE:
        yield from secrets(data, start, strength)


def answer(data: bytes, match: Match) -> Iterator[Extent]:
    """The second group, where it answers a question for what the first names."""
    text = match.group(2).rstrip(b"`\"'*.,").decode("utf-8", "replace")
    if classify(match.group(1).decode("ascii", "replace")) is not Strength.NONE and is_told(
        text, quoted=True, noun="password"
    ):
        yield match.start(2), match.start(2) + len(text.encode("utf-8", "replace"))


def map_values(data: bytes, match: Match) -> Iterator[Extent]:
    """The values of the entries that are further in than the match, which names them all."""
    position, inset = match.end(), _indent(data, match.start())
    for _ in range(_MOST_ENTRIES):
        entry = _entry.match(data, position)
        if entry is None or _indent(data, position) <= inset:
            return
        yield from secrets(data, entry.end(), Strength.SECRET)
        position = data.find(b"\n", entry.end()) + 1 or len(data)


def _indent(data: bytes, position: int) -> int:
    line = data[position : position + _NEAR]
    return len(line) - len(line.lstrip(b" \t"))


def typed_value(data: bytes, match: Match) -> Iterator[Extent]:
    """The value after a separator that only a password follows."""
    yield from secrets(data, match.end(), Strength.PASSWORD)


def value_before_name(data: bytes, match: Match) -> Iterator[Extent]:
    """The value of a pair that names its field last."""
    strength = classify(match.group(2).decode("ascii", "replace"))
    text = match.group(1).decode("utf-8", "replace")
    if strength is not Strength.NONE and len(text) >= _SHORTEST and is_secret(text, strength, quoted=True):
        yield match.start(1), match.end(1)


RULES: tuple[Rule, ...] = (
    Rule(
        id="set-by-command",
        kind="secret",
        pattern=r"(?i)\b(?:setenv|set(?:[ \t]+--?\w+)*|setq|secrets?[ \t]+(?:set|put|create|add)|variables?[ \t]+set|"
        r"put-parameter[ \t]+--name)[ \t]+[\"']?([\w./\-]*"
        + NOUNS
        + r"[\w.\-]*)[\"']?[ \t]+(?:(?:--?(?:body|value|string-value|b|v)|<<<)[ \t=]+)?",
        reader=named_value,
        hits=(
            "set -gx SERVICE_TOKEN {lowdigits:32}",
            'gh secret set NPM_TOKEN --body "{hex:40}" --repo a/b',
            "aws ssm put-parameter --name /prod/db-password --value {human} --type SecureString",
        ),
        misses=(
            "gh secret set NPM_TOKEN < token.txt",
            "set password policy strict",
            "gh secret set TOKEN --body $TOKEN",
        ),
    ),
    Rule(
        id="name-and-quoted-value",
        kind="secret",
        pattern=r"(?i)[_\-]" + _WORD + r"[ \t]+[\"']",
        reader=value_behind,
        hits=(
            '#define WIFI_PASSWORD "{typed}"',
            'proxy_set_header X-Api-Key "{hex:32}";',
            '(setq codecov-api-token "{uuid}")',
        ),
        misses=('the x-api-key "customer-orders"', '#define MAX_TOKEN "none"'),
    ),
    Rule(
        id="fallback-value",
        kind="secret",
        pattern=r"(?i)"
        + _WORD
        + r"[\"'\x60]?[)\]}]{0,2}[ \t]*(?:(?:\|\||\?\?|\?:)[ \t]*[\"'\x60]|(?:\bor|\{)[ \t]*[\"'])",
        reader=value_behind,
        hits=(
            "const token = process.env.CI_TOKEN || '{hex:40}';",
            'key = os.getenv("API_KEY") or "{base62:32}"',
            "ENV.fetch('API_TOKEN') { '{base62:24}' }",
        ),
        misses=("process.env.CI_TOKEN || 'none'", "the token or 'ticket' is checked"),
    ),
    Rule(
        id="template-fallback",
        kind="secret",
        pattern=r"(?i)" + _WORD + r"[\"']?[ \t]*[:=][ \t]*[\"']?(?:<%=|\{\{)[^%}\n]*?(?:\|\||,|default)[ \t(]*[\"']",
        reader=value_behind,
        hits=(
            "password: <%= ENV['X'] || '{pw:14}' %>",
            'token: {{ env "T" | default "{base62:32}" }}',
        ),
        misses=("password: <%= ENV['X'] || 'changeme' %>", 'token: {{ env "T" | default "none" }}'),
    ),
    Rule(
        id="explained-field",
        kind="secret",
        pattern=r"(?i)" + _WORD + r"[ \t]*\([^()\n]+\)[ \t]*[:=][ \t]+",
        reader=value_behind,
        hits=("DB password (same as prod): {pw:14}", "API-key (read only) = {hex:32}"),
        misses=("password (required): string", "token (see above): rotated"),
    ),
    Rule(
        id="nested-value",
        kind="secret",
        pattern=r"(?i)" + _WORD + r">\s*<(?:\w+:)?value>",
        reader=value_behind,
        hits=(
            "<AdministratorPassword>\n  <Value>{pw:14}</Value>\n",
            "<apiKey><value>{base62:32}</value></apiKey>",
        ),
        misses=("<password><value>changeme</value>", "<sortKey><value>created_at</value>"),
    ),
    Rule(
        id="network-key",
        kind="password",
        pattern=r"(?i)\b(?:ssid|wi-?fi|wlan)\b[^\n]*?\b(?:key|psk|pass(?:phrase)?)[ \t]*[:=][ \t]*",
        reader=typed_value,
        hits=("SSID: corp-guest, key: {typed}", "WLAN guest key={pw:12}"),
        misses=("SSID: corp-guest, key: see the desk", "key: {pw:12}"),
    ),
    Rule(
        id="value-before-name",
        kind="secret",
        pattern=r"(?i)\bvalue[\"']?[ \t]*[:=][ \t]*[\"']?([^\s\"',{}]+)[\"']?[ \t,]*(?:\r?\n[ \t]*)?"
        r"[\"']?(?:name|key)[\"']?[ \t]*[:=][ \t]*[\"']?([\w.\-]*" + NOUNS + r"[\w.\-]*)",
        reader=value_before_name,
        hits=('{"value": "{pw:14}", "name": "DB_PASSWORD"}', "- value: {base62:32}\n  name: API_TOKEN\n"),
        misses=('{"value": "3600", "name": "TOKEN_TTL"}', "- value: ${TOKEN}\n  name: API_TOKEN\n"),
    ),
)

LINES: tuple[Rule, ...] = (
    Rule(
        id="heading-and-value",
        kind="secret",
        pattern=r"(?mi)^#{1,6}[ \t][^\n]*?" + _WORD + r"[ \t]*\r?\n(?:[ \t]*\r?\n)?[ \t]*\S+[ \t]*\r?$",
        reader=line_below,
        hits=("### Root password\n{pw:14}\n", "# API token\n\n{base62:32}\n"),
        misses=("# API token\n\nOverview\n", "## Password policy\n\nstrict-2026\n"),
    ),
    Rule(
        id="asked-and-told",
        kind="password",
        pattern=r"(?i)" + _WORD + r"[^\n?]*\?[ \t]*\r?\n[^\n]{0,40}?[:>\]][ \t]+[\x60\"'*]{0,2}(\S+)[ \t]*\r?\n",
        reader=answer,
        hits=(
            "bob: what's the db password again?\nana: {pw:14}\n",
            "[10:31] bob: token?\n[10:32] ana: `{base62:32}`\n",
        ),
        misses=("bob: password?\nana: later\n", "Which token?\n- one: two\n"),
    ),
    Rule(
        id="name-and-bare-value",
        kind="secret",
        pattern=r"(?mi)" + _WORD + r"[ \t]+(?:[0-9]|[^\s\"'\x60<>|:=#,;(){}\[\]\-0-9]\S*[0-9])\S*[ \t]*\r?$",
        reader=value_of_line,
        hits=("auth_pass {base62:12}", "  remote_password {pw:14}\n", "user admin insecure-password {pw:12}\n"),
        misses=("password reset-flow", "the auth_token refresh-flow2", "ssl_certificate_key /etc/tls.key"),
    ),
    Rule(
        id="map-of-secrets",
        kind="secret",
        pattern=r"(?mi)^[ \t]*[\"']?(?:[\w.\-]*_)?(?:secrets|passwords|tokens|api_?keys|credentials)[\"']?:"
        r"[ \t]*\{?[ \t]*\r?\n",
        reader=map_values,
        hits=(
            "secrets:\n  db: {base62:24}\n  smtp: {hex:32}\n",
            '"apiKeys": {\n  "maps": "{base62:32}"\n}',
        ),
        misses=("secrets:\n  db: ${DB}\n  file: ./db.txt\n", "tokens:\n  - one\n  - two\n"),
    ),
    Rule(
        id="defined-term",
        kind="secret",
        pattern=r"(?i)" + _WORD + r"(?:\*\*)?[ \t]*\r?\n(?:[ \t]*\r?\n)?[ \t]*(?::[ \t]+|\x60)",
        reader=value_behind,
        hits=("Password\n: {pw:14}\n", "## Admin password\n\n`{pw:14}`\n"),
        misses=("Password\n: the word that opens the door\n", "## API token\n\n`corpctl token` makes one\n"),
    ),
)
"""Where the lines are what tells a value."""
