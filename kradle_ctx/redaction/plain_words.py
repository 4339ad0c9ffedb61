"""Texts of a few plain words, in which no rule finds anything: most questions are such, and rules take long to load."""

from __future__ import annotations

LONGEST_TEXT = 400
LONGEST_WORD = 14
"""Characters of a word; a token that a rule knows by its signs alone has more."""

TELLING = (
    *("pass", "pw", "pin", "secret", "cookie", "login", "token", "cred", "auth", "key", "jwt", "psk", "salt", "pepper"),
    *("mnemonic", "seed", "sid", "session", "pat", "dockerc", "totp", "bearer", "azdo", "nral", "identified", "echo"),
    *("printf", "net user", "community", "codecov", "createuser", "config", "using", " -"),
    *("kennwort", "senha", "wachtwoord", "mdp", "haslo", "parola", "jeton", "llave", "chave", "chiave", "clave"),
    *("sleutel", "klucz", "heslo", "geslo", "lozinka", "adgangskode", "salasana"),
)
"""Whatever a rule finds among plain words has one of these in it; the tests derive that from the rules themselves."""


def are_plain_words(text: str) -> bool:
    """Whether a text of at most `LONGEST_TEXT` characters is made of short words, a blank between any two.

    Words are of ASCII letters and hyphens, and none of them is a telling one.
    """
    if len(text) > LONGEST_TEXT or not text.isascii():
        return False
    lowered = text.lower()
    words = text.split(" ") if text else []
    return all(len(word) <= LONGEST_WORD and word.replace("-", "").isalpha() for word in words) and not any(
        telling in lowered for telling in TELLING
    )
