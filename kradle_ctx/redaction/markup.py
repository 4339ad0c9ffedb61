"""Layer 3, markup: values behind tags, and elements with attributes."""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.redaction.keys import Strength, classify
from kradle_ctx.redaction.model import Extent, Match, Rule
from kradle_ctx.redaction.structure import NOUNS
from kradle_ctx.redaction.values import is_secret

_NEAR = 80
_name_start = lazy_expression(rb"[\w.:\- ]*+\Z")
_text = lazy_expression(rb"[ \t]*+([^<>\s][^<>\n]*+)<?")


def tagged_value(data: bytes, match: Match) -> Iterator[Extent]:
    """The text behind the tags that follow a name."""
    name = _name_start.search(data, max(0, match.start() - _NEAR), match.start())
    strength = classify(((name.group() if name else b"") + match.group(1)).decode("ascii", "replace"))
    text = _text.match(data, match.end())
    if strength is Strength.NONE or text is None:
        return
    end = text.start(1) + len(text.group(1).rstrip())
    if is_secret(data[text.start(1) : end].decode("utf-8", "replace"), strength, quoted=False):
        yield text.start(1), end


_TAGS = r"(?:[ \t]*</?[a-z]\w*(?:[ \t][^<>\n]*)?>)+[ \t]*:?"
_NAME = r"(" + NOUNS + r"[\w.\-]*)"

RULES: tuple[Rule, ...] = (
    Rule(
        id="value-behind-tags",
        kind="secret",
        pattern=r"(?i)" + _NAME + r"[ \t]*:?" + _TAGS,
        reader=tagged_value,
        hits=(
            "<b>Password:</b> {typed}<br>",
            "<tr><td>API token</td><td>{base62:32}</td></tr>",
            "Password: <kbd>{pw:14}</kbd>",
        ),
        misses=("<th>Password</th><th>Role</th>", '<label for="password">Password</label><input name="password">'),
    ),
    Rule(
        id="element-with-attributes",
        kind="secret",
        pattern=r"(?i)" + _NAME + r"[ \t]+[\w:.\-]+=[^<>\n]*>",
        context=r"(?i)<[\w:.\-]*" + NOUNS,
        reader=tagged_value,
        hits=(
            '<wsse:Password Type="PasswordText">{pw:14}</wsse:Password>',
            '<api-token scope="all">{base62:32}</api-token>',
        ),
        misses=('<password type="x">changeme</password>', '<token kind="ident">name</token>'),
    ),
)
