"""Layer 5: bare values that only a generator makes, where nothing around them says that they are public."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator

from kradle_ctx.expressions import lazy_expression, lazy_linear_expression
from kradle_ctx.redaction.model import Extent, Match, Rule
from kradle_ctx.redaction.never_touch import is_identifier, is_placeholder, is_public_material, is_uuid
from kradle_ctx.redaction.randomness import is_hex, looks_random
from kradle_ctx.redaction.validators import is_der_private_key

# Words before a value that make it an identifier, a digest or public by design.
_PUBLIC_CONTEXT = lazy_linear_expression(
    rb"(?i)(?:sha-?\d{1,3}|md5|blake|digest|checksum|integrity|hash|fingerprint|thumbprint|signature|"
    rb"\bsig\b|signed|commits?\b|revision|\betag|nonce|"
    rb"uuid|guid|ksuid|ulid|\bid\b|[_\-]ids?\b|Id\b|ids\b|trace|span|cursor|host ?id|request|\bcid\b|"
    rb"ipfs|serial|public|cert|ssh-|ecdsa-|\bkid\b|x5[ct]|"
    rb"data:|base64,|source ?map|pubkey|verify|h1:|zh:|pako:|address|contract|\btx\b|block|wallet|"
    rb"artifact|image|layer|manifest|"
    rb"\"n\"|\"[xy]\"|\be\b|dkim|verification|boundary|site_?-?key|smtp-source|publishable|tracking|order|invoice|logo|font|svg|png|"
    rb"lorem)",
    latin=True,
)
# What base64 begins with when it holds an image, a font, a document, an archive or a program, names of digests,
# and public keys of minisign.
_OPEN = lazy_expression(
    rb"iVBORw0KGgo|/9j/|R0lGODlh|R0lGODdh|UklGR|Qk[0-9A-Za-z]{4}AAAAAAA|JVBERi0|H4sI|UEsDB|AGFzbQEAAA|d09GM|d09GR|"
    rb"AAEAAAA|T1RUTwA|PHN2Zy|PD94bW|T2dnUw|SUQz|f0VMRg|(?:sha|SHA|md|MD)[0-9]{1,3}[\-_]|RW[A-Za-z0-9+/]{53,54}=?\Z"
)
_PUBLIC_MAP_TOKEN = b"pk."
_BEFORE = 120
_NEAR = 63
_BLOCK = 16384


def _in_url(data: bytes, start: int) -> bool:
    before = data[max(0, start - 2048) : start]
    cut = max(before.rfind(c) for c in (b" ", b"\n", b"\t", b'"', b"'", b"`", b"(", b"<"))
    run = before[cut + 1 :]
    return b"://" in run or (run[:1] in b"@/~." and bool(run))


def bare(data: bytes, match: Match) -> Iterator[Extent]:
    """A long value of mixed letters and digits without words in it."""
    if _OPEN.match(match.group()):
        return
    start, end = _within_path(match)
    if data[max(0, start - 3) : start] == _PUBLIC_MAP_TOKEN:
        return
    raw = data[start:end]
    if not _mixed(raw):
        return
    value = raw.decode("ascii", "replace")
    if is_hex(value) or is_uuid(value) or is_public_material(value) or is_identifier(value) or is_placeholder(value):
        return
    if not looks_random(value) or _is_plain_text(raw):
        return
    before = data[max(0, match.start() - _BEFORE) : match.start()].rpartition(b"\n")[2]
    if _in_url(data, match.start()) or _is_public(before) or _in_public_block(data, match.start()):
        return
    yield start, end


def _is_public(before: bytes) -> bool:
    """Whether the line says shortly before the value that it is public."""
    return any(len(before) - word.end() <= _NEAR for word in _PUBLIC_CONTEXT.finditer(before))


def _within_path(match: Match) -> Extent:
    """The value without the folders before it and the names behind it, when the match is a path."""
    start, end = match.start(), match.end()
    parts = match.group().split(b"/")
    first, last = 0, len(parts) - 1
    while first < last and _is_folder(parts[first]):
        start, first = start + len(parts[first]) + 1, first + 1
    while first < last and _is_folder(parts[last]):
        end, last = end - len(parts[last]) - 1, last - 1
    return start, end


def _is_folder(part: bytes) -> bool:
    """Whether a part of a path is a name: base64 seldom has six small letters between two slashes."""
    name = part.decode("ascii")
    return name == name.lower() and (not name or is_identifier(name)) and not looks_random(name)


_digit = lazy_expression(rb"[0-9]")


def _mixed(raw: bytes) -> bool:
    return raw.lower() != raw and raw.upper() != raw and _digit.search(raw) is not None


_word = lazy_expression(rb"[A-Za-z0-9+/=_\-]{8,}+")


def _is_plain_text(raw: bytes) -> bool:
    """Whether base64 holds text of several words or JSON, without a secret in it."""
    plain = _from_base64(raw)
    if not plain or not (b" " in plain or plain.startswith(b'{"')) or not _printable(plain) or _INNER.search(plain):
        return False
    return not any(looks_random(word.decode("ascii")) for word in _word.findall(plain))


def _in_public_block(data: bytes, start: int) -> bool:
    """Whether the place is in a certificate, a public key or another PEM block without a private key."""
    begin = data.rfind(b"-----BEGIN ", max(0, start - _BLOCK), start)
    return begin >= 0 and b"-----END" not in data[begin:start] and b"PRIVATE KEY" not in data[begin : begin + 48]


_INNER = lazy_linear_expression(
    rb"(?i)(?:pass(?:word|wd|phrase)?|pwd|secret|token|api_?key|access_?key|private_?key|"
    rb"auth)[\w.\-]*[\"']?[ \t]*[=:]|://[^\s:/@]*:[^\s/@]+@|"
    rb"PRIVATE KEY-----|\b(?:gh[pousr]_|github_pat_|glpat-|AKIA|xox[bp]-|sk-[a-z]+-|sk_live_|npm_|"
    rb"AIza)[\w\-]{16,}",
    latin=True,
)


def encoded(data: bytes, match: Match) -> Iterator[Extent]:
    """Base64 or hexadecimal text that holds a field of a secret or a token when it is decoded."""
    raw = match.group()
    if _digit.search(raw) is None:
        return
    plain = _from_hex(raw) or _from_base64(raw)
    if plain and _printable(plain) and _INNER.search(plain):
        yield match.start(), match.end()


def _from_hex(raw: bytes) -> bytes:
    try:
        return bytes.fromhex(raw.decode("ascii"))
    except ValueError:
        return b""


def _from_base64(raw: bytes) -> bytes:
    body = raw.rstrip(b"=")
    try:
        return base64.b64decode(body[: len(body) // 4 * 4])
    except binascii.Error:
        return b""


_unprintable = lazy_linear_expression(rb"[^\t\r\n\x20-\x7e]", latin=True)


def _printable(plain: bytes) -> bool:
    return _unprintable.search(plain) is None


RULES: tuple[Rule, ...] = (
    Rule(
        id="der-private-key",
        kind="private-key",
        pattern=r"MI[A-Za-z0-9+/]{62,}={0,2}",
        validator=is_der_private_key,
        hits=("{der:120}", "privateKey: [{der:300}]"),
        misses=("MII is how base64 of DER begins", "MI{~letters:70}"),
    ),
    Rule(
        id="bare-value",
        kind="high-entropy",
        entropy=4.0,
        allow=(r"(?:[a-z]{2,10}_){1,2}[A-Za-z0-9]+", r"(?i)(?:sha|md)\d{1,3}[\-_].*"),
        pattern=r"[A-Za-z0-9+/_\-]{30,}={0,2}",
        reader=bare,
        hits=("echo {base62:40}", "it says {b64:44} there"),
        misses=("sha512-{b64:86}==", "https://files.example/{base62:40}"),
    ),
    Rule(
        id="encoded-secret",
        kind="encoded-secret",
        pattern=r"[A-Za-z0-9+/]{24,}={0,2}",
        reader=encoded,
        hits=("echo {wrapped:GITHUB_TOKEN=ghp_} | base64 -d", "payload: {hexwrapped:password=}"),
        misses=(
            "data:application/json;base64,eyJ2ZXJzaW9uIjogMywgInNvdXJjZXMiOiBbImFwcC50cyJdfQ==",
            "commit {hex:40}",
        ),
    ),
)
