"""Layer 3, code: secrets as arguments of calls that take a user and a password, encode a pair, or type into a field."""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.redaction.keys import Strength
from kradle_ctx.redaction.model import Extent, Match, Rule
from kradle_ctx.redaction.telling import is_told
from kradle_ctx.redaction.values import is_secret, secrets

_MOST_ARGUMENTS = 6
_argument = lazy_expression(
    rb"\s*+(?:[\w$.:>\-]{1,80}+(?:\([^()\n]{0,80}+\))?|[bfru]?\"([^\"\n]{0,200}+)\"|[bfru]?'([^'\n]{0,200}+)')\s*+([,)])"
)
_pair = lazy_expression(rb"[\w.@\\\-]{2,40}+:([^\"'\n]{6,100}+)[\"']")


def arguments(data: bytes, match: Match) -> Iterator[Extent]:
    """The literals after the first argument that can be passwords."""
    position = match.end()
    for number in range(_MOST_ARGUMENTS):
        argument = _argument.match(data, position)
        if argument is None:
            return
        group = 1 if argument.start(1) >= 0 else 2
        if number and argument.start(group) >= 0:
            text = argument.group(group).decode("utf-8", "replace")
            if is_told(text, quoted=True, noun="password"):
                yield argument.span(group)
        if argument.group(3) == b")":
            return
        position = argument.end()


def pair_literal(data: bytes, match: Match) -> Iterator[Extent]:
    """The part after the colon of a literal `user:password`."""
    pair = _pair.match(data, match.end())
    if pair and is_secret(pair.group(1).decode("utf-8", "replace"), Strength.PASSWORD, quoted=True):
        yield pair.span(1)


def typed_text(data: bytes, match: Match) -> Iterator[Extent]:
    """The literal that is typed into a field."""
    yield from secrets(data, match.end() - 1, Strength.PASSWORD)


RULES: tuple[Rule, ...] = (
    Rule(
        id="login-arguments",
        kind="password",
        pattern=r"(?i)\b(?:new PDO|mysqli(?:_p?connect)?|mysql_p?connect|getConnection|DBI->connect|"
        r"(?:set)?basic_?auth|"
        r"http_?(?:basic|digest)_?auth|login|authenticate|NetworkCredential|PasswordAuthentication|"
        r"UsernamePassword\w*|(?:auth|creds?|credentials)[ \t]*=[ \t]*)\(",
        reader=arguments,
        hits=(
            "new PDO('mysql:host=db', 'app', '{pw:14}');",
            'DriverManager.getConnection(url, "app", "{typed}");',
            "requests.get(url, auth=('svc', '{pw:14}'))",
        ),
        misses=("server.login('bot', password)", 'login("ana", "role-admin")', "new PDO($dsn, $user, $pass)"),
    ),
    Rule(
        id="encoded-pair",
        kind="password",
        pattern=r"(?i)\b(?:btoa|b64encode|base64_?encode|encode64|encodeToString|getBytes|Buffer\.from)\([ \t]*b?[\"']",
        reader=pair_literal,
        hits=("btoa('svc:{pw:14}')", 'base64.b64encode(b"svc:{base62:20}")'),
        misses=("btoa('user:password')", 'base64.b64encode(b"text: more")'),
    ),
    Rule(
        id="typed-into-field",
        kind="password",
        pattern=r"(?i)(?:pass(?:word|wd|phrase)?|pwd|secret|token)[\"'\])]{1,4}[ \t,)]*\."
        r"(?:send_?keys|type|fill|set_?value)"
        r"\([ \t]*[\"']",
        reader=typed_text,
        hits=(
            'driver.find_element(By.ID, "password").send_keys("{pw:14}")',
            "cy.get('#password').type('{typed}')",
        ),
        misses=("cy.get('#password').type('{enter}')", 'page.locator("#token").fill("changeme")'),
    ),
)
