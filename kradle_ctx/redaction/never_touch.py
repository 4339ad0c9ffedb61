"""What is no secret although it stands where one could: placeholders, references, code, digests, names."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from kradle_ctx.expressions import compiled, lazy_expression

if TYPE_CHECKING:
    import re2

JUDGED = 256
"""Characters by which a longer value is judged."""

_LONGEST_MARKER = 80

# References to a secret kept elsewhere, templates and elisions, as the tools document them.
_REFERENCE = (
    r"(?i)^(?:"
    r"\[REDACTED(?::[a-z][a-z0-9_.\-]{0,40})?\]|<[^>]*>?|\$\{.*|\$\(.*|\$\$?\{?[A-Za-z_]\w*\}?(?:/[\w.\-/]*)?|\$[A-Za-z]+\d{0,2}(?:[\-_.:][A-Za-z]+\d{0,2})+|@\w+\.\w+\(.*|\$\{\{.*|"
    r"\$env:.*|%[A-Za-z_]\w*%|%\{.*|%\(.*|"
    r"\{\{.*|\{[A-Za-z_%][^\"]*\}?|\{%.*|#\{.*|@@\w+@@|__[A-Za-z_]+__|![A-Za-z]+(?:::\w+)*(?: .*|$)|"
    r"ENC\[.*|ENC\(.*|Ag[A-D][\w+/=]{200,}|"
    r"(?:op|vault|ref\+\w+|secretref|awssm|aws-sm|ssm|sm|akv|gcpsm|gcp-sm|keyring|keychain|pass|bw|"
    r"doppler|env|file|secret|secrets|k8s|projects|"
    r"arn:aws|arn|s3|https?|gs|kms|azurekeyvault|berglas|sops)(?::|/)/?[^\s:@]*(?:[:/][^\s@]*)*|"
    r"@Microsoft\.KeyVault.*|"
    r"\[[A-Za-z_ \-]*\]|\([A-Za-z][A-Za-z ,'\-]*\)?|\(\([\w./:\-]+\)\)|![a-z]+/[\w\-]+(?: .*|$)|"
    r"\\?[\"'\x60]{1,3}|~|\.{2,}|…+|[-_=]{2,}|&\w+|\*[A-Za-z_]\w*"
    r")$"
)
_marker = lazy_expression(r"\[REDACTED(?::[a-z][a-z0-9_.\-]{0,40}+)?\]")
_taken_out = lazy_expression(r"(?i)\[?redacted(?::[a-z0-9_.\-]{0,40}+)?\]?")
_MASK = (
    r"(?i)^(?:[\w.\-]{0,24}?(?:x{4,}|\*{3,}|•{2,}|\.{3,}|…|#{4,}|_{4,}|-{4,}|0{8,}|\?{3,}|"
    r"●{2,})[\w.\-]{0,12}$|[_\-]?x{3,}$)"
)
_MASKED = r"(?i)x{3}|\*{3}|•{2}|\.{3}|…|#{4}|_{4}|-{4}|0{8}|\?{3}|●{2}"
_WORD = (
    r"(?i)^(?:(?:the|a|an|your|my|our|some|any|new|old|this|user|admin|test|example|sample|dummy|fake|"
    r"demo|default|temp|super|very|"
    r"strong|db|database|api|app|client|access|auth|service|github|gitlab|aws|bot|personal|top|secret|"
    r"secure|root|postgres|mysql|redis|not|a|real|"
    r"insert|enter|put|fill|replace|change|set|add|paste|with|here|me|it|in|by|key|token|password|passwd|"
    r"pass|pwd|passphrase|"
    r"secrets?|value|string|str|text|placeholder|todo|tbd|tba|fixme|changeme|changeit|redacted|masked|"
    r"hidden|removed|omitted|"
    r"none|null|nil|undefined|empty|unset|unknown|true|false|yes|no|on|off|n/a|na|required|optional|"
    r"bytes|int|bool|boolean|number|"
    r"foo|bar|baz|qux|abc|xyz|guest|anonymous|credentials?|hunter|letmein|this|that|something|anything|"
    r"whatever|goes|go|to|of|for|dont|commit|"
    r"env|var|from|vault|generated?|auto|random|ask|see|same|as|above|below|id|name|key|hash|bearer|"
    r"basic|oauth|jwt|refresh|private|public|"
    r"hex|base|long|short|word|words|dev|prod|local|only|vault|managed|prompt|stdin|file|plain|hashed|"
    r"encrypted|sealed)[-_ .!]*)+\d{0,2}!?$"
)
_EXAMPLE = (
    r"(?i)example|placeholder|changeme|change[-_]me|change[-_]it|your[-_]|[-_]here\b|dummy|"
    r"insert[-_]|replace[-_]|sample[-_]|fake[-_]|not[-_]a[-_]?real|"
    r"do[-_]not[-_]use|0123456789|1234567890|abcdefgh|12345678\b|deadbeef|<[a-z_ \-]+>|\$\{|\$\(|\{\{|"
    r"(?-i:%[A-Z_]{3,}%)|…|\.\.\."
)
_EXPRESSION = (
    r"^[&*+]?[A-Za-z_][\w.]*\{.*$|^\*?\[\]|^map\[|^&[A-Za-z_]|\(\?[:i]|\[\^?[A-Za-z]-[A-Za-z]|"
    r"\\[wdsSbB][+*{]|"
    r"^[!&*@(+]*(?:await |new |not |lambda\b.*|\w+ \()?(?:[A-Za-z_$][\w$]*(?:\?\.|\.|->|::|"
    r"\[))+[A-Za-z_$\"'\x60\]\[.()\w]*.*$|"
    r"^[!&*@(]*(?:await |new |not )?[A-Za-z_$][\w$.\[\]:<>]*\(.*$|^(?:await|new|lambda|function|async) .*$"
)
_TYPE = (
    r"^(?:Optional|List|Option|Vec|Maybe|Array|Promise|Record|Dict|dict|list|Union|Literal|"
    r"Annotated)[\[<(].*$|"
    r"^(?:Secret)?[Ss]tr(?:ing)?\??(?:\[\])?$|^\w+(?: ?\| ?\w+)+;?$"
)
_NAME = (
    r"^(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z]+(?:[-_.][a-z]+\d{0,4})+|"
    r"[a-z]+\d{0,2}(?:[A-Z][a-z]+\d{0,2})+|(?:[A-Z][a-z]+\d{0,2}){2,}|[A-Za-z]+)$"
)
_PATH = (
    r"^(?:~|\.{1,2})?/[\w.\-/@+~]*$|^[A-Za-z]:\\.*$|^\.{1,2}/.*$|^[\w.\-]+(?:/[\w.\-]+)+\.\w{1,5}$|"
    r"^[a-z][\w\-]*\.[a-z]{2,}(?:/[\w.\-]+)+$"
)
_DIGEST = (r"(?i)^(?:sha-?(?:1|224|256|384|512)|md5|blake2b|blake3|h1|zh)[:\-=][\w+/=\-]{16,}$",)
_FILE_OR_HOST = (
    r"^[A-Za-z][\w\-]*(?:\.[A-Za-z][\w\-]*)*\.(?:md|mdx|txt|ya?ml|json|toml|py|ts|js|go|rs|pem|key|crt|"
    r"env|sh|com|org|net|io|dev|local|internal|invalid|example|html|java|rb)(?::\d{2,5})?$"
)
_PUBLIC = (
    r"\b(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-\S+|sk-\S+@openssh\.com) AAAA|\bAAAA(?:B3NzaC1|C3NzaC1|"
    r"E2VjZHNh)|BEGIN (?:CERTIFICATE|PUBLIC KEY|PGP)|"
    r"^LS0tLS1CRUdJTiB(?:DRVJU|QVUJM|UUlVT)",
)
_UUID = lazy_expression(r"[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}")
_DATE = (
    r"^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+\-][\d:]+)?)?$|^v?\d+(?:\.\d+)+(?:[\-+][\w.]+)?$|"
    r"^[\d.,]+\s?(?:%|[a-zA-Z]{1,3})?$",
)


@cache
def _any_of(patterns: tuple[str, ...]) -> re2._Regexp:
    """One expression for UTF-8 bytes: a search costs the same for many patterns as for one."""
    return compiled("|".join(f"(?:{pattern})" for pattern in patterns).encode())


# Counting costs RE2 many states, so the exact mask is looked for only where something like it stands.
_MAY_STAND_IN = (_REFERENCE, _WORD, _EXAMPLE, _MASKED)
_STANDS_IN = (_REFERENCE, _WORD, _EXAMPLE)
_IS_MASKED = (_MASK,)
_CODE = (_EXPRESSION, _TYPE)
_IDENTIFIER = (_NAME, _PATH, _FILE_OR_HOST)
_DIGEST_STARTS = frozenset("sSmMbBhHzZ")
_DATUM_STARTS = frozenset("0123456789.,v")
_PUBLIC_MARKS = ("AAAA", "BEGIN ", "LS0tLS1CRUdJTiB")


def judged(value: str) -> str:
    """The part by which a value is judged; it never ends inside a marker."""
    if len(value) <= JUDGED:
        return value
    bracket = value.rfind("[", JUDGED - _LONGEST_MARKER, JUDGED)
    return value[: bracket if bracket >= 0 else JUDGED]


def is_marker(value: str) -> bool:
    """True for the marker of a secret that was taken out, or that somebody wrote so."""
    return value.startswith("[REDACTED") and _marker.fullmatch(value) is not None


def without_markers(value: str) -> str:
    """The value without words that say that something was taken out: they hide nothing beside them."""
    return _taken_out.sub("", value) if "redacted" in value.lower() else value


def is_placeholder(value: str) -> bool:
    """True for empty values, masks, templates, references to secrets and words that stand for one."""
    return _is_placeholder(judged(value).strip())


@lru_cache(maxsize=8192)
def _is_placeholder(value: str) -> bool:
    rest = without_markers(value)
    if rest != value:
        return not rest or is_placeholder(rest)
    if len(value) < 3 or _few_characters(value):
        return True
    return _matches(_MAY_STAND_IN, value) and (_matches(_STANDS_IN, value) or _matches(_IS_MASKED, value))


def _few_characters(value: str) -> bool:
    return len(value) >= 6 and len(set(value.lower())) <= 2


def is_expression(value: str) -> bool:
    """True for code that yields a value: attribute access, calls, types."""
    return _matches(_CODE, value)


def is_identifier(value: str) -> bool:
    """True for names of things: words joined by dashes, underscores, dots or case, paths, files, hosts."""
    return _matches(_IDENTIFIER, value)


def is_digest(value: str) -> bool:
    """True for a digest that carries the name of its algorithm."""
    return value[:1] in _DIGEST_STARTS and _matches(_DIGEST, value)


def is_public_material(value: str) -> bool:
    """True for public keys of SSH and for certificates and public keys in PEM, also in base64."""
    return any(mark in value for mark in _PUBLIC_MARKS) and _matches(_PUBLIC, value)


def is_uuid(value: str) -> bool:
    """True for the text form of a UUID (RFC 9562)."""
    return _UUID.fullmatch(value) is not None


def is_plain_datum(value: str) -> bool:
    """True for dates, versions, numbers and quantities."""
    return value[:1] in _DATUM_STARTS and _matches(_DATE, value)


def _matches(patterns: tuple[str, ...], value: str) -> bool:
    return _any_of(patterns).search(value.encode("utf-8", "replace")) is not None
