"""Secrets in vendor-shaped URLs and composite tokens, where a group of the pattern is the secret."""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.redaction.model import Extent, Match, Reader, Rule
from kradle_ctx.redaction.validators import is_web_token

_DIGITS = frozenset(b"0123456789")
_HEX = frozenset(b"0123456789abcdef")
_WORD = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.~-")


def _after(allowed: frozenset[int], least: int, most: int) -> Reader:
    """A reader for tokens whose mark stands behind `least` to `most` characters of the token."""

    def read(data: bytes, match: Match) -> Iterator[Extent]:
        start = match.start()
        while start > 0 and match.start() - start < most and data[start - 1] in allowed:
            start -= 1
        if match.start() - start >= least:
            yield start, match.end()

    return read


def _last_group(data: bytes, match: Match) -> Iterator[Extent]:
    """The group that took part in the match."""
    number = next(each for each in range(1, match.re.groups + 1) if match.start(each) >= 0)
    yield match.start(number), match.end(number)


URLS: tuple[Rule, ...] = (
    Rule(
        id="jwt",
        kind="jwt",
        pattern=r"eyJ[\w\-]{8,}={0,2}\.[\w\-]{8,}={0,2}(?:\.[\w\-]{8,}={0,2}|\.[\w\-]*\.[\w\-]+\.[\w\-]+|\.)",
        opening=r"eyJ[\w\-]{8}",
        keywords=("eyJ",),
        validator=is_web_token,
        hits=("{jwt}", "Authorization: Bearer {jwt}"),
        misses=("A JWT has three parts: `eyJ<header>.eyJ<payload>.<signature>`.", "eyJ alone"),
    ),
    Rule(
        id="slack-webhook",
        kind="webhook-url",
        pattern=r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/\-]{16,})",
        keywords=("hooks.slack.com/",),
        group=1,
        hits=(
            "https://hooks.slack.com/services/T{~updigits:10}/B{~updigits:10}/{base62:24}",
            "(https://hooks.slack.com/workflows/T{~updigits:10}/A{~updigits:10}/{~digits:18}/{base62:24})",
        ),
        misses=(
            "https://hooks.slack.com/services/T0/B0/X",
            "see hooks.slack.com/services/<team>/<bot>/<token>",
        ),
    ),
    Rule(
        id="discord-webhook",
        kind="webhook-url",
        pattern=r"api/(?:v\d+/)?webhooks/\d{16,20}/([\w\-]{50,})",
        keywords=("api/webhooks/", "api/v9/webhooks/", "api/v10/webhooks/", "api/v8/webhooks/"),
        group=1,
        hits=(
            "https://discord.com/api/webhooks/{~digits:18}/{b64url:68}",
            "https://discordapp.com/api/v10/webhooks/{~digits:18}/{b64url:68}",
        ),
        misses=("https://discord.com/api/webhooks/{digits:18}", "POST api/webhooks/id/token"),
    ),
    Rule(
        id="teams-webhook",
        kind="webhook-url",
        pattern=r"(?:webhook\.office\.com/webhookb2|outlook\.office\.com/webhook)/[\w\-@]+/IncomingWebhook/([\w\-]{20,}(?:/[\w\-]+)*)",
        keywords=("webhook.office.com/", "outlook.office.com/"),
        group=1,
        hits=(
            "https://corp.webhook.office.com/webhookb2/{~uuid}@{~uuid}/IncomingWebhook/{hex:32}/{uuid}",
            "url: https://corp.webhook.office.com/webhookb2/{~uuid}@{~uuid}/IncomingWebhook/{hex:32}",
        ),
        misses=(
            "https://corp.webhook.office.com/",
            "https://corp.webhook.office.com/webhookb2/<id>/IncomingWebhook/<key>",
        ),
    ),
    Rule(
        id="google-chat-webhook",
        kind="webhook-url",
        pattern=r"chat\.googleapis\.com/v1/spaces/[\w\-]+/messages\?([\w=&%\-]{30,})",
        keywords=("chat.googleapis.com/",),
        group=1,
        hits=(
            "https://chat.googleapis.com/v1/spaces/AAAA/messages?key={b64url:39}&token={b64url:43}",
            "<https://chat.googleapis.com/v1/spaces/AAAAx1/messages?token={b64url:43}%3D>",
        ),
        misses=("https://chat.googleapis.com/v1/spaces/AAAA/messages", "chat.googleapis.com/ is the host"),
    ),
    Rule(
        id="automation-webhook",
        kind="webhook-url",
        pattern=r"(?:hooks\.zapier\.com/hooks/catch/\d+/([A-Za-z0-9]{6,})|maker\.ifttt\.com/trigger/[\w\-]+/(?:json/)?"
        r"with/key/([\w\-]{16,})|hook\.[\w.]{2,8}make\.com/([a-z0-9]{24,})|"
        r"events\.pagerduty\.com/integration/([a-f0-9]{32})|hc-ping\.com/([a-f0-9\-]{36})|tines\.com/webhook/[a-z0-9]{32}/([a-z0-9]{32}))",
        keywords=(
            "hooks.zapier.com/",
            "maker.ifttt.com/",
            "hook.",
            "events.pagerduty.com/",
            "hc-ping.com/",
            "tines.com/",
        ),
        reader=_last_group,
        hits=(
            "https://hooks.zapier.com/hooks/catch/{~digits:7}/{lowdigits:7}/",
            "https://maker.ifttt.com/trigger/door/with/key/{b64url:43}",
            "url: https://hook.eu1.make.com/{lowdigits:32}",
            "https://events.pagerduty.com/integration/{hex:32}/enqueue",
            "curl https://hc-ping.com/{uuid}",
            "https://corp.tines.com/webhook/{~lowdigits:32}/{lowdigits:32}",
        ),
        misses=("https://hooks.zapier.com/hooks/catch/1/x", "https://maker.ifttt.com/trigger/door/with/key/<key>"),
    ),
    Rule(
        id="telegram-bot-token",
        kind="telegram-token",
        pattern=r":AA[\w\-]{32,34}",
        keywords=(":AA",),
        reader=_after(_DIGITS, 8, 12),
        hits=("bot {digits:10}:AA{b64url:33}", "https://api.telegram.org/bot{digits:10}:AA{b64url:33}/getMe"),
        misses=("rating:AA", "colour:AAbbcc"),
    ),
    Rule(
        id="terraform-token",
        kind="terraform-token",
        pattern=r"\.atlasv1\.[\w=\-]{40,}",
        keywords=(".atlasv1.",),
        reader=_after(_WORD, 0, 20),
        hits=("{base62:14}.atlasv1.{base62:67}", 'token = "{base62:14}.atlasv1.{b64url:67}"'),
        misses=("the part .atlasv1. is fixed", "x.atlasv1.short"),
    ),
    Rule(
        id="mailchimp-key",
        kind="mailchimp-key",
        pattern=r"-us\d{1,2}\b",
        keywords=("-us1", "-us2", "-us3", "-us4", "-us5", "-us6", "-us7", "-us8", "-us9"),
        reader=_after(_HEX, 32, 32),
        hits=("{hex:32}-us12", "key {hex:32}-us6"),
        misses=("gateway-us1", "region us-us2"),
    ),
)
