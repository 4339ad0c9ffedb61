"""Layer 3, the word for a password in other languages before a separator."""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.expressions import lazy_linear_expression
from kradle_ctx.redaction.keys import Strength
from kradle_ctx.redaction.model import Extent, Match, Rule
from kradle_ctx.redaction.values import is_secret

# Of languages whose word is no part of the layers that know English names: case is folded in ASCII letters only.
_WORDS = (
    "contraseña clave mot\\ de\\ passe lösenord hasło heslo geslo lozinka adgangskode passord salasana jelszó parolă "
    "parool parole slaptažodis şifre Şifre mật\\ khẩu Mật\\ khẩu kata\\ sandi пароль Пароль ПАРОЛЬ парола Парола "
    "лозинка Лозинка κωδικός Κωδικός סיסמה كلمة\\ المرور كلمة\\ السر رمز\\ عبور گذرواژه पासवर्ड รหัสผ่าน 密码 密碼 "
    "口令 パスワード 비밀번호 암호"
).replace("\\ ", "\0")
_BETWEEN = "[:=]|は|是|为|為|은|는|—|–|->|→"

_value = lazy_linear_expression(rb"[\"'\x60*]{0,3}([!-~]{6,200})", latin=True)
_TRAIL = b"\"'`*.,;)"


def _bytes(words: str) -> str:
    """UTF-8 bytes as the characters that stand for them in a pattern."""
    return words.encode().decode("latin-1")


def foreign_value(data: bytes, match: Match) -> Iterator[Extent]:
    """The run of ASCII characters after the separator, where it can be a password."""
    value = _value.match(data, match.end())
    if value is None:
        return
    end = value.start(1) + len(value.group(1).rstrip(_TRAIL))
    if is_secret(data[value.start(1) : end].decode("ascii"), Strength.PASSWORD, quoted=False):
        yield value.start(1), end


RULES: tuple[Rule, ...] = (
    Rule(
        id="foreign-password",
        kind="password",
        pattern=r"(?i)(?:"
        + "|".join(_bytes(word).replace("\0", "[ \\t]") for word in _WORDS.split())
        + r")[\"'*\x60]{0,3}(?:[ \t]+[\x80-\xff]+){0,4}[ \t]*(?:"
        + _bytes(_BETWEEN)
        + r")[ \t]*",
        reader=foreign_value,
        hits=("contrase\u00f1a: {typed}", "\u5bc6\u7801: {pw:14}", "\u5bc6\u7801\u662f {pw:14}\u3002"),
        misses=(
            "contrase\u00f1a: <secreto>",
            "el campo contrase\u00f1a es obligatorio",
            "\u30d1\u30b9\u30ef\u30fc\u30c9\u306f\u91d1\u5eab\u3092\u53c2\u7167",
        ),
    ),
)
