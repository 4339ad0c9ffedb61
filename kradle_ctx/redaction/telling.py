"""Judging whether a token of a sentence is a password or a key that the sentence tells."""

from __future__ import annotations

from functools import lru_cache

from kradle_ctx.expressions import lazy_expression, lazy_linear_expression
from kradle_ctx.redaction.never_touch import (
    is_digest,
    is_expression,
    is_identifier,
    is_placeholder,
    is_plain_datum,
    is_uuid,
    without_markers,
)
from kradle_ctx.redaction.randomness import is_hex, looks_random, strangeness, switches

_technical = lazy_linear_expression(
    rb"(?i)^(?:(?:ssh-|ecdsa-)?(?:sha|pkcs#|pkcs|md|aes|rsa|dsa|ed|ec|ecdsa|hmac|pbkdf|argon|bcrypt|scrypt|utf|base|oauth|"
    rb"http|tls|ssl|x|p|v|k8s|s3|ec2|rfc|iso|fips|ipv|"
    rb"cve|py|python|node|java|go|es|h2|h|q|vlan|layer|tier|level|step|phase|day|week|sprint|issue|pr|id|"
    rb"jira)[\-_ ]?\d[\w.\-]*$|"
    rb"\d+[\-_ ]?(?:x|bits?|bytes?|chars?|characters?|digits?|days?|hours?|minutes?|words?|times|factor|"
    rb"fa|way|nd|rd|th|st|h|d|m|s|ms|kb|mb|gb|k)\b.*$|"
    rb"[\w.+\-]+@[\w\-]+(?:\.[\w\-]+)+$|(?:[A-Z]{2,10}-\d+)$|#\d+$|\[.*\]\(.*$|[a-z]+\(\)$|"
    rb"https?:.*$|[\w.\-]+/[\w.\-/]+$)"
)
_typed = lazy_expression(r"[A-Za-z]++(?>(?:[\-_.][A-Za-z]++)*)[\-_.]?\d{2,}+[!?#$*%&+]*+")
_two_words = lazy_expression(r"[A-Za-z]{3,}+[\-_.@$!][A-Za-z]{3,}+[\-_.]?\d{3,4}+[!?#$*%&+]*+")
_year = lazy_expression(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_digit_inside = lazy_expression(r"[A-Za-z][0-9]++[A-Za-z]")
_licence = lazy_expression(r"[A-Z0-9]{4,8}+(?:-[A-Z0-9]{4,8}+){2,7}")
_encoded = lazy_expression(r"[A-Za-z0-9+/]{32,}+={0,2}")
_TYPED_NOUNS = (
    "pass pw pin psk wifi\0key wi-fi\0key login cred kennwort mot\0de contra senha wacht l\u00f6sen has\u0142o heslo "
    "geslo lozinka adgangskode salasana"
)
_TYPED = tuple(noun.replace("\0", " ") for noun in _TYPED_NOUNS.split(" "))
_TOKENS = ("token", "secret", " key", "-key", "apikey", "jeton")
_separators = lazy_expression(r"[.:\-_/]")
_LONG_PART = 8
_symbol_inside = lazy_expression(r"[A-Za-z]{2}[!#$%^&*?+~][A-Za-z]{2}")
_hump = lazy_expression(r"[A-Z]++(?![a-z])|[A-Z]?[a-z]++")
_SHORT_HUMP = 3.1
"""Letters to a hump of the case, in the mean: names have more."""
_STRANGE = 0.4
"""Strangeness of letters from which they are no words."""
_SURE = 12
"""Characters from which random text is no technical term."""
_LONG_MIX = 10
_MANY_SWITCHES = 5
_INSIDE = 0.25
"""Strangeness of letters from which a digit among them makes no name."""


Sort = tuple[bool, bool]
"""Whether a noun is for what people type, and whether it is for a token."""


def is_told(value: str, *, quoted: bool, noun: str = "") -> bool:
    """Whether a token of a sentence can be a password: mixed as people mix, or random, and no term or name.

    After a noun for what people type, words with digits are enough; after one for a token, a UUID is.
    """
    return is_told_by(value, quoted, sort_of(noun))


def is_told_by(value: str, quoted: bool, sort: Sort) -> bool:
    """The same after a noun of this sort."""
    return _is_told(without_markers(value), quoted, *sort)


def sort_of(noun: str) -> Sort:
    """Whether a noun is for what people type, and whether it is for a token."""
    low = noun.lower()
    return low.startswith(_TYPED), low.endswith(_TOKENS)


@lru_cache(maxsize=8192)
def _is_told(value: str, quoted: bool, typed_noun: bool, token_noun: bool) -> bool:
    if len(value) < 6 or is_placeholder(value) or is_digest(value) or is_plain_datum(value):
        return False
    if is_uuid(value):
        return token_noun
    if len(value) >= _SURE and (_is_generated(value) or (token_noun and _is_licence(value))):
        return True
    if not quoted and is_expression(value):
        return False
    if _technical.match(value.encode("utf-8", "replace")) or not any(map(str.isalpha, value)):
        return quoted and value.isdigit()
    return _is_person_made(value, quoted, typed_noun)


def _is_generated(value: str) -> bool:
    """Random text with digits that is no call, path or name."""
    if not any(map(str.isdigit, value)) or "(" in value or not looks_random(value):
        return False
    if not any(len(part) >= _LONG_PART and looks_random(part) for part in _separators.split(value)):
        return False
    return is_encoded(value) if "/" in value else not _names(value) or _digits(value) >= 3


def _is_licence(value: str) -> bool:
    """Groups of capitals with a digit among them."""
    return _licence.fullmatch(value) is not None and any(map(str.isdigit, value))


def _names(value: str) -> bool:
    return is_identifier(value) and not is_hex(value)


def _digits(value: str) -> int:
    return sum(map(str.isdigit, value))


def _is_person_made(value: str, quoted: bool, typed_noun: bool) -> bool:
    digits = _digits(value)
    if not any(c in value for c in "(/") and (_has_symbols(value) if digits else _breaks_words(value)):
        return True
    if _typed.fullmatch(value):
        return len(value) >= 8 and _is_typed(value, quoted, digits, typed_noun)
    if _names(value):
        return digits >= 3 and len(value) >= 10 and looks_random(value)
    if "/" in value or not digits:
        return False
    return (looks_random(value) and (quoted or len(value) >= 8)) or ((quoted or typed_noun) and _mixes(value))


def _is_typed(value: str, quoted: bool, digits: int, typed_noun: bool) -> bool:
    """Words with digits at their end: in quotes, after a noun for what people type, or with capitals or symbols."""
    if quoted or value[-1] in "!?#$*%&+":
        return True
    return digits >= 3 and (typed_noun or (any(c in value for c in "-_.") and not value.islower()))


def is_encoded(value: str) -> bool:
    """Whether a value has the letters of base64 and the length of a key."""
    return _encoded.fullmatch(value) is not None


def is_two_words(value: str) -> bool:
    """Two words and digits that are no year, as people make passwords from them."""
    return _two_words.fullmatch(value) is not None and _year.search(value) is None


def _mixes(value: str) -> bool:
    """Whether digits stand among letters of both cases that form no words."""
    return (
        len(value) >= 8
        and value != value.lower()
        and value != value.upper()
        and _digit_inside.search(value) is not None
        and (strangeness(value) >= _INSIDE or switches(value) >= _MANY_SWITCHES)
    )


def _breaks_words(value: str) -> bool:
    """Whether a symbol stands among letters that form no words: no `Class#method`, no `R&D`."""
    if len(value) < _SURE or value in (value.lower(), value.upper()) or not _symbol_inside.search(value):
        return False
    humps = _hump.findall(value)
    return sum(map(len, humps)) / len(humps) < _SHORT_HUMP or strangeness(value) >= _STRANGE


def _has_symbols(value: str) -> bool:
    """Whether symbols stand in the value as in a password, not as the `@`, `#` or `:` of a name."""
    inner = value.lstrip("#")[:-1]
    if any(c in "!$%^&*?" for c in inner):
        return value.count(":") == 0 or not value.islower()
    if any(c in "@#" for c in inner):
        return ":" not in value and not value.islower()
    return any(c in "+~=" for c in inner) and len(value) >= _LONG_MIX and not value.islower() and not value.isupper()
