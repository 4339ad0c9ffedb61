"""What the name of a field says about its value."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.redaction.randomness import looks_random


class Strength(Enum):
    """How much a field name vouches for its value: PASSWORD takes what people type, WEAK only what is clearly
    random; PAIR also takes a user with a password."""

    NONE = 0
    WEAK = 1
    SECRET = 2
    PAIR = 3
    PASSWORD = 4


_LONGEST = 128
"""Characters at the end of a longer name by which it is judged."""
# Without anything that could be tried twice, so that they are linear on `re` as well.
_environment = lazy_expression(r"[A-Z][A-Z0-9]*+(?>(?:_[A-Z0-9]++)+)")
_acronym = lazy_expression(r"(?<=[A-Z])(?=[A-Z][a-z])")
_RANDOM_NAME = 12
_digits = lazy_expression(r"[0-9]++")
_part = lazy_expression(r"[A-Z]++[a-z]*+|[a-z]++|[0-9]++")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PASSWORDS = _words(
    "password passwords passwd pwd pass passphrase passcode pw passwort kennwort contrasena senha wachtwoord "
    "motdepasse mdp lozinka haslo heslo geslo parola salasana losenord adgangskode passord psk bindpw rootpw "
    "userpassword "
    "keypass storepass passw0rd pa55word pa55w0rd"
)
_SECRETS = _words(
    "secret secrets token tokens jwt apikey apikeys accesskey secretkey privatekey authkey "
    "signingkey encryptionkey masterkey passkey preshared psk authtoken accesstoken sessiontoken "
    "mnemonic pepper salt "
    "cookie sessionid dockerconfigjson dockercfg totp sharedkey accountkey sharedaccesskey bearer pat "
    "webhooksecret licensekey"
)
_PAIRS = _words("auth credential credentials creds cred login userpass basicauth")
_KEYS = _words("key keys seed")
_KEY_OWNERS = _words(
    "api access secret private signing encryption encrypt crypto cipher master account shared auth app "
    "application service "
    "server client admin root license licence deploy webhook hmac jwt session storage ssh tls ssl rsa ec "
    "data db integration "
    "ingest ingestion write read project function subscription consumer activation aes symmetric backup "
    "vault unseal recovery "
    "wireguard preshared security bot merchant routing sas management base dkim token totp otp mfa "
    "openai anthropic google gcp maps gemini stripe sendgrid mailgun mailchimp twilio datadog dd "
    "newrelic github gitlab bitbucket "
    "slack discord telegram azure aws algolia cohere mistral groq deepl deepseek replicate pinecone "
    "sentry rollbar pagerduty "
    "opsgenie heroku cloudflare fastly akamai digitalocean linode hetzner vultr ovh alibaba tencent "
    "yandex firebase supabase "
    "mapbox here weather bing youtube shopify square paypal adyen plaid braintree intercom zendesk "
    "hubspot salesforce jira "
    "confluence notion airtable asana linear figma grafana splunk elastic sonar snyk npm pypi nuget "
    "docker jfrog artifactory"
)
_PUBLIC_KEYS = _words(
    "public cache primary foreign idempotency object partition sort dedupe dedup etag index group lookup "
    "map registry i18n "
    "translation message row column hot short composite unique natural surrogate host known json feature "
    "flag config sharding shard "
    "routing cluster tree event issue project node edge record metric label tag query state ordering "
    "range hash lock "
    "s3 socket id pub the a of per by this that join merge search filter entity graph source target kind "
    "answer verify verification verifying recv"
)
_QUALIFIERS = _words(
    "prod production staging stage dev development test testing live sandbox qa uat local old new "
    "current previous prev next "
    "primary secondary backup main default b64 base64 base encoded value val string str plain plaintext "
    "raw data text hex "
    "eu us rw ro int ext internal external file1 v1 v2 v3 override tmp temp bytes prd stg json"
)
_ENDINGS = (
    "password",
    "passwd",
    "passphrase",
    "passwort",
    "secret",
    "apikey",
    "accesskey",
    "secretkey",
    "authtoken",
    "privatekey",
)
_SHORT_ENDINGS = ("token", "pwd", "pass")
_WHOLE = {"secretid": Strength.SECRET, "wifikey": Strength.PASSWORD, "networkkey": Strength.PASSWORD}
_NOT_WHOLE = frozenset(
    {"accesskeyid", "privatekeyid", "keyid", "compass", "bypass", "trespass", "encompass", "surpass"}
)


def classify(name: str) -> Strength:
    """Judge a field name such as `db.password`, `SECRET_KEY_BASE`, `apiKey` or `API key`."""
    return _classified(name[-_LONGEST:])


_ODDLY_WRITTEN = _PASSWORDS | {"token", "secret", "apikey"}
"""Names that are judged whole, since case or digits cut them in pieces."""


@lru_cache(maxsize=8192)
def _classified(name: str) -> Strength:
    parts = [part.lower() for part in _part.findall(_acronym.sub(" ", name))]
    whole = "".join(parts)
    while len(parts) > 1 and (parts[-1] in _QUALIFIERS or parts[-1].isdigit()):
        parts.pop()
    if (
        not parts
        or "hashed" in parts
        or _is_identifier(name)
        or whole in ("cookie", "setcookie")
        or whole in _NOT_WHOLE
        or parts[-1] in _NOT_WHOLE
    ):
        return Strength.NONE
    for ending, strength in _WHOLE.items():
        if whole.endswith(ending):
            return strength
    strength = _by_last_word(parts, _environment.fullmatch(name) is not None)
    return _by_last_word([whole], False) if strength is Strength.NONE and whole in _ODDLY_WRITTEN else strength


def _is_identifier(name: str) -> bool:
    """Whether a name is an identifier such as a ULID, in which letters happen to make a word."""
    return len(name) >= _RANDOM_NAME and "_" not in name and len(_digits.findall(name)) > 1 and looks_random(name)


def _by_last_word(parts: list[str], in_environment: bool) -> Strength:
    last = parts[-1]
    if last in _PASSWORDS:
        return Strength.PASSWORD
    if last in _PAIRS:
        return Strength.PAIR
    if last == "pat" and len(parts) > 1 and not in_environment:
        return Strength.WEAK
    if last in _SECRETS:
        return Strength.SECRET
    if last == "sid":
        return Strength.WEAK
    if last in _KEYS:
        return _key(parts[:-1], in_environment)
    if last.endswith(_ENDINGS) or (last.endswith(_SHORT_ENDINGS) and len(last) >= 6):
        return (
            Strength.PASSWORD
            if last.endswith(("password", "passwd", "passphrase", "pwd", "pass", "passwort"))
            else Strength.SECRET
        )
    return Strength.NONE


def _key(owners: list[str], in_environment: bool) -> Strength:
    """A key is as good as its owner says; names of environment variables that end so are keys of services."""
    owners = [owner for owner in owners if not owner.isdigit()]
    if owners and owners[-1] in _KEY_OWNERS:
        return Strength.SECRET
    if owners and owners[-1] in _PUBLIC_KEYS:
        return Strength.NONE
    return Strength.SECRET if in_environment and owners else Strength.WEAK
