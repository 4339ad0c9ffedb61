"""Layer 4: secrets told in sentences, such as "the password of the account is ..."."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain

from msgspec import Struct

from kradle_ctx.expressions import lazy_expression, lazy_linear_expression
from kradle_ctx.redaction.formats import group
from kradle_ctx.redaction.keys import Strength
from kradle_ctx.redaction.model import Extent, Match, Rule
from kradle_ctx.redaction.never_touch import is_uuid
from kradle_ctx.redaction.randomness import is_hex, looks_random
from kradle_ctx.redaction.telling import is_encoded, is_told, is_told_by, is_two_words, sort_of
from kradle_ctx.redaction.values import is_secret

NOUN = (
    r"(?:pass(?:word|phrase|code|wd)?|pwd|pw|pin|secret|token|creds?|credentials?|(?:api|access|secret|"
    r"private|license|licence|"
    r"account|master|signing|encryption|pre-?shared|shared|wi-?fi|activation|hmac|aes|webhook|deploy|"
    r"service|storage|client|admin|session|cipher|unlock)[ \-]?key|"
    r"key|psk|login|"
    r"passwort|kennwort|jeton|(?:api-?)?schl\xc3\xbcssel|cl\xc3\xa9 (?:api|d'[\w\xc3\xa8]+|secr\xc3\xa8te)|"
    r"mot de passe|contrase\xc3\xb1a|clave|llave|senha|chave|chiave|wachtwoord|sleutel|l\xc3\xb6senord(?:et)?|"
    r"has\xc5\x82o|klucz|parola|heslo|geslo|lozinka|adgangskode(?:n)?|passord(?:et)?|salasana)"
)
_VERB = (
    r"(?:is|was|are|were|be|to|as|equals|reads|remains|becomes|became|with|using|from|type|enter|lautet|ist|est|es|"
    r"\xc3\xa9|\xc3\xa8|\xc3\xa4r|er|je|jest|to jest|"
    r"ustawione na)"
)
_ADVERB = (
    r"(?:(?:now|still|currently|set to|just|simply|only|again|temporarily|always|the same|"
    r"changed to|this|the following|today|at the moment)[ \t]+){0,2}"
)
_TOLD = r"(?i)\b(" + NOUN + r")(?:s|es)?\b"
_told = lazy_linear_expression(_TOLD.encode("latin-1"), latin=True)
_verb = lazy_linear_expression(
    (
        r"(?i)(?:(?:[ \t\"'\x60*)]|^)"
        + _VERB
        + r"(?:[ \t]*:[ \t]*|[ \t]+|[ \t]*\r?\n[ \t>]*)|[\w)*\x60]:[ \t]+|"
        + r"[ \t](?:=|->|--|\xe2\x86\x92|\xe2\x80[\x93\x94])[ \t]+)"
        + _ADVERB
        + r"((?:<(?:code|b|strong|kbd|tt|em)>|[\"'\x60*_(\[]){0,3})([^\s<]{5,200})"
    ).encode("latin-1"),
    latin=True,
)
_SORTS = ((False, False), (False, True), (True, False), (True, True))
_WINDOW = 110
_LONGEST = 512
_paragraph_end = lazy_expression(rb"\n[ \t>]*+(?:\r?\n|[\-*+#|{}]|\"?[\w.\- ]{1,40}+\"?[:=])")
_digit_or_symbol = lazy_expression(rb"[0-9!#$%^&*?+~]")
_rest = lazy_expression(rb"\S*+")
_name = lazy_expression(rb"(?i)[ _\-]?(?:id|name|version|type|hash|fingerprint|reference)\b")
_id = lazy_expression(rb"(?:\b[iI][dD]|[_\-][iI][dD]|ID|Id)[\"'\x60]?[ \t]*+[:=(]?[ \t\"'\x60]*+\Z")
_public = lazy_expression(rb"(?i)(?:public|verif\w*+|host|gpg|pgp|recv)[ _\-]\Z")
_hashed = lazy_expression(rb"(?i)hash|digest|checksum|fingerprint|\bsha")
_TRAIL = ".,;:)]}>\"'`*_"


def _trimmed(data: bytes, start: int, end: int) -> int:
    value = data[start:end].decode("utf-8", "replace").partition("](")[0]
    return start + len(value.rstrip(_TRAIL).encode("utf-8", "replace")) if value.isascii() else end


class _Nouns(Struct, frozen=True):
    """The nouns of a text that are not said to be public; a text may have very many, so they are kept small."""

    starts: array[int]
    ends: array[int]
    sorts: bytearray

    def next_alike(self, number: int) -> int:
        """The number of the next noun that judges as this one does, so that each sort judges a token once."""
        found = self.sorts.find(self.sorts[number], number + 1, number + _WINDOW)
        return found if found >= 0 else len(self.starts)


@lru_cache(maxsize=1)
def _nouns(data: bytes) -> _Nouns:
    nouns = _Nouns(array("I"), array("I"), bytearray())
    for match in _told.finditer(data):
        start, end = match.span()
        if _public.search(data, max(0, start - 12), start) is None:
            text = "" if _name.match(data, end) else str(match.group(1), "utf-8", "replace")
            nouns.starts.append(start)
            nouns.ends.append(end)
            nouns.sorts.append(_SORTS.index(sort_of(text)))
    return nouns


def told(data: bytes, match: Match) -> Iterator[Extent]:
    """Tokens that follow a verb in the sentence of the noun."""
    start = match.end()
    limit = min(len(data), start + _WINDOW)
    if _digit_or_symbol.search(data, start, limit) is None:
        return
    stop = _paragraph_end.search(data, start, limit)
    verbs = _verb.finditer(data, start, stop.start() if stop else limit)
    if (first := next(verbs, None)) is None:
        return
    nouns = _nouns(data)
    number = bisect_left(nouns.starts, match.start())
    if number == len(nouns.starts) or nouns.starts[number] != match.start():
        return
    yield from _tokens(data, start, limit, chain((first,), verbs), nouns, number)


def _tokens(
    data: bytes, start: int, limit: int, verbs: Iterable[Match], nouns: _Nouns, number: int
) -> Iterator[Extent]:
    """The tokens behind the verbs, up to the turn of another noun that judges alike."""
    turn, sort = nouns.next_alike(number), _SORTS[nouns.sorts[number]]
    for verb in verbs:
        if turn < len(nouns.starts) and verb.start() >= nouns.starts[turn]:
            return
        begin, end = verb.start(2), verb.end(2)
        if end >= limit and (rest := _rest.match(data, end, begin + _LONGEST)):
            end = rest.end()
        end = _trimmed(data, begin, end)
        value = data[begin:end].decode("utf-8", "replace")
        if is_told_by(value, bool(verb.group(1)), sort) and not _is_identity(value, data[start:begin]):
            yield begin, end
            while turn < len(nouns.starts) and nouns.ends[turn] < end:
                turn = nouns.next_alike(turn)


def _is_identity(value: str, before: bytes) -> bool:
    """Whether the words before say that the value is an identifier, or that hexadecimal text is a digest."""
    return _id.search(before) is not None or (is_hex(value) and _hashed.search(before) is not None)


def beside(data: bytes, match: Match) -> Iterator[Extent]:
    """The second group, when the first holds the quote before it or is empty."""
    return _second(data, match, "password")


def login_beside(data: bytes, match: Match) -> Iterator[Extent]:
    """The second group after a user's name, where it may also be two words with digits."""
    return _second(data, match, "")


def _second(data: bytes, match: Match, noun: str) -> Iterator[Extent]:
    end = _trimmed(data, match.start(2), match.end(2))
    value = data[match.start(2) : end].decode("utf-8", "replace")
    if is_told(value, quoted=bool(match.group(1)), noun=noun) or is_two_words(value):
        yield match.start(2), end


def random_beside(data: bytes, match: Match) -> Iterator[Extent]:
    """The second group, when it is random."""
    end = _trimmed(data, match.start(2), match.end(2))
    value = data[match.start(2) : end].decode("utf-8", "replace")
    if is_uuid(value) or is_hex(value) or is_secret(value, Strength.WEAK, quoted=False) or _is_mixed_random(value):
        yield match.start(2), end


def _is_mixed_random(value: str) -> bool:
    return ("/" not in value or is_encoded(value)) and value.lower() != value != value.upper() and looks_random(value)


def before(data: bytes, match: Match) -> Iterator[Extent]:
    """The token before the match."""
    start = end = match.start()
    while start > 0 and end - start < _LONGEST and data[start - 1 : start].strip():
        start -= 1
    token = data[start:end]
    if b"public" in match.group().lower():
        return
    inner = token.strip(b"\"'`*(_,")
    text = inner.decode("utf-8", "replace")
    if is_told(text, quoted=inner != token, noun=match.group().split()[-1].decode()) or is_two_words(text):
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
        pattern=_TOLD,
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

LOGINS: tuple[Rule, ...] = (
    Rule(
        id="login-pair",
        kind="password",
        pattern=r"[ \t]/[ \t]+([\x60\"'*]{0,2})([^\s|/0-9]{0,60}[0-9][^\s|/]{0,60})",
        context=_LOGIN,
        reader=login_beside,
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
        id="login-in-brackets",
        kind="password",
        pattern=r"(?i)\b(?:login|log in|credentials?|creds|account)\b[^\n|]{0,30}?[(\x60\"'][\w.\-@\\]{2,40}"
        r"/([\x60\"'*]{0,2})([^\s|\x60\"'/)]{6,100})",
        reader=login_beside,
        hits=("Default credentials (admin/{typed}) work.", "creds are `svc/{pw:14}`"),
        misses=("the account (team-a/app1) is new", "login (src/auth2) moved"),
    ),
    Rule(
        id="pin-digits",
        kind="pin",
        pattern=r"(?i)\b(?:pin|passcode|(?:door|gate|alarm|entry|access|safe|unlock) code)\b"
        r"(?:[ \t]*[:=]|[ \t]+is)[ \t]+[\x60\"'*]{0,2}(\d{6,10})\b",
        reader=group,
        hits=("door PIN: {digits:8}", "The alarm code is `{digits:6}`."),
        misses=("GPIO pin: 17", "PIN: 1234"),
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
)

BESIDE: tuple[Rule, ...] = (
    Rule(
        id="password-beside",
        kind="password",
        pattern=r"(?i)\b(?:password|passphrase|passcode|passwd|pwd|pw|pass|pin|psk|passwort|kennwort|mot de passe|"
        r"contrase\xc3\xb1a|senha|wachtwoord|wi-?fi key)s?[ \t]*[ \t:(](?:(?:is )?(?:now|still|again)[ \t]+)?"
        r"([\x60\"'*]{0,2})([^\s|\x60\"']{6,100})",
        reader=beside,
        hits=("join with password {pw:14} please", "the host (pw {pw:12}) is old"),
        misses=("password reset flow v2", "password hashing uses argon2id"),
    ),
    Rule(
        id="token-beside",
        kind="secret",
        pattern=r"(?i)\b(?:token|secret|(?:api|access|secret|private|license|account|master|signing|encryption|hmac|aes|shared|"
        r"pre-?shared|webhook|deploy|service|client|session)[ \-]key)s?[ \t]*[ \t:(]"
        r"([\x60\"'*]{0,2})([^\s|\x60\"']{16,200})",
        reader=random_beside,
        hits=("use token {hex:40} for the bot", "the api key {base62:32} is new"),
        misses=("token bucket-implementation-v2 is used", "secret orders-db-credentials-2 exists"),
    ),
    Rule(
        id="value-first",
        kind="password",
        pattern=r"(?i) (?:is|was|as|for|=) (?:the|our|your|its|my|his|her|their|"
        r"a) (?:[\w\-]+ ){0,4}?(?:password|passphrase|passcode|secret|token|credential|api key|pin)\b",
        reader=before,
        hits=("use {pw:14} as the password", "`{typed}` is the admin password"),
        misses=("this is the password", "use OAuth2 as the token source"),
    ),
)
