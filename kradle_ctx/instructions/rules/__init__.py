"""The rule table: groups of phrases by purpose and language, and markup."""

from __future__ import annotations

from kradle_ctx.instructions.model import Group, Rule
from kradle_ctx.instructions.rules import (
    address,
    authority,
    chinese,
    concealing,
    french,
    further,
    german,
    italian,
    japanese,
    korean,
    markup,
    override,
    portuguese,
    reveal,
    role,
    russian,
    sending,
    spanish,
)

GROUPS: tuple[Group, ...] = (
    override.OVERRIDE,
    role.ROLE,
    address.ADDRESS,
    reveal.REVEAL,
    sending.SEND,
    concealing.CONCEAL,
    authority.AUTHORITY,
    german.GERMAN,
    further.DUTCH_SWEDISH,
    french.FRENCH,
    spanish.SPANISH,
    portuguese.PORTUGUESE,
    italian.ITALIAN,
    russian.RUSSIAN,
    further.UKRAINIAN,
    further.POLISH_CZECH,
    chinese.CHINESE,
    japanese.JAPANESE,
    korean.KOREAN,
    further.SOUTH_EAST_ASIAN,
    further.NEAR_EAST,
)
MARKUP: tuple[Rule, ...] = markup.RULES
